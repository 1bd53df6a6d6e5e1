"""The order of a beam search, compiled: depths in turn, of each the state that looks nearest to an end and is not familiar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core.jit import kernel
from sokoasp.sokoban.search.kernels.buckets import unlink
from sokoasp.sokoban.search.model.registers import SWEEPS_A_STEP, R

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.records import I4, I8, States


@kernel("b1(i8[::1], States, i4[::1], i8)")
def familiar(r: I8, s: States, boxes: I4, rest: int) -> bool:
    """Return whether the box that has moved stood with each other box on these cells in some state with the same bound.

    Such a state has no *novelty* (Lipovetzky and Geffner 2017: novelty 2, states being classed by their bound). Its pairs are
    noted. Where there are fewer classes than bounds some bounds share one.
    """
    moved, live, row, old = int(boxes[r[R.MOVED]]), r[R.LIVE], rest % len(s.pairs), True
    for i in range(r[R.BOXES]):
        other = int(boxes[i])
        pair = min(moved, other) * live + max(moved, other)
        word, bit = pair >> 6, np.uint64(1) << np.uint64(pair & 63)
        if s.pairs[row, word] & bit == np.uint64(0):
            s.pairs[row, word] |= bit
            old = False
    return old


@kernel("i8(States)")
def least_cost(s: States) -> int:
    """Return the least f among the first open states of all buckets, -1 when none is left."""
    least = -1
    for bucket in range(len(s.head)):
        first = int(s.head[bucket])
        if first >= 0 and (least < 0 or s.spent[first] + s.ahead[first] < least):
            least = s.spent[first] + s.ahead[first]
    return least


@kernel("i8(i8[::1], States)")
def next_in_beam(r: I8, s: States) -> int:
    """Take the open state that looks nearest to an end at the next depth out of its bucket; -1 when none is left.

    Depths take turns: after n sweeps over all of them a beam of n states has gone to each (anytime beam search, as in rectangle
    search; Lemons, Ruml, Holte and Linares Lopez 2024). States whose f is above a horizon, which rises with the sweeps, wait.
    """
    stride = r[R.STRIDE]
    while True:
        horizon = r[R.HORIZON] + r[R.SWEEPS] // SWEEPS_A_STEP
        for bucket in range(r[R.BUCKET], min(len(s.head), (horizon + 1) * stride)):
            first = int(s.head[bucket])
            if first >= 0 and s.spent[first] + s.ahead[first] <= horizon:
                r[R.BUCKET], r[R.TAKEN] = (bucket // stride + 1) * stride, 1
                unlink(first, s.bucket_of, s.following, s.previous, s.head)
                return first
        # a sweep that has taken nothing: all open states lie above the horizon, or there is none
        if not r[R.TAKEN]:
            least = least_cost(s)
            if least < 0:
                return -1
            r[R.HORIZON] += max(least - horizon, 0)
        r[R.BUCKET], r[R.TAKEN] = 0, 0
        r[R.SWEEPS] += 1
