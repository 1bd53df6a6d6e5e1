"""Solutions that come with a level: in its own file, else in one of the same name beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban.formats import read_each
from sokoasp.sokoban.formats.plans import solutions
from sokoasp.sokoban.formats.text import MAX_BYTES, decode, stem
from sokoasp.sokoban.level import Level

SUFFIXES = (".sol", ".lurd", ".sok")
"""Suffixes of such files, in the order they are looked for: cavepacker's, a file of moves, a collection with solutions."""


def came_with(level: Any, file: Path, number: int = 1, *, alone: bool = True) -> tuple[tuple[str, ...], Path]:
    """Return the texts of a level's solutions, none if there are none, and the file that they are in.

    Args:
        level: A level or board.
        file: Its file.
        number: Its number there, from 1: of several solutions in a file of moves that one is its own.
        alone: Whether its file has no other level: then all are its own.

    Raises:
        LevelError: The file beside it is too large, packed or binary.
    """
    own: tuple[str, ...] = getattr(level, "solutions", ())
    if own:
        return own, file
    suffixes = [suffix for suffix in SUFFIXES if suffix != file.suffix.lower()]
    for path in (Path(f"{stem(file)}{suffix}") for suffix in (*suffixes, *map(str.upper, suffixes))):
        if path.is_file():
            with path.open("rb") as opened:
                data = opened.read(MAX_BYTES + 1)
            texts = _of_level(level, data, path) if path.suffix.lower() == ".sok" else None
            if texts is None:
                texts = _of_moves(decode(data, str(path))[0], number, alone=alone)
            if any(texts) or (texts and getattr(level, "solved", False)):
                return texts, path
    return (), file


def _of_level(level: Any, data: bytes, path: Path) -> tuple[str, ...] | None:
    """Return the solutions of the same board in a collection, None where there is no level at all."""
    others = [other for other in read_each(data, source=str(path)) if not isinstance(other, SokoaspError)]
    found = (other.solutions for other in others if _board(other) == _board(level))
    return next(found, ()) if others else None


def _board(level: Any) -> object:
    return (level.floor, level.boxes, level.goals, level.player) if isinstance(level, Level) else None


def _of_moves(text: str, number: int, *, alone: bool) -> tuple[str, ...]:
    """Return the solutions of a level in a text; what is no text of moves alone is given as it is."""
    found = solutions(text)
    if alone or len(found) < 2:
        return (text,) if alone or number == 1 else ()
    return found[number - 1 : number]
