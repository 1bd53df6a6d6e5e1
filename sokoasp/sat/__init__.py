"""SAT solvers at work on formulas of a game: plans, and refuted bounds.

python-sat is imported in the child process only (``child``); everything else starts it, listens to it and ends it.
"""

from __future__ import annotations

import importlib.util

from sokoasp.core.errors import MissingExtra


def available() -> bool:
    """Return whether python-sat is installed, without importing it."""
    return importlib.util.find_spec("pysat") is not None


def require(what: str = "the SAT engine") -> None:
    """Do nothing if python-sat is installed.

    Raises:
        MissingExtra: It is not.
    """
    if not available():
        raise MissingExtra(what, "sat")
