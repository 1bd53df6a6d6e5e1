"""Where each key of a TOML file stands, for error messages that name a line."""

from __future__ import annotations

import re
from collections import Counter

_TABLE = re.compile(r"^\s*\[(\[)?\s*([\w.\-\"' ]+?)\s*\]\]?")
_KEY = re.compile(r"^\s*([\w\-]+|\"[^\"]*\")(?:\s*\.\s*[\w\-]+)*\s*=")
_QUOTES = ('"""', "'''")

Path = tuple[str | int, ...]


def lines_of(text: str) -> dict[Path, int]:
    """Return the 1-based line of every table and key, by path such as ``("systems", 0, "name")``.

    Keys inside inline tables are not listed.
    """
    found: dict[Path, int] = {(): 1}
    counts = Counter[str]()
    table: Path = ()
    open_quote: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if open_quote is not None:
            if open_quote in line:
                open_quote = None
            continue
        header = _TABLE.match(line)
        key = _KEY.match(line)
        if header:
            name = header[2].strip("\"' ")
            if header[1]:
                table = (name, counts[name])
                counts[name] += 1
            else:
                table = tuple(name.split("."))
            found.setdefault(table, number)
        elif key:
            found.setdefault((*table, key[1].strip('"')), number)
        open_quote = next((q for q in _QUOTES if line.count(q) % 2), None)
    return found


def line_at(places: dict[Path, int], path: Path) -> int:
    """Return the line of the longest part of ``path`` that is known."""
    while path not in places:
        path = path[:-1]
    return places[path]
