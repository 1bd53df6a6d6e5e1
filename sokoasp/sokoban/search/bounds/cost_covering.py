"""Patterns that share boxes, compiled: the least extra cost of the boxes that meets all their penalties at once.

What each box costs beyond its single cost is a whole number, and even where colours fix it. For every pattern the sum over
its boxes is its penalty at least: a covering program, whose dual is the partitioning of the costs (Pommerening, Röger and
Helmert 2013 solve its relaxation for pattern databases). Five pairs in a ring, each with a penalty of 2, have two disjoint
ones, which bring 4; but three of the five boxes must pay 2, so they cost 6
(docs/native-patterns.md, "Coverings").
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I8x2
from sokoasp.sokoban.search.bounds.cost_partitioning import (
    I_LOCKED,
    I_MASK,
    I_NEED,
    I_OPTIONS,
    I_PENALTY,
    I_RAISED,
    ITEMS,
)

LOOKS = 4000
"""Most looks at a pattern in one search for a covering."""


@kernel("void(i8, i8, i8, i8[:,::1])")
def pay(found: int, box: int, amount: int, items: I8x2) -> None:
    """Let a box pay so much: all patterns with it need that much less."""
    for i in range(found):
        if (items[I_MASK, i] >> box) & 1:
            items[I_NEED, i] -= amount


@kernel("i8(i8, i8, i8, i8[:,::1])")
def tightest(found: int, locked: int, left: int, items: I8x2) -> int:
    """Return the pattern in need with the fewest boxes that may pay; -1 if none is in need, -2 if ``left`` does not suffice.

    What disjoint patterns in need ask for must be paid in any case.
    """
    chosen, fewest, used, owed = -1, 1 << 20, np.int64(0), np.int64(0)
    for i in range(found):
        if items[I_NEED, i] <= 0:
            continue
        free = items[I_MASK, i] & ~locked
        if free & used == 0:
            used |= free
            owed += items[I_NEED, i]
        count = 0
        while free != 0:
            free &= free - 1
            count += 1
        if count < fewest:
            chosen, fewest = i, count
    return -2 if fewest == 0 or owed > left else chosen


@kernel("b1(i8, i8, i8, i8[:,::1])")
def no_covering(found: int, left: int, unit: int, items: I8x2) -> bool:
    """Return whether it is proved that the boxes cannot meet all penalties by paying ``left`` in all, in parts of ``unit``."""
    for i in range(found):
        items[I_NEED, i] = items[I_PENALTY, i]
    depth, locked, looks = 0, 0, 0
    while looks <= LOOKS:
        looks += found
        # Step 1. One of the boxes of the pattern in need must pay a part more; boxes tried before it pay no more
        chosen = tightest(found, locked, left, items)
        if chosen == -1 or depth == ITEMS:
            return False
        if chosen >= 0:
            items[I_OPTIONS, depth] = items[I_MASK, chosen] & ~locked
            items[I_LOCKED, depth] = locked
            items[I_RAISED, depth] = -1
            depth += 1
        # Step 2. The next choice of the deepest pattern that has one left
        while depth > 0:
            top = depth - 1
            box = items[I_RAISED, top]
            if box >= 0:
                pay(found, box, -unit, items)
                left += unit
                items[I_LOCKED, top] |= np.int64(1) << box
            options = items[I_OPTIONS, top]
            if options != 0:
                box = 0
                while not (options >> box) & 1:
                    box += 1
                items[I_OPTIONS, top] = options & (options - 1)
                items[I_RAISED, top] = box
                locked = items[I_LOCKED, top]
                pay(found, box, unit, items)
                left -= unit
                break
            depth -= 1
        # Step 3. No choice is left anywhere: there is no covering
        if depth == 0:
            return True
    return False


@kernel("i8(i8, i8, i8, i8, i8[:,::1])")
def cover_items(found: int, least: int, needed: int, unit: int, items: I8x2) -> int:
    """Return what the boxes pay at least to meet the penalties of all patterns listed: ``least``, known before, or more.

    Args:
        found: Number of patterns.
        least: A lower bound.
        needed: More need not be proved.
        unit: What a box pays is a multiple of it.
        items: Masks and penalties (``cost_partitioning``); rows from I_NEED on are filled.
    """
    least += -least % unit
    while least < needed and no_covering(found, least, unit, items):
        least += unit
    return int(least)
