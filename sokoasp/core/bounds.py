"""What is proved about one question: a lower bound and an incumbent plan, each with its origin. The only such record.

Every engine writes into a :class:`Bounds` or hands in a ``Result``; :func:`joined` puts results of several engines together. A
plan is believed after the referee has replayed it, and a status is made of a plan and a bound in one place, :func:`status_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sokoasp.core import progress
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import peak_mb
from sokoasp.core.result import STOPPED, Result, Status

DECIDED = (Status.OPTIMAL, Status.UNSOLVABLE, Status.NO_PLAN)
"""Statuses that settle a question."""


@dataclass(slots=True, eq=False, repr=False)
class Bounds:
    """What is proved so far about one problem and objective; costs count the objective."""

    problem: Any
    objective: str
    referee: Callable[[Any], tuple[Any, int]]
    """Replays a plan by the rules and returns it with its cost; raises ``IllegalPlan``."""
    lower: int = 0
    lower_by: str = "no bound"
    plan: Any = None
    """The incumbent: the best plan found so far."""
    upper: int | None = None
    """The cost of the plan."""
    plan_by: str = ""
    exhausted_by: str = ""
    """Who searched all there is and found no plan at all; empty if nobody did."""
    notes: list[str] = field(default_factory=list)

    def closed(self) -> bool:
        """Return whether nothing is left to prove."""
        return bool(self.exhausted_by) or (self.upper is not None and self.lower >= self.upper)

    def raise_lower(self, bound: int, by: str) -> None:
        """Keep a proved lower bound if it is higher than the one known."""
        if bound > self.lower:
            self.lower, self.lower_by = bound, by
            progress.note(bound=bound)

    def offer(self, plan: Any, by: str) -> bool:
        """Replay a plan and keep it if it is the best; return whether it was.

        Raises IllegalPlan: the plan breaks the rules or leaves a goal empty.
        """
        plan, cost = self.referee(plan)
        if self.upper is not None and cost >= self.upper:
            return False
        self.plan, self.upper, self.plan_by = plan, cost, by
        progress.note(plan=cost, best=plan)
        return True

    def exhausted(self, by: str) -> None:
        """Note that a search has seen everything: the best plan is optimal, or there is none."""
        if self.upper is None:
            self.exhausted_by = by
        else:
            self.raise_lower(self.upper, by)

    def proof(self) -> str | None:
        """Say in one sentence what is proved, and by whom; None if nothing is."""
        if self.exhausted_by:
            said = f"{self.exhausted_by}: no plan exists"
        elif self.upper == 0:
            said = f"plan of 0 ({self.plan_by}), and none is shorter"
        elif self.upper is not None and self.lower >= self.upper:
            said = met(self.upper, self.lower_by, self.plan_by)
        elif self.upper is not None:
            said = f"plan of {self.upper} ({self.plan_by}); lower bound {self.lower} ({self.lower_by})"
        else:
            said = f"lower bound {self.lower} ({self.lower_by})" if self.lower else ""
        return "; ".join(filter(None, [said, *self.notes])) or None

    def result(
        self,
        engine: str,
        *,
        stopped_by: str | None = None,
        seconds: Mapping[str, float] | None = None,
        counters: Mapping[str, int] | None = None,
    ) -> Result:
        """Return the answer; ``optimal`` only when bound and plan meet.

        A search with a cutoff drops what costs no less than the plan, so its bound may lie above it: then the plan is best.
        """
        return certified(
            self.objective,
            engine,
            self.upper,
            self.lower if self.upper is None else min(self.lower, self.upper),
            plan=self.plan,
            none=bool(self.exhausted_by),
            # all searches ended without settling it: costs beyond what a state can hold
            stopped_by=stopped_by or "steps",
            proof=self.proof(),
            seconds=dict(seconds or {}),
            counters={"expanded": 0, "generated": 0, "states": 0, **(counters or {}), "peak_mb": round(peak_mb())},
        )


def met(value: int, lower_by: str, plan_by: str) -> str:
    """Say that a lower bound is the cost of a plan, which proves it optimal."""
    return f"lower bound {value} ({lower_by}) = plan of {value} ({plan_by})"


def status_of(value: int | None, lower: int, *, none: bool = False, stopped_by: str | None = None) -> Status:
    """Return what a plan and a proved bound amount to: the one place where a status is made of them.

    Args:
        value: What the best plan costs, None without a plan.
        lower: The proved bound.
        none: Whether it is proved that there is no plan.
        stopped_by: What ended the run.

    Raises SokoaspError: there is a plan that costs less than what is proved, or where there is none: a bug.
    """
    if value is not None and (none or lower > value):
        raise SokoaspError(
            f"a plan of {value} contradicts {'the proof that there is none' if none else f'the bound {lower}'}"
        )
    if none:
        return Status.UNSOLVABLE
    if value is not None:
        return Status.OPTIMAL if lower >= value else Status.SOLVED
    return STOPPED.get(stopped_by or "steps", Status.ERROR)


def certified(
    objective: str,
    engine: str,
    value: int | None,
    lower: int,
    *,
    plan: Any = None,
    none: bool = False,
    stopped_by: str | None = None,
    **more: Any,
) -> Result:
    """Return the answer that a plan (with its cost) and a proved bound make; arguments as for :func:`status_of`.

    ``stopped_by`` is kept where nothing was settled, the bound unless there is no plan for it to bound. ``more`` are other
    fields of the result.
    SokoaspError if plan and proof contradict each other: a bug.
    """
    status = status_of(value, lower, none=none, stopped_by=stopped_by)
    settled = status in (Status.OPTIMAL, Status.UNSOLVABLE)
    lower = 0 if none else lower
    return Result(status, objective, engine, value, lower, plan, stopped_by=None if settled else stopped_by, **more)


def with_bound(result: Result, lower: int, by: str, proof: str | None = None) -> Result:
    """Return a result with a bound that was proved elsewhere; if its plan costs no more, it is optimal, and no limit counts.

    Args:
        result: What an engine says.
        lower: The bound; it changes nothing if it is no better than the result's own, or if there is proved to be no plan.
        by: What proved it; the proof of a result that stays open names it.
        proof: The sentence of proof where the plan is now optimal; default: that this bound and the plan have met.

    Raises SokoaspError: the plan costs less than that: a bug.
    """
    if lower <= result.lower_bound or result.status in (Status.UNSOLVABLE, Status.NO_PLAN):
        return result
    if result.value is None or status_of(result.value, lower) is not Status.OPTIMAL:
        return replace(result, lower_bound=lower, proof=f"lower bound {lower} ({by})")
    stopped = result.stopped_by if result.stopped_by == "interrupt" else None
    proof = proof or met(result.value, by, result.engine)
    return replace(result, status=Status.OPTIMAL, lower_bound=lower, proof=proof, stopped_by=stopped)


def joined(objective: str, results: Sequence[Result | SokoaspError], stopped: str | None) -> Result:
    """Return the best plan and the best proved bound of all engines as one result; ``stopped`` ended all of them together.

    Raises SokoaspError: no engine has answered, or one proves what another refutes.
    """
    found = [result for result in results if isinstance(result, Result)]
    if not found:
        raise next(
            (r for r in results if isinstance(r, SokoaspError)), SokoaspError("no engine of the portfolio answered")
        )
    plans = [r for r in found if r.plan is not None]
    refuted = [r for r in found if r.status is Status.UNSOLVABLE]
    if plans and refuted:
        raise SokoaspError(
            f"the engines disagree: {plans[0].engine} has a plan, {refuted[0].engine} proved that there is none"
        )
    best = min(plans, key=lambda r: (r.value or 0, r.status is not Status.OPTIMAL)) if plans else None
    decided = next((r for r in found if r.status in DECIDED), None)
    bound = max(found, key=lambda r: r.lower_bound)
    if best is not None and best.value is not None and bound.lower_bound > best.value:
        raise SokoaspError(
            f"the engines disagree: {best.engine} has {best.value}, {bound.engine} proved {bound.lower_bound}"
        )
    if best is None:
        return decided or replace(bound, stopped_by=stopped or bound.stopped_by, objective=objective)
    if best.value == bound.lower_bound:
        return with_bound(replace(best, stopped_by=None), bound.lower_bound, bound.engine)
    known = with_bound(best, bound.lower_bound, bound.engine)
    return replace(known, stopped_by=stopped or best.stopped_by, objective=objective)


def limit_named(limit: str | None, result: Result) -> Result:
    """Say which limit ended the run, if one did (``"time"`` or ``"memory"``), where the engine took its interrupt for Ctrl-C."""
    return result if limit is None or result.stopped_by != "interrupt" else ended_by(limit, result)


def ended_by(limit: str, result: Result) -> Result:
    """Say that a limit ended a run whose engine was interrupted; one that ended the cross-check alone ends no answer."""
    status = STOPPED[limit] if result.status is Status.INTERRUPTED else result.status
    if result.cross_check is not None and result.cross_check.interrupted:
        left = result.cross_check._replace(note="no time left: skipped")
        return replace(result, status=status, stopped_by=None, cross_check=left)
    return replace(result, status=status, stopped_by=limit)
