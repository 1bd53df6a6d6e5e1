"""Clauses that follow from tables of one and two boxes: where boxes cannot be so few actions before the end.

With all prices 0 an entry says how many actions (pushes, if moves are counted) it takes at least to bring these boxes to
goals. State t of a formula for T actions has at most T-t to go, so a box, or two, with more than that are not there. A proof
may use these clauses as it uses the others; what makes them true is that the tables pass their check.
"""

from __future__ import annotations

from sokoasp.proof.cnf import Formula
from sokoasp.proof.group_bounds import GroupBounds
from sokoasp.proof.level_text import Field
from sokoasp.proof.refusals import Refused

LARGEST = 2
"""Boxes of the largest groups whose entries become clauses."""


def add_lemmas(formula: Formula, field: Field, horizon: int, bounds: GroupBounds) -> int:
    """Add the clauses of every state, those of single boxes first; return how many there are.

    Raises:
        Refused: There are more boxes than goals, or prices: then an entry does not say what this needs.
    """
    if len(field.boxes) != len(field.goals) or bounds.floor.price[list(field.goals)].any():
        raise Refused("lemmas need as many goals as boxes, and no prices")
    before = len(formula.clauses)
    alone, together = least_entries(bounds)
    for t in range(horizon + 1):
        left = horizon - t
        for cell in range(field.size):
            if alone.get(cell, left + 1) > left:
                formula.add(-formula.number["box", t, cell])
        for (one, other), entry in together.items():
            if entry > left >= max(alone[one], alone[other]):
                formula.add(-formula.number["box", t, one], -formula.number["box", t, other])
    return len(formula.clauses) - before


def least_entries(bounds: GroupBounds) -> tuple[dict[int, int], dict[tuple[int, int], int]]:
    """Return cell → and two cells → the least entry over all components; cells where a box is of no use are missing."""
    found: list[dict[tuple[int, ...], int]] = []
    for size in range(1, min(LARGEST, bounds.largest) + 1):
        base, groups = int(bounds.tables.base[size]), bounds.groups[size - 1]
        least: dict[tuple[int, ...], int] = {}
        for number, group in enumerate(groups):
            begin, end = int(bounds.tables.first[base + number]), int(bounds.tables.first[base + number + 1])
            least[tuple(int(bounds.floor.floor_of[index]) for index in group)] = int(
                bounds.tables.value[begin:end].min()
            )
        found.append(least)
    pairs = found[1] if len(found) > 1 else {}
    return {cell: entry for (cell,), entry in found[0].items()}, {(a, b): entry for (a, b), entry in pairs.items()}
