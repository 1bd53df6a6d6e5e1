"""The table ``pairs``: for two boxes together, how far they are from the start and from the goals, where that says more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.level import DIRECTIONS, Direction, Level
from sokoasp.sokoban.tables.ends import ENDS, Ends
from sokoasp.sokoban.tables.relaxed import Distances, Game, Places, distances, game

MOST_CELLS = 120
"""Levels with more floor cells get no pair facts: there are too many pairs. The programs stay right without them."""

MOST_CELLS_WALKING = 45
"""Levels with more floor cells count pushes for ``moves`` too, so that the player's place is a region and not a cell."""


def pairs(level: Level, objective: str, index: str) -> Iterator[str]:
    """Yield the two-box facts that are stronger than those of each box alone.

    - ``near_pair(L1,L2,N)``, ``far_pair(L1,L2,N)``: at least N actions lie between boxes on L1 and L2 at once and that end,
      the start or both of them on goals.
    - ``never_pair(L1,L2)``: no plan has boxes on L1 and L2 at once. Each pair L1,L2 is named once.
    - ``near_pair_behind(L1,D,L2,N)``, ``far_pair_behind(L1,D,L2,N)``, ``never_pair_behind(L1,D,L2)``: the same with the player
      behind the box on L1, that is before a push of it in direction D, or after one.

    Every push is a move, so counting pushes where moves are asked for bounds those too.
    """
    if len(level.boxes) < 2 or len(level.floor) > MOST_CELLS:
        return
    counted = "pushes" if objective == "moves" and len(level.floor) > MOST_CELLS_WALKING else objective
    small, one, two = game(level, counted), distances(level, counted, 1), distances(level, counted, 2)
    name = {small.bit(cell): word for cell, word in name_of(level).items()}
    alive = sorted({boxes[0] for boxes, _ in one.from_start})
    for boxes in combinations(alive, 2):
        yield from _pair(small, one, two, boxes, name, ENDS[index])


def _pair(
    small: Game, one: Distances, two: Distances, boxes: Places, name: dict[int, str], ends: Ends
) -> Iterator[str]:
    """Yield the facts of one pair of places."""
    first, second = boxes
    both = two.least(small.states(boxes))
    words = f"{name[first]},{name[second]}"
    if both is None:
        yield f"never_pair({words})"
        return
    alone = [least for box in boxes if (least := one.least(small.states((box,)))) is not None]
    if both[0] > max(goal for goal, _ in alone):
        yield f"{ends.goal}_pair({words},{both[0]})"
    if both[1] > max(start for _, start in alone):
        yield f"{ends.start}_pair({words},{both[1]})"
    floor = max(both[0], *(goal for goal, _ in alone)), max(both[1], *(start for _, start in alone))
    for box, other in (boxes, boxes[::-1]):
        for direction, delta in zip(DIRECTIONS, small.deltas, strict=True):
            yield from _directed(small, one, two, (box, direction, delta, other), floor, name, ends)


def _directed(
    small: Game,
    one: Distances,
    two: Distances,
    place: tuple[int, Direction, int, int],
    floor: tuple[int, int],
    name: dict[int, str],
    ends: Ends,
) -> Iterator[str]:
    """Yield the facts of a pair with the player behind the first box."""
    box, direction, delta, other = place
    stand = box - delta
    if not small.floor >> stand & 1 or stand == other:
        return
    alone = small.state((box,), stand)
    if alone not in one.from_start:
        return
    words = f"{name[box]},{direction.name},{name[other]}"
    state = small.state((box, other), stand)
    if state not in two.from_start:
        yield f"never_pair_behind({words})"
        return
    if two.to_goal[state] > max(floor[0], one.to_goal[alone]):
        yield f"{ends.goal}_pair_behind({words},{two.to_goal[state]})"
    if two.from_start[state] > max(floor[1], one.from_start[alone]):
        yield f"{ends.start}_pair_behind({words},{two.from_start[state]})"
