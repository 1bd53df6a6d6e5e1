"""The truth about small levels: every reachable state labelled alive or dead by search alone, nothing clever.

Detectors are measured against it (see ``recall``) and the tests take it as the truth; it shares no code with them.
"""

from __future__ import annotations

from dataclasses import dataclass

from sokoasp.sokoban import grid
from sokoasp.sokoban.grid import Grid
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State

_Node = tuple[frozenset[int], int]


def labels(level: Level, *, states: int = 20_000) -> dict[State, bool] | None:
    """Say for every state reachable from the level's start whether it can be solved (True) or is dead (False).

    States are canonical (player on the smallest cell of its region), in the order they were met; None if too many.
    """
    view = grid.build(level)
    room = _room(view)
    goals = frozenset(view.goals)
    boxes = frozenset(view.boxes)
    first = (boxes, room.first(room.region(boxes, view.player)))
    before: dict[_Node, list[_Node]] = {first: []}
    queue = [first]
    for node in queue:
        for after in _pushed(view, room, *node):
            if after not in before:
                if len(before) >= states:
                    return None
                before[after] = []
                queue.append(after)
            before[after].append(node)
    alive = dict.fromkeys(before, False)
    queue = [node for node in before if goals <= node[0]]
    for node in queue:
        alive[node] = True
    for node in queue:
        for earlier in before[node]:
            if not alive[earlier]:
                alive[earlier] = True
                queue.append(earlier)
    cells = view.cells
    return {State(frozenset(cells[b] for b in at), cells[player]): lives for (at, player), lives in alive.items()}


@dataclass(frozen=True, slots=True)
class _Room:
    """The floor as bits of an integer, row after row; cells are numbered in the same order."""

    wide: int
    floor: int
    bit: list[int]
    """The bit of every cell."""
    number: dict[int, int]
    """The cell of every bit, by the length of the integer that ends with it."""

    def region(self, boxes: frozenset[int], player: int) -> int:
        """Return the bits of the cells that the player reaches."""
        free, wide, seen, found = self.floor, self.wide, 0, self.bit[player]
        for box in boxes:
            free &= ~self.bit[box]
        while found != seen:
            seen = found
            found |= (found << 1 | found >> 1 | found << wide | found >> wide) & free
        return found

    def first(self, region: int) -> int:
        """Return the smallest cell of a region."""
        return self.number[(region & -region).bit_length()]


def _room(view: Grid) -> _Room:
    wide = max(cell.col for cell in view.cells) + 2
    bit = [1 << cell.row * wide + cell.col for cell in view.cells]
    return _Room(wide, sum(bit), bit, {one.bit_length(): number for number, one in enumerate(bit)})


def _pushed(view: Grid, room: _Room, boxes: frozenset[int], player: int) -> list[_Node]:
    area, bit = room.region(boxes, player), [*room.bit, 0]
    found = []
    for box in boxes:
        for direction, step in enumerate(view.step):
            to = step[box]
            if to != view.size and to not in boxes and bit[view.step[grid.OPPOSITE[direction]][box]] & area:
                after = boxes - {box} | {to}
                found.append((after, room.first(room.region(after, box))))
    return found
