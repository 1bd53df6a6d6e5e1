"""Run-length notation with nested groups, ``3#2(-$)``: shared by boards and move strings; sizes are checked before expanding.

Source: .sok file format 0.19, sections "Board" and "Moves".
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import NoReturn

from sokoasp.core.errors import LevelError

MAX_DEPTH = 100
"""Deepest nesting of groups."""


def expand(text: str, limit: int, fail: Callable[[str, str, int], NoReturn]) -> str:
    """Write the runs of a text out; a count stands before a character or a group in parentheses.

    ``fail(code, message, offset)`` is called with E-RLE for faulty notation and with E-SIZE when the result would be longer
    than ``limit`` characters.
    """
    stack: list[tuple[list[str], int, int, int]] = []
    parts, size, digits = [""], 0, ""
    for offset, char in enumerate(text):
        if char.isdigit() and char.isascii():
            digits += char
            if len(digits) > 12:
                fail("E-SIZE", f"a count of more than 12 digits ({digits}…)", offset)
            continue
        count = int(digits or 1)
        if count == 0:
            fail("E-RLE", "a count of 0", offset - 1)
        if char == "(":
            if len(stack) == MAX_DEPTH:
                fail("E-SIZE", f"groups nested deeper than {MAX_DEPTH}", offset)
            stack.append((parts, size, count, offset))
            parts, size, digits = [], 0, ""
            continue
        if char == ")":
            if digits or not stack:
                fail("E-RLE", "a count with nothing after it" if digits else "this ) closes no group", offset)
            unit, unit_size = "".join(parts), size
            parts, size, count, _ = stack.pop()
        else:
            unit, unit_size, digits = char, 1, ""
        size += unit_size * count
        if size > limit:
            fail("E-SIZE", f"written out, the runs would be longer than {limit} characters", offset)
        parts.append(unit * count)
    if digits:
        fail("E-RLE", "a count with nothing after it", len(text) - 1)
    if stack:
        fail("E-RLE", "this ( is never closed", stack[-1][3])
    return "".join(parts)


def compress(text: str) -> str:
    """Write runs of two or more equal characters as count and character."""
    return "".join(f"{n}{char}" if n > 1 else char for char, n in ((c, len(list(g))) for c, g in groupby(text)))


def read_line(text: str, *, source: str, line: int, max_cells: int) -> list[str]:
    """Return the rows of one line, with ``|`` between them; a bar at the end is optional.

    Raises LevelError: E-RLE with the column, or E-SIZE before anything too large is written out.
    """

    def fail(code: str, message: str, offset: int) -> NoReturn:
        raise LevelError(message, source=source, line=line, column=offset + 1, code=code)

    return expand(text, 2 * max_cells, fail).removesuffix("|").split("|")
