"""Units and passages: how a state is cut into parts, and which cuts are tried.

A *unit* is a connected part of the floor with boxes in it, a *passage* a connected part of the rest, which holds none. A *gate*
is a step from a unit into a passage. Units that would touch are one unit, so every gate leads into a passage (units paper §3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sokoasp.core.errors import LevelError
from sokoasp.sokoban.deadlock.bitboard import Bitboard, BitState, beside, bits, flood, grow, pieces, shift, union
from sokoasp.sokoban.level import Cell


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of the map with its boxes, as masks of the board."""

    cells: int
    boxes: int
    gates: tuple[tuple[int, int], ...]
    """(cell inside, shift that leads out) in reading order of the cells."""
    ways_out: int
    """The passage cells behind the gates."""


@dataclass(frozen=True, slots=True)
class Split:
    """One way to cut a state."""

    name: str
    units: tuple[Unit, ...]
    passages: tuple[int, ...]


RADII: tuple[int, ...] = (1, 2)
"""How far a unit reaches around its boxes, in cells, diagonals included."""


def splits(at: BitState) -> Iterator[Split]:
    """Yield the cuts to try, fine to coarse; every one is sound, so the first that proves a deadlock will do.

    For each radius: the cells around each box, overlapping or touching parts made one; then the same with every passage that
    the player does not reach without pushing, and the units around it, made one unit.
    """
    seen: set[tuple[int, ...]] = set()
    for radius in RADII:
        near = ((box, grow(box, at.board.floor, at.board.stride, radius)) for box in bits(at.boxes))
        parts = joined(at.board, [flood(box, around, at.board.stride) for box, around in near], at.boxes)
        cuts = [("around", parts)]
        closed = [p for p in _rest(at.board, parts) if not p & at.region]
        if closed:
            cuts.append(("closed in", joined(at.board, parts + closed, at.boxes)))
        for name, cut in cuts:
            key = tuple(sorted(cut))
            if key not in seen:
                seen.add(key)
                yield cut_into(at, f"{name} {radius}", cut)


def joined(board: Bitboard, parts: list[int], boxes: int) -> list[int]:
    """Return the connected pieces of the parts taken together that hold a box."""
    return [piece for piece in pieces(union(parts), board.stride) if piece & boxes]


def _rest(board: Bitboard, parts: list[int]) -> list[int]:
    """Return the connected pieces of the floor outside the parts."""
    return list(pieces(board.floor & ~union(parts), board.stride))


def cut_into(at: BitState, name: str, parts: list[int]) -> Split:
    """Return the cut whose units are these parts, which must not touch and must hold all boxes between them."""
    board = at.board
    units = []
    for part in parts:
        gates = [(cell, by) for by in board.shifts for cell in bits(part & shift(board.floor & ~part, -by))]
        out = union(shift(cell, by) for cell, by in gates)
        units.append(Unit(part, at.boxes & part, tuple(sorted(gates)), out))
    return Split(name, tuple(units), tuple(_rest(board, parts)))


def read_cut(at: BitState, text: str, source: str = "") -> Split:
    """Read a cut of a state: equal letters are one unit, every other character is a passage (or what the map has there).

    Rows and columns are those of the level as written. Every box must lie in a unit, a unit must hang together, and two
    units must not touch: between them lies at least one cell of passage.
    LevelError if the letters break one of these rules, or stand off the floor.
    """
    parts = _parts(at, text, source)
    for letter, mask in parts.items():
        if rest := mask & ~flood(mask & -mask, mask, at.board.stride):
            raise _error(at, rest, f"unit {letter!r} is in several parts", source)
        for other, its in parts.items():
            touching = beside(mask, at.board.shifts) & its
            if other != letter and touching:
                raise _error(
                    at, touching, f"units {letter!r} and {other!r} touch: leave a cell of passage between", source
                )
    if outside := at.boxes & ~union(parts.values()):
        raise _error(at, outside, "a box lies in no unit", source)
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
