"""Crowded levels with proved optima: hill climbing on the depth of the state space behind the goals.

A breadth-first search by pulls from all solved states reaches every solvable state by the fewest pulls (retrograde analysis). So
any state of its layer n is a level whose optimum is n pushes: the making is the proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from random import Random

import numpy as np

from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.plurals import counted
from sokoasp.sokoban.generate.generator import Wish
from sokoasp.sokoban.generate.maps import random_floor
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level, drawn_walls, reachable
from sokoasp.sokoban.search.exact.breadth_first import BreadthFirstSearch
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.push_board import PushBoard

FILL = 0.75
"""Share of the inner cells that is floor at first."""
STAGES = ((250, 0.02), (100, 0.15), (20, 1.0))
"""Changes tried one after the other, and which part of the states a search may store then."""


@dataclass(frozen=True, slots=True)
class Room:
    """Floor and goals, and the deepest state behind them."""

    floor: frozenset[Cell]
    goals: frozenset[Cell]
    depth: int = 0
    """Pulls to the deepest layer."""
    states: int = 0
    boxes: frozenset[Cell] = frozenset()
    """The last state of that layer ..."""
    player: Cell | None = None
    """... and the player's smallest cell."""


def crowded(wish: Wish, count: int, *, seconds: float | None = None) -> Iterator[Level]:
    """Make ``count`` levels; the comment holds seed, optimum in pushes and how many states are behind the goals.

    Of the wish, size, boxes, seed and states count. No level is begun after ``seconds``.

    Raises:
        SokoaspError: The boxes and two free cells do not fit on three quarters of the inner cells.
        MissingExtra: There are no compiled kernels.
    """
    inner = (wish.rows - 2) * (wish.cols - 2)
    if wish.boxes + 2 > FILL * inner:
        needed, there = counted(wish.boxes, "boxes"), counted(inner, "inner cells")
        raise SokoaspError(f"{needed} and two free cells do not fit on three quarters of {there}")
    clock = Limits(seconds=seconds).start()
    return (_made(wish, number) for number in takewhile(lambda _: not clock.over(), range(1, count + 1)))


def _made(wish: Wish, number: int) -> Level:
    room = _climbed(Random(f"crowded {wish.seed} {number}"), wish)
    return Level(
        floor=room.floor,
        boxes=room.boxes,
        goals=room.goals,
        player=room.player or min(room.floor - room.boxes),
        decoration=drawn_walls(room.floor),
        title=f"crowded {wish.rows}x{wish.cols}, {counted(wish.boxes, 'boxes')}, seed {wish.seed}.{number}",
        author="sokoasp generate",
        comment=f"optimum: {counted(room.depth, 'pushes')}, "
        f"proved by a search from the goals ({counted(room.states, 'states')})",
    )


def _climbed(rng: Random, wish: Wish) -> Room:
    """Change a random room by a wall or a goal at a time, and keep what is at least as deep."""
    floor = None
    while floor is None or len(floor) < wish.boxes + 2:
        floor = random_floor(rng, wish.rows, wish.cols, FILL)
    best = Room(floor, frozenset(rng.sample(sorted(floor), wish.boxes)))
    for tries, part in STAGES:
        cap = int(part * wish.states)
        best = explored(best, cap)
        for _ in range(tries):
            changed = _changed(rng, wish, best)
            if changed is not None:
                changed = explored(changed, cap)
                if (changed.depth, changed.states) >= (best.depth, best.states):
                    best = changed
    return best


def _changed(rng: Random, wish: Wish, room: Room) -> Room | None:
    """Return the room with a goal elsewhere or a wall more or less, None if that is no room."""
    if rng.random() < 0.5:
        here = rng.choice(sorted(room.goals))
        near = [here.step(d) for d in DIRECTIONS] if rng.random() < 0.5 else sorted(room.floor)
        free = [cell for cell in near if cell in room.floor - room.goals]
        return Room(room.floor, room.goals - {here} | {rng.choice(free)}) if free else None
    cell = Cell(rng.randrange(1, wish.rows - 1), rng.randrange(1, wish.cols - 1))
    floor = room.floor ^ {cell}
    if not room.goals <= floor or len(floor) < wish.boxes + 2 or len(reachable(min(floor), floor)) < len(floor):
        return None
    return Room(floor, room.goals)


def explored(room: Room, states: int) -> Room:
    """Search from the goals until nothing is new or ``states`` states are stored, and return the room with what was found."""
    board, level = _board(room), _solved(room)
    search = BreadthFirstSearch(level, board, "pushes", Options(), gated=False, both=False)
    search.advance(Limits(states=states).start(), float("inf"))
    side = search.sides[1]
    depth = side.depth - (side.front == 0)
    boxes, player = search.state(side, side.layers[depth + 1] - 1)
    area = reachable(board.cells[player], room.floor - {board.cells[c] for c in boxes})
    return replace(
        room, depth=depth, states=side.layers[-1], boxes=frozenset(board.cells[c] for c in boxes), player=min(area)
    )


def _solved(room: Room) -> Level:
    player = min(room.floor - room.goals)
    return Level(floor=room.floor, boxes=room.goals, goals=room.goals, player=player)


def _board(room: Room) -> PushBoard:
    """Return a board on which a box may stand anywhere, without the table of sides, which plain search does not need."""
    cells = sorted(room.floor)
    number, size = {cell: i for i, cell in enumerate(cells)}, len(cells)
    near = [[number.get(cell.step(d), size) for d in DIRECTIONS] for cell in cells]
    goals = tuple(sorted(number[cell] for cell in room.goals))
    player = number[min(room.floor - room.goals)]
    return PushBoard(
        cells=tuple(cells),
        live=size,
        neighbour=np.array([*near, [size] * 4], np.int32),
        side=np.zeros((0, size + 1), np.int32),
        states=0,
        boxes=goals,
        goals=goals,
        player=player,
        reach=player,
        dead_start=False,
    )
