"""The check of a closed list of states, compiled: every successor is in the list or has a bound that is high enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core.jit import kernel
from sokoasp.proof.group_kernel import NEVER, bound, components

if TYPE_CHECKING:
    import numpy.typing as npt

    U1 = npt.NDArray[np.uint8]
    U8 = npt.NDArray[np.uint64]
    I4 = npt.NDArray[np.int32]
    I8 = npt.NDArray[np.int64]

OPEN, SOLVED, LONGER, FULL = 1, 2, 3, 4
"""Faults: a successor is neither in the list nor bounded; a state is solved too cheaply; a successor has a larger cost in the
list than its way shows. Not a fault: there is no more room to make the list."""


@kernel("i8(u8[::1], u8[:,::1], i4[::1])")
def slot_of(key: U8, keys: U8, slots: I4) -> int:
    """Return the slot that holds a key's place, or the empty one where it would go."""
    mixed = np.uint64(1469598103934665603)
    for w in range(len(key)):
        mixed = (mixed ^ key[w]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    mask = len(slots) - 1
    slot = int(np.int64(mixed >> np.uint64(12)) & mask)
    while slots[slot] >= 0:
        same = True
        for w in range(len(key)):
            same &= keys[slots[slot], w] == key[w]
        if same:
            return slot
        slot = (slot + 1) & mask
    return slot


@kernel("i8(i8, i8, u8[:,::1], i4[::1])")
def enter(begin: int, end: int, keys: U8, slots: I4) -> int:
    """Enter states into the hash table; return the place of the first that is there twice, -1 if there is none."""
    for i in range(begin, end):
        slot = slot_of(keys[i], keys, slots)
        if slots[slot] >= 0:
            return i
        slots[slot] = i
    return -1


@kernel(
    "i8(i8[::1], i4[:,::1], i4[::1], i4[::1], u1[::1], u8[:,::1], i4[::1], i4[::1], i4[:,::1], i8[::1], i8[::1],"
    " i4[::1], u1[:,::1], i4[::1], u8[:,::1], i8[:,::1])",
    allocates=True,
)
def check(
    p: I8,
    beside: I4,
    floor_of: I4,
    index_of: I4,
    goal: U1,
    keys: U8,
    cost: I4,
    slots: I4,
    choose: I4,
    base: I8,
    first: I8,
    row_of: I4,
    rows: U1,
    value: I4,
    useful: U8,
    items: I8,
) -> int:
    """Check states from place ``p[0]`` up to ``p[1]`` of the list; return 0 or a fault, ``p[0]`` being where.

    Args:
        p: 0 next state, 1 end of this turn, 2 states in the list, 3 floor cells, 4 boxes, 5 cost from which nothing need be
            shown, 6 largest group (0: no tables), 7 paid in prices, 8 objective (0 pushes, 1 lines, 2 moves), 9 whether missing
            successors are appended instead of refused, 10 goals that must hold a box, 11 cost of a fault.
        beside: (n+1, 4), n for walls.
        floor_of: Floor cell of each numbered cell.
        index_of: (n+1), -1 where no box can be of use.
        goal: (n+1).
        keys: (capacity, words+1): bits of the boxes, and the player's cell (for moves; else the smallest of his region).
        cost: (capacity): cost from the start at most.
        slots: Hash table.
        choose: As in ``group_kernel.bound``, like those that follow.
        base: See there.
        first: See there.
        row_of: See there.
        rows: See there.
        value: See there.
        useful: See there.
        items: Scratch (4, ITEMS+1).
    """
    n, k, words = p[3], p[4], keys.shape[1] - 1
    cells, boxes, sorted_boxes = np.zeros(k, np.int32), np.zeros(k, np.int32), np.zeros(k, np.int32)
    row, after, stack = np.zeros(n + 1, np.uint8), np.zeros(n + 1, np.uint8), np.zeros(n + 1, np.int32)
    key, group, index = np.zeros(words + 1, np.uint64), np.zeros(8, np.int32), np.zeros(8, np.int32)
    while p[0] < p[1]:
        at = p[0]
        count, done = 0, 0
        for w in range(words):
            for b in range(64):
                if (keys[at, w] >> np.uint64(b)) & np.uint64(1):
                    boxes[count] = 64 * w + b
                    cells[count] = floor_of[boxes[count]]
                    done += goal[cells[count]]
                    count += 1
        player = int(np.int64(keys[at, words]))
        if done == p[10]:
            if cost[at] < p[5]:
                p[11] = cost[at]
                return SOLVED
            p[0] += 1
            continue
        if cost[at] >= p[5]:
            p[0] += 1
            continue
        components(n, k, cells, beside, row, stack)
        region = row[player]
        for i in range(-1, k):
            for d in range(4):
                moved = i
                if p[8] == 2:
                    # the player's steps, pushing or not: all of them are tried with i = -1
                    if i >= 0:
                        break
                    behind = player
                    to = beside[player, d]
                    if to == n:
                        continue
                    for j in range(k):
                        if cells[j] == to:
                            moved = j
                    if moved >= 0:
                        behind = to
                        to = beside[to, d]
                        if to == n or row[to] == 255:
                            continue
                    stand_after = to if moved < 0 else behind
                elif i < 0:
                    break
                else:
                    stand = beside[cells[i], d ^ 1]
                    behind, to = int(cells[i]), int(beside[cells[i], d])
                    if stand == n or row[stand] != region or to == n or row[to] == 255:
                        continue
                    stand_after = behind
                while True:
                    if moved < 0 or index_of[to] >= 0:
                        for w in range(words):
                            key[w] = keys[at, w]
                        if moved >= 0:
                            old, new = np.uint64(boxes[moved]), np.uint64(index_of[to])
                            key[old >> np.uint64(6)] &= ~(np.uint64(1) << (old & np.uint64(63)))
                            key[new >> np.uint64(6)] |= np.uint64(1) << (new & np.uint64(63))
                        place = int(stand_after)
                        if p[8] != 2:
                            kept = cells[moved]
                            cells[moved] = to
                            components(n, k, cells, beside, after, stack)
                            cells[moved] = kept
                            part = after[stand_after]
                            place = 0
                            while after[place] != part:
                                place += 1
                        key[words] = np.uint64(place)
                        slot = slot_of(key, keys, slots)
                        there = slots[slot]
                        if there >= 0:
                            if cost[there] > cost[at] + 1:
                                return LONGER
                        else:
                            least = 1
                            if p[6] > 0:
                                x = 0
                                for w in range(words):
                                    for b in range(64):
                                        if (key[w] >> np.uint64(b)) & np.uint64(1):
                                            sorted_boxes[x] = 64 * w + b
                                            x += 1
                                enough = p[5] - cost[at] - 1 + p[7]
                                least = bound(
                                    k,
                                    p[6],
                                    sorted_boxes,
                                    stand_after,
                                    enough,
                                    choose,
                                    base,
                                    first,
                                    row_of,
                                    rows,
                                    value,
                                    useful,
                                    key,
                                    items,
                                    group,
                                    index,
                                )
                                if least >= NEVER:
                                    least = 1 << 40
                                else:
                                    least = least - p[7]
                            elif cost[at] + 2 >= p[5]:
                                on = 0
                                for w in range(words):
                                    for b in range(64):
                                        if (key[w] >> np.uint64(b)) & np.uint64(1):
                                            on += goal[floor_of[64 * w + b]]
                                if on == p[10]:
                                    least = 0
                            else:
                                least = 0
                            if cost[at] + 1 + least < p[5]:
                                if p[9] == 0:
                                    return OPEN
                                if p[2] + 1 >= len(cost) or 2 * p[2] + 2 >= len(slots):
                                    return FULL
                                for w in range(words + 1):
                                    keys[p[2], w] = key[w]
                                cost[p[2]] = cost[at] + 1
                                slots[slot] = p[2]
                                p[2] += 1
                    if p[8] != 1:
                        break
                    behind, to = to, int(beside[to, d])
                    if to == n or row[to] == 255:
                        break
                    stand_after = behind
        p[0] += 1
    return 0
