"""Seeded random small levels and states of them, alive and dead, for measuring detectors.

``python -m tests.studies.samples`` prints ``instances/measured/states.xsb``.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

from sokoasp.sokoban import formats, rules
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level, reachable
from sokoasp.sokoban.rules import State
from tests.studies.labels import labels


def random_level(rng: random.Random, *, spare: bool = False, large: bool = False) -> Level | None:
    """Draw a small level whose start was reached from a solved position by random pulls; None if the draw is no good."""
    more = 1 if large else 0
    cells = _rooms_and_tunnels(rng, more) if rng.random() < 0.35 else _strewn(rng, more)
    if not cells:
        return None
    floor = reachable(rng.choice(sorted(cells)), cells)
    boxes = rng.randint(2 + more, 4 if len(floor) < 24 else 3)
    if len(floor) < boxes + 6:
        return None
    goals = frozenset(rng.sample(sorted(floor), boxes))
    extra = rng.sample(sorted(floor - goals), rng.randint(1, 2)) if spare else []
    state = State(goals | frozenset(extra), rng.choice(sorted(floor - goals - frozenset(extra))))
    state = pulled(rng, floor, state, rng.randint(2, 60))
    return Level(frozenset(floor), state.boxes, goals, state.player)


def _strewn(rng: random.Random, more: int) -> set[Cell]:
    """Return a field with walls strewn over it."""
    height, width = rng.randint(3 + 3 * more, 6 + 2 * more), rng.randint(4 + 4 * more, 8 + 3 * more)
    wall_share = rng.choice((0.1, 0.2, 0.3, 0.35))
    return {Cell(r, c) for r in range(height) for c in range(width) if rng.random() > wall_share}


def _rooms_and_tunnels(rng: random.Random, more: int) -> set[Cell]:
    """Return two or three small rooms in a row, joined by one-wide tunnels, often with a way around or a bay."""
    height = rng.randint(2 + more, 4 + more)
    cells: set[Cell] = set()
    col = 0
    rooms = rng.choice((2, 2, 3))
    for room in range(rooms):
        width = rng.randint(1 + more, 3 + more)
        cells |= {Cell(r, c) for r in range(height) for c in range(col, col + width) if rng.random() > 0.1}
        col += width
        if room < rooms - 1:
            length, row = rng.randint(1, 5 + 3 * more), rng.randrange(height)
            cells |= {Cell(row, c) for c in range(col, col + length)}
            if rng.random() < 0.3:
                cells.add(Cell(row + rng.choice((-1, 1)), rng.randrange(col, col + length)))
            col += length
    if rng.random() < 0.5:
        cells |= {Cell(height + 1, c) for c in range(col)} | {Cell(height, 0), Cell(height, col - 1)}
    if rng.random() < 0.5:
        cells = {Cell(c.col, c.row) for c in cells}
    top, left = min((c.row for c in cells), default=0), min((c.col for c in cells), default=0)
    return {Cell(c.row - top, c.col - left) for c in cells}


def pulled(rng: random.Random, floor: set[Cell], state: State, times: int) -> State:
    """Return the state after some random pulls by the player, fewer if the player is shut in."""
    for _ in range(times):
        free = floor - state.boxes
        area = reachable(state.player, free)
        pulls = [
            (box, d)
            for box in sorted(state.boxes)
            for d in DIRECTIONS
            if box.step(d) in area and box.step(d, 2) in free
        ]
        if not pulls:
            break
        box, d = rng.choice(pulls)
        state = State(state.boxes - {box} | {box.step(d)}, box.step(d, 2))
    return state


def labelled_states(
    seed: int, count: int, *, spare: bool = False, large: bool = False, per_level: int = 40, states: int = 3_000
) -> Iterator[tuple[Level, State, bool]]:
    """Yield ``count`` (level, state, alive?) drawn with this seed: up to ``per_level`` of each level, half of them alive.

    Solved states are left out; the player stands on a random cell of its region.
    """
    rng = random.Random(seed)
    left = count
    while left:
        level = random_level(rng, spare=spare, large=large)
        truth = labels(level, states=states) if level is not None else None
        if level is None or truth is None:
            continue
        for wanted in (True, False):
            pool = [s for s, alive in truth.items() if alive is wanted and not rules.solved(level, s.boxes)]
            for state in rng.sample(pool, min(per_level // 2, len(pool), left)):
                player = rng.choice(sorted(rules.region(level, state)))
                left -= 1
                yield level, State(state.boxes, player), wanted


def states() -> Iterator[Level]:
    """Yield the 400 levels of the suite deadlocks: they start in random states, up to four of a level, half of them alive."""
    for level, state, _ in labelled_states(1, 400, per_level=4):
        yield level.with_state(state.boxes, state.player)


if __name__ == "__main__":
    sys.stdout.write(formats.write(list(states()), "xsb"))
