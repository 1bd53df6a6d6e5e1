"""Fact tables for the pruning encodings: lower bounds from games with one or two of the boxes, by name of the table.

A program counts its actions from one end of the plan, from the start (index ``forward``) or from the goals (``remaining``). The
facts call that end ``near`` and the other ``far``, so that one file of rules serves both kinds of programs.

The predicates are described in the docstrings here and at the head of the programs that read them; docs/encodings.md argues why
they are sound.
"""

from __future__ import annotations

from collections.abc import Callable

from sokoasp.sokoban.level import Level
from sokoasp.sokoban.tables.moves import moves
from sokoasp.sokoban.tables.pairs import pairs
from sokoasp.sokoban.tables.parts import parts
from sokoasp.sokoban.tables.prices import prices
from sokoasp.sokoban.tables.windows import windows

TABLES: dict[str, Callable[[Level, str, str], str]] = {
    "moves": moves,
    "windows": windows,
    "pairs": pairs,
    "prices": prices,
    "parts": parts,
}
"""Table name → function of level, objective and index that returns the facts."""

__all__ = ["TABLES", "moves", "pairs", "parts", "prices", "windows"]
