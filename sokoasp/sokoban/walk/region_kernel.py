"""Where the player can walk to, compiled: the flood that search, satisficing searches and detectors share."""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U1


@kernel("i8(i4[:,::1], u1[::1], i8, i8, i4[::1], i8, i4[::1])")
def region_down_to(neighbour: I4, occ: U1, start: int, least: int, mark: I4, stamp: int, queue: I4) -> int:
    """Put a stamp on the player's region, until ``least`` is met if no cell of it is below that; return its smallest cell.

    Args:
        neighbour: (n+1, 4): the cell beside a cell in each direction, n for a wall.
        occ: (n+1): 1 on boxes and on the wall.
        start: The player's cell.
        least: -1 for the whole region.
        mark: (n+1): gets the stamp.
        stamp: A number that is not in ``mark`` yet.
        queue: Scratch (n).
    """
    mark[start] = stamp
    queue[0] = start
    head, tail, low = 0, 1, start
    while head < tail and low > least:
        cell = queue[head]
        head += 1
        for d in range(4):
            to = neighbour[cell, d]
            if occ[to] == 0 and mark[to] != stamp:
                mark[to] = stamp
                queue[tail] = to
                tail += 1
                low = min(low, to)
    return int(low)


@kernel("i8(i4[:,::1], u1[::1], i8, i4[::1], i8, i4[::1])")
def region(neighbour: I4, occ: U1, start: int, mark: I4, stamp: int, queue: I4) -> int:
    """Put a stamp on the player's region and return its smallest cell (see ``region_down_to``)."""
    return int(region_down_to(neighbour, occ, start, -1, mark, stamp, queue))
