"""Tables of small groups of boxes, compiled: their local inequalities, and the bound of a state that they give.

A group is a set of cells, ascending in the numbering in use, and is numbered colexicographically among those of its size. Its
entries are one for each component of the floor without it, in the order of their smallest cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core.jit import kernel

if TYPE_CHECKING:
    import numpy.typing as npt

    U1 = npt.NDArray[np.uint8]
    U8 = npt.NDArray[np.uint64]
    I2 = npt.NDArray[np.int16]
    I4 = npt.NDArray[np.int32]
    I8 = npt.NDArray[np.int64]

NEVER = 30000
"""Cost of what cannot be done."""
ITEMS = 600
"""Groups with a gain that are looked at in one state; passing over more only weakens the bound."""
STEPS = 2000


@kernel("i8(i8, i4[::1], i4[:,::1])")
def number_of(size: int, group: I4, choose: I4) -> int:
    """Return the number of a group; ``choose[c, q]`` is the binomial coefficient."""
    total = 0
    for i in range(size):
        total += choose[group[i], i + 1]
    return total


@kernel("i8(i8, i8, i4[::1], i4[:,::1], u1[::1], i4[::1])")
def components(n: int, size: int, cells: I4, beside: I4, row: U1, stack: I4) -> int:
    """Write the component of every floor cell without ``cells`` (there 255) into ``row``; return how many there are."""
    for c in range(n):
        row[c] = 254
    for i in range(size):
        row[cells[i]] = 255
    row[n] = 255
    count = 0
    for c in range(n):
        if row[c] == 254:
            stack[0] = c
            row[c] = count
            top = 1
            while top > 0:
                top -= 1
                cell = stack[top]
                for d in range(4):
                    to = beside[cell, d]
                    if row[to] == 254:
                        row[to] = count
                        stack[top] = to
                        top += 1
            count += 1
    return count


@kernel("void(i8, i8, i4[:,::1], i4[::1], i4[:,::1], u1[:,::1], i4[::1])", allocates=True)
def all_components(n: int, size: int, groups: I4, floor_of: I4, beside: I4, rows: U1, counts: I4) -> None:
    """Fill a row of components and their count for every group (its cells in the numbering in use)."""
    cells, stack = np.zeros(size, np.int32), np.zeros(n + 1, np.int32)
    for g in range(len(groups)):
        for i in range(size):
            cells[i] = floor_of[groups[g, i]]
        counts[g] = components(n, size, cells, beside, rows[g], stack)


@kernel(
    "i8(i8, i8, b1, i8, i4[:,::1], i4[::1], i4[::1], i4[:,::1], i4[:,::1], i8, i8[::1], i4[::1], u1[:,::1], i4[::1],"
    " i4[::1])",
    allocates=True,
)
def lower(
    n: int,
    size: int,
    lines: bool,
    way: int,
    groups: I4,
    floor_of: I4,
    index_of: I4,
    beside: I4,
    choose: I4,
    base: int,
    first: I8,
    row_of: I4,
    rows: U1,
    price: I4,
    value: I4,
) -> int:
    """Lower every entry of a size to what the local inequalities allow; return the entries lowered and 0 if all of them hold.

    An entry is at most 1 more than that of any group one push (line push) later, and at most the sum of the prices where all
    its cells are goals. The induction along a plan from the end gives: no plan costs less, prices included.

    Args:
        n: Number of floor cells; n stands for walls.
        size: Boxes of a group.
        lines: Count line pushes.
        way: 1 or -1, the order of the groups: of no consequence to the inequalities.
        groups: (count, size): all groups of this size by their number.
        floor_of: Floor cell of each cell in the numbering in use.
        index_of: (n+1) the other way round, -1 where a box can never come to a goal.
        beside: (n+1, 4).
        choose: Binomial coefficients.
        base: Number of the first group of this size in the next two.
        first: First entry of each group in ``value``.
        row_of: Row of components of each group.
        rows: Distinct rows.
        price: (n+1): price of each goal, -1 elsewhere.
        value: Entries; changed.
    """
    cells, after = np.zeros(size, np.int32), np.zeros(size, np.int32)
    lowered = 0
    for step in range(len(groups)):
        g = step if way > 0 else len(groups) - 1 - step
        row = rows[row_of[base + g]]
        paid = 0
        for i in range(size):
            cells[i] = floor_of[groups[g, i]]
            paid = NEVER if price[cells[i]] < 0 or paid == NEVER else paid + price[cells[i]]
        entries = first[base + g + 1] - first[base + g]
        for part in range(entries):
            at = first[base + g] + part
            least = paid
            for i in range(size):
                for d in range(4):
                    stand = beside[cells[i], d ^ 1]
                    if row[stand] != part or stand == n:
                        continue
                    behind, to = cells[i], beside[cells[i], d]
                    while to < n and row[to] != 255:
                        if index_of[to] >= 0:
                            new, place = index_of[to], 0
                            for j in range(size):
                                if j != i and groups[g, j] < new:
                                    after[place] = groups[g, j]
                                    place += 1
                            after[place] = new
                            for j in range(size):
                                if j != i and groups[g, j] > new:
                                    place += 1
                                    after[place] = groups[g, j]
                            other = base + number_of(size, after, choose)
                            cost = 1 + value[first[other] + rows[row_of[other], behind]]
                            least = min(least, cost)
                        if not lines:
                            break
                        behind, to = to, beside[to, d]
            if value[at] > min(least, NEVER):
                value[at] = min(least, NEVER)
                lowered += 1
    return lowered


@kernel("i8(i8, i8, i4[::1], i8, i4[:,::1], i8[::1], i8[::1], i4[::1], u1[:,::1], i4[::1], i4[::1])")
def gain_of(
    mask: int,
    size: int,
    group: I4,
    player: int,
    choose: I4,
    base: I8,
    first: I8,
    row_of: I4,
    rows: U1,
    value: I4,
    some: I4,
) -> int:
    """Return what the boxes of a group named by ``mask`` cost more than one by one; NEVER if they can never be served."""
    count, single = 0, 0
    for i in range(size):
        if (mask >> i) & 1:
            some[count] = group[i]
            count += 1
            alone = base[1] + group[i]
            single += value[first[alone] + rows[row_of[alone], player]]
    if count < 2:
        return 0
    whole = base[count] + number_of(count, some, choose)
    together = value[first[whole] + rows[row_of[whole], player]]
    return NEVER if together >= NEVER else together - single


@kernel(
    "void(i8, i8, i4[:,::1], i4[::1], i4[:,::1], i8[::1], i8[::1], i4[::1], u1[:,::1], i4[::1], u8[:,::1])",
    allocates=True,
)
def find_useful(
    n: int,
    size: int,
    groups: I4,
    floor_of: I4,
    choose: I4,
    base: I8,
    first: I8,
    row_of: I4,
    rows: U1,
    value: I4,
    useful: U8,
) -> None:
    """Set, at the group without its last cell, that cell's bit if the whole gains more than its parts do for some player."""
    some, group = np.zeros(size, np.int32), np.zeros(size, np.int32)
    for g in range(len(groups)):
        for i in range(size):
            group[i] = groups[g, i]
        row = rows[row_of[base[size] + g]]
        seen, wanted = 0, False
        for player in range(n):
            if row[player] == seen:
                seen += 1
                dearest = 0
                for i in range(size):
                    one = base[1] + group[i]
                    dearest = max(dearest, value[first[one] + rows[row_of[one], player]])
                if dearest >= NEVER:
                    continue
                whole = gain_of((1 << size) - 1, size, group, player, choose, base, first, row_of, rows, value, some)
                parts = 0
                for mask in range(1, (1 << size) - 1, 2):
                    rest = (1 << size) - 1 - mask
                    one_part = gain_of(mask, size, group, player, choose, base, first, row_of, rows, value, some)
                    other = gain_of(rest, size, group, player, choose, base, first, row_of, rows, value, some)
                    parts = max(parts, one_part + other)
                wanted |= whole > parts
        if wanted:
            last = np.uint64(group[size - 1])
            under = base[size - 1] + number_of(size - 1, group, choose)
            useful[under, last >> np.uint64(6)] |= np.uint64(1) << (last & np.uint64(63))


@kernel("i8(i8, i8, i8, i8[:,::1])")
def pack(k: int, found: int, enough: int, items: I8) -> int:
    """Return the gain of disjoint groups, as much as a short depth-first search finds; stop once it is ``enough``."""
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
        if depth == 0 or steps > STEPS or best >= enough:
            return best
        depth -= 1
        at = items[3, depth]
        used &= ~int(items[0, at])
        total -= int(items[1, at])
        at += 1


@kernel(
    "i8(i8, i8, i4[::1], i8, i8, i4[:,::1], i8[::1], i8[::1], i4[::1], u1[:,::1], i4[::1], u8[:,::1], u8[::1],"
    " i8[:,::1], i4[::1], i4[::1])"
)
def bound(
    k: int,
    largest: int,
    boxes: I4,
    player: int,
    enough: int,
    choose: I4,
    base: I8,
    first: I8,
    row_of: I4,
    rows: U1,
    value: I4,
    useful: U8,
    key: U8,
    items: I8,
    group: I4,
    index: I4,
) -> int:
    """Return a lower bound on what a state costs, prices included; NEVER if it cannot be solved.

    The prices of its boxes one by one, and the gains of disjoint groups on top. ``boxes`` ascend, ``key`` has their bits. Once
    the sum is ``enough`` it is returned as it is.
    """
    total = 0
    for i in range(k):
        alone = base[1] + boxes[i]
        cost = value[first[alone] + rows[row_of[alone], player]]
        if cost >= NEVER:
            return NEVER
        total += cost
    if total >= enough:
        return total
    found = 0
    for size in range(1, min(largest, k)):
        for i in range(size):
            index[i] = i
        while True:
            mask = np.int64(0)
            for i in range(size):
                group[i] = boxes[index[i]]
                mask |= np.int64(1) << index[i]
            under = base[size] + number_of(size, group, choose)
            for j in range(index[size - 1] + 1, k):
                last = np.uint64(boxes[j])
                if (useful[under, last >> np.uint64(6)] >> (last & np.uint64(63))) & np.uint64(1):
                    group[size] = boxes[j]
                    whole = base[size + 1] + number_of(size + 1, group, choose)
                    together = int(value[first[whole] + rows[row_of[whole], player]])
                    if together >= NEVER:
                        return NEVER
                    for i in range(size + 1):
                        alone = base[1] + group[i]
                        together -= value[first[alone] + rows[row_of[alone], player]]
                    if together > 0 and found < ITEMS:
                        # sorted by gain per box, largest first
                        share = together * 60 // (size + 1)
                        place = found
                        while place > 0 and items[2, place - 1] < share:
                            for x in range(3):
                                items[x, place] = items[x, place - 1]
                            place -= 1
                        items[0, place] = mask | (np.int64(1) << j)
                        items[1, place] = together
                        items[2, place] = share
                        found += 1
            i = size - 1
            while i >= 0 and index[i] == k - size + i:
                i -= 1
            if i < 0:
                break
            index[i] += 1
            for j in range(i + 1, size):
                index[j] = index[j - 1] + 1
    return total + pack(k, found, enough - total, items)


@kernel("void(i8, i8, i4[:,::1], i8[::1], i8[::1], i4[::1], u1[:,::1], i4[::1], i4[::1])")
def single_sums(n: int, size: int, groups: I4, base: I8, first: I8, row_of: I4, rows: U1, value: I4, sums: I4) -> None:
    """Write what the boxes of every group cost one by one, an entry for each component, NEVER if one cannot be served."""
    at = 0
    for g in range(len(groups)):
        row, part = rows[row_of[base[size] + g]], 0
        for player in range(n):
            if row[player] == part:
                part += 1
                total = 0
                for i in range(size):
                    one = base[1] + groups[g, i]
                    total += value[first[one] + rows[row_of[one], player]]
                sums[at] = min(total, NEVER)
                at += 1
