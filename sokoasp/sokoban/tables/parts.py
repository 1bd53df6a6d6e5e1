"""The table ``parts``: the map halved again and again, for counting boxes by parts of it."""

from __future__ import annotations

from collections.abc import Iterator

from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level
from sokoasp.sokoban.tables.relaxed import distances, game


def parts(level: Level, objective: str, index: str) -> Iterator[str]:
    """Yield a binary tree of parts of the map; only cells that can hold a box in some plan are in it.

    - ``part_cell(P,L)``: part P is the cell L alone.
    - ``part_halves(P,P1,P2)``: part P is made of the parts P1 and P2.
    - ``part_most(P,N)``: part P has N cells, or one more than there are boxes if that is less.
    - ``part_whole(P)``: part P has all the cells.

    They are the same from both ends. The cells are taken in the order of a walk through the map, so that parts are mostly
    connected: rooms and pieces of them.
    """
    counted = "pushes" if objective == "moves" else objective
    small = game(level, counted)
    alive = {small.cell(boxes[0]) for boxes, _ in distances(level, counted, 1).from_start}
    cells = [cell for cell in _walk(level) if cell in alive]
    if not cells:
        return
    name = name_of(level)
    yield "part_whole(0)"
    pending = [(0, cells)]
    used = 0
    while pending:
        part, inside = pending.pop()
        yield f"part_most({part},{min(len(inside), len(level.boxes) + 1)})"
        if len(inside) == 1:
            yield f"part_cell({part},{name[inside[0]]})"
            continue
        middle = len(inside) // 2
        yield f"part_halves({part},{used + 1},{used + 2})"
        pending += [(used + 1, inside[:middle]), (used + 2, inside[middle:])]
        used += 2


def _walk(level: Level) -> Iterator[Cell]:
    """Yield the floor depth first, from the first goal (without goals from the player), and then what is not joined to that."""
    met = set()
    stack = [*sorted(level.floor, reverse=True), min(level.goals, default=level.player)]
    while stack:
        cell = stack.pop()
        if cell in met or cell not in level.floor:
            continue
        met.add(cell)
        yield cell
        stack += [cell.step(direction) for direction in reversed(DIRECTIONS)]
