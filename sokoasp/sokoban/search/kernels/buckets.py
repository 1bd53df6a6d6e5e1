"""A bucket queue, compiled: each bucket is a doubly linked list through arrays, last in, first out."""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4


@kernel("void(i8, i8, i4[::1], i4[::1], i4[::1], i4[::1])")
def link(index: int, priority: int, bucket_of: I4, following: I4, previous: I4, head: I4) -> None:
    """Put a state in front of its bucket."""
    bucket_of[index] = priority
    first = head[priority]
    following[index] = first
    previous[index] = -1
    if first >= 0:
        previous[first] = index
    head[priority] = index


@kernel("void(i8, i4[::1], i4[::1], i4[::1], i4[::1])")
def unlink(index: int, bucket_of: I4, following: I4, previous: I4, head: I4) -> None:
    """Take a state out of its bucket; its ``previous`` becomes -2, the sign of a closed state."""
    if previous[index] >= 0:
        following[previous[index]] = following[index]
    else:
        head[bucket_of[index]] = following[index]
    if following[index] >= 0:
        previous[following[index]] = previous[index]
    previous[index] = -2
