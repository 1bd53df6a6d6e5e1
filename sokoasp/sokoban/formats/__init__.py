"""Level notations: one read/write pair each, chosen by the suffix of the source and by what the text looks like.

What is seldom met is imported when it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath

from sokoasp.core.errors import LevelError, NotationError, SokoaspError
from sokoasp.sokoban import facts
from sokoasp.sokoban.formats import lurd
from sokoasp.sokoban.formats.level_rows import DIALECTS, MAX_CELLS, level_from_rows
from sokoasp.sokoban.formats.plans import read_plan
from sokoasp.sokoban.formats.text import decode
from sokoasp.sokoban.level import Level

__all__ = ["READERS", "WRITERS", "level_from_rows", "lurd", "pick", "read", "read_each", "read_plan", "write"]

MAX_TOTAL = 5_000_000
"""Most cells (floor and decoration) read from one file, all its levels together."""

Found = Iterator[Level | SokoaspError]

SUFFIXES: dict[str, str] = {
    ".lp": "facts",
    ".asp": "facts",
    ".facts": "facts",
    ".slc": "slc",
    ".json": "json",
}
"""Suffixes that decide the notation; of all others the content is asked."""

_COMMENTS = r"\A\ufeff?(?>\s|%\*.*?\*%|%(?!\*)[^\n]*)*+"
_PREDICATES = "right|top|box|solution|sokoban|step|next|movedir|isgoal|isnongoal|at|clear|player|stone"
_FACTS = re.compile(rf"{_COMMENTS}(?:{_PREDICATES})\(", re.DOTALL)


def notation(text: str, source: str = "") -> str:
    """Tell in which notation a level file is: ``facts``, ``slc``, ``json`` or ``xsb`` (collections of all kinds)."""
    known = SUFFIXES.get(PurePath(source).suffix.lower())
    if known:
        return known
    head = text.lstrip("\ufeff \t\r\n")
    if head.startswith(("<?xml", "<SokobanLevels", "<!DOCTYPE")):
        return "slc"
    if head.startswith("{") or (head.startswith("[") and '"rows"' in text):
        return "json"
    return "facts" if _FACTS.match(text[:100_000]) else "xsb"


def _read_collection(data: bytes | str, source: str, dialect: str | None, max_cells: int) -> Found:
    from sokoasp.sokoban.formats import xsb

    text, warnings = decode(data, source)
    del data  # a large file is held once
    yield from xsb.read_each(text, source=source, dialect=dialect, max_cells=max_cells, warnings=warnings)


def _read_slc(data: bytes | str, source: str, dialect: str | None, max_cells: int) -> Found:
    from sokoasp.sokoban.formats import slc

    yield from slc.read_each(data, source=source, max_cells=max_cells)


def _read_json(data: bytes | str, source: str, dialect: str | None, max_cells: int) -> Found:
    from sokoasp.sokoban.formats import ours

    text, warnings = decode(data, source)
    yield from ours.read_each(text, source=source, max_cells=max_cells, warnings=warnings)


def _read_facts(data: bytes | str, source: str, dialect: str | None, max_cells: int) -> Found:
    text, _ = decode(data, source)
    yield facts.read(text, source=source, max_cells=max_cells)


READERS: dict[str, Callable[[bytes | str, str, str | None, int], Found]] = {
    "xsb": _read_collection,
    "sok": _read_collection,
    "rle": _read_collection,
    "slc": _read_slc,
    "facts": _read_facts,
    "json": _read_json,
}
"""Readers by notation; each yields levels and, in the place of a faulty one, its error."""


def read_each(
    data: bytes | str, *, source: str = "", dialect: str | None = None, max_cells: int = MAX_CELLS
) -> Iterator[Level | SokoaspError]:
    """Yield the levels of a file in order and, in the place of a faulty one, its error."""
    try:
        if dialect is not None and dialect not in DIALECTS:
            message = f"there is no dialect {dialect!r}, only {', '.join(DIALECTS)}"
            raise LevelError(message, source=source, code="E-DIALECT")
        levels = READERS[notation(decode(data, source)[0], source)](data, source, dialect, max_cells)
        del data  # the reader holds what it needs of it
        total = 0
        for found in levels:
            if isinstance(found, Level):
                total += len(found.floor) + len(found.decoration)
                if total > max(MAX_TOTAL, max_cells):
                    message = f"the levels up to this have more than {MAX_TOTAL} cells together: split the file"
                    raise LevelError(message, source=source, line=found.line or 1, code="E-SIZE")
            yield found
    except (LevelError, NotationError) as error:
        yield error.located(source)


def read(
    data: bytes | str, *, source: str = "", dialect: str | None = None, max_cells: int = MAX_CELLS
) -> tuple[Level, ...]:
    """Read all levels of a file: XSB collection, run-length rows, .slc, competition facts or JSON.

    Raises:
        LevelError: There is no level, or one is faulty.
        NotationError: A text is not in its notation.
    """
    levels: list[Level] = []
    for found in read_each(data, source=source, dialect=dialect, max_cells=max_cells):
        if isinstance(found, SokoaspError):
            raise found
        levels.append(found)
    return tuple(levels)


def pick(levels: Sequence[Level], number: int, *, source: str = "") -> Level:
    """Return level ``number`` of a file, counted from 1.

    Raises:
        LevelError: There is no such level (E-INDEX).
    """
    if not 1 <= number <= len(levels):
        count = "1 level" if len(levels) == 1 else f"{len(levels)} levels"
        raise LevelError(f"there is no level {number}: the file has {count}", source=source, code="E-INDEX")
    return levels[number - 1]


def _one(levels: Iterable[Level], to: str) -> Level:
    """Return the only level."""
    every = iter(levels)
    first = next(every, None)
    count = sum(1 for _ in every) + (first is not None)
    if first is None or count != 1:
        raise LevelError(f"{to} holds one level, not {count}: choose one of them", code="E-INDEX")
    return first


def _write_collection(levels: Iterable[Level], to: str) -> str:
    from sokoasp.sokoban.formats import xsb

    writers = {"xsb": xsb.write_xsb, "sok": xsb.write_sok, "rle": xsb.write_rle}
    return writers[to](levels)


def _write_slc(levels: Iterable[Level], steps: int | None) -> str:
    from sokoasp.sokoban.formats import slc

    return slc.write(levels)


def _write_pddl(levels: Iterable[Level], steps: int | None) -> str:
    from sokoasp.sokoban.formats import pddl

    return pddl.write(_one(levels, "a PDDL task"))


def _write_json(levels: Iterable[Level], steps: int | None) -> str:
    from sokoasp.sokoban.formats import ours

    return ours.write(levels)


WRITERS: dict[str, Callable[[Iterable[Level], int | None], str]] = {
    "xsb": lambda levels, _: _write_collection(levels, "xsb"),
    "sok": lambda levels, _: _write_collection(levels, "sok"),
    "rle": lambda levels, _: _write_collection(levels, "rle"),
    "slc": _write_slc,
    "facts": lambda levels, steps: facts.write(_one(levels, "a fact file"), steps=steps),
    "pddl": _write_pddl,
    "json": _write_json,
}
"""Writers by notation; the second argument is the number of competition steps or None."""


def write(levels: Iterable[Level], to: str, *, steps: int | None = None) -> str:
    """Return the levels in a notation: xsb, sok, rle, slc, facts, pddl or json; ``steps`` matters to facts only.

    The levels are gone through once and none is kept.

    Raises:
        LevelError: The notation cannot hold these levels.
        NotationError: There is no such notation.
    """
    if to not in WRITERS:
        raise NotationError(f"there is no notation {to!r}, only {', '.join(WRITERS)}", code="E-NOTATION")
    return WRITERS[to](levels, steps)
