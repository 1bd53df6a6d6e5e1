"""The process that looks for a plan natively while SAT solvers run, one of their crew: it tells each plan at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sokoasp.core.child import Parent
from sokoasp.core.errors import MissingExtra
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.domain import Problem, domain_of

FIRST = 8.0
"""Seconds after which the best plan so far is sent, although the search may go on."""


@dataclass(frozen=True, slots=True)
class PlannerQuestion:
    """What the planner is asked."""

    problem: Problem
    objective: str
    limits: Limits


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, and whether it is proved best."""

    plan: Any
    proved: bool


@dataclass(frozen=True, slots=True)
class Unsolvable:
    """There is no plan, and why."""

    proof: str


def plan_for(question: PlannerQuestion, parent: Parent) -> None:
    """Tell a plan, a better one, or that there is none."""
    parent.follow()
    ask = domain_of(question.problem).native["native"]
    clock, known = question.limits.start(), None
    for slice_ in (FIRST, None):
        left = clock.remaining
        seconds = left if slice_ is None else slice_ if left is None else min(slice_, left)
        try:
            found = ask(question.problem, question.objective, replace(question.limits, seconds=seconds), known, None)
        except MissingExtra:
            return
        if found.status is Status.UNSOLVABLE:
            parent.send(Unsolvable(found.proof or ""))
        elif found.plan is not None:
            known = found.plan
            parent.send(Planned(found.plan, found.status is Status.OPTIMAL))
        if found.status in (Status.OPTIMAL, Status.UNSOLVABLE):
            return
