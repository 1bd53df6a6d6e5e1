"""The native engines by name, and one way to call them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from sokoasp.core.bounds import certified, limit_named
from sokoasp.core.guard import LimitReached, guarded
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, require_objective
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import OBJECTIVES, Plan
from sokoasp.sokoban.search.exact import reference as oracle

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.options import Options

ENGINES = ("forward", "reverse", "bidirectional", "native", "any", "reference")
"""``reference`` needs nothing; the others need the extra [native]. numba and numpy are imported when one is called."""


def solve(
    level: Level,
    objective: str = "lines",
    limits: Limits | None = None,
    *,
    engine: str = "native",
    upper: Plan | None = None,
    options: Options | None = None,
    switches: Collection[str] | None = None,
) -> Result:
    """Solve a level without ASP.

    Args:
        level: The level.
        objective: ``lines``, ``pushes`` or ``moves``.
        limits: Wall seconds, resident MB, states; without a memory limit four fifths of what the machine has free. In the main
            thread they hold for preparation as well.
        engine: A name of :data:`ENGINES`.
        upper: A known plan, to be improved on or proved optimal.
        options: Everything else.
        switches: Names of ``options.SWITCHES``: exactly these prunings and bounds are used.

    Raises:
        ValueError: No such engine, objective or switch, or the engine does not take this level (see its function).
        MissingExtra: numba is not installed and the engine is not ``reference``.
        IllegalPlan: ``upper`` is no solution of the level.
    """
    if engine not in ENGINES:
        raise ValueError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
    require_objective(objective, OBJECTIVES)
    limits = limits or Limits()
    if engine == "reference":
        return oracle.solve(level, objective, limits)
    from sokoasp.core import kernels
    from sokoasp.sokoban.search.model.options import Options

    kernels.require("the native search")
    options = options or Options()
    if switches is not None:
        options = options.only(*switches)
    return _limited(level, objective, limits, options, upper, engine)


def _limited(level: Level, objective: str, limits: Limits, options: Options, upper: Plan | None, engine: str) -> Result:
    """Run an engine with its preparation under the limits."""
    limits = limits.of_this_machine()
    clock = limits.start()
    with guarded(clock) as guard:
        try:
            from sokoasp.sokoban.search import rosters

            left = limits._replace(seconds=clock.remaining)
            found = rosters.solve_by(engine, level, objective, left, options, upper)
        except LimitReached as reached:
            from sokoasp.sokoban.search.model.referee import replayed

            plan = None if upper is None else replayed(level, upper)
            value = None if plan is None else plan.cost(objective)
            seconds = {"total": clock.elapsed}
            found = certified(objective, engine, value, 0, plan=plan, stopped_by=reached.what, seconds=seconds)
    # the guard interrupts as Ctrl-C does: what it has noted tells a limit from the user
    return limit_named(guard.fired, found)
