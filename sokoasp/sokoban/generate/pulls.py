"""Backward search from the solved states: which starts are how many line pushes away.

The generator's way to hard starts. What it says is never taken as proof: a forward search proves every level anew.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from sokoasp.sokoban.level import DIRECTIONS, Cell, reachable
from sokoasp.sokoban.rules import State


def starts(floor: frozenset[Cell], goals: frozenset[Cell], most: int) -> dict[State, int]:
    """Return states (player on the smallest cell of its region) with their distance in lines to the nearest solved state.

    Breadth first from every player region of the solved box placement, at most about ``most`` states.
    """
    distance: dict[State, int] = {}
    free = set(floor - goals)
    while free:
        region = reachable(min(free), free)
        distance[State(goals, min(region))] = 0
        free -= region
    queue = deque(distance)
    while queue and len(distance) < most:
        state = queue.popleft()
        for before in _line_pulls(floor, state):
            if before not in distance:
                distance[before] = distance[state] + 1
                queue.append(before)
    return distance


def _line_pulls(floor: frozenset[Cell], state: State) -> Iterator[State]:
    """Yield every state from which one line push leads to this one."""
    region = reachable(state.player, floor - state.boxes)
    for to in sorted(state.boxes):
        for direction in DIRECTIONS:
            back = direction.opposite
            box = to.step(back)
            if box not in region:
                continue
            others = state.boxes - {to}
            while (stand := box.step(back)) in floor and stand not in others:
                boxes = others | {box}
                yield State(boxes, min(reachable(stand, floor - boxes)))
                box = stand
