"""No engine is named and ASP does not finish in a few seconds: the user gets the best that any engine finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sokoasp.core import jit
from sokoasp.core.bounds import with_bound
from sokoasp.core.result import Result, Step
from sokoasp.domain import Domain, P
from sokoasp.engine.by_asp import by_asp
from sokoasp.engine.task import Task

FEW, PART = 10.0, 1 / 3
"""Seconds ASP has for itself, and the part of the time limit if that is less."""
WORTH = 5.0
"""Seconds: a time limit up to this is ASP's alone, as starting the others takes a second or two."""


def applies(domain: Domain[Any, Any], task: Task) -> bool:
    """Return whether others may be asked after a few seconds: no engine named, nothing only ASP can do, time enough."""
    enough = task.limits.seconds is None or task.limits.seconds > WORTH
    return task.engine is None and domain.improve is not None and not task.wants_asp and enough and jit.available()


def asp_then_all(domain: Domain[P, Any], problem: P, task: Task, on_step: Callable[[Step], None]) -> Result:
    """Ask ASP for a few seconds; if that does not settle it, ASP and the native search side by side for the rest of the time.

    Raises:
        SokoaspError: See ``by_asp`` and ``race``.
    """
    clock = task.limits.start()
    few = FEW if task.limits.seconds is None else min(FEW, PART * task.limits.seconds)
    alone = replace(task, engine="asp", limits=replace(task.limits, seconds=few))
    first = by_asp(domain, problem, alone, on_step, lambda: None)
    if first.stopped_by != "time":
        return first
    from sokoasp.engine.race import race  # most levels are settled by now, and it imports all other engines

    known = first.plan if first.plan is not None and task.known is None else task.known
    rest = replace(task.limits, seconds=clock.remaining)
    found = race(domain, problem, replace(task, engine="portfolio", known=known, limits=rest))
    found = with_bound(found, first.lower_bound)
    said = f"ASP had not finished in {few:.0f} s, so the native search ran beside it (--engine asp asks ASP alone)"
    seconds = {**found.seconds, "total": clock.elapsed}
    proof = "; ".join(part for part in (found.proof, said) if part)
    return replace(found, proof=proof, seconds=seconds)
