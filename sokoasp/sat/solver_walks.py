"""Clauses about how the player walks, for ``moves``: for the solver's use only, like ``solver_lemmas``.

Of all plans with the fewest moves take the one that comes first in the dictionary, its letters in the order left, right, up,
down. It never steps back without a push. Where it goes up or down and then left or right, both without a push, the other way
round the square is barred by a box, for that way's word comes earlier. And whatever the plan, every move changes the colour of
the player's cell.
"""

from __future__ import annotations

from sokoasp.core.cnf import Formula
from sokoasp.proof.level_text import Field


def add_walks(formula: Formula, reported: Field, horizon: int) -> None:
    """Keep one of the ways to walk between two pushes; a plan of more moves than the fewest may be lost."""
    actions = range(1, horizon + 1)
    formula.family("pushing", "(a): move a pushes a box", ((a,) for a in actions))
    formula.family("odd", "(): the number of idle actions is odd", [()])
    number = formula.number
    for a in actions:
        pushes = [number["push", a, c, d] for c, d in reported.pushable()]
        formula.add(-number["pushing", a], *pushes)
        for push in pushes:
            formula.add(-push, number["pushing", a])
    corners = _corners(reported)
    for a in actions[:-1]:
        for d in range(4):
            formula.add(-number["move", a, d], -number["move", a + 1, d ^ 1], number["pushing", a])
        pushing = (number["pushing", a], number["pushing", a + 1])
        for c, up, left, corner in corners:
            ways = (-number["move", a, up], -number["move", a + 1, left])
            formula.add(-number["player", a - 1, c], *ways, number["box", a - 1, corner], *pushing)
    _add_colours(formula, reported, horizon)


def _corners(reported: Field) -> list[tuple[int, int, int, int]]:
    """List (cell, up or down, left or right, the cell that way) where these two lead to the same cell in either order."""
    found = []
    for c, near in enumerate(reported.beside):
        for up, left in ((2, 0), (2, 1), (3, 0), (3, 1)):
            corner, other = near[left], near[up]
            if corner >= 0 and other >= 0 and reported.beside[corner][up] >= 0:
                found.append((c, up, left, corner))
    return found


def _add_colours(formula: Formula, reported: Field, horizon: int) -> None:
    """Say on which colour of the chequered floor the player is in each state, by whether idle actions are odd in number."""
    odd, number, first = formula.number["odd",], formula.number, sum(reported.cells[reported.player])
    for idle in range(horizon + 1):
        last = [number["act", idle]] if idle else []
        begins = [-number["act", idle + 1]] if idle < horizon else []
        formula.add(odd if idle % 2 else -odd, *begins, *last)
    for t in range(1, horizon + 1):
        for c, cell in enumerate(reported.cells):
            still = (-number["act", t],) if c == reported.player else ()
            formula.add(-number["player", t, c], odd if (sum(cell) - first + t) % 2 else -odd, *still)
