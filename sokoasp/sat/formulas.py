"""Which formula of ``proof`` belongs to which game and objective, and how a model of it is read as a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sokoasp.klotski.board import Board
from sokoasp.klotski.slide_plan import Slide
from sokoasp.proof import rows
from sokoasp.proof.cnf import Formula, Key
from sokoasp.proof.moves_formula import moves_formula
from sokoasp.proof.pushes_formula import pushes_formula
from sokoasp.proof.slides_formula import WAYS, layout, slides_formula
from sokoasp.sat.solver_labels import add_labels
from sokoasp.sat.solver_lemmas import add_lemmas
from sokoasp.sat.solver_walks import add_walks
from sokoasp.sokoban.level import Cell, Direction, Level
from sokoasp.sokoban.plan import Push
from sokoasp.sokoban.rules import merged, plan_from_lurd, plan_from_pushes

Problem = Level | Board


def quicker_formula(problem: Problem, objective: str, horizon: int, *, exact: bool = False) -> Formula:
    """Write the formula "at most ``horizon`` actions", and clauses that spare a solver work.

    If it has a model, it has one with the fewest actions. ``exact``: it has one of each number of actions that is possible.
    """
    formula = formula_of(problem, objective, horizon)
    if isinstance(problem, Level):
        field = rows.read(rows.write(problem))
        if problem.assigned:
            add_labels(formula, field, _labels(problem, field), objective, horizon)
            return formula
        add_lemmas(formula, field, problem, objective, horizon)
        if objective == "moves" and not exact:
            add_walks(formula, field, horizon)
    return formula


def formula_of(problem: Problem, objective: str, horizon: int) -> Formula:
    """Write the formula "at most ``horizon`` actions"."""
    if isinstance(problem, Board):
        return slides_formula(problem, horizon, units=objective == "units")
    field = rows.read(rows.write(problem))
    if objective == "moves":
        return moves_formula(field, horizon)
    return pushes_formula(field, horizon, lines=objective == "lines")


def plan_of(
    problem: Problem, objective: str, formula: Formula, model: Iterable[int], *, keep_steps: bool = False
) -> object:
    """Read a model, its true variables, as a plan: a ``sokoban.Plan`` or Klotski slides.

    ``keep_steps`` leaves line pushes that go on where the last one ended as actions of their own.

    Raises:
        IllegalPlan: The model is none of the formula, or the formula is wrong.
    """
    true = set(model)
    keys = [key for key, number in formula.number.items() if number in true]
    if isinstance(problem, Board):
        return _slides(problem, keys)
    if objective == "moves":
        moves = sorted((int(key[1]), int(key[2])) for key in keys if key[0] == "move")
        return plan_from_lurd(problem, "".join(WAYS[d] for _, d in moves))
    field = rows.read(rows.write(problem))
    cells = _cells(problem, field)
    begin = sorted((int(key[1]), int(key[2]), int(key[3])) for key in keys if key[0] == "from")
    ends = {int(key[1]): int(key[2]) for key in keys if key[0] == "to"}
    ways = [Direction[name] for name in ("left", "right", "up", "down")]
    pushes = [Push(cells[c], ways[d], cells[ends.get(a, field.beside[c][d])]) for a, c, d in begin]
    found = plan_from_pushes(problem, pushes)
    return found if keep_steps else merged(problem, found)


def _cells(level: Level, field: rows.Field) -> list[Cell]:
    """Return the level's cell of each number."""
    top = min(cell.row for cell in level.floor) - min(row for row, _ in field.cells)
    left = min(cell.col for cell in level.floor) - min(col for _, col in field.cells)
    return [Cell(row + top, col + left) for row, col in field.cells]


def _labels(level: Level, field: rows.Field) -> list[tuple[int, int]]:
    """Return the numbers of the cells of each labelled box and its goal."""
    number = {cell: n for n, cell in enumerate(_cells(level, field))}
    return [(number[box], number[goal]) for box, goal in level.assigned]


def _slides(board: Board, keys: Sequence[Key]) -> tuple[Slide, ...]:
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


def parity_of(problem: Problem, objective: str) -> int | None:
    """Return what the values of all plans leave when halved, None where both are possible.

    A push changes the sum of the boxes' rows and columns by one, and the end's sum is that of the goals if every goal gets a box.
    """
    if isinstance(problem, Board) or objective != "pushes" or len(problem.boxes) != len(problem.goals):
        return None
    return sum(c.row + c.col for c in (*problem.boxes, *problem.goals)) % 2


def least_gain(parity: int | None) -> int:
    """Return by how much the next better plan is better at least."""
    return 1 if parity is None else 2


def rounded_up(bound: int, parity: int | None) -> int:
    """Return the least value not below the bound that a plan may have."""
    return bound if parity is None else bound + (bound - parity) % 2
