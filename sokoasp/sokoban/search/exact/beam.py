"""The order of a beam search, compiled: depths in turn, of each the state with the least bound."""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.sokoban.search.kernels.buckets import unlink
from sokoasp.sokoban.search.model.records import SWEEPS_A_STEP, Registers, States


@kernel("i8(i8, States)")
def least_cost(stride: int, s: States) -> int:
    """Return the least f of all open states, -1 when none is left."""
    least = -1
    for bucket in range(len(s.head)):
        cost = bucket // stride + bucket % stride
        if s.head[bucket] >= 0 and (least < 0 or cost < least):
            least = cost
    return least


@kernel("i8(i8, i8, States)")
def first_open(begin: int, end: int, s: States) -> int:
    """Return the first bucket from ``begin`` to ``end`` with a state, -1 when there is none."""
    for bucket in range(begin, min(end, len(s.head))):
        if s.head[bucket] >= 0:
            return bucket
    return -1


@kernel("i8(Registers, States)")
def next_in_beam(r: Registers, s: States) -> int:
    """Take the open state with the least bound of the next depth out of its bucket; -1 when none is left.

    Depths take turns: after n sweeps over all of them a beam of n states has gone to each (anytime beam search, as in rectangle
    search; Lemons, Ruml, Holte and Linares Lopez 2024). States whose f is above a horizon, which
    rises with the sweeps, wait.
    """
    stride = r.stride
    while True:
        horizon = r.horizon + r.sweeps // SWEEPS_A_STEP
        for depth in range(r.bucket // stride, min(len(s.head) // stride, horizon) + 1):
            begin = depth * stride
            bucket = first_open(begin, begin + min(stride, horizon - depth + 1), s)
            if bucket >= 0:
                r.bucket, r.taken = begin + stride, 1
                index = int(s.head[bucket])
                unlink(index, s.bucket_of, s.following, s.previous, s.head)
                return index
        # a sweep that has taken nothing: all open states lie above the horizon, or there is none
        if not r.taken:
            least = least_cost(stride, s)
            if least < 0:
                return -1
            r.horizon += max(least - horizon, 0)
        r.bucket, r.taken = 0, 0
        r.sweeps += 1
