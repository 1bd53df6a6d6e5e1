"""The process that looks for a plan natively while SAT solvers run: it sends each plan as soon as it has it.

Start it with ``sat.process.Crew``; it reads one pickled ``PlannerQuestion`` from its standard input.
"""

from __future__ import annotations

import base64
import json
import pickle
import sys
from dataclasses import dataclass, replace
from typing import Any

from sokoasp.core.errors import MissingExtra
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.domain import Problem, domain_of
from sokoasp.sat.solver_child import die_with_parent

FIRST = 8.0
"""Seconds after which the best plan so far is sent, although the search may go on."""


@dataclass(frozen=True, slots=True)
class PlannerQuestion:
    """What the planner is asked."""

    problem: Problem
    objective: str
    limits: Limits


def main() -> None:
    """Answer the question on standard input: a plan, a better one, or that there is none."""
    die_with_parent()
    question: PlannerQuestion = pickle.loads(sys.stdin.buffer.read())
    ask = domain_of(question.problem).native["native"]
    clock, known = question.limits.start(), None
    for slice_ in (FIRST, None):
        left = clock.remaining
        seconds = left if slice_ is None else slice_ if left is None else min(slice_, left)
        try:
            found = ask(question.problem, question.objective, replace(question.limits, seconds=seconds), known, None)
        except MissingExtra:
            return
        if found.status is Status.UNSOLVABLE:
            _tell(unsolvable=found.proof or "")
        elif found.plan is not None:
            known = found.plan
            _tell(plan=packed(found.plan), proved=found.status is Status.OPTIMAL)
        if found.status in (Status.OPTIMAL, Status.UNSOLVABLE):
            return


def packed(plan: Any) -> str:
    """Return a plan as text for one line of JSON."""
    return base64.b64encode(pickle.dumps(plan)).decode()


def unpacked(text: str) -> Any:
    """Return the plan that our own child has packed."""
    return pickle.loads(base64.b64decode(text))


def _tell(**what: Any) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
