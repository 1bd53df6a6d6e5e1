"""JSON as people send it: what cannot be read is reported in a sentence with its place."""

from __future__ import annotations

import json
import re
from typing import Any

from sokoasp.core.errors import LevelError, SokoaspError

_HALF = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def row_text(row: Any, indent: int | None = None) -> str:
    """Return a row as JSON that is UTF-8: a byte of a file's name that is none is an escaped surrogate."""
    text = json.dumps(row, ensure_ascii=False, indent=indent)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)


def parsed(text: str, source: str, kind: type[SokoaspError] = LevelError) -> Any:
    """Return what a JSON text says; half of a surrogate pair, which is no character, is a question mark.

    Raises:
        SokoaspError: It is no JSON, or a number or the nesting is too large to be read (E-JSON); of the kind given.
    """
    try:
        found = json.loads(text)
        if not _HALF.search(text):
            return found
        return json.loads(json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))
    except json.JSONDecodeError as error:
        message, line, column = f"not valid JSON: {error.msg}", error.lineno, error.colno
    except (ValueError, RecursionError):
        message, line, column = "not usable JSON: a number or a nesting is too large", 1, 1
    raise kind(message, source=source, line=line, column=column, code="E-JSON")
