"""Lower bound of a state, compiled: single boxes, and the gains of disjoint groups and learned patterns."""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, I8
from sokoasp.proof.group_kernel import alone, gain_of, number_of
from sokoasp.proof.kernel_records import ITEMS, NEVER, Memory, Tables

STEPS = 2000
"""Steps of the search for disjoint groups in one state; ending it sooner only weakens the bound."""


@kernel("i8(i8, i8, i8, i8[:,::1])")
def pack(k: int, found: int, wanted: int, items: I8) -> int:
    """Return the gain of disjoint groups, as much as a short depth-first search finds; stop once it is ``wanted``."""
    best, total, used, depth, at, steps = 0, 0, 0, 0, 0, 0
    while True:
        free = 0
        for b in range(k):
            free += 1 - ((used >> b) & 1)
        while at < found and total * 60 + free * items[2, at] > best * 60:
            if items[0, at] & used == 0:
                items[3, depth] = at
                depth += 1
                used |= int(items[0, at])
                total += int(items[1, at])
                free = 0
                for b in range(k):
                    free += 1 - ((used >> b) & 1)
            at += 1
            steps += 1
        best = max(best, int(total))
        if depth == 0 or steps > STEPS or best >= wanted:
            return best
        depth -= 1
        at = items[3, depth]
        used &= ~int(items[0, at])
        total -= int(items[1, at])
        at += 1


@kernel("i8(i8, i8, i8, i8, i8[:,::1])")
def note(found: int, mask: int, size: int, more: int, items: I8) -> int:
    """Put a group with a gain among the others by gain per box, largest first; return how many there are then."""
    if more <= 0 or found >= ITEMS:
        return found
    share, place = more * 60 // size, found
    while place > 0 and items[2, place - 1] < share:
        for x in range(3):
            items[x, place] = items[x, place - 1]
        place -= 1
    items[0, place] = mask
    items[1, place] = more
    items[2, place] = share
    return found + 1


@kernel("i8(i8, i8, i8, i4[::1], i8, i8, Tables, Memory)")
def note_groups(found: int, size: int, k: int, boxes: I4, player: int, mask: int, t: Tables, s: Memory) -> int:
    """Note the groups with a gain of ``s.group`` (bits ``mask``) and one box behind it; -1 if one of them has no plan."""
    group = s.group
    under = t.base[size] + number_of(size, group, t.choose)
    for j in range(s.places[size - 1] + 1, k):
        last = np.uint64(boxes[j])
        if (t.useful[under, last >> np.uint64(6)] >> (last & np.uint64(63))) & np.uint64(1):
            group[size] = boxes[j]
            more = gain_of((1 << (size + 1)) - 1, size + 1, group, player, t, s.some)
            if more >= NEVER:
                return -1
            found = note(found, mask | (1 << j), size + 1, more, s.items)
    return found


@kernel("i8(i8, i4[::1], i8, Tables, Memory)")
def recall(k: int, boxes: I4, player: int, t: Tables, s: Memory) -> int:
    """Note the learned patterns that hold in a state; return how many there are, -1 if one of them has no plan."""
    found, width, dead = 0, t.members.shape[1], False
    for i in range(k):
        s.spot[boxes[i]] = i + 1
    for i in range(1, k):
        for j in range(i):
            at = t.heads[boxes[i], boxes[j]]
            while at >= 0:
                size, single, mask = 0, 0, np.int64(0)
                while size < width and t.members[at, size] >= 0 and s.spot[t.members[at, size]] > 0:
                    mask |= np.int64(1) << (s.spot[t.members[at, size]] - 1)
                    single += alone(t.members[at, size], player, t)
                    size += 1
                if t.inside[at, player] and (size == width or t.members[at, size] < 0):
                    dead |= t.least[at] >= NEVER
                    found = note(found, int(mask), size, int(t.least[at]) - single, s.items)
                at = t.follow[at]
    for i in range(k):
        s.spot[boxes[i]] = 0
    return -1 if dead else found


@kernel("i8(i8, i8, i4[::1], i8, i8, Tables, Memory)")
def bound(k: int, largest: int, boxes: I4, player: int, wanted: int, t: Tables, s: Memory) -> int:
    """Return a lower bound on what a state costs, prices included; NEVER if it cannot be solved.

    The prices of its boxes one by one, and the gains of disjoint groups and learned patterns on top. ``boxes`` ascend. Once the
    sum is ``wanted`` it is returned as it is.
    """
    total, group, index = 0, s.group, s.places
    for i in range(k):
        cost = alone(boxes[i], player, t)
        if cost >= NEVER:
            return NEVER
        total += cost
    if total >= wanted:
        return total
    found = 0
    if len(t.least) > 0:
        found = recall(k, boxes, player, t, s)
        if found < 0:
            return NEVER
    for size in range(1, min(largest, k)):
        for i in range(size):
            index[i] = i
        while True:
            mask = np.int64(0)
            for i in range(size):
                group[i] = boxes[index[i]]
                mask |= np.int64(1) << index[i]
            found = note_groups(found, size, k, boxes, player, int(mask), t, s)
            if found < 0:
                return NEVER
            i = size - 1
            while i >= 0 and index[i] == k - size + i:
                i -= 1
            if i < 0:
                break
            index[i] += 1
            for j in range(i + 1, size):
                index[j] = index[j - 1] + 1
    return total + pack(k, found, wanted - total, s.items)
