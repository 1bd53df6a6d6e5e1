"""CaDiCaL behind a program: levels have clasp's optimum, its turn comes last and is named, and what it cannot do is refused."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from sokoasp import sat, solve
from sokoasp.asp.cadical import CadicalSession
from sokoasp.asp.catalogue import CADICAL
from sokoasp.cli import run as cli
from sokoasp.core.errors import EncodingError, MissingExtra
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import default_programs
from tests.asp.test_schedule import ROOMS
from tests.instances import FOLDER
from tests.levels import scrambled_level

pytest.importorskip("pysat")
SMALL = scrambled_level(17, width=6, height=5, boxes=3, pulls=40)


@pytest.mark.parametrize("objective", list(default_programs.TIGHT))
def test_levels_have_the_optimum_of_clasp(objective: str) -> None:
    right, other = (
        solve(ROOMS, objective=objective, engine="asp", backend=backend, cross_check=False)
        for backend in ("clasp", "cadical")
    )
    assert right.status is other.status is Status.OPTIMAL
    assert right.value == other.value
    assert {step.by for step in other.steps} == {f"{default_programs.TIGHT[objective]} in {CADICAL}"}
    assert str(other.proof).startswith("CaDiCaL refuted bounds")
    assert other.counters["clauses"] > other.counters["variables"] > 100


def test_questions_of_one_length_and_of_none(tmp_path: Path) -> None:
    best = solve(SMALL, engine="asp", cross_check=False).value
    assert best is not None
    asked = [solve(SMALL, backend="cadical", steps=best + more, cross_check=False) for more in (0, 1)]
    assert [one.status for one in asked] == [Status.NO_PLAN, Status.SOLVED]
    program = default_programs.TIGHT["lines"]
    refuted = (
        f"CaDiCaL refuted bound {best - 1} ({program} in {CADICAL}, with the tables windows, pairs and potentials)"
    )
    assert asked[0].proof == refuted
    none = solve(SMALL, backend="cadical", at_most=best - 1, cross_check=False)
    assert (none.status, none.question is not None and none.question.answer) == (Status.NO_PLAN, "no")


def test_the_last_turn_comes_after_so_many_conflicts_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are stopped after one conflict each; with the usual limit it is not asked, and without python-sat they go on."""
    first = solve(ROOMS, engine="asp", cross_check=False)
    assert {step.by for step in first.steps} == {"lines-forward"}
    monkeypatch.setattr("sokoasp.asp.multishot.FIRST_TURN", 1)
    monkeypatch.setattr(import_module("sokoasp.engine.by_asp"), "HARD", 2)
    both = [solve(ROOMS, engine="asp", cross_check=False) for _ in range(2)]
    reported = [[(step.t, step.result, step.conflicts, step.by) for step in one.steps] for one in both]
    assert reported[0] == reported[1]
    found = both[0]
    assert found.value == first.value
    ours = f"lines-forward-walk in {CADICAL}"
    assert [(step.t, step.result, step.by) for step in found.steps] == [
        (3, "unsat", "lines-forward"),
        (4, "unsat", ours),
        (5, "sat", ours),
    ]
    assert found.proof == (
        f"clingo and CaDiCaL refuted bounds 3 to 4 (lines-forward and {ours}, with the tables windows, pairs, prices "
        "and potentials); lower bound 3 (minimum-cost matching of boxes to goals)"
    )
    monkeypatch.setattr(sat, "available", lambda: False)
    alone = solve(ROOMS, engine="asp", cross_check=False)
    assert alone.value == first.value and CADICAL not in "".join(step.by for step in alone.steps)


def test_limits_are_kept_while_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pigeons: hopeless; the session looks at the limits after each round of conflicts."""
    asked: list[int] = []
    real = CadicalSession._asked

    def counted(self: CadicalSession, conflicts: int) -> bool | None:
        asked.append(conflicts)
        return real(self, conflicts)

    monkeypatch.setattr(CadicalSession, "_asked", counted)
    monkeypatch.setattr("sokoasp.asp.cadical.SLICE", 1)
    turns = [0]

    def watch() -> str | None:
        turns[0] += 1
        return "time" if len(asked) > 2 else None

    found = solve(ROOMS, backend="cadical", watch=watch, cross_check=False)
    assert found.status is Status.TIME_OUT and set(asked) == {1}


def test_what_is_for_clasp_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for wish in ({"models": 2}, {"count": True}, {"threads": 2}, {"then": ("moves",)}, {"seed": 3}):
        with pytest.raises(EncodingError, match=r"backend cadical has no .*: that is for clasp"):
            solve(SMALL, backend="cadical", **wish)  # type: ignore[arg-type]
    with pytest.raises(EncodingError, match="engine native has no backend"):
        solve(SMALL, backend="cadical", engine="native")
    with pytest.raises(EncodingError, match=r"the program is not tight, reach\(.*\) depends on itself"):
        solve(SMALL, backend="cadical", encoding="lines-forward")
    first = str(FOLDER / "tutorial" / "first.xsb")
    assert cli(["solve", first, "--backend", "cadical", "--encoding", "lines"]) == 30
    assert "the program is not tight" in capsys.readouterr().err


def test_without_python_sat_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sat, "available", lambda: False)
    with pytest.raises(MissingExtra, match=r"backend cadical needs the extra \[sat\]"):
        solve(SMALL, backend="cadical")


def test_a_tight_program_of_ones_own(tmp_path: Path) -> None:
    """Every push a state of its own, the walk by degrees: the plain rules with ours for the walk."""
    folder = Path(__file__).parents[2] / "encodings" / "sokoban"
    names = ("rules/geometry", "rules/start", "forward/lines", "forward/walk", "prune/near_anywhere", "rules/goal")
    text = "\n".join((folder / f"{name}.lp").read_text() for name in (*names, "show/forward"))
    program = tmp_path / "own.lp"
    program.write_text(text)
    found = solve(SMALL, backend="cadical", encoding=str(program), cross_check=False, limits=Limits(seconds=60))
    assert found.value == solve(SMALL, engine="asp", cross_check=False).value
    assert f"{program} in {CADICAL}" in str(found.proof)


def test_a_turn_of_few_conflicts_is_not_exceeded_by_a_whole_round(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = CadicalSession._asked

    def noted(self: CadicalSession, conflicts: int) -> bool | None:
        asked.append(conflicts)
        return real(self, conflicts)

    monkeypatch.setattr(CadicalSession, "_asked", noted)
    solve_once = CadicalSession._solve_once
    monkeypatch.setattr(CadicalSession, "_solve_once", lambda self, assumed, _: solve_once(self, assumed, 7))
    solve(SMALL, backend="cadical", cross_check=False, watch=lambda: "time" if len(asked) > 2 else None)
    assert asked and max(asked) <= 7
