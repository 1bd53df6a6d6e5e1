"""How a Sokoban level is drawn as a bitmap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.picture.scene import Artist, Positions, Stage
from sokoasp.picture.theme import LIGHT
from sokoasp.sokoban.level import Level, wall_cells

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw


def artist(level: Level, stage: Stage) -> Artist:
    """Return who draws a level; boxes are b0, b1, ... in reading order, the player is p."""
    first: Positions = {f"b{number}": cell for number, cell in enumerate(sorted(level.boxes))}
    return Artist(
        lambda draw: _ground(draw, stage, level),
        lambda draw, at: _things(draw, stage, level, at),
        {**first, "p": level.player},
    )


def _ground(draw: ImageDraw, stage: Stage, level: Level) -> None:
    for cell in level.floor:
        draw.rectangle(stage.rectangle(cell), fill=LIGHT["tile" if sum(cell) % 2 else "floor"])
    for cell in wall_cells(level):
        draw.rectangle(stage.rectangle(cell), fill=LIGHT["wall"])
        if (cell.row + 1, cell.col) in level.floor:
            x, y, right, bottom = stage.rectangle(cell)
            draw.rectangle((x, y + stage.cell * 0.85, right, bottom), fill=LIGHT["wall-side"])
    for cell in level.goals:
        draw.ellipse(stage.rectangle(cell, 0.26), outline=LIGHT["goal"], width=max(2, stage.cell // 14))
        draw.ellipse(stage.rectangle(cell, 0.42), fill=LIGHT["goal"])


def _things(draw: ImageDraw, stage: Stage, level: Level, at: Positions) -> None:
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
