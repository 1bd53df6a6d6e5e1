"""One name for a level whatever way it was drawn: its canonical picture and the hash of that (format in docs/optima.md)."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from sokoasp.sokoban.level import Cell, Direction, Level

HASH_DIGITS = 32
"""Hexadecimal digits of the SHA-256 that make the name: 128 bits."""


class Turn(NamedTuple):
    """One of the eight symmetries of the square grid: (row, column) goes to (a·row + b·column, c·row + d·column)."""

    a: int
    b: int
    c: int
    d: int

    def cell(self, cell: Cell) -> Cell:
        """Return where a cell goes, before the picture is moved back to row and column 0."""
        return Cell(self.a * cell.row + self.b * cell.col, self.c * cell.row + self.d * cell.col)

    @property
    def back(self) -> Turn:
        """Return the symmetry that undoes this one."""
        return Turn(self.a, self.c, self.b, self.d)

    def lurd(self, moves: str) -> str:
        """Return a move string as it reads after the symmetry; case is kept."""
        before = "".join(way.letter for way in Direction)
        after = "".join(Direction(tuple(self.cell(Cell(*way.value)))).letter for way in Direction)
        return moves.translate(str.maketrans(before + before.upper(), after + after.upper()))


TURNS = tuple(
    Turn(*numbers) for sign in (1, -1) for other in (1, -1) for numbers in ((sign, 0, 0, other), (0, sign, other, 0))
)
"""The eight symmetries; the first is the identity."""


class Canonical(NamedTuple):
    """A level's canonical picture, the symmetry that leads to it, and its name."""

    rows: tuple[str, ...]
    turn: Turn

    @property
    def text(self) -> str:
        """Return the picture with a line feed after every row."""
        return "".join(f"{row}\n" for row in self.rows)

    @property
    def name(self) -> str:
        """Return the level's hash: the first 32 hexadecimal digits of the SHA-256 of the text."""
        return sha256(self.text.encode("ascii")).hexdigest()[:HASH_DIGITS]


@lru_cache(maxsize=8)  # each objective, and each of those who ask while one level is solved
def canonical(level: Level) -> Canonical:
    """Return the canonical form of a level.

    The picture shows the playing area (what the player could reach without boxes) in its bounding box, ``-`` for empty floor,
    ``#`` for every other cell, and the XSB characters. Of the eight symmetries the one whose text is least in byte order is
    taken; of equal ones the first of ``TURNS``. Walls around, decoration, unreachable parts, titles and competition steps say
    nothing. The player's own cell counts, since moves do.
    """
    rows = _drawn(level)
    best = min((_turned(rows, turn), index) for index, turn in enumerate(TURNS))
    return Canonical(best[0], TURNS[best[1]])


def board_hash(level: Level) -> str:
    """Return the name that a level has whatever way it was drawn: 32 hexadecimal digits."""
    return canonical(level).name


def _drawn(level: Level) -> tuple[str, ...]:
    """Return the playing area as it lies, in its bounding box."""
    numbers, columns = zip(*level.floor, strict=True)
    top, left = min(numbers), min(columns)
    rows = [["#"] * (max(columns) + 1 - left) for _ in range(top, max(numbers) + 1)]
    for cell in level.floor:
        rows[cell.row - top][cell.col - left] = level.glyph(cell).replace(" ", "-")
    return tuple(map("".join, rows))


def _turned(rows: tuple[str, ...], turn: Turn) -> tuple[str, ...]:
    """Return a picture after a symmetry: rows and columns exchanged, then the order of the rows and of the columns reversed."""
    if not turn.a:
        rows = tuple(map("".join, zip(*rows, strict=True)))
    return tuple(row[:: turn.c + turn.d] for row in rows[:: turn.a + turn.b])
