"""Boxes that never move again, compiled: which they are, and which goals they leave out of reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.jit import kernel

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.records import I4, U1, I4x2


@kernel("b1(i4[:,::1], u1[::1], i8, i8)")
def wedged(neighbour: I4x2, occ: U1, live: int, cell: int) -> bool:
    """Return whether a box on a cell has something beside it along both axes, so that it may be frozen."""
    a, b, c, d = neighbour[cell, 0], neighbour[cell, 1], neighbour[cell, 2], neighbour[cell, 3]
    across = occ[a] or occ[b] or (a >= live and b >= live)
    along = occ[c] or occ[d] or (c >= live and d >= live)
    return bool(across and along)


@kernel("i8(i4[:,::1], i4[::1], i8, u1[::1])")
def settled(neighbour: I4x2, boxes: I4, live: int, flag: U1) -> int:
    """Flag the boxes that can never move again: the largest set in which each is blocked along both axes; count them.

    ``flag`` is 1 on the wall sentinel and on no cell; the flags stay set.
    """
    count = 0
    for i in range(len(boxes)):
        flag[boxes[i]] = 1
    changed = True
    while changed:
        changed = False
        count = 0
        for i in range(len(boxes)):
            c = boxes[i]
            if flag[c]:
                if wedged(neighbour, flag, live, c):
                    count += 1
                else:
                    flag[c] = 0
                    changed = True
    return count


@kernel("i8(i4[:,::1], u1[::1], i8, i4[::1], u1[::1])")
def peel(neighbour: I4x2, walls: U1, live: int, goals: I4, stays: U1) -> int:
    """Flag the goals whose boxes could not be taken off the solved board by pulls, whatever is taken off before.

    Such a goal is filled by no push, so its box stands there already or never will.

    Args:
        neighbour: Cell beside a cell.
        walls: 1 on the sentinel and on boxes that never move again.
        live: Boxes stay on cells below this.
        goals: Their cells.
        stays: All 0 (1 on the sentinel) before; gets 1 on such goals. Those under ``walls`` are left out.

    Returns:
        How many there are.
    """
    count = 0
    for g in range(len(goals)):
        if walls[goals[g]] == 0:
            stays[goals[g]] = 1
            count += 1
    changed = True
    while changed:
        changed = False
        for g in range(len(goals)):
            c = goals[g]
            if stays[c] == 0:
                continue
            for d in range(4):
                to = neighbour[c, d]
                if to >= live or stays[to] or walls[to]:
                    continue
                beyond = neighbour[to, d]
                if stays[c] and stays[beyond] == 0 and walls[beyond] == 0:
                    stays[c] = 0
                    count -= 1
                    changed = True
    return count
