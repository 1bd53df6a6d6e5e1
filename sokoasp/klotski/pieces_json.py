"""JSON of pieces: our own form, and the forms that such lists have on the web (docs/klotski.md says which fields are read).

A board is an object with a list of pieces, or that list alone. A piece says where its top-left corner is (``x`` and ``y``,
``col`` and ``row``, or ``position`` as [row, column]) and how it looks (``width`` and ``height``, ``shape``, ``cells``, or for
Rush Hour ``length`` and ``orientation``). Longer names get letters and are kept in a comment.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.core.json_text import parsed
from sokoasp.klotski import notation
from sokoasp.klotski.board import EVERY_WAY, Board, BoardCell, Goal, Piece, cells_at

PIECES = ("pieces", "blocks", "cars", "vehicles")
BOARDS = ("boards", "levels", "puzzles")
_BEGINNING = re.compile(r"[\ufeff\s]*(\{|\[\s*[\[{])")
_CORNER = (("y", "row", "top"), ("x", "col", "column", "left"))
"""What the row and the column of a piece are called."""
_LANES = {"h": "lr", "v": "ud"}
_TARGETS = ("x", "r", "red", "target")
"""Names of the car that wants out where the file says no goal."""
_DEFAULT_SIZE, _RUSH_HOUR_SIZE = (4, 5), (6, 6)


def looks_like(text: str) -> bool:
    """Return whether a text begins like JSON of pieces; the paper's glyphs may begin with ``[]``."""
    return _BEGINNING.match(text) is not None


def recognises(text: str) -> bool:
    """Return whether a text is JSON of pieces, with faults in them or not."""
    if not looks_like(text):
        return False
    try:
        data = parsed(text, "")
    except LevelError:
        return False
    return any(_is_piece_list(_pieces_of(board)) for board in _boards(data)[:1])


def read_each(text: str, source: str = "") -> Iterator[Board | SokoaspError]:
    """Yield the boards of a JSON text in order and, in the place of a faulty one, its error."""
    try:
        data = parsed(text, source)
    except LevelError as error:
        yield error
        return
    for number, entry in enumerate(_boards(data), 1):
        try:
            yield board_of(entry, source)
        except SokoaspError as error:
            yield error.located(f"{source}, board {number}")


def board_of(entry: Any, source: str = "") -> Board:
    """Return the board that a parsed JSON object, or list of pieces, describes.

    Raises:
        LevelError: It describes none; the message says which field is at fault.
    """
    listed = _pieces_of(entry)
    if not _is_piece_list(listed):
        raise LevelError(f"no pieces: one of {', '.join(PIECES)} must be a list of objects", code="E-JSON")
    head: Mapping[str, Any] = entry if isinstance(entry, Mapping) else {}
    parts = [_part(piece, f"pieces[{at}]") for at, piece in enumerate(listed)]
    letters = _letters([part.name for part in parts])
    pieces = tuple(replace(part, name=letters[at]) for at, part in enumerate(parts))
    lanes = any(part.directions != EVERY_WAY for part in parts)
    width, height = _size(head, _RUSH_HOUR_SIZE if lanes else _DEFAULT_SIZE)
    for at, part in enumerate(parts):
        off = next((cell for cell in part.cells if not (0 <= cell.row < height and 0 <= cell.col < width)), None)
        if off is not None:
            raise _wrong(f"pieces[{at}]", f"it covers {off}, off the {width}x{height} board")
    names = {part.name: letters[at] for at, part in enumerate(parts) if part.name} | {one: one for one in letters}
    red = next((letters[at] for at, part in enumerate(parts) if part.name.lower() in _TARGETS), None)
    goal = _goal(head, names) or _default_goal(head, pieces, red, (width, height))
    walls = frozenset(_cell(one, f"walls[{at}]") for at, one in enumerate(_list(head, "walls")))
    same = tuple("".join(_named(names, one, "same") for one in _group(group)) for group in _list(head, "same"))
    called = ", ".join(
        f"{letters[at]} {part.name}" for at, part in enumerate(parts) if part.name not in ("", letters[at])
    )
    reported = (
        *((key, str(head[key])) for key in notation.NOTES if key in head),
        *((("comment", called),) if called else ()),
    )
    notes = tuple(dict(reported).items())
    title = next((str(head[key]) for key in ("title", "name") if isinstance(head.get(key), str)), "")
    return Board(width, height, pieces, goal, walls, same, title, notes, source)


def entry_of(board: Board) -> dict[str, Any]:
    """Return a board as an object that ``board_of`` reads back."""
    row: dict[str, Any] = {"title": board.title, **dict(board.notes), "width": board.width, "height": board.height}
    row["pieces"] = [_written(piece) for piece in board.pieces]
    if board.walls:
        row["walls"] = [list(cell) for cell in sorted(board.walls)]
    if board.same:
        row["same"] = list(board.same)
    goal = board.goal
    row["goal"] = [{"name": name, "x": cell.col, "y": cell.row} for name, cell in goal.places]
    row["goal"] += [{"name": name, "covers": list(cell)} for name, cell in goal.covers]
    row["goal"] += [{"blank": list(cell)} for cell in goal.blanks]
    return row


def _written(piece: Piece) -> dict[str, Any]:
    corner, shape = piece.corner, piece.shape
    height, width = (1 + max(cell[axis] for cell in shape) for axis in (0, 1))
    row: dict[str, Any] = {"name": piece.name, "x": corner.col, "y": corner.row}
    row |= (
        {"width": width, "height": height}
        if len(shape) == width * height
        else {"cells": [list(c) for c in piece.cells]}
    )
    return row if set(piece.directions) == set(EVERY_WAY) else {**row, "moves": piece.directions}


def _boards(data: Any) -> list[Any]:
    """Return the boards of a file: those listed under a known key, a list of them, or the one it is."""
    if isinstance(data, Mapping):
        inside = next((data[key] for key in BOARDS if isinstance(data.get(key), list)), None)
        return [data] if inside is None else inside
    if isinstance(data, list) and data and not _is_piece_list(data):
        return data
    return [data]


def _pieces_of(entry: Any) -> Any:
    if isinstance(entry, Mapping):
        return next((entry[key] for key in PIECES if key in entry), None)
    return entry


def _is_piece_list(listed: Any) -> bool:
    """Return whether these are pieces: objects, the first of which says where it is."""
    if not isinstance(listed, list) or not listed or not all(isinstance(one, Mapping) for one in listed):
        return False
    rows, columns = (set(keys) & set(listed[0]) for keys in _CORNER)
    return bool((rows and columns) or {"position", "pos", "cells"} & set(listed[0]))


def _part(piece: Mapping[str, Any], where: str) -> Piece:
    """Return a piece under the name that the file has for it."""
    name = str(next((piece[key] for key in ("name", "id", "label") if key in piece), ""))
    if "cells" in piece:
        cells = tuple(_cell(one, f"{where}.cells") for one in _list(piece, "cells"))
        if not cells:
            raise _wrong(f"{where}.cells", "it must have one cell at least")
        return Piece(name, cells, _ways(piece, where, EVERY_WAY))
    corner = _corner(piece, where)
    lane = str(piece.get("orientation", piece.get("direction", "")))[:1].lower()
    if lane and lane not in _LANES:
        raise _wrong(f"{where}.orientation", "it must be horizontal or vertical")
    if lane and ("length" in piece or "size" in piece):
        length = _number(piece, ("length", "size"), where, least=1)
        shape = tuple(BoardCell(0, at) if lane == "h" else BoardCell(at, 0) for at in range(length))
    else:
        shape = _shape(piece, where)
    return Piece(name, cells_at(shape, corner), _ways(piece, where, _LANES.get(lane, EVERY_WAY)))


def _ways(piece: Mapping[str, Any], where: str, otherwise: str) -> str:
    ways = piece.get("moves", otherwise)
    if not isinstance(ways, str) or set(ways) - set(EVERY_WAY):
        raise _wrong(f"{where}.moves", f"it must be letters of {EVERY_WAY!r}")
    return "".join(way for way in EVERY_WAY if way in ways)


def _corner(piece: Mapping[str, Any], where: str) -> BoardCell:
    at = piece.get("position", piece.get("pos"))
    if isinstance(at, Mapping):
        return _corner(at, f"{where}.position")
    if at is not None:
        return _cell(at, f"{where}.position")
    row, col = (_number(piece, keys, where) for keys in _CORNER)
    return BoardCell(row, col)


def _shape(piece: Mapping[str, Any], where: str) -> tuple[BoardCell, ...]:
    """Return the covered cells from ``width`` and ``height``, or from ``shape``: "2x1" is wide, [1, 2] is rows and columns."""
    shape = piece.get("shape", piece.get("size"))
    if shape is None or "width" in piece or "w" in piece:
        width, height = _number(piece, ("width", "w"), where, 1), _number(piece, ("height", "h"), where, 1)
    elif (
        isinstance(shape, str)
        and len(sides := shape.lower().replace("×", "x").split("x")) == 2
        and all(map(str.isdecimal, sides))
    ):
        width, height = int(sides[0]), int(sides[1])
    elif isinstance(shape, list) and len(shape) == 2 and all(isinstance(side, int) for side in shape):
        height, width = shape
    elif isinstance(shape, list) and shape and all(isinstance(row, str | list) for row in shape):
        full = (
            (r, c) for r, row in enumerate(shape) for c, mark in enumerate(row) if mark not in (0, False, "0", ".", " ")
        )
        return tuple(BoardCell(r, c) for r, c in full)
    else:
        raise _wrong(
            f"{where}.shape", 'it must be "2x1" (width x height), [height, width] or rows such as ["#.", "##"]'
        )
    _check_sides(f"{where}.shape", width, height)
    return tuple(BoardCell(row, col) for row in range(height) for col in range(width))


def _size(head: Mapping[str, Any], otherwise: tuple[int, int]) -> tuple[int, int]:
    """Return width and height of the board."""
    sides = next((head[key] for key in ("boardSize", "board_size", "size") if key in head), None)
    if isinstance(sides, list) and len(sides) == 2 and all(isinstance(side, int) for side in sides):
        height, width = sides
    elif isinstance(sides, int):
        width = height = sides
    elif any(key in head for key in ("width", "height", "rows", "cols", "columns")):
        width, height = _number(head, ("width", "cols", "columns"), "board"), _number(head, ("height", "rows"), "board")
    else:
        width, height = otherwise
    _check_sides("board", width, height)
    return width, height


def _check_sides(where: str, *sides: int) -> None:
    if not all(0 < side <= 100 for side in sides):
        raise _wrong(where, "its sides must be from 1 to 100")


def _goal(head: Mapping[str, Any], names: Mapping[str, str]) -> Goal | None:
    """Return the goal that is written down, None if there is none."""
    wanted = head.get("goal")
    if isinstance(wanted, Mapping):
        wanted = [wanted]
    if isinstance(wanted, list) and wanted:
        return _listed_goal(wanted, names)
    if wanted is not None and wanted != []:
        raise _wrong("goal", 'it must be objects such as {"name": "A", "x": 1, "y": 3}')
    return None


def _default_goal(head: Mapping[str, Any], pieces: Sequence[Piece], red: str | None, size: tuple[int, int]) -> Goal:
    """Return the goal that such a board is known to have; ``red`` is the car that wants out.

    Raises:
        LevelError: It has none.
    """
    way_out = next((head[key] for key in ("escapePoint", "exit") if key in head), None)
    if way_out is not None:
        return Goal(((_largest(pieces).name, _cell(way_out, "exit")),))
    car = next((piece for piece in pieces if piece.name == red and piece.directions == "lr"), None)
    if car is not None:
        return Goal(((car.name, BoardCell(car.corner.row, size[0] - len(car.cells))),))
    largest = _largest(pieces)
    if size == _DEFAULT_SIZE and len(largest.cells) == 4:
        return Goal(((largest.name, BoardCell(3, 1)),))
    raise LevelError('no goal: say where a piece must go, "goal": [{"name": "A", "x": 1, "y": 3}]', code="E-GOAL")


def _listed_goal(wanted: Sequence[Any], names: Mapping[str, str]) -> Goal:
    places, covers, blanks = [], [], []
    for at, one in enumerate(wanted):
        where = f"goal[{at}]"
        if not isinstance(one, Mapping):
            raise _wrong(where, 'it must be an object such as {"name": "A", "x": 1, "y": 3}')
        if "blank" in one:
            blanks.append(_cell(one["blank"], f"{where}.blank"))
            continue
        name = _named(names, next((one[key] for key in ("name", "id", "piece") if key in one), ""), where)
        if "covers" in one:
            covers.append((name, _cell(one["covers"], f"{where}.covers")))
        else:
            places.append((name, _corner(one, where)))
    return Goal(tuple(places), tuple(covers), tuple(blanks))


def _largest(pieces: Sequence[Piece]) -> Piece:
    """Return the piece that wants out where only the way out is given: the one of the most cells.

    Raises:
        LevelError: Several are as large.
    """
    most = max(len(piece.cells) for piece in pieces)
    found = [piece for piece in pieces if len(piece.cells) == most]
    if len(found) > 1:
        raise LevelError('no goal: several pieces are the largest; name one in "goal"', code="E-GOAL")
    return found[0]


def _letters(names: Sequence[str]) -> list[str]:
    """Return a letter for each piece: its own name where that is one letter nobody else has, else a free one."""
    own = [name if len(name) == 1 and name.isalnum() and names.count(name) == 1 else "" for name in names]
    free = iter([letter for letter in string.ascii_letters + string.digits if letter not in own])
    try:
        return [name or next(free) for name in own]
    except StopIteration:
        raise LevelError(f"{len(names)} pieces are too many: letters and digits are given to at most 62") from None


def _named(names: Mapping[str, str], name: Any, where: str) -> str:
    if str(name) not in names:
        raise _wrong(where, f"the board has no piece {name!r}")
    return names[str(name)]


def _list(head: Mapping[str, Any], key: str) -> list[Any]:
    value = head.get(key, [])
    if not isinstance(value, list):
        raise _wrong(key, "it must be a list")
    return value


def _group(pieces: Any) -> str | list[Any]:
    if not isinstance(pieces, str | list):
        raise _wrong("same", 'it must be groups of pieces such as ["ab", ["c", "d"]]')
    return pieces


def _cell(value: Any, where: str) -> BoardCell:
    if isinstance(value, Mapping):
        return _corner(value, where)
    if not isinstance(value, list) or len(value) != 2 or not all(type(one) is int for one in value):
        raise _wrong(where, "a cell is [row, column]")
    return BoardCell(value[0], value[1])


def _number(head: Mapping[str, Any], keys: Sequence[str], where: str, least: int = 0) -> int:
    key = next((key for key in keys if key in head), None)
    if key is None:
        raise _wrong(where, f"{keys[0]!r} is missing")
    if type(head[key]) is not int or not least <= head[key] <= 100:
        raise _wrong(f"{where}.{key}", f"it must be a whole number from {least} to 100")
    return int(head[key])


def _wrong(where: str, what: str) -> LevelError:
    return LevelError(f"{where}: {what}", code="E-JSON")
