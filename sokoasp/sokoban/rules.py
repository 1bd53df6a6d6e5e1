"""The rules of the game on cells: what may be pushed, where the player gets, and what comes of it.

Plain and short on purpose: the reference search, plan building, the player page and the tests all stand on it. The referee
(``validate``) does not: it has its own few lines.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sokoasp.core.errors import IllegalPlan
from sokoasp.sokoban.level import BY_LETTER, DIRECTIONS, Cell, Direction, Level, reachable
from sokoasp.sokoban.plan import Plan, Push


class State(NamedTuple):
    """Where the boxes and the player are."""

    boxes: frozenset[Cell]
    player: Cell

    def after(self, push: Push) -> State:
        """Return the state after a line push, which is taken for legal: the player beside the box."""
        return State(self.boxes - {push.box} | {push.to}, push.to.step(push.direction.opposite))


def initial(level: Level) -> State:
    """Return the start state of a level."""
    return State(level.boxes, level.player)


def solved(level: Level, boxes: frozenset[Cell]) -> bool:
    """Return whether every goal holds a box (the competition's rule; spare boxes may stand anywhere)."""
    return level.goals <= boxes


def region(level: Level, state: State) -> set[Cell]:
    """Return the cells the player reaches without pushing."""
    return reachable(state.player, level.floor - state.boxes)


def canonical(level: Level, state: State) -> State:
    """Return the state with the player on the smallest cell of its region: equal for states that differ by a walk."""
    return State(state.boxes, min(region(level, state)))


def unit_pushes(level: Level, state: State) -> Iterator[tuple[Push, State]]:
    """Yield every possible push by one cell with the state after it, in a fixed order."""
    area = region(level, state)
    for box in sorted(state.boxes):
        for direction in DIRECTIONS:
            to = box.step(direction)
            if box.step(direction.opposite) in area and to in level.floor and to not in state.boxes:
                yield Push(box, direction, to), State(state.boxes - {box} | {to}, box)


def line_pushes(level: Level, state: State) -> Iterator[tuple[Push, State]]:
    """Yield every possible line push (one or more cells) with the state after it, in a fixed order."""
    area = region(level, state)
    for box in sorted(state.boxes):
        for direction in DIRECTIONS:
            if box.step(direction.opposite) not in area:
                continue
            to = box.step(direction)
            while to in level.floor and to not in state.boxes:
                yield Push(box, direction, to), State(state.boxes - {box} | {to}, to.step(direction.opposite))
                to = to.step(direction)


def moves(level: Level, state: State) -> Iterator[tuple[str, State]]:
    """Yield every possible move of the player (LURD letter, capital when it pushes) with the state after it."""
    for direction in DIRECTIONS:
        after = move(level, state, direction)
        if after is not None:
            pushes = after.boxes != state.boxes
            yield (direction.letter.upper() if pushes else direction.letter), after


def move(level: Level, state: State, direction: Direction) -> State | None:
    """Return the state after one step of the player, pushing if a box is in the way; None if the player cannot."""
    to = state.player.step(direction)
    if to not in level.floor:
        return None
    if to not in state.boxes:
        return State(state.boxes, to)
    beyond = to.step(direction)
    if beyond not in level.floor or beyond in state.boxes:
        return None
    return State(state.boxes - {to} | {beyond}, to)


def walk(passable: frozenset[Cell], start: Cell, target: Cell) -> str | None:
    """Return a shortest walk as small LURD letters, None if there is none."""
    came: dict[Cell, tuple[Cell, Direction] | None] = {start: None}
    queue = deque([start])
    while queue and target not in came:
        cell = queue.popleft()
        for direction in DIRECTIONS:
            after = cell.step(direction)
            if after in passable and after not in came:
                came[after] = (cell, direction)
                queue.append(after)
    if target not in came:
        return None
    letters: list[str] = []
    link = came[target]
    while link is not None:
        letters.append(link[1].letter)
        link = came[link[0]]
    return "".join(reversed(letters))


def plan_from_pushes(level: Level, pushes: Iterable[Push]) -> Plan:
    """Build the plan of these line pushes, walking the shortest way between them.

    Raises IllegalPlan: a push is not straight, starts without a box, or its standing place cannot be reached.
    """
    state = initial(level)
    letters: list[str] = []
    actions = tuple(pushes)
    for number, push in enumerate(actions, 1):
        if not push.straight or push.box not in state.boxes:
            raise IllegalPlan(f"action {number} pushes no box in a straight line", at=number)
        way = walk(level.floor - state.boxes, state.player, push.box.step(push.direction.opposite))
        if way is None:
            raise IllegalPlan(f"action {number}: the player cannot get behind the box", at=number)
        letters.append(way + push.direction.letter.upper() * push.length)
        state = state.after(push)
    return Plan(actions, "".join(letters))


def replay(level: Level, lurd: str) -> Iterator[tuple[State, Direction, State]]:
    """Yield every move of a LURD string, of either case, with the states before and after it.

    Raises:
        IllegalPlan: A letter is not a move, or a move runs into a wall or an immovable box; the message says at which cell.
    """
    state = initial(level)
    for number, letter in enumerate(lurd, 1):
        direction = BY_LETTER.get(letter.lower())
        after = move(level, state, direction) if direction is not None else None
        if direction is None or after is None:
            raise IllegalPlan(f"move {number} ({letter!r}) {_why_not(level, state, direction)}", at=number)
        yield state, direction, after
        state = after


def _why_not(level: Level, state: State, direction: Direction | None) -> str:
    """Say what keeps the player from moving."""
    if direction is None:
        return "is not one of the letters l u r d"
    to = state.player.step(direction)
    place = f"row {to.row}, column {to.col}"
    if to not in level.floor:
        return f"walks into a wall at {place}"
    if to.step(direction) in state.boxes:
        return f"pushes two boxes at once, from {place}"
    return f"pushes the box at {place} into a wall"


def plan_from_lurd(level: Level, lurd: str) -> Plan:
    """Build the plan of a LURD string; capitals are set as the moves really push, runs of pushes become line pushes.

    Raises IllegalPlan: a letter is not a move, or a move runs into a wall or an immovable box.
    """
    letters: list[str] = []
    actions: list[Push] = []
    pushing = False
    for before, direction, after in replay(level, lurd):
        pushed = after.boxes != before.boxes
        letters.append(direction.letter.upper() if pushed else direction.letter)
        if pushed:
            box, to = after.player, after.player.step(direction)
            last = actions[-1] if actions else None
            if pushing and last is not None and last.direction is direction and last.to == box:
                actions[-1] = Push(last.box, direction, to)
            else:
                actions.append(Push(box, direction, to))
        pushing = pushed
    return Plan(tuple(actions), "".join(letters))


def merged(level: Level, plan: Plan) -> Plan:
    """Return the plan of the same moves, line pushes as long as can be; IllegalPlan if a move cannot be made."""
    return plan_from_lurd(level, plan.lurd)
