"""Is a Sokoban state dead, and why? The detectors' verdict with its smallest set of boxes and the way back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sokoasp.core.errors import LevelError
from sokoasp.core.guard import cause, guarded
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.sokoban import search
from sokoasp.sokoban.deadlock.fix import Fix, fix, states_along
from sokoasp.sokoban.deadlock.local import PRUNING, THOROUGH
from sokoasp.sokoban.deadlock.pulled_region import pulled_region
from sokoasp.sokoban.deadlock.verdict import Verdict
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import find_deadlock
from sokoasp.sokoban.units.reason import least
from sokoasp.sokoban.validate import validate_moves

EXHAUSTIVE = replace(THOROUGH, states=20_000)
"""For the smallest set of boxes after the search of all states."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What is known of a state: ``dead`` with its proof, ``alive`` with a plan, or ``none_found``, which is neither."""

    verdict: str
    level: Level
    """The level with the state that was examined as its start."""
    found: Verdict | None = None
    """The proof, stated for the smallest set of boxes that is dead by itself, as far as a bounded search knows."""
    fix: Fix | None = None
    plan: Any = None
    stopped_by: str | None = None
    """What cut the examination short: ``"time"``, ``"memory"``, ``"states"`` or ``"interrupt"``."""


def examine(level: Level, after: str, exhaustive: bool, limits: Limits) -> Examination:
    """Examine the state after some moves (LURD), or the start.

    Args:
        level: The level.
        after: Moves that lead to the state, empty for the start; capitals are pushes, if there are any.
        exhaustive: Let the native search decide when the detectors find nothing.
        limits: Of it all: detectors, the way back and that search.

    Raises IllegalPlan: a move is not possible, or its case contradicts it; the message says at which cell.
    """
    here = position(level, after)
    clock = limits.start()
    dead: Examination | None = None
    with guarded(clock) as guard:
        try:
            found = find_deadlock(here)
            if found is not None:
                dead = Examination("dead", here, found)
                quickly = partial(find_deadlock, budget=PRUNING)
                way_back = fix(level, after, find_deadlock, find_quickly=quickly) if after else None
                return Examination("dead", here, least(here, None, found), way_back)
            if not exhaustive:
                return Examination("none_found", here)
            decided = _decide(here, limits._replace(seconds=clock.remaining))
            if decided.status is Status.UNSOLVABLE:
                cells = tuple(sorted(here.boxes))
                reason = decided.proof or "all reachable states were searched and none is solved"
                all_boxes = Verdict("exhaustive", cells, cells, reason, "exhaustive search")
                dead = Examination("dead", here, all_boxes)
                return replace(dead, found=least(here, None, all_boxes, budget=EXHAUSTIVE, seconds=clock.remaining))
        except KeyboardInterrupt as ended:
            return replace(dead or Examination("none_found", here), stopped_by=cause(ended))
    if decided.plan is not None:
        return Examination("alive", here, plan=decided.plan)
    return Examination("none_found", here, stopped_by=guard.fired or decided.stopped_by)


def position(level: Level, after: str) -> Level:
    """Return a level with the state after some moves as its start. Raises IllegalPlan: see ``examine``."""
    if not after.islower():
        validate_moves(level, after, to_the_end=False)
    return level.with_state(*states_along(level, after)[1][-1])


def examine_reverse(start: Level, position: Level) -> Examination:
    """Examine a position of reverse search on its way back to ``start``: is the player shut in for good?

    Raises LevelError: the two levels have not the same floor and number of boxes.
    """
    if start.floor != position.floor or len(start.boxes) != len(position.boxes):
        raise LevelError("a position of reverse search has the floor and as many boxes as the level it goes back to")
    found = pulled_region(start, State(position.boxes, position.player), budget=THOROUGH)
    return Examination("none_found" if found is None else "dead", position, found)


def _decide(level: Level, limits: Limits) -> Result:
    """Search all states, natively if that is installed."""
    from sokoasp.core import kernels

    return search.solve(level, "pushes", limits, engine="native" if kernels.status().there else "reference")


def as_json(found: Examination) -> dict[str, Any]:
    """Return the contract's JSON object; cells are [row, column] from 0."""
    row = dict[str, Any](verdict=found.verdict, kind=None, cells=[], boxes=[], reason=None, source=None)
    if found.found is not None:
        row |= {name: getattr(found.found, name) for name in ("kind", "reason", "source")}
        row |= {name: [*map(list, getattr(found.found, name))] for name in ("cells", "boxes")}
    if found.fix is not None:
        instead = [*map(_push, found.fix.instead)]
        row["fix"] = {"undo": found.fix.undo, "blamed": _push(found.fix.blamed), "instead": instead}
    if found.plan is not None:
        row["plan"] = found.plan.lurd
    if found.stopped_by is not None:
        row["stopped_by"] = found.stopped_by
    return row


def _push(push: Any) -> list[Any]:
    return [list(push.box), push.direction.name, list(push.to)]
