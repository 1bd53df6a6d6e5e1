"""The frame every picture shares: size, title, style sheet, caption, marks."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from html import escape

from sokoasp.picture.marks import Mark
from sokoasp.picture.outline import SIZE, outline
from sokoasp.picture.theme import style

MARGIN = 8
LINE = 20
"""Height of a caption line in user units."""
Place = tuple[int, int]
"""Row and column of a cell."""
HATCH = (
    '<defs><pattern id="sk-hatch" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path class="hatch" d="M5 0V10"/></pattern></defs>'
)


def text(words: str) -> str:
    """Escape text for SVG and HTML, and drop the characters that no XML may hold."""
    legal = "".join(
        char
        for char in words
        if char in "\t\n" or (char >= " " and char not in "\ufffe\uffff" and not "\ud800" <= char <= "\udfff")
    )
    return escape(legal, quote=True)


def document(
    origin: tuple[int, int],
    size: tuple[int, int],
    body: str,
    *,
    title: str,
    description: str,
    caption: str,
    styled: bool = True,
) -> str:
    """Wrap what was drawn into an SVG document with its title, description and caption.

    Args:
        origin: The left and upper edge of the picture, margins included, in user units.
        size: Its width and height without the caption.
        body: What was drawn.
        title: Its name for those who cannot see it.
        description: What it shows, for the same.
        caption: Text to set under it; its first line is the heading.
        styled: Whether the style sheet is put in.
    """
    heading, lines = _caption(caption, size[0] - 2 * MARGIN)
    (x, y), width = origin, size[0]
    height = size[1] + (len(heading) + len(lines)) * LINE + (8 if heading else 0)
    rows = [("caption-head", row) for row in heading] + [("caption", row) for row in lines]
    words = "".join(
        f'<text class="{kind}" x="{x + MARGIN}" y="{y + size[1] + (at + 0.8) * LINE:g}">{text(row)}</text>'
        for at, (kind, row) in enumerate(rows)
    )
    sheet = f"<style>{style()}</style>" if styled else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sokoasp" role="img" viewBox="{x} {y} {width} {height}" '
        f'width="{width}" height="{height}"><title>{text(title)}</title><desc>{text(description)}</desc>{sheet}{HATCH}'
        f'<rect class="paper" x="{x}" y="{y}" width="{width}" height="{height}"/>{body}{words}</svg>'
    )


def _caption(caption: str, width: int) -> tuple[list[str], list[str]]:
    """Fold a caption to the width of the picture: its first line is the heading."""
    if not caption.strip():
        return [], []
    head, _, rest = caption.partition("\n")
    columns = max(12, width // 9)
    return textwrap.wrap(head, columns) or [head], [
        row for line in rest.splitlines() for row in textwrap.wrap(line, columns)
    ]


def centre(cell: Place) -> tuple[int, int]:
    """Return the middle of a cell as (x, y)."""
    return cell[1] * SIZE + SIZE // 2, cell[0] * SIZE + SIZE // 2


def under(marks: Sequence[Mark]) -> str:
    """Draw the marks that lie on the floor, under boxes and player."""
    drawn = []
    units = 0
    for mark in marks:
        if mark.kind == "dead":
            drawn.append(f'<path class="m-dead" d="{outline(mark.cells, inset=3, radius=8)}"/>')
        elif mark.kind == "unit":
            drawn.append(f'<path class="m-unit u{units % 4}" d="{outline(mark.cells, inset=3, radius=8)}"/>')
            units += 1
        elif mark.kind == "gate":
            drawn += [_post(*mark.cells)] if len(mark.cells) == 2 else [_gate(cell) for cell in mark.cells]
        elif mark.kind == "path":
            drawn += ['<circle class="m-path" cx="{}" cy="{}" r="5"/>'.format(*centre(cell)) for cell in mark.cells]
    return "".join(drawn)


def over(marks: Sequence[Mark]) -> str:
    """Draw the marks and labels that lie over everything."""
    drawn = []
    for mark in marks:
        if mark.kind == "stuck":
            drawn += [_stuck(cell) for cell in mark.cells]
        elif mark.kind == "arrow":
            drawn.append(arrow(*mark.cells[0], *mark.cells[-1]))
        elif mark.kind == "note":
            drawn.append(f'<path class="m-note" d="{outline(mark.cells, inset=4, radius=8)}"/>')
        if mark.label:
            x, y = centre(_middle(mark.cells))
            drawn.append(f'<text class="m-label" x="{x}" y="{y + 7}">{text(mark.label)}</text>')
    return "".join(drawn)


def arrow(row: float, col: float, to_row: float, to_col: float) -> str:
    """Draw an arrow between the middles of two cells."""
    x, y, to_x, to_y = ((value + 0.5) * SIZE for value in (col, row, to_col, to_row))
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5 or 1
    ux, uy = (to_x - x) / length * 12, (to_y - y) / length * 12
    head = f"M{to_x - ux - uy:g} {to_y - uy + ux:g}L{to_x:g} {to_y:g}L{to_x - ux + uy:g} {to_y - uy - ux:g}"
    path = f"M{x:g} {y:g}L{to_x:g} {to_y:g}{head}"
    return f'<path class="m-arrow-halo" d="{path}"/><path class="m-arrow" d="{path}"/>'


def _gate(cell: Place) -> str:
    x, y = cell[1] * SIZE, cell[0] * SIZE
    bars = "".join(f"M{x + dx} {y + 12}V{y + 36}" for dx in (14, 24, 34))
    return f'<rect class="m-gate" x="{x + 4}" y="{y + 4}" width="40" height="40" rx="8"/><path class="m-gate-bar" d="{bars}"/>'


def _post(cell: Place, outside: Place) -> str:
    """Draw a post across the border of two neighbouring cells."""
    (x, y), (to_x, to_y) = centre(cell), centre(outside)
    middle_x, middle_y, dx, dy = (x + to_x) / 2, (y + to_y) / 2, (to_y - y) * 0.3, (to_x - x) * 0.3
    ends = f"M{middle_x - dx:g} {middle_y - dy:g}L{middle_x + dx:g} {middle_y + dy:g}"
    return f'<path class="m-gate-bar m-gate" d="{ends}"/>'


def _stuck(cell: Place) -> str:
    x, y = centre(cell)
    cross = f"M{x - 14} {y - 14}L{x + 14} {y + 14}M{x + 14} {y - 14}L{x - 14} {y + 14}"
    return "".join(
        f'<circle class="{kind}" cx="{x}" cy="{y}" r="20"/><path class="{kind}" d="{cross}"/>'
        for kind in ("m-stuck-halo", "m-stuck")
    )


def _middle(cells: Sequence[Place]) -> Place:
    """Return the cell nearest to the middle of the cells."""
    row = sum(cell[0] for cell in cells) / len(cells)
    col = sum(cell[1] for cell in cells) / len(cells)
    return min(cells, key=lambda cell: (cell[0] - row) ** 2 + (cell[1] - col) ** 2)
