"""Learned patterns, compiled: sets of boxes whose cost together a search of their own found, looked up by a pair of cells.

A pattern is a row of three arrays: ``facts`` (its penalty, its size, the next one of the same pair), ``masks`` (bits of its box
cells, then bits of the player cells for which it holds) and ``heads``, by pair of cells: the first one kept under that pair.
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U8, I4x2
from sokoasp.sokoban.search.bounds.cost_partitioning import (
    I_MASK,
    I_PENALTY,
    I_SHARE,
    ITEMS,
    NONE,
    SHARES,
    collect_others,
    list_patterns,
    pack_items,
)
from sokoasp.sokoban.search.bounds.database_kernels import DEAD
from sokoasp.sokoban.search.kernels.primitives import INF
from sokoasp.sokoban.search.model.records import Bound, SetRegisters, SetSearch, V

L_PENALTY, L_SIZE, L_NEXT = 0, 1, 2
FACTS = 3
"""Columns of ``facts``."""


@kernel("b1(i8, i8, u8[::1], Bound)")
def holds(at: int, player: int, key: U8, b: Bound) -> bool:
    """Return whether a learned pattern holds in a state: its boxes are there, and the player is on a cell of its."""
    masks, words = b.learned.masks, b.patterns.bits.shape[1]
    found: bool = (masks[at, words + (player >> 6)] >> np.uint64(player & 63)) & np.uint64(1) != np.uint64(0)
    for w in range(words):
        found = found and masks[at, w] & ~key[w] == np.uint64(0)
    return found


@kernel("b1(i8, i8, i8, u8[::1], Bound)")
def dead_under(one: int, other: int, player: int, key: U8, b: Bound) -> bool:
    """Return whether a learned pattern kept under two cells says that a state is dead."""
    at = int(b.learned.heads[max(one, other), min(one, other)])
    while at >= 0:
        if b.learned.facts[at, L_PENALTY] == DEAD and holds(at, player, key, b):
            return True
        at = int(b.learned.facts[at, L_NEXT])
    return False


@kernel("i8(i8, i4[::1], Bound, i4[::1])")
def kept_pairs(k: int, cells: I4, b: Bound, pairs: I4) -> int:
    """List the pairs of boxes (``i * k + j``, j < i) under whose cells learned patterns are kept; return how many there are."""
    count = 0
    for i in range(1, k):
        for j in range(i):
            if b.learned.heads[max(cells[i], cells[j]), min(cells[i], cells[j])] >= 0:
                pairs[count] = i * k + j
                count += 1
    return count


@kernel("b1(i8, i8, i4[::1], i8, u8[::1], Bound, i4[::1], i8)")
def recalled_dead(k: int, moved: int, cells: I4, player: int, key: U8, b: Bound, pairs: I4, count: int) -> bool:
    """Return whether a learned pattern says that a state is dead; ``pairs`` is as of the state before a box has moved."""
    for j in range(k):
        if j != moved and dead_under(cells[moved], cells[j], player, key, b):
            return True
    for p in range(count):
        i, j = pairs[p] // k, pairs[p] % k
        if moved not in (i, j) and dead_under(cells[i], cells[j], player, key, b):
            return True
    return False


@kernel("i8(i8, i4[::1], i8, u8[::1], i8, Bound)")
def recall(k: int, cells: I4, player: int, key: U8, found: int, b: Bound) -> int:
    """Append the learned patterns that hold in a state to the ``found`` items of the packing; return the number of items.

    The masks of the items are over the places of the boxes in ``cells``; ``player`` is any cell of the player's region. -1: a
    learned pattern says that the state is dead.
    """
    facts, masks, heads, items = b.learned.facts, b.learned.masks, b.learned.heads, b.items
    for i in range(1, k):
        for j in range(i):
            at = int(heads[max(cells[i], cells[j]), min(cells[i], cells[j])])
            while at >= 0:
                if holds(at, player, key, b):
                    value = np.int64(facts[at, L_PENALTY])
                    if value == DEAD:
                        return -1
                    if found < ITEMS:
                        mask = np.int64(0)
                        for box in range(k):
                            if (masks[at, cells[box] >> 6] >> np.uint64(cells[box] & 63)) & np.uint64(1):
                                mask |= np.int64(1) << box
                        items[I_MASK, found] = mask
                        items[I_PENALTY, found] = value
                        items[I_SHARE, found] = (value * SHARES + facts[at, L_SIZE] - 1) // facts[at, L_SIZE]
                        found += 1
                at = int(facts[at, L_NEXT])
    return found


@kernel("i8(SetRegisters, Bound, SetSearch, i4[::1], i8)")
def estimate(q: SetRegisters, b: Bound, s: SetSearch, cells: I4, player: int) -> int:
    """Return a lower bound on the cost of a set: single costs and penalties of disjoint patterns; INF if it cannot be served."""
    k, key, v = q.size, s.key, s.v
    for w in range(len(key)):
        key[w] = np.uint64(0)
    # the bound of the main search, on a set: earlier patterns help to learn later ones
    base = np.int64(0)
    for i in range(k):
        base += b.patterns.alone[b.side[cells[i], player]]
        key[cells[i] >> 6] |= np.uint64(1) << np.uint64(cells[i] & 63)
    if base >= INF:
        return INF
    listed = list_patterns(k, q.patterns, cells, key, b, v[V.ONE], v[V.TWO])
    found = collect_others(NONE, listed, player, b)
    if found >= 0:
        found = recall(k, cells, player, key, found, b)
    if found < 0:
        return INF
    return int(base + pack_items(k, found, INF, b.items, v[V.TWO]))


@kernel("void(i8, i8, i4[::1], i8, i4[::1], i8, Bound, i4[:,::1])")
def note(at: int, k: int, cells: I4, penalty: int, mark: I4, stamp: int, b: Bound, often: I4x2) -> None:
    """Write a pattern into row ``at``, under that pair of its ascending cells which ``often`` (live, live) says is rarest.

    It holds for the player on cells whose ``mark`` is ``stamp``. ``often`` is raised a little, which spreads the patterns.
    """
    facts, masks, heads, words, n = (
        b.learned.facts,
        b.learned.masks,
        b.learned.heads,
        b.patterns.bits.shape[1],
        b.side.shape[1] - 1,
    )
    for x in range(masks.shape[1]):
        masks[at, x] = np.uint64(0)
    for i in range(k):
        masks[at, cells[i] >> 6] |= np.uint64(1) << np.uint64(cells[i] & 63)
    for c in range(n):
        if mark[c] == stamp:
            masks[at, words + (c >> 6)] |= np.uint64(1) << np.uint64(c & 63)
    high, low = cells[1], cells[0]
    for i in range(1, k):
        for j in range(i):
            if often[cells[i], cells[j]] < often[high, low]:
                high, low = cells[i], cells[j]
    often[high, low] += 1
    facts[at, L_PENALTY] = penalty
    facts[at, L_SIZE] = k
    facts[at, L_NEXT] = heads[high, low]
    heads[high, low] = at
