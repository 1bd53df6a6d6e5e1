"""LURD: plans as letters, plain or in run-length notation; a small letter is a step, a capital a push.

Source: .sok file format 0.19, section "Moves"; Debian's cavepacker-data writes ``2(ldr3u)``.
"""

from __future__ import annotations

import re
from typing import NoReturn

from sokoasp.core.errors import IllegalPlan, NotationError, place_in
from sokoasp.sokoban.formats.run_length import expand
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.rules import plan_from_lurd, replay
from sokoasp.sokoban.validate import validate_moves

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


def check_solution(level: Level, text: str, *, source: str = "") -> tuple[Plan, tuple[str, ...]]:
    """Replay a LURD solution and return the plan, capitals rebuilt, with warnings.

    A text without any capital is taken as written without case; else the case has to distinguish pushes from steps.

    Raises:
        NotationError: The text is not LURD.
        IllegalPlan: A move is impossible, a letter's case contradicts it, or not every goal holds a box in the end (E-SOL).
    """
    moves = read(text, source=source)
    try:
        plan = plan_from_lurd(level, moves)
        validate_moves(level, plan.lurd if moves.islower() else moves)
    except IllegalPlan as error:
        error.code, error.source = "E-SOL", source
        raise
    unsolved = [number for number, (before, _, _) in enumerate(replay(level, moves), 1) if level.goals - before.boxes]
    solved_at = max(unsolved, default=0)
    if solved_at < len(moves):
        return plan, (f"W-SOL the level is solved after move {solved_at}, the solution goes on to move {len(moves)}",)
    return plan, ()
