"""What mail, forums and web pages do to a level on its way: fences, quote marks, entities, other blanks, tabs, doubled line ends.

Each repair is reported in a note. What could mean two different levels is not repaired, and the rows are refused as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from sokoasp.core.errors import LevelError
from sokoasp.sokoban.formats.level_rows import BOARD_CHARS, level_from_rows
from sokoasp.sokoban.formats.text import MAX_ROW, is_row, key_line
from sokoasp.sokoban.level import Level

_BLANKS = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_NOTHING = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_SPACES = str.maketrans({**dict.fromkeys(_BLANKS, " "), **dict.fromkeys(_NOTHING, "")})
_INLINE = r"(?i)</?(?:span|font|tt|td|b|i)\b[^<>]{0,200}>|(?<!`)`(?!`)"
_TAG = (
    r"(?i)(</?(?:p|div|tr)\b[^<>]{0,200}>|<br\s{0,5}/?>|</?(?:pre|code|blockquote|table)\b[^<>]{0,200}>"
    r"|\[/?(?:code|pre|quote|spoiler)[^\]\[]{0,60}\]|```\w{0,20}(?![^\s#`])|```)"
)
"""Tags that end a line; those that end a block as well leave a blank line behind."""
_LINE_END = r"(?i)</?(?:p|div|tr|br)\b"
_ENTITY = r"(?i)&(?:nbsp|lt|gt|amp|quot|num|dollar|ast|period|commat|plus|#\d{1,7}|#x[0-9a-f]{1,6});"
_ESCAPED = r"\\([#$.*+_@-])"
"""Patterns that few files need are compiled when they are used."""
_SIGNS = re.compile(rf"[>`&\\\t{_BLANKS}{_NOTHING}]|</?\w|\[/?\w")
_BLANK = re.compile(r"\n[ \t\r]*(?=\n)")
_FIXED = ("title", "author", "collection", "comment", "solution", "game", "set", "copyright", "email", "homepage")
_DEEPEST = 50
"""Most quote marks taken from the beginning of a line: each costs a look at the whole block."""


@dataclass(slots=True, eq=False, repr=False)
class Pasted:
    """Lines after repair, the number (from 0) that each had in its file, and what was repaired."""

    lines: list[str]
    numbers: list[int]
    notes: dict[str, int] = field(default_factory=dict)
    """What was repaired and on which line (from 0) first."""

    def note(self, what: str, at: int) -> None:
        """Note a repair that began on one of the lines after repair."""
        self.notes[what] = min(self.notes.get(what, self.numbers[at]), self.numbers[at])

    def placed(self, found: Level | LevelError) -> Level | LevelError:
        """Give a level or its error the line that it has in the file as it is written."""
        at = found.line or 0
        if not 1 <= at <= len(self.numbers) or self.numbers[at - 1] + 1 == at:
            return found
        if isinstance(found, Level):
            return replace(found, line=self.numbers[at - 1] + 1)
        found.line = self.numbers[at - 1] + 1
        return found

    def warnings(self, source: str) -> tuple[str, ...]:
        """Return a sentence for each kind of repair."""
        place = f"{source}:" if source else ""
        return tuple(f"{place}{at + 1}:1: N-REPAIRED {what}" for what, at in self.notes.items())


def suspected(text: str) -> bool:
    """Return whether a text may need repair: rows doubled, or signs of the way it took that matter to rows."""
    if text.count("\r") != text.count("\r\n") or any(_parts_rows(text, blank) for blank in _BLANK.finditer(text)):
        return True
    at = 0
    while sign := _SIGNS.search(text, at):
        end = text.find("\n", sign.start())
        at = end if end >= 0 else len(text)
        line = text[text.rfind("\n", 0, sign.start()) + 1 : at].rstrip()
        if re.search(_TAG, line) or re.search(_INLINE, line) or _like_row(line):
            return True
    return False


def _parts_rows(text: str, blank: re.Match[str]) -> bool:
    """Return whether there are walls in the lines before and after a blank one."""
    before, end = text.rfind("\n", 0, blank.start()) + 1, text.find("\n", blank.end() + 1)
    return "#" in text[before : blank.start()] and "#" in text[blank.end() : end if end >= 0 else len(text)]


def unpaste(lines: Sequence[str]) -> Pasted | None:
    """Repair what was damaged on the way, None if nothing looks like it."""
    pasted = Pasted(list(lines), list(range(len(lines))))
    for repair in (_tags, _characters, _quotes, _tabs, _doubled):
        repair(pasted, _free(pasted.lines))
    return pasted if pasted.notes or pasted.lines != list(lines) else None


def _free(lines: Sequence[str]) -> list[bool]:
    """Return which lines may be rows: not those in long comments, and not titles and keys."""
    found, inside = [], False
    for line in lines:
        key = key_line(line) if ":" in line else None
        if key is not None and key[0] == "comment" and not key[1]:
            inside = True
        found.append(not inside and not line.lstrip().startswith((";", "::")) and (key is None or key[0] not in _FIXED))
        if inside and re.fullmatch(r"\s*comment[ _-]?end\s*:?\s*", line, re.IGNORECASE):
            inside = False
    return found


def _tags(pasted: Pasted, free: Sequence[bool]) -> None:
    """Take fences and tags away; one in the middle of a line is a line break, one alone on a line parts the text."""
    lines: list[str] = []
    numbers: list[int] = []
    first = None
    for at, (line, ok) in enumerate(zip(pasted.lines, free, strict=True)):
        parts = _parts(line) if ok and len(line) <= MAX_ROW and any(char in line for char in "<[`") else [line]
        if first is None and parts != [line] and any(map(_like_row, parts)):
            first = at
        lines += parts
        numbers += [at] * len(parts)
    if first is not None:
        pasted.note("fences or tags around the rows were taken away", first)
        pasted.lines, pasted.numbers = lines, numbers
    else:
        alone = [ok and re.fullmatch(_TAG, line.strip()) for line, ok in zip(pasted.lines, free, strict=True)]
        pasted.lines = ["" if fence else line for line, fence in zip(pasted.lines, alone, strict=True)]


def _parts(line: str) -> list[str]:
    """Return what a line is without its tags: several lines if they stand between rows."""
    pieces = re.split(_TAG, re.sub(_INLINE, "", line))
    parts = [pieces[0].rstrip()] if pieces[0].strip() else []
    ended = False
    for tag, text in zip(pieces[1::2], pieces[2::2], strict=True):
        ended = ended or not re.match(_LINE_END, tag)
        if text.strip():
            parts += ["", text.rstrip()] if parts and ended else [text.rstrip()]
            ended = False
    return parts or [""]


def _unescaped(text: str) -> str:
    """Put the characters of HTML entities in their place; the table of them is imported when there are any."""
    if "&" not in text:
        return text
    from html import unescape

    return re.sub(_ENTITY, lambda match: unescape(match[0]), text)


_REPAIRS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("entities such as &nbsp; were replaced", _unescaped),
    ("no-break and other blanks were replaced by spaces", lambda line: line.translate(_SPACES)),
    ("backslashes before the characters of a row were taken away", lambda line: re.sub(_ESCAPED, r"\1", line)),
)
"""Repairs of characters, each in all lines if some become rows."""


def _like_row(line: str) -> bool:
    """Return whether a line is a row once blanks, entities, tabs, backslashes and quote marks are put right."""
    for _, repaired in _REPAIRS:
        line = repaired(line)
    plain = line.lstrip("> ").replace("\t", " ").rstrip()
    return "#" in plain and is_row(plain)


def _characters(pasted: Pasted, free: Sequence[bool]) -> None:
    for what, repaired in _REPAIRS:
        changed = {at: new for at, line in enumerate(pasted.lines) if free[at] and (new := repaired(line)) != line}
        rows = [at for at, line in changed.items() if _like_row(line)]
        if rows:
            pasted.note(what, rows[0])
            for at, line in changed.items():
                pasted.lines[at] = line.rstrip(" \t")


def _quotes(pasted: Pasted, free: Sequence[bool]) -> None:
    """Take quote marks away from blocks of lines that all have them."""
    for start, end in _blocks(pasted.lines, free, lambda line: line.lstrip().startswith(">")):
        block = [line.lstrip() for line in pasted.lines[start:end]]
        for _ in range(_DEEPEST):
            if not all(line.startswith(">") for line in block):
                break
            wide, bare = [re.sub("^> ?", "", line) for line in block], [line[1:] for line in block]
            if bare != wide and any(line.strip() and line[0] != " " for line in bare):
                # which blanks are the marks' own? The level says so, if only one reading is one
                readings = {_game([row for row in rows if row.strip()]): rows for rows in (wide, bare)}
                readings.pop(None, None)
                block = next(iter(readings.values())) if len(readings) == 1 else []
                break
            block = wide
        if any("#" in line and is_row(line) for line in block):
            pasted.note("quote marks before the rows were taken away", start)
            pasted.lines[start:end] = block


def _tabs(pasted: Pasted, free: Sequence[bool]) -> None:
    """Read tabs before all rows of a board as indentation, with tab stops of 8."""
    rows = _blocks(pasted.lines, free, lambda line: bool(line.strip()) and is_row(line.replace("\t", " ")))
    for start, end in rows:
        block = pasted.lines[start:end]
        if any("\t" in line for line in block) and not any("\t" in line.strip() for line in block):
            pasted.note("tabs before the rows were read as blanks", start)
            pasted.lines[start:end] = [line.expandtabs(8) for line in block]


def _doubled(pasted: Pasted, _free: Sequence[bool]) -> None:
    """Take the blank lines away from boards that have one after every row."""
    lines = pasted.lines
    at = 0
    gone: set[int] = set()
    while at < len(lines):
        end = at
        while end + 2 < len(lines) and _row(lines[end]) and not lines[end + 1].strip() and _row(lines[end + 2]):
            end += 2
        alone = (at == 0 or not _row(lines[at - 1])) and (end + 1 >= len(lines) or not _row(lines[end + 1]))
        if end - at >= 4 and alone and _game(lines[at : end + 1 : 2]) is not None:
            gone.update(range(at + 1, end, 2))
            pasted.note("blank lines between all rows were taken away", at)
        at = end + 1
    if gone:
        kept = [n for n in range(len(lines)) if n not in gone]
        pasted.lines = [lines[n] for n in kept]
        pasted.numbers = [pasted.numbers[n] for n in kept]


def _row(line: str) -> bool:
    return bool(line.strip()) and BOARD_CHARS.issuperset(line)


def _game(rows: Sequence[str]) -> tuple[object, ...] | None:
    """Return what is on the floor if these rows are a level."""
    try:
        level = level_from_rows(rows)
    except LevelError:
        return None
    return level.floor, level.boxes, level.goals, level.player


def _blocks(lines: Sequence[str], free: Sequence[bool], belongs: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Yield start and end of each run of lines that belong together."""
    start = None
    for at, line in enumerate([*lines, ""]):
        if at < len(lines) and free[at] and belongs(line):
            start = at if start is None else start
        elif start is not None:
            yield start, at
            start = None
