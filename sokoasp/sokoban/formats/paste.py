"""What mail, forums and web pages do to a level on its way: fences, quote marks, entities, other blanks, tabs, doubled line ends.

A text is repaired only where its levels are faulty as they stand, and each kind of repair is reported in a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import unescape

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban.formats.text import BLANKS, FENCE, NOTHING, is_row
from sokoasp.sokoban.level import Level

_SPACES = str.maketrans({**dict.fromkeys(BLANKS, " "), **dict.fromkeys(NOTHING, "")})
_INLINE = r"(?i)</?(?:span|font|tt|td|b|i)\b[^<>]{0,200}>|(?<!`)`(?!`)"
_BREAK = r"(?i)</?(?:p|div|tr)\b[^<>]{0,200}>|<br\s{0,5}/?>"
_WIDE, _BARE = r"^(?:\s*> ?){1,50}", r"^(?:\s*>){1,50}"
"""Quote marks before a row: the blank after each is its own, or the row's, as where text stands directly behind one."""
Found = Iterable[Level | SokoaspError]
_Repair = tuple[str, Callable[[str], str]]
"""What a note calls it, and what it makes of a line."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """Lines after repair, the number (from 0) that each had in its file, and on which line each kind of repair began."""

    lines: list[str]
    numbers: list[int]
    notes: dict[str, int]

    def warnings(self, source: str) -> tuple[str, ...]:
        """Return a sentence for each kind of repair."""
        place = f"{source}:" if source else ""
        return tuple(f"{place}{at + 1}:1: N-REPAIRED {what}" for what, at in self.notes.items())

    def placed(self, found: Found) -> Iterator[Level | SokoaspError]:
        """Give levels and errors the lines that they have in the file as it is written."""
        for one in found:
            line = self.numbers[one.line - 1] + 1 if one.line and one.line <= len(self.numbers) else one.line
            if isinstance(one, Level):
                yield replace(one, line=line or 0)
            else:
                one.line = line
                yield one


def repaired(text: str, lines: Sequence[str], read: Callable[[Sequence[str]], Found]) -> Repaired | None:
    """Return the lines repaired; None if they are good as they are or no better afterwards."""
    faults, levels = _graded(read(lines))
    if not faults:
        return None
    mended = _repair(lines, _BARE if re.search(r"^\s*>[^\s>]", text, re.MULTILINE) else _WIDE)
    still, found = _graded(read(mended.lines))
    return mended if still < faults and found >= max(1, levels) else None


def _graded(found: Found) -> tuple[int, int]:
    """Return the numbers of faults and of levels."""
    levels = [isinstance(one, Level) for one in found]
    return levels.count(False), levels.count(True)


def _repair(lines: Sequence[str], mark: str) -> Repaired:
    """Undo one kind of damage after the other."""
    numbers = []
    mended: list[str] = []
    for at, line in enumerate(lines):
        parts = _without_tags(line)
        mended += parts
        numbers += [at] * len(parts)
    notes: dict[str, int] = {}
    changed = [at for at, line in zip(numbers, mended, strict=True) if "#" in line and line != lines[at]]
    if changed:
        notes["fences or tags around the rows were taken away"] = changed[0]
    quotes: _Repair = ("quote marks before the rows were taken away", partial(re.sub, mark, ""))
    for what, undo in (*_REPAIRS, quotes):
        for place, line in enumerate(mended):
            mended[place] = undo(line)
            if mended[place] != line and "#" in line + mended[place]:
                notes.setdefault(what, numbers[place])
    blanks = _between_rows(mended)
    if blanks:
        notes["blank lines between all rows were taken away"] = numbers[min(blanks) - 1]
    kept = [place for place in range(len(mended)) if place not in blanks]
    return Repaired([mended[place].rstrip() for place in kept], [numbers[place] for place in kept], notes)


def _without_tags(line: str) -> list[str]:
    """Return what a line is without its tags: several lines if they stand between rows, and a blank one after a fence."""
    if not any(char in line for char in "<[`"):
        return [line]
    line = re.sub(FENCE, "\n\n", re.sub(_INLINE, "", line))
    return re.sub(_BREAK, "\n", line).strip("\n").split("\n")


_REPAIRS: tuple[_Repair, ...] = (
    ("entities such as &nbsp; were replaced", unescape),
    ("no-break and other blanks were replaced by spaces", lambda line: line.translate(_SPACES)),
    ("backslashes before the characters of a row were taken away", partial(re.sub, r"\\([#$.*+_@-])", r"\1")),
    ("tabs before the rows were read as blanks", lambda line: line if "\t" in line.strip() else line.expandtabs(8)),
)


def _between_rows(lines: Sequence[str]) -> set[int]:
    """Return the blank lines of boards that have one after every row."""
    row = [bool(line.strip()) and is_row(line) for line in lines]
    found: set[int] = set()
    at = 0
    while at < len(lines):
        end = at
        while end + 2 < len(lines) and row[end] and not lines[end + 1].strip() and row[end + 2]:
            end += 2
        if end - at >= 4:
            found.update(range(at + 1, end, 2))
        at = end + 1
    return found
