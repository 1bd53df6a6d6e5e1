"""JSON as people send it: what cannot be read is reported in a sentence with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from sokoasp.core.errors import LevelError, SokoaspError, place_in
from sokoasp.core.nearest import nearest_or_all

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]')
_HALF = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def row_text(row: Any, indent: int | None = None) -> str:
    """Return a row as JSON that is UTF-8: a byte of a file's name that is none is an escaped surrogate."""
    text = json.dumps(row, ensure_ascii=False, indent=indent)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


def parsed(text: str, source: str, kind: type[SokoaspError] = LevelError) -> Any:
    """Return what a JSON text says; half of a surrogate pair, which is no character, is a question mark.

    Raises:
        SokoaspError: It is no JSON, a key stands twice in one object, or a number or the nesting is too large to be read
            (E-JSON); of the kind given.
    """
    twice: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            names = [name for name, _ in pairs]
            twice.extend(name for name in made if names.count(name) > 1)
        return made

    try:
        found = json.loads(text, object_pairs_hook=once)
        if _HALF.search(text):
            found = json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
        if not twice:
            return found
        message, line, column = f"not usable JSON: the key {twice[0]!r} stands twice in one object", 1, 1
    except json.JSONDecodeError as error:
        message, line, column = f"not valid JSON: {error.msg}", error.lineno, error.colno
    except (ValueError, RecursionError):
        message, line, column = "not usable JSON: a number or a nesting is too large", 1, 1
    raise kind(message, source=source, line=line, column=column, code="E-JSON")


def rows(text: str, source: str, kind: type[SokoaspError] = LevelError) -> list[Any] | None:
    """Return the values of a JSON text, of a list its entries, or one value a line; None if it is no JSON.

    Raises:
        SokoaspError: A key stands twice in one object (E-JSON); of the kind given.
    """
    for texts in ([text], [line for line in text.splitlines() if line.strip()]):
        try:
            found = [json.loads(one) for one in texts]
        except (ValueError, RecursionError):
            continue
        found = [parsed(one, source, kind) for one in texts]
        return found[0] if len(found) == 1 and isinstance(found[0], list) else found
    return None


def refuse_unknown(
    record: Mapping[str, Any],
    known: Collection[str],
    text: str,
    path: tuple[str | int, ...] = (),
    *,
    source: str = "",
    kind: type[SokoaspError] = LevelError,
) -> None:
    """Refuse an object that has a key of another name: it would be passed over, and something else be read.

    Args:
        record: The object.
        known: The keys that are read.
        text: The JSON text that it stands in.
        path: The keys and indices that lead to the object.
        source: File name.
        kind: Of the error.

    Raises:
        SokoaspError: There is such a key (E-JSON, with the key's place); of the kind given.
    """
    for key in record:
        if key not in known:
            line, column = place_in(text, _offset(text, [*path, key]))
            raise kind(
                f"unknown key {key[:40]!r}{nearest_or_all(key, known)}",
                source=source,
                line=line,
                column=column,
                code="E-JSON",
            )


def _offset(text: str, wanted: list[str | int]) -> int:
    """Return where in a valid JSON text the key stands that these keys and indices lead to."""
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
            if path == wanted:
                return token.start()
        before = sign
    return 0
