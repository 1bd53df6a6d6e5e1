"""Bounds of a state by boxes that never move again, compiled: the other boxes alone on the floor without them.

A box is fixed if along both axes a wall or another fixed box is beside it: none of such a set can be the first to move. So in
every plan they stay, the other boxes move as on the floor without these cells, and what each of those costs alone there adds up.
docs/certificates.md (Walls) has the argument.
"""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U1
from sokoasp.proof.bound_kernel import bound
from sokoasp.proof.kernel_records import NEVER, Memory, Tables

CLOSED = 30_000
"""In ``Tables.among``: a box alone there never comes to a goal."""


@kernel("i8(i4[::1], i4[:,::1], u1[::1])")
def fix(cells: I4, beside: I4, flag: U1) -> int:
    """Flag which of some boxes are fixed, the largest set that is so; return how many there are.

    Args:
        cells: The boxes' floor cells.
        beside: (n+1, 4): the cell beside a cell, n for walls; the ways are left, right, up, down.
        flag: (n+1), all 0 before; 1 on fixed boxes, and on n, afterwards.
    """
    flag[len(flag) - 1] = 1
    for i in range(len(cells)):
        flag[cells[i]] = 1
    count, before = len(cells), -1
    while count != before:
        before = count
        for i in range(len(cells)):
            c = cells[i]
            across = flag[beside[c, 0]] or flag[beside[c, 1]]
            along = flag[beside[c, 2]] or flag[beside[c, 3]]
            if flag[c] and not (across and along):
                flag[c] = 0
                count -= 1
    return int(count)


@kernel("i8(i8, i4[::1], i8, Tables, Memory)")
def walled(k: int, boxes: I4, player: int, t: Tables, s: Memory) -> int:
    """Return the best of the bounds among fixed boxes, prices of all goals included; NEVER if one says that there is no plan."""
    best, width = 0, t.fixed.shape[1]
    for i in range(k):
        s.spot[boxes[i]] = 1
    for w in range(len(t.fixed)):
        size = 0
        while size < width and t.fixed[w, size] >= 0 and s.spot[t.fixed[w, size]]:
            size += 1
        if size < width and t.fixed[w, size] >= 0:
            continue
        total = int(t.less[w])
        for x in range(size):
            s.spot[t.fixed[w, x]] = 2
        for i in range(k):
            if s.spot[boxes[i]] == 1 and total < NEVER:
                entry = int(t.among[w, boxes[i], player])
                total = NEVER if entry == CLOSED else total + entry
        for x in range(size):
            s.spot[t.fixed[w, x]] = 1
        best = max(best, min(total, NEVER))
    for i in range(k):
        s.spot[boxes[i]] = 0
    return int(best)


@kernel("i8(i8, i8, i4[::1], i8, i8, Tables, Memory)")
def best_bound(k: int, largest: int, boxes: I4, player: int, wanted: int, t: Tables, s: Memory) -> int:
    """Return a lower bound on what a state costs, as ``bound_kernel.bound``, or among fixed boxes where that is more."""
    least = bound(k, largest, boxes, player, wanted, t, s)
    if least < wanted and len(t.fixed) > 0:
        least = max(least, walled(k, boxes, player, t, s))
    return int(least)
