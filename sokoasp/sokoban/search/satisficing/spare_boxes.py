"""Levels with spare boxes (more boxes than goals) as levels without: more goals, where the spare boxes may end.

A plan of such a level fills all the goals of the one with spare boxes, so it is a plan of that; the reverse does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sokoasp.core.assignment import assign
from sokoasp.sokoban import grid
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level

MOST = 300_000
"""Boxes times floor cells up to which they are matched to goals, in plain Python: up to about a second."""


def with_goals_for_all(level: Level) -> Iterator[Level]:
    """Yield levels with as many goals as boxes: the level itself, or those with goals for its spare boxes.

    First the boxes that a least-cost matching of goals to boxes leaves over have goals where they start (not on large levels);
    then cells beside goals are goals, too, where boxes left over block the way.
    """
    if len(level.boxes) == len(level.goals):
        yield level
        return
    for added in (_left_over(level), _beside_goals(level)):
        if len(added) == len(level.boxes) - len(level.goals):
            yield replace(level, goals=level.goals | added)


def _left_over(level: Level) -> frozenset[Cell]:
    """Return the start cells, no goals, of the boxes that a least-cost matching leaves over; none on a large level."""
    if len(level.boxes) * len(level.floor) > MOST:
        return frozenset()
    numbers = grid.build(level)
    costs = grid.start_costs(numbers, lines=False)
    boxes, goals = numbers.boxes, len(costs)
    found = assign([[*row, *[0] * (len(boxes) - goals)] for row in zip(*costs, strict=True)])
    if found is None:
        return frozenset()
    over = (numbers.cells[box] for box, column in zip(boxes, found.columns, strict=True) if column >= goals)
    return frozenset(over) - level.goals


def _beside_goals(level: Level) -> frozenset[Cell]:
    """Return free cells with most goals beside them, of these the ones with most walls."""

    def worth(cell: Cell) -> tuple[int, int, Cell]:
        beside = [cell.step(d) for d in DIRECTIONS]
        return -sum(c in level.goals for c in beside), sum(c in level.floor for c in beside), cell

    free = sorted(level.floor - level.goals - level.boxes, key=worth)
    return frozenset(free[: len(level.boxes) - len(level.goals)])
