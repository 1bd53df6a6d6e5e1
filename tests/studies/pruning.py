"""A plain breadth-first search in reverse, with and without the closed region of pulling (thesis §2.3)."""

from __future__ import annotations

from sokoasp.sokoban import rules
from sokoasp.sokoban.deadlock import PRUNING
from sokoasp.sokoban.deadlock.pulled_region import pulled_region
from sokoasp.sokoban.level import DIRECTIONS, Level
from sokoasp.sokoban.rules import State


def search_back(level: Level, *, closed_region: bool) -> tuple[int | None, int]:
    """Search breadth-first by pulls from every solved state back to the start (thesis §2.3).

    Args:
        level: A level with as many goals as boxes.
        closed_region: Drop states in which the player has shut itself in (``deadlock.pulled_region``).

    Returns:
        The pushes of the shortest plan (None if there is none within 50,000 states) and the number of states kept.
    """
    start = rules.canonical(level, rules.initial(level))
    starts = {rules.canonical(level, State(level.goals, cell)) for cell in level.floor - level.goals}
    queue = sorted(starts, key=lambda state: state.player)
    depth = dict.fromkeys(queue, 0)
    for state in queue:
        if state == start:
            return depth[state], len(queue)
        for before in pulls(level, state):
            reached = rules.canonical(level, before)
            if reached in depth:
                continue
            depth[reached] = depth[state] + 1
            if not closed_region or reached == start or pulled_region(level, reached, budget=PRUNING) is None:
                queue.append(reached)
        if len(queue) > 50_000:
            break
    return None, len(queue)


def pulls(level: Level, state: State) -> list[State]:
    """Return the states from which one push leads to this one."""
    free, area = level.floor - state.boxes, rules.region(level, state)
    return [
        State(state.boxes - {box} | {box.step(d)}, box.step(d, 2))
        for box in sorted(state.boxes)
        for d in DIRECTIONS
        if box.step(d) in area and box.step(d, 2) in free
    ]
