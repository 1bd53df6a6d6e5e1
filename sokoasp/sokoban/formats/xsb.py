"""Level collections: XSB boards, plain or run-length encoded, with titles, keys, comments and solutions between them.

Source: .sok file format 0.19; the ``; title`` and ``Comment:`` … ``Comment-End:`` lines of ksokoban and cavepacker files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.sokoban.formats import run_length
from sokoasp.sokoban.formats import text as kinds
from sokoasp.sokoban.formats.level_rows import level_from_rows, picture
from sokoasp.sokoban.formats.notes import Header, Item, announces, apply_notes
from sokoasp.sokoban.level import Level

MAX_WRITTEN = 20_000_000
"""Most characters written out from the run-length boards of one file."""

_COMMENT = "comment"
_COMMENT_END = re.compile(r"\s*comment[ _-]?end\s*:?\s*", re.IGNORECASE)
_TAKEN = ("title", "author", "collection", "comment", "solution", "moves", "game", "set", "assigned")
"""Keys with a meaning of their own."""
_HEAD = re.compile(r"\s*level\s*:\s*([^|]*[^|\s])\s*(?:\|\s*(.*))?", re.IGNORECASE)
"""The head of a level in lists that name it, perhaps with its moves: ``Level: name | moves``."""
_HINT = " (is there a blank line inside the board? write - there)"


@dataclass(slots=True, eq=False, repr=False)
class _Board:
    """The lines of one board in its file, from ``start`` to before ``end``, and its rows unless they are run-length encoded.

    Rows that must be written out are not kept, so that a file of many such boards stays small.
    """

    start: int
    end: int
    rows: list[str] | None
    written: int
    """Number of characters written out from runs."""


@dataclass(slots=True, eq=False, repr=False)
class _Found:
    """A board between the lines before it and those up to the next; ``first`` and ``last`` of its file."""

    before: list[Item]
    board: _Board
    after: list[Item]
    first: bool
    last: bool


def read_each(
    text: str, *, source: str, max_cells: int, warnings: tuple[str, ...] = ()
) -> Iterator[Level | SokoaspError]:
    """Yield the levels of a collection in order, and in the place of a faulty one its error."""
    try:
        lines = kinds.text_lines(text)
    except LevelError as error:
        yield error.located(source)
        return
    read = partial(_read, source=source, max_cells=max_cells)
    if kinds.may_be_damaged(text, lines):
        from sokoasp.sokoban.formats import paste

        if (pasted := paste.repaired(text, lines, partial(read, warnings=()))) is not None:
            yield from pasted.placed(read(pasted.lines, warnings=warnings + pasted.warnings(source)))
            return
    yield from read(lines, warnings=warnings)


def _read(
    lines: Sequence[str], source: str, max_cells: int, warnings: tuple[str, ...]
) -> Iterator[Level | SokoaspError]:
    """Yield the levels in these lines, and in the place of a faulty one, or of what cannot be taken apart, its error."""
    header, found = Header(), None
    try:
        for found in _found(_scan(lines, source, max_cells)):
            try:
                yield _level(found, header, lines, source, max_cells, warnings)
            except LevelError as error:
                if error.code in ("E-OPEN", "E-NOPLAYER") and _torn_apart(found):
                    error.message += _HINT
                yield error.located(source)
        if found is None:
            raise LevelError("there is no level in this file", line=1, column=1, code="E-NOLEVEL")
    except LevelError as error:
        yield error.located(source)


def _level(
    found: _Found, header: Header, lines: Sequence[str], source: str, max_cells: int, warnings: tuple[str, ...]
) -> Level:
    """Build one level of its rows and what is said about it."""
    board = found.board
    notes = apply_notes(found.before, found.after, header, source, first=found.first, last=found.last)
    rows, numbers = board.rows, None
    if rows is None:
        rows, numbers = _rows(lines, board.start, board.end, source, max_cells)
    level = level_from_rows(
        rows,
        source=source,
        line=board.start + 1,
        lines=numbers,
        max_cells=max_cells,
        warnings=warnings,
        title=notes.title,
        author=notes.author,
        collection=header.collection,
        comment=notes.comment,
    )
    solutions, header.blocked_title = notes.settle_moves(level)
    if not solutions and not notes.moves:
        return level
    return replace(level, solutions=solutions, comment=notes.comment)


def _torn_apart(found: _Found) -> bool:
    """Return whether only blank lines stand between this board and another, or something with walls: perhaps one board."""
    before, after = found.before, found.after
    if not found.first and before and all(item.kind == "blank" for item in before):
        return True
    rest = [item for item in after if item.kind != "blank"]
    if not after or after[0].kind != "blank":
        return False
    return "#" in rest[0].text and kinds.is_row(rest[0].text) if rest else not found.last


def _found(parts: Iterator[tuple[list[Item], _Board | None]]) -> Iterator[_Found]:
    """Put each board together with what stands before and after it, as soon as that is known."""
    before, board = next(parts)
    first = True
    for after, following in parts:
        assert board is not None
        yield _Found(before, board, after, first, following is None)
        before, board, first = after, following, False


def _scan(lines: Sequence[str], source: str, max_cells: int) -> Iterator[tuple[list[Item], _Board | None]]:
    """Take the lines apart: yield what stands before each board with the board, at last what stands at the end with None."""
    gap: list[Item] = []
    number = written = 0
    while number < len(lines):
        line = lines[number]
        if kinds.is_row(line) or _suspicious(line):
            end = _block_end(lines, number)
            board = _board(lines, number, end, source, max_cells)
            if board is None:
                gap += [_item(lines[at], at + 1) for at in range(number, end)]
            else:
                gap += [
                    _item(lines[at], at + 1) for at in range(number, board.start) if not kinds.is_bare_floor(lines[at])
                ]
                written += board.written
                if written > MAX_WRITTEN:
                    message = f"written out, the boards up to here have more than {MAX_WRITTEN} cells: split the file"
                    raise LevelError(message, source=source, line=number + 1, column=1, code="E-SIZE")
                yield gap, board
                gap = []
            number = end
            continue
        head = _HEAD.fullmatch(line)
        if head and ("|" in line or not number or (gap and gap[-1].kind == "blank")):
            name, moves = head.groups("")
            number += 1
            about = Item("key", moves, number, "solution" if kinds.is_moves(moves) else _COMMENT)
            gap += [Item("blank", "", number), *([about] if moves else []), Item("semicolon", name, number)]
            continue
        item = _item(line, number + 1)
        if item.kind == "key" and item.key == _COMMENT and not item.text:
            item, number = _long_comment(lines, number, source)
        if (
            item.kind == "text"
            and gap
            and (gap[-1].kind == "moves" or announces(gap[-1]))
            and kinds.meant_as_moves(item.text)
        ):
            item = item._replace(kind="moves")
        gap.append(item)
        number += 1
    yield gap, None


def _suspicious(line: str) -> bool:
    """Return whether a line that is no plain row may still belong to a board."""
    return bool(line.strip()) and (kinds.is_run_row(line) or kinds.is_damaged_row(line))


def _block_end(lines: Sequence[str], start: int) -> int:
    """Return the number of the first line after ``start`` that cannot go on with the board.

    A second line of several rows with a player in it is another board.
    """
    end, complete = start, False
    while end < len(lines):
        line = lines[end]
        if not (kinds.is_row(line) or _suspicious(line) or _torn(lines, end)):
            break
        if "|" in line and any(char in line for char in "@+pP"):
            if complete:
                break
            complete = True
        end += 1
    return end


def _torn(lines: Sequence[str], at: int) -> bool:
    """Return whether a line between two rows starts like a row, though its end or some character does not fit."""
    if not 0 < at < len(lines) - 1:
        return False
    bare = lines[at].strip()
    if (
        not 0 < len(bare) <= kinds.MAX_ROW
        or bare[0] != "#"
        or not kinds.is_row(lines[at - 1])
        or not kinds.is_row(lines[at + 1])
    ):
        return False
    strange = sum(not kinds.is_row(char) for char in bare)
    return 3 * strange <= len(bare)


def _board(lines: Sequence[str], start: int, end: int, source: str, max_cells: int) -> _Board | None:
    """Make a board of a block of lines, None if it is text after all."""
    while start < end and not kinds.is_strong(lines[start]) and not kinds.is_damaged_row(lines[start]):
        start += 1
    while start < end and kinds.is_bare_floor(lines[end - 1]):
        end -= 1
    if start == end:
        return None
    if kinds.are_run_rows(lines[start:end]):
        try:
            rows, _ = _rows(lines, start, end, source, max_cells)
        except LevelError:
            rows = [row for line in lines[start:end] for row in line.split("|")]
        kept = None
    else:
        kept = rows = list(lines[start:end])
    drawn = "".join(rows)
    walls = any(char in drawn for char in "#W") or any(map(kinds.is_damaged_row, rows))
    alive = any(char in drawn for char in "@+pP") and any(char in drawn for char in "$*bB")
    written = len(drawn) if kept is None else 0
    return _Board(start, end, kept, written) if walls and (len(rows) >= 3 or alive) else None


def _rows(lines: Sequence[str], start: int, end: int, source: str, max_cells: int) -> tuple[list[str], list[int]]:
    """Return the rows of a board, runs written out, with the line of each."""
    rows: list[str] = []
    numbers: list[int] = []
    size = 0
    for at in range(start, end):
        line = lines[at]
        found = (
            run_length.read_line(line, source=source, line=at + 1, max_cells=max_cells)
            if kinds.is_run_row(line)
            else [line]
        )
        rows += found
        numbers += [at + 1] * len(found)
        size += sum(map(len, found))
        if size > 2 * max_cells:
            message = f"the rows up to here have more than {2 * max_cells} cells"
            raise LevelError(message, source=source, line=at + 1, column=1, code="E-SIZE")
    first = next((n for n, row in enumerate(rows) if not kinds.is_bare_floor(row)), 0)
    return rows[first:], numbers[first:]


def _item(line: str, number: int) -> Item:
    """Return what a line between boards is."""
    bare = line.strip()
    if not bare or (bare.startswith(("<", "[", "`")) and re.fullmatch(kinds.FENCE, bare)):
        return Item("blank", "", number)
    if bare.startswith("::"):
        return Item("skip", "", number)
    if game := kinds.game_line(bare):
        return Item("key", game, number, "game")
    if bare.startswith(";"):
        return Item("semicolon", bare[1:].strip(), number)
    if kinds.is_moves(bare):
        return Item("moves", bare, number)
    key = kinds.key_line(line)
    solution = kinds.SOLUTION.fullmatch(line)
    if solution is not None and kinds.is_moves(solution[2].strip()):
        said = solution[1].strip()
        return Item("key", solution[2].strip(), number, "solution", "" if key and key[0] in _TAKEN else said)
    if key is not None:
        return Item("key", key[1], number, key[0], "" if key[0] in _TAKEN else line.split(":")[0].strip())
    return Item("text", bare, number)


def _long_comment(lines: Sequence[str], start: int, source: str) -> tuple[Item, int]:
    """Read the lines from ``Comment:`` to ``Comment-End:`` and return them with the number of the last line."""
    for end in range(start + 1, len(lines)):
        if _COMMENT_END.fullmatch(lines[end]):
            return Item("key", "\n".join(lines[start + 1 : end]), start + 1, _COMMENT), end
    raise LevelError(
        "this Comment: is never closed by Comment-End:", source=source, line=start + 1, column=1, code="E-COMMENT"
    )


def write_xsb(levels: Iterable[Level]) -> str:
    """Return boards with their titles as ``; title`` lines, nothing else."""
    return "\n".join(_titled(level, board_text(level)) for level in levels)


def _titled(level: Level, board: str) -> str:
    """Return a board after its ``; title`` line, or before a ``Title:`` key if the title could be taken for a row."""
    if not level.title.strip():
        return board
    if any(char in level.title for char in "#|$*"):
        return f"{board}Title: {_line(level.title)}\n"
    return f"; {_line(level.title)}\n\n{board}"


def board_text(level: Level) -> str:
    """Return the rows of a board; a blank row inside is written ``-``."""
    return "".join(f"{row or '-'}\n" for row in picture(level))


def write_rle(levels: Iterable[Level]) -> str:
    """Return one line of run-length notation a level, after its ``; title`` line if it has one."""
    boards = ((one, (run_length.compress(row.replace(" ", "-")) or "-" for row in picture(one))) for one in levels)
    return "\n".join(_titled(level, "|".join(rows) + "\n") for level, rows in boards)


def write_sok(levels: Iterable[Level]) -> str:
    """Return boards with title, author, comment and solutions as the lines after each board."""
    collections: set[str] = set()
    parts = []
    for level in levels:
        collections.add(level.collection)
        board = board_text(level)
        parts.append([board + _notes_text(level, named) for named in (False, bool(level.collection))])
    several = len(collections) > 1
    shared = "" if several else "".join(collections)
    return (f"Collection: {_line(shared)}\n\n" if shared else "") + "\n".join(part[several] for part in parts)


def _notes_text(level: Level, named: bool) -> str:
    """Return the lines after a board; ``named``: with its collection's name in the comment, as in a file of several."""
    lines = [
        f"{key}: {_line(value)}" for key, value in (("Title", level.title), ("Author", level.author)) if value.strip()
    ]
    lines += [f"{key}: {_line(value)}" for key, value in level.notes if _is_free(key, value)]
    said, own = level.comment.splitlines(), f"Collection: {_line(level.collection)}"
    said += [own] * (named and own not in said)
    if "".join(said).strip():
        inner = ["> " + line if _COMMENT_END.fullmatch(line) else line for line in said]
        lines += ["Comment:", *inner, "Comment-End:"]
    for solution in map(_line, level.solutions):
        # JSoko takes moves from the lines after the key alone
        lines += ["Solution:", solution] if kinds.is_moves(solution) else [f"Solution: {solution}"]
    return "".join(line + "\n" for line in lines)


def _is_free(key: str, value: str) -> bool:
    """Return whether ``key: value`` is read back as a note, not as something else or nothing."""
    found = kinds.key_line(f"{key}: {_line(value)}")
    return found is not None and bool(value.strip()) and found[0] == key.lower() and found[0] not in _TAKEN


def _line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())
