"""Cuts given by hand: a copy of the map with a letter on each cell of a unit, as the units paper draws its units."""

from __future__ import annotations

from sokoasp.core.errors import LevelError
from sokoasp.sokoban.deadlock.bitboard import BitState, beside, bits, flood
from sokoasp.sokoban.level import Cell
from sokoasp.sokoban.units.split import Split, cut_into


def read_cut(at: BitState, text: str, source: str = "") -> Split:
    """Read a cut of a state: equal letters are one unit, every other character is a passage (or what the map has there).

    Rows and columns are those of the level as written. Every box must lie in a unit, a unit must hang together, and two
    units must not touch: between them lies at least one cell of passage.

    Raises:
        LevelError: The letters break one of these rules, or stand off the floor.
    """
    parts = _parts(at, text, source)
    for letter, mask in parts.items():
        whole = flood(mask & -mask, mask, at.board.stride)
        if whole != mask:
            raise _error(at, mask & ~whole, f"unit {letter!r} is in several parts", source)
        for other, its in parts.items():
            touching = beside(mask, at.board.shifts) & its
            if other != letter and touching:
                raise _error(
                    at, touching, f"units {letter!r} and {other!r} touch: leave a cell of passage between", source
                )
    inside = 0
    for mask in parts.values():
        inside |= mask
    if at.boxes & ~inside:
        raise _error(at, at.boxes & ~inside, "a box lies in no unit", source)
    return cut_into(at, "by hand", [mask for _letter, mask in sorted(parts.items())])


def _parts(at: BitState, text: str, source: str) -> dict[str, int]:
    parts: dict[str, int] = {}
    rows = [row for row in text.splitlines() if row.strip() and not row.lstrip().startswith(";")]
    for row, line in enumerate(rows):
        for col, char in enumerate(line):
            if char.isalpha():
                number = at.board.number.get(Cell(row, col))
                if number is None:
                    raise LevelError(f"{char!r} stands on no floor", source=source, line=row + 1, column=col + 1)
                parts[char.lower()] = parts.get(char.lower(), 0) | 1 << number
    return parts


def _error(at: BitState, mask: int, what: str, source: str) -> LevelError:
    cell = at.board.cell(next(bits(mask)))
    return LevelError(what, source=source, line=cell.row + 1, column=cell.col + 1)
