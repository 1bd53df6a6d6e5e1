"""``--engine sat``: the same optima as the other engines, exact lengths, limits, a missing extra, the portfolio."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from sokoasp import sat
from sokoasp.core.child_processes import ChildProcesses
from sokoasp.core.errors import LevelError, MissingExtra, SokoaspError, WrongOption, singular
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.engine import solve
from sokoasp.klotski import notation
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level, reachable
from tests import instances, sleeper
from tests.commands import FIRST, run
from tests.instances import levels
from tests.levels import some_now, warehouse
from tests.proof.makers import optimum, solvable, unsolvable

pytest.importorskip("pysat")


def _solved(problem: Any, **wishes: Any) -> Result:
    return solve(problem, engine="sat", cross_check=False, **{"limits": Limits(seconds=120), **wishes})


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_the_reference_agrees(objective: str) -> None:
    for level, value, _lurd in solvable(2, objective, 12):
        result = _solved(level, objective=objective)
        assert (result.status, result.value, result.lower_bound) == (Status.OPTIMAL, value, value)
        assert result.proof is not None


def test_a_known_plan_is_proved_or_beaten() -> None:
    from sokoasp.sokoban.rules import plan_from_lurd

    level, value, lurd = next(solvable(1, "lines", 6))
    result = _solved(level, objective="lines", known=plan_from_lurd(level, lurd))
    assert (result.status, result.value) == (Status.OPTIMAL, value)
    assert "given" in str(result.proof)


def in_parts(*rows: str) -> Level:
    """Return a level as calls of the library may build it, whose floor may be in several parts."""
    sign = {Cell(row, col): char for row, line in enumerate(rows) for col, char in enumerate(line) if char != "#"}
    boxes, goals = (frozenset(cell for cell in sign if sign[cell] in signs) for signs in ("$*", ".*+"))
    return Level(frozenset(sign), boxes, goals, next(cell for cell in sign if sign[cell] in "@+"))


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_floor_out_of_reach_above_and_to_the_left_shifts_no_plan(objective: str) -> None:
    level = in_parts("  ######", "########", "###@$ .#", "########")
    assert _solved(level, objective=objective).value == (1 if objective == "lines" else 2)


@pytest.mark.parametrize("row", ["# $ . #", "# *   #", "# $   #"])
@pytest.mark.parametrize("wishes", [{}, {"steps": 2}, {"at_most": 3}])
def test_a_box_out_of_reach_is_named(row: str, wishes: dict[str, int]) -> None:
    level = in_parts("#######", "#@$ .##", "#######", row, "#######")
    with pytest.raises(LevelError, match=r"^the box or goal at row 3, column 2 is out of the player's reach$"):
        _solved(level, **wishes)


def test_what_has_come_when_a_wait_ends_decides_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """No wait hears anything: all that the solvers send is taken in after it."""
    hear = ChildProcesses.hear

    def late(children: ChildProcesses, seconds: float = 0.0) -> None:
        for process in children._running.values() if seconds else ():
            process.wait(30)
        if not seconds:
            hear(children)

    monkeypatch.setattr(ChildProcesses, "hear", late)
    level, value, _lurd = next(one for one in solvable(20, "lines", 12) if one[1] > 3)
    assert _solved(level, at_most=value - 1).proof == f"CaDiCaL 1.9.5 refuted all bounds up to {value - 1}"


@pytest.fixture
def without_rising(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the rising bounds never answer, so that the native plan and the question below it must do."""
    from sokoasp.engine import by_sat
    from sokoasp.sat import solver_child

    start = solver_child.start

    def other(children: ChildProcesses, name: str, question: solver_child.SolverQuestion) -> None:
        if name == "rising":
            children.start(name, sleeper.sleep, None)
        else:
            start(children, name, question)

    monkeypatch.setattr(solver_child, "start", other)
    monkeypatch.setattr(by_sat, "ALONE", 0.0)


@pytest.mark.usefixtures("without_rising")
@pytest.mark.parametrize("objective", some_now(["lines", "pushes"], 1))
def test_the_native_plan_is_the_upper_side(objective: str) -> None:
    level, value, _lurd = next(one for one in solvable(20, objective, 12) if one[1] > 3)
    result = _solved(level, objective=objective)
    assert (result.status, result.value) == (Status.OPTIMAL, value)
    assert result.proof in (
        f"lower bound {value} (CaDiCaL 1.9.5) = plan of {value} (the native search)",
        f"lower bound {value} (minimum-cost matching of boxes to goals) = plan of {value} (the native search)",
    )


@pytest.mark.usefixtures("without_rising")
def test_no_solution_by_the_native_search() -> None:
    for level in unsolvable(4):
        result = _solved(level, objective="pushes")
        assert result.status is Status.UNSOLVABLE


@pytest.mark.usefixtures("without_rising")
def test_who_wants_sat_alone_gets_no_help() -> None:
    level, _value, _lurd = next(one for one in solvable(20, "lines", 12) if one[1] > 3)
    result = _solved(level, objective="lines", probes=False, limits=Limits(seconds=2))
    assert (result.plan, result.stopped_by) == (None, "time")


def test_a_plan_of_the_other_parity_is_never_asked_for() -> None:
    """Pushes go down by two; a planted plan two longer than the best is beaten, and the bound of the same parity closes."""
    from sokoasp.sat.formulas import parity, rounded_up
    from sokoasp.sokoban.rules import plan_from_lurd

    met = 0
    for level, value, lurd in solvable(12, "pushes", 12):
        left = parity(level, "pushes")
        equal = len(level.boxes) == len(level.goals)
        assert (left == value % 2) if equal else (left is None)
        met += equal
        assert rounded_up(value, left) == value
        assert rounded_up(value - 1, left) == (value if equal else value - 1)
        result = _solved(level, objective="pushes", known=plan_from_lurd(level, lurd), probes=False)
        assert (result.status, result.value) == (Status.OPTIMAL, value)
    assert met > 6
    assert parity(level, "lines") is None


def test_conflicts_are_those_of_the_solver() -> None:
    """CaDiCaL is asked the same bounds by hand, on one formula for them all."""
    from pysat.solvers import Cadical195

    from sokoasp.sat.formulas import formula_of
    from sokoasp.sat.solver_child import HEADROOM

    level, _, _ = next(solvable(1, "lines", 8))
    result, spent = _solved(level, objective="lines"), 0
    top = result.steps[0].t + HEADROOM
    formula = formula_of(level, "lines", top, quicker=True)
    solver = Cadical195(bootstrap_with=formula.clauses)
    for step in result.steps:
        assert solver.solve(assumptions=[-formula.number["act", top - step.t]]) == (step.result == "sat")
        spent += step.conflicts
        assert spent == solver.accum_stats()["conflicts"] > 0
    assert len(result.steps) > 1 and result.counters["conflicts"] == spent


def test_exactly_so_many_actions() -> None:
    level, value, _lurd = next(solvable(1, "lines", 5))
    assert _solved(level, steps=value + 1).value == value
    assert _solved(level, steps=value).status is Status.NO_PLAN
    longer = _solved(level, steps=value + 2)
    asp = solve(level, engine="asp", cross_check=False, steps=value + 2, limits=Limits(seconds=60))
    assert longer.status == asp.status


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_of_a_solved_level_no_action_is_asked(objective: str) -> None:
    done = instances.level("""
        ######
        ##   #
        #  * #
        #@   #
        #    #
        ######
    """)
    assert _solved(done, objective=objective, steps=1).value == 0
    assert _solved(done, objective=objective, at_most=0).proof == "plan of 0 (CaDiCaL 1.9.5), and none is shorter"
    refuted = _solved(done, objective=objective, steps=2)
    assert refuted.value == 1 or refuted.proof == f"CaDiCaL 1.9.5 refuted a plan of exactly 1 {singular(objective)}"


def test_at_most_so_many_actions() -> None:
    level, value, _lurd = next(solvable(1, "lines", 5))
    assert _solved(level, at_most=value + 3).value == value
    assert _solved(level, at_most=value).status is Status.OPTIMAL
    assert _solved(level, at_most=value - 1).status is Status.NO_PLAN


def test_unsolvable_levels_end() -> None:
    for level in unsolvable(2):
        result = _solved(level, objective="lines")
        assert result.status is Status.UNSOLVABLE, optimum(level, "lines")


def test_a_limit_keeps_the_bound() -> None:
    result = _solved(warehouse(), objective="pushes", limits=Limits(seconds=3), probes=False)
    assert result.status is Status.TIME_OUT
    assert result.stopped_by == "time"
    assert result.lower_bound > 0


def test_what_sat_cannot_do_is_refused(tmp_path: Path) -> None:
    level = levels("tutorial/first.xsb")[0]
    with pytest.raises(WrongOption, match="models"):
        _solved(level, models=2)
    with pytest.raises(WrongOption, match="constraints"):
        _solved(level, constraints=(tmp_path / "x.lp",))
    with pytest.raises(WrongOption, match="counts lines or pushes of sokoban levels, not moves of sokoban"):
        _solved(level, objective="moves")
    with pytest.raises(WrongOption, match="not units of klotski"):
        _solved(notation.read("goal: A 0,1\nA.\n")[0], objective="units")


def test_a_missing_extra_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sat, "available", lambda: False)
    with pytest.raises(MissingExtra, match=r"sokoasp\[sat\]"):
        _solved(levels("tutorial/first.xsb")[0])


def test_the_command_and_the_portfolio() -> None:
    for more in (["--engine", "sat"], ["--engine", "portfolio", "--threads", "3"]):
        done = run("solve", FIRST, "--json", *more)
        row = json.loads(done.stdout)
        assert (done.returncode, row["status"], row["value"]) == (0, "optimal", 1), done.stderr


@pytest.mark.parametrize(("probes", "known", "parts"), [(True, None, 3), (False, None, 1), (False, "R", 2)])
def test_processes_share_the_memory(probes: bool, known: str | None, parts: int) -> None:
    """Rising bounds, a better plan where there is one to beat, and the native search where it may be asked."""
    from sokoasp.core.bounds import Bounds
    from sokoasp.engine.by_sat import _SatRun
    from sokoasp.engine.task import Task

    problem = levels("tutorial/first.xsb")[0]
    limits, bounds = Limits(memory_mb=900), Bounds(problem, "pushes", lambda plan: (plan, 1))
    if known is not None:
        bounds.offer(known, "given")
    task = Task(objective="pushes", probes=probes, limits=limits)
    run = _SatRun(problem, task, bounds, limits.start(), lambda step: None)
    assert run.share == 900 / parts


def large_map(size: int, boxes: int) -> Level:
    """Return a map of this many rows and columns with an inner wall on every eighth cell or so."""
    rng = random.Random(f"{size} {boxes} 0")
    free = {Cell(r, c) for r in range(1, size - 1) for c in range(1, size - 1) if rng.random() >= 0.12}
    floor = reachable(max(free, key=lambda cell: -abs(cell.row - size // 2) - abs(cell.col - size // 2)), free)
    wide = [cell for cell in sorted(floor) if all(cell.step(d) in floor for d in DIRECTIONS)]
    player, *chosen = rng.sample(wide, 2 * boxes + 1)
    return Level(frozenset(floor), frozenset(chosen[:boxes]), frozenset(chosen[boxes:]), player)


def test_a_solver_without_memory_says_so() -> None:
    result = _solved(large_map(120, 100), limits=Limits(seconds=30, memory_mb=200), objective="lines")
    assert (result.status, result.stopped_by) == (Status.MEMORY_OUT, "memory")
    assert result.lower_bound > 0


def test_a_refutation_that_a_plan_contradicts_is_told() -> None:
    from sokoasp.core.bounds import Bounds
    from sokoasp.core.errors import SokoaspError
    from sokoasp.engine.by_sat import _result

    known = Bounds(None, "lines", lambda plan: (plan, 4))
    known.offer("a plan of 4", "somebody")
    known.raise_lower(5, "somebody else")
    with pytest.raises(SokoaspError, match="contradicts"):
        _result(known, None, None, None)


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_the_solvers_own_proof_is_left_behind(objective: str, tmp_path: Path) -> None:
    """Each clause of the DRAT file follows by unit propagation from those before it, and one is empty."""
    from pysat.formula import CNF
    from pysat.solvers import Minisat22

    words = ["instances/tutorial/tutorial.xsb", "--level", 5, "--engine", "sat", "--objective", objective]
    done = run("solve", *words, "--proof", tmp_path)
    assert done.returncode == 0 and "refuted in DRAT" in done.stderr, done.stderr
    steps = [line.split() for line in (tmp_path / "proof.drat").read_text().splitlines()]
    added = [[int(word) for word in step[:-1]] for step in steps if step[0] != "d"]
    with Minisat22(bootstrap_with=CNF(from_file=str(tmp_path / "formula.cnf")).clauses) as solver:
        for clause in added:
            follows, _ = solver.propagate([-literal for literal in clause])
            assert not follows
            solver.add_clause(clause)
    assert [] in added


def test_a_bound_that_is_false_has_no_proof(tmp_path: Path) -> None:
    from dataclasses import replace

    from sokoasp.engine.by_sat import refute

    level, value, _lurd = next(solvable(1, "lines", 5))
    result = _solved(level, objective="lines")
    with pytest.raises(SokoaspError, match="the bound is false"):
        refute(level, replace(result, lower_bound=value + 1), tmp_path, Limits())
    assert refute(level, replace(result, lower_bound=0), tmp_path, Limits()).startswith("none")
