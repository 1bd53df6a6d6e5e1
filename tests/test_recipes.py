"""The recipes of CONTRIBUTING.md, walked: a pruning idea, a level format, an engine (the game is in test_third_game)."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sokoasp import engine
from sokoasp.asp.catalogue import encodings
from sokoasp.core.errors import LevelError, SokoaspError, WrongEncoding, WrongPlan
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.domain import sokoban
from sokoasp.sokoban import formats
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from sokoasp.sokoban.search.exact import reference
from tests.bench import programs
from tests.instances import levels
from tests.levels import random_level

IN_ONE_GO = """
#program step(t).
:- push(_,D,L,t-1), push(L,D,_,t).
"""
"""A box pushed on in the same direction could have gone there in one line: no shortest plan stops between."""


def test_a_pruning_idea_keeps_every_optimum(tmp_path: Path) -> None:
    plain = "\n".join(path.read_text(encoding="utf-8") for path in encodings()["lines"].files)
    (tmp_path / "mine.lp").write_text(plain + IN_ONE_GO)
    seen = set()
    for seed in range(6):
        one = random_level(seed, boxes=2)
        truth = reference.solve(one, "lines", Limits(states=3_000))
        found = engine.solve(one, encoding=str(tmp_path / "mine.lp"), cross_check=False, limits=Limits(seconds=30))
        assert (found.status, found.value) == (truth.status, truth.value), f"seed {seed}\n{one}"
        seen.add(found.status)
    assert Status.OPTIMAL in seen


def test_a_pruning_idea_that_loses_plans_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "wrong.lp").write_text(programs.three_or_more())
    two = level_from_rows(["######", "#    #", "# @$ #", "#   .#", "######"])
    with pytest.raises(WrongEncoding, match="claims an optimum of 3 lines, but there is one of 2 lines"):
        engine.solve(two, encoding=str(tmp_path / "wrong.lp"))


def _read_bars(data: bytes | str, source: str, _most: int) -> Iterator[Level | SokoaspError]:
    text = data if isinstance(data, str) else data.decode()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            yield level_from_rows(line.split("|"), source=source)
        except LevelError as error:
            yield LevelError(error.message, source=source, line=number)


def test_a_level_format_is_a_pair_and_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(some: Iterable[Level], _steps: int | None) -> str:
        return "".join(str(one).replace("\n", "|") + "\n" for one in some)

    monkeypatch.setitem(formats.NOTATIONS, "bars", formats.Notation(_read_bars, write, (".bars",)))
    given = levels("tutorial/tutorial.xsb")[:3]
    again = formats.read(formats.write(given, "bars"), source="x.bars")
    assert [(one.floor, one.boxes, one.goals, one.player) for one in again] == [
        (one.floor, one.boxes, one.goals, one.player) for one in given
    ]
    with pytest.raises(LevelError, match=r"x\.bars:1"):
        formats.read("#####|#@?.#|#####\n", source="x.bars")


def _engine(name: str, plan: Callable[[Level], str], monkeypatch: pytest.MonkeyPatch) -> None:
    def native(level: Level, objective: str, limits: Limits, known: Any = None, /) -> Result:
        found = plan_from_lurd(level, plan(level))
        return Result(Status.SOLVED, objective, name, found.cost(objective), 1, found)

    search = sokoban.DOMAIN.search
    record = sokoban.DOMAIN._replace(search=search._replace(native={**search.native, name: native}))
    monkeypatch.setattr(sokoban, "DOMAIN", record)


def test_an_engine_is_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    one = level_from_rows(["#####", "#@$.#", "#####"])
    _engine("guess", lambda level: "r", monkeypatch)
    found = engine.solve(one, objective="pushes", engine="guess", cross_check=True)
    assert (found.status, found.value, found.engine) == (Status.SOLVED, 1, "guess")
    assert found.cross_check is not None and (found.cross_check.value, found.cross_check.agrees) == (1, None)


def test_an_engine_that_lies_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    one = level_from_rows(["######", "#@$ .#", "######"])
    _engine("liar", lambda level: "r", monkeypatch)
    with pytest.raises(WrongPlan, match="illegal plan"):
        engine.solve(one, objective="pushes", engine="liar")
