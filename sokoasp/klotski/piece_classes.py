"""Classes of interchangeable pieces, and the paper's number for a position.

Source: the Hua Rong Dao paper, table 3 (classes 2x2, 2x1, 1x2, 1x1) and the formula below table 5; a class here is a shape, the
directions it may move in and, for pieces the goal speaks of, the group of letters that may stand for each other.
"""

from __future__ import annotations

from dataclasses import dataclass

from sokoasp.klotski.board import Board, BoardCell, Piece


@dataclass(frozen=True, slots=True)
class PieceClass:
    """The pieces that may stand for each other, in order of letter; the first letter names the class."""

    members: tuple[Piece, ...]

    @property
    def name(self) -> str:
        """Return the letter the class goes by."""
        return self.members[0].name

    @property
    def shape(self) -> tuple[BoardCell, ...]:
        """Return the covered cells counted from the corner."""
        return self.members[0].shape

    @property
    def directions(self) -> str:
        """Return the directions its pieces may move in."""
        return self.members[0].directions


def classes(board: Board) -> tuple[PieceClass, ...]:
    """Return the classes of the board in the paper's order: big before small, wide before tall."""
    wanted = set("".join(board.group(name) for name in board.goal.names))
    found: dict[tuple[object, ...], list[Piece]] = {}
    for piece in board.pieces:
        group = board.group(piece.name) if piece.name in wanted else ""
        found.setdefault((piece.shape, piece.directions, group), []).append(piece)
    made = (PieceClass(tuple(pieces)) for pieces in found.values())
    return tuple(sorted(made, key=lambda x: (-len(x.shape), -max(cell.col for cell in x.shape), x.shape, x.name)))


def class_of(board: Board) -> dict[str, str]:
    """Return the class name of each piece's letter."""
    return {piece.name: kind.name for kind in classes(board) for piece in kind.members}


def paper_key(board: Board) -> int:
    """Return the paper's number for the position: sorted corner numbers, class by class, as digits in base width x height.

    It fits 64 bits for the paper's boards; Python's integers carry wider ones.
    """
    value = 0
    for kind in classes(board):
        for number in sorted(board.number(piece.corner) for piece in kind.members):
            value = value * board.width * board.height + number
    return value
