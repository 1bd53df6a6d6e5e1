"""One-directional A*: forward by pushes, reverse by pulls (thesis 2.3), each alone under the caller's limits."""

from __future__ import annotations

import time

from sokoasp.core import jit, progress
from sokoasp.core.bounds import Bounds
from sokoasp.core.guard import cause
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board, workspace
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.referee import bounds_of

SLICE = 1.0


def forward(
    level: Level,
    objective: str = "lines",
    limits: Limits | None = None,
    options: Options | None = None,
    upper: Plan | None = None,
) -> Result:
    """Find the fewest lines, pushes or moves by A* over pushes, or prove that there is no plan.

    Args:
        level: The level; it may have more boxes than goals.
        objective: ``lines``, ``pushes`` or ``moves``.
        limits: Wall seconds, resident MB, stored states.
        options: Prunings and bounds.
        upper: A known plan: only cheaper ones are looked for, and it is optimal when there is none.

    Raises:
        MissingExtra: numba is not installed.
        IllegalPlan: ``upper`` is no solution.
    """
    return _alone(level, objective, limits or Limits(), options or Options(), upper, reverse=False)


def reverse(
    level: Level,
    objective: str = "lines",
    limits: Limits | None = None,
    options: Options | None = None,
    upper: Plan | None = None,
) -> Result:
    """Find the fewest lines or pushes by A* over pulls from all solved states back to the start.

    The player must get back to its start, and every region it may end in is a start of its own (thesis 2.3). Arguments
    as for :func:`forward`.

    Raises:
        ValueError: The objective is ``moves``, or the level has more boxes than goals; the other engines take those.
        MissingExtra: numba is not installed.
    """
    if objective == "moves":
        raise ValueError("the reverse search counts lines and pushes, not moves")
    if len(level.boxes) != len(level.goals):
        raise ValueError("the reverse search needs as many goals as boxes: spare boxes have no known end cells")
    return _alone(level, objective, limits or Limits(), options or Options(), upper, reverse=True)


def _alone(
    level: Level, objective: str, limits: Limits, options: Options, upper: Plan | None, *, reverse: bool
) -> Result:
    workspace.compiled(options)  # compiling, if it must be, does not count against the limits
    clock = limits.start()
    name = "reverse" if reverse else "forward"
    proofs = bounds_of(level, objective)
    counters: dict[str, int] = {}
    seconds: dict[str, float] = {}
    stopped: str | None = None
    try:
        search = prepare(level, objective, options, proofs, upper, reverse=reverse, seconds=seconds)
        progress.note(stage=f"searching ({name})")
        while search is not None and not (proofs.closed() or search.finished or stopped):
            try:
                stopped = search.advance(clock, SLICE)
            finally:
                harvest(search, proofs, name)
                counters = search.counters
        if search is not None:
            seconds["search"] = search.seconds
    except KeyboardInterrupt as ended:
        stopped = cause(ended)
    seconds["total"] = clock.elapsed
    return proofs.result(name, stopped_by=stopped, seconds=seconds, counters=counters)


def prepare(
    level: Level,
    objective: str,
    options: Options,
    proofs: Bounds,
    upper: Plan | None,
    *,
    reverse: bool,
    seconds: dict[str, float] | None = None,
    weights: tuple[int, int] = (1, 1),
) -> astar.Search | None:
    """Set a search up and note what the tables alone prove; None if that settles the level already."""
    if upper is not None:
        proofs.offer(upper, "the caller")
    if level.solved:
        proofs.offer(Plan((), ""), "the start")
        return None
    began = time.perf_counter()
    progress.note(stage="preparing")
    numbers = push_board.build(level)
    if numbers.dead_start:
        proofs.exhausted("a box can never be part of a solution")
        return None
    tabled = search_tables.build(level, numbers, objective, options, reverse=reverse)
    search = astar.begin(level, tabled, options, weights=weights)
    if proofs.upper is not None and objective == proofs.objective:
        search.cut(proofs.upper)
    if seconds is not None:
        seconds["kernels"] = jit.load_seconds()
        seconds["tables"] = time.perf_counter() - began
    return search


def harvest(search: astar.Search, proofs: Bounds, name: str) -> None:
    """Carry the search's bound and plan over to the certificates, and the best plan known back as its cutoff.

    From a search for another objective only the plan is taken.
    """
    plan = search.plan()
    if plan is not None and (proofs.upper is None or plan.cost(proofs.objective) < proofs.upper):
        proofs.offer(plan, f"the {name} search")
    if search.tables.objective != proofs.objective:
        return
    if search.finished and proofs.upper is None and not search.clipped:
        proofs.exhausted(f"the {name} search saw all states")
    else:
        proofs.raise_lower(min(search.lower, workspace.UNBOUNDED), f"the {name} search")
    if proofs.upper is not None:
        search.cut(proofs.upper)
