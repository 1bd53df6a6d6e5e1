"""The table ``moves``: for a single box and the player, how many moves they are from the start and from the goals."""

from __future__ import annotations

from collections.abc import Iterator

from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.tables.ends import ENDS
from sokoasp.sokoban.tables.relaxed import distances, game

MOST_CELLS = 120
"""Levels with more floor cells get the facts of the box alone: those of box and player grow with the square."""


def moves(level: Level, objective: str, index: str) -> Iterator[str]:
    """Yield the facts of one box and the player, in moves; a cell without ``near_at`` can hold no box in any plan.

    - ``near_at(L,N)``, ``far_at(L,N)``: at least N moves lie between a box on L and that end: the start, or a goal.
    - ``near_with(L,P,N)``, ``far_with(L,P,N)``: the same with the player on P, where that is more.
    - ``never_with(L,P)``: no plan has a box on L and the player on P.
    """
    at_start, at_goal = ENDS[index]
    small, found = game(level, "moves"), distances(level, "moves", 1)
    name = name_of(level)
    cells = sorted(level.floor)
    for box in cells:
        boxes = (small.bit(box),)
        states = {player: small.state(boxes, small.bit(player)) for player in cells if player != box}
        least = found.least(states.values())
        if least is None:
            continue
        goal, start = least
        yield f"{at_goal}_at({name[box]},{goal})"
        yield f"{at_start}_at({name[box]},{start})"
        if len(cells) > MOST_CELLS:
            continue
        for player, state in states.items():
            words = f"{name[box]},{name[player]}"
            if state not in found.from_start:
                yield f"never_with({words})"
                continue
            if found.to_goal[state] > goal:
                yield f"{at_goal}_with({words},{found.to_goal[state]})"
            if found.from_start[state] > start:
                yield f"{at_start}_with({words},{found.from_start[state]})"
