"""Contact sheets: many levels or boards in one picture, each with its number and title, as SVG or PNG; PNG of a single one."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sokoasp.core.errors import counted
from sokoasp.domain import P, Problem
from sokoasp.picture import canvas
from sokoasp.picture.canvas import MARGIN
from sokoasp.picture.marks import Mark
from sokoasp.picture.outline import SIZE
from sokoasp.picture.scene import Scene
from sokoasp.picture.theme import LIGHT
from sokoasp.render.pictures import scene
from sokoasp.render.raster import LARGEST, require, shrunk, stage_of

if TYPE_CHECKING:
    from PIL.Image import Image

MOST = 500
"""Most levels on one sheet."""
PIXELS = 40_000_000
"""Most pixels of a sheet; where it would have more the cells get smaller."""
SMALLEST = 3
"""Pixels of the smallest cell."""
ASPECT = 1.4
"""Width of a sheet by its height, about."""
CAPTION = 22
"""Height of the line under each."""
LETTER = 8
"""Width of a letter of that line, about."""


@dataclass(frozen=True, slots=True)
class Panel:
    """What stands at one place of a sheet."""

    problem: Problem
    caption: str
    """One line: number and title."""
    marks: tuple[Mark, ...] = ()


def contact_svg(entries: Sequence[Panel], *, title: str = "", theme: str = "auto") -> str:
    """Draw levels or boards side by side as one SVG document.

    Raises:
        SokoaspError: The theme does not exist.
    """
    scenes = [scene(entry.problem) for entry in entries]
    sizes = [(one.box.width + 2 * MARGIN, one.box.height + CAPTION + MARGIN) for one in scenes]
    places, size = shelves(sizes)
    drawn = []
    for entry, one, (x, y), (width, _) in zip(entries, scenes, places, sizes, strict=True):
        left, top = MARGIN - one.box.left * SIZE, MARGIN - one.box.top * SIZE
        words = canvas.text(_cut(entry.caption, width))
        under = f'<text class="caption" x="{x + MARGIN}" y="{y + one.box.height + MARGIN + 16}">{words}</text>'
        body = one.ground + canvas.under(entry.marks) + one.pieces(one.start) + canvas.over(entry.marks)
        drawn.append(f'<g transform="translate({x + left} {y + top})">{body}</g>{under}')
    heading = title or counted(len(entries), "levels")
    described = f"{counted(len(entries), 'pictures')}: " + "; ".join(entry.caption for entry in entries)
    return canvas.sheet(size, "".join(drawn), title=heading, description=described, caption="", theme=theme)


def png(problem: P) -> bytes:
    """Draw a level or board as a PNG picture.

    Raises:
        MissingExtra: Pillow is not installed.
    """
    require("a PNG picture")
    return _bytes(_still(scene(problem), None))


def contact_png(entries: Sequence[Panel]) -> bytes:
    """Draw levels or boards side by side as one PNG picture; marks are left out.

    Raises:
        MissingExtra: Pillow is not installed.
    """
    require("a PNG picture")
    from PIL import Image, ImageDraw

    cell, scenes = LARGEST, [scene(entry.problem) for entry in entries]
    while True:
        stages = [stage_of(parts, cell) for parts in scenes]
        sizes = [(s.size[0] // 2 + 2 * MARGIN, s.size[1] // 2 + CAPTION + MARGIN) for s in stages]
        places, (width, height) = shelves(sizes)
        if width * height <= PIXELS or cell <= SMALLEST:
            break
        cell = max(SMALLEST, cell * 3 // 4)
    paper = Image.new("RGB", (width, height), LIGHT["paper"])
    draw = ImageDraw.Draw(paper)
    for entry, parts, (x, y), size in zip(entries, scenes, places, sizes, strict=True):
        paper.paste(_still(parts, cell), (x + MARGIN, y + MARGIN))
        words = _cut(_drawable(entry.caption), size[0])
        draw.text((x + MARGIN, y + size[1] - CAPTION + 3), words, fill=LIGHT["wall"], font_size=14)
    return _bytes(paper)


def shelves(sizes: Sequence[tuple[int, int]]) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Set rectangles row by row, in their order.

    Returns:
        The top-left corner of each, and width and height of the whole.
    """
    area = sum(width * height for width, height in sizes)
    most = max(max(width for width, _ in sizes), int((area * ASPECT) ** 0.5))
    places, x, y, row, widest = [], 0, 0, 0, 0
    for width, height in sizes:
        if x and x + width > most:
            x, y, row = 0, y + row, 0
        places.append((x, y))
        x, row = x + width, max(row, height)
        widest = max(widest, x)
    return places, (widest, y + row)


def _still(parts: Scene, cell: int | None) -> Image:
    from PIL import Image, ImageDraw

    stage = stage_of(parts, cell)
    artist = parts.artist(stage)
    picture = Image.new("RGB", stage.size, LIGHT["paper"])
    artist.ground(ImageDraw.Draw(picture))
    artist.things(ImageDraw.Draw(picture), artist.first)
    return shrunk(picture, stage)


def _drawable(caption: str) -> str:
    """Leave out the words that Pillow's own font has no letters for."""
    return " ".join(
        word for word in caption.split() if all(char < "\u0250" or "\u2010" <= char <= "\u2027" for char in word)
    )


def _cut(caption: str, width: int) -> str:
    """Shorten a caption to the width of its picture."""
    most = max(4, (width - 2 * MARGIN) // LETTER)
    return caption if len(caption) <= most else caption[: most - 1] + "…"


def _bytes(picture: Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()
