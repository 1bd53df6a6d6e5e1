"""Results as the contract's JSON objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sokoasp.core.result import Result, Status
from sokoasp.domain import Game, Problem, domain_of
from sokoasp.engine.checking import counts_of


def as_json(problem: Problem, result: Result, *, file: str = "", level: int = 1) -> Mapping[str, Any]:
    """Return the contract's JSON object of a result."""
    domain = domain_of(problem)
    counts = counts_of(problem, result)
    check = result.cross_check
    return {
        "file": file,
        "level": level,
        "title": domain.texts.title(problem),
        "status": str(result.status),
        "objective": result.objective,
        "value": result.value,
        "lower_bound": None if result.status is Status.UNSOLVABLE else result.lower_bound,
        **{name: counts.get(name) for name in domain.objectives},
        "plan": domain.texts.plan_json(result.plan) if result.plan is not None else None,
        **({"plans": [domain.texts.plan_json(plan) for plan in result.plans]} if result.plans else {}),
        **_extras(domain, result),
        "engine": result.engine,
        "encoding": result.encoding,
        "proof": result.proof,
        "stopped_by": result.stopped_by,
        "cross_check": None
        if check is None
        else {
            "engine": check.engine,
            "value": check.value,
            "agrees": check.agrees,
            "note": check.note,
            **(
                {"plan": domain.texts.plan_json(check.plan)} if check.agrees is False and check.plan is not None else {}
            ),
        },
        "known_optimum": domain.known.optimum(problem, result.objective, False),
        "seconds": {name: round(seconds, 4) for name, seconds in result.seconds.items()},
        "steps": [
            {"t": s.t, "result": s.result, "seconds": round(s.seconds, 4), "conflicts": s.conflicts}
            for s in result.steps
        ],
        "counters": dict(result.counters),
    }


def _extras(domain: Game, result: Result) -> dict[str, Any]:
    """Return what is there only when it was asked for."""
    extras: dict[str, Any] = {}
    if result.count is not None:
        extras["count"] = result.count
    if result.question is not None:
        asked = result.question
        plan = None if asked.plan is None else domain.texts.plan_json(asked.plan)
        question = {name: getattr(asked, name) for name in ("actions", "exactly", "answer", "by")}
        extras["question"] = question | ({"plan": plan} if plan is not None else {})
    if result.cost is not None:
        costs = [{"priority": priority, "cost": cost} for priority, cost in result.cost.preferences]
        extras["preferences"] = {"cost": costs, "then": list(result.cost.then), "proved": result.cost.proved}
    if result.note is not None:
        extras["note"] = result.note
    return extras
