"""Macro pushes and pulls, compiled: everywhere one box can be brought while the others stand.

With the box lifted off the board, two neighbours of a cell are on the same side of it exactly when the edges to them lie in the
same biconnected block of the free floor. So one labelling of blocks answers "can the player walk round?" for all cells of a
macro at once. A place of a box is written ``4 * cell + d``: the player is on the side of the neighbour in direction ``d``, the
first direction of that side.
"""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U1
from sokoasp.sokoban.search.satisficing.macro_registers import W


@kernel("i8(i4[:,::1], u1[::1], i8, i4[:,::1])")
def blocks(neighbour: I4, occ: U1, root: int, w: I4) -> int:
    """Label the edges of the free floor around ``root`` by biconnected block, from 1; 0 where there is no edge.

    ``w[W.LABEL]`` gets the labels by ``4 * cell + d``. Depth first without recursion (Hopcroft and Tarjan 1973).

    Long: the going down and the coming back of one search, which share its stack.

    Returns:
        The number of blocks.
    """
    n = len(occ) - 1
    for c in range(n):
        w[W.DISC, c] = 0
    w[W.DISC, root], w[W.LOW, root], w[W.TURN, root], w[W.ENTRY, root] = 1, 1, 0, -1
    for d in range(4):
        w[W.LABEL, 4 * root + d] = 0
    clock, top, held, count = 1, 0, 0, 0
    w[W.STACK, 0] = root
    while top >= 0:
        u = w[W.STACK, top]
        d = w[W.TURN, u]
        if d < 4:
            w[W.TURN, u] = d + 1
            v = neighbour[u, d]
            if occ[v]:
                continue
            if w[W.DISC, v] == 0:
                clock += 1
                w[W.DISC, v], w[W.LOW, v], w[W.TURN, v], w[W.ENTRY, v] = clock, clock, 0, d
                for e in range(4):
                    w[W.LABEL, 4 * v + e] = 0
                w[W.EDGES, held] = 4 * u + d
                held += 1
                top += 1
                w[W.STACK, top] = v
            elif w[W.DISC, v] < w[W.DISC, u] and d != (w[W.ENTRY, u] ^ 1):
                w[W.EDGES, held] = 4 * u + d
                held += 1
                w[W.LOW, u] = min(w[W.LOW, u], w[W.DISC, v])
            continue
        top -= 1
        if top < 0:
            break
        p = w[W.STACK, top]
        w[W.LOW, p] = min(w[W.LOW, p], w[W.LOW, u])
        if w[W.LOW, u] >= w[W.DISC, p]:
            count += 1
            last = 4 * p + w[W.ENTRY, u]
            edge = -1
            while edge != last:
                held -= 1
                edge = w[W.EDGES, held]
                w[W.LABEL, edge] = count
                w[W.LABEL, 4 * neighbour[edge >> 2, edge & 3] + ((edge & 3) ^ 1)] = count
    return count


@kernel("i8(i4[:,::1], i8, i8)")
def place(w: I4, cell: int, label: int) -> int:
    """Return the place of a box on ``cell`` with the player on the side of this block."""
    for d in range(4):
        if w[W.LABEL, 4 * cell + d] == label:
            return 4 * cell + d
    return -1


@kernel("i8(i4[:,::1], u1[::1], i8, i8, i8, i8, i8, i4[:,::1])")
def journeys(neighbour: I4, occ: U1, live: int, start: int, allowed: int, reverse: int, stamp: int, w: I4) -> int:
    """List the places one lifted box can be brought to, fewest pushes (pulls) first, after :func:`blocks`; return how many.

    ``occ`` is 1 on the other boxes and the wall sentinel; boxes stay on cells below ``live``; ``allowed`` are the directions
    (bits) of the first push, pulls are not restricted; ``stamp`` was never used before with this scratch. ``W.QUEUE`` gets the
    places, the start first; ``W.PUSHES`` and ``W.CAME`` (by place) get the pushes and the place before.
    """
    w[W.QUEUE, 0] = start
    # a place is a cell and the block beside it in which the player stands: walking round the box is free within a block
    w[W.SEEN, start], w[W.PUSHES, start], w[W.CAME, start] = stamp, 0, -1
    head, tail = 0, 1
    while head < tail:
        at = w[W.QUEUE, head]
        head += 1
        c, side = at >> 2, w[W.LABEL, at]
        for d in range(4):
            to = neighbour[c, d]
            if to >= live or occ[to]:
                continue
            if reverse:
                if w[W.LABEL, 4 * c + d] != side or occ[neighbour[to, d]]:
                    continue
                after = place(w, to, w[W.LABEL, 4 * to + d])
            else:
                if w[W.LABEL, 4 * c + (d ^ 1)] != side or (at == start and head == 1 and not (allowed >> d) & 1):
                    continue
                after = place(w, to, w[W.LABEL, 4 * to + (d ^ 1)])
            if w[W.SEEN, after] != stamp:
                w[W.SEEN, after], w[W.PUSHES, after], w[W.CAME, after] = stamp, w[W.PUSHES, at] + 1, at
                w[W.QUEUE, tail] = after
                tail += 1
    return tail
