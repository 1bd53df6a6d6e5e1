"""Native searches: the plain-Python reference (the oracle) and the fast engines; docs/native.md has the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sokoasp.sokoban.search.engines import ENGINES, solve

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.options import GROUPS, MODULES, SWITCHES, Options

__all__ = ["ENGINES", "GROUPS", "MODULES", "SWITCHES", "Options", "compile_all", "compiles", "solve"]


def __getattr__(name: str) -> Any:
    """Import what tunes the fast engines when it is first used: a small level by ASP needs none of it."""
    if name not in ("GROUPS", "MODULES", "SWITCHES", "Options"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sokoasp.sokoban.search.model import options

    return getattr(options, name)


def compile_all() -> None:
    """Load all kernels, and compile those that are not yet. Asking for a plan would not: an easy level is answered before."""
    from sokoasp.core import kernels
    from sokoasp.sokoban.search.model.options import GROUPS

    for group in GROUPS:
        kernels.load(group)


def compiles() -> bool:
    """Return whether kernels are still to be compiled."""
    from sokoasp.core import kernels
    from sokoasp.sokoban.search.model.options import GROUPS

    return any(kernels.status(group).compiles for group in GROUPS)
