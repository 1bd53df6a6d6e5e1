"""What Sokoban gives to logic programs: the names of those taken when none is named, and the tables. It knows no solver."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module

from sokoasp.sokoban.level import Level

ORDER: dict[str, tuple[str, ...]] = {
    "lines": ("lines-forward", "lines-remaining-dom"),
    "pushes": ("pushes-forward", "pushes-remaining"),
    "moves": ("moves-forward", "moves-remaining-dom"),
}
"""The programs of each objective, the one to begin with first; docs/decisions says how they were chosen."""

CONSTRAINED: dict[str, str] = {"lines": "lines-forward", "pushes": "pushes-forward", "moves": "moves-forward"}
"""The program of each objective that counts actions from the start, so that the public predicates can be had in it."""

TABLES_UP_TO = 250
"""Largest map, in floor cells, whose two-box tables are worth making in plain Python; larger ones get the plain program."""
PLAIN_UP_TO = 40
"""Boxes times floor cells of the largest level whose plain program comes before those with tables: it mostly decides such a level
in less time than the tables take to make (decision 55)."""


def default_encoding(level: Level, objective: str) -> list[str]:
    """Return the names of the programs that take turns.

    Maps of more than ``TABLES_UP_TO`` cells get the plain program alone, whose name is the objective; small levels
    get it first. All of them are right for every level, also with more boxes than goals.
    """
    if len(level.floor) > TABLES_UP_TO:
        return [objective]
    small = objective != "moves" and len(level.boxes) * len(level.floor) <= PLAIN_UP_TO
    return [*([objective] if small else []), *ORDER[objective]]


def constrained_encoding(level: Level, objective: str) -> str:
    """Return the name of the program that takes the user's own constraints."""
    return objective if len(level.floor) > TABLES_UP_TO else CONSTRAINED[objective]


def _table(name: str, level: Level, objective: str, index: str) -> str:
    """Return the text of what the module of that name yields; the module is imported when it is first wanted."""
    facts = getattr(import_module(f"sokoasp.sokoban.tables.{name}"), name)(level, objective, index)
    return "".join(f"{fact}.\n" for fact in facts)


TABLES: dict[str, Callable[[Level, str, str], str]] = {
    name: partial(_table, name) for name in ("moves", "windows", "pairs", "prices", "potentials", "parts")
}
"""Table name → function of level, objective and index that returns the facts."""
