"""Kernels that count states: every box set with its player regions, and the states that pushes lead to.

Cells are numbers 0 to n - 1; ``near[cell, d]`` is the neighbour in direction d (opposite directions are d and d ^ 1) or n. A
state is one 64-bit key: the rank of its box set among all box sets of that size, times n, plus the smallest cell of the
player's region. The caller sees to it that C(n, boxes) * n fits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sokoasp.core.kernels import kernel, record

if TYPE_CHECKING:
    import numpy.typing as npt

    I4 = npt.NDArray[np.int32]
    U1 = npt.NDArray[np.uint8]

Array = np.ndarray[Any, np.dtype[Any]]
DONE, MORE, GROW = 0, 1, 2
"""What ``spread`` and ``count_regions`` answer: nothing is left, the slice is used up, or the arrays must grow first."""


@kernel("int64(int32[:, ::1], uint8[::1], int32[::1], int64)")
def fill(near: Array, seen: Array, stack: Array, start: int) -> int:
    """Flood from a cell over cells not seen, mark them, leave them in ``stack``; return how many there are."""
    seen[start] = 1
    stack[0] = start
    top, size = 0, 1
    while top < size:
        cell = stack[top]
        top += 1
        for d in range(4):
            to = near[cell, d]
            if not seen[to]:
                seen[to] = 1
                stack[size] = to
                size += 1
    return size


@kernel("int64(int32[:, ::1], int32[::1], uint8[::1], int32[::1], int64, int64[::1])")
def count_regions(near: Array, chosen: Array, seen: Array, stack: Array, most: int, total: Array) -> int:
    """Add the regions that up to ``most`` box sets leave to ``total[0]``, from the set ``chosen`` on; it is moved on in place."""
    n, boxes = near.shape[0], chosen.shape[0]
    for _ in range(most):
        for cell in range(n):
            seen[cell] = 0
        seen[n] = 1
        for box in range(boxes):
            seen[chosen[box]] = 1
        for cell in range(n):
            if not seen[cell]:
                fill(near, seen, stack, cell)
                total[0] += 1
        last = boxes - 1
        while last >= 0 and chosen[last] == n - boxes + last:
            last -= 1
        if last < 0:
            return DONE
        chosen[last] += 1
        for box in range(last + 1, boxes):
            chosen[box] = chosen[box - 1] + 1
    return MORE


@kernel("int64(int32[::1], uint64[:, ::1])")
def rank(chosen: Array, binomial: Array) -> int:
    """Return the place of a sorted box set among all of its size (combinatorial number system)."""
    total = np.uint64(0)
    for box in range(chosen.shape[0]):
        total += binomial[chosen[box], box + 1]
    return int(total)


@kernel("void(int64, int32[::1], uint64[:, ::1])")
def unrank(place: int, chosen: Array, binomial: Array) -> None:
    """Write the box set with this rank, sorted."""
    left = np.uint64(place)
    cell = binomial.shape[0] - 1
    for box in range(chosen.shape[0] - 1, -1, -1):
        while binomial[cell, box + 1] > left:
            cell -= 1
        left -= binomial[cell, box + 1]
        chosen[box] = cell


@kernel("int64(int64, int64)")
def slot(key: int, mask: int) -> int:
    """Return the first place in the table to look for a key."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return int(mixed >> np.uint64(20)) & mask


@kernel("void(int64[::1], int64, int32[::1])")
def rehash(keys: Array, size: int, table: Array) -> None:
    """Enter the first ``size`` keys into an empty table (-1 everywhere)."""
    mask = table.shape[0] - 1
    for at in range(size):
        place = slot(keys[at], mask)
        while table[place] >= 0:
            place = (place + 1) & mask
        table[place] = at


@record
class Counting(NamedTuple):
    """Scratch of a count."""

    chosen: I4
    """(boxes): the box set in hand, ascending."""
    moved: I4
    """(boxes): the same after a push."""
    seen: U1
    """(n+1)."""
    area: U1
    """(n+1): 1 where the player gets to, 2 on boxes."""
    stack: I4
    """(n)."""


@kernel("void(int64, int64, Counting)")
def push(box: int, to: int, s: Counting) -> None:
    """Write the box set with one box on another cell into ``moved``, ascending."""
    size = 0
    for other in range(s.chosen.shape[0]):
        if other != box:
            s.moved[size] = s.chosen[other]
            size += 1
    while size > 0 and s.moved[size - 1] > to:
        s.moved[size] = s.moved[size - 1]
        size -= 1
    s.moved[size] = to


@kernel("int64(int64, int32[:, ::1], Counting)")
def home(box: int, near: Array, s: Counting) -> int:
    """Return the smallest cell of the player's region after a push: the player stands where the box was."""
    first, n = near.shape[0], near.shape[0]
    for cell in range(n):
        s.seen[cell] = 0
    s.seen[n] = 1
    for other in range(s.moved.shape[0]):
        s.seen[s.moved[other]] = 1
    for step in range(fill(near, s.seen, s.stack, s.chosen[box])):
        first = min(first, s.stack[step])
    return int(first)


@kernel("void(int64, int64[::1], int32[::1], int64[::1])")
def enter(key: int, keys: Array, table: Array, at: Array) -> None:
    """Enter a state unless it is known."""
    mask = table.shape[0] - 1
    place = slot(key, mask)
    while table[place] >= 0 and keys[table[place]] != key:
        place = (place + 1) & mask
    if table[place] < 0:
        table[place] = at[1]
        keys[at[1]] = key
        at[1] += 1


@kernel("int64(int32[:, ::1], uint64[:, ::1], int64[::1], int32[::1], Counting, int64, int64[::1])")
def spread(near: Array, binomial: Array, keys: Array, table: Array, s: Counting, most: int, at: Array) -> int:
    """Expand up to ``most`` states in the order met, entering new ones into ``keys`` and ``table``.

    ``at`` is [next state to expand, states known, sum of the region sizes of the expanded ones].
    """
    n, boxes, chosen, area = near.shape[0], s.chosen.shape[0], s.chosen, s.area
    for _ in range(most):
        if at[0] == at[1]:
            return DONE
        if at[1] + 4 * boxes > keys.shape[0] or 10 * (at[1] + 4 * boxes) > 7 * table.shape[0]:
            return GROW
        key = keys[at[0]]
        at[0] += 1
        unrank(key // n, chosen, binomial)
        for cell in range(n):
            area[cell] = 0
        area[n] = 1
        for box in range(boxes):
            area[chosen[box]] = 1
        at[2] += fill(near, area, s.stack, key % n)
        for box in range(boxes):
            area[chosen[box]] = 2
        for box in range(boxes):
            for d in range(4):
                behind, to = near[chosen[box], d ^ 1], near[chosen[box], d]
                if behind != n and to != n and area[behind] == 1 and area[to] != 2:
                    push(box, to, s)
                    enter(rank(s.moved, binomial) * n + home(box, near, s), keys, table, at)
    return MORE
