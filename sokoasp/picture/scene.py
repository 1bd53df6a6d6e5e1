"""What a game brings for its pictures: one record, of which all kinds of pictures are put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sokoasp.picture.outline import SIZE

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw


@dataclass(frozen=True, slots=True)
class Box:
    """The rows and columns a picture shows, ends included."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def width(self) -> int:
        """Return the width in user units, without margins."""
        return (self.right - self.left + 1) * SIZE

    @property
    def height(self) -> int:
        """Return the height in user units, without margins."""
        return (self.bottom - self.top + 1) * SIZE


def around(cells: Iterable[tuple[int, int]]) -> Box:
    """Return the smallest box that holds the cells."""
    rows, cols = zip(*cells, strict=True)
    return Box(min(rows), min(cols), max(rows), max(cols))


Positions = dict[str, tuple[int, int]]
"""The cell of every drawn thing, by the name it has in timelines."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a picture shows what: its rows and columns, and the pixels of a cell (drawn twice as large, then shrunk)."""

    box: Box
    cell: int

    def corner(self, cell: tuple[int, int]) -> tuple[int, int]:
        """Return the top-left pixel of a cell."""
        return (cell[1] - self.box.left) * self.cell, (cell[0] - self.box.top) * self.cell

    def rectangle(self, cell: tuple[int, int], inset: float = 0) -> tuple[float, float, float, float]:
        """Return the pixels of a cell, drawn in by a part of its side."""
        x, y = self.corner(cell)
        return (
            x + inset * self.cell,
            y + inset * self.cell,
            x + (1 - inset) * self.cell - 1,
            y + (1 - inset) * self.cell - 1,
        )

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""
        return self.corner((self.box.bottom + 1, self.box.right + 1))

    @property
    def wide(self) -> int:
        """Return the cells of the longer side."""
        return max(self.box.right - self.box.left, self.box.bottom - self.box.top) + 1


class Artist(NamedTuple):
    """How a level or board is drawn as a bitmap."""

    ground: Callable[[ImageDraw], None]
    """Draws what never moves."""
    things: Callable[[ImageDraw, Positions], None]
    """Draws what moves, where it is."""
    first: Positions
    """Where it is at the start."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A level or board as its game draws it; pictures of all kinds are put together from these parts."""

    title: str
    """Its own, empty if it has none."""
    noun: str
    """What it is called without one."""
    box: Box
    ground: str
    """What never moves."""
    start: Any
    """The state at the start."""
    pieces: Callable[[Any], str]
    """State → what moves."""
    describe: Callable[[Any], str]
    """State → words for those who cannot see the picture."""
    frames: Callable[[Any], Iterator[tuple[Any, str, str]]]
    """Plan → state, arrow and heading for every action, and the end."""
    count: Callable[[Any], str]
    """Plan → what it costs, in words."""
    timeline: Callable[[Any], dict[str, Any]]
    """Plan → what each of its moves displaces (see ``sokoasp.render.timeline``)."""
    artist: Callable[[Stage], Artist]
    """Stage → how it is drawn as a bitmap."""
    trim: int = 0
    """User units that a picture of a single state leaves off all around."""
