"""Small compiled parts of a search step: walking, matching, packed states.

Cells are numbered as in ``push_board``: below ``live`` a box may stand, ``n`` is the wall.
``occ`` (n+1, uint8) is 1 on boxes and on the wall sentinel. Arrays that end in ``2`` belong to the child of a state. All
scratch comes from the caller; kernels allocate nothing and leave ``occ`` and ``flag`` as they found them.
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U1, U8, I4x2, U8x2
from sokoasp.sokoban.search.model.records import Augmenting, Matching

INF = 1 << 28
"""The board's INFINITE: no way. No sum of distances on the way to a matching reaches half of it (``push_board.distances``)."""
PLAYER, BOXES = np.uint64(48), np.uint64((1 << 48) - 1)
"""Where the player stands in the last word of a key, and the boxes there."""


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
    key[words - 1] |= np.uint64(player) << PLAYER


@kernel("i8(u8[:,::1], i8, i8, i8, i4[::1])")
def unpack(keys: U8x2, index: int, live: int, words: int, boxes: I4) -> int:
    """Read the boxes of a stored state in ascending order; return its player cell."""
    count = 0
    for cell in range(live):
        if (keys[index, cell >> 6] >> np.uint64(cell & 63)) & np.uint64(1):
            boxes[count] = cell
            count += 1
    return int(np.int64(keys[index, words - 1] >> PLAYER))


@kernel("b1(i8, i8, i4[:,::1], Matching, Augmenting)")
def assign(row: int, k: int, dist: I4x2, match: Matching, path: Augmenting) -> bool:
    """Give one more box a goal at least cost (shortest augmenting path); False if the goals do not suffice.

    Long: one pass of Jonker and Volgenant's loop (1987), which shares all it looks up.
    """
    state, u, v, row_of = match.state, match.u, match.v, match.row_of
    least, way, used = path.least, path.way, path.used
    best = INF * 4
    for j in range(k):
        best = min(best, dist[state[row], j] - v[j])
        least[j] = INF * 4
        used[j] = 0
    # Step 1. The row's dual variable makes its cheapest goal tight
    u[row] = best
    used[k] = 0
    row_of[k] = row
    v[k] = 0
    at = k
    # Step 2. Dijkstra's algorithm over reduced costs, until a goal is free
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
        # Step 3. Dual variables along the tree, so that its edges stay tight
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
    # Step 4. Augment along the path found
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
