"""Tie-breaks by the native search, alone or after ASP: of the best plans one that also has the fewest of something else."""

from __future__ import annotations

from dataclasses import replace

from sokoasp.core import bounds, guard, kernels
from sokoasp.core.errors import WrongOption
from sokoasp.core.limits import Limits
from sokoasp.core.result import Cost, OnStep, Result, Status
from sokoasp.domain import Game, Problem
from sokoasp.engine.by_asp import by_asp
from sokoasp.engine.task import Task


def asp_then_native(domain: Game, problem: Problem, task: Task, on_step: OnStep, alone: Limits) -> Result:
    """Have ASP break the ties; where it has not done so within its own limits, the native search has the rest of the time."""
    clock, there = task.limits.start(), kernels.status().there
    first = by_asp(domain, problem, replace(task, limits=alone) if there else task, on_step)
    if first.stopped_by != "time" or not there:
        return first
    rest = task.limits._replace(seconds=clock.remaining)
    found = best_of_best(domain, problem, (str(task.objective), *task.then), rest, first)
    return replace(found, seconds={"total": clock.elapsed})


def best_of_best(
    domain: Game, problem: Problem, objectives: tuple[str, ...], limits: Limits, *before: Result
) -> Result:
    """Break ties after a search by the first objective alone: its plan and bound are kept when a limit ends the other.

    ``before`` are answers that others gave to the same question.
    """
    if domain.search.break_ties is None:
        raise WrongOption(f"{domain.name} breaks no ties natively")
    clock, objective, answers = limits.start(), objectives[0], list(before)
    try:
        answers.insert(0, best := domain.search.native["native"](problem, objective, limits, None))
        if best.status is Status.OPTIMAL:
            answers.insert(0, domain.search.break_ties(problem, objectives, limits._replace(seconds=clock.remaining)))
    except KeyboardInterrupt as ended:  # while one of them prepared, so that it has nothing to hand in
        answers.insert(0, bounds.certified(objective, "native", None, 0, stopped_by=guard.cause(ended)))
    guard.done()
    best = bounds.joined(objective, answers, None)
    if best.plan is not None and not (best.cost and best.cost.proved):
        best = replace(
            best, status=Status.SOLVED, stopped_by=answers[0].stopped_by, cost=Cost((), objectives[1:], False)
        )
    return replace(best, seconds={"total": clock.elapsed})
