"""The referee of a level, as the record of bounds asks it."""

from __future__ import annotations

from sokoasp.core.bounds import Bounds
from sokoasp.sokoban import rules, validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan


def bounds_of(level: Level, objective: str) -> Bounds:
    """Return the record of what is proved about a level, empty; costs count ``lines``, ``pushes`` or ``moves``."""

    def referee(plan: Plan) -> tuple[Plan, int]:
        again = replayed(level, plan)
        return again, again.cost(objective)

    return Bounds(level, objective, referee)


def replayed(level: Level, plan: Plan) -> Plan:
    """Return the plan of these moves with its line pushes as long as they can be, passed by the referee.

    Raises:
        IllegalPlan: It breaks the rules or leaves a goal empty.
    """
    again = rules.merged(level, plan)
    validate.validate(level, again)
    return again
