"""State-space counts of the thesis, section 2.4: box sets, the formula given as a bound, and what is really there.

With n cells and b boxes there are C(n, b) box sets. The thesis takes the number of boards to lie between C(n, b) and C(n, b+1)
(42 cells, 6 boxes: 5,245,786 and 26,978,328). The second figure is no bound: each way of placing the boxes may leave up to
3b + 1 player regions, and it is the map that decides. A corridor of 42 cells has 31,474,716 (box set, region) pairs, because six
boxes cut it into up to seven parts. C(n, b) * (n - b), the player on any free cell, is a true bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import comb

from sokoasp.core.limits import Limits
from sokoasp.sokoban.deadlock.bitboard import BitState, flood, pieces, scene, shift
from sokoasp.sokoban.level import Cell, Level


@dataclass(frozen=True, slots=True)
class StateCounts:
    """How many states a level has, counted in different ways; None where the budget did not suffice."""

    cells: int
    boxes: int
    box_sets: int
    """C(cells, boxes): the thesis's lower figure."""
    formula: int
    """C(cells, boxes + 1): the thesis's upper figure, which is no bound on ``regions``."""
    positions: int
    """C(cells, boxes) * (cells - boxes): box sets with the player on any free cell, a true upper bound of everything here."""
    regions: int | None
    """Pairs of a box set and a player region, reachable or not."""
    reachable: int | None
    """Pairs of a box set and a player region that pushes lead to from the start."""
    reachable_positions: int | None
    """Box sets with the player's very cell that moves lead to from the start."""
    stopped_by: str | None
    """``"states"``, ``"time"`` or ``"memory"`` if a count was broken off."""


def count(level: Level, limits: Limits | None = None) -> StateCounts:
    """Count the states of a level within time, memory and ``limits.states`` (which bounds each of the two exact counts)."""
    limits = limits or Limits()
    clock = limits.start()
    cells, boxes = len(level.floor), len(level.boxes)
    box_sets = comb(cells, boxes)
    reachable, positions, stopped = _reachable(scene(level), limits.states, clock.over)
    regions = None
    if limits.states is None or box_sets <= limits.states:
        regions = all_regions(level.floor, boxes, clock.over)
    return StateCounts(
        cells=cells,
        boxes=boxes,
        box_sets=box_sets,
        formula=comb(cells, boxes + 1),
        positions=box_sets * (cells - boxes),
        regions=regions,
        reachable=None if stopped else reachable,
        reachable_positions=None if stopped else positions,
        stopped_by=stopped or (clock.over() if regions is None else None),
    )


def _reachable(start: BitState, most: int | None, over: Callable[[], str | None]) -> tuple[int, int, str | None]:
    """Search all states that pushes lead to; return how many there are, and how many with the player's very cell."""
    board = start.board
    seen = {(start.boxes, start.region & -start.region)}
    stack, positions = [(start.boxes, start.region)], 0
    while stack:
        if most is not None and len(seen) > most:
            return len(seen), positions, "states"
        if stopped := over():
            return len(seen), positions, stopped
        boxes, area = stack.pop()
        positions += area.bit_count()
        for by in board.shifts:
            able = boxes & shift(area, by) & shift(board.floor & ~boxes, -by)
            while able:
                box = able & -able
                able ^= box
                new = boxes ^ box | shift(box, by)
                after = flood(box, board.floor & ~new, board.stride)
                if (new, after & -after) not in seen:
                    seen.add((new, after & -after))
                    stack.append((new, after))
    return len(seen), positions, None


def all_regions(floor: frozenset[Cell], boxes: int, over: Callable[[], str | None] = lambda: None) -> int | None:
    """Count the pairs of a box set and a player region on this floor: for every box set the components it leaves.

    None if ``over``, asked now and then, says that a limit is reached.

    Box sets are tried one by one: the caller bounds C(cells, boxes).
    """
    width = 2 + max(cell.col for cell in floor)
    cells = [1 << cell.row * width + cell.col for cell in floor]
    whole, total = sum(cells), 0
    for number, chosen in enumerate(combinations(cells, boxes)):
        if number % 256 == 0 and over():
            return None
        total += sum(1 for _ in pieces(whole - sum(chosen), width))
    return total
