"""What a game brings for its pictures: one record, of which all kinds of pictures are put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sokoasp.picture.outline import SIZE


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
    trim: int = 0
    """User units that a picture of a single state leaves off all around."""
