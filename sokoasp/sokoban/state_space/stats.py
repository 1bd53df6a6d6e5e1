"""Figures of a level: sizes, lower bounds and counts of its states."""

from __future__ import annotations

from math import comb
from typing import Any

from sokoasp.core.guard import cause, guarded
from sokoasp.core.limits import Clock, Limits
from sokoasp.sokoban import grid
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.state_space import counts

_BOUND_SECONDS = 0.6
"""Seconds that bounds and dead squares get even if there are none for counting."""


def stats(level: Level, limits: Limits) -> dict[str, Any]:
    """Describe a level: sizes, lower bounds, dead squares and the state counts of thesis §2.4 (None where not counted in time).

    ``placements_with_one_more`` is the thesis's second figure, C(cells, boxes+1), which is no bound on ``regions``.
    """
    clock = limits.start()
    least = limits._replace(seconds=None if limits.seconds is None else max(limits.seconds, _BOUND_SECONDS))
    n, b = len(level.floor), len(level.boxes)
    found: dict[str, Any] = {
        "floor_cells": n,
        "boxes": b,
        "goals": len(level.goals),
        "boxes_on_goals": len(level.boxes & level.goals),
        **dict.fromkeys(("dead_squares", "lower_bound_lines", "lower_bound_pushes")),
        "box_placements": comb(n, b),
        "box_placements_live": None,
        "placements_with_one_more": comb(n, b + 1),
        "positions_at_most": comb(n, b) * (n - b),
        **dict.fromkeys(("regions", "reachable_regions", "reachable_positions", "stopped_by")),
    }
    with guarded(least.start()):
        try:
            _measure(level, clock, found)
        except KeyboardInterrupt as ended:
            found["stopped_by"] = cause(ended)
    return found


def _measure(level: Level, clock: Clock, found: dict[str, Any]) -> None:
    """Fill in what takes time, the cheapest first."""
    numbers = grid.build(level)
    live = len(grid.live_cells(numbers))
    found |= {"dead_squares": numbers.size - live, "box_placements_live": comb(live, len(level.boxes))}
    for objective in ("lines", "pushes"):
        found[f"lower_bound_{objective}"] = grid.matching_bound(numbers, lines=objective == "lines")
    exact = counts.count(level, clock.limits._replace(seconds=clock.remaining))
    found |= {
        "regions": exact.regions,
        "reachable_regions": exact.reachable,
        "reachable_positions": exact.reachable_positions,
        "stopped_by": exact.stopped_by,
    }
