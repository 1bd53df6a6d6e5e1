"""Level notations: one read/write pair each, chosen by the suffix of the source and by what the text looks like.

What is seldom met is imported when it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from pathlib import PurePath
from typing import Any, NamedTuple, TypeVar

from sokoasp.core.errors import LevelError, NotationError, SokoaspError
from sokoasp.sokoban import facts
from sokoasp.sokoban.formats import lurd
from sokoasp.sokoban.formats.level_rows import MAX_CELLS, level_from_rows
from sokoasp.sokoban.formats.text import decode
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Push

__all__ = ["NOTATIONS", "Notation", "level_from_rows", "lurd", "read", "read_each", "read_plan", "write"]

MAX_TOTAL = 5_000_000
"""Most cells (floor and decoration) read from one file, all its levels together."""

_OTHER_GAMES = {".hsb": "Hexoban, another game than Sokoban: its cells are hexagons"}
"""File suffixes of other games, whose rows look like open Sokoban boards."""

Found = Iterator[Level | SokoaspError]
P = TypeVar("P")

_COMMENTS = r"\A\ufeff?(?>\s|%\*.*?\*%|%(?!\*)[^\n]*)*+"
_PREDICATES = "right|top|box|solution|sokoban|step|next|movedir|isgoal|isnongoal|at|clear|player|stone"
_FACTS = re.compile(rf"{_COMMENTS}(?:{_PREDICATES})\(", re.DOTALL)


def notation(text: str, source: str = "") -> str:
    """Return in which notation a level file is: ``facts``, ``slc``, ``json`` or ``xsb`` (collections of all kinds)."""
    suffix = PurePath(source).suffix.lower()
    head = text.lstrip("\ufeff \t\r\n")
    for name, one in NOTATIONS.items():
        if suffix in one.suffixes and (suffix != ".slc" or head.startswith("<") or not head):
            return name
    if head.startswith(("<?xml", "<SokobanLevels", "<!DOCTYPE")):
        return "slc"
    if head.startswith("{") or (head.startswith("[") and '"rows"' in text):
        return "json"
    return "facts" if _FACTS.match(text[:100_000]) else "xsb"


def _late(name: str) -> Any:
    """Import a notation that is seldom met."""
    return import_module(f"sokoasp.sokoban.formats.{name}")


def _read_text(name: str, data: bytes | str, source: str, max_cells: int) -> Found:
    text, warnings = decode(data, source)
    del data  # a large file is held once
    yield from _late(name).read_each(text, source=source, max_cells=max_cells, warnings=warnings)


def _read_facts(data: bytes | str, source: str, max_cells: int) -> Found:
    text, _ = decode(data, source)
    yield facts.read(text, source=source, max_cells=max_cells)


def read_each(data: bytes | str, *, source: str = "", max_cells: int = MAX_CELLS) -> Iterator[Level | SokoaspError]:
    """Yield the levels of a file in order and, in the place of a faulty one, its error."""
    try:
        if other := _OTHER_GAMES.get(PurePath(source).suffix.lower()):
            raise LevelError(f"levels for {other}", source=source, code="E-VARIANT")
        reader = NOTATIONS[notation(decode(data, source)[0], source)].read
        assert reader is not None  # a suffix or the content has chosen it
        levels = reader(data, source, max_cells)
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


def read(data: bytes | str, *, source: str = "", max_cells: int = MAX_CELLS) -> tuple[Level, ...]:
    """Read all levels of a file: XSB collection, run-length rows, .slc, competition facts or JSON.

    Raises:
        LevelError: There is no level, or one is faulty.
        NotationError: A text is not in its notation.
    """
    if not isinstance(data, str | bytes | bytearray):
        raise TypeError(f"levels are read from text or bytes, not {data!r}: give a file as Path(name).read_bytes()")
    levels: list[Level] = []
    for found in read_each(data, source=source, max_cells=max_cells):
        if isinstance(found, SokoaspError):
            if isinstance(data, str) and PurePath(data).suffix and "\n" not in data and found.code == "E-NOLEVEL":
                found.message += f"; is {data[:80]!r} its name? Give what it holds: Path(name).read_bytes()"
            raise found
        levels.append(found)
    return tuple(levels)


def read_plan(level: Level, text: str, *, source: str = "") -> str | tuple[Push, ...]:
    """Return the plan in a text, in any notation (``plans.read_plan``). Raises NotationError: in none, or faulty."""
    from sokoasp.sokoban.formats import plans

    return plans.read_plan(level, text, source=source)


def only(levels: Iterable[P], to: str) -> P:
    """Return the only level (or board). Raises LevelError: there is none, or there are more than ``to`` can hold."""
    every = iter(levels)
    first = next(every, None)
    count = sum(1 for _ in every) + (first is not None)
    if first is None or count != 1:
        choice = "choose one by --level N, or have a file made of each by -o DIR/"
        raise LevelError(f"{to} holds one level, not {count}: {choice}", code="E-INDEX")
    return first


class Notation(NamedTuple):
    """A notation of levels; one that cannot be read or written has None there."""

    read: Callable[[bytes | str, str, int], Found] | None
    """Yields levels and, in the place of a faulty one, its error; takes text, source, most cells."""
    write: Callable[[Iterable[Level], int | None], str] | None
    """The second argument is the number of competition steps or None."""
    suffixes: tuple[str, ...] = ()
    """Suffixes that decide the notation; of all others the content is asked, and of .slc if it does not begin with ``<``."""


NOTATIONS: dict[str, Notation] = {
    "xsb": Notation(partial(_read_text, "xsb"), lambda levels, _: _late("xsb").write_xsb(levels)),
    "sok": Notation(partial(_read_text, "xsb"), lambda levels, _: _late("xsb").write_sok(levels)),
    "rle": Notation(partial(_read_text, "xsb"), lambda levels, _: _late("xsb").write_rle(levels)),
    "slc": Notation(
        lambda data, source, most: _late("slc").read_each(data, source=source, max_cells=most),
        lambda levels, _: _late("slc").write(levels),
        (".slc",),
    ),
    "facts": Notation(
        _read_facts,
        lambda levels, steps: facts.write(only(levels, "a fact file"), steps=steps),
        (".lp", ".asp", ".facts"),
    ),
    "pddl": Notation(None, lambda levels, _: _late("pddl").write(only(levels, "a PDDL task"))),
    "json": Notation(
        partial(_read_text, "json_levels"), lambda levels, _: _late("json_levels").write(levels), (".json",)
    ),
}
"""All notations by name: the one place where a new one is put down."""


def write(levels: Iterable[Level], to: str, *, steps: int | None = None) -> str:
    """Return the levels in a notation: xsb, sok, rle, slc, facts, pddl or json; ``steps`` matters to facts only.

    The levels are gone through once and none is kept.

    Raises:
        LevelError: The notation cannot hold these levels.
        NotationError: There is no such notation.
    """
    writer = NOTATIONS[to].write if to in NOTATIONS else None
    if writer is None:
        known = ", ".join(name for name, one in NOTATIONS.items() if one.write is not None)
        raise NotationError(f"there is no notation {to!r}, only {known}", code="E-NOTATION")
    return writer(levels, steps)
