"""Which level a certificate is about: its picture, its name, and whether it is the level that somebody has in mind."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sokoasp.klotski import notation
from sokoasp.klotski.board import Board
from sokoasp.proof import rows
from sokoasp.proof.rows import Field
from sokoasp.sokoban.canonical import HASH_DIGITS, board_hash
from sokoasp.sokoban.level import Level


def name_of(problem: Field | Level | Board) -> str:
    """Return the hash of a level however it was drawn (docs/optima.md), or of a board's game as it is written."""
    if isinstance(problem, Board):
        return hashlib.sha256("\n".join(_game(problem)).encode()).hexdigest()[:HASH_DIGITS]
    return board_hash(problem.level() if isinstance(problem, Field) else problem)


def picture_of(problem: Field | Board) -> str:
    """Return the level as rows of text."""
    return "\n".join(_game(problem)) if isinstance(problem, Board) else rows.write(problem.level()).rstrip("\n")


def number_of(problem: Field | Board, levels: Sequence[object]) -> int | None:
    """Return which of some levels (from 1) a certificate is about, turned or mirrored or not; None if it is none of them."""
    names = [name_of(one) if isinstance(one, Level | Board) else "" for one in levels]
    return names.index(name_of(problem)) + 1 if name_of(problem) in names else None


def _game(board: Board) -> list[str]:
    """Return what the board's file says but for title and notes."""
    return [line for line in notation.write(board).splitlines() if line.split(":")[0] not in ("title", *notation.NOTES)]
