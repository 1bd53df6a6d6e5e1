"""Clauses that add up what the pushes of a plan cost beyond what they bring, under potentials: for the solver's use only.

The reduced costs and why they bound the plan: ``sokoban.tables.potentials``. A certificate's formula never holds these clauses.
"""

from __future__ import annotations

from sokoasp.core.cnf import Formula
from sokoasp.proof.level_text import WAYS
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.tables.potentials import Push, reduced_costs

MOST_UNITS = 24
"""Units that are counted; ``encodings/sokoban/prune/reduced_costs.lp`` counts as many."""


def add_costs(formula: Formula, level: Level, objective: str, number: dict[int, int], horizon: int) -> None:
    """Add the clauses to the formula of a level by its small game; ``number``: bit of that game → cell of the formula."""
    if not horizon:
        return  # no action, no cost
    lists = [
        (index, limit, unit, most, costs)
        for index, (limit, unit, costs) in enumerate(reduced_costs(level, objective))
        if (most := min(MOST_UNITS, (horizon - limit) // unit + 1)) > 0
    ]
    actions = range(1, horizon + 1)
    keys = [(index, units, a) for index, _, _, most, _ in lists for a in actions for units in range(1, most + 1)]
    formula.family("pays", "(i,k,a): action a costs k units or more beyond what it brings, by potentials i", keys)
    formula.family("paid", "(i,k,a): so do the actions up to a together", keys)
    for index, limit, unit, most, costs in lists:
        for a in actions:
            _count(formula, index, a, most, {_literals(formula, number, a, push): costs[push] for push in costs})
        for units in range(1, most + 1):
            least = limit + unit * units
            reached = [formula.number["act", horizon - least + 1]] if 1 <= least <= horizon else []
            formula.add(-formula.number["paid", index, units, horizon], *reached)


def _literals(formula: Formula, number: dict[int, int], a: int, push: Push) -> tuple[int, ...]:
    """Return the literals that hold if action ``a`` is this push, negated."""
    before, after, direction = push
    way = WAYS.index(direction.value)
    begin = formula.some("from", (a, number[before[0][0]], way))
    return tuple(-one for one in (*begin, *formula.some("to", (a, number[after[0][0]], way))))


def _count(formula: Formula, index: int, a: int, most: int, costs: dict[tuple[int, ...], int]) -> None:
    for literals, units in costs.items():
        formula.add(*literals, formula.number["pays", index, min(units, most), a])
    for units in range(2, most + 1):
        formula.add(-formula.number["pays", index, units, a], formula.number["pays", index, units - 1, a])
    for units in range(1, most + 1):
        pays = -formula.number["pays", index, units, a]
        formula.add(pays, formula.number["paid", index, units, a])
        if a == 1:
            continue
        before = -formula.number["paid", index, units, a - 1]
        formula.add(before, formula.number["paid", index, units, a])
        for more in range(1, most - units + 1):
            formula.add(before, -formula.number["pays", index, more, a], formula.number["paid", index, units + more, a])
