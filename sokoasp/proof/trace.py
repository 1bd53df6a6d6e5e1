"""A plan written out as an assignment of a formula's variables: the idle actions first, then the plan."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from sokoasp.core.errors import IllegalPlan
from sokoasp.klotski import slide_rules
from sokoasp.klotski.board import Board, BoardCell
from sokoasp.klotski.slide_plan import Slide
from sokoasp.proof.cnf import Key
from sokoasp.proof.level_text import LETTERS, Field
from sokoasp.proof.slides_formula import WAYS, Layout, layout

Push = tuple[int, int, int]
"""Box cell, way, number of cells."""


def pushes_in(field: Field, lurd: str, *, lines: bool) -> list[Push]:
    """Return the pushes of a plan, runs of pushes that no walk interrupts as one if ``lines``.

    Raises:
        IllegalPlan: A letter is no move, or a move is not possible.
    """
    boxes, player, found, running = set(field.boxes), field.player, list[Push](), False
    for number, letter in enumerate(lurd, 1):
        d = LETTERS.find(letter.lower())
        to = field.beside[player][d] if d >= 0 else -1
        pushed = to in boxes
        if to < 0 or (pushed and (field.beside[to][d] < 0 or field.beside[to][d] in boxes)):
            raise IllegalPlan(f"move {number} ({letter!r}) is not possible", at=number)
        if pushed:
            boxes = boxes - {to} | {field.beside[to][d]}
            if lines and running and found[-1][1] == d:
                found[-1] = (found[-1][0], d, found[-1][2] + 1)
            else:
                found.append((to, d, 1))
        running, player = pushed, to
    return found


def pushes_trace(field: Field, lurd: str, horizon: int, *, lines: bool) -> set[Key]:
    """Return the variables of ``pushes_formula`` that are true of a plan of at most ``horizon`` actions.

    Raises:
        IllegalPlan: The plan breaks a rule or is longer.
    """
    plan = pushes_in(field, lurd, lines=lines)
    idle = horizon - len(plan)
    if idle < 0:
        raise IllegalPlan(f"the plan has {len(plan)} actions, more than {horizon}")
    boxes, player = set(field.boxes), field.player
    true: set[Key] = {("box", t, c) for t in range(idle + 1) for c in boxes}
    true |= {("left", t, player) for t in range(min(idle + 1, horizon))}
    for a, (box, d, length) in enumerate(plan, idle + 1):
        behind, end = field.beside[box][d ^ 1], box
        row, column = field.cells[box]
        true |= {("act", a), ("from", a, box, d), ("row", a, row), ("column", a, column), ("way", a, d)}
        true |= {("behind", a - 1, behind), ("left", a - 1, player)}
        if player != behind:
            true |= {("walk", a - 1, c) for c in way_of(field, boxes, player, behind)}
        for _ in range(length):
            end = field.beside[end][d]
            if lines:
                true.add(("on", a, end, d))
        if lines:
            true.add(("to", a, end, d))
        boxes = boxes - {box} | {end}
        player = field.beside[end][d ^ 1]
        true |= {("box", a, c) for c in boxes}
    return true


def way_of(field: Field, boxes: set[int], start: int, end: int) -> list[int]:
    """Return the cells of a shortest walk, both ends included.

    Raises:
        IllegalPlan: There is none.
    """
    came = {start: start}
    queue = deque([start])
    while queue and end not in came:
        cell = queue.popleft()
        for after in field.around(cell):
            if after not in boxes and after not in came:
                came[after] = cell
                queue.append(after)
    if end not in came:
        raise IllegalPlan("the player cannot walk to the cell behind the box")
    cells = [end]
    while cells[-1] != start:
        cells.append(came[cells[-1]])
    return cells[::-1]


def moves_trace(field: Field, lurd: str, horizon: int) -> set[Key]:
    """Return the variables of ``moves_formula`` that are true of a plan of at most ``horizon`` moves.

    Raises:
        IllegalPlan: The plan breaks a rule or is longer.
    """
    idle = horizon - len(lurd)
    if idle < 0:
        raise IllegalPlan(f"the plan has {len(lurd)} moves, more than {horizon}")
    pushes_in(field, lurd, lines=False)
    can = set(field.pushable())
    boxes, player = set(field.boxes), field.player
    true: set[Key] = set()
    for t in range(horizon + 1):
        if t > idle:
            d = LETTERS.index(lurd[t - idle - 1].lower())
            player = field.beside[player][d]
            true |= {("act", t), ("move", t, d)}
            if player in boxes and (player, d) in can:
                true.add(("push", t, player, d))
                boxes = boxes - {player} | {field.beside[player][d]}
        row, column = field.cells[player]
        true |= {("player", t, player), ("row", t, row), ("column", t, column)}
        true |= {("box", t, c) for c in boxes}
    return true


def slides_trace(board: Board, plan: Sequence[Slide], horizon: int, *, units: bool) -> set[Key]:
    """Return the variables of ``slides_formula`` that are true of a Klotski plan of at most ``horizon`` actions.

    Raises:
        IllegalPlan: The plan breaks a rule or is longer.
    """
    lay = layout(board)
    actions = _actions(board, plan, units=units)
    idle = horizon - len(actions)
    if idle < 0:
        raise IllegalPlan(f"the plan has {len(actions)} actions, more than {horizon}")
    state = dict(slide_rules.start(board))
    of = {name: k for k, kind in enumerate(lay.kinds) for name in kind.names}
    order = {place: n for n, place in enumerate(lay.all_places())}
    true: set[Key] = set()
    for t in range(horizon + 1):
        if t > idle:
            name, path = actions[t - idle - 1]
            k, place, stood = of[name], state[name], dict(state)
            true |= {("act", t), ("from", t, k, lay.kinds[k].places.index(place))}
            n = order[k, lay.kinds[k].places.index(place)]
            true |= {("first", t, m) for m in range(n, len(order))}
            for way in path:
                true.add(("step", t, k, lay.kinds[k].places.index(place), WAYS.index(way)))
                place = place.step(way)
            state[name] = place
            true.add(("to", t, k, lay.kinds[k].places.index(place)))
            true |= {("stays", t, x) for x in _covered(lay, stood, of, name)}
        elif t:
            true |= {("stays", t, x) for x in _covered(lay, state, of, "")}
        true |= {("at", t, of[one], lay.kinds[of[one]].places.index(corner)) for one, corner in state.items()}
    return true


def _covered(lay: Layout, state: dict[str, BoardCell], of: dict[str, int], moving: str) -> set[int]:
    """Return the cells covered by all pieces but one."""
    return {
        x
        for name, corner in state.items()
        if name != moving
        for x in lay.covers(of[name], lay.kinds[of[name]].places.index(corner))
    }


def _actions(board: Board, plan: Sequence[Slide], *, units: bool) -> list[tuple[str, str]]:
    """Return (piece, path) an action: each unit by itself, or what one piece goes on end as one shortest path."""
    state = dict(slide_rules.start(board))
    ends: list[tuple[str, dict[str, BoardCell], BoardCell]] = []
    steps: list[tuple[str, str]] = []
    for number, slide in enumerate(plan, 1):
        path = slide.path or slide_rules.reach(board, state, slide.piece).get(slide.to_cell, "")
        steps += [(slide.piece, way) for way in path]
        if not path or slide_rules.reach(board, state, slide.piece).get(slide.to_cell) is None:
            raise IllegalPlan(f"slide {number} is not possible", at=number)
        if ends and ends[-1][0] == slide.piece:
            ends[-1] = (slide.piece, ends[-1][1], slide.to_cell)
        else:
            ends.append((slide.piece, dict(state), slide.to_cell))
        state[slide.piece] = slide.to_cell
    if units:
        return steps
    found = [(name, slide_rules.reach(board, before, name)[end]) for name, before, end in ends]
    return [(name, path) for name, path in found if path]
