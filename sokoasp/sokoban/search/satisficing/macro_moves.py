"""Macro pushes and pulls, compiled: everywhere one box can be brought while the others stand.

With the box lifted off the board, two neighbours of a cell are on the same side of it exactly when the edges to them lie in the
same biconnected block of the free floor. So one labelling of blocks answers "can the player walk round?" for all cells of a
macro at once. A place of a box is written ``4 * cell + d``: the player is on the side of the neighbour in direction ``d``, the
first direction of that side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.jit import kernel
from sokoasp.sokoban.search.satisficing.macro_registers import (
    W_CAME,
    W_DISC,
    W_EDGES,
    W_ENTRY,
    W_LABEL,
    W_LOW,
    W_PUSHES,
    W_QUEUE,
    W_SEEN,
    W_STACK,
    W_TURN,
)

if TYPE_CHECKING:
    from sokoasp.sokoban.search.satisficing.macro_registers import I4, U1


@kernel("i8(i4[:,::1], u1[::1], i8, i4[:,::1])")
def blocks(neighbour: I4, occ: U1, root: int, w: I4) -> int:
    """Label the edges of the free floor around ``root`` by biconnected block, from 1; 0 where there is no edge.

    ``w[W_LABEL]`` gets the labels by ``4 * cell + d``. Depth first without recursion (Hopcroft and Tarjan 1973).

    Long: the going down and the coming back of one search, which share its stack.

    Returns:
        The number of blocks.
    """
    n = len(occ) - 1
    for c in range(n):
        w[W_DISC, c] = 0
    w[W_DISC, root], w[W_LOW, root], w[W_TURN, root], w[W_ENTRY, root] = 1, 1, 0, -1
    for d in range(4):
        w[W_LABEL, 4 * root + d] = 0
    clock, top, held, count = 1, 0, 0, 0
    w[W_STACK, 0] = root
    while top >= 0:
        u = w[W_STACK, top]
        d = w[W_TURN, u]
        if d < 4:
            w[W_TURN, u] = d + 1
            v = neighbour[u, d]
            if occ[v]:
                continue
            if w[W_DISC, v] == 0:
                clock += 1
                w[W_DISC, v], w[W_LOW, v], w[W_TURN, v], w[W_ENTRY, v] = clock, clock, 0, d
                for e in range(4):
                    w[W_LABEL, 4 * v + e] = 0
                w[W_EDGES, held] = 4 * u + d
                held += 1
                top += 1
                w[W_STACK, top] = v
            elif w[W_DISC, v] < w[W_DISC, u] and d != (w[W_ENTRY, u] ^ 1):
                w[W_EDGES, held] = 4 * u + d
                held += 1
                w[W_LOW, u] = min(w[W_LOW, u], w[W_DISC, v])
            continue
        top -= 1
        if top < 0:
            break
        p = w[W_STACK, top]
        w[W_LOW, p] = min(w[W_LOW, p], w[W_LOW, u])
        if w[W_LOW, u] >= w[W_DISC, p]:
            count += 1
            last = 4 * p + w[W_ENTRY, u]
            edge = -1
            while edge != last:
                held -= 1
                edge = w[W_EDGES, held]
                w[W_LABEL, edge] = count
                w[W_LABEL, 4 * neighbour[edge >> 2, edge & 3] + ((edge & 3) ^ 1)] = count
    return count


@kernel("i8(i4[:,::1], i8, i8)")
def place(w: I4, cell: int, label: int) -> int:
    """Return the place of a box on ``cell`` with the player on the side of this block."""
    for d in range(4):
        if w[W_LABEL, 4 * cell + d] == label:
            return 4 * cell + d
    return -1


@kernel("i8(i4[:,::1], u1[::1], i8, i8, i8, i8, i8, i4[:,::1])")
def journeys(neighbour: I4, occ: U1, live: int, start: int, allowed: int, reverse: int, stamp: int, w: I4) -> int:
    """List the places one lifted box can be brought to, fewest pushes (pulls) first, after :func:`blocks`.

    Args:
        neighbour: Cell beside a cell.
        occ: 1 on the other boxes and the wall sentinel.
        live: Boxes stay on cells below this.
        start: Its place now.
        allowed: Directions (bits) of the first push; pulls are not restricted.
        reverse: 1 for pulls.
        stamp: A number never used before with this scratch.
        w: Scratch; ``W_QUEUE`` gets the places, ``W_PUSHES`` and ``W_CAME`` (by place) the pushes and the place before.

    Returns:
        How many places, the start included.
    """
    w[W_QUEUE, 0] = start
    # a place is a cell and the block beside it in which the player stands: walking round the box is free within a block
    w[W_SEEN, start], w[W_PUSHES, start], w[W_CAME, start] = stamp, 0, -1
    head, tail = 0, 1
    while head < tail:
        at = w[W_QUEUE, head]
        head += 1
        c, side = at >> 2, w[W_LABEL, at]
        for d in range(4):
            to = neighbour[c, d]
            if to >= live or occ[to]:
                continue
            if reverse:
                if w[W_LABEL, 4 * c + d] != side or occ[neighbour[to, d]]:
                    continue
                after = place(w, to, w[W_LABEL, 4 * to + d])
            else:
                if w[W_LABEL, 4 * c + (d ^ 1)] != side or (at == start and head == 1 and not (allowed >> d) & 1):
                    continue
                after = place(w, to, w[W_LABEL, 4 * to + (d ^ 1)])
            if w[W_SEEN, after] != stamp:
                w[W_SEEN, after], w[W_PUSHES, after], w[W_CAME, after] = stamp, w[W_PUSHES, at] + 1, at
                w[W_QUEUE, tail] = after
                tail += 1
    return tail
