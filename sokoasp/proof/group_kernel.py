"""Tables of small groups of boxes, compiled: their entries, their local inequalities, and which groups have a gain.

A group is a set of cells, ascending in the numbering in use, and is numbered colexicographically among those of its size. Its
entries are one for each component of the floor without it, in the order of their smallest cells.
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U1
from sokoasp.proof.kernel_records import MOST_ENTRY, NEVER, Floor, Memory, Tables


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


@kernel("void(i8, i4[:,::1], Floor, u1[:,::1], i4[::1], Memory)")
def all_components(size: int, groups: I4, floor: Floor, rows: U1, counts: I4, s: Memory) -> None:
    """Fill a row of components and their count for every group (its cells in the numbering in use)."""
    n, cells = len(floor.beside) - 1, s.group
    for g in range(len(groups)):
        for i in range(size):
            cells[i] = floor.floor_of[groups[g, i]]
        counts[g] = components(n, size, cells, floor.beside, rows[g], s.stack)


@kernel("i8(i8, i8, Tables)")
def alone(cell: int, player: int, t: Tables) -> int:
    """Return what one box costs, the player on a cell."""
    one = t.base[1] + cell
    return int(t.value[t.first[one] + t.rows[t.row_of[one], player]])


@kernel("void(i8, i4[::1], i8, i8, i4[::1])")
def moved(size: int, group: I4, i: int, new: int, after: I4) -> None:
    """Write the group with its box ``i`` on another cell, ascending, into ``after``."""
    place = 0
    for j in range(size):
        if j != i and group[j] < new:
            after[place] = group[j]
            place += 1
    after[place] = new
    for j in range(size):
        if j != i and group[j] > new:
            place += 1
            after[place] = group[j]


@kernel("i8(i8, b1, i4[::1], i8, Floor, Tables, Memory, i8)")
def least_after(size: int, lines: bool, group: I4, part: int, floor: Floor, t: Tables, s: Memory, at: int) -> int:
    """Return 1 more than the least entry one push (line push) after a group, number ``at``, with the player in one component."""
    least, n, row = NEVER, len(floor.beside) - 1, t.rows[t.row_of[at]]
    for i in range(size):
        cell = floor.floor_of[group[i]]
        for d in range(4):
            stand = floor.beside[cell, d ^ 1]
            if row[stand] != part or stand == n:
                continue
            behind, to = cell, floor.beside[cell, d]
            while to < n and row[to] != 255:
                if floor.index_of[to] >= 0:
                    moved(size, group, i, floor.index_of[to], s.some)
                    other = t.base[size] + number_of(size, s.some, t.choose)
                    entry = int(t.value[t.first[other] + t.rows[t.row_of[other], behind]])
                    if entry < NEVER:
                        least = min(least, 1 + entry)
                if not lines:
                    break
                behind, to = to, floor.beside[to, d]
    return int(least)


@kernel("i8(i8, b1, i8, i4[:,::1], Floor, Tables, Memory)")
def lower(size: int, lines: bool, way: int, groups: I4, floor: Floor, t: Tables, s: Memory) -> int:
    """Lower every entry of a size to what the local inequalities allow; return the entries lowered and 0 if all of them hold.

    A finite entry is at most MOST_ENTRY, at most 1 more than any finite entry one push (line push) later, and at most the sum of
    the prices where all its cells are goals. An entry is NEVER only if all entries one push later are and the cells are not all
    goals. The induction along a plan from the end gives: no plan costs less, prices included.

    ``way`` is 1 or -1, the order of the groups: of no consequence to the inequalities.
    """
    lowered = 0
    for step in range(len(groups)):
        g = step if way > 0 else len(groups) - 1 - step
        at, paid = t.base[size] + g, 0
        for i in range(size):
            price = floor.price[floor.floor_of[groups[g, i]]]
            paid = NEVER if price < 0 or paid == NEVER else paid + price
        for part in range(t.first[at + 1] - t.first[at]):
            entry = t.first[at] + part
            least = min(paid, least_after(size, lines, groups[g], part, floor, t, s, at))
            if least < NEVER:
                least = min(least, MOST_ENTRY)
            if t.value[entry] > least:
                t.value[entry] = least
                lowered += 1
    return lowered


@kernel("i8(i8, i8, i4[::1], i8, Tables, i4[::1])")
def gain_of(mask: int, size: int, group: I4, player: int, t: Tables, some: I4) -> int:
    """Return what the boxes of a group named by ``mask`` cost more than one by one; NEVER if they can never be served."""
    count, single = 0, 0
    for i in range(size):
        if (mask >> i) & 1:
            some[count] = group[i]
            count += 1
            single += alone(group[i], player, t)
    if count < 2:
        return 0
    whole = t.base[count] + number_of(count, some, t.choose)
    together = int(t.value[t.first[whole] + t.rows[t.row_of[whole], player]])
    return NEVER if together >= NEVER else together - single


@kernel("b1(i8, i4[::1], i8, Tables, i4[::1])")
def wanted(size: int, group: I4, player: int, t: Tables, some: I4) -> bool:
    """Return whether a group gains more than its parts do, its boxes being of use one by one."""
    dearest = 0
    for i in range(size):
        dearest = max(dearest, alone(group[i], player, t))
    if dearest >= NEVER:
        return False
    every, parts = (1 << size) - 1, 0
    whole = gain_of(every, size, group, player, t, some)
    for mask in range(1, every, 2):
        one, other = gain_of(mask, size, group, player, t, some), gain_of(every - mask, size, group, player, t, some)
        parts = max(parts, one + other)
    return whole > parts


@kernel("void(i8, i4[:,::1], Tables, Memory)")
def find_useful(size: int, groups: I4, t: Tables, s: Memory) -> None:
    """Set, at the group without its last cell, that cell's bit if the whole gains more than its parts do for some player."""
    n, group = t.rows.shape[1] - 1, s.group
    for g in range(len(groups)):
        for i in range(size):
            group[i] = groups[g, i]
        row = t.rows[t.row_of[t.base[size] + g]]
        seen, gains = 0, False
        for player in range(n):
            if row[player] == seen:
                seen += 1
                gains |= wanted(size, group, player, t, s.some)
        if gains:
            last = np.uint64(group[size - 1])
            under = t.base[size - 1] + number_of(size - 1, group, t.choose)
            t.useful[under, last >> np.uint64(6)] |= np.uint64(1) << (last & np.uint64(63))


@kernel("void(i8, i4[:,::1], Tables, i4[::1])")
def single_sums(size: int, groups: I4, t: Tables, sums: I4) -> None:
    """Write what the boxes of every group cost one by one, an entry for each component, NEVER if one cannot be served."""
    at, n = 0, t.rows.shape[1] - 1
    for g in range(len(groups)):
        row, part = t.rows[t.row_of[t.base[size] + g]], 0
        for player in range(n):
            if row[player] == part:
                part += 1
                total = 0
                for i in range(size):
                    total += alone(groups[g, i], player, t)
                sums[at] = min(total, NEVER)
                at += 1
