"""What stands between boards: titles, keys, comments and solutions, and which board each belongs to.

Source: .sok file format 0.19, "Titles" and "Puzzle Notes".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from sokoasp.core.errors import IllegalPlan, LevelError, NotationError
from sokoasp.sokoban.formats import lurd
from sokoasp.sokoban.formats.text import is_moves, other_game
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd

_SOLUTION_KEYS = ("solution", "moves")
_UNFINISHED = ("snapshot", "savegame", "saved game")
"""What stands over the moves of a game that has not come to its end."""
_SHORT = 8
"""Fewer characters than this on one line may be a title such as ``Dull``; more are moves."""

_REPLAYED = 200
"""Most moves replayed to distinguish a solution from a word."""
_DOUBTS = 5
"""Most such words looked at after one board."""


class Item(NamedTuple):
    """One line (or long comment) between boards: blank, skip, semicolon, moves, key or text."""

    kind: str
    text: str
    line: int
    key: str = ""
    said: str = ""
    """What stands before the colon, as written: of a solution, if that is more than the key; of a note."""


@dataclass(slots=True, eq=False, repr=False)
class Header:
    """What the lines before the first board say about all."""

    author: str = ""
    collection: str = ""
    title: str = ""
    game: Item | None = None
    """Names another game than Sokoban, before the first board."""
    blocked_title: int = 0
    """Line of a word that turned out to be the solution of the board before, and so is no title."""


@dataclass(slots=True, eq=False, repr=False)
class Notes:
    """Everything known about one board beside its rows."""

    title: str = ""
    author: str = ""
    comments: list[str] = field(default_factory=list)
    moves: list[tuple[str, int, bool]] = field(default_factory=list)
    """Text, line, and whether it may be a title or note instead."""
    solutions: list[str] = field(default_factory=list)
    next_title: int = 0
    """Line of the title of the board after this, 0 if it has none."""

    @property
    def comment(self) -> str:
        """Return all notes as one text."""
        return "\n".join(self.comments).strip("\n")

    def settle_moves(self, level: Level) -> tuple[tuple[str, ...], int]:
        """Separate solutions from words that only look like moves; return the solutions and the line of a refused title."""
        found, refused, probes = [], 0, 0
        for text, line, doubtful in self.moves:
            if not doubtful:
                found.append(text)
                continue
            probes += 1
            solves = _solves(level, text) if probes <= _DOUBTS else None
            if solves or (solves is not None and line != self.next_title):
                found.append(text)
                refused = line if line == self.next_title else refused
            elif line != self.next_title:
                self.comments.append(text)
        return (*found, *self.solutions), refused


def _solves(level: Level, moves: str) -> bool | None:
    """Return whether moves solve a level, None if they are not even legal."""
    try:
        plan = plan_from_lurd(level, lurd.read(moves, limit=_REPLAYED))
    except (IllegalPlan, NotationError):
        return None
    boxes = set(level.boxes)
    for push in plan.actions:
        boxes.remove(push.box)
        boxes.add(push.to)
    return level.goals <= boxes


def apply_notes(
    before: Sequence[Item], after: Sequence[Item], header: Header, source: str, *, first: bool, last: bool
) -> Notes:
    """Collect what the lines before and after a board, perhaps the first or last of its file, say about it.

    Raises LevelError: the board belongs to another game (E-VARIANT).
    """
    notes = Notes()
    title_at = _title(before, first=first)
    for index in range(0 if first else _own_start(before), len(before)):
        item = before[index]
        if item.kind == "key":
            _key(item, notes, source, first=header if first else None)
        elif item.text and index != title_at:
            notes.comments.append(item.text)
    if header.game is not None:
        _refuse(header.game, source)
    key_title = notes.title
    if title_at is not None and before[title_at].line != header.blocked_title:
        notes.title = before[title_at].text
    header.blocked_title = 0
    if first and title_at is None:
        notes.title = header.title
    elif first and not header.collection:
        header.collection = header.title
    elif first and header.title:
        notes.comments.append(f"Title: {header.title}")
    end = len(after) if last else _own_start(after)
    next_title = None if last else _title(after, first=False)
    notes.next_title = after[next_title].line if next_title is not None else 0
    line_title, notes.title, own = notes.title, key_title, len(notes.comments)
    _after(after[:end], next_title, notes, source)
    if notes.title and line_title and notes.title != line_title:
        if title_at is not None:
            notes.comments[own:own] = [line_title] if line_title.strip("=-*_~. ") else []
        elif header.collection:
            notes.comments.append(f"Title: {line_title}")
        else:
            header.collection = line_title
    notes.title = notes.title or line_title
    if first and last and header.author and notes.author not in ("", header.author):
        notes.comments.append(f"Author: {header.author}")  # of all levels, which are this one
    notes.author = notes.author or header.author
    return notes


def _title(gap: Sequence[Item], *, first: bool) -> int | None:
    """Return which item of the gap before a board is its title line: the last text if a blank or nothing comes before it.

    A line without a letter or digit, such as ``=====``, is a rule drawn between levels where there are others.
    """
    texts = [at for at, item in enumerate(gap) if item.kind in ("text", "semicolon", "moves")]
    texts = [at for at in texts if gap[at].kind != "text" or any(map(str.isalnum, gap[at].text))] or texts
    if not texts:
        return None
    at = texts[-1]
    if any(item.kind == "key" for item in gap[at + 1 :]) and not first and at < _own_start(gap):
        return None
    if gap[at].kind == "moves" and (len(gap[at].text) >= _SHORT or (at and announces(gap[at - 1]))):
        return None
    previous = gap[at - 1].kind if at else ("blank" if first else "board")
    fits = previous in ("blank", "skip") or gap[at].kind == "semicolon" or len(texts) == 1
    return at if fits and gap[at].text else None


def announces(item: Item) -> bool:
    """Return whether the moves of a solution follow on the next line."""
    return item.kind == "key" and item.key in _SOLUTION_KEYS and not item.text


def _own_start(gap: Sequence[Item]) -> int:
    """Return where in the gap the block of the next board begins, after a blank line.

    It is keys that stand directly on the board, perhaps below a line of text, or keys below a ``;`` line.
    """
    start = len(gap)
    while start and gap[start - 1].kind in ("key", "semicolon", "skip"):
        start -= 1
    if 1 < start < len(gap) and gap[start - 1].kind == "text":
        start -= 1
    if start and start < len(gap) and gap[start - 1].kind == "blank":
        return start
    while start and gap[start - 1].kind in ("key", "semicolon", "skip", "blank"):
        start -= 1
    heads = [at for at in range(start + 1, len(gap)) if (gap[at - 1].kind, gap[at].kind) == ("blank", "semicolon")]
    return heads[-1] if heads and any(item.kind == "key" for item in gap[heads[-1] :]) else len(gap)


def _after(items: Sequence[Item], title: int | None, notes: Notes, source: str) -> None:
    """Take the lines after a board up to what belongs to the next."""
    expected = unfinished = False
    run: list[Item] = []
    for at, item in enumerate(items):
        if item.kind == "moves":
            run.append(item)
            if at + 1 < len(items) and items[at + 1].kind == "moves":
                continue
            text = "".join(part.text for part in run)
            doubtful = not expected and len(text) < _SHORT
            if unfinished:
                notes.comments.append(text)
            else:
                notes.moves.append((text, run[0].line, doubtful))
            run, expected, unfinished = [], False, False
        if item.kind == "key":
            expected = announces(item)
            unfinished = item.key.startswith(_UNFINISHED)
            _key(item, notes, source, first=None)
        elif item.kind in ("text", "semicolon") and at != title:
            expected = item.text.lower().startswith("solution")
            unfinished = item.text.lower().startswith(_UNFINISHED)
            follows = next((one.kind == "moves" for one in items[at + 1 :] if one.kind != "blank"), False)
            if item.text.lower() != "solution" or not follows:
                notes.comments.append(item.text)


def _refuse(game: Item, source: str) -> NoReturn:
    """Refuse a level of another game."""
    message = f"this is a level for {game.text.strip()[:20]}, another game than Sokoban"
    raise LevelError(message, source=source, line=game.line, column=1, code="E-VARIANT")


def _key(item: Item, notes: Notes, source: str, *, first: Header | None) -> None:
    """Take one ``Key: value`` line."""
    key, value = item.key, item.text
    if other_game(key, value):
        if first is None:
            _refuse(item, source)
        first.game = item
    elif first is not None and key in ("collection", "author", "title"):
        if key == "collection" and first.collection not in ("", value):
            notes.comments.append(f"Collection: {first.collection}")
        if key == "title" and first.title not in ("", value):
            first.collection = first.collection or first.title
        setattr(notes if key == "author" and first.author else first, key, value)
    elif key in ("title", "author"):
        old = getattr(notes, key)
        if old not in ("", value):
            notes.comments.append(f"{key.capitalize()}: {old}")
        setattr(notes, key, value)
    elif key == "assigned":
        message = "this level gives each goal to one box, and boxes of Sokoban are alike"
        raise LevelError(message, source=source, line=item.line, column=1, code="E-VARIANT")
    elif key == "comment":
        notes.comments.append(value)
    elif key in _SOLUTION_KEYS and (key == "solution" or not value or is_moves(value)):
        notes.comments += [item.said] if item.said else []
        notes.solutions += [value] if value else []
    else:
        notes.comments.append(f"{item.said or key.capitalize()}: {value}")
