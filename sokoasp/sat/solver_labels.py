"""Clauses that follow labelled boxes: the only clauses beside a formula that a level with labels cannot do without."""

from __future__ import annotations

from sokoasp.core.cnf import Formula
from sokoasp.proof.level_text import Field


def add_labels(formula: Formula, field: Field, pairs: list[tuple[int, int]], objective: str, horizon: int) -> None:
    """Say that each labelled box ends on its own goal.

    A label is carried from state to state with its box, so it is true where the box is; in the last state it is false everywhere
    but on the goal. ``pairs``: numbers of the cells of (start, goal).
    """
    cells, states = range(field.size), range(horizon + 1)
    keys = ((b, t, c) for b in range(len(pairs)) for t in states for c in cells)
    formula.family("label", "(b,t,c): labelled box b is on cell c in state t", keys)
    label = {key[1:]: number for key, number in formula.number.items() if key[0] == "label"}
    for b, (start, goal) in enumerate(pairs):
        formula.add(label[b, 0, start])
        for c in cells:
            if c != goal:
                formula.add(-label[b, horizon, c])
        for a in range(1, horizon + 1):
            for c in cells:
                gone, ends = _pushes(formula, field, a, c, objective)
                formula.add(-label[b, a - 1, c], label[b, a, c], *gone)
                for pushed, end, to in ends:
                    formula.add(-label[b, a - 1, c], *pushed, -end, label[b, a, to])


def _pushes(
    formula: Formula, field: Field, a: int, c: int, objective: str
) -> tuple[list[int], list[tuple[list[int], int, int]]]:
    """Return the variables of pushes from a cell, and (denied conditions, variable, cell) of where they may end."""
    gone: list[int] = []
    ends: list[tuple[list[int], int, int]] = []
    for d in range(4):
        begin = formula.get("push" if objective == "moves" else "from", a, c, d)
        if begin is None:
            continue
        gone.append(begin)
        to = field.beside[c][d]
        if objective != "lines":
            ends.append(([], begin, to))
            continue
        while to >= 0 and (end := formula.get("to", a, to, d)) is not None:
            ends.append(([-begin], end, to))
            to = field.beside[to][d]
    return gone, ends
