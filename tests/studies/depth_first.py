"""The kernel of the paper's depth-first search (see ``mistake``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sokoasp.core.kernels import kernel

Array = np.ndarray[Any, np.dtype[Any]]
BOARD, STEPS, KIND, CORNER, NEXT = range(5)
"""Columns of a row of the stack: the board, the steps to it, which piece moved last and to where, the next move to try."""
TOP, BEST, VISITS = range(3)
"""What ``search`` keeps between calls: the top row of the stack (-1 at the end), fewest steps so far, boards entered."""


@kernel("void(int32[:, :, ::1], uint8[::1], int32[::1], int32[:, ::1], int64[::1], int64)")
def search(moves: Array, goal: Array, fewest: Array, stack: Array, now: Array, most: int) -> None:
    """Go on with the search until it ends or ``most`` more boards have been entered.

    ``moves[board, i]`` is (board after, kind, corner from, corner to), -1 where there is none; ``fewest`` the steps to each
    board.
    """
    top, best, until = now[TOP], now[BEST], now[VISITS] + most
    while top >= 0 and now[VISITS] < until:
        row = stack[top]
        if row[NEXT] == moves.shape[1]:
            top -= 1
            continue
        move = moves[row[BOARD], row[NEXT]]
        row[NEXT] += 1
        after = move[0]
        if after < 0:
            continue
        steps = row[STEPS] + 1
        if row[KIND] == move[1] and row[CORNER] == move[2]:
            steps -= 1
        if steps >= best or fewest[after] <= steps:
            continue
        fewest[after] = steps
        now[VISITS] += 1
        if goal[after]:
            best = steps
            continue
        top += 1
        stack[top, BOARD], stack[top, STEPS], stack[top, NEXT] = after, steps, 0
        stack[top, KIND], stack[top, CORNER] = move[1], move[3]
    now[TOP], now[BEST] = top, best
