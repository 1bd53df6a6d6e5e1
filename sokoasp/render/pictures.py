"""Pictures of a level or board: one state of it, or a plan as a storyboard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sokoasp.core.errors import MissingExtra
from sokoasp.domain import P, domain_of
from sokoasp.picture import canvas
from sokoasp.picture.canvas import MARGIN
from sokoasp.picture.marks import Mark
from sokoasp.picture.outline import SIZE
from sokoasp.picture.scene import Scene
from sokoasp.picture.theme import light_style, style

PANELS = 60
"""Most panels a storyboard shows; what is left out is said under it."""
PIXELS = 4096
"""Most pixels of a side of a PNG picture: larger drawings are made smaller."""


def scene(problem: P) -> Scene:
    """Return the parts of which its game makes a picture."""
    return domain_of(problem).scene(problem)


def timeline(problem: P, plan: Any) -> dict[str, Any]:
    """Turn a plan into a list of small displacements, the form in which a page replays it.

    A timeline is ``{"moves": [[[id, drow, dcol], ...], ...], "actions": [[last move, words], ...], "goals": [[row, col], ...],
    "counts": [[name, running value per move], ...]}``: every move lists the drawn things (``data-id``) it displaces, in cells.
    IllegalPlan if the plan breaks the rules.
    """
    return scene(problem).timeline(plan)


def svg(
    problem: P, *, state: Any = None, marks: Sequence[Mark] = (), caption: str = "", styled: bool = True, trim: int = 0
) -> str:
    """Draw a level or board as an SVG document.

    Args:
        problem: The level or board.
        state: Where boxes and player, or the pieces, are; None is the start.
        marks: Cells to point out.
        caption: Text to set under the board; its first line is the heading.
        styled: Whether the style sheet is put in; a page that brings its own says no.
        trim: User units (48 a cell) to leave off all around, beside what the game leaves off.
    """
    parts = scene(problem)
    state = state or parts.start
    box, edge = parts.box, MARGIN - parts.trim - trim
    return canvas.document(
        (box.left * SIZE - edge, box.top * SIZE - edge),
        (box.width + 2 * edge, box.height + 2 * edge),
        parts.ground + canvas.under(marks) + parts.pieces(state) + canvas.over(marks),
        title=parts.title or parts.noun,
        description=parts.describe(state),
        caption=caption,
        styled=styled,
    )


def storyboard(problem: P, plan: Any, *, caption: str = "", panels: int = PANELS) -> str:
    """Draw a plan as an SVG document: a panel for every action with an arrow, and the end; many are cut off at ``panels``."""
    parts = scene(problem)
    frames = list(parts.frames(plan))
    shown, left_out = frames[:panels], len(frames) - panels
    box = parts.box
    width, height = box.width + 3 * MARGIN, box.height + 40
    columns = max(1, min(len(shown), round((len(shown) * height / width * 1.5) ** 0.5)))
    drawn = []
    for at, (state, arrow, words) in enumerate(shown):
        row, col = divmod(at, columns)
        head = f'<text class="caption" x="{box.left * SIZE}" y="{box.top * SIZE - 8}">{canvas.text(words)}</text>'
        panel = head + parts.ground + parts.pieces(state) + arrow
        drawn.append(f'<g transform="translate({col * width} {row * height})">{panel}</g>')
    heading = caption or parts.title or "Plan"
    note = f"\n… and {left_out} more panels" if left_out > 0 else ""
    shift = f'<g transform="translate({MARGIN - box.left * SIZE} {26 - box.top * SIZE})">{"".join(drawn)}</g>'
    return canvas.document(
        (0, 0),
        (columns * width, -(-len(shown) // columns) * height),
        shift,
        title=heading,
        description=parts.describe(parts.start),
        caption=f"{heading}\n{parts.count(plan)}{note}",
    )


def png(document: str) -> bytes:
    """Turn an SVG document of this package into a PNG picture in the light colours.

    Words are set in the fonts of this machine: without any font they are left out.

    Raises:
        MissingExtra: resvg-py is not installed.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingExtra("a PNG picture", "web") from None
    sides = re.findall(r' (?:width|height)="(\d+)"', document[: document.index(">")])
    zoom = min(1.0, PIXELS / max(map(int, sides)))
    return svg_to_bytes(svg_string=document.replace(style(), light_style()), zoom=zoom)
