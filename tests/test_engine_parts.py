"""Parts of the engines that a whole run seldom comes to: what an outcome means, which limits a second opinion has, who asks."""

import signal
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from sokoasp import Limits, Result, Status, solve
from sokoasp.core import progress
from sokoasp.core.bounds import Bounds, ended_by
from sokoasp.core.result import CrossCheck, Step
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.engine import Task, asp_result, by_sat, closed_lists
from sokoasp.engine.asp_result import ProgramRun, result_of
from sokoasp.engine.by_asp import PROBES, SolvabilityProbe
from sokoasp.engine.checking import against_table, cross_check
from tests.instances import levels
from tests.levels import random_level

LEVEL = levels("tutorial/tutorial.xsb")[8]
ENDLESS = random_level(4, boxes=3)
"""There is no plan, which bounds alone never show."""
BEST = Result(Status.OPTIMAL, "lines", "asp", value=4, lower_bound=4)


def test_pushes_have_one_parity_in_bounds_and_in_progress() -> None:
    seen: list[Step] = []
    task = Task(objective="pushes", encoding="pushes", probes=False, cross_check=False)
    with progress.watched() as board:
        found = solve(ENDLESS, task, on_step=seen.append, watch=lambda: "time" if len(seen) == 3 else None)
    assert found.lower_bound == seen[-1].t + 2 == board.bound


def test_a_known_plan_of_as_many_actions_is_not_looked_for() -> None:
    best, seen = solve(LEVEL, cross_check=False), list[Step]()
    found = solve(LEVEL, Task(encoding="lines", known=best.plan, cross_check=False), on_step=seen.append)
    assert (found.status, found.value, found.plan) == (Status.OPTIMAL, 4, best.plan)
    assert all(step.t < 4 for step in seen) and "the plan is the given one" in str(found.proof)


@pytest.mark.parametrize(("said", "left"), [(Status.OPTIMAL, 0), (Status.TIME_OUT, 3)])
def test_who_has_a_plan_is_not_asked_again_whether_there_is_one(said: Status, left: int) -> None:
    clock = Limits().start()
    clock.began -= 100.0
    probe = SolvabilityProbe(lambda _: Result(said, "lines", "reference"), clock, clock, list(PROBES))
    assert probe.check() is None and probe.result is not None and len(probe.pending) == left


def test_a_question_beside_the_solver_has_twice_its_time_left_or_is_not_asked() -> None:
    clock = Limits(seconds=103.0).start()
    clock.began -= 100.0
    probe = SolvabilityProbe(lambda _: BEST, clock, clock, [(0.0, 2.0)])
    assert probe.check() is None and probe.result is None and probe.pending == []


def _run(monkeypatch: pytest.MonkeyPatch) -> ProgramRun:
    """Return the run of a program that has found the best plan."""
    runs: list[ProgramRun] = []

    def kept(run: ProgramRun) -> Result:
        runs.append(run)
        return result_of(run)

    monkeypatch.setattr(asp_result, "result_of", kept)
    assert solve(LEVEL, encoding="lines", cross_check=False).status is Status.OPTIMAL
    return runs[0]


def test_an_enumeration_that_is_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    run = _run(monkeypatch)
    stopped = run._replace(outcome=replace(run.outcome, stopped_by="time"))
    for wish in ({"models": 0}, {"count": True}):
        found = result_of(stopped._replace(task=replace(run.task, **wish)))  # type: ignore[arg-type]
        assert (found.status, found.note) == (Status.OPTIMAL, "stopped before all best plans were found")
    assert result_of(stopped).note is None


def test_a_plan_that_may_not_be_preferred_is_not_optimal(monkeypatch: pytest.MonkeyPatch) -> None:
    run = _run(monkeypatch)
    wishes: Any = type("Wishes", (), {"preferences": True, "priorities": ()})
    for stopped, status in ((None, Status.OPTIMAL), ("time", Status.SOLVED)):
        outcome = replace(run.outcome, stopped_by=stopped, priorities=(), cost=None)
        assert result_of(run._replace(outcome=outcome, wishes=wishes)).status is status


def test_a_second_opinion_has_no_more_time_than_is_left() -> None:
    given: list[float | None] = []

    def second(level: Any, objective: str, limits: Limits, may_compile: bool) -> Result:
        given.append(limits.seconds)
        return BEST

    for seconds in (2.0, None):
        asked = DOMAIN._replace(search=DOMAIN.search._replace(second=second))
        check = cross_check(asked, LEVEL, Task(), BEST, Limits(seconds=seconds).start())
        assert check is not None and check.agrees
    assert given[0] is not None and 0 < given[0] <= 2 and given[1] == 5


def test_an_open_row_of_the_table_contradicts_nobody() -> None:
    def optimum(status: str) -> Any:
        row: Mapping[str, Any] = {"status": status, "value": 5, "origin": "set 1", "plan": None}
        return DOMAIN._replace(known=DOMAIN.known._replace(optimum=lambda *_: row))

    assert against_table(optimum("open"), LEVEL, Task(), BEST) is None
    check = against_table(optimum("proved"), LEVEL, Task(), BEST)
    assert check == CrossCheck("table of optima", 5, False, "the row of set 1")


def test_a_limit_that_ends_the_cross_check_ends_no_answer() -> None:
    cut = replace(BEST, stopped_by="interrupt", cross_check=CrossCheck.cut_short("reference"))
    found = ended_by("time", cut)
    assert (found.status, found.stopped_by, found.exit_code) == (Status.OPTIMAL, None, 0)
    assert found.cross_check is not None and found.cross_check.note == "no time left: skipped"


def test_one_solver_without_memory_is_the_cause_though_another_was_killed() -> None:
    assert by_sat._cause([-signal.SIGABRT, 1]) == by_sat._cause([1, -signal.SIGABRT]) == "memory"


def test_a_refuted_bound_is_rounded_up_to_the_parity_of_pushes() -> None:
    known = Bounds(LEVEL, "pushes", lambda plan: (plan, 8))
    task, clock = Task(objective="pushes"), Limits().start()
    run = by_sat._SatRun(LEVEL, task, known, clock, lambda step: None)
    for bound, lower in ((3, 4), (4, 6), (5, 6)):
        run._judged("rising", {"bound": bound, "verdict": "unsat", "seconds": 0.0, "conflicts": 0})
        assert known.lower == lower


def test_a_bound_on_its_way_when_memory_ends_a_solver_counts() -> None:
    known = Bounds(LEVEL, "lines", lambda plan: (plan, 8))
    run = by_sat._SatRun(LEVEL, Task(), known, Limits().start(), lambda step: None)
    for message in ("memory", {"bound": 5, "verdict": "unsat", "seconds": 0.0, "conflicts": 0}, "time"):
        run._take("rising", message)
    assert (run.decided, known.lower, len(run.steps)) == ("memory", 6, 1)


def test_a_list_gives_way_to_larger_tables_when_it_has_half_as_many_states_as_they_entries() -> None:
    assert [closed_lists.patience([3], entries) for entries in (10, 100_000)] == [closed_lists.FEW, 50_000]
    assert closed_lists.patience([], 100_000) is None
