"""Duplicates: levels that are the same up to turning, mirroring and moving them about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sokoasp.sokoban.level import Cell, Level

Form = tuple[tuple[int, int, str], ...]


def canonical(level: Level) -> Form:
    """Return the same value for all levels that differ only by turning, mirroring, place on the map and decoration."""
    glyphs = {cell: level.glyph(cell) for cell in level.floor}
    return min(_turned(glyphs, flip, turns) for flip in (False, True) for turns in range(4))


def _turned(glyphs: dict[Cell, str], flip: bool, turns: int) -> Form:
    """Return one of the eight views of the playing area, its smallest row and column being 0."""
    points = [(row, -col if flip else col, glyph) for (row, col), glyph in glyphs.items()]
    for _ in range(turns):
        points = [(col, -row, glyph) for row, col, glyph in points]
    top, left = min(row for row, _, _ in points), min(col for _, col, _ in points)
    return tuple(sorted((row - top, col - left, glyph) for row, col, glyph in points))


def duplicates(levels: Sequence[Level]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of two or more equal levels as 1-based numbers in the file, in the order of their first members."""
    groups: dict[Form, list[int]] = defaultdict(list)
    for number, level in enumerate(levels, 1):
        groups[canonical(level)].append(number)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
