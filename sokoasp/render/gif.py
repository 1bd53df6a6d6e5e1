"""An animated GIF of a plan, drawn with Pillow."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sokoasp.core.errors import MissingExtra
from sokoasp.klotski.board import Board
from sokoasp.klotski.slide_rules import start
from sokoasp.render import board_scene, level_scene
from sokoasp.render.canvas import Box
from sokoasp.render.theme import LIGHT
from sokoasp.render.timeline import timeline
from sokoasp.sokoban.level import Level

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

FRAMES = 600
"""Most frames of an animation; longer plans skip moves evenly."""
PIXELS = 160_000_000
"""Most pixels of all frames together: large boards get fewer frames, so that no plan takes more than about 0.5 GB."""
SIDE = 640
"""The longer side aims at this many pixels; a cell has 8 to 40."""
Positions = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Stage:
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


def gif(problem: Level | Board, plan: Any, *, seconds_per_move: float = 0.12) -> bytes:
    """Draw a plan as an animated GIF, one frame a move, a pause at both ends; it loops.

    Raises:
        IllegalPlan: The plan breaks the rules.
        MissingExtra: Pillow is not installed.
    """
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise MissingExtra("GIF animation", "web") from None
    line = timeline(problem, plan)
    box = board_scene.extent(problem) if isinstance(problem, Board) else level_scene.extent(problem)
    wide = max(box.right - box.left, box.bottom - box.top) + 1
    stage = _Stage(box, 2 * max(8, min(40, SIDE // wide)))
    ground = Image.new("RGB", stage.size, LIGHT["paper"])
    draw_ground, draw_things, positions = _artist(problem, stage)
    draw_ground(ImageDraw.Draw(ground))
    palette = Image.new("P", (1, 1))
    palette.putpalette(_palette())
    frames: list[Image.Image] = []
    most = min(FRAMES, max(2, 4 * PIXELS // (stage.size[0] * stage.size[1])))
    for at in _chosen(positions, line["moves"], most):
        frame = ground.copy()
        draw_things(ImageDraw.Draw(frame), at)
        small = frame.resize((stage.size[0] // 2, stage.size[1] // 2), Image.Resampling.BOX)
        frames.append(small.quantize(palette=palette, dither=Image.Dither.NONE))
    return _joined(frames, seconds_per_move)


def _joined(frames: Sequence[Image], seconds: float) -> bytes:
    pause = 900
    times = [pause, *[max(20, round(1000 * seconds))] * (len(frames) - 2), 2 * pause][: len(frames)]
    out = io.BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=False)
    return out.getvalue()


def _chosen(positions: Positions, moves: Sequence[Sequence[Sequence[Any]]], most: int) -> list[Positions]:
    """Return the positions of every frame: all of them, or evenly picked ones with the first and the last."""
    every = [positions]
    for move in moves:
        after = dict(every[-1])
        for name, drow, dcol in move:
            after[name] = (after[name][0] + drow, after[name][1] + dcol)
        every.append(after)
    if len(every) <= most:
        return every
    return [every[round(number * (len(every) - 1) / (most - 1))] for number in range(most)]


def _artist(
    problem: Level | Board, stage: _Stage
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


def _level_ground(draw: ImageDraw, stage: _Stage, level: Level) -> None:
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


def _level_things(draw: ImageDraw, stage: _Stage, level: Level, at: Positions) -> None:
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


def _board_ground(draw: ImageDraw, stage: _Stage, board: Board) -> None:
    width, height = stage.size
    half = stage.cell // 2
    draw.rounded_rectangle((half, half, width - half, height - half), stage.cell // 3, fill=LIGHT["wall"])
    for cell in board.cells:
        draw.rectangle(stage.rectangle(cell), fill=LIGHT["floor"])


def _board_pieces(draw: ImageDraw, stage: _Stage, board: Board, at: Positions) -> None:
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


def _palette() -> list[int]:
    """Return the theme's colours, and mixes of each with black and white for the edges, as a GIF palette."""
    colours = sorted(set(LIGHT.values()) | {"#FFFFFF", "#000000"})
    plain = [tuple(int(value[at : at + 2], 16) for at in (1, 3, 5)) for value in colours]
    partners = [
        tuple(int(LIGHT[name][at : at + 2], 16) for at in (1, 3, 5))
        for name in ("floor", "box-line", "player-line", "wall")
    ]
    mixes = [tuple((a + b) // 2 for a, b in zip(one, other, strict=True)) for one in plain for other in partners]
    flat = [channel for colour in (plain + mixes)[:256] for channel in colour]
    return flat + [0] * (768 - len(flat))
