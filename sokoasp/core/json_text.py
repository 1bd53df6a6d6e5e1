"""JSON as people send it: what cannot be read is reported in a sentence with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sokoasp.core.errors import LevelError, SokoaspError, place_in
from sokoasp.core.nearest import nearest_or_all

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]')
_HALF = r"\\u[dD][89a-fA-F]|[\ud800-\udfff]"


def row_text(row: Any) -> str:
    """Return a row as JSON that is UTF-8: a byte of a file's name that is none is an escaped surrogate."""
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", json.dumps(row, ensure_ascii=False))


def parsed(text: str, source: str, kind: type[SokoaspError] = LevelError, first: int = 1) -> Any:
    """Return what a JSON text says, whose first line is the ``first`` of its file; half a surrogate pair is a question mark.

    Raises:
        SokoaspError: It is no JSON, a key stands twice in one object, or a number or the nesting is too large to be read
            (E-JSON); of the kind given.
    """
    twice = False

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        made = dict(pairs)
        twice = twice or len(made) < len(pairs)
        return made

    try:
        found = json.loads(text, object_pairs_hook=once)
        if re.search(_HALF, text):
            found = json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
        if not twice:
            return found
        seen, keys = set(), _keys(text)
        path, offset = next(keys)
        while path not in seen:
            seen.add(path)
            path, offset = next(keys)
        message = f"not usable JSON: the key {path[-1]!r} stands twice in one object"
        line, column = place_in(text, offset)
    except json.JSONDecodeError as error:
        message, line, column = f"not valid JSON: {error.msg}", error.lineno, error.colno
    except (ValueError, RecursionError):
        message, line, column = "not usable JSON: a number or a nesting is too large", 1, 1
    raise kind(message, source=source, line=line + first - 1, column=column, code="E-JSON")


def rows(text: str, source: str, kind: type[SokoaspError] = LevelError) -> list[Any] | None:
    """Return the values of a JSON text, of a list its entries, or one value a line; None if it is no JSON.

    Raises SokoaspError: a key stands twice in one object (E-JSON); of the kind given.
    """
    for texts in ([(1, text)], [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]):
        try:
            found = [json.loads(one) for _, one in texts]
        except (ValueError, RecursionError):
            continue
        found = [parsed(one, source, kind, number) for number, one in texts]
        return found[0] if len(found) == 1 and isinstance(found[0], list) else found
    return None


def refuse_unknown(
    record: Mapping[str, Any], known: Collection[str], text: str, path: tuple[str | int, ...] = (), *, source: str
) -> None:
    """Refuse an object that has a key of another name than ``known``: it would be passed over, and something else be read.

    Keys and indices (``path``) lead to the object in the JSON ``text``.
    The LevelError (E-JSON) has the key's place.
    """
    for key in record:
        if key not in known:
            here = (*path, key)
            line, column = place_in(text, next((offset for way, offset in _keys(text) if way == here), 0))
            message = f"unknown key {key[:40]!r}{nearest_or_all(key, known)}"
            raise LevelError(message, source=source, line=line, column=column, code="E-JSON")


def _keys(text: str) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Yield the keys of a valid JSON text, each after the keys and indices that lead to it, and where it stands."""
    path: list[str | int] = []
    before = ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign in "{[":
            path.append("" if sign == "{" else 0)
        elif sign in "}]":
            path.pop()
        elif path and isinstance(path[-1], int):
            path[-1] += sign == ","
        elif sign != "," and before in "{,":
            path[-1] = json.loads(sign)
            yield tuple(path), token.start()
        before = sign
