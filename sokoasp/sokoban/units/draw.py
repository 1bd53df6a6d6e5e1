"""Units, gates and passages to look at: a description for pictures, a drawing in text, and the units paper's equations."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, permutations
from string import ascii_lowercase

from sokoasp.core.errors import counted
from sokoasp.sokoban.deadlock.bitboard import BitState, scene, shift
from sokoasp.sokoban.deadlock.local import THOROUGH, Budget
from sokoasp.sokoban.level import DIRECTIONS, Cell, Direction, Level, surrounding_walls
from sokoasp.sokoban.units.passage import BLOCKED, FREE, PUSH, UNKNOWN, passability
from sokoasp.sokoban.units.split import Split, Unit, splits
from sokoasp.sokoban.units.unit_verdict import Range, movable_range

MOST_GATES = 48
"""Passability is not worked out for a unit with more gates."""
MOST_GATES_IN_ALL = 200
"""Nor for units beyond this many gates in all."""
SIGNS = {FREE: "→", PUSH: "→*", UNKNOWN: "?", BLOCKED: "↛"}
"""The paper's arrows, the best first."""


@dataclass(frozen=True, slots=True)
class GateView:
    """A gate: the step out of the unit from ``cell``."""

    cell: Cell
    direction: Direction
    usable: bool
    """Whether the player may come to the passage cell outside (availability of the gate)."""


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit with its passability."""

    name: str
    cells: tuple[Cell, ...]
    boxes: tuple[Cell, ...]
    goals: tuple[Cell, ...]
    gates: tuple[GateView, ...]
    ways: tuple[tuple[int, int, str], ...]
    """(from gate, to gate, kind): ``free`` leaves the boxes, ``push`` moves them, ``blocked``, ``unknown``."""
    done: bool
    """False when its boxes can never all get onto goals or out: the verdict of a deadlock."""


@dataclass(frozen=True, slots=True)
class PassageView:
    """A passage, and whether the player may ever come there (the movable range)."""

    cells: tuple[Cell, ...]
    reached: bool


@dataclass(frozen=True, slots=True)
class SplitView:
    """One cut of a state."""

    name: str
    units: tuple[UnitView, ...]
    passages: tuple[PassageView, ...]
    dead: bool


def describe(level: Level, cut: Split | None = None) -> SplitView:
    """Return this cut or, without one, the first that proves a deadlock, the finest one if none does."""
    at = scene(level)
    budget = THOROUGH.on(at.board)
    if cut is not None:
        return _view(at, cut, movable_range(at, cut, states=budget.states), budget)
    views: list[tuple[Split, Range]] = []
    for split in splits(at):
        met = movable_range(at, split, states=budget.states)
        views.append((split, met))
        if met.stuck(at.spare):
            return _view(at, split, met, budget)
    if not views:
        empty = Split("no boxes", (), (at.board.floor,))
        return _view(at, empty, Range(at.board.floor, ()), budget)
    return _view(at, *views[0], budget)


def _view(at: BitState, split: Split, met: Range, budget: Budget) -> SplitView:
    units = []
    gates = 0
    for number, (unit, inside) in enumerate(zip(split.units, met.units, strict=True)):
        gates += len(unit.gates)
        states = budget.states if len(unit.gates) <= MOST_GATES and gates <= MOST_GATES_IN_ALL else 0
        units.append(_unit_view(at, _name(number), unit, met.reached, inside.least_off == 0, states))
    passages = tuple(PassageView(at.board.cells(p), p & met.reached != 0) for p in split.passages)
    return SplitView(split.name, tuple(units), passages, met.stuck(at.spare))


def _unit_view(at: BitState, name: str, unit: Unit, reached: int, done: bool, states: int) -> UnitView:
    board = at.board
    turns = dict(zip(board.shifts, DIRECTIONS, strict=True))
    gates = tuple(GateView(board.cell(cell), turns[by], shift(cell, by) & reached != 0) for cell, by in unit.gates)
    ways: tuple[tuple[int, int, str], ...] = ()
    if states:
        kinds = passability(board, unit, spare=at.spare, states=states)
        ways = tuple((first, last, kind) for (first, last), kind in kinds.items())
    goals = board.cells(board.goals & unit.cells)
    return UnitView(name, board.cells(unit.cells), board.cells(unit.boxes), goals, gates, ways, done)


def _name(number: int) -> str:
    letter = ascii_lowercase[number % 26]
    return letter if number < 26 else f"{letter}{number // 26}"


def draw(level: Level, view: SplitView) -> str:
    """Draw units as letters, boxes and player over them, unreached passages as ``~``, then list gates and passability."""
    lines = [*_picture(level, view), ""]
    lines.append(f"cut: {view.name}; letters are units, capitals their gates, ~ is out of reach for good")
    for unit in view.units:
        lines += ["", *_unit_lines(unit)]
    never = ", ".join(u.name for u in view.units if not u.done)
    lines += ["", f"dead: {never} never done" if view.dead else "no deadlock found (which proves nothing)"]
    return "\n".join(lines)


def _picture(level: Level, view: SplitView) -> list[str]:
    marks = dict.fromkeys(surrounding_walls(level.floor), "#")
    for passage in view.passages:
        marks.update(dict.fromkeys(passage.cells, " " if passage.reached else "~"))
    for unit in view.units:
        marks.update(dict.fromkeys(unit.cells, unit.name[0]))
        marks.update(dict.fromkeys((gate.cell for gate in unit.gates), unit.name[0].upper()))
    for cell in level.floor:
        if cell in level.boxes or cell in level.goals or cell == level.player:
            marks[cell] = level.glyph(cell)
    top, left = min(c.row for c in marks), min(c.col for c in marks)
    bottom, right = max(c.row for c in marks), max(c.col for c in marks)
    rows = range(top, bottom + 1)
    return ["".join(marks.get(Cell(r, c), " ") for c in range(left, right + 1)).rstrip() for r in rows]


def _unit_lines(unit: UnitView) -> list[str]:
    done = "" if unit.done else ", never done"
    counts = ((unit.boxes, "boxes"), (unit.goals, "goals"), (unit.gates, "gates"))
    named = ", ".join(counted(len(listed), noun) for listed, noun in counts)
    lines = [f"{unit.name}: {named}{done}"]
    for number, gate in enumerate(unit.gates):
        usable = "" if gate.usable else "  (out of reach)"
        lines.append(f"  g{number}  row {gate.cell.row}, column {gate.cell.col}, {gate.direction.name}{usable}")
    for kind in (FREE, PUSH, BLOCKED, UNKNOWN):
        ways = [way for way in unit.ways if way[2] == kind]
        for first, group in groupby(ways, key=lambda way: way[0]):
            lines.append(f"  {kind:<8}g{first} -> " + " ".join(f"g{last}" for _first, last, _kind in group))
    if not unit.ways and len(unit.gates) > 1:
        lines.append("  passability not worked out: too many gates")
    return lines


def equations(view: SplitView) -> list[str]:
    """Write the passability as the paper's equations (1) to (16): one line a unit, gate and kind.

    Gates of one unit that lead into one passage are one gate. Its way to another gate of the unit is the best kind that any of
    its cells has: free, push, unknown, blocked.
    """
    where = {cell: number for number, passage in enumerate(view.passages) for cell in passage.cells}
    order, ends = list(SIGNS), dict[tuple[int, int, int], list[str]]()
    for number, unit in enumerate(view.units):
        by_passage: dict[int, list[int]] = {}
        for at, gate in enumerate(unit.gates):
            by_passage.setdefault(where[gate.cell.step(gate.direction)], []).append(at)
        gates = [members for _, members in sorted(by_passage.items())]
        for (a, some), (b, others) in permutations(enumerate(gates), 2):
            ranks = [order.index(kind) for first, last, kind in unit.ways if first in some and last in others]
            if ranks:
                ends.setdefault((number, min(ranks), a), []).append(f"g{b}")
    return [
        f"{view.units[unit].name}: {{g{first}}} {SIGNS[order[rank]]} {{{', '.join(to)}}}"
        for (unit, rank, first), to in sorted(ends.items())
    ]
