"""Plain breadth-first search over pushes and pulls, compiled: packed states in layers, no bound, no parents, no buckets.

The player's region after a push is mostly that of its parent: it is flooded only where the box may have split or joined areas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.sokoban.search.exact.bitboard_kernels import BYTE, successors
from sokoasp.sokoban.search.kernels.freeze import frozen
from sokoasp.sokoban.search.kernels.hash_set import home
from sokoasp.sokoban.search.kernels.primitives import BOXES, PLAYER, unpack
from sokoasp.sokoban.search.model.registers import SideRegisters, W
from sokoasp.sokoban.walk.region_kernel import region

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.records import I4, I8, U8, Bitboard, I4x2, Layers, Scratch, U8x2

BATCH = 16
"""States whose children are looked up together."""
KEY = np.uint64((1 << 62) - 1)
"""What is left of the last word of an entry of the table without the two bits that say who knows it."""


@kernel("void(SideRegisters, i4[:,::1], Scratch, i8)")
def spread(r: SideRegisters, neighbour: I4x2, s: Scratch, player: int) -> None:
    """Mark the player's region of the state in hand; set REGION, LOW and SECOND."""
    mark, queue = s.w[W.MARK], s.w[W.QUEUE]
    r.stamp += 1
    stamp = r.region = r.stamp
    # the two smallest cells: if a push takes the smallest, the second names the region
    mark[player] = stamp
    queue[0] = player
    head, tail, low, second = 0, 1, len(neighbour), len(neighbour)
    while head < tail:
        cell = int(queue[head])
        head += 1
        if cell < low:
            low, second = cell, low
        elif cell < second:
            second = cell
        for d in range(4):
            to = neighbour[cell, d]
            if s.occ[to] == 0 and mark[to] != stamp:
                mark[to] = stamp
                queue[tail] = to
                tail += 1
    r.low, r.second = low, second if second < len(neighbour) else -1


@kernel("i8(SideRegisters, Scratch, Bitboard, i8, i8, i8)")
def lowest(r: SideRegisters, s: Scratch, b: Bitboard, was: int, to: int, now: int) -> int:
    """Return the smallest cell of the player's region after a box has gone from ``was`` to ``to``, the player to ``now``.

    The region is flooded only where the push may have cut it or joined something to it (docs/native-layers.md).
    """
    mark, stamp, occ, beside, neighbour, ring = s.w[W.MARK], r.region, s.occ, s.w[W.MARK2], b.neighbour, b.ring
    # Step 1. Do the cells of the region beside ``to`` hang together around it? Then nothing is cut off; else flood anew
    if mark[to] == stamp:
        free, links = 0, 0
        for d in range(0, 8, 2):
            here = ring[to, d]
            if mark[here] == stamp or here == was:
                free += 1
                corner, after = ring[to, d + 1], ring[to, (d + 2) & 7]
                if (mark[corner] == stamp or corner == was) and (mark[after] == stamp or after == was):
                    links += 1
        if free - links > 1:
            r.stamp += 1
            return int(region(neighbour, occ, now, beside, r.stamp, s.w[W.QUEUE]))
    low = r.second if r.low == to else r.low
    low = was if low < 0 else min(was, low)
    queue, head, tail = s.w[W.QUEUE], 0, 1
    r.stamp += 1
    # Step 2. The box has left ``was``: whatever that joins to the region is flooded from there
    queue[0] = was
    beside[was] = r.stamp
    while head < tail:
        cell = int(queue[head])
        head += 1
        low = min(low, cell)
        for d in range(4):
            one = neighbour[cell, d]
            if occ[one] == 0 and mark[one] != stamp and beside[one] != r.stamp:
                beside[one] = r.stamp
                queue[tail] = one
                tail += 1
    return int(low)


@kernel("void(u8[::1], i8, i8, i8, i8, u8[::1])")
def moved(key: U8, words: int, box: int, to: int, player: int, out: U8) -> None:
    """Write the key of a state with a box moved and the player in the region of another lowest cell."""
    for w in range(words):
        out[w] = key[w]
    out[box >> 6] &= ~(np.uint64(1) << np.uint64(box & 63))
    out[to >> 6] |= np.uint64(1) << np.uint64(to & 63)
    out[words - 1] = (out[words - 1] & BOXES) | (np.uint64(player) << PLAYER)


@kernel("i8(SideRegisters, Scratch, Bitboard, u8[:,::1], i8, u8[:,::1], i8)")
def children(r: SideRegisters, s: Scratch, b: Bitboard, keys: U8x2, index: int, out: U8x2, found: int) -> int:
    """Write the keys of all states one push (pull, line push, line pull) after a stored one; return where they end.

    Args:
        r: REVERSE for pulls, LINES for lines, FREEZE; LOW, SECOND, REGION and STAMP are set.
        s: Scratch.
        b: The board; its bits are not used.
        keys: The stored states.
        index: The number of the state.
        out: (ROOM, words).
        found: The row of the first.
    """
    k, live, words, reverse = r.boxes, r.live, r.words, r.reverse
    freeze = r.freeze and not reverse
    boxes, mark, occ, neighbour = s.w[W.BOXES], s.w[W.MARK], s.occ, b.neighbour
    player = unpack(keys, index, live, words, boxes)
    for i in range(k):
        occ[boxes[i]] = 1
    spread(r, neighbour, s, player)
    for i in range(k):
        c = int(boxes[i])
        for d in range(4):
            # forward: the player stands behind the box; reverse: before it, and steps back
            if mark[neighbour[c, d if reverse else d ^ 1]] != r.region:
                continue
            to = int(neighbour[c, d])
            while to < live and occ[to] == 0 and not (reverse and occ[neighbour[to, d]]):
                beyond = int(neighbour[to, d])
                boxes[i] = to
                # forward: no box off goal may be frozen
                if not freeze or frozen(k, boxes, to, neighbour, live, b.target, s.flag) == 0:
                    occ[c], occ[to] = 0, 1
                    now = lowest(r, s, b, c, to, beyond if reverse else int(neighbour[to, d ^ 1]))
                    occ[c], occ[to] = 1, 0
                    moved(keys[index], words, c, to, now, out[found])
                    found += 1
                if not r.lines:
                    break
                to = beyond
            boxes[i] = c
    for i in range(k):
        occ[boxes[i]] = 0
    return int(found)


@kernel("i8(SideRegisters, Scratch, Bitboard, u8[:,::1], i8, i8, u8[:,::1])")
def after(r: SideRegisters, s: Scratch, b: Bitboard, keys: U8x2, first: int, end: int, out: U8x2) -> int:
    """Write the keys of all states one push or pull after the stored ones ``first`` to ``end``; return how many there are."""
    if r.span:
        return int(successors(r, b, keys, first, end, out))
    found = 0
    for index in range(first, end):
        found = children(r, s, b, keys, index, out, found)
    return int(found)


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


@kernel("i8(SideRegisters, Scratch, Bitboard, Layers, u8[:,::1], i8[::1], i8)")
def deepen(r: SideRegisters, s: Scratch, b: Bitboard, ours: Layers, out: U8x2, slots: I8, quota: int) -> int:
    """Expand up to ``quota`` states of a layer and stop at the first that the other side knows.

    Returns:
        0 when the layer is done, the quota used up or a state met, 1 when the arrays are full.
    """
    key, words, keys, table = s.key, r.words, ours.keys, ours.table
    while quota > 0 and r.next < r.end and r.meet < 0:
        if r.count + r.room > min(len(keys), r.most):
            return 1
        # Step 1. Children of a whole batch first ...
        last = min(r.end, r.next + BATCH)
        found = after(r, s, b, keys, r.next, last, out)
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


@kernel("i8(SideRegisters, Scratch, Bitboard, u8[:,::1], i8, i8, u8[:,::1])")
def before(r: SideRegisters, s: Scratch, b: Bitboard, keys: U8x2, first: int, last: int, out: U8x2) -> int:
    """Return a state of the layer ``first`` to ``last`` from which the state MEET is reached, -1 if there is none."""
    r.reverse ^= 1
    found = after(r, s, b, keys, r.meet, r.meet + 1, out)
    r.reverse ^= 1
    return int(among(keys, out, found, r.words, first, last))
