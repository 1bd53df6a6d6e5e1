"""Kernels that count states: every box set with its player regions, and the states that pushes lead to.

Cells are numbers 0 to n - 1; ``near[cell, d]`` is the neighbour in direction d (opposite directions are d and d ^ 1) or n. A
state is one 64-bit key: the rank of its box set among all box sets of that size, times n, plus the smallest cell of the
player's region. The caller sees to it that C(n, boxes) * n fits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sokoasp.core.jit import kernel

Array = np.ndarray[Any, np.dtype[Any]]
DONE, MORE, GROW = 0, 1, 2
"""What ``spread`` and ``count_regions`` answer: nothing is left, the slice is used up, or the arrays must grow first."""


@kernel("int64(int32[:, :], uint8[:], int32[:], int64)")
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


@kernel("int64(int32[:, :], int32[:], uint8[:], int32[:], int64, int64[:])")
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


@kernel("int64(int32[:], uint64[:, :])")
def rank(chosen: Array, binomial: Array) -> int:
    """Return the place of a sorted box set among all of its size (combinatorial number system)."""
    total = np.uint64(0)
    for box in range(chosen.shape[0]):
        total += binomial[chosen[box], box + 1]
    return int(total)


@kernel("void(int64, int32[:], uint64[:, :])")
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


@kernel("void(int64[:], int64, int32[:])")
def rehash(keys: Array, size: int, table: Array) -> None:
    """Enter the first ``size`` keys into an empty table (-1 everywhere)."""
    mask = table.shape[0] - 1
    for at in range(size):
        place = slot(keys[at], mask)
        while table[place] >= 0:
            place = (place + 1) & mask
        table[place] = at


@kernel(
    "int64(int32[:, :], uint64[:, :], int64[:], int32[:], int32[:], int32[:], uint8[:], uint8[:], int32[:], int64, int64[:])"
)
def spread(
    near: Array,
    binomial: Array,
    keys: Array,
    table: Array,
    chosen: Array,
    moved: Array,
    seen: Array,
    area: Array,
    stack: Array,
    most: int,
    at: Array,
) -> int:
    """Expand up to ``most`` states in the order met, entering new ones into ``keys`` and ``table``.

    ``at`` is [next state to expand, states known, sum of the region sizes of the expanded ones]; ``chosen`` and ``moved`` have a
    place a box, ``seen`` and ``area`` n + 1, ``stack`` n.
    """
    n, boxes, mask = near.shape[0], chosen.shape[0], table.shape[0] - 1
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
        at[2] += fill(near, area, stack, key % n)
        for box in range(boxes):
            area[chosen[box]] = 2
        for box in range(boxes):
            for d in range(4):
                behind, to = near[chosen[box], d ^ 1], near[chosen[box], d]
                if behind == n or to == n or area[behind] != 1 or area[to] == 2:
                    continue
                size = 0
                for other in range(boxes):
                    if other != box:
                        moved[size] = chosen[other]
                        size += 1
                while size > 0 and moved[size - 1] > to:
                    moved[size] = moved[size - 1]
                    size -= 1
                moved[size] = to
                for cell in range(n):
                    seen[cell] = 0
                seen[n] = 1
                for other in range(boxes):
                    seen[moved[other]] = 1
                first = n
                for step in range(fill(near, seen, stack, chosen[box])):
                    first = min(first, stack[step])
                after = rank(moved, binomial) * n + first
                place = slot(after, mask)
                while table[place] >= 0 and keys[table[place]] != after:
                    place = (place + 1) & mask
                if table[place] < 0:
                    table[place] = at[1]
                    keys[at[1]] = after
                    at[1] += 1
    return MORE
