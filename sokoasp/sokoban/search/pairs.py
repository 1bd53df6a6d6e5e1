"""The pair-cost table, compiled: what two boxes cost beyond what each costs alone.

For two boxes alone on the board and the player in one component of the floor around them, the exact cost of serving both,
minus the two single-box costs, minimised over the pairs of targets. A breadth-first search over the two-box states for every
pair of targets; infinite for every pair of targets means that the two can never be part of a solution ("dead pair").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core.jit import kernel
from sokoasp.sokoban.search.kernels import INF

if TYPE_CHECKING:
    import numpy.typing as npt

    I2 = npt.NDArray[np.int16]
    I4 = npt.NDArray[np.int32]
    U1 = npt.NDArray[np.uint8]

PARTS = 8
"""Two boxes cut the floor into at most 7 components."""
FAR = 32767
"""No target pair reached yet."""


@kernel("void(i8, i8, i4[:,::1], u1[:,:,::1], i2[:,:,::1], i4[::1])")
def components(n: int, live: int, neighbour: I4, part: U1, spot: I2, queue: I4) -> None:
    """Number the components around every pair (``part``) and note a cell of each (``spot``, -1 for none)."""
    for a in range(live):
        for b in range(a):
            for c in range(n + 1):
                part[a, b, c] = 255
            for x in range(PARTS):
                spot[a, b, x] = -1
            count = 0
            for start in range(n):
                if part[a, b, start] != 255 or start in (a, b):
                    continue
                part[a, b, start] = count
                spot[a, b, count] = start
                queue[0] = start
                head, tail = 0, 1
                while head < tail:
                    cell = queue[head]
                    head += 1
                    for d in range(4):
                        to = neighbour[cell, d]
                        if to < n and to != a and to != b and part[a, b, to] == 255:
                            part[a, b, to] = count
                            queue[tail] = to
                            tail += 1
                count += 1
            for c in range(n + 1):
                part[b, a, c] = part[a, b, c]
            for x in range(PARTS):
                spot[b, a, x] = spot[a, b, x]


@kernel("i8(i8, i8, i8, i8, i8, b1, b1, i4[:,::1], u1[:,:,::1], i2[:,:,::1], i2[::1], i4[::1])")
def two_boxes(
    n: int,
    live: int,
    one: int,
    two: int,
    player: int,
    lines: bool,
    pushing: bool,
    neighbour: I4,
    part: U1,
    spot: I2,
    cost: I2,
    queue: I4,
) -> int:
    """Compute the cost from all states (a, b, component) to the first box on ``one`` and the second on ``two``.

    Args:
        n: Number of floor cells.
        live: Number of live cells.
        one: Target of the first box.
        two: Target of the second.
        player: Where the player must be in the end; -1 for anywhere.
        lines: Count line pushes instead of single ones.
        pushing: Walk from the target by pushes (tables of the reverse search) instead of pulls.
        neighbour: (n+1, 4).
        part: From ``components``, as ``spot``.
        spot: A cell of each component.
        cost: (live * live * 8), filled here; FAR where there is no way.
        queue: As long as ``cost``.

    Returns:
        The number of states reached; they stand in ``queue``.
    """
    for x in range(len(cost)):
        cost[x] = FAR
    tail = 0
    for x in range(PARTS):
        if spot[one, two, x] >= 0 and (player < 0 or part[one, two, player] == x):
            queue[tail] = (one * live + two) * PARTS + x
            cost[queue[tail]] = 0
            tail += 1
    head = 0
    while head < tail:
        state = int(queue[head])
        head += 1
        x = state % PARTS
        a = state // PARTS // live
        b = state // PARTS % live
        for box in range(2):
            at, other = (a, b) if box == 0 else (b, a)
            for d in range(4):
                stand = int(neighbour[at, d ^ 1 if pushing else d])
                if stand in (n, other) or part[a, b, stand] != x:
                    continue
                to = int(neighbour[at, d])
                while to < live and to != other:
                    beyond = int(neighbour[to, d])
                    if not pushing and beyond in (n, other):
                        break
                    now = int(neighbour[to, d ^ 1]) if pushing else beyond
                    a2, b2 = (to, b) if box == 0 else (a, to)
                    after = (a2 * live + b2) * PARTS + part[a2, b2, now]
                    if cost[after] == FAR:
                        cost[after] = cost[state] + 1
                        queue[tail] = after
                        tail += 1
                    if not lines:
                        break
                    to = beyond
    return tail


@kernel("void(i8, i8, i8, i8, i2[::1], i4[::1], i4[:,::1], i4[:,::1], i2[:,:,::1], i2[:,:,::1])")
def lower(
    live: int, reached: int, i: int, j: int, cost: I2, queue: I4, side: I4, dist: I4, spot: I2, extra: I2
) -> None:
    """Lower the extra cost of all states reached for one pair of targets (columns i and j of ``dist``)."""
    for y in range(reached):
        state = int(queue[y])
        x = state % PARTS
        a = state // PARTS // live
        b = state // PARTS % live
        player = spot[a, b, x]
        alone = dist[side[a, player], i] + dist[side[b, player], j]
        if alone < INF >> 1:
            more = cost[state] - alone
            if more < extra[a, b, x]:
                extra[a, b, x] = more
                extra[b, a, x] = more


@kernel("void(i8, i2[:,:,::1], i2[:,:,::1], u1[:,::1])")
def finish(live: int, spot: I2, extra: I2, any_pair: U1) -> None:
    """Turn "never reached" into -1 and mark the pairs that cost anything."""
    for a in range(live):
        for b in range(live):
            any_pair[a, b] = 0
            for x in range(PARTS):
                if a == b or spot[a, b, x] < 0:
                    extra[a, b, x] = 0
                elif extra[a, b, x] == FAR:
                    extra[a, b, x] = -1
                if extra[a, b, x] != 0:
                    any_pair[a, b] = 1
