"""Forward and reverse A* in turns: the bound is the better of the two, plans come from either or from where they meet."""

from __future__ import annotations

from sokoasp.core.guard import cause
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.model import workspace
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.schedule import Schedule


def bidirectional(
    level: Level,
    objective: str = "lines",
    limits: Limits | None = None,
    options: Options | None = None,
    upper: Plan | None = None,
) -> Result:
    """Find the fewest lines or pushes from both ends; arguments as for ``unidirectional.forward``.

    No stopping rule joins the two: each search by itself proves its bound, a meeting only gives a plan, and the answer is
    optimal when plan and bound meet.

    Raises:
        ValueError: The objective is ``moves``, or the level has more boxes than goals.
        MissingExtra: numba is not installed.
    """
    if objective == "moves" or len(level.boxes) != len(level.goals):
        raise ValueError(
            "the bidirectional search counts lines and pushes, not moves, and needs as many goals as boxes"
        )
    options = options or Options()
    workspace.compiled(options)
    clock = (limits or Limits()).start()
    race = Schedule(bounds_of(level, objective), options, clock)
    stopped: str | None = None
    try:
        if upper is not None:
            race.proofs.offer(upper, "the caller")
        race.enter("forward")
        race.enter("reverse", reverse=True)
        stopped = race.run()
    except KeyboardInterrupt as ended:
        stopped = cause(ended)
    race.seconds["total"] = clock.elapsed
    return race.proofs.result("bidirectional", stopped_by=stopped, seconds=race.seconds, counters=race.counters)
