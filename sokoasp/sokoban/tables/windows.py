"""The table ``windows``: for a single box, how far each place is from the start and from the goals."""

from __future__ import annotations

from collections.abc import Iterator

from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.level import DIRECTIONS, Level
from sokoasp.sokoban.tables.ends import ENDS
from sokoasp.sokoban.tables.relaxed import distances, game


def windows(level: Level, objective: str, index: str) -> Iterator[str]:
    """Yield the single-box facts; a place without a fact can hold no box in any plan.

    - ``near_at(L,N)``, ``far_at(L,N)``: at least N actions lie between a box on L and that end: the start, or a goal.
    - ``near_behind(L,D,N)``, ``far_behind(L,D,N)``: the same with the player behind the box: where that end is the start,
      before a push of it in direction D, so only where the cell ahead is floor; where it is a goal, after such a push.
    """
    start, goal = ENDS[index]
    small, found = game(level, objective), distances(level, objective, 1)
    name = name_of(level)
    for cell in sorted(level.floor):
        boxes = (small.bit(cell),)
        least = found.least(small.states(boxes))
        if least is None:
            continue
        here = name[cell]
        yield f"{goal}_at({here},{least[0]})"
        yield f"{start}_at({here},{least[1]})"
        for direction, delta in zip(DIRECTIONS, small.deltas, strict=True):
            stand = boxes[0] - delta
            state = small.state(boxes, stand) if small.floor >> stand & 1 else None
            if state not in found.from_start:
                continue
            yield f"{goal}_behind({here},{direction.name},{found.to_goal[state]})"
            if small.floor >> (boxes[0] + delta) & 1:
                yield f"{start}_behind({here},{direction.name},{found.from_start[state]})"
