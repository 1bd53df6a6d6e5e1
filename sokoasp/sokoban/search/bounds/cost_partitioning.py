"""The bound of one state, compiled: costs of single boxes, and penalties of disjoint patterns on top."""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U8, I8x2
from sokoasp.sokoban.search.bounds.database_kernels import DEAD, advance, rank
from sokoasp.sokoban.search.model.records import Bound, Registers

ITEMS = 1024
"""Patterns with a penalty that are looked at in one state; the rest is passed over, which only makes the bound weaker."""
I_MASK, I_PENALTY, I_SHARE, I_CHOSEN, I_WHOLE, I_WHOLE_MASK, I_WHOLE_SIZE = 0, 1, 2, 3, 4, 5, 6
I_NEED, I_OPTIONS, I_LOCKED, I_RAISED = 7, 8, 9, 10
PACKING = 11
"""Rows of the scratch array ``items``."""
NONE = 63
"""The number of no box: there are 62 at most."""
SHARES = 840
"""A penalty times this is divided exactly by the size of any pattern or learned pattern."""
STEPS = 3000
"""Most patterns the search for a better partition looks at, one by one."""


@kernel("b1(i8, u8[::1], Bound)")
def grows(pattern: int, key: U8, b: Bound) -> bool:
    """Return whether a pattern and one of the boxes of a state make a pattern with a penalty."""
    some = np.uint64(0)
    for w in range(b.patterns.bits.shape[1]):
        some |= b.patterns.bits[pattern, w] & key[w]
    return bool(some != np.uint64(0))


@kernel("b1(i8, i8, Bound)")
def with_penalty(pattern: int, cell: int, b: Bound) -> bool:
    """Return whether a pattern and a box on this cell make a pattern with a penalty."""
    last = np.uint64(cell)
    return bool((b.patterns.bits[pattern, last >> np.uint64(6)] >> (last & np.uint64(63))) & np.uint64(1))


@kernel("i8(i8, i8, i8, i8, i8, Bound)")
def add_item(found: int, whole: int, mask: int, size: int, player: int, b: Bound) -> int:
    """Put a pattern with a penalty for this player on the list; return how many there are then, -1 if the pattern is dead."""
    value = np.int64(b.patterns.penalty[b.patterns.first[whole] + b.patterns.rows[b.patterns.row_of[whole], player]])
    if value == DEAD:
        return -1
    if value <= 0 or found >= ITEMS:
        return found
    b.items[I_MASK, found] = mask
    b.items[I_PENALTY, found] = value
    b.items[I_SHARE, found] = value * SHARES // size
    return found + 1


@kernel("i8(i8, i4[::1], i4[::1], i4[::1])")
def pick(size: int, cells: I4, index: I4, pattern: I4) -> int:
    """Copy the cells at the first ``size`` places of ``index`` into ``pattern``; return the places as bits."""
    mask = np.int64(0)
    for i in range(size):
        pattern[i] = cells[index[i]]
        mask |= np.int64(1) << index[i]
    return int(mask)


@kernel("i8(i8, i8, i4[::1], u8[::1], Bound, i4[::1], i4[::1])")
def list_patterns(k: int, largest: int, boxes: I4, key: U8, b: Bound, index: I4, pattern: I4) -> int:
    """List the patterns of a state that have a penalty for some player; return their number.

    There are 62 boxes at most, ascending. Rows I_WHOLE to I_WHOLE_SIZE of the ``items`` are filled.
    """
    items, listed = b.items, 0
    for size in range(1, min(largest, k)):
        for i in range(size):
            index[i] = i
        while True:
            mask = pick(size, boxes, index, pattern)
            under = b.patterns.flat[size] + rank(size, pattern, b.patterns.binomial)
            for j in range(index[size - 1] + 1 if grows(under, key, b) else k, k):
                if with_penalty(under, boxes[j], b) and listed < ITEMS:
                    pattern[size] = boxes[j]
                    items[I_WHOLE, listed] = b.patterns.flat[size + 1] + rank(size + 1, pattern, b.patterns.binomial)
                    items[I_WHOLE_MASK, listed] = mask | (np.int64(1) << j)
                    items[I_WHOLE_SIZE, listed] = size + 1
                    listed += 1
            if not advance(size, k, index):
                break
    return listed


@kernel("i8(i8, i8, i8, Bound)")
def collect_others(moved: int, listed: int, player: int, b: Bound) -> int:
    """List those of ``list_patterns`` without a box (``NONE``: all) that have a penalty for this player; -1 if one is dead."""
    found = 0
    for x in range(listed):
        mask = b.items[I_WHOLE_MASK, x]
        if not (mask >> moved) & 1:
            found = add_item(found, b.items[I_WHOLE, x], mask, b.items[I_WHOLE_SIZE, x], player, b)
            if found < 0:
                return -1
    return found


@kernel("i8(i8, i8, i4[::1], i4[::1], i4[::1])")
def pick_with(size: int, moved: int, boxes: I4, index: I4, pattern: I4) -> int:
    """Put the moved box and ``size - 1`` others (``index``: places among the others) into ``pattern``; return all as bits."""
    mask, y, cell = np.int64(1) << moved, 0, boxes[moved]
    for i in range(size - 1):
        place = index[i] + (1 if index[i] >= moved else 0)
        mask |= np.int64(1) << place
        if y == i and boxes[place] > cell:
            pattern[y] = cell
            y += 1
        pattern[y] = boxes[place]
        y += 1
    if y < size:
        pattern[y] = cell
    return int(mask)


@kernel("i8(i8, i8, i4[::1], Bound)")
def number_with(size: int, cell: int, pattern: I4, b: Bound) -> int:
    """Return the number of a pattern and one cell more; ``pattern`` has room for it and is left as it was."""
    y = size
    while y > 0 and pattern[y - 1] > cell:
        pattern[y] = pattern[y - 1]
        y -= 1
    pattern[y] = cell
    whole = b.patterns.flat[size + 1] + rank(size + 1, pattern, b.patterns.binomial)
    for i in range(y, size):
        pattern[i] = pattern[i + 1]
    return int(whole)


@kernel("i8(Registers, i8, i4[::1], u8[::1], Bound, i4[::1], i4[::1])")
def collect_moved(r: Registers, player: int, boxes: I4, key: U8, b: Bound, index: I4, pattern: I4) -> int:
    """List the patterns with a penalty after a box has moved: those of ``list_patterns`` without it, and those with its new cell.

    MOVED is that box, by its place in ``boxes``, which are ascending but for it; masks are over them as they stand here. PARENTS
    is what ``list_patterns`` returned. Returns their number; -1 if a pattern is dead.
    """
    k, moved = r.boxes, r.moved
    found = collect_others(moved, r.parents, player, b)
    for size in range(1, min(r.patterns, k) if found >= 0 else 0):
        # the new cell and size - 1 others, and one more behind them
        for i in range(size - 1):
            index[i] = i
        while True:
            mask, behind = pick_with(size, moved, boxes, index, pattern), 0
            if size > 1:
                behind = index[size - 2] + (2 if index[size - 2] >= moved else 1)
            under = b.patterns.flat[size] + rank(size, pattern, b.patterns.binomial)
            for j in range(behind if grows(under, key, b) else k, k):
                if j != moved and with_penalty(under, boxes[j], b):
                    whole = number_with(size, boxes[j], pattern, b)
                    found = add_item(found, whole, mask | (1 << j), size + 1, player, b)
                    if found < 0:
                        return -1
            if size == 1 or not advance(size - 1, k - 1, index):
                break
    return found


@kernel("void(i8, i8, i8[:,::1], i4[::1])")
def sort_items(k: int, found: int, items: I8x2, share: I4) -> None:
    """Sort the list by penalty per box, largest first; ``share`` gets each box's largest."""
    for i in range(k):
        share[i] = 0
    for i in range(found):
        mask, penalty, part = items[I_MASK, i], items[I_PENALTY, i], items[I_SHARE, i]
        j = i
        while j > 0 and items[I_SHARE, j - 1] < part:
            for x in range(3):
                items[x, j] = items[x, j - 1]
            j -= 1
        items[I_MASK, j] = mask
        items[I_PENALTY, j] = penalty
        items[I_SHARE, j] = part
        for b in range(k):
            if (mask >> b) & 1 and share[b] < part:
                share[b] = part


@kernel("i8(i8, i8, i8, i8[:,::1], i4[::1])")
def pack_items(k: int, found: int, needed: int, items: I8x2, share: I4) -> int:
    """Return the summed penalty of disjoint patterns: the best a short branch and bound finds, or the first that is ``needed``.

    Patterns are taken by penalty per box. Whatever is chosen, a box adds no more than its best share of any pattern: where that
    cannot beat the best partition so far, a branch is given up. ``share`` is scratch (k).

    The sum over disjoint sets is that of disjoint pattern databases (Korf and Felner 2002), chosen anew for each state.
    """
    # Step 1. By penalty per box; ``left`` is what boxes of no chosen pattern could add at most, times SHARES
    sort_items(k, found, items, share)
    left = 0
    for b in range(k):
        left += share[b]
    best, total, used, depth, at, steps = np.int64(0), np.int64(0), np.int64(0), 0, 0, 0
    while True:
        # Step 2. Go down: take every pattern that is disjoint from those taken, while that can still beat the best
        while at < found and total * SHARES + left >= (best + 1) * SHARES:
            if items[I_MASK, at] & used == 0:
                items[I_CHOSEN, depth] = at
                depth += 1
                used |= items[I_MASK, at]
                total += items[I_PENALTY, at]
                for b in range(k):
                    if (items[I_MASK, at] >> b) & 1:
                        left -= share[b]
            at += 1
            steps += 1
        # Step 3. Keep the best; what is needed suffices, and a stopped search has a packing, too
        best = max(best, total)
        if depth == 0 or steps > STEPS or best >= needed:
            return int(best)
        # Step 4. Go back: give up the pattern taken last and go on behind it
        depth -= 1
        at = items[I_CHOSEN, depth]
        used &= ~items[I_MASK, at]
        total -= items[I_PENALTY, at]
        for b in range(k):
            if (items[I_MASK, at] >> b) & 1:
                left += share[b]
        at += 1
