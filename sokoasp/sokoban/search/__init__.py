"""Native searches: the plain-Python reference (the oracle) and the fast engines; docs/native.md has the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sokoasp.sokoban.search.engines import ENGINES, solve

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.options import MODULES, SWITCHES, Options

__all__ = ["ENGINES", "MODULES", "SWITCHES", "Options", "solve"]


def __getattr__(name: str) -> Any:
    """Import what tunes the fast engines when it is first used: a small level by ASP needs none of it."""
    if name not in ("MODULES", "SWITCHES", "Options"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sokoasp.sokoban.search.model import options

    return getattr(options, name)
