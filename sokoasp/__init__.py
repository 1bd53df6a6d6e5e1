"""Sokoban and Klotski by answer set programming: level files in, proved and verified plans out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sokoasp.asp.catalogue import encodings
    from sokoasp.core.errors import EncodingError, IllegalPlan, LevelError, MissingExtra, NotationError, SokoaspError
    from sokoasp.core.limits import Limits
    from sokoasp.core.result import Result, Status
    from sokoasp.engine import Task, solve
    from sokoasp.render.player import show
    from sokoasp.sokoban.formats import read, write
    from sokoasp.sokoban.level import Level
    from sokoasp.sokoban.plan import Plan, Push
    from sokoasp.sokoban.units import find_deadlock
    from sokoasp.sokoban.validate import validate

__version__ = "0.2.0"

_HOME = {
    "EncodingError": "core.errors",
    "IllegalPlan": "core.errors",
    "Level": "sokoban.level",
    "LevelError": "core.errors",
    "Limits": "core.limits",
    "MissingExtra": "core.errors",
    "NotationError": "core.errors",
    "Plan": "sokoban.plan",
    "Push": "sokoban.plan",
    "Result": "core.result",
    "SokoaspError": "core.errors",
    "Status": "core.result",
    "Task": "engine",
    "encodings": "asp.catalogue",
    "find_deadlock": "sokoban.units",
    "read": "sokoban.formats",
    "show": "render.player",
    "solve": "engine",
    "validate": "sokoban.validate",
    "write": "sokoban.formats",
}

__all__ = [
    "EncodingError",
    "IllegalPlan",
    "Level",
    "LevelError",
    "Limits",
    "MissingExtra",
    "NotationError",
    "Plan",
    "Push",
    "Result",
    "SokoaspError",
    "Status",
    "Task",
    "encodings",
    "find_deadlock",
    "read",
    "show",
    "solve",
    "validate",
    "write",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import sokoasp`` stays cheap."""
    if name not in _HOME:
        raise AttributeError(f"module 'sokoasp' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"sokoasp.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """Return the public names, which are not here before they are used."""
    return [*__all__, "__version__"]
