"""Contact sheets: many levels or boards in one SVG picture, each with its number and title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sokoasp.core.errors import counted
from sokoasp.domain import Problem
from sokoasp.picture import canvas
from sokoasp.picture.canvas import MARGIN
from sokoasp.picture.marks import Mark
from sokoasp.picture.outline import SIZE
from sokoasp.render.pictures import scene

MOST = 500
"""Most levels on one sheet."""
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


def contact_svg(entries: Sequence[Panel], *, title: str = "") -> str:
    """Draw levels or boards side by side as one SVG document."""
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
    return canvas.sheet(size, "".join(drawn), title=heading, description=described, caption="")


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


def _cut(caption: str, width: int) -> str:
    """Shorten a caption to the width of its picture."""
    most = max(4, (width - 2 * MARGIN) // LETTER)
    return caption if len(caption) <= most else caption[: most - 1] + "…"
