"""The boards of ``instances/measured``, on which the suites deadlocks, lengths and walks measure.

Run ``python -m tests.studies.boards FOLDER`` to write them anew: the same seeds give the same files.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Cell, Level, reachable
from sokoasp.sokoban.walk.matrix import Matrix
from tests.studies.lengths import level
from tests.studies.mazes import FAMILIES, ends
from tests.studies.samples import labelled_states

STATES, HALLS, LENGTHS, SIDES = 400, 80, (10, 30, 100, 300, 1_000), (10, 20, 40, 80)


def states() -> Iterator[Level]:
    """Yield levels that start in random states, up to four of a level, half of them alive."""
    for drawn, state, _alive in labelled_states(1, STATES, per_level=4):
        yield drawn.with_state(state.boxes, state.player)


def lengths() -> Iterator[Level]:
    """Yield the dead levels of growing length, with 0 to 2 loose boxes."""
    for loose in range(3):
        for length in LENGTHS:
            yield replace(level(length, loose), title=f"{length}, {loose}")


def halls() -> Iterator[Level]:
    """Yield halls of 4 to 16 cells a side, a tenth to two fifths of them blocked."""
    rng, left = random.Random(20), HALLS
    while left:
        height, width, share = rng.randint(4, 16), rng.randint(4, 16), rng.uniform(0.1, 0.4)
        every = [Cell(row, col) for row in range(height) for col in range(width)]
        blocked = frozenset(cell for cell in every if rng.random() < share)
        if len(blocked) < len(every):
            made = _walked(Matrix(width, height, blocked), rng.choice(sorted(set(every) - blocked)), "hall")
            left -= len(made.floor) > 2
            yield from [made] * (len(made.floor) > 2)


def mazes() -> Iterator[Level]:
    """Yield maps of every family and side; of the small ones several, so that each side has about as many cells."""
    rng = random.Random(8)
    for name, family in FAMILIES.items():
        for side in SIDES:
            for _ in range(SIDES[-1] // side):
                matrix = family(side, rng)
                yield _walked(matrix, ends(matrix, rng)[0], f"{name} {side}")


def _walked(matrix: Matrix, start: Cell, title: str) -> Level:
    """Return the part of a map around a cell as a level; the box it must have fills its goal on the last cell."""
    free = {Cell(row, col) for row in range(matrix.height) for col in range(matrix.width)} - set(matrix.obstacles)
    floor = frozenset(reachable(start, free))
    box = frozenset(sorted(floor - {start})[-1:])
    return Level(floor, box, box, start, title=title)


FILES: dict[str, Callable[[], Iterator[Level]]] = {
    "states": states,
    "lengths": lengths,
    "halls": halls,
    "mazes": mazes,
}


if __name__ == "__main__":
    for name, made in FILES.items():
        (Path(sys.argv[1]) / f"{name}.xsb").write_text(formats.write(list(made()), "xsb"), encoding="utf-8")
