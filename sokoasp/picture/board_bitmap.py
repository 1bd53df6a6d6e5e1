"""How a Klotski board is drawn as a bitmap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.klotski.board import Board, Piece
from sokoasp.klotski.slide_rules import start
from sokoasp.picture.scene import Artist, Positions, Stage
from sokoasp.picture.theme import LIGHT

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw


def artist(board: Board, stage: Stage) -> Artist:
    """Return who draws a board; things are its pieces by their letters."""
    return Artist(
        lambda draw: _ground(draw, stage, board),
        lambda draw, at: _things(draw, stage, board, at),
        dict(start(board)),
    )


def kind(board: Board, piece: Piece) -> str:
    """Return the colour class of a piece: ``goal``, ``unit``, ``wide``, ``tall`` or ``other``."""
    if piece.name in board.goal.names:
        return "goal"
    height = 1 + max(cell.row for cell in piece.shape)
    width = 1 + max(cell.col for cell in piece.shape)
    if len(piece.shape) == 1:
        return "unit"
    if len(piece.shape) != height * width or height == width:
        return "other"
    return "wide" if width > height else "tall"


def _ground(draw: ImageDraw, stage: Stage, board: Board) -> None:
    width, height = stage.size
    half = stage.cell // 2
    draw.rounded_rectangle((half, half, width - half, height - half), stage.cell // 3, fill=LIGHT["wall"])
    for cell in board.cells:
        draw.rectangle(stage.rectangle(cell), fill=LIGHT["floor"])


def _things(draw: ImageDraw, stage: Stage, board: Board, at: Positions) -> None:
    gap = 0.05 * stage.cell
    for piece in board.pieces:
        row, col = at[piece.name]
        cells = {(row + cell.row, col + cell.col) for cell in piece.shape}
        fill = LIGHT["piece-" + kind(board, piece)]
        for cell in cells:
            x, y, right, bottom = stage.rectangle(cell)
            draw.rectangle(
                (
                    x + gap * ((cell[0], cell[1] - 1) not in cells),
                    y + gap * ((cell[0] - 1, cell[1]) not in cells),
                    right - gap * ((cell[0], cell[1] + 1) not in cells),
                    bottom - gap * ((cell[0] + 1, cell[1]) not in cells),
                ),
                fill=fill,
            )
        x, y = stage.corner((row + piece.shape[0].row, col + piece.shape[0].col))
        draw.text((x + stage.cell * 0.2, y + stage.cell * 0.12), piece.name, fill="#FFFFFF", font_size=stage.cell * 0.4)
