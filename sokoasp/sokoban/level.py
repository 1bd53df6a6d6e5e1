"""The level: where one may walk, where boxes, goals and the player are."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from sokoasp.core.display import as_svg
from sokoasp.core.errors import LevelError, counted

N = TypeVar("N", bound=Hashable)


class Cell(NamedTuple):
    """A place on the map, counted from 0 at the top left of the level as written."""

    row: int
    col: int

    def step(self, direction: Direction, count: int = 1) -> Cell:
        """Return the cell ``count`` steps away in that direction."""
        drow, dcol = direction._value_  # the property takes longer than all the rest
        return Cell(self.row + count * drow, self.col + count * dcol)

    def manhattan(self, other: Cell) -> int:
        """Return the steps between two cells, were there no walls."""
        return abs(self.row - other.row) + abs(self.col - other.col)


class Direction(Enum):
    """One of the four directions, by its (row, column) change; names are the competition's constants."""

    left = (0, -1)
    right = (0, 1)
    up = (-1, 0)
    down = (1, 0)

    @property
    def opposite(self) -> Direction:
        """Return the direction that leads back."""
        drow, dcol = self._value_
        return _BY_CHANGE[-drow, -dcol]

    @property
    def letter(self) -> str:
        """Return the small LURD letter."""
        return self._name_[0]


DIRECTIONS: tuple[Direction, ...] = tuple(Direction)
_BY_CHANGE = {d.value: d for d in DIRECTIONS}
BY_LETTER: dict[str, Direction] = {d.letter: d for d in DIRECTIONS}


@dataclass(frozen=True, slots=True)
class Level:
    """One Sokoban level.

    ``floor`` is the playing area: the cells the player could reach if there were no boxes. Boxes, goals and the player stand
    on it. What else the file showed (decoration, closed-off parts) is kept in ``decoration`` for writing it back and takes no
    part in the game. By the competition's rule a level is done when every goal holds a box, so there may be more boxes than
    goals; the XSB readers are stricter and want equal numbers.

    Two levels are equal when their game and their decoration are; titles and comments do not count.
    """

    _repr_svg_ = as_svg

    floor: frozenset[Cell]
    boxes: frozenset[Cell]
    goals: frozenset[Cell]
    player: Cell
    decoration: tuple[tuple[Cell, str], ...] = ()
    """Sorted (cell, XSB character) of everything outside the playing area that is not blank, walls included."""
    title: str = field(default="", compare=False)
    author: str = field(default="", compare=False)
    collection: str = field(default="", compare=False)
    comment: str = field(default="", compare=False)
    notes: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """(key, text) of what else came with the level and has no field here, such as ``Email``, in the order of its file."""
    solutions: tuple[str, ...] = field(default=(), compare=False)
    """LURD strings that came with the level, as written; not checked."""
    source: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)
    """1-based line of the first row in its file, 0 if there is none."""
    names: tuple[tuple[Cell, str], ...] = field(default=(), compare=False)
    """Constant names of the cells when the level came from facts; empty otherwise."""
    steps: int | None = field(default=None, compare=False)
    """Number of competition steps when the facts gave step/1; a plan then has ``steps - 1`` actions."""
    step_names: tuple[str, ...] = field(default=(), compare=False)
    """Constants of the steps from first to last when the facts called them otherwise than 1, 2, 3 …; empty otherwise."""
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Check that the pieces stand on the floor.

        Raises:
            TypeError: The floor, boxes or goals are no frozenset, or something is no cell.
            LevelError: A box, goal or the player stands off the floor, the player on a box, a cell has a number below 0, or
                there are more goals than boxes.
        """
        _require_cells(self)
        below = min((cell for cell in self.floor if cell.row < 0 or cell.col < 0), default=None)
        if below is not None:
            raise LevelError(f"rows and columns count from 0: there is a cell at row {below.row}, column {below.col}")
        for what, cells in (("player", {self.player}), ("box", self.boxes), ("goal", self.goals)):
            stray = sorted(set(cells) - self.floor)
            if stray:
                raise LevelError(f"{what} at row {stray[0].row}, column {stray[0].col} is not on the floor")
        if self.player in self.boxes:
            raise LevelError("the player stands on a box")
        if len(self.goals) > len(self.boxes):
            raise LevelError(
                f"{counted(len(self.boxes), 'boxes')}, {counted(len(self.goals), 'goals')}: they can never all be filled",
                code="E-COUNT",
            )

    @property
    def height(self) -> int:
        """Return the number of rows, decoration included."""
        return 1 + max(c.row for c in self._all_cells())

    @property
    def width(self) -> int:
        """Return the number of columns, decoration included."""
        return 1 + max(c.col for c in self._all_cells())

    def _all_cells(self) -> Iterator[Cell]:
        yield from self.floor
        for cell, _ in self.decoration:
            yield cell

    @property
    def solved(self) -> bool:
        """Return whether every goal holds a box already."""
        return self.goals <= self.boxes

    def glyph(self, cell: Cell) -> str:
        """Return the XSB character of a playing-area cell."""
        on_goal = cell in self.goals
        if cell in self.boxes:
            return "*" if on_goal else "$"
        if cell == self.player:
            return "+" if on_goal else "@"
        return "." if on_goal else " "

    def rows(self) -> tuple[str, ...]:
        """Return the picture as XSB rows, without trailing blanks."""
        width = self.width
        picture = [[" "] * width for _ in range(self.height)]
        for cell, char in self.decoration:
            picture[cell.row][cell.col] = char
        for cell in self.floor:
            picture[cell.row][cell.col] = self.glyph(cell)
        return tuple("".join(row).rstrip() for row in picture)

    def with_state(self, boxes: Iterable[Cell], player: Cell) -> Level:
        """Return the same level with boxes and player elsewhere."""
        bare: dict[str, Any] = {"collection": "", "comment": "", "notes": (), "solutions": (), "warnings": ()}
        return replace(self, boxes=frozenset(boxes), player=player, steps=None, step_names=(), **bare)

    def __str__(self) -> str:
        return "\n".join(self.rows())


def _require_cells(level: Level) -> None:
    for name in ("floor", "boxes", "goals"):
        if not isinstance(getattr(level, name), frozenset):
            raise TypeError(
                f"{name}: a frozenset of Cell(row, col) is wanted, not a {type(getattr(level, name)).__name__}"
            )
    cells = (*level.floor, *level.boxes, *level.goals, level.player, *(cell for cell, _ in level.decoration))
    wrong = next((cell for cell in cells if not isinstance(cell, Cell)), None)
    if wrong is not None:
        raise TypeError(f"a cell is Cell(row, col), not {wrong!r:.60}")


def reachable(start: Cell, passable: Collection[Cell]) -> set[Cell]:
    """Return the cells connected to ``start`` through ``passable`` cells, ``start`` included."""
    found, left = [start], set(passable)
    left.discard(start)
    for cell in found:
        for after in beside(cell):
            if after in left:
                left.remove(after)
                found.append(after)
    return set(found)


def spread(
    first: Iterable[N], neighbours: Callable[[N], Iterable[N]], within: Collection[N] | None = None
) -> dict[N, int]:
    """Search breadth first from these states, within the given ones if any are, and return the actions to each state met."""
    found = {state: 0 for state in first if within is None or state in within}
    queue = deque(found)
    while queue:
        state = queue.popleft()
        actions = found[state] + 1
        for other in neighbours(state):
            if other not in found and (within is None or other in within):
                found[other] = actions
                queue.append(other)
    return found


@lru_cache(maxsize=1 << 14)
def beside(cell: Cell) -> tuple[Cell, ...]:
    """Return the four cells beside a cell, in the order of ``DIRECTIONS``."""
    return tuple(cell.step(direction) for direction in DIRECTIONS)


def surrounding_walls(floor: frozenset[Cell]) -> set[Cell]:
    """Return the wall cells that close the floor in, diagonal corners included."""
    around = {Cell(c.row + dr, c.col + dc) for c in floor for dr in (-1, 0, 1) for dc in (-1, 0, 1)}
    return around - floor


def wall_cells(level: Level) -> frozenset[Cell]:
    """Return the wall cells as written, or those around the floor when the level came without."""
    written = frozenset(cell for cell, char in level.decoration if char == "#")
    return written or frozenset(surrounding_walls(level.floor))
