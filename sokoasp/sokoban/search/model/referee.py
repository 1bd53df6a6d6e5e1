"""Plans of the searches: made of the box sets they have met, and passed by the referee of a level."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sokoasp.core.bounds import Bounds
from sokoasp.core.errors import IllegalPlan, WrongPlan
from sokoasp.sokoban import rules, validate
from sokoasp.sokoban.level import DIRECTIONS, Level
from sokoasp.sokoban.plan import Plan, Push
from sokoasp.sokoban.search.model.push_board import PushBoard


def bounds_of(level: Level, objective: str) -> Bounds:
    """Return the record of what is proved about a level, empty; costs count ``lines``, ``pushes`` or ``moves``."""

    def referee(plan: Plan) -> tuple[Plan, int]:
        again = replayed(level, plan)
        return again, again.cost(objective)

    return Bounds(level, objective, referee)


def replayed(level: Level, plan: Plan) -> Plan:
    """Return moves as a plan of longest line pushes. Raises IllegalPlan: it breaks a rule or leaves a goal empty."""
    again = rules.merged(level, plan)
    validate.validate(level, again)
    return again


def plan_of(level: Level, board: PushBoard, steps: Sequence[tuple[int, ...]]) -> Plan:
    """Turn box sets, one push (line push) apart, into a plan; WrongPlan if they are none, which is the search's fault."""
    try:
        return rules.merged(level, rules.plan_from_pushes(level, pushes_of(board, steps)))
    except IllegalPlan as fault:
        raise WrongPlan(f"the native search made an illegal plan: {fault}") from fault


def pushes_of(board: PushBoard, steps: Sequence[tuple[int, ...]]) -> list[Push]:
    """Return the pushes between box sets, one push (line push) apart."""
    pushes = []
    for before, after in pairwise(steps):
        (box,), (to,) = ((board.cells[cell] for cell in set(a) - set(b)) for a, b in ((before, after), (after, before)))
        pushes.append(next(push for d in DIRECTIONS if (push := Push(box, d, to)).straight))
    return pushes
