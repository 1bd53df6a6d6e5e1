"""Run-length notation with nested groups, ``3#2(-$)``: shared by boards and move strings; sizes are checked before expanding."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import NoReturn

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
