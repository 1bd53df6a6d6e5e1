"""A picture of the graph of positions of a small Klotski board: columns are distances from the start.

Positions of one distance stand below each other, ordered by the middle of their neighbours (the layered drawing of Sugiyama,
Tagawa and Toda, crossings lessened by barycentres). Few positions are drawn as small boards, many as dots; the start is filled,
goals are ringed.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import fmean
from xml.sax.saxutils import escape

from sokoasp.core.plurals import counted
from sokoasp.klotski.graph import Graph

MOST = 5_000
"""More positions than this make no picture that one could look at."""
_AS_BOARDS = 80
_SWEEPS = 8
_COLOURS = ("#4a7ab5", "#d9822b", "#5a9e6f", "#b5504a", "#8a6fb0", "#a0896b", "#c77cab", "#6f6f6f")
_MARGIN = 24
Place = tuple[float, float]


def svg(made: Graph, title: str = "") -> str:
    """Draw a graph of positions.

    Raises:
        ValueError: It has too many positions to be seen.
    """
    count = len(made.rows)
    if count > MOST:
        raise ValueError(
            f"{counted(count, 'positions')} are too many for a picture (at most {MOST:,}): write .graphml or .dot"
        )
    boards = count <= _AS_BOARDS
    rows = made.rows[0].split("/")
    cell = 9 if boards else 3
    node = (len(rows[0]) * cell, len(rows) * cell) if boards else (6, 6)
    columns = _columns(made)
    step = (node[0] + 30, node[1] + 14) if boards else (14, 9)
    height = max(map(len, columns)) * step[1]
    place: dict[int, Place] = {}
    for depth, column in enumerate(columns):
        top = (height - len(column) * step[1]) / 2
        for at, number in enumerate(column):
            place[number] = _MARGIN + depth * step[0] + node[0] / 2, _MARGIN + top + (at + 0.5) * step[1]
    drawn = [_edge(place[here], place[there]) for here, there in made.edges]
    drawn += [_board(made, at, place[at], cell) if boards else _dot(made, at, place[at]) for at in range(count)]
    reported = f"{counted(count, 'positions')}, {counted(len(made.edges), 'moves')}, {counted(sum(made.goal), 'goals')}"
    heading = f"{title}: {reported}" if title else reported
    below = f"{heading}; columns are distances from the start"
    size = max(2 * _MARGIN + len(columns) * step[0], 2 * _MARGIN + 7 * len(below)), 2 * _MARGIN + height + 20
    style = (
        "path{stroke:#999;stroke-width:.7;fill:none}circle{fill:#4a7ab5}circle.start{fill:#111}circle.goal,rect.goal{stroke:#c00;"
        "stroke-width:2}rect{fill:#fff;stroke:#333}rect.start{fill:#dde}rect.piece{stroke:#fff;stroke-width:.8}"
        "rect.wall{fill:#333;stroke:none}text{font:12px sans-serif}"
    ) + "".join(f"rect.p{at}{{fill:{colour}}}" for at, colour in enumerate(_COLOURS))
    box = f'viewBox="0 0 {size[0]:g} {size[1]:g}"'
    words = f'<text x="{_MARGIN}" y="{size[1] - 10:g}">{escape(below)}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img"><title>{escape(heading)}</title>'
        f"<style>{style}</style>{''.join(drawn)}{words}</svg>\n"
    )


def _columns(made: Graph) -> list[list[int]]:
    """Return the positions of each distance, ordered so that moves cross seldom."""
    columns: list[list[int]] = [[] for _ in range(max(made.depth) + 1)]
    near = made.near
    for number, depth in enumerate(made.depth):
        columns[depth].append(number)
    rank = {number: at / len(column) for column in columns for at, number in enumerate(column)}
    for sweep in range(_SWEEPS):
        order = columns if sweep % 2 == 0 else columns[::-1]
        for fixed, moving in pairwise(order):
            known = set(fixed)
            middle = {n: fmean([rank[o] for o in near[n] if o in known] or [rank[n]]) for n in moving}
            moving.sort(key=lambda number: (middle[number], number))
            rank |= {number: at / len(moving) for at, number in enumerate(moving)}
    return columns


def _edge(here: Place, there: Place) -> str:
    """Draw a move: straight between columns, bowed within one."""
    (x, y), (u, v) = here, there
    if x != u:
        return f'<path d="M{x:g} {y:g}L{u:g} {v:g}"/>'
    bow = 6 + abs(v - y) / 8
    return f'<path d="M{x:g} {y:g}Q{x + bow:g} {(y + v) / 2:g} {u:g} {v:g}"/>'


def _looks(made: Graph, at: int) -> str:
    return " ".join(word for word, so in (("start", at == 0), ("goal", made.goal[at])) if so)


def _dot(made: Graph, at: int, place: Place) -> str:
    reported = escape(made.rows[at])
    return f'<circle class="{_looks(made, at)}" cx="{place[0]:g}" cy="{place[1]:g}" r="3"><title>{reported}</title></circle>'


def _board(made: Graph, at: int, place: Place, cell: int) -> str:
    """Draw a position as its cells, one colour for all pieces that may stand for each other."""
    rows = made.rows[at].split("/")
    left, top = place[0] - len(rows[0]) * cell / 2, place[1] - len(rows) * cell / 2
    letters = sorted({*made.rows[0]} - {*".#/"})
    frame = f'x="{left - 2:g}" y="{top - 2:g}" width="{len(rows[0]) * cell + 4}" height="{len(rows) * cell + 4}"'
    parts = [f'<rect class="{_looks(made, at)}" {frame}><title>{escape(made.rows[at])}</title></rect>']
    for row, text in enumerate(rows):
        for col, mark in enumerate(text):
            if mark != ".":
                kind = "wall" if mark == "#" else f"piece p{letters.index(mark) % len(_COLOURS)}"
                x, y = left + col * cell, top + row * cell
                parts.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{cell}" height="{cell}"/>')
    return "".join(parts)
