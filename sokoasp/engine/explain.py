"""Why a bound is refuted: a minimal set of goals, or of boxes, that cannot be served in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sokoasp.asp import catalogue
from sokoasp.asp.multishot import Stopped
from sokoasp.asp.unsat_cores import minimal_core
from sokoasp.core.errors import EncodingError
from sokoasp.core.limits import Limits
from sokoasp.domain import Problem, domain_of
from sokoasp.sokoban.level import Level


@dataclass(frozen=True, slots=True)
class Explanation:
    """Cells of goals or boxes that already cannot all be served within the bound."""

    what: str
    """``"goals"`` or ``"boxes"``."""
    bound: int
    cells: tuple[Any, ...]
    minimal: bool
    """Whether it is proved that any one fewer can be served."""


def explain(
    problem: Problem, bound: int, *, what: str = "goals", objective: str | None = None, limits: Limits | None = None
) -> Explanation | None:
    """Explain why there is no plan of at most ``bound`` actions.

    Returns:
        The explanation; None if all can be served within the bound, or a limit came before anything was known.

    Raises:
        EncodingError: The game has no such explanations, or none for this problem.
    """
    domain = domain_of(problem)
    objective = objective or domain.objectives[0]
    name = domain.asp.explain.get((objective, what))
    if name is None:
        raise EncodingError(f"{domain.name} has no explanations of {what} for {objective}")
    encoding = catalogue.find(name, domain.name, objective)
    if encoding.equal_numbers and isinstance(problem, Level) and len(problem.boxes) != len(problem.goals):
        raise EncodingError("with more boxes than goals no particular box has to be stored")
    names = domain.asp.constants(problem)
    try:
        clock = (limits or Limits()).start()
        core = minimal_core(encoding, domain.asp.facts(problem, None), bound=bound, clock=clock)
    except Stopped:
        return None
    if core is None:
        return None
    return Explanation(what, bound, tuple(sorted(names[atom.args[0]] for atom in core.atoms)), core.minimal)
