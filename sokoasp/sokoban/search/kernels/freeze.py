"""Boxes that never move again, compiled: which they are, and which goals they leave out of reach."""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U1, I4x2


@kernel("b1(i4[:,::1], u1[::1], i8, i8)")
def wedged(neighbour: I4x2, occ: U1, live: int, cell: int) -> bool:
    """Return whether a box on a cell has something beside it along both axes, so that it may be frozen."""
    a, b, c, d = neighbour[cell, 0], neighbour[cell, 1], neighbour[cell, 2], neighbour[cell, 3]
    across = occ[a] or occ[b] or (a >= live and b >= live)
    along = occ[c] or occ[d] or (c >= live and d >= live)
    return bool(across and along)


@kernel("i8(i8, i4[::1], i8, i4[:,::1], i8, u1[::1])")
def settled(k: int, boxes: I4, moved: int, neighbour: I4x2, live: int, flag: U1) -> int:
    """Flag the boxes that can never move again and count them.

    They are the largest set in which each box is blocked along both axes by a wall, by another box of the set, or by dead
    cells on both sides: none of them can be the first to move. 0 is returned as soon as the box on the cell ``moved`` can move;
    the wall sentinel asks for all. ``flag`` is 1 on the sentinel and on no cell before; the flags of boxes stay set.
    """
    count = 0
    for i in range(k):
        flag[boxes[i]] = 1
    changed = True
    # a greatest fixed point: whoever can move is taken out, until nobody can
    while changed and flag[moved]:
        changed = False
        count = 0
        for i in range(k):
            c = boxes[i]
            if flag[c]:
                if wedged(neighbour, flag, live, c):
                    count += 1
                else:
                    flag[c] = 0
                    changed = True
    return count if flag[moved] else 0


@kernel("i8(i8, i4[::1], i8, i4[:,::1], i8, u1[::1], u1[::1])")
def frozen(k: int, boxes: I4, moved: int, neighbour: I4x2, live: int, target: U1, flag: U1) -> int:
    """Count the boxes off goal that can never move again, given that one of them was just moved to ``moved``; clear the flags."""
    count = 0
    if settled(k, boxes, moved, neighbour, live, flag) > 0:
        for i in range(k):
            count += flag[boxes[i]] and target[boxes[i]] == 0
    for i in range(k):
        flag[boxes[i]] = 0
    return count


@kernel("i8(i4[:,::1], u1[::1], i8, i4[::1], u1[::1])")
def peel(neighbour: I4x2, walls: U1, live: int, goals: I4, stays: U1) -> int:
    """Flag the goals whose boxes could not be taken off the solved board by pulls, whatever is taken off before; return how many.

    Such a goal is filled by no push, so its box stands there already or never will. ``walls`` is 1 on the sentinel and on boxes
    that never move again: goals under them are left out. ``stays`` is all 0 before (1 on the sentinel) and gets 1 on such goals.
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
            # pulled off with the goals still flagged in the way? Then this goal is struck off
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
