"""Figures of a level, and the state-space counts of the thesis, section 2.4: formulas, and what is really there.

With n cells and b boxes there are C(n, b) box sets. The thesis takes the number of boards to lie between C(n, b) and C(n, b+1)
(42 cells, 6 boxes: 5,245,786 and 26,978,328). The second figure is no bound: each way of placing the boxes may leave up to
3b + 1 player regions, and it is the map that decides. A corridor of 42 cells has 31,474,716 (box set, region) pairs, because six
boxes cut it into up to seven parts. C(n, b) * (n - b), the player on any free cell, is a true bound.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

from sokoasp.core.guard import cause, guarded
from sokoasp.core.limits import Clock, Limits
from sokoasp.sokoban import grid
from sokoasp.sokoban.canonical import board_hash
from sokoasp.sokoban.deadlock.bitboard import BitState, bits, flood, pieces, scene, shift
from sokoasp.sokoban.level import Cell, Level

_BOUND_SECONDS = 0.6
"""Seconds that bounds and dead squares get even if there are none for counting."""


class StateCounts(NamedTuple):
    """How many states a level has; None where the budget did not suffice."""

    regions: int | None
    """Pairs of a box set and a player region, reachable or not."""
    reachable_regions: int | None
    """Pairs of a box set and a player region that pushes lead to from the start."""
    reachable_positions: int | None
    """Box sets with the player's very cell that moves lead to from the start."""
    stopped_by: str | None
    """``"states"``, ``"time"`` or ``"memory"`` if a count was broken off."""


def stats(level: Level, limits: Limits) -> dict[str, Any]:
    """Describe a level: sizes, lower bounds, dead squares and the state counts (None where not counted in time).

    ``box_placements`` and ``placements_with_one_more`` are the thesis's two figures; ``positions_at_most`` is a true bound of all
    counts.
    """
    clock = limits.start()
    least = limits._replace(seconds=None if limits.seconds is None else max(limits.seconds, _BOUND_SECONDS))
    n, b = len(level.floor), len(level.boxes)
    found: dict[str, Any] = {
        "board": board_hash(level),
        "floor_cells": n,
        "boxes": b,
        "goals": len(level.goals),
        "boxes_on_goals": len(level.boxes & level.goals),
        "width": level.width,
        "height": level.height,
        **dict.fromkeys(("dead_squares", "lower_bound_lines", "lower_bound_pushes")),
        "box_placements": comb(n, b),
        "box_placements_live": None,
        "placements_with_one_more": comb(n, b + 1),
        "positions_at_most": comb(n, b) * (n - b),
        **dict.fromkeys(StateCounts._fields),
    }
    with guarded(least.start()):
        try:
            _measure(level, clock, found)
        except KeyboardInterrupt as ended:
            found["stopped_by"] = cause(ended)
    return found


def _measure(level: Level, clock: Clock, found: dict[str, Any]) -> None:
    """Fill in what takes time, the cheapest first; a bound that is None beside dead squares is none: there is no plan."""
    numbers = grid.build(level)
    live = len(grid.live_cells(numbers))
    least = {f"lower_bound_{what}": grid.matching_bound(numbers, lines=what == "lines") for what in ("lines", "pushes")}
    found |= {"dead_squares": numbers.size - live, "box_placements_live": comb(live, len(level.boxes)), **least}
    found |= count(level, clock.limits._replace(seconds=clock.remaining))._asdict()


def count(level: Level, limits: Limits) -> StateCounts:
    """Count the states of a level within time, memory and ``limits.states`` (which bounds each of the two exact counts)."""
    clock = limits.start()
    reachable, positions, stopped = _reachable(scene(level), limits.states, clock.over)
    regions = None
    if limits.states is None or comb(len(level.floor), len(level.boxes)) <= limits.states:
        regions = all_regions(level.floor, len(level.boxes), clock.over)
    return StateCounts(
        regions=regions,
        reachable_regions=None if stopped else reachable,
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
            for box in bits(able):
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
