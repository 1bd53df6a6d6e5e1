"""The native engines as rosters: which searches enter a schedule, one after the other, and when a second process begins."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from sokoasp.core import jit
from sokoasp.core.guard import cause
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.exact import member, reference
from sokoasp.sokoban.search.improvement.macro_rewriting import quickly
from sokoasp.sokoban.search.improvement.plan_segments import PlanImprover
from sokoasp.sokoban.search.model import workspace
from sokoasp.sokoban.search.model.options import MODULES, Options
from sokoasp.sokoban.search.model.push_board import two_sided
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.race import Race
from sokoasp.sokoban.search.satisficing.macro_workspace import load
from sokoasp.sokoban.search.worker_process import WorkerProcess, halved, shared

FORWARD_ALONE, ALONE = 0.5, 1.5
"""Seconds of the portfolio: of the forward search alone, and of all in turns before a second process is started."""
PACKING_ALONE = 1.5
"""Seconds the packing-order search has for itself before the beam search fills its tables."""
SMALL_FIRST, SMALL_ALONE = 0.1, 0.5
"""Seconds on a small board: of the forward search alone, and before the next searches enter."""
SPARE_ALONE = 0.5
"""Seconds of the beam search where there are spare boxes: often few pushes do, and packing orders take all boxes to goals."""
PLAIN_SECONDS, PLAIN_STATES = 2.0, 100_000
"""What plain breadth-first search may take where kernels must be compiled first: it answers easy levels at once."""
LARGEST_FOR_ANY = 3
"""Boxes in the largest patterns of a search that ends with its first plan."""
LEAST_PROVING, MOST_PROVING = 1.0, 3.0
"""Seconds that proving searches have on a small board when there is a plan: as many as the plan took, within these."""
LEAST_IMPROVING, MOST_IMPROVING = 2.0, 5.0
"""Seconds that the best of the first plans is shortened for: as many as all of them took, within these."""
SHORTENING = 0.5
"""Seconds a plan is shortened before the searches for a bound fill their tables."""


def _alone(race: Race, name: str, *, reverse: bool) -> str | None:
    race.enter(name, reverse=reverse)
    entered = list(race.solvers)
    try:
        return race.run()
    finally:
        for one in entered:
            race.counters = dict(one.counters)
            race.seconds["search"] = race.seconds.pop(name, one.seconds)


def _forward(race: Race) -> str | None:
    return _alone(race, "forward", reverse=False)


def _reverse(race: Race) -> str | None:
    """Search by pulls from all solved states back to the start.

    The player must get back to its start, and every region it may end in is a start of its own (thesis 2.3).

    Raises:
        ValueError: The objective is ``moves``, or the level has more boxes than goals; the other engines take those.
    """
    _two_sided_only(race, "reverse")
    return _alone(race, "reverse", reverse=True)


def _bidirectional(race: Race) -> str | None:
    """Search from both ends in turns.

    No stopping rule joins the two: each search by itself proves its bound, a meeting only gives a plan, and the answer is
    optimal when plan and bound meet.

    Raises:
        ValueError: As for :func:`_reverse`.
    """
    _two_sided_only(race, "bidirectional")
    race.enter("forward")
    race.enter("reverse", reverse=True)
    return race.run()


def _two_sided_only(race: Race, name: str) -> None:
    if race.bounds.objective == "moves":
        raise ValueError(f"the {name} search counts lines and pushes, not moves")
    if race.spare:
        raise ValueError(f"the {name} search needs as many goals as boxes: spare boxes have no known end cells")


def _native(race: Race) -> str | None:
    """Run all searches that fit the level, on two processes where there are two cores."""
    both, moves_in_layers = two_sided(race.level, race.bounds.objective), race.moves_in_layers
    race.enter("forward")
    stopped = race.phase(SMALL_FIRST if race.small or moves_in_layers else FORWARD_ALONE)
    if moves_in_layers and stopped != "time":
        race.enter_breadth_first()
        stopped = race.phase(SMALL_ALONE) or stopped
    if race.small and stopped != "time" and not race.bounds.closed():
        race.enter_from_goals()
        stopped = race.phase(SMALL_ALONE) or stopped
    if (both or race.spare) and stopped != "time" and not race.bounds.closed():
        if both:
            race.enter("reverse", reverse=True)
        race.enter_satisficing()
        if both:
            race.enter_from_goals()
        stopped = race.phase(ALONE) or stopped
    if stopped == "time" or race.bounds.closed():
        return stopped
    if shared(race):
        # the second process has its own satisficing searches
        kept = [one for one in race.solvers if one.name == "forward" or one.role == "exhaustive"]
        race.solvers = kept
        return _with_worker(race, reverse=both) or stopped
    race.enter_satisficing()
    race.enter_beam()
    return race.phase(None) or stopped


def _any(race: Race) -> str | None:
    """Look for a plan, whatever it costs, by satisficing searches and a beam search; bounds are proved on the way only."""
    race.first_plan = True
    # the cost of the matching at the start is cheap, and the first plan may meet it
    plain = replace(race.options, patterns=False, learned_patterns=False, potential=False)
    search = member.prepare(race.level, race.bounds.objective, plain, race.bounds, reverse=False)
    if search is not None:
        by = "the matching of boxes to goals at the start"
        race.bounds.raise_lower(min(search.lower, workspace.UNBOUNDED), by)
    stopped = None if race.over() else _any_plan(race)
    if stopped is None and race.bounds.plan is not None and not race.bounds.closed():
        found = race.bounds.upper or 0
        race.first_plan = False
        _rewritten(race, race.bounds.plan, race.bounds.plan_by)
        if race.small and race.options.uses("proving"):
            stopped = _proving(race)
            if not (stopped or race.packing or race.bounds.closed()):
                race.enter_packing_order()
        for plan, by in race.further_plans() if race.options.uses("further_plans") else ():
            _rewritten(race, plan, by)
        if stopped is None:
            _improving(race)
        race.counters["found"] = found
    if stopped is None and race.bounds.plan is not None and not race.bounds.closed():
        race.bounds.notes.append("it stops soon after the first plan")
    return stopped


def _proving(race: Race) -> str | None:
    """Let the searches that prove go on for as long again: a small board has few enough states for them."""
    race.clear("beam", "satisficing")
    race.enter_breadth_first()
    stopped = race.phase(_as_long(race, LEAST_PROVING, MOST_PROVING))
    return "time" if stopped == "time" else None


def _improving(race: Race) -> None:
    """Shorten the best plan for about as long as the plans took: its segments, suffixes and prefixes are solved anew."""
    if race.over() or race.clock.over() or not (race.options.greedy and race.options.uses("shortening")):
        return
    race.clear()
    race.enter_improvement()
    race.run(_as_long(race, LEAST_IMPROVING, MOST_IMPROVING))


def _as_long(race: Race, least: float, most: float) -> float:
    """Return the seconds that the race has lasted, within two bounds."""
    return min(max(race.clock.elapsed, least), most)


def _rewritten(race: Race, plan: Plan, by: str) -> None:
    """Hand in a plan and what a small effort makes of it."""
    race.bounds.offer(plan, by)
    if not race.options.uses("rewriting"):
        return
    shorter = quickly(race.level, plan, race.options, race.clock)
    race.bounds.offer(shorter, f"{by}, its macro pushes rewritten")


def _any_plan(race: Race) -> str | None:
    # tables of larger patterns take most of a second: they raise bounds, and seldom find a plan
    race.options = replace(race.options, largest_pattern=min(race.options.largest_pattern, LARGEST_FOR_ANY))
    stages: list[tuple[Callable[[], object], float]] = [(race.enter_packing_order, PACKING_ALONE)]
    if race.small:
        stages = [(race.enter_both_ways, SMALL_ALONE), (race.enter_all, PACKING_ALONE)]
    elif race.spare:
        stages.insert(0, (race.enter_beam, SPARE_ALONE))
    for enter, seconds in stages:
        if race.over():
            return None
        enter()
        if race.solvers and (stopped := race.run(race.shares.stage or seconds)) not in (None, "steps"):
            return stopped
    if race.over():
        return None
    if race.of("satisficing", "exhaustive") and shared(race):
        race.clear("exact", "beam")
        # the beam search from the goals and another packing order run in the second process
        race.enter_forward_beam()
        stopped = _with_worker(race, reverse=False)
    else:
        race.enter_beam()
        race.enter_forward_beam()
        stopped = None if race.over() else race.run()
    if stopped in (None, "steps") and not race.over() and not race.of("exact"):
        race.enter("forward")  # those that find plans have no more to look at, which proves nothing
        stopped = race.run()
    return None if race.over() else stopped


def _with_worker(race: Race, *, reverse: bool) -> str | None:
    """Go on beside a second process, each with half of the memory."""
    with WorkerProcess(race.bounds, halved(race), race.options, reverse=reverse) as worker:
        race.solvers.append(worker)
        return race.phase(None)


ROSTERS: dict[str, Callable[[Race], str | None]] = {
    "forward": _forward,
    "reverse": _reverse,
    "bidirectional": _bidirectional,
    "native": _native,
    "any": _any,
}
"""Each runs a race and returns the limit that has stopped it."""
PORTFOLIOS = ("native", "any")
"""Those that are free to begin with any search."""


def solve_by(
    engine: str, level: Level, objective: str, limits: Limits, options: Options, upper: Plan | None = None
) -> Result:
    """Solve a level by a roster of :data:`ROSTERS`.

    Args:
        engine: Its name.
        level: The level; it may have more boxes than goals.
        objective: ``lines``, ``pushes`` or ``moves``.
        limits: Wall seconds, resident MB, stored states.
        options: Prunings and bounds.
        upper: A known plan: only cheaper ones are looked for, and it is optimal when there is none.

    Raises:
        MissingExtra: numba is not installed.
        IllegalPlan: ``upper`` is no solution.
        ValueError: The engine does not take this level or objective.
    """
    began = time.perf_counter()
    if engine in PORTFOLIOS and upper is None and jit.backend() == "jit" and not jit.ready(MODULES):
        easy = _easy(level, objective, limits)
        if easy is not None:
            return replace(easy, engine=engine)
    spent = time.perf_counter() - began
    (load if engine == "any" else workspace.compiled)(options)  # compiling does not count against the limits
    clock = limits.start()
    clock.began -= spent
    result = _raced(engine, Race(bounds_of(level, objective), clock, options=options), ROSTERS[engine], upper)
    return (
        replace(result, stopped_by=None) if engine == "any" and result.stopped_by == "steps" and result.plan else result
    )


def _easy(level: Level, objective: str, limits: Limits) -> Result | None:
    """Answer a level by plain breadth-first search; None if it is not easy enough."""
    seconds = PLAIN_SECONDS if limits.seconds is None else min(limits.seconds, PLAIN_SECONDS)
    states = PLAIN_STATES if limits.states is None else min(limits.states, PLAIN_STATES)
    found = reference.solve(level, objective, replace(limits, seconds=seconds, states=states))
    return found if found.status in (Status.OPTIMAL, Status.UNSOLVABLE) else None


def _raced(engine: str, race: Race, roster: Callable[[Race], str | None], known: Plan | None) -> Result:
    clock = race.clock
    try:
        if known is not None:
            race.bounds.offer(known, "given")
        stopped = roster(race)
    except KeyboardInterrupt as ended:
        stopped = cause(ended)
    race.seconds["total"] = clock.elapsed
    return race.bounds.result(engine, stopped_by=stopped, seconds=race.seconds, counters=race.counters)


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
    race = Race(bounds_of(level, objective), (limits or Limits()).start(), options=options, shortening=True)
    others = [other for other in ("pushes", "moves", "lines") if other != objective]
    shortener = PlanImprover(level, (objective, *others), options)
    race.solvers.append(shortener)

    def roster(race: Race) -> str | None:
        stopped = race.run(SHORTENING)
        if stopped in (None, "steps") and not race.over():
            race.enter("forward")
            if two_sided(level, objective):
                race.enter("reverse", reverse=True)
            stopped = race.run()
        return stopped

    result = _raced("improve", race, roster, plan)
    best = shortener.plan()
    same = best is not None and best.cost(objective) == result.value
    return replace(result, plan=best) if same else result
