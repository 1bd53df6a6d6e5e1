"""Small compiled parts of a search step: walking, matching, freeze, packed states.

Import through ``core.jit.load`` only. Cells are numbered as in ``push_board``: below ``live`` a box may stand, ``n`` is the wall.
``occ`` (n+1, uint8) is 1 on boxes and on the wall sentinel. Arrays that end in ``2`` belong to the child of a state. All
scratch comes from the caller; kernels allocate nothing and leave ``occ`` and ``flag`` as they found them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core.jit import kernel

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.records import I4, I8, U1, U8, Augmenting, I4x2, Matching, States, U8x2

INF = 1 << 20
"""The board's INFINITE; more than 1 << 19 counts as no way."""


@kernel("i8(i4[:,::1], u1[::1], i8, i4[::1], i8, i4[::1], i4[::1])")
def flood(neighbour: I4x2, occ: U1, start: int, mark: I4, stamp: int, steps: I4, queue: I4) -> int:
    """Mark the player's region, note the steps to each cell, return its smallest cell."""
    mark[start] = stamp
    steps[start] = 0
    queue[0] = start
    head, tail, low = 0, 1, start
    while head < tail:
        cell = queue[head]
        head += 1
        low = min(low, cell)
        for d in range(4):
            to = neighbour[cell, d]
            if occ[to] == 0 and mark[to] != stamp:
                mark[to] = stamp
                steps[to] = steps[cell] + 1
                queue[tail] = to
                tail += 1
    return low


@kernel("void(i4[::1], i8, i8, i8, u8[::1])")
def pack(boxes: I4, count: int, player: int, words: int, key: U8) -> None:
    """Write boxes as bits, and the player into the top 16 bits of the last word."""
    for w in range(words):
        key[w] = np.uint64(0)
    for i in range(count):
        cell = np.uint64(boxes[i])
        key[cell >> np.uint64(6)] |= np.uint64(1) << (cell & np.uint64(63))
    key[words - 1] |= np.uint64(player) << np.uint64(48)


@kernel("i8(u8[:,::1], i8, i8, i8, i4[::1])")
def unpack(keys: U8x2, index: int, live: int, words: int, boxes: I4) -> int:
    """Read the boxes of a stored state in ascending order; return its player cell."""
    count = 0
    for cell in range(live):
        if (keys[index, cell >> 6] >> np.uint64(cell & 63)) & np.uint64(1):
            boxes[count] = cell
            count += 1
    return int(np.int64(keys[index, words - 1] >> np.uint64(48)))


@kernel("i8(u8[::1], i8, i8)")
def home(key: U8, words: int, mask: int) -> int:
    """Return the slot where the search for a key begins in a table of ``mask + 1`` slots."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for w in range(words):
        mixed ^= key[w]
        mixed ^= mixed >> np.uint64(32)
        mixed *= np.uint64(0xD6E8FEB86659FD93)
        mixed ^= mixed >> np.uint64(29)
    return int(np.int64(mixed >> np.uint64(1))) & mask


@kernel("i8(u8[::1], i8, u8[:,::1], i4[::1])")
def find(key: U8, words: int, keys: U8x2, slots: I4) -> int:
    """Return the slot of a key: it holds the state's number, or -1 where the state would go. Keys are compared in full."""
    mask = len(slots) - 1
    slot = home(key, words, mask)
    while True:
        index = slots[slot]
        if index < 0:
            return slot
        same = True
        for w in range(words):
            if keys[index, w] != key[w]:
                same = False
                break
        if same:
            return slot
        slot = (slot + 1) & mask


@kernel("void(u8[:,::1], i8, i8, i4[::1], u8[::1])")
def rehash(keys: U8x2, count: int, words: int, slots: I4, key: U8) -> None:
    """Enter all stored states into an empty table."""
    for index in range(count):
        for w in range(words):
            key[w] = keys[index, w]
        slots[find(key, words, keys, slots)] = index


@kernel("b1(i8, i8, i4[:,::1], Matching, Augmenting)")
def assign(row: int, k: int, dist: I4x2, match: Matching, path: Augmenting) -> bool:
    """Give one more box a goal at least cost (shortest augmenting path); False if the goals do not suffice.

    Long: one pass of Jonker and Volgenant's loop, which shares all it looks up.
    """
    state, u, v, row_of = match.state, match.u, match.v, match.row_of
    least, way, used = path.least, path.way, path.used
    best = INF * 4
    for j in range(k):
        best = min(best, dist[state[row], j] - v[j])
        least[j] = INF * 4
        used[j] = 0
    u[row] = best
    used[k] = 0
    row_of[k] = row
    v[k] = 0
    at = k
    while True:
        used[at] = 1
        here = row_of[at]
        delta, after = INF * 4, -1
        base = state[here]
        for j in range(k):
            if used[j] == 0:
                reduced = dist[base, j] - u[here] - v[j]
                if reduced < least[j]:
                    least[j] = reduced
                    way[j] = at
                if least[j] < delta:
                    delta = least[j]
                    after = j
        if delta > INF >> 1 or after < 0:
            return False
        if delta > 0:
            for j in range(k + 1):
                if used[j]:
                    u[row_of[j]] += delta
                    v[j] -= delta
                else:
                    least[j] -= delta
        at = after
        if row_of[at] < 0:
            break
    while at != k:
        back = way[at]
        row_of[at] = row_of[back]
        at = back
    return True


@kernel("i8(i8, i4[:,::1], Matching, Augmenting)")
def matching(k: int, dist: I4x2, match: Matching, path: Augmenting) -> int:
    """Match all boxes from scratch; return the cost, INF if there is no matching."""
    for j in range(k):
        match.v[j] = 0
        match.row_of[j] = -1
    for i in range(k):
        if not assign(i, k, dist, match, path):
            return INF
    total = 0
    for j in range(k):
        total += dist[match.state[match.row_of[j]], j]
    return total if total < INF >> 1 else INF


@kernel("i8(i8, i4[:,::1], Matching, Matching, Augmenting)")
def rematching(k: int, dist: I4x2, parents: Matching, childs: Matching, path: Augmenting) -> int:
    """Repair the parent's matching for the boxes whose single-box state changed; return the cost or INF."""
    state, u, v, row_of = parents.state, parents.u, parents.v, parents.row_of
    state2, u2, v2, row_of2 = childs.state, childs.u, childs.v, childs.row_of
    for j in range(k):
        u2[j] = u[j]
        v2[j] = v[j]
        i = row_of[j]
        row_of2[j] = i if state[i] == state2[i] else -1
    for i in range(k):
        if state[i] != state2[i] and not assign(i, k, dist, childs, path):
            return INF
    total = 0
    for j in range(k):
        total += dist[state2[row_of2[j]], j]
    return total if total < INF >> 1 else INF


@kernel("i8(i8, i4[::1], i8, i4[:,::1], i8, u1[::1], u1[::1])")
def frozen(k: int, boxes: I4, moved: int, neighbour: I4x2, live: int, target: U1, flag: U1) -> int:
    """Count the boxes off goal that can never move again, given that one of them was just moved to ``moved``.

    The largest set of boxes each of which is blocked in both axes by a wall, by another box of the set, or by dead cells on
    both sides: none of them can be the first to move.
    """
    for i in range(k):
        flag[boxes[i]] = 1
    changed = True
    while changed and flag[moved]:
        changed = False
        for i in range(k):
            c = boxes[i]
            if flag[c]:
                a, b, e, f = neighbour[c, 0], neighbour[c, 1], neighbour[c, 2], neighbour[c, 3]
                across = flag[a] or flag[b] or (a >= live and b >= live)
                along = flag[e] or flag[f] or (e >= live and f >= live)
                if not (across and along):
                    flag[c] = 0
                    changed = True
    count = 0
    for i in range(k):
        c = boxes[i]
        if flag[moved] and flag[c] and target[c] == 0:
            count += 1
    for i in range(k):
        flag[boxes[i]] = 0
    return count


@kernel("i8(i8, i8, i8, States, States, u8[::1], i8[::1])")
def meet(first: int, last: int, words: int, ours: States, theirs: States, key: U8, found: I8) -> int:
    """Look our states ``first`` to ``last`` up in another search.

    Returns:
        The least joint cost, INF if none is known there; ``found`` gets the two numbers of that state.
    """
    best = INF
    for index in range(first, last):
        for w in range(words):
            key[w] = ours.keys[index, w]
        other = theirs.slots[find(key, words, theirs.keys, theirs.slots)]
        if other >= 0 and int(ours.spent[index]) + int(theirs.spent[other]) < best:
            best = int(ours.spent[index]) + int(theirs.spent[other])
            found[0] = index
            found[1] = other
    return best
