"""Plain breadth-first search over pushes and pulls, compiled: packed states in layers, no bound, no parents, no buckets.

The player's region after a push is mostly that of its parent: it is flooded only where the box may have split or joined areas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core.jit import kernel
from sokoasp.sokoban.search.kernels.hash_set import find, home
from sokoasp.sokoban.search.kernels.primitives import unpack
from sokoasp.sokoban.search.model.registers import B, W
from sokoasp.sokoban.walk.region_kernel import region

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.records import I8, U8, I4x2, Layers, Scratch, U8x2

BATCH = 16
"""States whose children are looked up together."""


@kernel("void(i8[::1], i4[:,::1], Scratch, i8)")
def spread(r: I8, neighbour: I4x2, s: Scratch, player: int) -> None:
    """Mark the player's region of the state in hand; set REGION, LOW and SECOND."""
    mark, queue = s.w[W.MARK], s.w[W.QUEUE]
    r[B.STAMP] += 1
    stamp = r[B.REGION] = r[B.STAMP]
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
    r[B.LOW], r[B.SECOND] = low, second if second < len(neighbour) else -1


@kernel("i8(i8[::1], i4[:,::1], i4[:,::1], Scratch, i8, i8, i8)")
def lowest(r: I8, neighbour: I4x2, ring: I4x2, s: Scratch, was: int, to: int, now: int) -> int:
    """Return the smallest cell of the player's region after a box has gone from ``was`` to ``to``, the player to ``now``.

    The region is flooded only where the push may have cut it or joined something to it (docs/native.md, "Layers from both ends").
    """
    mark, stamp, occ, beside = s.w[W.MARK], r[B.REGION], s.occ, s.w[W.MARK2]
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
            r[B.STAMP] += 1
            return int(region(neighbour, occ, now, beside, r[B.STAMP], s.w[W.QUEUE]))
    low = r[B.SECOND] if r[B.LOW] == to else r[B.LOW]
    low = was if low < 0 else min(was, low)
    queue, head, tail = s.w[W.QUEUE], 0, 1
    r[B.STAMP] += 1
    # Step 2. The box has left ``was``: whatever that joins to the region is flooded from there
    queue[0] = was
    beside[was] = r[B.STAMP]
    while head < tail:
        cell = int(queue[head])
        head += 1
        low = min(low, cell)
        for d in range(4):
            one = neighbour[cell, d]
            if occ[one] == 0 and mark[one] != stamp and beside[one] != r[B.STAMP]:
                beside[one] = r[B.STAMP]
                queue[tail] = one
                tail += 1
    return int(low)


@kernel("i8(i8[::1], i4[:,::1], i4[:,::1], Scratch, u8[:,::1], i8, u8[:,::1], i8)")
def children(r: I8, neighbour: I4x2, ring: I4x2, s: Scratch, keys: U8x2, index: int, out: U8x2, found: int) -> int:
    """Write the keys of all states one push (pull, line push, line pull) after a stored one; return where they end.

    Args:
        r: REVERSE for pulls, LINES for lines; LOW, SECOND, REGION and STAMP are set.
        neighbour: Cell beside a cell.
        ring: (n+1, 8): the cells around a cell, in a circle.
        s: Scratch.
        keys: The stored states.
        index: The number of the state.
        out: (ROOM, words).
        found: The row of the first.
    """
    k, live, words, reverse = r[B.BOXES], r[B.LIVE], r[B.WORDS], r[B.REVERSE]
    boxes, mark, occ = s.w[W.BOXES], s.w[W.MARK], s.occ
    player = unpack(keys, index, live, words, boxes)
    for i in range(k):
        occ[boxes[i]] = 1
    spread(r, neighbour, s, player)
    for i in range(k):
        c = int(boxes[i])
        for d in range(4):
            # forward: the player stands behind the box; reverse: before it, and steps back
            if mark[neighbour[c, d if reverse else d ^ 1]] != r[B.REGION]:
                continue
            to = int(neighbour[c, d])
            while to < live and occ[to] == 0 and not (reverse and occ[neighbour[to, d]]):
                beyond = int(neighbour[to, d])
                occ[c], occ[to] = 0, 1
                now = lowest(r, neighbour, ring, s, c, to, beyond if reverse else int(neighbour[to, d ^ 1]))
                occ[c], occ[to] = 1, 0
                for w in range(words):
                    out[found, w] = keys[index, w]
                out[found, c >> 6] &= ~(np.uint64(1) << np.uint64(c & 63))
                out[found, to >> 6] |= np.uint64(1) << np.uint64(to & 63)
                last = out[found, words - 1] & np.uint64(0xFFFFFFFFFFFF)
                out[found, words - 1] = last | (np.uint64(now) << np.uint64(48))
                found += 1
                if not r[B.LINES]:
                    break
                to = beyond
    for i in range(k):
        occ[boxes[i]] = 0
    return int(found)


@kernel("i8(i8, i8, u8[::1], u8[:,::1], Layers)")
def fetched(found: int, words: int, key: U8, out: U8x2, layers: Layers) -> int:
    """Read where the table looks first for each of these keys: memory is asked for many at once, not for one after another."""
    seen = 0
    for x in range(found):
        for w in range(words):
            key[w] = out[x, w]
        seen ^= layers.slots[home(key, words, len(layers.slots) - 1)]
    return int(seen)


@kernel("i8(i8[::1], i4[:,::1], i4[:,::1], Scratch, Layers, Layers, u8[:,::1], i8)")
def deepen(r: I8, neighbour: I4x2, ring: I4x2, s: Scratch, ours: Layers, theirs: Layers, out: U8x2, quota: int) -> int:
    """Expand up to ``quota`` states of a layer, look new ones up on the other side, stop at the first it knows.

    Returns:
        0 when the layer is done, the quota used up or a state met, 1 when the arrays are full.
    """
    key, words = s.key, r[B.WORDS]
    while quota > 0 and r[B.NEXT] < r[B.END] and r[B.MEET] < 0:
        if r[B.COUNT] + r[B.ROOM] > len(ours.keys) or 2 * (r[B.COUNT] + r[B.ROOM]) > len(ours.slots):
            return 1
        # Step 1. Children of a whole batch first ...
        found, last = 0, min(r[B.END], r[B.NEXT] + BATCH)
        quota -= last - r[B.NEXT]
        while r[B.NEXT] < last:
            found = children(r, neighbour, ring, s, ours.keys, r[B.NEXT], out, found)
            r[B.NEXT] += 1
        r[B.GENERATED] += found
        # Step 2. ... then their slots, all at once, so that cache misses overlap (kept, or the compiler drops the loop)
        r[B.FETCHED] = fetched(found, words, key, out, ours) ^ fetched(found, words, key, out, theirs)
        for x in range(found):
            for w in range(words):
                key[w] = out[x, w]
            # Step 3. New here? Then it gets a place in the layer; no parent is kept
            slot = find(key, words, ours.keys, ours.slots)
            if ours.slots[slot] >= 0:
                continue
            at = r[B.COUNT]
            r[B.COUNT] = at + 1
            for w in range(words):
                ours.keys[at, w] = key[w]
            ours.slots[slot] = at
            # Step 4. Known there? The first such state lies on a cheapest plan (docs/native.md, "Layers from both ends")
            met = theirs.slots[find(key, words, theirs.keys, theirs.slots)]
            if met >= 0 and r[B.MEET] < 0:
                r[B.MEET], r[B.MET] = at, met
    return 0


@kernel("i8(i8[::1], i4[:,::1], i4[:,::1], Scratch, Layers, i8, i8, u8[:,::1])")
def before(r: I8, neighbour: I4x2, ring: I4x2, s: Scratch, ours: Layers, first: int, last: int, out: U8x2) -> int:
    """Return a state of the layer ``first`` to ``last`` from which the state MEET is reached, -1 if there is none."""
    key, words = s.key, r[B.WORDS]
    r[B.REVERSE] ^= 1
    found = children(r, neighbour, ring, s, ours.keys, r[B.MEET], out, 0)
    r[B.REVERSE] ^= 1
    for x in range(found):
        for w in range(words):
            key[w] = out[x, w]
        at = ours.slots[find(key, words, ours.keys, ours.slots)]
        if first <= at < last:
            return int(at)
    return -1
