"""State-space counts of the thesis, section 2.4: box sets, the formula given as a bound, and what is really there.

With n cells and b boxes there are C(n, b) box sets. The thesis takes the number of boards to lie between C(n, b) and C(n, b+1)
(42 cells, 6 boxes: 5,245,786 and 26,978,328). The second figure is no bound: each way of placing the boxes may leave up to
3b + 1 player regions, and it is the map that decides. A corridor of 42 cells has 31,474,716 (box set, region) pairs, because six
boxes cut it into up to seven parts. C(n, b) * (n - b), the player on any free cell, is a true bound.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import comb
from types import ModuleType

from sokoasp.core import kernels
from sokoasp.core.limits import Limits
from sokoasp.sokoban import rules
from sokoasp.sokoban.deadlock.bitboard import pieces
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.rules import State

PLAIN = 5_000
"""States and box sets up to here are counted in plain Python, which the kernels are tested against."""
MOST_SETS = 200_000
"""Box sets that are tried in plain Python where there are no kernels."""


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
    bytes_a_state: float | None
    """Memory of the packed count of reachable states by their number; None where plain Python sufficed."""
    stopped_by: str | None
    """``"states"``, ``"time"`` or ``"memory"`` if a count was broken off."""


def count(level: Level, limits: Limits | None = None) -> StateCounts:
    """Count the states of a level within time, memory and ``limits.states`` (which bounds each of the two exact counts).

    Small counts are made in plain Python, larger ones by kernels if they are compiled or there is the time to compile them.
    """
    limits = limits or Limits()
    clock = limits.start()
    cells, boxes = len(level.floor), len(level.boxes)
    box_sets = comb(cells, boxes)
    most = limits.states
    first = PLAIN if most is None else min(most, PLAIN)
    found, stopped = _reachable(level, first, clock.over)
    # asking for the kernels takes longer than a small count
    more = stopped == "states" and first != most
    packed = _packed(cells, boxes, limits.seconds) if more or box_sets > PLAIN else None
    if more and packed is None:
        found, stopped = _reachable(level, most, clock.over)
    reachable, positions, size = len(found), sum(found.values()), None
    if more and packed is not None:
        reachable, positions, stopped, size = packed.reachable_states(level, most, clock)
    regions, late = None, None
    if box_sets <= (PLAIN if packed else min(MOST_SETS if most is None else most, MOST_SETS)):
        regions = all_regions(level.floor, boxes, clock.over)
    elif packed is not None and (most is None or box_sets <= most):
        regions, late = packed.all_regions(level.floor, boxes, clock)
    return StateCounts(
        cells=cells,
        boxes=boxes,
        box_sets=box_sets,
        formula=comb(cells, boxes + 1),
        positions=box_sets * (cells - boxes),
        regions=regions,
        reachable=None if stopped else reachable,
        reachable_positions=None if stopped else positions,
        bytes_a_state=round(size / reachable, 1) if size else None,
        stopped_by=stopped or late,
    )


def _packed(cells: int, boxes: int, seconds: float | None) -> ModuleType | None:
    """Return the module of the packed counts if it can be used."""
    if not kernels.status().there:
        return None
    from sokoasp.sokoban.state_space import packed_counts

    return packed_counts if packed_counts.useful(cells, boxes, seconds) else None


def _reachable(level: Level, most: int | None, over: Callable[[], str | None]) -> tuple[dict[State, int], str | None]:
    """Search all states that pushes lead to; the value is the size of the player's region."""
    first = rules.canonical(level, rules.initial(level))
    found = {first: len(rules.region(level, first))}
    queue = deque([first])
    while queue:
        state = queue.popleft()
        if most is not None and len(found) > most:
            return found, "states"
        if stopped := over():
            return found, stopped
        for _push, after in rules.unit_pushes(level, state):
            area = rules.region(level, after)
            following = State(after.boxes, min(area))
            if following not in found:
                found[following] = len(area)
                queue.append(following)
    return found, None


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
