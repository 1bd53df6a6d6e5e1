"""The referee: replays a plan by the rules of the competition document and believes nothing it did not see.

It shares no code with any player: reachability and pushing are written out here once more, on purpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple, NoReturn

from sokoasp.core.errors import IllegalPlan, counted
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.plan import Plan, Push

_IDLE = (
    "the box stays where it is. This is an idle push: the competition's encoding of 2011 fills up the steps after the last real"
    " push so, but by the competition's text every action moves a box (docs/encodings.md)"
)
_CHANGE = {"l": (0, -1), "r": (0, 1), "u": (-1, 0), "d": (1, 0)}


class Counts(NamedTuple):
    """What a valid plan costs."""

    lines: int
    pushes: int
    moves: int


class Replay(NamedTuple):
    """What a replay has done: the single-cell pushes in their order, each by the box's cell before and after it."""

    trail: tuple[tuple[Cell, Cell], ...]

    @property
    def pushes(self) -> int:
        """Return the number of single-cell pushes made."""
        return len(self.trail)


def validate(level: Level, plan: Plan, *, steps: int | None = None) -> Counts:
    """Replay a plan both ways, as line pushes and as moves, and return what it costs.

    ``steps`` is the competition's number of steps: then the plan must have exactly ``steps - 1`` line pushes.

    Raises:
        IllegalPlan: The plan breaks a rule (``at`` is the number of the action or move), stops short, has the wrong number of
            actions, or its two halves disagree.
    """
    if not isinstance(plan, Plan):
        raise TypeError(f"a plan is a Plan, such as the plan of a result, not {plan!r}")
    by_moves = validate_moves(level, plan.lurd)
    by_actions = validate_actions(level, plan.actions, steps=steps)
    if by_actions != by_moves:
        raise IllegalPlan("the actions and the moves of the plan do not make the same pushes")
    return Counts(lines=len(plan.actions), pushes=by_moves.pushes, moves=len(plan.lurd))


def validate_actions(
    level: Level, actions: Sequence[Push], *, steps: int | None = None, atoms: Sequence[str] = ()
) -> Replay:
    """Replay line pushes and return what they do.

    The exact rule: the box stands on ``box``; the player reaches, without pushing, the cell behind it; ``to`` lies in that
    direction and every cell up to it is free floor.
    Messages name an action by the atom of ``atoms`` that it was read from, or by one written anew.

    Raises:
        IllegalPlan: An action breaks the rule, or a goal is empty at the end, or the number of actions is not ``steps - 1``.
    """
    boxes = set(level.boxes)
    player = level.player
    trail: list[tuple[Cell, Cell]] = []
    for number, action in enumerate(actions, 1):
        name = f"action {number}, {atoms[number - 1] if atoms else _atom(level, action, number)}"
        drow, dcol = action.direction.value
        if action.box not in boxes:
            raise IllegalPlan(f"{name}: no box stands there", at=number)
        behind = Cell(action.box.row - drow, action.box.col - dcol)
        if behind not in level.floor:
            raise IllegalPlan(f"{name}: the cell behind the box, {_name(level, behind)}, is a wall", at=number)
        if not _can_walk(level, boxes, player, behind):
            raise IllegalPlan(
                f"{name}: the player at {_name(level, player)} cannot reach {_name(level, behind)}", at=number
            )
        if action.to == action.box:
            raise IllegalPlan(f"{name}: {_IDLE}", at=number)
        path = _line(action, drow, dcol)
        if path is None:
            raise IllegalPlan(f"{name}: the end does not lie in that direction", at=number)
        for cell in path:
            if cell not in level.floor or cell in boxes:
                what = "a box" if cell in boxes else "a wall"
                raise IllegalPlan(f"{name}: {what} is in the way at {_name(level, cell)}", at=number)
        boxes.remove(action.box)
        boxes.add(action.to)
        player = Cell(action.to.row - drow, action.to.col - dcol)
        trail += pairwise([action.box, *path])
    _check_end(level, boxes, len(actions), "action")
    if steps is not None and len(actions) != steps - 1:
        wanted = f"{counted(steps, 'steps')} demand exactly {steps - 1}"
        raise IllegalPlan(f"the plan has {counted(len(actions), 'actions')}, {wanted}", at=len(actions))
    return Replay(tuple(trail))


def validate_moves(level: Level, lurd: str, *, to_the_end: bool = True, atoms: Sequence[str] = ()) -> Replay:
    """Replay moves (small letters walk, capitals push) and return what they do.

    Messages name a move by the atom of ``atoms`` that it was read from, and cells as the facts do. Atoms know no case.

    Raises:
        IllegalPlan: A move is impossible, its case contradicts what it does, or a goal is empty at the end of all the moves.
    """
    boxes = set(level.boxes)
    player = level.player
    trail: list[tuple[Cell, Cell]] = []
    place = partial(_name, level) if atoms else _where

    def refuse(said: str) -> NoReturn:
        name = f"action {number}, {atoms[number - 1]}" if atoms else f"move {number} ({letter})"
        raise IllegalPlan(f"{name}: {said}", at=number)

    for number, letter in enumerate(lurd, 1):
        if letter.lower() not in _CHANGE:
            raise IllegalPlan(f"move {number}: {letter!r} is not a move", at=number)
        drow, dcol = _CHANGE[letter.lower()]
        to = Cell(player.row + drow, player.col + dcol)
        if to not in level.floor:
            refuse(f"a wall is at {place(to)}")
        if (to in boxes) != letter.isupper() and not atoms:
            refuse(f"it {'pushes' if to in boxes else 'does not push'} a box")
        if to in boxes:
            beyond = Cell(to.row + drow, to.col + dcol)
            if beyond not in level.floor or beyond in boxes:
                what = "a box" if beyond in boxes else "a wall"
                refuse(f"the box cannot go to {place(beyond)}: {what} is there")
            boxes.remove(to)
            boxes.add(beyond)
            trail.append((to, beyond))
        player = to
    if to_the_end:
        _check_end(level, boxes, len(lurd), "action" if atoms else "move")
    return Replay(tuple(trail))


def _can_walk(level: Level, boxes: set[Cell], start: Cell, target: Cell) -> bool:
    """Return whether a walk leads there; cells nearer to the target are looked at first, on a large map but a few."""
    if target in boxes:
        return False
    seen: set[tuple[int, int]] = {start}
    ahead = [(0, *start)]
    while ahead:
        _, row, col = heappop(ahead)
        if (row, col) == target:
            return True
        for near in ((row, col - 1), (row, col + 1), (row - 1, col), (row + 1, col)):
            if near in level.floor and near not in boxes and near not in seen:
                seen.add(near)
                heappush(ahead, (abs(near[0] - target.row) + abs(near[1] - target.col), *near))
    return False


def _line(action: Push, drow: int, dcol: int) -> list[Cell] | None:
    """Return the cells the box crosses, its end included; None if the end is not straight ahead."""
    length = (action.to.row - action.box.row) * drow + (action.to.col - action.box.col) * dcol
    path = [Cell(action.box.row + k * drow, action.box.col + k * dcol) for k in range(1, length + 1)]
    return path if path and path[-1] == action.to else None


def _check_end(level: Level, boxes: set[Cell], count: int, what: str) -> None:
    """Check that the goals are full."""
    empty = sorted(level.goals - boxes)
    if empty:
        names = [_where(cell) if what == "move" and count else _name(level, cell) for cell in empty[:3]]
        places = "; ".join(names) + ("; ..." if len(empty) > 3 else "")
        noun = "goal is" if len(empty) == 1 else "goals are"
        end = f"after {what} {count} (the last)" if count else "the plan has no action, and"
        raise IllegalPlan(f"{end} {len(empty)} {noun} empty: {places}", at=count)


def _atom(level: Level, action: Push, number: int) -> str:
    """Write an action as an atom, as ``facts.push_atoms`` does."""
    step = level.step_names[number - 1] if number <= len(level.step_names) else number
    return f"push({_name(level, action.box)},{action.direction.name},{_name(level, action.to)},{step})"


def _name(level: Level, cell: Cell) -> str:
    """Return the constant of a cell in the facts: its own, or ``c4r3`` for column 4 and row 3 from 1.

    A cell that the facts do not have is called by its place, unless they call all others by that rule.
    """
    if own := dict(level.names).get(cell):
        return own
    ours = all(name == f"c{at.col + 1}r{at.row + 1}" for at, name in level.names)
    return f"c{cell.col + 1}r{cell.row + 1}" if ours else _where(cell)


def _where(cell: Cell) -> str:
    return f"row {cell.row}, column {cell.col}"
