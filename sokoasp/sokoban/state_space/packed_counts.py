"""Large state counts: states as packed 64-bit keys, counted by kernels within limits of time and memory (needs numba)."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoasp.core import kernels
from sokoasp.core.limits import Clock, resident_mb
from sokoasp.sokoban.level import Cell, Level, reachable

if TYPE_CHECKING:
    import numpy.typing as npt

MODULES = ("sokoasp.sokoban.state_space.counting",)
SLICE = 100_000
"""States, or box sets, between two looks at the clock."""
TO_COMPILE = 15.0
"""Seconds a count must have at least for kernels to be compiled that are not yet."""


def useful(cells: int, boxes: int, seconds: float | None) -> bool:
    """Return whether a state fits a key and the kernels are there or may be compiled in time."""
    fits = 0 < boxes < cells and comb(cells, boxes) * cells < 2**63
    return fits and (seconds is None or seconds >= TO_COMPILE or not kernels.status(MODULES).compiles)


def all_regions(floor: frozenset[Cell], boxes: int, clock: Clock) -> tuple[int | None, str | None]:
    """Count the pairs of a box set and a player region on this floor; (None, the limit) when a limit broke it off."""
    (counting,) = kernels.load(MODULES)
    near = _near(sorted(floor))
    n = len(near)
    chosen = np.arange(boxes, dtype=np.int32)
    seen, stack, total = np.zeros(n + 1, np.uint8), np.zeros(n, np.int32), np.zeros(1, np.int64)
    while counting.count_regions(near, chosen, seen, stack, SLICE, total) != counting.DONE:
        if stopped := clock.over():
            return None, stopped
    return int(total[0]), None


def reachable_states(
    level: Level, most: int | None, clock: Clock, *, room: int = 1 << 16
) -> tuple[int, int, str | None, int]:
    """Count the states that pushes lead to from the start; ``room`` (a power of two) is for how many there is room at first.

    Returns:
        (box set, player region) pairs; the same with the player's very cell; the limit that broke it off, if any (then both are
        lower bounds); bytes of the arrays at the end.
    """
    (counting,) = kernels.load(MODULES)
    cells = sorted(level.floor)
    near, number = _near(cells), {cell: at for at, cell in enumerate(cells)}
    n, boxes = len(cells), len(level.boxes)
    binomial = np.array([[comb(c, k) for k in range(boxes + 1)] for c in range(n + 1)], np.uint64)
    chosen = np.array(sorted(number[box] for box in level.boxes), np.int32)
    region = min(number[cell] for cell in reachable(level.player, set(level.floor - level.boxes)))
    keys, table = np.zeros(room, np.int64), np.full(2 * room, -1, np.int32)
    keys[0] = counting.rank(chosen, binomial) * n + region
    at = np.array([0, 1, 0], np.int64)
    counting.rehash(keys, 1, table)
    seen, area = np.zeros((2, n + 1), np.uint8)
    scratch = counting.Counting(chosen, chosen.copy(), seen, area, np.zeros(n, np.int32))
    stopped: str | None = None
    while stopped is None:
        answer = counting.spread(near, binomial, keys, table, scratch, SLICE, at)
        if answer == counting.DONE:
            break
        stopped = "states" if most is not None and at[1] > most else clock.over()
        if stopped is None and answer == counting.GROW:
            keys, table, stopped = _grown(counting, keys, table, int(at[1]), clock)
    return int(at[1]), int(at[2]), stopped, keys.nbytes + table.nbytes


def _grown(
    counting: Any, keys: npt.NDArray[np.int64], table: npt.NDArray[np.int32], size: int, clock: Clock
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], str | None]:
    """Return larger arrays, or the same ones and ``"memory"`` when the limit has no room for them."""
    room = clock.limits.memory_mb
    new_keys, new_table = len(keys) * 3 // 2 + 64, len(table)
    while 10 * new_keys > 7 * new_table:
        new_table *= 2
    more = (8 * new_keys + (4 * new_table if new_table > len(table) else 0)) / 1e6
    if room is not None and resident_mb() + more > room:
        return keys, table, "memory"
    keys = np.concatenate([keys, np.zeros(new_keys - len(keys), np.int64)])
    if new_table > len(table):
        table = np.full(new_table, -1, np.int32)
        counting.rehash(keys, size, table)
    return keys, table, None


def _near(cells: list[Cell]) -> npt.NDArray[np.int32]:
    """Return the numbers of the cells left, right, above and below each cell; the number of cells where there is none."""
    number = {cell: at for at, cell in enumerate(cells)}
    steps = ((0, -1), (0, 1), (-1, 0), (1, 0))
    beside = [[number.get(Cell(row + r, col + c), len(cells)) for r, c in steps] for row, col in cells]
    return np.array(beside, np.int32)
