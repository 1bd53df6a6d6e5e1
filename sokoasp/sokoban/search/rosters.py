"""The native engines as rosters: which searches enter a race, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sokoasp.core import kernels
from sokoasp.core.errors import WrongOption
from sokoasp.core.guard import cause
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.exact import member, reference
from sokoasp.sokoban.search.model import workspace
from sokoasp.sokoban.search.model.options import MODULES, Options
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.race import Race, enter

FORWARD_ALONE, ALONE = 0.5, 1.5
"""Seconds of the portfolio: of the forward search alone, and of all in turns before the last stage."""
PACKING_ALONE = 1.5
"""Seconds the packing-order search has for itself before the beam search fills its tables."""
SMALL_FIRST, SMALL_ALONE = 0.1, 0.5
"""Seconds on a small board: of the forward search alone, and before the next searches enter."""
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


@dataclass(frozen=True, slots=True)
class Stage:
    """Searches that enter a race, and how long all that are in it go on before the next stage."""

    enter: tuple[str, ...]
    """Names of ``race.ENTRANTS``."""
    seconds: float | None = None
    """None: until all is proved or a limit is reached."""
    when: Callable[[Race], bool] = lambda race: True
    """Whether the stage takes place."""


@dataclass(frozen=True, slots=True)
class Roster:
    """The stages of a race, one after the other."""

    stages: tuple[Stage, ...]
    enduring: bool = False
    """Whether searches that have their fill of memory or states leave, so that others may go on; else that ends the race."""
    by_pulls: str = ""
    """What a search is called that refuses moves and spare boxes."""


ROSTERS = {
    "forward": Roster((Stage(("forward",)),)),
    "reverse": Roster((Stage(("reverse",)),), by_pulls="reverse"),
    "bidirectional": Roster((Stage(("forward", "reverse")),), by_pulls="bidirectional"),
    "native": Roster(
        (
            Stage(("forward",), SMALL_FIRST, when=lambda race: race.facts.small or race.facts.moves_in_layers),
            Stage(("forward",), FORWARD_ALONE, when=lambda race: not race.entered("forward")),
            Stage(("layers",), SMALL_ALONE, when=lambda race: race.facts.moves_in_layers),
            Stage(("beam", "layers"), SMALL_ALONE, when=lambda race: race.facts.small),
            Stage(("reverse", "plan-searches", "beam", "layers"), ALONE, when=lambda race: race.facts.two_sided),
            Stage(("plan-searches", "beam")),
        ),
        enduring=True,
    ),
    "any": Roster(
        (
            Stage(("forward", "beam"), SMALL_ALONE, when=lambda race: race.facts.small),
            Stage(("packing-order", "beam", "layers"), PACKING_ALONE, when=lambda race: race.facts.small),
            Stage(("packing-order",), PACKING_ALONE, when=lambda race: not race.facts.small),
            Stage(("beam",)),
            # those that find plans have no more to look at, which proves nothing
            Stage(("forward",), when=lambda race: not race.of("exact")),
        )
    ),
}
"""By the names of the engines.

``reverse`` pulls from all solved states back to the start: the player must get back there, and each region it may end in is a
start of its own (thesis 2.3). In ``bidirectional`` no rule joins the two searches: each proves its own bound, and a meeting only
gives a plan. ``native`` is all searches that fit the level, ``any`` satisficing searches and beam searches for a first plan.
"""


def follow(race: Race, roster: Roster) -> str | None:
    """Run the stages of a roster; return the limit that has stopped the race.

    Raises:
        ValueError: The roster does not take this level or objective.
    """
    if roster.by_pulls:
        if race.bounds.objective == "moves":
            raise WrongOption(f"the {roster.by_pulls} search counts lines and pushes, not moves")
        if race.facts.spare:
            told = "as many goals as boxes: spare boxes have no known end cells"
            raise ValueError(f"the {roster.by_pulls} search needs {told}")
    stopped: str | None = None
    for stage in roster.stages:
        if race.over() or stopped == "time" or not (roster.enduring or stopped in (None, "steps")):
            break
        if not stage.when(race):
            continue
        enter(race, *stage.enter)
        seconds = stage.seconds and (race.shares.stage or stage.seconds)
        stopped = (race.phase(seconds) or stopped) if roster.enduring else race.run(seconds)
    return stopped if roster.enduring or not race.over() else None


def _alone(race: Race, name: str) -> str | None:
    """Run the roster of one search; what is counted is its own."""
    try:
        return follow(race, ROSTERS[name])
    finally:
        own = {
            key.removeprefix(f"{name}_"): count for key, count in race.counters.items() if key.startswith(f"{name}_")
        }
        if own:
            race.counters, race.seconds["search"] = own, race.seconds.pop(name)


def _any(race: Race) -> str | None:
    """Look for a plan, whatever it costs, by satisficing searches and a beam search; bounds are proved on the way only."""
    race.first_plan = True
    # the cost of the matching at the start is cheap, and the first plan may meet it
    plain = replace(race.options, patterns=False, learned_patterns=False, walls=False)
    search = member.prepare(race.level, race.bounds.objective, plain, race.bounds, reverse=False)
    if search is not None:
        by = "the matching of boxes to goals at the start"
        race.bounds.raise_lower(min(search.lower, workspace.UNBOUNDED), by)
    # tables of larger patterns take most of a second: they raise bounds, and seldom find a plan
    race.options = replace(race.options, largest_pattern=min(race.options.largest_pattern, LARGEST_FOR_ANY))
    stopped = follow(race, ROSTERS["any"])
    if stopped is None and race.bounds.plan is not None and not race.bounds.closed():
        found = race.bounds.upper or 0
        race.first_plan = False
        if race.facts.small and race.options.uses("proving"):
            stopped = _proving(race)
        if stopped is None:
            _improving(race)
        race.counters["found"] = found
    if stopped is None and race.bounds.plan is not None and not race.bounds.closed():
        race.bounds.notes.append("it stops soon after the first plan")
    return stopped


def _proving(race: Race) -> str | None:
    """Let the searches that prove go on for as long again: a small board has few enough states for them."""
    race.clear("beam", "satisficing")
    enter(race, "layers")
    stopped = race.phase(_as_long(race, LEAST_PROVING, MOST_PROVING))
    return "time" if stopped == "time" else None


def _improving(race: Race) -> None:
    """Shorten the best plan for about as long as the plans took, beside a search that may prove it best."""
    if race.over() or race.clock.over() or not (race.options.greedy and race.options.uses("shortening")):
        return
    race.clear()
    enter(race, "forward", "improvement")
    race.run(_as_long(race, LEAST_IMPROVING, MOST_IMPROVING))


def _as_long(race: Race, least: float, most: float) -> float:
    """Return the seconds that the race has lasted, within two bounds."""
    return min(max(race.clock.elapsed, least), most)


PORTFOLIOS = ("native", "any")
"""Those that are free to begin with any search."""
COURSES: dict[str, Callable[[Race], str | None]] = {
    "forward": lambda race: _alone(race, "forward"),
    "reverse": lambda race: _alone(race, "reverse"),
    "bidirectional": lambda race: follow(race, ROSTERS["bidirectional"]),
    "native": lambda race: follow(race, ROSTERS["native"]),
    "any": _any,
}
"""By the names of the engines: each runs a race and returns the limit that has stopped it."""


def solve_by(
    engine: str, level: Level, objective: str, limits: Limits, options: Options, upper: Plan | None = None
) -> Result:
    """Solve a level by an engine of :data:`COURSES`.

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
    clock, least = limits.start(), 0
    if engine in PORTFOLIOS and upper is None and kernels.status(MODULES).compiles:
        plain = _plain(level, objective, limits)
        if plain.status in (Status.OPTIMAL, Status.UNSOLVABLE):
            return replace(plain, engine=engine)
        least = plain.lower_bound
    race = Race(bounds_of(level, objective), clock, options=options)
    race.bounds.raise_lower(least, "plain breadth-first search")

    def course(race: Race) -> str | None:
        if engine == "any":
            from sokoasp.sokoban.search.satisficing.macro_workspace import load

            load()
        else:
            workspace.compiled()
        return COURSES[engine](race)

    result = _raced(engine, race, course, upper)
    return (
        replace(result, stopped_by=None) if engine == "any" and result.stopped_by == "steps" and result.plan else result
    )


def _plain(level: Level, objective: str, limits: Limits) -> Result:
    """Search a level breadth-first for a moment: easy levels are answered, of others a lower bound is proved."""
    seconds = PLAIN_SECONDS if limits.seconds is None else min(limits.seconds, PLAIN_SECONDS)
    states = PLAIN_STATES if limits.states is None else min(limits.states, PLAIN_STATES)
    return reference.solve(level, objective, limits._replace(seconds=seconds, states=states))


def _raced(engine: str, race: Race, course: Callable[[Race], str | None], known: Plan | None) -> Result:
    try:
        if known is not None:
            race.bounds.offer(known, "given")
        stopped = course(race)
    except KeyboardInterrupt as ended:
        stopped = cause(ended)
    race.seconds["total"] = race.clock.elapsed
    return race.bounds.result(engine, stopped_by=stopped, seconds=race.seconds, counters=race.counters)


def improve(
    level: Level, plan: Plan, objective: str = "lines", limits: Limits | None = None, options: Options | None = None
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
    from sokoasp.sokoban.search.improvement import PlanImprover
    from sokoasp.sokoban.search.satisficing.macro_workspace import load

    options = options or Options()
    load()
    race = Race(bounds_of(level, objective), (limits or Limits()).start(), options=options, shortening=True)
    others = [other for other in ("pushes", "moves", "lines") if other != objective]
    shortener = PlanImprover(level, (objective, *others), options)
    race.solvers.append(shortener)

    def course(race: Race) -> str | None:
        stopped = race.run(SHORTENING)
        if stopped in (None, "steps") and not race.over():
            enter(race, *(("forward", "reverse") if race.facts.two_sided else ("forward",)))
            stopped = race.run()
        return stopped

    result = _raced("improve", race, course, plan)
    best = shortener.best
    same = best is not None and best.cost(objective) == result.value
    return replace(result, plan=best) if same else result
