"""The paper's own pictures of a board: ``##`` over ``##``, ``[]``, ``H`` over ``H``, ``O``.

Source: the Hua Rong Dao paper, table 6. A blank is a space or ``.``; a row must be as wide as the board, since the
paper's printed rows lost their blanks and cannot be read back without guessing.
"""

from __future__ import annotations

from collections.abc import Sequence

from sokoasp.core.errors import LevelError, NotationError
from sokoasp.klotski.board import Board, BoardCell, Piece

_SHAPES: dict[str, dict[BoardCell, str]] = {
    "#": {BoardCell(0, 0): "#", BoardCell(0, 1): "#", BoardCell(1, 0): "#", BoardCell(1, 1): "#"},
    "[": {BoardCell(0, 0): "[", BoardCell(0, 1): "]"},
    "H": {BoardCell(0, 0): "H", BoardCell(1, 0): "H"},
    "O": {BoardCell(0, 0): "O"},
}
_BLANKS = " ."
_ZERO = str.maketrans("○0o", "OOO")
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SMALL = "bcdefghijklmnopqrstuvwxyza0123456789"


def letters(rows: Sequence[str]) -> list[str]:
    """Turn glyph rows into letter rows: the 2x2 pieces get ``A``, ``B``, ..., the others ``b``, ``c``, ... row by row.

    Raises:
        LevelError: A glyph has no partner; ``line`` and ``column`` are counted from 1 within the rows.
    """
    grid = [row.translate(_ZERO) for row in rows]
    out = [["."] * len(row) for row in grid]
    capitals, small = iter(CAPITALS), iter(SMALL)
    for row, text in enumerate(grid):
        for col, glyph in enumerate(text):
            if glyph in _BLANKS or out[row][col] != ".":
                continue
            shape = _SHAPES.get(glyph)
            if shape is None or not _fits(grid, out, shape, BoardCell(row, col)):
                raise LevelError(f"glyph {glyph!r} belongs to no whole piece", line=row + 1, column=col + 1)
            name = next(capitals if glyph == "#" else small, "")
            if not name:
                raise LevelError("more pieces than letters", line=row + 1, column=col + 1)
            for part in shape:
                out[row + part.row][col + part.col] = name
    return ["".join(row) for row in out]


def _fits(grid: Sequence[str], out: list[list[str]], shape: dict[BoardCell, str], at: BoardCell) -> bool:
    for part, glyph in shape.items():
        row, col = at.row + part.row, at.col + part.col
        if row >= len(grid) or col >= len(grid[row]) or grid[row][col] != glyph or out[row][col] != ".":
            return False
    return True


def write(board: Board) -> str:
    """Write the board in the paper's glyphs, blanks as ``.``.

    Raises:
        NotationError: The glyphs cannot show a wall or a piece of this board.
    """
    picture = [["."] * board.width for _ in range(board.height)]
    if board.walls:
        raise NotationError("the paper's glyphs cannot show walls")
    for piece in board.pieces:
        for cell, glyph in _glyphs(piece).items():
            picture[cell.row][cell.col] = glyph
    return "\n".join("".join(row) for row in picture) + "\n"


def _glyphs(piece: Piece) -> dict[BoardCell, str]:
    row, col = piece.corner
    for shape in _SHAPES.values():
        if tuple(sorted(shape)) == piece.shape:
            return {BoardCell(row + part.row, col + part.col): glyph for part, glyph in shape.items()}
    raise NotationError(f"the paper's glyphs cannot show piece {piece.name!r}")
