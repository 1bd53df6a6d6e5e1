"""Board files: optional ``key: value`` lines, then the rows; or all rows on one line joined by ``/``.

Keys: ``title``, ``author``, ``origin``, ``comment``; ``goal`` (``A 3,1; b 0,0``: corners to reach), ``mask`` (the rows wanted,
joined by ``/``: a letter is a cell that piece must cover, ``.`` a cell that must be empty, ``?`` or ``#`` anything),
``moves`` (``b lr; c ud; d -``, or ``lengthwise``: along the piece), ``same`` (``bc de``: groups that may stand for each
other in the goal).
Rows: a letter or digit a piece, ``.`` blank, ``#`` wall. Lines starting with ``%`` are comments. Blank lines part boards.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from sokoasp.core.errors import LevelError, NotationError, SokoaspError, counted
from sokoasp.klotski.board import EVERY_WAY, Board, BoardCell, Goal, Piece

NOTES = ("author", "origin", "comment")
KEYS = ("title", *NOTES, "goal", "mask", "moves", "same")
_HEADER = re.compile(r"([A-Za-z]+)\s*:\s*(.*?)\s*$")
_PLACE = re.compile(r"(\w)\s+(\d+)\s*,\s*(\d+)$")
_MOVES = re.compile(r"(\w)\s+([udlr]+|-)$")
MAX_CELLS = 10_000
"""Largest board read: 100 x 100."""
_DEFAULT_SIZE, _DEFAULT_CORNER = (4, 5), BoardCell(3, 1)
_BLOCK = (BoardCell(0, 0), BoardCell(0, 1), BoardCell(1, 0), BoardCell(1, 1))


@dataclass(slots=True)
class _Block:
    """One board of a file: its header values and its rows, each with the line and the column it starts at."""

    headers: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    rows: list[tuple[str, int, int]] = field(default_factory=list)

    def value(self, key: str) -> str:
        return self.headers[key][0] if key in self.headers else ""

    def items(self, key: str) -> Iterator[tuple[str, int, int]]:
        """Yield the ``;``-separated parts of a value, each with its line and column."""
        value, line, column = self.headers.get(key, ("", 0, 0))
        for part in re.finditer(r"[^;]+", value):
            text = part.group()
            if text.strip():
                yield text.strip(), line, column + part.start() + len(text) - len(text.lstrip())


def read(text: str, source: str = "") -> list[Board]:
    """Read all boards of a file.

    Raises:
        NotationError: A header line cannot be understood.
        LevelError: A board is not one; the place is the row it concerns.
    """
    boards = []
    for found in read_each(text, source):
        if isinstance(found, SokoaspError):
            raise found
        boards.append(found)
    return boards


def read_each(text: str, source: str = "") -> Iterator[Board | SokoaspError]:
    """Yield the boards of a file in order and, in the place of a faulty one, its error; a faulty header line ends the file."""
    empty = True
    try:
        for block in _blocks(text.removeprefix("\ufeff")):
            empty = False
            found: Board | SokoaspError
            try:
                found = _board(block, source)
            except SokoaspError as error:
                found = error.located(source)
            yield found
        if empty:
            raise LevelError("no board in this file", line=1)
    except SokoaspError as error:
        yield error.located(source)


def recognises(text: str) -> bool:
    """Return whether the text is a Klotski board file, faulty or not; lines of moves are none."""
    try:
        return bool(read(text))
    except SokoaspError:
        rows = [row for row in map(str.strip, text.splitlines()) if row and not _HEADER.match(row) and row[0] != "%"]
        headers = re.search(r"^(goal|mask|moves)\s*:", text, re.MULTILINE) is not None
        sokoban = any(re.search(r"[@+$*]", row) for row in rows)
        return bool(
            rows and not sokoban and (headers or re.fullmatch(r"(?![lurdLURD\n]*\Z)[\w.#/\n]+", "\n".join(rows)))
        )


def _blocks(text: str) -> Iterator[_Block]:
    block = _Block()
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("%"):
            continue
        header = _HEADER.match(line)
        if block.rows and (header or not line.strip() or "/" in line):
            yield block
            block = _Block()
        if header:
            _add_header(block, header, number)
        elif line.strip():
            column = 1
            for row in line.split("/"):
                block.rows.append((row, number, column))
                column += len(row) + 1
    if block.rows:
        yield block
    elif block.headers:
        _, line_number, _ = next(iter(block.headers.values()))
        raise LevelError("a header without a board", line=line_number)


def _add_header(block: _Block, header: re.Match[str], line: int) -> None:
    key = header[1].lower()
    if key not in KEYS:
        raise NotationError(f"unknown key {header[1]!r}; the keys are {', '.join(KEYS)}", line=line, column=1)
    if key in block.headers:
        raise NotationError(f"{key!r} is given twice for one board", line=line, column=1)
    block.headers[key] = (header[2], line, header.start(2) + 1)


def _board(block: _Block, source: str) -> Board:
    if sum(len(text) for text, _, _ in block.rows) > MAX_CELLS:
        raise LevelError(f"the board has more than {MAX_CELLS:,} cells", line=block.rows[0][1], column=1, code="E-SIZE")
    block.rows = [(text.rstrip(), line, column) for text, line, column in block.rows]
    width, height = len(block.rows[0][0]), len(block.rows)
    parts: dict[str, list[BoardCell]] = {}
    walls = set()
    for row, (text, line, column) in enumerate(block.rows):
        if len(text) != width:
            raise LevelError(
                f"row {row} has {counted(len(text), 'cells')}, row 0 has {width}", line=line, column=column
            )
        for col, char in enumerate(text):
            if char == "#":
                walls.add(BoardCell(row, col))
            elif char.isalnum():
                parts.setdefault(char, []).append(BoardCell(row, col))
            elif char != ".":
                raise LevelError(f"{char!r} is no piece, blank or wall", line=line, column=column + col)
    directions = _directions(block, parts)
    pieces = tuple(Piece(name, tuple(cells), directions.get(name, EVERY_WAY)) for name, cells in sorted(parts.items()))
    goal = _goal(block, pieces, width, height)
    same = tuple(block.value("same").split())
    notes = tuple((key, block.value(key)) for key in NOTES if key in block.headers)
    first = block.rows[0][1]
    try:
        return Board(width, height, pieces, goal, frozenset(walls), same, block.value("title"), notes, source, first)
    except LevelError as error:
        error.line, error.column = _place_of(error, block, parts, first)
        raise


def _place_of(
    error: LevelError, block: _Block, parts: dict[str, list[BoardCell]], first: int
) -> tuple[int, int | None]:
    """Return line and column of what the error speaks of: the header for goal and same, else the piece, else the first row."""
    for word, key in (("goal:", "goal"), ("goal:", "mask"), ("each other", "same"), ("interchangeable", "same")):
        if word in error.message and key in block.headers:
            return block.headers[key][1], block.headers[key][2]
    name = re.search(r"piece '(.)' is in", error.message)
    if name:
        cell = parts[name[1]][-1]
        _, line, column = block.rows[cell.row]
        return line, column + cell.col
    return first, None


def _known(name: str, known: Container[str], line: int, column: int) -> None:
    if name not in known:
        raise LevelError(f"the board has no piece {name!r}", line=line, column=column)


def _directions(block: _Block, parts: dict[str, list[BoardCell]]) -> dict[str, str]:
    out: dict[str, str] = {}
    for text, line, column in block.items("moves"):
        if text == "lengthwise":
            out |= {name: _lengthwise(cells) for name, cells in parts.items()}
            continue
        match = _MOVES.fullmatch(text)
        if not match:
            message = f"moves: {text!r} is not 'lengthwise' nor a piece and some of 'udlr' (or '-'), such as 'b lr'"
            raise NotationError(message, line=line, column=column)
        _known(match[1], parts, line, column)
        out[match[1]] = "".join(way for way in EVERY_WAY if way in match[2])
    return out


def _lengthwise(cells: list[BoardCell]) -> str:
    rows, cols = {cell.row for cell in cells}, {cell.col for cell in cells}
    if len(cells) > 1 and len(rows) == 1:
        return "lr"
    return "ud" if len(cells) > 1 and len(cols) == 1 else EVERY_WAY


def _goal(block: _Block, pieces: tuple[Piece, ...], width: int, height: int) -> Goal:
    names = {piece.name for piece in pieces}
    places = []
    for text, line, column in block.items("goal"):
        match = _PLACE.fullmatch(text)
        if not match:
            raise NotationError(
                f"goal: {text!r} is not a piece and 'row,column', such as 'A 3,1'", line=line, column=column
            )
        _known(match[1], names, line, column)
        places.append((match[1], BoardCell(int(match[2]), int(match[3]))))
    covers, blanks = _mask(block, names, width, height)
    if not (places or covers or blanks):
        return Goal(((_default(pieces, width, height, block.rows[0][1]), _DEFAULT_CORNER),))
    return Goal(tuple(places), tuple(covers), tuple(blanks))


def _default(pieces: tuple[Piece, ...], width: int, height: int, line: int) -> str:
    blocks = [piece.name for piece in pieces if piece.shape == _BLOCK]
    if (width, height) != _DEFAULT_SIZE or len(blocks) != 1:
        raise LevelError(
            "no goal: only a 4x5 Klotski board with one 2x2 piece needs no 'goal:' line", line=line, code="E-GOAL"
        )
    return blocks[0]


def _mask(
    block: _Block, names: set[str], width: int, height: int
) -> tuple[list[tuple[str, BoardCell]], list[BoardCell]]:
    if "mask" not in block.headers:
        return [], []
    value, line, column = block.headers["mask"]
    rows = value.split("/")
    if len(rows) != height or any(len(row) != width for row in rows):
        raise NotationError(
            f"mask: it must have {height} rows of {width} cells, joined by '/'", line=line, column=column
        )
    covers, blanks = [], []
    for row, text in enumerate(rows):
        for col, char in enumerate(text):
            if char == ".":
                blanks.append(BoardCell(row, col))
            elif char not in "?#":
                _known(char, names, line, column + row * (width + 1) + col)
                covers.append((char, BoardCell(row, col)))
    return covers, blanks


def write(board: Board, form: str = "rows") -> str:
    """Write one board as a file: ``form`` is ``rows`` or ``slash`` (rows on one line)."""
    lines = [f"{key}: {' '.join(value.split())}" for key, value in (("title", board.title), *board.notes) if value]
    lines += _headers(board)
    lines += board.rows() if form == "rows" else ["/".join(board.rows())]
    return "\n".join(lines) + "\n"


def _headers(board: Board) -> list[str]:
    out = []
    if board.goal.places:
        out.append("goal: " + "; ".join(f"{name} {cell}" for name, cell in board.goal.places))
    if board.goal.covers or board.goal.blanks:
        marks = {cell: name for name, cell in board.goal.covers} | dict.fromkeys(board.goal.blanks, ".")
        rows = ("".join(marks.get(BoardCell(r, c), "?") for c in range(board.width)) for r in range(board.height))
        out.append("mask: " + "/".join(rows))
    limited = [p for p in board.pieces if set(p.directions) != set(EVERY_WAY)]
    if limited:
        out.append("moves: " + "; ".join(f"{p.name} {p.directions or '-'}" for p in limited))
    if board.same:
        out.append("same: " + " ".join(board.same))
    return out
