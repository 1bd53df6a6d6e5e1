"""The board: rows of XSB characters into a checked level. All text notations end here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, NoReturn, TypedDict, Unpack

from sokoasp.core.errors import LevelError, counted
from sokoasp.sokoban.level import Cell, Level, surrounding_walls

MAX_CELLS = 40_000
"""Largest board (rows times columns) read without ``max_cells``: 200 x 200."""

BOARD_CHARS = frozenset(" -_#W@pP+$bB*.")

_Outside = list[tuple[Cell, str]]
"""What was drawn off the floor."""
_CANONICAL = str.maketrans("-_WpPbB", "  #@+$*")
_TEXT = BOARD_CHARS | {"\n"}
_OBJECT = re.compile(r"[^ \n]")


class _Place(NamedTuple):
    """Where a board stands in its file: the line of each row."""

    source: str
    line: int
    lines: Sequence[int] | None

    def of(self, row: int) -> int:
        """Return the 1-based line of a row."""
        if self.lines:
            return self.lines[min(row, len(self.lines) - 1)]
        return (self.line or 1) + row

    def named(self, row: int) -> str:
        """Return what a row is called: by its line, by its number where a line may hold several rows."""
        return f"line {self.of(row)}" if self.lines is None else f"row {row + 1}"

    def _error(self, code: str, message: str, row: int, col: int | None) -> LevelError:
        column = None if col is None else col + 1
        if self.lines is not None and column:
            message, column = f"{message} ({self.named(row)}, column {column} of the board, counted from 1)", None
        return LevelError(message, source=self.source, line=self.of(row), column=column, code=code)

    def fail(self, code: str, message: str, row: int, col: int | None = None) -> NoReturn:
        """Raise a LevelError at a row and column counted from 0."""
        raise self._error(code, message, row, col)

    def warn(self, code: str, message: str, row: int, col: int) -> str:
        """Return a warning with its place in front."""
        return str(self._error(code, message, row, col))


class AboutLevel(TypedDict, total=False):
    """What a notation says about a level beside its rows: fields of ``Level``."""

    title: str
    author: str
    collection: str
    comment: str
    solutions: tuple[str, ...]


def level_from_rows(
    rows: Sequence[str],
    *,
    source: str = "",
    line: int = 0,
    lines: Sequence[int] | None = None,
    max_cells: int = MAX_CELLS,
    warnings: tuple[str, ...] = (),
    spare_boxes: bool = False,
    **about: Unpack[AboutLevel],
) -> Level:
    """Check XSB rows and build the level; ``about`` is what else is known about it.

    ``lines`` gives each row's line when they do not simply count up from ``line``; ``spare_boxes`` allows more boxes than
    goals, as the competition does and XSB does not. The playing area is what the player reaches when all boxes are taken away;
    walls and boxes on goals elsewhere become decoration, floor elsewhere is blank. Source: .sok file format 0.19, "Level".

    Raises:
        LevelError: The rows are no level; codes E-SIZE, E-TAB, E-CHAR, E-DIALECT, E-NOPLAYER, E-PLAYERS, E-OPEN, E-NOBOX,
            E-COUNT, E-OUTSIDE, E-OUTSIDE-GOAL.
    """
    place = _Place(source, line, lines)
    drawn, stride = _drawn(rows, max_cells, place)
    data = drawn.translate(_CANONICAL)
    start = _player(data, stride, place)
    seen, floor = _flood(data, stride, start, place)
    cell_of = (_shared_cells if len(data) <= 1000 else _Cells)(stride)
    boxes, goals, decoration = _objects(data, seen, cell_of)
    outside = [item for item in decoration if item[1] != "#"]
    _check_counts(boxes, goals, outside, place, spare_boxes=spare_boxes)
    if outside or "-" in drawn or "_" in drawn:
        warnings += _outside_warnings(drawn, stride, seen, outside, place)
    if set(goals) <= set(boxes):
        warnings += (place.warn("W-CIRCULAR", "every goal holds a box already: the start is a goal state", *goals[0]),)
    return Level(
        floor=frozenset([cell_of[index] for index in floor]),
        boxes=frozenset(boxes),
        goals=frozenset(goals),
        player=cell_of[start],
        decoration=tuple(decoration),
        source=source,
        line=line or (lines[0] if lines else 0),
        warnings=warnings,
        **about,
    )


def _drawn(rows: Sequence[str], max_cells: int, place: _Place) -> tuple[str, int]:
    """Return the rows as one text, each of ``stride`` characters with its line end, an empty line before and after."""
    rows = [row.rstrip(" -_") for row in rows]
    width = max(map(len, rows), default=0)
    if len(rows) * width > max_cells:
        message = f"the board has {len(rows)} rows of {width} columns, more than {max_cells} cells (see --max-cells)"
        place.fail("E-SIZE", message, 0)
    edge = "\n" * (width + 1)
    drawn = edge + "".join([f"{row:<{width}}\n" for row in rows]) + edge
    if not _TEXT.issuperset(drawn) or drawn.count("\n") != len(rows) + 2 * len(edge):
        _bad_character(rows, place)
    return drawn, width + 1


def _objects(data: str, seen: bytearray, cell_of: Mapping[int, Cell]) -> tuple[list[Cell], list[Cell], _Outside]:
    """Return boxes and goals where the player gets, and all that is not blank elsewhere, in reading order."""
    boxes: list[Cell] = []
    goals: list[Cell] = []
    decoration: _Outside = []
    for match in _OBJECT.finditer(data):
        index, char = match.start(), match.group()
        if not seen[index]:
            decoration.append((cell_of[index], char))
            continue
        if char in "$*":
            boxes.append(cell_of[index])
        if char in ".*+":
            goals.append(cell_of[index])
    return boxes, goals, decoration


def picture(level: Level) -> list[str]:
    """Return the XSB rows of a level; walls are drawn around a floor that has none, moving it off the edge if need be.

    Raises LevelError: there are more boxes than goals (E-COUNT), which this notation does not know.
    """
    if len(level.boxes) != len(level.goals):
        numbers = f"{counted(len(level.boxes), 'boxes')}, {counted(len(level.goals), 'goals')}"
        raise LevelError(f"{numbers}: only facts and JSON can hold spare boxes", code="E-COUNT")
    return walled_rows(level)


def walled_rows(level: Level) -> list[str]:
    """Return the rows of a level with walls around the floor, drawn where they are missing."""
    known = {cell for cell, _ in level.decoration}
    beside = {Cell(r + i, c + j) for r, c in level.floor for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    if beside <= level.floor | known:
        return list(level.rows())
    walls = surrounding_walls(level.floor) - known
    cells = {**dict.fromkeys(walls, "#"), **dict(level.decoration), **{cell: level.glyph(cell) for cell in level.floor}}
    top, left = min(0, *(cell.row for cell in cells)), min(0, *(cell.col for cell in cells))
    height, width = max(cell.row for cell in cells) - top + 1, max(cell.col for cell in cells) - left + 1
    return ["".join(cells.get(Cell(r + top, c + left), " ") for c in range(width)).rstrip() for r in range(height)]


class _Cells(dict[int, Cell]):
    """The cells of a board by their index in its text, made when asked for."""

    def __init__(self, stride: int) -> None:
        self.stride = stride

    def __missing__(self, index: int) -> Cell:
        cell = self[index] = Cell(index // self.stride - 1, index % self.stride)
        return cell


_shared_cells = lru_cache(maxsize=256)(_Cells)
"""By stride those of small boards: levels share them, which saves most of the reading time."""


def _bad_character(rows: Sequence[str], place: _Place) -> NoReturn:
    """Name the first character that is not XSB."""
    for number, row in enumerate(rows):
        for col, char in enumerate(row):
            if char in BOARD_CHARS:
                continue
            if char == "\t":
                place.fail("E-TAB", "a tab in a board row: its width is unknown, write spaces", number, col)
            if char in ("&" if "#" in "".join(rows) else "Xx&"):
                message = f"{char!r} in a board row: this is another character set, not XSB (where '#' is a wall)"
                place.fail("E-DIALECT", message, number, col)
            known = unicodedata.name(char, "unnamed")
            shown = repr(char) if char.isprintable() and char.isascii() else f"U+{ord(char):04X} ({known})"
            place.fail("E-CHAR", f"{shown} is not an XSB character", number, col)
    raise AssertionError("unreachable: the caller saw a bad character")


def _player(data: str, stride: int, place: _Place) -> int:
    """Return the index of the only player."""
    found = [match.start() for match in re.finditer(r"[@+]", data)]
    if not found:
        place.fail("E-NOPLAYER", "the board has no player (@ or +)", 0)
    if len(found) > 1:
        cells = [divmod(index, stride) for index in found]
        shown = ", ".join(f"{place.named(row - 1)} column {col + 1}" for row, col in cells[:4])
        row, col = cells[1]
        place.fail("E-PLAYERS", f"{len(found)} players: {shown}", row - 1, col)
    return found[0]


def _flood(data: str, stride: int, start: int, place: _Place) -> tuple[bytearray, list[int]]:
    """Return the cells connected with the start, walls aside, as flags and as indices in breadth-first order."""
    seen = bytearray(len(data))
    seen[start] = 1
    queue = [start]
    for index in queue:
        for after in (index - 1, index + 1, index - stride, index + stride):
            if not seen[after]:
                char = data[after]
                if char == "#":
                    continue
                if char == "\n":
                    row, col = divmod(index, stride)
                    place.fail("E-OPEN", "the walls are not closed: the player gets out here", row - 1, col)
                seen[after] = 1
                queue.append(after)
    return seen, queue


def _check_counts(boxes: list[Cell], goals: list[Cell], outside: _Outside, place: _Place, *, spare_boxes: bool) -> None:
    """Compare boxes and goals inside, then refuse loose ones outside."""
    if len(boxes) != len(goals) and not (spare_boxes and len(boxes) > len(goals) > 0):
        total_boxes = len(boxes) + sum(char in "$*" for _, char in outside)
        total_goals = len(goals) + sum(char in ".*" for _, char in outside)
        message = f"{counted(len(boxes), 'boxes')}, {counted(len(goals), 'goals')}"
        if outside:
            message += (
                f" that the player can reach ({counted(total_boxes, 'boxes')}, {counted(total_goals, 'goals')} in all)"
            )
        place.fail("E-COUNT", message, 0)
    for cell, char in outside:
        if char == "$":
            place.fail("E-OUTSIDE", "a box off goal where the player can never get", cell.row, cell.col)
        if char == ".":
            place.fail("E-OUTSIDE-GOAL", "a goal without a box where the player can never get", cell.row, cell.col)
    if not boxes:
        place.fail("E-NOBOX", "the board has no box and no goal", 0)


def _outside_warnings(drawn: str, stride: int, seen: bytearray, outside: _Outside, place: _Place) -> tuple[str, ...]:
    """Warn of decorative boxes, and of rooms the player cannot reach that have a hole in the wall."""
    found: list[str] = []
    if outside:
        (row, col), _ = outside[0]
        count = "1 box on a goal" if len(outside) == 1 else f"{len(outside)} boxes on goals"
        message = f"{count} outside the playing area: decoration, not part of the game"
        found.append(place.warn("W-OUTSIDE", message, row, col))
    hole = _open_pocket(drawn, stride, seen)
    if hole is not None:
        row, col = divmod(hole, stride)
        found.append(place.warn("W-OPEN", "an unreachable room with a hole in its wall", row - 1, col))
    return tuple(found)


def _open_pocket(drawn: str, stride: int, seen: bytearray) -> int | None:
    """Return a floor mark (``-`` or ``_``) the player cannot reach from which one gets out of the picture.

    Only where unreachable blanks exist beside such marks does the author distinguish floor from outside; else nothing is known.
    """
    marks = [match.start() for match in re.finditer("[-_]", drawn) if not seen[match.start()]]
    if not marks or not any(not seen[match.start()] for match in re.finditer(r" (?=[^\n]*#)", drawn)):
        return None
    queue, checked = list(marks), set(marks)
    for at in queue:
        for after in (at - 1, at + 1, at - stride, at + stride):
            if drawn[after] == "\n":
                return at
            if after not in checked and drawn[after] not in "#W":
                checked.add(after)
                queue.append(after)
    return None
