"""The table ``moves``: for a single box and the player, how many moves they are from the start and from the goals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level
from sokoasp.sokoban.tables.ends import ENDS
from sokoasp.sokoban.tables.relaxed import spread

Pair = tuple[Cell, Cell]
"""Box and player."""

MOST_CELLS = 120
"""Levels with more floor cells get the facts of the box alone: those of box and player grow with the square."""


def moves(level: Level, objective: str, index: str) -> Iterator[str]:
    """Yield the facts of one box and the player, in moves; a cell without ``near_at`` can hold no box in any plan.

    - ``near_at(L,N)``, ``far_at(L,N)``: at least N moves lie between a box on L and that end: the start, or a goal.
    - ``near_with(L,P,N)``, ``far_with(L,P,N)``: the same with the player on P, where that is more.
    - ``never_with(L,P)``: no plan has a box on L and the player on P.
    """
    at_start, at_goal = ENDS[index]
    floor = level.floor
    spare = len(level.boxes) > len(level.goals)
    ends = [(box, player) for box in (floor if spare else level.goals) for player in floor if player != box]
    to_goal = spread(ends, partial(_before, floor))
    starts = [(box, level.player) for box in level.boxes]
    from_start = spread(starts, partial(_after, floor), to_goal)
    name = name_of(level)
    cells = sorted(floor)
    for box in cells:
        met = [player for player in cells if (box, player) in from_start and (box, player) in to_goal]
        if not met:
            continue
        goal = min(to_goal[box, player] for player in met)
        start = min(from_start[box, player] for player in met)
        yield f"{at_goal}_at({name[box]},{goal})"
        yield f"{at_start}_at({name[box]},{start})"
        if len(cells) > MOST_CELLS:
            continue
        for player in cells:
            words = f"{name[box]},{name[player]}"
            if player == box:
                continue
            if player not in met:
                yield f"never_with({words})"
                continue
            if to_goal[box, player] > goal:
                yield f"{at_goal}_with({words},{to_goal[box, player]})"
            if from_start[box, player] > start:
                yield f"{at_start}_with({words},{from_start[box, player]})"


def _after(floor: frozenset[Cell], pair: Pair) -> Iterator[Pair]:
    """Yield box and player one move later."""
    box, player = pair
    for direction in DIRECTIONS:
        to = player.step(direction)
        if to == box:
            if box.step(direction) in floor:
                yield box.step(direction), to
        elif to in floor:
            yield box, to


def _before(floor: frozenset[Cell], pair: Pair) -> Iterator[Pair]:
    """Yield box and player one move earlier: a step, or a step that pushed the box ahead of the player."""
    box, player = pair
    for direction in DIRECTIONS:
        came = player.step(direction.opposite)
        if came not in floor or came == box:
            continue
        yield box, came
        if player.step(direction) == box:
            yield player, came
