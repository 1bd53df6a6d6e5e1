"""LURD: plans as letters, plain or in run-length notation; a small letter is a step, a capital a push.

Source: .sok file format 0.19, section "Moves"; Debian's cavepacker-data writes ``2(ldr3u)``.
"""

from __future__ import annotations

import re
from typing import NoReturn

from sokoasp.core.errors import IllegalPlan, NotationError, place_in
from sokoasp.sokoban.formats.run_length import compress, expand
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.rules import plan_from_lurd, replay

MAX_MOVES = 5_000_000
"""Longest move string that is written out."""

_MOVES = frozenset("lurdLURD0123456789()")
_BLANK = re.compile(r"[ \t\r\n]+")
_ONLY = re.compile(r"[lurdLURD]*")


def read(text: str, *, source: str = "", limit: int = MAX_MOVES) -> str:
    """Return the moves of a LURD text as plain letters; runs and groups are written out, blanks and line breaks dropped.

    Raises:
        NotationError: E-SOL for a character that is no move, E-RLE for faulty runs, E-SIZE for more than ``limit`` moves.
    """
    text = text.removeprefix("\ufeff")
    moves = _BLANK.sub("", text)
    if _ONLY.fullmatch(moves) and len(moves) <= limit:
        return moves
    for offset, char in enumerate(text):
        if char in "[]{}":
            what = "reverse mode ([ ])" if char in "[]" else "several players ({ })"
            _fail(text, source, "E-SOL", f"{what} is not supported: give a forward solution", offset)
        if char == "*" and not text[offset + 1 :].strip():
            text = text[:offset]
            break
        if char not in _MOVES and not char.isspace():
            _fail(text, source, "E-SOL", f"{char!r} is no move (l u r d, capitals for pushes)", offset)
    places = [offset for offset, char in enumerate(text) if not char.isspace()]

    def fail(code: str, message: str, offset: int) -> NoReturn:
        _fail(text, source, code, message, places[min(max(offset, 0), len(places) - 1)])

    return expand("".join([text[place] for place in places]), limit, fail)


def _fail(text: str, source: str, code: str, message: str, offset: int) -> NoReturn:
    """Raise a NotationError at an offset of the text."""
    line, column = place_in(text, offset)
    raise NotationError(message, source=source, line=line, column=column, code=code)


def write(lurd: str, rle: bool = False) -> str:
    """Return the moves as plain letters, or run-length encoded."""
    return compress(lurd) if rle else lurd


def check_solution(level: Level, text: str, *, source: str = "") -> tuple[Plan, tuple[str, ...]]:
    """Replay a LURD solution and return the plan, capitals rebuilt, with warnings.

    A text without any capital is taken as written without case; else the case has to distinguish pushes from steps.

    Raises:
        NotationError: The text is not LURD, or a letter's case contradicts the move (E-SOL at move n).
        IllegalPlan: A move is impossible, or not every goal holds a box in the end.
    """
    lurd = read(text, source=source)
    boxes, solved_at = _replay(level, lurd, source)
    plan = plan_from_lurd(level, lurd)
    if not lurd.islower():
        for number, (letter, real) in enumerate(zip(lurd, plan.lurd, strict=True), 1):
            if letter != real:
                what = "pushes a box, but its letter is small" if real.isupper() else "pushes no box, but is a capital"
                raise NotationError(f"move {number} ({letter!r}) {what}", source=source, code="E-SOL")
    off = len(level.goals - boxes)
    if off:
        raise _illegal(f"the solution stops short: {off} {'box' if off == 1 else 'boxes'} off goal", len(lurd), source)
    if solved_at < len(lurd):
        return plan, (f"W-SOL the level is solved after move {solved_at}, the solution goes on to move {len(lurd)}",)
    return plan, ()


def _illegal(message: str, at: int | None, source: str) -> IllegalPlan:
    error = IllegalPlan(message, at=at, source=source)
    error.code = "E-SOL"
    return error


def _replay(level: Level, lurd: str, source: str) -> tuple[frozenset[Cell], int]:
    """Return where the boxes end and after which move the level stays solved."""
    boxes, solved_at = level.boxes, 0
    try:
        for number, (before, _, after) in enumerate(replay(level, lurd), 1):
            boxes = after.boxes
            if level.goals <= boxes and not level.goals <= before.boxes:
                solved_at = number
    except IllegalPlan as error:
        raise _illegal(error.message, error.at, source) from None
    return boxes, solved_at
