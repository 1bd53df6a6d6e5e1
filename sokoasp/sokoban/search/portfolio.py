"""The native portfolio: forward, reverse and greedy searches with rising limits, on two processes where there are two cores."""

from __future__ import annotations

from sokoasp.core.guard import cause
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.exact.breadth_first import BreadthFirstSearch
from sokoasp.sokoban.search.model import workspace
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.push_board import two_sided
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.rosters import enter_breadth_first, enter_satisficing
from sokoasp.sokoban.search.schedule import Schedule
from sokoasp.sokoban.search.worker_process import WorkerProcess, halved, shared

ALONE = 1.5
"""Seconds the searches run in turns in this process before a second one is started."""


def portfolio(
    level: Level,
    objective: str = "lines",
    limits: Limits | None = None,
    options: Options | None = None,
    upper: Plan | None = None,
) -> Result:
    """Find the fewest lines, pushes or moves with all engines that fit the level; arguments as for ``unidirectional.forward``.

    Raises:
        MissingExtra: numba is not installed.
    """
    limits, options = limits or Limits(), options or Options()
    workspace.compiled(options)
    clock = limits.start()
    race = Schedule(bounds_of(level, objective), options, clock)
    stopped: str | None = None
    try:
        if upper is not None:
            race.proofs.offer(upper, "the caller")
        stopped = _run(race, limits)
    except KeyboardInterrupt as ended:
        stopped = cause(ended)
    race.seconds["total"] = clock.elapsed
    return race.proofs.result("native", stopped_by=stopped, seconds=race.seconds, counters=race.counters)


def _run(race: Schedule, limits: Limits) -> str | None:
    both = two_sided(race.proofs.problem, race.proofs.objective)
    race.enter("forward")
    stopped = _phase(race, ALONE / 3)
    if both and stopped != "time" and not race.proofs.closed():
        race.enter("reverse", reverse=True)
        enter_satisficing(race)
        race.enter_greedy_reverse()
        enter_breadth_first(race)
        stopped = _phase(race, ALONE) or stopped
    if stopped == "time" or race.proofs.closed():
        return stopped
    if shared(race.options, limits):
        return _with_helper(race, limits, both) or stopped
    enter_satisficing(race)
    race.enter_greedy()
    return _phase(race, None) or stopped


def _phase(race: Schedule, seconds: float | None) -> str | None:
    """Run the race; a search that has its fill of memory or states leaves it, so that others may go on."""
    stopped = race.run(seconds)
    if stopped in ("memory", "states"):
        race.clear()
    return None if stopped == "steps" else stopped


def _with_helper(race: Schedule, limits: Limits, both: bool) -> str | None:
    """Go on with the forward search here and the others in a second process, each with half of the memory."""
    part = halved(race, limits)
    with WorkerProcess(race.proofs, part, race.options, reverse=both) as helper:
        race.exchange = helper.exchange
        race.members = [member for member in race.members if member.name == "forward"]
        # the second process has its own seekers
        race.planners = [planner for planner in race.planners if isinstance(planner, BreadthFirstSearch)]
        stopped = _phase(race, None)
        while stopped != "time" and helper.alive and not race.proofs.closed():
            helper.wait(0.2)
            if race.clock.over() == "time":
                stopped = "time"
        race.counters |= {key: value for key, value in helper.counters.items() if "_" in key}
        race.tally()
        return stopped
