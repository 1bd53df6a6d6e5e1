"""Trust nobody: the referee replays every plan, and a second engine is asked the same question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sokoasp.core import progress
from sokoasp.core.errors import IllegalPlan, WrongEncoding, WrongPlan
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.plurals import counted
from sokoasp.core.result import CrossCheck, Result, Status
from sokoasp.domain import Domain, P, Problem, domain_of
from sokoasp.engine.by_asp import by_asp
from sokoasp.engine.task import Task

CROSS_CHECK_SECONDS = 5.0
"""What the second engine may spend before the cross-check is called skipped."""

INTERRUPTED = "interrupted: skipped"
"""What is noted of a cross-check that Ctrl-C has ended."""


def remembering(domain: Domain[P, Any]) -> Domain[P, Any]:
    """Return the game with a referee that replays each plan once and knows it again; for the plans of one problem."""
    known: dict[tuple[Any, int | None], Mapping[str, int]] = {}

    def validate(problem: P, plan: Any, steps: int | None) -> Mapping[str, int]:
        if (plan, steps) not in known:
            known[plan, steps] = domain.validate(problem, plan, steps)
        return known[plan, steps]

    return replace(domain, validate=validate)


def counts_of(problem: Problem, result: Result) -> Mapping[str, int]:
    """Return what the plan of a result costs by every objective; one that no referee has seen is replayed."""
    if result.plan is None or result.counts:
        return result.counts
    return domain_of(problem).validate(problem, result.plan, None)


def refereed(domain: Domain[P, Any], problem: P, task: Task, result: Result) -> Result:
    """Replay every plan by the referee, compare its count with the value that was claimed, and keep all counts.

    Raises:
        WrongEncoding: A program's plan breaks the rules or does not cost what was claimed.
        WrongPlan: A native engine's does.
    """
    kind = WrongEncoding if result.engine == "asp" else WrongPlan
    who = f"encoding {result.encoding!r}" if result.engine == "asp" else f"engine {result.engine!r}"
    for plan in result.all_plans:
        try:
            counts = domain.validate(problem, plan, task.steps if result.encoding == "competition" else None)
        except IllegalPlan as error:
            raise kind(f"{who} gave an illegal plan: {error}") from error
        true = counts[result.objective]
        if true != result.value:
            claim = f"{who} claims {counted(result.value or 0, result.objective)}, the referee counts {true}"
            raise kind(claim, legal=True)
        if plan == result.plan:
            result = replace(result, counts=counts)
    return result


def cross_check(domain: Domain[P, Any], problem: P, task: Task, result: Result, clock: Clock) -> CrossCheck | None:
    """Ask an independent engine the same question and compare, if the task wants it or it is cheap; the clock is the task's."""
    searched = result.engine != "asp" and task.answers is None
    if task.cross_check is False or (task.cross_check is None and searched):
        return None
    if result.status not in (Status.OPTIMAL, Status.UNSOLVABLE, Status.SOLVED, Status.NO_PLAN):
        return None
    if result.stopped_by == "interrupt":
        return None
    seconds = CROSS_CHECK_SECONDS if clock.remaining is None else min(CROSS_CHECK_SECONDS, clock.remaining)
    limits = Limits(seconds=seconds)
    try:
        with progress.unwatched("cross-check"):
            if not searched:
                second = domain.second(problem, result.objective, limits, task.cross_check is True)
            else:
                asked = Task(objective=result.objective, limits=limits, probes=False)
                second = by_asp(domain, problem, asked, lambda step: None, lambda: None)
    except KeyboardInterrupt:
        return CrossCheck("asp" if searched else "native", None, None, INTERRUPTED)
    if second.stopped_by == "interrupt":
        return CrossCheck(second.engine, None, None, INTERRUPTED)
    if second.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        if seconds == 0:
            return CrossCheck(second.engine, None, None, "had no time left: skipped")
        states = f" or {second.counters['states']:,} states" if "states" in second.counters else ""
        note = f"did not decide within its {seconds:.2g} s{states}: skipped"
        return CrossCheck(second.engine, None, None, note)
    steps = task.steps if task.steps is not None else getattr(problem, "steps", None)
    agrees, note = _compare(task, steps or 1, result, second)
    return CrossCheck(second.engine, second.value, agrees, note, second.plan)


def against_table(domain: Domain[P, Any], problem: P, task: Task, result: Result) -> CrossCheck | None:
    """Return the disagreement of a proved answer with the table of proved optima, None where there is none."""
    if task.other_questions or result.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        return None
    row = domain.optimum(problem, result.objective, False)
    if row is None or row["status"] == "open" or row["value"] == result.value:
        return None
    row = domain.optimum(problem, result.objective, True) or row
    return CrossCheck("table of optima", row["value"], False, f"the row of {row['origin']}", row.get("plan"))


def _compare(task: Task, steps: int, result: Result, second: Result) -> tuple[bool, str]:
    """Return whether an answer and a proved optimum, which knows no constraints, can both be true."""
    best = second.value
    none = result.status in (Status.UNSOLVABLE, Status.NO_PLAN)
    if task.constraints:
        possible = none or (best is not None and result.value is not None and best <= result.value)
        return (possible, "asked without the constraints")
    if result.status is Status.UNSOLVABLE:
        return (best is None, "")
    if result.status is Status.NO_PLAN and task.at_most is not None:
        return (best is None or best > task.at_most, f"asked for at most {task.at_most}")
    if result.status is Status.NO_PLAN:
        asked = steps - 1
        return (best is None or best != asked, f"asked for exactly {asked}")
    if best is None or result.value is None:
        return (False, "one engine has a plan, the other a proof that there is none")
    if result.status is Status.SOLVED or task.steps is not None:
        return (best <= result.value, "a plan may not beat the proved optimum")
    return (best == result.value, "")
