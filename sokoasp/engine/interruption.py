"""What a run that a limit or Ctrl-C has ended still says: the best plan and bound known, and which limit it was."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sokoasp.core.bounds import with_bound
from sokoasp.core.guard import Guard, cause, guarded
from sokoasp.core.limits import Limits
from sokoasp.core.result import STOPPED, Result, Status
from sokoasp.domain import Domain, L, P
from sokoasp.engine.checking import INTERRUPTED, remembering

LEAST = "the plan meets the bound that is known without a search"
"""What is said where such a bound proves a plan best."""


def limit_named(guard: Guard, result: Result) -> Result:
    """Say that a limit ended the run where the engine took its interrupt for Ctrl-C."""
    if guard.fired is None or result.stopped_by != "interrupt":
        return result
    return ended_by(guard.fired, result)


def ended_by(what: str, result: Result) -> Result:
    """Say that ``what`` (``"time"`` or ``"memory"``) ended a run whose engine was interrupted."""
    status = STOPPED[what] if result.status is Status.INTERRUPTED else result.status
    if result.cross_check is not None and result.cross_check.note == INTERRUPTED:
        left = replace(result.cross_check, note="no time left: skipped")
        return replace(result, status=status, stopped_by=None, cross_check=left)
    return replace(result, status=status, stopped_by=what)


def improve(domain: Domain[P, L], problem: P, plan: L, objective: str, limits: Limits) -> Result:
    """Shorten a valid plan under limits that hold whatever takes the time; nothing better found, it comes back as it was.

    Raises:
        MissingExtra: The game's own search needs an extra that is not installed.
    """
    domain, clock = remembering(domain), limits.start()
    assert domain.search.improve is not None
    least = domain.known.least(problem, objective)
    found: Result | None = None
    with guarded(clock) as guard:
        try:
            found = limit_named(guard, domain.search.improve(problem, plan, objective, limits, None))
        except KeyboardInterrupt as ended:
            stopped = cause(ended)
    if found is None or found.plan is None:
        stopped = stopped if found is None else found.stopped_by or "interrupt"
        found = _as_given(domain, problem, plan, objective, stopped)
    counts = domain.validate(problem, found.plan, None)
    found = with_bound(found, least, LEAST)
    return replace(found, counts=counts, seconds={**found.seconds, "total": clock.elapsed})


def _as_given(domain: Domain[P, Any], problem: P, plan: L, objective: str, stopped: str) -> Result:
    """Return the result of a run that ended before it had looked at the plan."""
    value = domain.validate(problem, plan, None)[objective]
    return Result(Status.SOLVED, objective, "improve", value=value, plan=plan, stopped_by=stopped)
