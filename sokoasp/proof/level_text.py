"""The level of a certificate: its own small reader, so that a check stands on nothing that solvers use."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sokoasp.core.errors import LevelError
from sokoasp.sokoban.level import Cell, Level, reachable, spread, surrounding_walls

WAYS = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Left, right, up, down; the opposite of way d is ``d ^ 1``."""
LETTERS = "lrud"
MOST_CELLS = 1 << 16
"""Of the floor: a cell is written in 16 bits."""
MOST_SIGNS = 1 << 20
"""Of a level's text, walls and blanks as well: sixteen times that floor, and read in a second or two."""


@dataclass(frozen=True, slots=True)
class Field:
    """A level in numbers: floor cells counted from 0 in reading order, -1 for walls."""

    cells: tuple[tuple[int, int], ...]
    beside: tuple[tuple[int, int, int, int], ...]
    """The neighbours of each cell, left, right, up, down."""
    boxes: tuple[int, ...]
    goals: tuple[int, ...]
    player: int

    @property
    def size(self) -> int:
        """Return the number of floor cells."""
        return len(self.cells)

    def around(self, cell: int) -> list[int]:
        """Return the neighbouring floor cells."""
        return [c for c in self.beside[cell] if c >= 0]

    def pushable(self) -> list[tuple[int, int]]:
        """List (cell, way) where a box can be pushed: the cells before and behind it are floor."""
        return [(c, d) for c, near in enumerate(self.beside) for d in range(4) if near[d] >= 0 and near[d ^ 1] >= 0]

    def region(self, boxes: Collection[int]) -> set[int]:
        """Return the cells that the player gets to between these boxes."""
        return set(spread([self.player], lambda cell: (near for near in self.around(cell) if near not in boxes)))

    def cells_in(self, level: Level) -> list[Cell]:
        """Return the cells by their places in the level from which this was written: rows are cut to the walls."""
        top, left = (min(places) - 1 for places in zip(*level.floor, strict=True))
        return [Cell(row + top, col + left) for row, col in self.cells]

    def level(self) -> Level:
        """Return the level for the referee."""
        of = [Cell(*cell) for cell in self.cells]
        return Level(
            frozenset(of), frozenset(of[b] for b in self.boxes), frozenset(of[g] for g in self.goals), of[self.player]
        )


def read(text: str) -> Field:
    """Read rows of ``#``, blank, ``$ * . @ +``; the floor is what the player could reach if there were no boxes.

    Raises LevelError: the rows are no level.
    """
    if len(text) > MOST_SIGNS:
        raise LevelError(f"the level has {len(text):,} signs, more than the {MOST_SIGNS:,} that are read")
    signs = {(r, c): sign for r, row in enumerate(text.split("\n")) for c, sign in enumerate(row)}
    for place, sign in signs.items():
        if sign not in "# $*.@+":
            raise LevelError(f"{sign!r} at row {place[0]}, column {place[1]} is no sign of a level")
    players = [place for place, sign in signs.items() if sign in "@+"]
    if len(players) != 1:
        raise LevelError(f"the level has {len(players)} players")
    seen = {players[0]}
    queue = deque(players)
    while queue:
        row, col = queue.popleft()
        for dr, dc in WAYS:
            after = (row + dr, col + dc)
            if after not in signs:
                raise LevelError(f"the floor is open at row {row}, column {col}")
            if signs[after] != "#" and after not in seen:
                seen.add(after)
                queue.append(after)
    stray = [place for place, sign in signs.items() if sign in "$*.+" and place not in seen]
    if stray:
        raise LevelError(f"the box or goal at row {stray[0][0]}, column {stray[0][1]} is out of reach")
    if len(seen) > MOST_CELLS:
        raise LevelError("the level has more than 65,536 floor cells")
    cells = tuple(sorted(seen))
    index = {cell: number for number, cell in enumerate(cells)}
    to_left, to_right, above, below = ([index.get((r + dr, c + dc), -1) for r, c in cells] for dr, dc in WAYS)
    return Field(
        cells,
        tuple(zip(to_left, to_right, above, below, strict=True)),
        tuple(index[cell] for cell in cells if signs[cell] in "$*"),
        tuple(index[cell] for cell in cells if signs[cell] in ".*+"),
        index[players[0]],
    )


def write(level: Level, boxes: Iterable[Cell] | None = None) -> str:
    """Write a level in these rows, cut to the walls around its floor; only with these boxes if some are named.

    Raises LevelError: the floor is in several parts, and there is a box or goal in another one than the player's.
    """
    kept = level.boxes if boxes is None else frozenset(boxes)
    gone = level.boxes - kept
    stray = min((kept | level.goals) - reachable(level.player, level.floor), default=None)
    if stray is not None:
        raise LevelError(f"the box or goal at row {stray.row}, column {stray.col} is out of the player's reach")
    walls = surrounding_walls(level.floor)
    top, left = min(c.row for c in walls), min(c.col for c in walls)
    bottom, right = max(c.row for c in walls), max(c.col for c in walls)
    lines = []
    for row in range(top, bottom + 1):
        signs = []
        for col in range(left, right + 1):
            cell = Cell(row, col)
            if cell in walls:
                signs.append("#")
            elif cell in gone:
                signs.append("." if cell in level.goals else " ")
            else:
                signs.append(level.glyph(cell))
        lines.append("".join(signs).rstrip())
    return "\n".join(lines) + "\n"
