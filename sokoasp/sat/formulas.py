"""Which formula belongs to which game and objective, and how a model of it is read as a plan."""

from __future__ import annotations

from collections.abc import Iterable

from sokoasp.core.cnf import Formula, Key
from sokoasp.domain import Formulas
from sokoasp.klotski.board import Board
from sokoasp.klotski.board_layout import WAYS, layout
from sokoasp.klotski.slide_plan import Plan as Slides
from sokoasp.klotski.slide_plan import Slide
from sokoasp.proof import level_text
from sokoasp.sat.moves_formula import moves_formula
from sokoasp.sat.pushes_formula import pushes_formula
from sokoasp.sat.slides_formula import slides_formula
from sokoasp.sat.solver_lemmas import add_lemmas
from sokoasp.sat.solver_walks import add_walks
from sokoasp.sokoban.level import Direction, Level
from sokoasp.sokoban.plan import Plan, Push
from sokoasp.sokoban.rules import merged, plan_from_lurd, plan_from_pushes


def of_levels() -> Formulas[Level, Plan]:
    """Return the formulas of Sokoban levels."""
    return Formulas(level_formula, level_plan, spare_work, parity)


def of_boards() -> Formulas[Board, Slides]:
    """Return the formulas of Klotski boards."""
    return Formulas(board_formula, board_plan)


def level_formula(level: Level, objective: str, horizon: int) -> Formula:
    """Write the formula of a level: "at most ``horizon`` actions"."""
    field = level_text.read(level_text.write(level))
    if objective == "moves":
        return moves_formula(field, horizon)
    return pushes_formula(field, horizon, lines=objective == "lines")


def board_formula(board: Board, objective: str, horizon: int) -> Formula:
    """Write the formula of a board: "at most ``horizon`` slides (units)"."""
    return slides_formula(board, horizon, units=objective == "units")


def spare_work(formula: Formula, level: Level, objective: str, horizon: int, exact: bool) -> None:
    """Add clauses to the formula of a level that spare a solver work."""
    field = level_text.read(level_text.write(level))
    add_lemmas(formula, field, level, objective, horizon)
    if objective == "moves" and not exact:
        add_walks(formula, field, horizon)


def level_plan(level: Level, objective: str, formula: Formula, model: Iterable[int], keep_steps: bool) -> Plan:
    """Read a model, its true variables, as a plan; ``keep_steps`` leaves actions that go on where the last one ended.

    Raises:
        IllegalPlan: The model is none of the formula, or the formula is wrong.
    """
    keys = _true(formula, model)
    if objective == "moves":
        moves = sorted((int(key[1]), int(key[2])) for key in keys if key[0] == "move")
        return plan_from_lurd(level, "".join(WAYS[d] for _, d in moves))
    field = level_text.read(level_text.write(level))
    cells = field.cells_in(level)
    begin = sorted((int(key[1]), int(key[2]), int(key[3])) for key in keys if key[0] == "from")
    ends = {int(key[1]): int(key[2]) for key in keys if key[0] == "to"}
    ways = [Direction[name] for name in ("left", "right", "up", "down")]
    pushes = [Push(cells[c], ways[d], cells[ends.get(a, field.beside[c][d])]) for a, c, d in begin]
    found = plan_from_pushes(level, pushes)
    return found if keep_steps and objective == "lines" else merged(level, found)


def parity(level: Level, objective: str) -> int | None:
    """Return what the values of all plans leave when halved, None where both are possible.

    A push changes the sum of the boxes' rows and columns by one, and the end's sum is that of the goals if every goal gets a box.
    """
    if objective != "pushes" or len(level.boxes) != len(level.goals):
        return None
    return sum(c.row + c.col for c in (*level.boxes, *level.goals)) % 2


def board_plan(board: Board, objective: str, formula: Formula, model: Iterable[int], keep_steps: bool) -> Slides:
    """Read a model as slides."""
    keys = _true(formula, model)
    lay = layout(board)
    standing = {
        (k, kind.places.index(board.piece(n).corner)): n for k, kind in enumerate(lay.kinds) for n in kind.names
    }
    begin = sorted((int(key[1]), int(key[2]), int(key[3])) for key in keys if key[0] == "from")
    steps = {(int(key[1]), int(key[2]), int(key[3])): int(key[4]) for key in keys if key[0] == "step"}
    slides = []
    for a, k, i in begin:
        name, place, path, here = standing.pop((k, i)), i, "", lay.kinds[k].places[i]
        while (a, k, place) in steps:
            d = steps.pop((a, k, place))
            path += WAYS[d]
            place = dict(lay.onward(k, place))[d]
        standing[k, place] = name
        slides.append(Slide(name, here, lay.kinds[k].places[place], path))
    return tuple(slides)


def _true(formula: Formula, model: Iterable[int]) -> list[Key]:
    """Return the names of a model's variables."""
    true = set(model)
    return [key for key, number in formula.number.items() if number in true]


def least_gain(parity: int | None) -> int:
    """Return by how much the next better plan is better at least."""
    return 1 if parity is None else 2


def rounded_up(bound: int, parity: int | None) -> int:
    """Return the least value not below the bound that a plan may have."""
    return bound if parity is None else bound + (bound - parity) % 2
