"""JSON as people send it: what cannot be read is reported in a sentence with its place."""

from __future__ import annotations

import json
from typing import Any

from sokoasp.core.errors import LevelError, SokoaspError


def parsed(text: str, source: str, kind: type[SokoaspError] = LevelError) -> Any:
    """Return what a JSON text says.

    Raises:
        SokoaspError: It is no JSON, or a number or the nesting is too large to be read (E-JSON); of the kind given.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message, line, column = f"not valid JSON: {error.msg}", error.lineno, error.colno
    except (ValueError, RecursionError):
        message, line, column = "not usable JSON: a number or a nesting is too large", 1, 1
    raise kind(message, source=source, line=line, column=column, code="E-JSON")
