"""Tables of small patterns of boxes, compiled: what a few boxes cost together, whichever goals they end on.

The goals have dual potentials. A box costs the least of distance plus potential of a goal, a pattern the least sum of these for
all its boxes together, exact, other boxes taken away. What it costs beyond its parts is its *interaction penalty*; the penalties
of disjoint patterns add up (docs/native-patterns.md, "Pattern databases"). One search per size serves all patterns and all
goals, as boxes are interchangeable.

Patterns of each size are numbered colexicographically (combinatorial number system). ``flat[q]`` is the number of the first
one of size q; ``row_of`` names a row of ``rows``, which says for every cell in which component of the floor around the pattern
it lies (patterns with the same components share a row), ``first`` its first entry in ``penalty``, one per component. Here ``t``
is the tables being filled, and n, the number of floor cells, the last row of ``neighbour``.
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I2, I4, I8, U1, I4x2, U1x2
from sokoasp.sokoban.search.kernels.hash_set import SEED, mix
from sokoasp.sokoban.search.kernels.primitives import INF
from sokoasp.sokoban.search.model.records import Filling, Patterns, Seeds

FAR = 32767
"""Cost of a pattern that cannot be served; one that costs as much or more is entered as FAR - 1."""
DEAD, MOST = 127, 126
"""Penalty of a pattern that cannot be served although all its parts can; the largest other penalty."""
CUT = 4
"""Row of ``Filling.floor``: 1 on the cells that ``find_cuts`` marks."""
PART, ENTRY = 3, 4
"""Places in ``Seeds.progress`` of the component of the pattern in hand, and of its entry in ``cost``."""
SHIFT = 10
"""Bits of a cell number in a queue entry; the component has the rest."""


@kernel("i8(i8, i4[::1], i4[:,::1])")
def rank(size: int, cells: I4, binomial: I4x2) -> int:
    """Return the number of a pattern among those of its size; ``cells`` ascend."""
    total = 0
    for i in range(size):
        total += binomial[cells[i], i + 1]
    return total


@kernel("b1(i8, i8, i4[::1])")
def advance(size: int, live: int, cells: I4) -> bool:
    """Turn ``cells`` into the next pattern of its size; False if there is none."""
    for i in range(size):
        if cells[i] + 1 < (cells[i + 1] if i + 1 < size else live):
            cells[i] += 1
            for j in range(i):
                cells[j] = j
            return True
    return False


@kernel("i8(i8, i8, i4[::1], i4[:,::1], u1[::1], i4[::1])")
def divide(n: int, size: int, cells: I4, neighbour: I4x2, row: U1, queue: I4) -> int:
    """Number the components of the floor around a pattern; the boxes' own cells get a neighbour's number. Return how many."""
    for c in range(n):
        row[c] = 255
    row[n] = 0
    for i in range(size):
        row[cells[i]] = 254
    count = 0
    for start in range(n):
        if row[start] != 255:
            continue
        row[start] = count
        queue[0] = start
        head, tail = 0, 1
        while head < tail:
            cell = queue[head]
            head += 1
            for d in range(4):
                to = neighbour[cell, d]
                if row[to] == 255:
                    row[to] = count
                    queue[tail] = to
                    tail += 1
        count += 1
    for i in range(size):
        row[cells[i]] = 0
        for d in range(3, -1, -1):
            to = neighbour[cells[i], d]
            if to < n:
                box = False
                for j in range(size):
                    box |= cells[j] == to
                if not box:
                    row[cells[i]] = row[to]
    return count


@kernel("i8(i8, u1[::1], u1[:,::1], i4[::1])")
def slot_of(n: int, row: U1, rows: U1x2, slots: I4) -> int:
    """Return the slot of a row: it holds the row's number, or -1 where the row would go."""
    mixed = SEED
    for c in range(n):
        mixed = mix(mixed, np.uint64(row[c]))
    mask = len(slots) - 1
    slot = int(np.int64(mixed >> np.uint64(20))) & mask
    while slots[slot] >= 0:
        other = rows[slots[slot]]
        same = True
        for c in range(n):
            if other[c] != row[c]:
                same = False
                break
        if same:
            break
        slot = (slot + 1) & mask
    return slot


@kernel("void(i8, i8, u1[:,::1], i4[::1])")
def enter_rows(count: int, n: int, rows: U1x2, slots: I4) -> None:
    """Enter distinct rows into an empty hash table."""
    for i in range(count):
        slots[slot_of(n, rows[i], rows, slots)] = i


@kernel("void(i8, i8, i4[::1], i4[:,::1], i4[:,::1])")
def find_cuts(n: int, size: int, cells: I4, neighbour: I4x2, floor: I4x2) -> None:
    """Mark the cells on which a further box would divide the floor around all boxes of a pattern but the first.

    By one depth-first search of each component (Hopcroft and Tarjan 1973). Marked are, too, the boxes and the cells beside them,
    which name boxes, and the first cell of a component, which numbers it: all that is found from there comes back to it.
    """
    seen, low, parent, side, cut = floor[0], floor[1], floor[2], floor[3], floor[CUT]
    for c in range(n):
        seen[c], cut[c] = 0, 0
    for i in range(1, size):
        seen[cells[i]] = -1
    count = 0
    for root in range(n):
        if seen[root] != 0:
            continue
        c, came = root, n
        while c < n:
            # Step 1. A new cell; then its neighbours one after the other
            if seen[c] == 0:
                count += 1
                seen[c], low[c], parent[c], side[c] = count, count, came, 0
            to = neighbour[c, side[c]] if side[c] < 4 else n
            side[c] += 1
            if to < n and seen[to] == 0:
                came, c = c, to
            elif to < n and seen[to] > 0:
                low[c] = min(low[c], seen[to])
            elif side[c] > 4:
                # Step 2. Back: nothing found behind this cell leads round the one before, so that divides
                before = parent[c]
                if before < n:
                    low[before] = min(low[before], low[c])
                    if low[c] >= seen[before]:
                        cut[before] = 1
                c = before
    for i in range(1, size):
        cut[cells[i]] = 1
        for d in range(4):
            cut[neighbour[cells[i], d]] = 1


@kernel("i8(i8, i8, i8, i8, Filling)")
def partition(size: int, live: int, index: int, quota: int, t: Filling) -> int:
    """Find the components around all patterns of a size, beginning with pattern ``t.cells`` at place ``index``.

    Where the first box divides nothing the row is that of the pattern without it, if patterns of that size have rows. At most
    ``quota`` patterns are done in a call. Returns -1 when done, else the place to go on at, after enlarging ``rows`` if it is
    full.
    """
    neighbour, cells, rows, slots, used = t.neighbour, t.cells, t.patterns.rows, t.slots, t.used
    n, end, under = len(neighbour) - 1, index + quota, np.int64(0)
    while True:
        if used[0] + 1 >= len(rows) or index >= end:
            return index
        t.patterns.first[index] = used[1]
        if size > 2 and (cells[0] == 0 or index == end - quota):
            find_cuts(n, size, cells, neighbour, t.floor)
            under = t.patterns.flat[size - 1]
            for i in range(1, size):
                under += t.patterns.binomial[cells[i], i]
        if size > 2 and t.floor[CUT, cells[0]] == 0:
            t.patterns.row_of[index] = t.patterns.row_of[under]
            used[1] += t.patterns.first[under + 1] - t.patterns.first[under]
        else:
            row = rows[used[0]]
            used[1] += divide(n, size, cells, neighbour, row, t.queue)
            slot = slot_of(n, row, rows, slots)
            if slots[slot] < 0:
                slots[slot] = used[0]
                used[0] += 1
            t.patterns.row_of[index] = slots[slot]
        index += 1
        if not advance(size, live, cells):
            return -1


@kernel("void(i8, i4[::1], i8, i8, i4[::1])")
def moved(size: int, cells: I4, i: int, to: int, after: I4) -> None:
    """Write the pattern with its box ``i`` on the cell ``to``, cells ascending, into ``after``."""
    y = 0
    for j in range(size):
        if j != i and cells[j] < to:
            after[y] = cells[j]
            y += 1
    after[y] = to
    for j in range(size):
        if j != i and cells[j] > to:
            y += 1
            after[y] = cells[j]


@kernel("b1(i8, Filling, Seeds)")
def next_pattern(size: int, t: Filling, s: Seeds) -> bool:
    """Take the cheapest pattern of queue and seeds (solved sets by their potentials): a bucket queue of two heads.

    ``t.cells`` gets its cells, ``s.progress`` its component and its entry in ``s.cost``. False if it had that cost before: it may
    have stood in the queue already, one push from another seed, and its own cost counts.
    """
    cells, cost, progress, flat = t.cells, s.cost, s.progress, t.patterns.flat[size]
    head, seed, origin = progress[0], progress[2], t.patterns.first[flat]
    queued = head < progress[1]
    if queued:
        entry = s.queue[head]
        for i in range(size - 1, -1, -1):
            cells[i] = entry & ((1 << SHIFT) - 1)
            entry >>= SHIFT
        progress[PART] = entry
        progress[ENTRY] = t.patterns.first[flat + rank(size, cells, t.patterns.binomial)] - origin + entry
        if seed == len(s.seeds) or s.potentials[seed] > cost[progress[ENTRY]]:
            progress[0] = head + 1
            return True
    progress[2] = seed + 1
    for i in range(size):
        cells[i] = s.seeds[seed, i]
    progress[PART] = s.seeds[seed, size]
    progress[ENTRY] = t.patterns.first[flat + rank(size, cells, t.patterns.binomial)] - origin + progress[PART]
    if cost[progress[ENTRY]] <= s.potentials[seed]:
        return False
    cost[progress[ENTRY]] = s.potentials[seed]
    return True


@kernel("b1(i8, i8, i8, b1, b1, Filling, Seeds)")
def spread(size: int, live: int, quota: int, lines: bool, pushing: bool, t: Filling, s: Seeds) -> bool:
    """Compute the least cost of every pattern of a size and component by one breadth-first search from the targets.

    It expands at most ``quota`` entries and fills ``s.cost`` by the tables of ``partition``. ``lines``: line pushes are counted
    instead of single ones. ``pushing``: it walks from the targets by pushes (tables of the reverse search) instead of pulls.

    Long: one loop over arrays taken out of their records first.

    Returns:
        Whether all is done.
    """
    neighbour, binomial, row_of, first = t.neighbour, t.patterns.binomial, t.patterns.row_of, t.patterns.first
    rows, cells, after = t.patterns.rows, t.cells, t.some
    cost, queue, progress = s.cost, s.queue, s.progress
    n, flat = len(neighbour) - 1, t.patterns.flat[size]
    origin = first[flat]
    while quota > 0:
        # Step 1. The next pattern, cheapest first
        if progress[0] == progress[1] and progress[2] == len(s.seeds):
            return True
        if not next_pattern(size, t, s):
            continue
        part, at = progress[PART], progress[ENTRY]
        quota -= 1
        # Step 2. Where the player can walk around this set: one row of components for all sets with the same cells
        row = rows[row_of[flat + rank(size, cells, binomial)]]
        for i in range(size):
            for d in range(4):
                stand = neighbour[cells[i], d ^ 1 if pushing else d]
                free = stand < n and row[stand] == part
                for j in range(size):
                    free &= cells[j] != stand
                to = neighbour[cells[i], d] if free else n
                while to < live:
                    beyond = neighbour[to, d]
                    free = pushing or beyond < n
                    for j in range(size):
                        free &= cells[j] != to and (pushing or cells[j] != beyond)
                    if not free:
                        break
                    moved(size, cells, i, to, after)
                    other = flat + rank(size, after, binomial)
                    component = rows[row_of[other], neighbour[to, d ^ 1] if pushing else beyond]
                    # Step 3. Every step costs one, so the first cost a set gets is its least
                    place = first[other] - origin + component
                    if cost[place] == FAR:
                        cost[place] = min(cost[at] + 1, FAR - 1)
                        entry = np.int64(component)
                        for j in range(size):
                            entry = (entry << SHIFT) | after[j]
                        queue[progress[1]] = entry
                        progress[1] += 1
                    if not lines:
                        break
                    to = beyond
    return False


@kernel("i8(i8, i8, i4[::1], i4[:,::1], i8[::1], i4[::1])")
def part_of(size: int, mask: int, cells: I4, binomial: I4x2, flat: I8, some: I4) -> int:
    """Return the number of the pattern that the bits of ``mask`` name in ``cells``, -1 for a single box; ``some`` is scratch."""
    count = 0
    for i in range(size):
        if (mask >> i) & 1:
            some[count] = cells[i]
            count += 1
    return int(flat[count] + rank(count, some, binomial)) if count > 1 else -1


@kernel("i8(i8, i8, i8, i4[::1], Patterns, i4[::1])")
def worth(size: int, mask: int, player: int, cells: I4, p: Patterns, some: I4) -> int:
    """Return what the boxes that the bits of ``mask`` name in ``cells`` are known to cost beyond their single costs."""
    pattern = part_of(size, mask, cells, p.binomial, p.flat, some)
    if pattern < 0:
        return 0
    value = int(p.penalty[p.first[pattern] + p.rows[p.row_of[pattern], player]])
    return value if value >= 0 else -1 - value


@kernel("i8(i8, i8, i8, Filling)")
def penalty_of(size: int, player: int, together: int, t: Filling) -> int:
    """Return the entry in ``penalty`` of the pattern in hand for the player on a cell, which costs that much together."""
    cells, p, single, parts = t.cells, t.patterns, 0, 0
    for i in range(size):
        single += p.alone[t.side[cells[i], player]]
    for mask in range(1, (1 << size) - 1, 2):
        rest = (1 << size) - 1 - mask
        parts = max(parts, worth(size, mask, player, cells, p, t.some) + worth(size, rest, player, cells, p, t.some))
    if parts >= MOST or single >= INF:
        return -1 - MOST
    if together == FAR:
        return DEAD
    more = min(together - single, MOST)
    return more if more > parts else -1 - parts


@kernel("i8(i8, i8, i8, i8, i2[::1], Filling)")
def penalties(size: int, live: int, pattern: int, quota: int, cost: I2, t: Filling) -> int:
    """Compare the patterns of a size with their parts, from ``pattern`` (with ``t.cells``) on; return where to go on, or -1.

    ``penalty`` gets the penalty where it is more than any division into smaller patterns brings, DEAD where only the whole is
    dead, and otherwise -1 minus what the parts bring. ``bits`` (patterns, words) gets, at the pattern without a cell, that cell's
    bit if the penalty of some component is of the first two kinds.
    """
    flat, row_of, first, rows = t.patterns.flat, t.patterns.row_of, t.patterns.first, t.patterns.rows
    penalty, bits, cells, some = t.patterns.penalty, t.patterns.bits, t.cells, t.some
    n, origin, end = len(t.neighbour) - 1, first[flat[size]], pattern + quota
    while pattern < end:
        row = rows[row_of[pattern]]
        useful, part = False, 0
        for player in range(n):
            if row[player] != part:
                continue
            box = False
            for i in range(size):
                box |= cells[i] == player
            if not box:
                place = first[pattern] + part
                penalty[place] = penalty_of(size, player, int(cost[place - origin]), t)
                useful |= penalty[place] > 0
                part += 1
        for out in range(size if useful else 0):
            for i in range(out):
                some[i] = cells[i]
            for i in range(out + 1, size):
                some[i - 1] = cells[i]
            under = flat[size - 1] + rank(size - 1, some, t.patterns.binomial)
            bits[under, cells[out] >> 6] |= np.uint64(1) << np.uint64(cells[out] & 63)
        pattern += 1
        if not advance(size, live, cells):
            return -1
    return pattern
