"""SAT solvers at work on formulas of Sokoban levels: plans, and refuted bounds.

python-sat is imported in the child process only (``child``); everything else starts it, listens to it and ends it.
"""

from __future__ import annotations

import importlib.util
import re
from typing import TypeGuard

from sokoasp.core.errors import MissingExtra
from sokoasp.sokoban.level import Level

LEAST = (1, 9, 17)
"""The version of python-sat from which CaDiCaL's proofs can be had, 1.9.dev17."""
OBJECTIVES = ("lines", "pushes")
"""What formulas count."""


def has_formula(problem: object, objective: str) -> TypeGuard[Level]:
    """Return whether there is a formula of a problem for an objective."""
    return isinstance(problem, Level) and objective in OBJECTIVES


def available() -> bool:
    """Return whether python-sat is installed, in a version that writes proofs (tried: 1.9.dev17 to dev24)."""
    if importlib.util.find_spec("pysat") is None:
        return False
    from importlib.metadata import PackageNotFoundError, version

    try:
        numbers = tuple(int(number) for number in re.findall(r"\d+", version("python-sat")))
    except PackageNotFoundError:
        return True  # it is there, if not by a package
    return numbers >= LEAST


def require(what: str = "the SAT engine") -> None:
    """Do nothing if python-sat is installed, else raise MissingExtra."""
    if not available():
        raise MissingExtra(what, "sat")
