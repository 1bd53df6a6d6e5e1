"""Trust nobody: the referee replays every plan, and a second engine is asked the same question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sokoasp.asp import catalogue
from sokoasp.core import progress
from sokoasp.core.errors import PARTED, IllegalPlan, WrongEncoding, WrongPlan, counted
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import CrossCheck, Result, Status
from sokoasp.domain import Game, Problem, domain_of
from sokoasp.engine.by_asp import by_asp
from sokoasp.engine.task import Task

CROSS_CHECK_SECONDS = 5.0
"""What the second engine may spend before the cross-check is called skipped."""


def remembering(domain: Game) -> Game:
    """Return the game with a referee that replays each plan once and knows it again; for the plans of one problem."""
    known: dict[tuple[Any, int | None], Mapping[str, int]] = {}

    def validate(problem: Problem, plan: Any, steps: int | None) -> Mapping[str, int]:
        if (plan, steps) not in known:
            known[plan, steps] = domain.validate(problem, plan, steps)
        return known[plan, steps]

    return domain._replace(validate=validate)


def counts_of(problem: Problem, result: Result) -> Mapping[str, int]:
    """Return what the plan of a result costs by every objective; one that no referee has seen is replayed."""
    if result.plan is None or result.counts:
        return result.counts
    return domain_of(problem).validate(problem, result.plan, None)


def refereed(domain: Game, problem: Problem, task: Task, result: Result) -> Result:
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
        shorter = task.steps is not None and plan != result.plan and true < task.steps  # of a program that may idle
        if true != result.value and not shorter:
            claim = f"{who} claims {counted(result.value or 0, result.objective)}, the referee counts {true}"
            parted = PARTED.get(result.objective) if true < (result.value or 0) else None
            raise kind(claim + (f": {parted}" if parted else ""), legal=True)
        if plan == result.plan:
            result = replace(result, counts=counts)
    return result


def cross_check(domain: Game, problem: Problem, task: Task, result: Result, clock: Clock) -> CrossCheck | None:
    """Ask an independent engine the same question and compare, if the task wants it or it is cheap; the clock is the task's."""
    searched = result.engine != "asp" and task.answers is None
    if task.cross_check is False or (task.cross_check is None and searched):
        return None
    if result.status not in (Status.OPTIMAL, Status.UNSOLVABLE, Status.SOLVED, Status.NO_PLAN):
        return None
    if result.stopped_by in ("interrupt", "memory"):
        return None
    seconds = CROSS_CHECK_SECONDS if clock.remaining is None else min(CROSS_CHECK_SECONDS, clock.remaining)
    limits = Limits(seconds=seconds)
    try:
        with progress.unwatched("cross-check"):
            if not searched:
                second = domain.search.second(problem, result.objective, limits, task.cross_check is True)
            else:
                asked = Task(objective=result.objective, limits=limits, probes=False)
                second = by_asp(domain, problem, asked)
    except KeyboardInterrupt:
        return CrossCheck.cut_short("asp" if searched else "native")
    if second.stopped_by == "interrupt":
        return CrossCheck.cut_short(second.engine)
    if second.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        if seconds == 0:
            return CrossCheck(second.engine, None, None, "had no time left: skipped")
        states = f" ({second.counters['states']:,} states)" if "states" in second.counters else ""
        note = f"had not decided after {seconds:.2g} s{states}: skipped"
        return CrossCheck(second.engine, None, None, note)
    steps = task.steps if task.steps is not None else getattr(problem, "steps", None)
    agrees, note = _compare(task, steps or 1, result, second.value)
    check = CrossCheck(second.engine, second.value, agrees, note, second.plan)
    if agrees is None and result.status is Status.NO_PLAN and task.at_most is None and not task.constraints:
        return _exactly(domain, problem, result, (steps or 1) - 1, limits, check)
    return check


def against_table(domain: Game, problem: Problem, task: Task, result: Result) -> CrossCheck | None:
    """Return the disagreement of an answer or bound with the table of proved optima, None where there is none."""
    row = domain.known.optimum(problem, result.objective, False)
    steps = task.steps or getattr(problem, "steps", None) or 1
    if row is None or row["status"] == "open" or _compare(task, steps, result, row["value"])[0] is not False:
        return None
    row = domain.known.optimum(problem, result.objective, True) or row
    return CrossCheck("table of optima", row["value"], False, f"the row of {row['origin']}", row.get("plan"))


def blamed(task: Task, result: Result) -> None:
    """Blame a disagreement on the user's own program where one has answered, unless its plan shows that the other is wrong.

    Raises WrongEncoding: there is one.
    """
    check, value = result.cross_check, result.value
    if check is None or check.agrees is not False or task.encoding in (None, *catalogue.encodings()):
        return
    if value is not None and (check.value is None or check.value > value):
        return
    claim = f"an optimum of {counted(value or 0, result.objective)}"
    if result.status not in (Status.OPTIMAL, Status.UNSOLVABLE, Status.NO_PLAN):
        claim = f"that no plan has fewer than {counted(result.lower_bound, result.objective)}"
    elif result.plan is None:
        claim = "that there is no plan" if replace(task, encoding=None).plain else "that no plan meets the question"
    found = "none" if check.value is None else f"one of {counted(check.value, result.objective)}"
    who = f"the {check.engine}{' search' * (check.engine in ('reference', 'native'))}"
    message = f"wrong claim: encoding {task.encoding!r} claims {claim}, but there is {found} (by {who})"
    raise WrongEncoding(message, legal=True)


def _exactly(
    domain: Game, problem: Problem, result: Result, actions: int, limits: Limits, check: CrossCheck
) -> CrossCheck:
    """Ask another program of ours for a plan of exactly so many actions, which an optimum below says nothing of."""
    objective = result.objective
    others = [domain.asp.constrained(problem, objective), *domain.asp.encodings(problem, objective)]
    name = next((one for one in others if one != result.encoding), None)
    if name is None:
        return check
    asked = Task(objective=objective, encoding=name, steps=actions + 1, limits=limits, probes=False)
    try:
        with progress.unwatched("cross-check"):
            found = by_asp(domain, problem, asked)
    except KeyboardInterrupt:
        return CrossCheck.cut_short("asp")
    if found.stopped_by is not None:
        return check
    note = f"asked for exactly {actions}"
    return CrossCheck(f"encoding {name}", found.value, found.status is Status.NO_PLAN, note, found.plan)


def _compare(task: Task, steps: int, result: Result, best: int | None) -> tuple[bool | None, str]:
    """Compare an answer with a proved optimum, which knows no constraints; None: the optimum could not have refuted it."""
    value = result.value
    if value is not None and (best is None or best > value):
        return False, "the plan is shorter than what it proved to be the fewest"
    if task.constraints:  # which take plans away only
        note = "asked without the constraints"
        if best is None or (result.status is Status.OPTIMAL and value == best):
            return True, note
        return None, f"not comparable: {note}"
    if result.status is Status.UNSOLVABLE:
        return best is None, ""
    if result.status is Status.OPTIMAL:
        return best == value, "only the minimum compared" if task.count or task.models != 1 or task.then else ""
    most, extent = (steps - 1, "exactly") if task.at_most is None else (task.at_most, "at most")
    asked = f"asked for {extent} {most}"
    if result.status is Status.NO_PLAN:
        if best is None or best >= most or task.at_most is not None:
            return best is None or best > most, asked
        return None, f"not comparable: its optimum says nothing of plans of exactly {most}"
    if best is not None and best < result.lower_bound:
        return False, f"at least {result.lower_bound} was claimed"
    if task.steps is not None and value is not None and value < most:
        return (
            None,
            f"not comparable: the plan has {counted(value, result.objective)}, and the question was about {most}",
        )
    if task.steps is not None:
        return (True, asked) if best == value else (None, f"not comparable: a plan of exactly {most} was asked for")
    return None, "not comparable: the plan is not claimed to be the best"
