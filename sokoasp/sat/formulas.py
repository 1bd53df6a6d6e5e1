"""The formula of a level and objective, and how a model of it is read as a plan."""

from __future__ import annotations

from collections.abc import Iterable

from sokoasp.core.cnf import Formula
from sokoasp.proof import level_text
from sokoasp.sat.pushes_formula import pushes_formula
from sokoasp.sat.solver_lemmas import add_lemmas
from sokoasp.sokoban.level import Direction, Level
from sokoasp.sokoban.plan import Plan, Push
from sokoasp.sokoban.rules import merged, plan_from_pushes

_WAYS = tuple(Direction[name] for name in ("left", "right", "up", "down"))


def formula_of(level: Level, objective: str, horizon: int, *, quicker: bool = False) -> Formula:
    """Write the formula of a level: "at most ``horizon`` actions".

    Args:
        level: The level.
        objective: ``lines`` or ``pushes``.
        horizon: Actions.
        quicker: Add clauses that follow from tables and spare a solver work.

    Raises LevelError: a box or goal is out of the player's reach.
    """
    field = level_text.read(level_text.write(level))
    formula = pushes_formula(field, horizon, lines=objective == "lines")
    if quicker:
        add_lemmas(formula, field, level, objective, horizon)
    return formula


def plan_of(level: Level, objective: str, formula: Formula, model: Iterable[int], *, keep_steps: bool) -> Plan:
    """Read a model, its true variables, as a plan; ``keep_steps`` leaves actions that go on where the last one ended.

    Raises IllegalPlan: the model is none of the formula, or the formula is wrong.
    """
    true = set(model)
    keys = [key for key, number in formula.number.items() if number in true]
    field = level_text.read(level_text.write(level))
    cells = field.cells_in(level)
    begin = sorted((int(key[1]), int(key[2]), int(key[3])) for key in keys if key[0] == "from")
    ends = {int(key[1]): int(key[2]) for key in keys if key[0] == "to"}
    pushes = [Push(cells[c], _WAYS[d], cells[ends.get(a, field.beside[c][d])]) for a, c, d in begin]
    found = plan_from_pushes(level, pushes)
    return found if keep_steps and objective == "lines" else merged(level, found)


def parity(level: Level, objective: str) -> int | None:
    """Return what the values of all plans leave when halved, None where both are possible.

    A push changes the sum of the boxes' rows and columns by one, and the end's sum is that of the goals if every goal gets a box.
    """
    if objective != "pushes" or len(level.boxes) != len(level.goals):
        return None
    return sum(c.row + c.col for c in (*level.boxes, *level.goals)) % 2


def least_gain(parity: int | None) -> int:
    """Return by how much the next better plan is better at least."""
    return 1 if parity is None else 2


def rounded_up(bound: int, parity: int | None) -> int:
    """Return the least value not below the bound that a plan may have."""
    return bound if parity is None else bound + (bound - parity) % 2
