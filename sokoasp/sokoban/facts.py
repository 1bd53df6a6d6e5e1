"""Facts of the ASP competition: a level as right/2, top/2, box/1, solution/1, sokoban/1 and back; push/4 atoms of plans.

Source: asp-competition-sokoban.en.txt, section "Description".
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

from sokoasp.core.errors import IllegalPlan, LevelError, NotationError, counted
from sokoasp.sokoban.level import Cell, Direction, Level, surrounding_walls
from sokoasp.sokoban.plan import Plan, Push

if TYPE_CHECKING:
    from sokoasp.core.atoms import PlacedAtom

__all__ = ["cell_of", "name_of", "one_a_step", "push_atoms", "read", "read_pushes", "recognises", "write"]

Cells = dict[str, Cell]
"""The cell of each constant."""
_Facts = dict[str, list["PlacedAtom"]]
"""By predicate."""
_KNOWN = {"right": 2, "top": 2, "box": 1, "solution": 1, "sokoban": 1, "step": 1, "next": 2}
"""The competition's predicates."""
_RELATIONS = (("right", 0, 1), ("top", -1, 0))
"""How far the second cell of a relation lies from the first, in rows and columns."""
_PLAYER_FACT = re.compile(rb"^(?:[^%:\n]*[.\s])?sokoban\([^%\n]+\)\s*\.", re.MULTILINE)
_OF_2013 = {
    *("movedir/3", "pushtogoal/7", "pushtonongoal/7", "isgoal/1", "isnongoal/1", "move_dir/3", "is_goal/1"),
    *("is_nongoal/1", "at/2", "clear/1", "player/1", "stone/1", "direction/1", "location/1", "thing/1", "goal/1"),
}


def recognises(data: bytes) -> bool:
    """Return whether a file holds competition facts of a level, faulty or not: they name the player by ``sokoban/1``."""
    return _PLAYER_FACT.search(data) is not None


def name_of(level: Level) -> dict[Cell, str]:
    """Return the constant of each floor cell: its own name if the level came from facts, else ``c{column}r{row}`` from 1."""
    if level.names:
        return dict(level.names)
    return {cell: f"c{cell.col + 1}r{cell.row + 1}" for cell in level.floor}


def cell_of(level: Level) -> Cells:
    """Return the floor cell of each constant."""
    return {name: cell for cell, name in name_of(level).items()}


def write(level: Level, *, steps: int | None = None, picture: bool = True) -> str:
    """Return the level as competition facts, one a line, kind after kind in reading order.

    ``steps`` (default: those the level came with) adds step/1 and next/2; ``picture`` puts title and map in front as comments.
    """
    steps = level.steps if steps is None else steps
    name = name_of(level)
    cells = sorted(level.floor)
    heads = [" ".join(head.split()) for head in (level.title, level.author and f"by {level.author}") if head.strip()]
    lines = [f"% {line}".rstrip() for line in (*heads, *level.rows())] if picture else []
    for relation, drow, dcol in _RELATIONS:
        for cell in cells:
            other = name.get(Cell(cell[0] + drow, cell[1] + dcol))
            if other is not None:
                lines.append(f"{relation}({name[cell]},{other}).")
    lines += [f"box({name[cell]})." for cell in sorted(level.boxes)]
    lines += [f"solution({name[cell]})." for cell in sorted(level.goals)]
    lines.append(f"sokoban({name[level.player]}).")
    if steps is not None:
        label = step_names(level, steps)
        lines += [f"step({step})." for step in label]
        lines += [f"next({one},{two})." for one, two in pairwise(label)]
    return "\n".join(lines) + "\n"


def step_names(level: Level, steps: int) -> tuple[str, ...]:
    """Return the labels of that many steps: those of the level's facts if they fit, else the integers from 1.

    Raises NotationError: there is no first step.
    """
    if steps < 1:
        raise NotationError(f"{steps} steps: at least one is needed", code="E-STEPS")
    if len(level.step_names) == steps:
        return level.step_names
    return tuple(str(step) for step in range(1, steps + 1))


def push_atoms(level: Level, plan: Plan | Iterable[Push]) -> str:
    """Return the line pushes as push/4 atoms, one a line with a full stop."""
    name = name_of(level)
    pushes = tuple(plan.actions if isinstance(plan, Plan) else plan)
    label = step_names(level, max(level.steps or 0, len(pushes) + 1))
    return "".join(
        f"push({name[push.box]},{push.direction.name},{name[push.to]},{step}).\n"
        for push, step in zip(pushes, label, strict=False)
    )


def read_pushes(level: Level, text: str, *, source: str = "") -> tuple[Push, ...]:
    """Read the line pushes of a plan from push/4 atoms or from a solver's output, in the order of their steps.

    Steps are ordered as next/2 of the level's facts says, else as integers. Whether the plan is any good is the referee's
    question; here only the notation is checked.

    Raises:
        NotationError: There are no push/4 atoms, a constant is no cell or direction, two pushes share a step, or a step
            before the last has none.
    """
    from sokoasp.sokoban.answers import answer_atoms

    found: dict[int, tuple[PlacedAtom, Push]] = {}
    cells = cell_of(level)
    order = {name: index for index, name in enumerate(level.step_names)}
    for atom in answer_atoms(text, "push", source=source):
        push, step = _push(atom, cells, source), _step(atom, order, source)
        if step in found and found[step][1] != push:
            _fail(f"two pushes at step {atom.args[3]}: {found[step][0]} and {atom}", atom, source)
        found[step] = (atom, push)
    steps = sorted(found)
    first = 0 if order or (steps and steps[0] == 0) else 1
    for expected, step in enumerate(steps, first):
        if step != expected:
            missing = level.step_names[expected] if order else expected
            _fail(f"no push at step {missing}, but one at step {found[step][0].args[3]}", found[step][0], source)
    return tuple(found[step][1] for step in steps)


def one_a_step(kind: str, found: Iterable[Sequence[str]]) -> None:
    """Raise IllegalPlan: two of these sorted actions share a step."""
    for one, two in pairwise(found):
        if one[-1] == two[-1]:
            raise IllegalPlan(f"two actions at step {one[-1]}: {kind}({','.join(one)}) and {kind}({','.join(two)})")


def _push(atom: PlacedAtom, cells: Cells, source: str) -> Push:
    """Turn push(From,Direction,To,Step) into a push."""
    if len(atom.args) != 4:
        _fail(f"{atom} is {atom.signature}, a plan has push/4: push(From,Direction,To,Step)", atom, source)
    for place in (atom.args[0], atom.args[2]):
        if place not in cells:
            _fail(f"{atom}: the level has no cell {place}", atom, source)
    if atom.args[1] not in Direction.__members__:
        _fail(f"{atom}: {atom.args[1]} is no direction (left, right, up, down)", atom, source)
    return Push(cells[atom.args[0]], Direction[atom.args[1]], cells[atom.args[2]])


def _step(atom: PlacedAtom, order: dict[str, int], source: str) -> int:
    """Return the place of the atom's step in the order."""
    step = atom.args[3]
    if order:
        if step not in order:
            _fail(f"{atom}: the level has no step {step}", atom, source)
        return order[step]
    if not step.isdigit() or len(step) > 9:
        _fail(f"{atom}: step {step} is not a number", atom, source)
    return int(step)


def _fail(message: str, atom: PlacedAtom, source: str, code: str = "E-PLAN") -> NoReturn:
    """Raise a NotationError at an atom (solver output in JSON has no lines: line 0)."""
    line = atom.line or None
    raise NotationError(message, source=source, line=line, column=atom.column if line else None, code=code)


def read(text: str, *, source: str = "", max_cells: int = 40_000) -> Level:
    """Read competition facts: any constants, any order; the grid is rebuilt from right/2 and top/2.

    Raises:
        NotationError: Something is no ground fact, or a fact has no place in this notation.
        LevelError: The facts describe no Sokoban level on a grid.
    """
    from sokoasp.core.atoms import parse_atoms

    atoms = parse_atoms(text, source=source, full_stops=True)
    by: _Facts = defaultdict(list)
    for atom in atoms:
        if _KNOWN.get(atom.predicate) != len(atom.args):
            _refuse(atom, source)
        by[atom.predicate].append(atom)
    if not atoms:
        raise LevelError("no facts in this text", source=source, line=1, code="E-NOLEVEL")
    player = _player(by["sokoban"], atoms[-1], source)
    where = _settled(_grid(by, player, source, max_cells))
    floor = frozenset(where.values())
    height, width = 2 + max(cell.row for cell in floor), 2 + max(cell.col for cell in floor)
    if height * width > max_cells:
        message = f"the map has {height} rows of {width} columns, more than {max_cells} cells"
        _fail_level(message, by["sokoban"][0], source, "E-SIZE")
    labels = _order(by["step"], by["next"], source)
    return _level(by, where, floor, labels, source)


def _level(by: _Facts, where: Cells, floor: frozenset[Cell], steps: tuple[str, ...], source: str) -> Level:
    """Put the level together, filling its errors with the file name."""
    boxes = {where[atom.args[0]] for atom in by["box"]}
    goals = {where[atom.args[0]] for atom in by["solution"]}
    sokoban = by["sokoban"][0]
    if where[sokoban.args[0]] in boxes:
        _fail_level(f"sokoban and a box are both on {sokoban.args[0]}", sokoban, source, "E-PLAYERS")
    if len(goals) > len(boxes):
        message = (
            f"{counted(len(boxes), 'boxes')}, {counted(len(goals), 'storage locations')}: they can never all be filled"
        )
        _fail_level(message, by["solution"][-1], source, "E-COUNT")
    if not goals:
        _fail_level("there is no storage location (solution/1)", sokoban, source, "E-NOBOX")
    return Level(
        floor=floor,
        boxes=frozenset(boxes),
        goals=frozenset(goals),
        player=where[sokoban.args[0]],
        decoration=tuple((cell, "#") for cell in sorted(surrounding_walls(floor))),
        source=source,
        line=sokoban.line,
        names=tuple(sorted((cell, name) for name, cell in where.items())),
        steps=len(steps) or None,
        step_names=() if steps == tuple(str(n) for n in range(1, len(steps) + 1)) else steps,
    )


def _fail_level(message: str, atom: PlacedAtom, source: str, code: str) -> NoReturn:
    raise LevelError(message, source=source, line=atom.line, column=atom.column, code=code)


def _refuse(atom: PlacedAtom, source: str) -> NoReturn:
    """Say why a fact is none of this notation's."""
    if atom.signature in _OF_2013:
        message = f"{atom.signature} belongs to the competition of 2013 (or PDDL); this reader takes the facts of 2011"
        _fail(f"{message}: right/2, top/2, box/1, solution/1, sokoban/1", atom, source, "E-2013")
    if atom.predicate in _KNOWN:
        _fail(
            f"{atom} has {len(atom.args)} arguments, {atom.predicate} takes {_KNOWN[atom.predicate]}",
            atom,
            source,
            "E-FACTS",
        )
    known = ", ".join(f"{name}/{arity}" for name, arity in _KNOWN.items())
    _fail(f"{atom.signature} is not one of the competition's predicates ({known})", atom, source, "E-FACTS")


def _player(found: list[PlacedAtom], last: PlacedAtom, source: str) -> str:
    """Return the constant of the only sokoban."""
    if not found:
        _fail_level("there is no sokoban/1 fact", last, source, "E-NOPLAYER")
    others = [atom for atom in found if atom.args != found[0].args]
    if others:
        _fail_level(f"two sokobans: {found[0]} and {others[0]}", others[0], source, "E-PLAYERS")
    return found[0].args[0]


def _grid(by: _Facts, player: str, source: str, max_cells: int) -> Cells:
    """Lay the cells out around the player, following right/2 and top/2, and check that they form a grid."""
    links: dict[str, list[tuple[str, int, int, PlacedAtom]]] = defaultdict(list)
    for relation, drow, dcol in _RELATIONS:
        for atom in by[relation]:
            one, two = atom.args
            links[one].append((two, drow, dcol, atom))
            links[two].append((one, -drow, -dcol, atom))
    if len(links) > max_cells:
        _fail_level(f"more than {max_cells} cells", by["sokoban"][0], source, "E-SIZE")
    where = {player: Cell(0, 0)}
    taken = {Cell(0, 0): player}
    queue = deque([player])
    while queue:
        one = queue.popleft()
        row, col = where[one]
        for two, drow, dcol, atom in links[one]:
            cell = Cell(row + drow, col + dcol)
            if where.setdefault(two, cell) != cell:
                _fail_level(f"{atom} contradicts the other facts: {two} would be in two places", atom, source, "E-GRID")
            if cell not in taken:
                taken[cell] = two
                queue.append(two)
            elif taken[cell] != two:
                _fail_level(f"{atom} puts {two} on the same place as {taken[cell]}", atom, source, "E-GRID")
    _check_connected(by, where, player, source)
    _check_joined(by, taken, source)
    return where


def _check_connected(by: _Facts, where: Cells, player: str, source: str) -> None:
    """Refuse constants that no right/2 or top/2 joins with the player's cell."""
    for relation in ("right", "top", "box", "solution"):
        for atom in by[relation]:
            stray = [name for name in atom.args if name not in where]
            if stray:
                message = f"{atom}: {stray[0]} is not connected with {player}, where sokoban is"
                _fail_level(message, atom, source, "E-GRID")


def _check_joined(by: _Facts, taken: dict[Cell, str], source: str) -> None:
    """Refuse cells that lie side by side without a fact that joins them: a wall without thickness is no grid."""
    for relation, drow, dcol in _RELATIONS:
        joined = {atom.args for atom in by[relation]}
        for cell, one in taken.items():
            two = taken.get(Cell(cell.row + drow, cell.col + dcol))
            if two is not None and (one, two) not in joined:
                message = f"{one} and {two} lie side by side, but {relation}({one},{two}) is missing: not a grid"
                _fail_level(message, by["sokoban"][0], source, "E-GRID")


def _settled(where: Cells) -> Cells:
    """Move the cells so that one row and column of wall fits before them; names as ``write`` gives them keep their place."""
    row = min(cell.row for cell in where.values()) - 1
    col = min(cell.col for cell in where.values()) - 1
    name, cell = next(iter(where.items()))
    digits = name[1:].split("r")
    if name.startswith("c") and len(digits) == 2 and all(part.isdigit() and len(part) < 6 for part in digits):
        own_row, own_col = cell.row - int(digits[1]) + 1, cell.col - int(digits[0]) + 1
        written = all(at == f"c{c.col - own_col + 1}r{c.row - own_row + 1}" for at, c in where.items())
        if written and own_row <= row and own_col <= col:
            row, col = own_row, own_col
    return {name: Cell(cell.row - row, cell.col - col) for name, cell in where.items()}


def _order(steps: list[PlacedAtom], nexts: list[PlacedAtom], source: str) -> tuple[str, ...]:
    """Return the step labels from first to last, as next/2 chains them (plain integers need no next/2)."""
    labels = list(dict.fromkeys(atom.args[0] for atom in steps))
    after: dict[str, str] = {}
    for atom in nexts:
        if after.setdefault(atom.args[0], atom.args[1]) != atom.args[1]:
            _fail(f"{atom}: step {atom.args[0]} has two successors", atom, source, "E-STEPS")
        if steps and not {*atom.args} <= {*labels}:
            _fail(f"{atom} names a step that no step/1 declares", atom, source, "E-STEPS")
    if not steps:
        labels = list(dict.fromkeys(label for atom in nexts for label in atom.args))
    if not after:
        if len(labels) > 1 and not all(label.isdigit() and len(label) < 10 for label in labels):
            _fail("several steps, but no next/2 to order them", steps[0], source, "E-STEPS")
        return tuple(sorted(labels, key=lambda label: int(label) if label.isdigit() else 0))
    first = [label for label in labels if label not in after.values()]
    chain = first[:1]
    while chain and chain[-1] in after and len(chain) <= len(labels):
        chain.append(after[chain[-1]])
    if len(first) != 1 or sorted(chain) != sorted(labels):
        _fail("next/2 does not put the steps into one line from first to last", nexts[0], source, "E-STEPS")
    return tuple(chain)
