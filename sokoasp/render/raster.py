"""Pixels: how a level or board is painted with Pillow, for animations and still pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sokoasp.klotski.board import Board
from sokoasp.klotski.slide_rules import start
from sokoasp.render import board_scene, level_scene
from sokoasp.render.canvas import Box
from sokoasp.render.theme import LIGHT
from sokoasp.sokoban.level import Level

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

SIDE = 640
"""The longer side of a picture aims at this many pixels ..."""
SMALLEST, LARGEST = 8, 40
"""... and a cell has so many."""
Positions = dict[str, tuple[int, int]]


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


def stage_of(problem: Level | Board, cell: int | None = None) -> Stage:
    """Return a stage that shows all of a level or board; ``cell`` is the side of a cell once it is shrunk, in pixels."""
    box = board_scene.extent(problem) if isinstance(problem, Board) else level_scene.extent(problem)
    chosen = cell or max(SMALLEST, min(LARGEST, SIDE // Stage(box, 1).wide))
    return Stage(box, 2 * chosen)


def shrunk(picture: Image, stage: Stage) -> Image:
    """Return a picture in half the size it was painted in, its edges smooth."""
    from PIL.Image import Resampling

    return picture.resize((stage.size[0] // 2, stage.size[1] // 2), Resampling.BOX)


def artist(
    problem: Level | Board, stage: Stage
) -> tuple[Callable[[ImageDraw], None], Callable[[ImageDraw, Positions], None], Positions]:
    """Return who draws the ground, who draws the things, and where they are at first."""
    if isinstance(problem, Board):
        board = problem
        return (
            lambda draw: _board_ground(draw, stage, board),
            lambda draw, at: _board_pieces(draw, stage, board, at),
            dict(start(board)),
        )
    level = problem
    first: Positions = {f"b{number}": cell for number, cell in enumerate(sorted(level.boxes))}
    return (
        lambda draw: _level_ground(draw, stage, level),
        lambda draw, at: _level_things(draw, stage, level, at),
        {**first, "p": level.player},
    )


def _level_ground(draw: ImageDraw, stage: Stage, level: Level) -> None:
    for cell in level.floor:
        draw.rectangle(stage.rectangle(cell), fill=LIGHT["tile" if sum(cell) % 2 else "floor"])
    for cell in level_scene.walls(level):
        draw.rectangle(stage.rectangle(cell), fill=LIGHT["wall"])
        if (cell.row + 1, cell.col) in level.floor:
            x, y, right, bottom = stage.rectangle(cell)
            draw.rectangle((x, y + stage.cell * 0.85, right, bottom), fill=LIGHT["wall-side"])
    for cell in level.goals:
        draw.ellipse(stage.rectangle(cell, 0.26), outline=LIGHT["goal"], width=max(2, stage.cell // 14))
        draw.ellipse(stage.rectangle(cell, 0.42), fill=LIGHT["goal"])


def _level_things(draw: ImageDraw, stage: Stage, level: Level, at: Positions) -> None:
    pen = max(2, stage.cell // 16)
    for name, cell in at.items():
        x, y = stage.corner(cell)
        if name == "p":
            draw.ellipse(stage.rectangle(cell, 0.14), fill=LIGHT["player"], outline=LIGHT["player-line"], width=pen)
            for eye in (0.37, 0.63):
                middle, high, side = x + eye * stage.cell, y + 0.44 * stage.cell, 0.05 * stage.cell
                draw.ellipse((middle - side, high - side, middle + side, high + side), fill=LIGHT["player-line"])
            continue
        done = cell in level.goals
        colours = ("done", "done-line") if done else ("box", "box-line")
        corner = stage.cell // 9
        draw.rounded_rectangle(
            stage.rectangle(cell, 0.1), corner, fill=LIGHT[colours[0]], outline=LIGHT[colours[1]], width=pen
        )
        shape = ((0.3, 0.52), (0.44, 0.66), (0.7, 0.36)) if done else ((0.26, 0.74), (0.74, 0.26))
        points = [(x + px * stage.cell, y + py * stage.cell) for px, py in shape]
        draw.line(points, fill="#FFFFFF" if done else LIGHT["box-line"], width=2 * pen if done else pen, joint="curve")


def _board_ground(draw: ImageDraw, stage: Stage, board: Board) -> None:
    width, height = stage.size
    half = stage.cell // 2
    draw.rounded_rectangle((half, half, width - half, height - half), stage.cell // 3, fill=LIGHT["wall"])
    for cell in board.cells:
        draw.rectangle(stage.rectangle(cell), fill=LIGHT["floor"])


def _board_pieces(draw: ImageDraw, stage: Stage, board: Board, at: Positions) -> None:
    gap = 0.05 * stage.cell
    for piece in board.pieces:
        row, col = at[piece.name]
        cells = {(row + cell.row, col + cell.col) for cell in piece.shape}
        fill = LIGHT["piece-" + board_scene.kind(board, piece)]
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
