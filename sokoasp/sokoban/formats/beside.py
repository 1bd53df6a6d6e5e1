"""Solutions that come with a level: in its own file, else in one of the same name beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban.formats import read_each
from sokoasp.sokoban.formats.plans import solutions
from sokoasp.sokoban.formats.text import MAX_BYTES, decode, stem
from sokoasp.sokoban.level import Level

SUFFIXES = (".sol", ".lurd", ".sok")
"""Suffixes of such files, in the order they are looked for: cavepacker's, a file of moves, a collection with solutions."""


def came_with(
    level: Any, file: Path, number: int = 1, *, alone: bool = True, kinds: Sequence[str] = SUFFIXES
) -> tuple[tuple[str, ...], Path]:
    """Return the texts of a level's solutions, none if there are none, and the file that they are in.

    Args:
        level: A level or board.
        file: Its file.
        number: Its number there, from 1: of several solutions in a file of moves that one is its own.
        alone: Whether its file has no other level: then all are its own.
        kinds: Suffixes of the files that are looked for.

    Raises LevelError: the file beside it is too large, packed or binary.
    """
    own: tuple[str, ...] = getattr(level, "solutions", ())
    if own:
        return own, file
    suffixes = [suffix for suffix in kinds if suffix != file.suffix.lower()]
    for path in (Path(f"{stem(file)}{suffix}") for suffix in (*suffixes, *map(str.upper, suffixes))):
        if path.is_file():
            with path.open("rb") as opened:
                data = opened.read(MAX_BYTES + 1)
            collected = _by_board(data, str(path)) if path.suffix.lower() == ".sok" else {}
            texts = collected.get(_board(level), ())
            if not collected:
                texts = _of_moves(decode(data, str(path))[0], number, alone=alone)
            if any(texts) or (texts and getattr(level, "solved", False)):
                return texts, path
    return (), file


@lru_cache(maxsize=1)  # a collection beside another is asked for each of its levels
def _by_board(data: bytes, source: str) -> Mapping[object, tuple[str, ...]]:
    """Return the solutions of each board in a collection, the first where it stands twice; nothing where there is no level."""
    found: dict[object, tuple[str, ...]] = {}
    for other in read_each(data, source=source):
        if not isinstance(other, SokoaspError):
            found.setdefault(_board(other), other.solutions)
    return found


def _board(level: Any) -> object:
    return (level.floor, level.boxes, level.goals, level.player) if isinstance(level, Level) else None


def _of_moves(text: str, number: int, *, alone: bool) -> tuple[str, ...]:
    """Return the solutions of a level in a text; what is no text of moves alone is given as it is."""
    found = solutions(text)
    if alone or len(found) < 2:
        return (text,) if alone or number == 1 else ()
    return found[number - 1 : number]
