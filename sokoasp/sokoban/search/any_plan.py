"""``any``: a plan as soon as possible, by satisficing and greedy searches in turns; bounds are proved on the way only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sokoasp.core.guard import cause
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.exact import unidirectional
from sokoasp.sokoban.search.improvement.plan_segments import PlanImprover
from sokoasp.sokoban.search.model import workspace
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.push_board import two_sided
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.rosters import enter_breadth_first, enter_packing_order, small
from sokoasp.sokoban.search.satisficing.macro_workspace import load
from sokoasp.sokoban.search.schedule import Schedule
from sokoasp.sokoban.search.worker_process import WorkerProcess, halved, shared

SHORTENING = 0.5
"""Seconds a plan is shortened before the searches for a bound fill their tables."""
ALONE = 2.0
"""Seconds the filling seeker has for itself before the greedy searches fill their tables."""
ALONE_SMALL = 0.5
"""Seconds before the next search enters on a small board: first the forward search, then the filling seeker."""


def anyplan(
    level: Level,
    objective: str = "lines",
    limits: Limits | None = None,
    options: Options | None = None,
    upper: Plan | None = None,
) -> Result:
    """Find a plan, whatever it costs; arguments as for ``unidirectional.forward``.

    Raises:
        MissingExtra: numba is not installed.
    """
    options, limits = options or Options(), limits or Limits()
    load(options)
    clock = limits.start()
    race = Schedule(bounds_of(level, objective), options, clock, first_plan=True)
    stopped: str | None = None
    try:
        if upper is not None:
            race.proofs.offer(upper, "the caller")
        _bound_start(race)
        stopped = None if race.over() else _run(race, limits)
    except KeyboardInterrupt as ended:
        stopped = cause(ended)
    race.seconds["total"] = clock.elapsed
    by_plan = stopped is None and race.proofs.plan is not None
    if by_plan and not race.proofs.closed():
        race.proofs.notes.append("it stops at the first plan")
    result = race.proofs.result("any", stopped_by=stopped, seconds=race.seconds, counters=race.counters)
    return replace(result, stopped_by=None) if by_plan else result


def improve(
    level: Level,
    plan: Plan,
    objective: str = "lines",
    limits: Limits | None = None,
    options: Options | None = None,
) -> Result:
    """Shorten a plan and prove how far it is from the best; equal costs are decided by the other objectives.

    Args:
        level: The level.
        plan: A solution of it.
        objective: ``lines``, ``pushes`` or ``moves``.
        limits: Wall seconds, resident MB.
        options: Prunings and bounds.

    Raises:
        IllegalPlan: ``plan`` is no solution.
        MissingExtra: numba is not installed.
    """
    options = options or Options()
    load(options)
    clock = (limits or Limits()).start()
    race = Schedule(bounds_of(level, objective), options, clock, shortening=True)
    others = [other for other in ("pushes", "moves", "lines") if other != objective]
    shortener = PlanImprover(level, (objective, *others), options)
    race.planners.append(shortener)
    stopped: str | None = None
    try:
        race.proofs.offer(plan, "the caller")
        stopped = race.run(SHORTENING)
        if stopped in (None, "steps") and not race.over():
            race.enter("forward")
            if two_sided(level, objective):
                race.enter("reverse", reverse=True)
            stopped = race.run()
    except KeyboardInterrupt as ended:
        stopped = cause(ended)
    race.seconds["total"] = clock.elapsed
    result = race.proofs.result("improve", stopped_by=stopped, seconds=race.seconds, counters=race.counters)
    best = shortener.plan()
    same = best is not None and best.cost(objective) == result.value
    return replace(result, plan=best) if same else result


def _run(race: Schedule, limits: Limits) -> str | None:
    stages: list[tuple[Callable[[], object], float]] = [(lambda: enter_packing_order(race), ALONE)]
    if small(race):
        stages = [
            (lambda: race.enter("forward"), ALONE_SMALL),
            (lambda: enter_packing_order(race), ALONE_SMALL),
            (lambda: _enter_from_goals(race), ALONE),
        ]
    for enter, seconds in stages:
        enter()
        if race.over():
            return None
        if (race.members or race.planners) and (stopped := race.run(seconds)) not in (None, "steps"):
            return stopped
    if race.over():
        return None
    if race.planners and shared(race.options, limits):
        return _with_helper(race, limits)
    race.enter_greedy()
    return None if race.over() else race.run()


def _enter_from_goals(race: Schedule) -> None:
    race.enter_greedy_reverse()
    enter_breadth_first(race)


def _with_helper(race: Schedule, limits: Limits) -> str | None:
    """Go on with the filling seeker here; greedy searches and another filling order run in a second process."""
    race.clear()
    with WorkerProcess(race.proofs, halved(race, limits), race.options, reverse=False) as helper:
        race.exchange = helper.exchange
        stopped = race.run()
        while stopped != "time" and helper.alive and not race.over():
            helper.wait(0.2)
            if race.clock.over() == "time":
                stopped = "time"
        race.counters |= {key: value for key, value in helper.counters.items() if key not in race.counters}
        race.tally()
        return None if race.over() else stopped


def _bound_start(race: Schedule) -> None:
    """Prove the cost of the matching at the start: cheap, and the first plan may meet it."""
    plain = replace(race.options, groups=False, lessons=False)
    search = unidirectional.prepare(race.proofs.problem, race.proofs.objective, plain, race.proofs, None, reverse=False)
    if search is not None:
        race.proofs.raise_lower(min(search.lower, workspace.UNBOUNDED), "the matching of boxes to goals at the start")
