"""Outlines of sets of cells as SVG path data, with rounded corners."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

SIZE = 48
"""Side of a cell in SVG user units; the cell in row r and column c begins at (48 c, 48 r)."""
Point = tuple[int, int]


def outline(cells: Iterable[tuple[int, int]], *, inset: float = 0, radius: float = 0) -> str:
    """Return the path data around a set of (row, column) cells, drawn ``inset`` units inside their border."""
    return "".join(_rounded(loop, inset, radius) for loop in loops(set(cells)))


def loops(cells: Collection[tuple[int, int]]) -> Iterator[list[Point]]:
    """Yield the border of the cells as closed loops of corner points (x, y), the cells on the right-hand side."""
    leaving: dict[Point, list[Point]] = {}
    for row, col in sorted(cells):
        for (drow, dcol), begin, end in (
            ((-1, 0), (col, row), (col + 1, row)),
            ((0, 1), (col + 1, row), (col + 1, row + 1)),
            ((1, 0), (col + 1, row + 1), (col, row + 1)),
            ((0, -1), (col, row + 1), (col, row)),
        ):
            if (row + drow, col + dcol) not in cells:
                leaving.setdefault(begin, []).append(end)
    while leaving:
        start = next(iter(leaving))
        yield _corners(_trace(leaving, start))


def _trace(leaving: dict[Point, list[Point]], start: Point) -> list[Point]:
    """Take one loop out of the border's edges, turning right where two loops touch."""
    loop = [start]
    heading = (0, 0)
    while len(loop) == 1 or loop[-1] != start:
        here = loop[-1]
        ends = leaving[here]
        right = (here[0] - heading[1], here[1] + heading[0])
        after = ends.pop(ends.index(right)) if right in ends else ends.pop()
        if not ends:
            del leaving[here]
        heading = (after[0] - here[0], after[1] - here[1])
        loop.append(after)
    return loop[:-1]


def _corners(loop: list[Point]) -> list[Point]:
    """Keep the points at which a loop turns."""
    around = zip([loop[-1], *loop[:-1]], loop, [*loop[1:], loop[0]], strict=True)
    return [
        here
        for before, here, after in around
        if before[0] + after[0] != 2 * here[0] or before[1] + after[1] != 2 * here[1]
    ]


def _rounded(loop: list[Point], inset: float, radius: float) -> str:
    parts: list[str] = []
    count = len(loop)
    for number, (x, y) in enumerate(loop):
        into, out = _unit(loop[number - 1], (x, y)), _unit((x, y), loop[(number + 1) % count])
        px = x * SIZE - (into[1] + out[1]) * inset
        py = y * SIZE + (into[0] + out[0]) * inset
        letter = "L" if parts else "M"
        parts.append(f"{letter}{px - into[0] * radius:g} {py - into[1] * radius:g}")
        if radius:
            parts.append(f"Q{px:g} {py:g} {px + out[0] * radius:g} {py + out[1] * radius:g}")
    return "".join(parts) + "Z"


def _unit(begin: Point, end: Point) -> Point:
    dx, dy = end[0] - begin[0], end[1] - begin[1]
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
