"""Labelled boxes beside a board: ``Assigned: 2,3>4,5; 2,4>1,1``, start of a box > the goal that is its own.

Cells are row,column, counted from 0 at the top left of the board as written. An extension of ours: other programs read a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from sokoasp.core.errors import LevelError
from sokoasp.sokoban.formats.level_rows import walled_rows
from sokoasp.sokoban.level import Cell, Level

_PAIR = re.compile(r"\s*(\d{1,5})\s*,\s*(\d{1,5})\s*>\s*(\d{1,5})\s*,\s*(\d{1,5})\s*")


def pairs(level: Level) -> list[tuple[Cell, Cell]]:
    """Return the labels as the picture that is written shows the cells: walls drawn around a floor may have moved it."""
    if not level.assigned:
        return []
    found = ((r, row) for r, row in enumerate(walled_rows(level)) if not {"@", "+"}.isdisjoint(row))
    row, text = next(found)
    down, right = row - level.player.row, max(text.find("@"), text.find("+")) - level.player.col
    return [(Cell(b.row + down, b.col + right), Cell(g.row + down, g.col + right)) for b, g in level.assigned]


def write(level: Level) -> str:
    """Return the line that says which goal is whose, empty where boxes are alike."""
    text = "; ".join(f"{box.row},{box.col}>{goal.row},{goal.col}" for box, goal in pairs(level))
    return f"Assigned: {text}\n" if text else ""


def read(level: Level, text: str, line: int = 0, *, source: str = "") -> Level:
    """Return the level with the labels of a line's value.

    Raises:
        LevelError: The text is not of this form, or does not give each goal to a box of its own.
    """
    read_pairs = []
    for part in text.split(";"):
        found = _PAIR.fullmatch(part)
        if found is None:
            message = f"{part.strip()[:40]!r} is not ROW,COLUMN>ROW,COLUMN (start of a box > its goal)"
            raise LevelError(message, source=source, line=line, column=1, code="E-LABEL")
        row, col, goal_row, goal_col = map(int, found.groups())
        read_pairs.append((Cell(row, col), Cell(goal_row, goal_col)))
    return assign(level, read_pairs, source=source, line=line)


def assign(level: Level, labels: Iterable[tuple[Cell, Cell]], *, source: str = "", line: int = 0) -> Level:
    """Return the level with these labels. Raises LevelError: they do not give each goal to a box of its own."""
    try:
        return replace(level, assigned=tuple(sorted(labels)))
    except LevelError as error:
        error.line, error.column = line or None, 1 if line else None
        raise error.located(source) from None
