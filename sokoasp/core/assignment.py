"""Least-cost assignment of rows to columns, with the potentials that prove it least (Jonker and Volgenant 1987).

The compiled search has the same algorithm over arrays (``primitives.assign``), which is tested against this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Assigned(NamedTuple):
    """A cheapest assignment."""

    total: int
    columns: tuple[int, ...]
    """The column of each row."""
    potentials: tuple[int, ...]
    """Of each column, never positive: with those of the rows they add up to the total, and to no more than any one cost."""


def assign(cost: Sequence[Sequence[int | None]]) -> Assigned | None:
    """Give every row a column of its own at the least total cost; None if there is no such assignment.

    Args:
        cost: (rows, columns); None entries are forbidden.
    """
    rows, columns = len(cost), len(cost[0]) if cost else 0
    if rows > columns:
        return None
    price, far = filled(cost)
    u, v, row_of = [0] * (rows + 1), [0] * (columns + 1), [0] * (columns + 1)
    for row in range(1, rows + 1):
        row_of[0] = row
        _augment(price, far, u, v, row_of)
    column_of = {row_of[column]: column for column in range(1, columns + 1) if row_of[column]}
    chosen = tuple(column_of[row] - 1 for row in range(1, rows + 1))
    total = 0
    for entries, column in zip(cost, chosen, strict=True):
        entry = entries[column]
        if entry is None:
            return None
        total += entry
    return Assigned(total, chosen, tuple(v[1:]))


def filled(cost: Sequence[Sequence[int | None]]) -> tuple[list[list[int]], int]:
    """Return the costs with a number in place of None that is more than any assignment costs, and that number."""
    far = (1 + sum(max((c for c in row if c is not None), default=0) for row in cost)) * (len(cost) + 1)
    return [[far if c is None else c for c in row] for row in cost], far


def _augment(price: list[list[int]], far: int, u: list[int], v: list[int], row_of: list[int]) -> None:
    """Assign the row in ``row_of[0]`` along a shortest path; rows and columns count from 1."""
    columns = len(v) - 1
    least, way, used = [far * 4] * (columns + 1), [0] * (columns + 1), [False] * (columns + 1)
    at = 0
    while row_of[at]:
        used[at] = True
        here, delta, after = row_of[at], far * 8, 0
        row, mine = price[here - 1], u[here]
        for column in range(1, columns + 1):
            if used[column]:
                continue
            reduced = row[column - 1] - mine - v[column]
            if reduced < least[column]:
                least[column], way[column] = reduced, at
            if least[column] < delta:
                delta, after = least[column], column
        for column in range(columns + 1):
            if used[column]:
                u[row_of[column]] += delta
                v[column] -= delta
            else:
                least[column] -= delta
        at = after
    while at:
        row_of[at] = row_of[way[at]]
        at = way[at]
