"""Plain breadth-first search over pushes and pulls, compiled: packed states in layers, no bound, no parents, no buckets."""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, I8, U8, U8x2
from sokoasp.sokoban.search.exact.bitboard_kernels import BYTE, successors
from sokoasp.sokoban.search.kernels.hash_set import home
from sokoasp.sokoban.search.kernels.primitives import BOXES
from sokoasp.sokoban.search.model.records import Bitboard, Layers, SideRegisters

BATCH = 16
"""States whose children are looked up together."""
KEY = np.uint64((1 << 62) - 1)
"""What is left of the last word of an entry of the table without the two bits that say who knows it."""


@kernel("i8(u8[:,::1], u8[:,::1], i8, i8, i8, i8)")
def place(table: U8x2, keys: U8x2, index: int, words: int, slot: int, side: int) -> int:
    """Let a side know a state, from the slot on where the search for it begins.

    Returns:
        0 if that side knew it, 1 if nobody did, 2 if the other side did.
    """
    mask, last, mark = len(table) - 1, words - 1, np.uint64(1) << np.uint64(62 + side)
    while True:
        entry = table[slot, last]
        if entry == 0:
            for w in range(words):
                table[slot, w] = keys[index, w]
            table[slot, last] |= mark
            return 1
        same = entry & KEY == keys[index, last]
        for w in range(last):
            same = same and table[slot, w] == keys[index, w]
        if same:
            table[slot, last] = entry | mark
            return 0 if entry & mark else 2
        slot = (slot + 1) & mask


@kernel("i8(u8[:,::1], i8, i8, i8, u8[:,::1], u8[::1], i8[::1])")
def homes(keys: U8x2, first: int, end: int, words: int, table: U8x2, key: U8, slots: I8) -> int:
    """Find where the search for each of these keys begins, and read there: cache misses of many overlap."""
    seen = np.uint64(0)
    for index in range(first, end):
        for w in range(words):
            key[w] = keys[index, w]
        slot = slots[index - first] = home(key, words, len(table) - 1)
        seen ^= table[slot, words - 1]
    return int(np.int64(seen >> np.uint64(1)))


@kernel("i8(u8[:,::1], i8, i8, i8, u8[:,::1], u8[::1], i8[::1])")
def refill(keys: U8x2, count: int, words: int, side: int, table: U8x2, key: U8, slots: I8) -> int:
    """Enter all stored states of a side into a table, as many at once as ``slots`` holds; the result is of no use."""
    seen = 0
    for first in range(0, count, len(slots)):
        end = min(count, first + len(slots))
        # kept, or the compiler drops the reading
        seen ^= homes(keys, first, end, words, table, key, slots)
        for index in range(first, end):
            place(table, keys, index, words, slots[index - first], side)
    return seen


@kernel("i8(SideRegisters, i4[::1], u8[:,::1], i8)")
def cheap(r: SideRegisters, price: I4, out: U8x2, found: int) -> int:
    """Keep those of the first ``found`` keys whose prices add up to less than CUTOFF, in their order; return how many."""
    words, kept = r.words, 0
    for x in range(found):
        total, row = 0, 0
        for w in range(words):
            last = w == words - 1
            rest = out[x, w] & BOXES if last else out[x, w]
            for _ in range(6 if last else 8):
                total += price[row + np.int64(rest & BYTE)]
                rest >>= np.uint64(8)
                row += 256
        if total < r.cutoff:
            for w in range(words):
                out[kept, w] = out[x, w]
            kept += 1
    return int(kept)


@kernel("i8(SideRegisters, Bitboard, Layers, u8[::1], u8[:,::1], i8[::1], i8)")
def deepen(r: SideRegisters, b: Bitboard, ours: Layers, key: U8, out: U8x2, slots: I8, quota: int) -> int:
    """Expand up to ``quota`` states of a layer and stop at the first that the other side knows.

    Returns:
        0 when the layer is done, the quota used up or a state met, 1 when the arrays are full.
    """
    words, keys, table = r.words, ours.keys, ours.table
    while quota > 0 and r.next < r.end and r.meet < 0:
        if r.count + r.room > min(len(keys), r.most):
            return 1
        # Step 1. Children of a whole batch first ...
        last = min(r.end, r.next + BATCH)
        found = successors(r, b, keys, r.next, last, out)
        quota -= last - r.next
        r.next = last
        r.generated += found
        if r.cutoff:
            found = cheap(r, ours.price, out, found)
        # Step 2. ... then their slots, all at once, so that cache misses overlap (kept, or the compiler drops the loop)
        r.fetched = homes(out, 0, found, words, table, key, slots)
        for x in range(found):
            # Step 3. New here? Then it gets a place in the layer; no parent is kept
            new = place(table, out, x, words, slots[x], r.reverse)
            if new == 0:
                continue
            at = r.count
            r.count = at + 1
            for w in range(words):
                keys[at, w] = out[x, w]
            # Step 4. Known there? The first such state lies on a cheapest plan (docs/native-layers.md, "Layers from both ends")
            if new == 2 and r.meet < 0:
                r.meet = at
    return 0


@kernel("i8(u8[:,::1], u8[:,::1], i8, i8, i8, i8)")
def among(keys: U8x2, out: U8x2, found: int, words: int, first: int, last: int) -> int:
    """Return the first of the states ``first`` to ``last`` that is one of the first ``found`` keys of ``out``, -1 if none is."""
    for index in range(first, last):
        for x in range(found):
            same = True
            for w in range(words):
                same = same and keys[index, w] == out[x, w]
            if same:
                return index
    return -1


@kernel("i8(SideRegisters, Bitboard, u8[:,::1], i8, i8, u8[:,::1])")
def before(r: SideRegisters, b: Bitboard, keys: U8x2, first: int, last: int, out: U8x2) -> int:
    """Return a state of the layer ``first`` to ``last`` from which the state MEET is reached, -1 if there is none."""
    r.reverse ^= 1
    found = successors(r, b, keys, r.meet, r.meet + 1, out)
    r.reverse ^= 1
    return int(among(keys, out, found, r.words, first, last))
