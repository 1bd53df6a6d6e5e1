"""The open list, compiled: states are entered, opened again, bounded anew.

It is an array of buckets by priority, each a doubly linked list through the state arrays (last in, first out), so a state
stands in it at most once.
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U1, U8, U8x2
from sokoasp.sokoban.search.bounds.cost_partitioning import list_patterns
from sokoasp.sokoban.search.bounds.state_bound import bound, match_state
from sokoasp.sokoban.search.kernels.buckets import link, unlink
from sokoasp.sokoban.search.kernels.hash_set import find
from sokoasp.sokoban.search.kernels.primitives import INF, PLAYER, pack, unpack
from sokoasp.sokoban.search.model.records import Bound, Registers, Scratch, States, W


@kernel("i8(Registers, States, u8[::1], i8, i8)")
def stored(r: Registers, s: States, key: U8, slot: int, rest: int) -> int:
    """Store a new state with its bound, in its slot of the hash table; return its number."""
    index = r.count
    r.count = index + 1
    for x in range(r.words):
        s.keys[index, x] = key[x]
    s.slots[slot] = index
    s.ahead[index] = rest
    return int(index)


@kernel("void(Registers, Bound, States, Scratch, i8)")
def open_bound(r: Registers, b: Bound, s: States, scratch: Scratch, parent: int) -> None:
    """Match the boxes of the expanded state and list its patterns, once, from which its children's bounds go on.

    The scratch holds a child, whose moved box is put back meanwhile.
    """
    if r.matched or r.moved < 0:
        return
    boxes, k, w = scratch.w[W.BOXES], r.boxes, scratch.w
    to, boxes[r.moved] = int(boxes[r.moved]), r.came
    if r.matching:
        match_state(r, w, int(np.int64(s.keys[parent, r.words - 1] >> PLAYER)), b.side, b.dist)
    if r.patterns:
        # the player's bits of the key stand for no box
        r.parents = list_patterns(k, r.patterns, boxes, s.keys[parent], b, w[W.WAY], w[W.LEAST])
    boxes[r.moved] = to
    r.matched = 1


@kernel("i8(Registers, Bound, States, Scratch, i8, i8, i8, i8)")
def enter(r: Registers, b: Bound, s: States, scratch: Scratch, parent: int, player: int, cost: int, solved: int) -> int:
    """Look a child up, bound it and put it in the open list if it is new or cheaper; return 1 if the buckets do not suffice."""
    key = scratch.key
    pack(scratch.w[W.BOXES], r.boxes, player, r.words, key)
    slot = find(key, r.words, s.keys, s.slots)
    index = int(s.slots[slot])
    rest = 0
    if index >= 0:
        # duplicates: as dear is useless; cheaper is opened again, for the bound is not consistent
        if cost >= s.spent[index]:
            return 0
        rest = int(s.ahead[index])
    elif not solved:
        open_bound(r, b, s, scratch, parent)
        rest = bound(r, b, scratch, player, r.cutoff - cost)
    if cost + rest >= r.cutoff:
        if rest < INF:  # left out only for its cost: no proof that no plan exists
            r.clipped = 1
        return 0
    # pathmax over the whole search: f never falls, so the lowest bucket is a proved bound
    priority, stride = max(cost + rest, r.bucket), r.stride
    if stride:
        priority = stride * cost + min(rest, stride - 1)
    if priority >= len(s.head):
        return 1
    if index < 0:
        index = stored(r, s, key, slot, rest)
    elif s.previous[index] > -2:
        scratch.depths[s.spent[index]] -= s.bucket_of[index] == r.counted
        unlink(index, s.bucket_of, s.following, s.previous, s.head)
    else:
        r.reopened += 1
    s.spent[index], s.came[index] = cost, parent
    if solved:
        s.previous[index] = -2
        r.best = index
        r.cutoff = cost
    else:
        link(index, priority, s.bucket_of, s.following, s.previous, s.head)
        scratch.depths[cost] += priority == r.counted
        r.bucket = min(r.bucket, priority)
    return 0


@kernel("void(Registers, States, Scratch, i8, i8)")
def diversify(r: Registers, s: States, scratch: Scratch, depth: int, which: int) -> None:
    """Put an open state of the lowest layer in front, one of another depth: ``depth`` and ``which`` are random numbers.

    The depth of a state is its cost so far; each is as likely as any other, and so is each state of it (Asai and Fukunaga 2017).
    """
    row, depths, counts = r.bucket, 0, scratch.depths
    # Step 1. How many open states of the layer each depth has: counted once, then kept up while states come and go
    if r.counted != row:
        r.counted = row
        for cost in range(row + 1):
            counts[cost] = 0
        for index in range(r.count):
            if s.previous[index] != -2 and s.bucket_of[index] == row:
                counts[s.spent[index]] += 1
    for cost in range(row + 1):
        depths += counts[cost] > 0
    if depths < 2:
        return
    # Step 2. A depth, and a state of it; few states have its cost, which is read first
    depth %= depths
    cost = 0
    while counts[cost] == 0 or depth > 0:
        depth -= counts[cost] > 0
        cost += 1
    which %= counts[cost]
    for index in range(r.count):
        if s.spent[index] == cost and s.previous[index] != -2 and s.bucket_of[index] == row:
            if which == 0:
                unlink(index, s.bucket_of, s.following, s.previous, s.head)
                link(index, row, s.bucket_of, s.following, s.previous, s.head)
                return
            which -= 1


@kernel("b1(Registers, States, Scratch)")
def vary(r: Registers, s: States, scratch: Scratch) -> bool:
    """Go on at another depth if the layer is that of the last change; say when the next is due. False if no numbers are left."""
    r.vary_at = r.expanded + r.lasting
    if r.bucket <= r.layer:
        if r.drawn == len(scratch.draws):
            r.vary_at = r.expanded
            return False
        diversify(r, s, scratch, scratch.draws[r.drawn], scratch.draws[r.drawn + 1])
        r.drawn += 2
        r.vary_at = r.expanded + max(r.stretch, r.count // r.stretches)
    r.layer = r.bucket
    return True


@kernel("i8(Registers, Bound, States, Scratch, i8, i8)")
def bound_anew(r: Registers, b: Bound, s: States, scratch: Scratch, start: int, stop: int) -> int:
    """Bound the open states from ``start`` to ``stop`` anew after the tables have grown; -1, or where to go on wider."""
    boxes = scratch.w[W.BOXES]
    r.moved = r.counted = -1
    for index in range(start, stop):
        if s.previous[index] == -2:
            continue
        player = unpack(s.keys, index, r.live, r.words, boxes)
        rest = match_state(r, scratch.w, player, b.side, b.dist)
        if rest < INF:
            pack(boxes, r.boxes, player, r.words, scratch.key)
            rest = bound(r, b, scratch, player, r.cutoff - int(s.spent[index]))
        if rest <= s.ahead[index]:
            continue
        priority = max(int(s.spent[index]) + rest, r.bucket)
        if priority >= len(s.head) and priority < r.cutoff:
            return index
        unlink(index, s.bucket_of, s.following, s.previous, s.head)
        if priority < r.cutoff:
            s.ahead[index] = rest
            link(index, priority, s.bucket_of, s.following, s.previous, s.head)
        elif rest < INF:
            r.clipped = 1
    return -1


@kernel("b1(i8, i8, u8[:,::1], i8, Bound)")
def taught(first: int, last: int, keys: U8x2, index: int, b: Bound) -> bool:
    """Return whether one of the learned patterns from ``first`` to ``last`` holds in a stored state."""
    words, top = b.patterns.bits.shape[1], keys.shape[1] - 1
    player = np.int64(keys[index, top] >> PLAYER)
    ground, bit = words + (player >> 6), np.uint64(player & 63)
    for at in range(first, last):
        holds = (b.learned.masks[at, ground] >> bit) & np.uint64(1) != np.uint64(0)
        for w in range(words):
            # the player is in the top 16 bits of a key, no box
            holds = holds and b.learned.masks[at, w] & ~keys[index, w] == np.uint64(0)
        if holds:
            return True
    return False


@kernel("i8(Registers, Bound, States, Scratch, i8, i8, i8, i4[::1])")
def lift(r: Registers, b: Bound, s: States, scratch: Scratch, first: int, last: int, start: int, floor: I4) -> int:
    """Bound the states anew in which a learned pattern from ``first`` to ``last`` holds, and all states reached through them.

    What is reached from a state costs no less than what goes through the state (pathmax): ``floor`` (states) gets that bound.
    Open states move to their new layer, those at the cutoff or above are dropped; a closed state's layer says its new bound. The
    last entry of ``floor`` is raised by the number of states lifted.

    Returns:
        -1, or the state where to go on when the buckets are wider.
    """
    boxes, cutoff = scratch.w[W.BOXES], r.cutoff
    r.moved = r.counted = -1
    for index in range(start, r.count):
        came = s.came[index]
        least = np.int64(s.spent[index]) + s.ahead[index]
        if came >= 0 and came < index:
            least = max(least, np.int64(floor[came]))
        if least < cutoff and taught(first, last, s.keys, index, b):
            player = unpack(s.keys, index, r.live, r.words, boxes)
            rest = match_state(r, scratch.w, player, b.side, b.dist)
            if rest < INF:
                pack(boxes, r.boxes, player, r.words, scratch.key)
                rest = bound(r, b, scratch, player, cutoff - int(s.spent[index]))
            least = max(least, np.int64(s.spent[index]) + rest)
            if s.ahead[index] < rest < INF:
                s.ahead[index] = rest
        floor[index] = min(least, INF)
        if least <= s.bucket_of[index]:
            continue
        if len(s.head) <= least < cutoff:
            return index
        floor[len(floor) - 1] += 1
        if s.previous[index] == -2:
            s.bucket_of[index] = min(least, cutoff)
            continue
        unlink(index, s.bucket_of, s.following, s.previous, s.head)
        if least < cutoff:
            link(index, least, s.bucket_of, s.following, s.previous, s.head)
        else:
            s.bucket_of[index] = cutoff
            if least < INF:
                r.clipped = 1
    return -1


@kernel("void(i8, States, i8, u1[::1])")
def mark_open(count: int, s: States, row: int, mark: U1) -> None:
    """Mark the states of a layer from which open states of it were reached, and these; ``mark`` is 0 before."""
    for index in range(count - 1, -1, -1):
        if s.previous[index] != -2 and s.bucket_of[index] == row:
            mark[index] = 1
        if mark[index] and s.came[index] >= 0:
            mark[s.came[index]] = 1
