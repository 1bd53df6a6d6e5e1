"""The two certificates of an answer, kept apart: a proved lower bound and a replayed plan, each with its origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sokoasp.core import progress
from sokoasp.core.limits import peak_mb
from sokoasp.core.result import Result, certified
from sokoasp.sokoban import rules, validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan


@dataclass(slots=True)
class Certificates:
    """What is proved so far about one level and objective."""

    level: Level
    objective: str
    lower: int = 0
    lower_by: str = "no bound"
    plan: Plan | None = None
    plan_by: str = ""
    exhausted_by: str = ""
    """Who searched all there is and found no plan at all; empty if nobody did."""
    notes: list[str] = field(default_factory=list)

    @property
    def upper(self) -> int | None:
        """Return the cost of the best plan."""
        return None if self.plan is None else self.plan.cost(self.objective)

    def closed(self) -> bool:
        """Return whether nothing is left to prove."""
        upper = self.upper
        return bool(self.exhausted_by) or (upper is not None and self.lower >= upper)

    def raise_lower(self, bound: int, by: str) -> None:
        """Take note of a proved lower bound."""
        if bound > self.lower:
            self.lower, self.lower_by = bound, by
            progress.note(bound=bound)

    def offer(self, plan: Plan, by: str) -> bool:
        """Replay a plan by the rules and keep it if it is the best; return whether it was.

        Raises:
            IllegalPlan: The plan breaks the rules or leaves a goal empty.
        """
        plan = replayed(self.level, plan)
        upper = self.upper
        if upper is not None and plan.cost(self.objective) >= upper:
            return False
        self.plan, self.plan_by = plan, by
        progress.note(plan=self.upper, best=plan)
        return True

    def exhausted(self, by: str) -> None:
        """Take note that a search has seen everything: the best plan is optimal, or there is none."""
        upper = self.upper
        if upper is None:
            self.exhausted_by = by
        else:
            self.raise_lower(upper, by)

    def result(
        self,
        engine: str,
        *,
        stopped_by: str | None = None,
        seconds: Mapping[str, float] | None = None,
        counters: Mapping[str, int] | None = None,
    ) -> Result:
        """Build the answer; ``optimal`` only when the certificates meet."""
        upper = self.upper
        if self.exhausted_by:
            proof = f"{self.exhausted_by}: no plan exists"
        elif upper is not None and self.lower >= upper:
            proof = f"bound {self.lower} by {self.lower_by} meets the plan by {self.plan_by}"
        elif upper is not None:
            proof = f"plan {upper} by {self.plan_by}; bound {self.lower} by {self.lower_by}"
        else:
            proof = f"bound {self.lower} by {self.lower_by}" if self.lower else ""
        return certified(
            self.objective,
            engine,
            upper,
            self.lower if upper is None else min(self.lower, upper),
            plan=self.plan,
            none=bool(self.exhausted_by),
            # all searches ended without settling it: costs beyond what a state can hold
            stopped_by=stopped_by or "steps",
            proof="; ".join(filter(None, [proof, *self.notes])) or None,
            seconds=dict(seconds or {}),
            counters={"expanded": 0, "generated": 0, "states": 0, **(counters or {}), "peak_mb": round(peak_mb())},
        )


def replayed(level: Level, plan: Plan) -> Plan:
    """Return the plan of these moves with its line pushes as long as they can be, passed by the referee.

    Raises:
        IllegalPlan: It breaks the rules or leaves a goal empty.
    """
    again = rules.merged(level, plan)
    validate.validate(level, again)
    return again
