"""Fact tables for the pruning encodings: lower bounds from games with one or two of the boxes, by name of the table.

A program counts its actions from one end of the plan, from the start (index ``forward``) or from the goals (``remaining``). The
facts call that end ``near`` and the other ``far``, so that one file of rules serves both kinds of programs.

The predicates are described in the docstrings here and at the head of the programs that read them; docs/encodings-ideas.md
argues why they are sound.
"""

from __future__ import annotations

from importlib import import_module

from sokoasp.sokoban.level import Level

NAMES = ("moves", "windows", "pairs", "prices", "potentials", "parts")


def facts(name: str, level: Level, objective: str, index: str) -> str:
    """Return the facts of a table, which the module of that name yields; it is imported when it is first wanted."""
    found = getattr(import_module(f"{__name__}.{name}"), name)(level, objective, index)
    return "".join(f"{fact}.\n" for fact in found)
