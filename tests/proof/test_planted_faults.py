"""Faults planted in what makes certificates (table, search): check-proof refuses each."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.engine import proving
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import level_text
from sokoasp.proof.refusals import Cheaper, Refused
from sokoasp.proof.verify import verify
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from tests import native
from tests.proof.makers import optimum, resign, solvable, unsolvable

np = pytest.importorskip("numpy")
native.needed()

from sokoasp.engine import closing  # noqa: E402
from sokoasp.proof import closed, group_bounds  # noqa: E402


def _level(objective: str, at_least: int) -> tuple[Level, int, str]:
    return next(one for one in solvable(40, objective, 12) if one[1] >= at_least)


def _certify(level: Level, lurd: str, folder: Path, objective: str) -> None:
    made = certify(level, folder, Request(objective, Limits(), plan_from_lurd(level, lurd)))
    assert made.claim is not None


def _refused(folder: Path, step: str) -> None:
    with pytest.raises(Refused, match=step):
        list(verify(folder))


def test_a_table_with_an_entry_too_high(tmp_path: Path) -> None:
    """One entry of the stored tables is raised by one, sums written anew."""
    level, _value, lurd = _level("pushes", 6)
    _certify(level, lurd, tmp_path, "pushes")
    stored = np.frombuffer(lzma.decompress((tmp_path / "tables.xz").read_bytes()), dtype="<u2")
    for place in (i for i in range(len(stored)) if stored[i] < 30_000):
        raised = stored.copy()
        raised[place] += 1
        (tmp_path / "tables.xz").write_bytes(lzma.compress(raised.tobytes()))
        resign(tmp_path)
        _refused(tmp_path, "inequality")


def test_a_maker_whose_tables_overestimate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The maker believes in tables whose single entries are one too high, and writes what follows from them."""
    honest = group_bounds.build

    def with_fault(*reported: Any, **more: Any) -> Any:
        bounds = honest(*reported, **more)
        if "stored" not in more and bounds is not None:
            low = bounds.singles < 30_000
            bounds.singles[low] += 1
        return bounds

    refused = 0
    for number, (level, _value, lurd) in enumerate(solvable(4, "pushes", 14)):
        folder = tmp_path / str(number)
        with monkeypatch.context() as patch:
            patch.setattr(group_bounds, "build", with_fault)
            _certify(level, lurd, folder, "pushes")
        with pytest.raises(Refused):
            list(verify(folder))
        refused += 1
    assert refused == 4


def test_a_search_that_forgets_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list's maker drops its last state as a pruning with a fault would."""
    honest = closing.close

    def with_fault(listed: Any, *given: Any) -> str | None:
        stopped = honest(listed, *given)
        if listed.count > 1:
            listed.p[listed.closed.P.COUNT] -= 1
        return stopped

    monkeypatch.setattr(closing, "close", with_fault)
    dropped = 0
    for number, (level, _value, lurd) in enumerate(solvable(6, "moves", 14)):
        folder = tmp_path / str(number)
        _certify(level, lurd, folder, "moves")
        if "bound of the start" in (folder / "claim.json").read_text():
            continue
        with pytest.raises(Refused):
            list(verify(folder))
        dropped += 1
    assert dropped >= 3


def test_a_search_that_takes_a_level_for_unsolvable(tmp_path: Path) -> None:
    """The claim that there is no plan, made of a level that has one: making fails, and a list that claims it is refused."""
    level, value, _lurd = _level("pushes", 4)
    field = level_text.read(level_text.write(level))
    listed = closed.ClosedList(closed.Claim(field, "pushes", None, field.boxes, (0,) * len(field.goals), 0), None)
    with pytest.raises(Cheaper):
        closing.close(listed, lambda states, left: None)
    dead = next(iter(unsolvable(1)))
    made = certify(dead, tmp_path, Request("pushes"))
    assert made.claim is not None
    (tmp_path / "level.xsb").write_text(level_text.write(level))
    resign(tmp_path)
    with pytest.raises(SokoaspError):
        list(verify(tmp_path))
    assert value >= 4


def test_a_search_whose_plan_is_not_best(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault in the native search: it calls a detour optimal. No certificate comes of it."""

    from sokoasp.core.result import Result, Status

    level, value, lurd = next(one for one in solvable(30, "moves", 14) if one[2][0].islower())
    back = {"l": "r", "r": "l", "u": "d", "d": "u"}
    longer = plan_from_lurd(level, lurd[0] + back[lurd[0]] + lurd)
    domain = proving.domain_of(level)
    native = {
        "native": lambda *_: Result(Status.OPTIMAL, "moves", "native", value + 2, value + 2, longer, proof="a fault")
    }
    monkeypatch.setattr(
        proving, "domain_of", lambda problem: domain._replace(search=domain.search._replace(native=native))
    )
    with pytest.raises(SokoaspError, match="not best"):
        certify(level, tmp_path, Request("moves"))
    assert optimum(level, "moves") == (value, lurd)
