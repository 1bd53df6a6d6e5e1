"""What mail, forums and web pages do to a level on its way: fences, quote marks, entities, other blanks, tabs, doubled line ends.

Each repair is reported in a note. Where the repaired rows could mean two different levels, nothing is guessed: both are named.
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
_DASHES = "\u2013\u2014"
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
_SIGNS = re.compile(rf"[>`&\\\t{_BLANKS}{_NOTHING}{_DASHES}\u2026]|</?\w|\[/?\w")
_BLANK = re.compile(r"\n[ \t\r]*(?=\n)")
_ODD = str.maketrans({**dict.fromkeys("\t" + _BLANKS + _DASHES, " "), **dict.fromkeys(_NOTHING, ""), "\u2026": "."})
_FIXED = ("title", "author", "collection", "comment", "solution", "game", "set", "copyright", "email", "homepage")
_STOPS = (8, 4, 2, 1)
_DEEPEST = 50
"""Most quote marks taken from the beginning of a line: each costs a look at the whole block."""


@dataclass(slots=True, eq=False, repr=False)
class Pasted:
    """Lines after repair, the number (from 0) that each had in its file, what was repaired and what could not be decided."""

    lines: list[str]
    numbers: list[int]
    notes: dict[str, int] = field(default_factory=dict)
    """What was repaired and on which line (from 0) first."""
    probes: list[tuple[int, int, str]] = field(default_factory=list)
    """First and last line (from 0) of rows that could be two levels, and which."""

    def note(self, what: str, at: int) -> None:
        """Note a repair."""
        self.notes[what] = min(self.notes.get(what, at), at)

    def refuse(self, start: int, end: int) -> None:
        """Refuse the board in these lines after repair if it could be two levels.

        Raises:
            LevelError: It could (E-AMBIGUOUS).
        """
        for first, last, probe in self.probes:
            if first <= self.numbers[end - 1] and self.numbers[start] <= last:
                raise LevelError(probe, line=start + 1, column=1, code="E-AMBIGUOUS")

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
        if re.search(_TAG, line) or re.search(_INLINE, line):
            return True
        plain = line.translate(_ODD)
        if _like_row(plain) or is_row(plain.strip()):
            return True
    return False


def _parts_rows(text: str, blank: re.Match[str]) -> bool:
    """Return whether there are walls in the lines before and after a blank one."""
    before, end = text.rfind("\n", 0, blank.start()) + 1, text.find("\n", blank.end() + 1)
    return "#" in text[before : blank.start()] and "#" in text[blank.end() : end if end >= 0 else len(text)]


def unpaste(whole: Sequence[str]) -> Pasted | None:
    """Repair what was damaged on the way, None if nothing looks like it."""
    lines = list(whole)
    doubled = any(
        a and not b and c and "#" in a and "#" in c for a, b, c in zip(lines, lines[1:], lines[2:], strict=False)
    )
    pasted = Pasted(list(lines), list(range(len(lines))))
    free = _free(lines)
    for repair in (_tags, _characters, _escapes):
        repair(pasted, free)
        free = _free(pasted.lines)
    _quotes(pasted, free)
    _odd_blanks(pasted, free)
    if doubled or pasted.lines != lines:
        _doubled(pasted)
    return pasted if pasted.notes or pasted.probes or pasted.lines != lines else None


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


def _gains(before: str, after: str) -> bool:
    """Return whether a line that was no row with a wall has become one."""
    return "#" in after and is_row(after) and not is_row(before)


def _tags(pasted: Pasted, free: Sequence[bool]) -> None:
    """Take fences and tags away; one in the middle of a line is a line break."""
    if not any(ok and ("<" in line or "[" in line or "`" in line) for line, ok in zip(pasted.lines, free, strict=True)):
        return
    lines: list[str] = []
    numbers: list[int] = []
    first = None
    for at, (line, ok) in enumerate(zip(pasted.lines, free, strict=True)):
        parts = _parts(line) if ok and len(line) <= MAX_ROW else [line]
        if len(parts) > 1 or parts[0] != line:
            first = at if first is None and any(map(_like_row, parts)) else first
        lines += parts
        numbers += [pasted.numbers[at]] * len(parts)
    if first is not None:
        pasted.note("fences or tags around the rows were taken away", pasted.numbers[first])
        pasted.lines, pasted.numbers = lines, numbers
    else:  # on lines of their own they part the text
        alone = [ok and re.fullmatch(_TAG, line.strip()) for line, ok in zip(pasted.lines, free, strict=True)]
        pasted.lines = ["" if fence else line for line, fence in zip(pasted.lines, alone, strict=True)]


def _parts(line: str) -> list[str]:
    """Return what a line is without its tags: several lines if they stand between rows."""
    plain = re.sub(_INLINE, "", line)
    pieces = re.split(_TAG, plain)
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

    return unescape(text)


def _like_row(line: str) -> bool:
    """Return whether a line is a row once blanks, entities and quote marks are put right."""
    plain = re.sub(_ESCAPED, r"\1", _unescaped(line).translate(_SPACES)).lstrip("> ").replace("\t", " ").rstrip()
    return "#" in plain and is_row(plain)


def _characters(pasted: Pasted, free: Sequence[bool]) -> None:
    """Replace entities and other blanks in the lines that become rows, or in all text if some do."""
    for what, repaired in (
        ("entities such as &nbsp; were replaced", lambda line: re.sub(_ENTITY, lambda m: _unescaped(m[0]), line)),
        ("no-break and other blanks were replaced by spaces", lambda line: line.translate(_SPACES)),
    ):
        changed = [
            at for at, (line, ok) in enumerate(zip(pasted.lines, free, strict=True)) if ok and repaired(line) != line
        ]
        rows = [at for at in changed if _like_row(repaired(pasted.lines[at]))]
        if rows:
            pasted.note(what, pasted.numbers[rows[0]])
            for at in changed:
                pasted.lines[at] = repaired(pasted.lines[at]).rstrip(" \t")


def _escapes(pasted: Pasted, free: Sequence[bool]) -> None:
    """Take away the backslashes that Markdown wants before its own characters, where that makes rows."""
    for at, line in enumerate(pasted.lines):
        if free[at] and "\\" in line and _gains(line, plain := re.sub(_ESCAPED, r"\1", line)):
            pasted.lines[at] = plain
            pasted.note("backslashes before the characters of a row were taken away", pasted.numbers[at])


def _quotes(pasted: Pasted, free: Sequence[bool]) -> None:
    """Take quote marks away from blocks of lines that all have them."""
    for start, end in _blocks(pasted.lines, free, lambda line: line.lstrip().startswith(">")):
        block = [line.lstrip() for line in pasted.lines[start:end]]
        for _ in range(_DEEPEST):
            if not all(line.startswith(">") for line in block):
                break
            wide, bare = [re.sub("^> ?", "", line) for line in block], [line[1:] for line in block]
            mixed = any(line.strip() and not line.startswith(" ") for line in bare)
            if mixed and bare != wide:
                names = ("with the mark '>'", "with the mark '> '")
                block = _decide(pasted, start, list(zip(names, (bare, wide), strict=True)), bare)
                break
            block = wide
        if any("#" in line and is_row(line) for line in block):
            pasted.note("quote marks before the rows were taken away", pasted.numbers[start])
            pasted.lines[start:end] = block


def _odd_blanks(pasted: Pasted, free: Sequence[bool]) -> None:
    """Read tabs, and dashes and dots that a word processor has joined, where only one level can be meant."""
    odd = re.compile(f"[\t{_DASHES}\u2026]")
    plain = str.maketrans({**dict.fromkeys("\t" + _DASHES, " "), "\u2026": "."})
    for start, end in _blocks(pasted.lines, free, lambda line: bool(line.strip()) and is_row(line.translate(plain))):
        block = pasted.lines[start:end]
        if end - start < 3 or not any(map(odd.search, block)) or not any("#" in line for line in block):
            continue
        common = _shared([line[: len(line) - len(line.lstrip())] for line in block])
        if "\t" in common:
            block = [line[len(common) :] for line in block]
        candidates = [(name, [odd_line(line) for line in block]) for name, odd_line in _meanings(block)]
        found = _decide(pasted, start, candidates, block)
        if found != pasted.lines[start:end] and not any(map(odd.search, found)):
            pasted.note(_what_was_odd(pasted.lines[start:end]), pasted.numbers[start])
            pasted.lines[start:end] = found


def _what_was_odd(rows: Sequence[str]) -> str:
    """Return what has been read in rows with odd characters, in words."""
    if not any("\t" in row for row in rows):
        return "dashes and dots that had been joined were taken apart"
    where = "in" if any("\t" in row.strip() for row in rows) else "before"
    return f"tabs {where} the rows were read as blanks"


def _meanings(block: Sequence[str]) -> Iterator[tuple[str, Callable[[str], str]]]:
    """Yield what the odd characters of a block may mean, in words and as a function of a line."""
    stops = _STOPS if any("\t" in line for line in block) else (8,)
    dashes = ("-", "--") if any(char in line for line in block for char in _DASHES) else ("-",)
    for stop in stops:
        for dash in dashes:
            table = str.maketrans({**dict.fromkeys(_DASHES, dash), "\u2026": "..."})
            name = f"with tab stops of {stop}" if len(stops) > 1 else f"with {dash!r} for a dash"
            yield name, lambda line, stop=stop, table=table: line.translate(table).expandtabs(stop)  # type: ignore[misc]


def _decide(pasted: Pasted, start: int, candidates: Sequence[tuple[str, list[str]]], otherwise: list[str]) -> list[str]:
    """Return the rows of the first reading that is a level; if there are two, write that down: it will be refused."""
    levels: list[tuple[str, list[str], Level]] = []
    for name, rows in candidates:
        level = _level(rows)
        if level is not None and not any(_game(level) == _game(other) for _, _, other in levels):
            levels.append((name, rows, level))
    if len(levels) > 1:
        shown = [f"{name} it has {_size(level)}" for name, _, level in levels[:2]]
        probe = f"these rows could be two levels: {shown[0]}; {shown[1]}"
        pasted.probes.append((pasted.numbers[start], pasted.numbers[start + len(candidates[0][1]) - 1], probe))
    return levels[0][1] if levels else otherwise


def _game(level: Level) -> tuple[frozenset[tuple[int, int]], ...]:
    top, left = min(c.row for c in level.floor), min(c.col for c in level.floor)
    parts = (level.floor, level.boxes, level.goals, {level.player})
    return tuple(frozenset((c.row - top, c.col - left) for c in part) for part in parts)


def _size(level: Level) -> str:
    return f"{len(level.floor)} cells and the player {level.player.col - min(c.col for c in level.floor)} from its left"


def _level(rows: Sequence[str]) -> Level | None:
    try:
        return level_from_rows([row for row in rows if row.strip()])
    except LevelError:
        return None


def _doubled(pasted: Pasted) -> None:
    """Take the blank lines away from boards that have one after every row."""
    lines = pasted.lines
    at = 0
    gone: set[int] = set()
    while at < len(lines):
        end = at
        while end + 2 < len(lines) and _row(lines[end]) and not lines[end + 1].strip() and _row(lines[end + 2]):
            end += 2
        alone = (at == 0 or not _row(lines[at - 1])) and (end + 1 >= len(lines) or not _row(lines[end + 1]))
        if end - at >= 4 and alone and _level(lines[at : end + 1 : 2]) is not None:
            gone.update(range(at + 1, end, 2))
            pasted.note("blank lines between all rows were taken away", pasted.numbers[at])
        at = end + 1
    if gone:
        kept = [n for n in range(len(lines)) if n not in gone]
        pasted.lines = [lines[n] for n in kept]
        pasted.numbers = [pasted.numbers[n] for n in kept]


def _row(line: str) -> bool:
    return bool(line.strip()) and BOARD_CHARS.issuperset(line)


def _shared(texts: Sequence[str]) -> str:
    """Return the longest beginning of all texts."""
    least, most = min(texts), max(texts)
    same = next((n for n, char in enumerate(least) if char != most[n]), len(least))
    return least[:same]


def _blocks(lines: Sequence[str], free: Sequence[bool], belongs: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Yield start and end of each run of lines that belong together."""
    start = None
    for at, line in enumerate([*lines, ""]):
        if at < len(lines) and free[at] and belongs(line):
            start = at if start is None else start
        elif start is not None:
            yield start, at
            start = None
