"""Comparison of all runs: which claims do refereed plans of other runs, or known optima, refute?"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import ASKED, Store

_READ = """SELECT key, instance, system, objective, question, outcome, value, lower_bound,
  iif(outcome = 'no_plan' AND objective = 'lines', json_extract(counters, '$.bound'), NULL) AS bound,
  (SELECT json_extract(spec, '$.fewest') FROM system WHERE system.digest = run.digest) AS fewest FROM run"""


class RunVerdict(NamedTuple):
    """What a run comes to once all are compared."""

    outcome: str
    message: str


def verdicts(store: Store) -> dict[str, RunVerdict]:
    """Return the runs, by key, whose outcome changes when all runs and the known values are compared."""
    plans, known = _known(store)
    found: dict[str, RunVerdict] = {}
    sound = {name for name, outcome in OUTCOMES.items() if outcome.proper}
    runs = store.connection.execute(_READ)
    names = [column[0] for column in runs.description]
    for row in runs:
        run = dict(zip(names, row, strict=True))
        if run["outcome"] in sound and (reason := _refuted(run, plans, known)):
            found[run["key"]] = RunVerdict("wrong_claim", reason)
    return found


_Plans = dict[tuple[str, str, str], dict[int, str]]
"""(instance, objective, question) → what refereed plans cost, and who found the first of each."""


def _known(store: Store) -> tuple[_Plans, dict[tuple[str, str], int]]:
    """Return the refereed plans and the known optima for (instance, objective)."""
    plans: _Plans = defaultdict(dict)
    known: dict[tuple[str, str], int] = {}
    for instance, text in store.connection.execute("SELECT id, known FROM instance"):
        for name, value in json.loads(text).items():
            if name.startswith("plan:"):
                plans[instance, name[5:], ""][value] = "the solution that came with the level"
            else:
                known[instance, name] = value
    for instance, objective, question, value, system, pushes in store.connection.execute(
        "SELECT DISTINCT instance, objective, question, value, system, json_extract(counters, '$.pushes') FROM run "
        "WHERE value IS NOT NULL AND outcome NOT IN ('wrong_plan') ORDER BY value"
    ):
        for asked in {question, ""}:
            plans[instance, objective, asked].setdefault(value, system)
        for more in range(value + 1, int(pushes or 0) + 1):
            plans[instance, objective, ""].setdefault(more, f"{system} (whose plan of {value} can be cut)")
    return plans, known


def _refuted(run: Mapping[str, Any], plans: _Plans, known: Mapping[tuple[str, str], int]) -> str | None:
    """Say what refutes a run's claim, None if nothing does."""
    objective, value, outcome = run["objective"], run["value"], run["outcome"]
    found = plans.get((run["instance"], objective, run["question"]), {})
    if found:
        best = min(found)
        plan = f"{found[best]} has a refereed plan with {best}"
        if outcome == "unsolvable":
            return f"claims unsolvable; {plan} {objective}"
        if outcome == "optimal" and value is not None and value > best:
            return f"claims {value} {objective} is optimal; {plan}"
        if run["lower_bound"] is not None and run["lower_bound"] > best:
            return f"claims at least {run['lower_bound']} {objective}; {plan}"
        if run["fewest"] and run["bound"] is not None and best <= run["bound"]:
            return f"claims no plan with at most {run['bound']:g} lines; {plan}"
    if who := found.get(run["bound"]):
        return f"claims no plan with {run['bound']:g} lines; {who} has a refereed one"
    optimum = known.get((run["instance"], objective)) if run["question"] == "" else None
    if outcome == "unsolvable" and optimum is not None:
        return f"claims unsolvable; the known optimum is {optimum} {objective}"
    if outcome == "optimal" and optimum is not None and value != optimum:
        return f"claims {value} {objective} is optimal; the known optimum is {optimum}"
    return None


def rows(
    store: Store, columns: Iterable[str], changed: Mapping[str, RunVerdict] | None = None, *, asked: bool = True
) -> Iterator[dict[str, Any]]:
    """Yield these columns of the runs by name, outcome, message and ``decided`` as they are after the comparison of all.

    The objective of a run under constraints names them. ``asked``: only the runs that the suite asked for last, so that no
    table mixes two limits, or two versions of a program.
    """
    changed, columns = verdicts(store) if changed is None else changed, tuple(dict.fromkeys(("key", *columns)))
    for values in store.rows((ASKED if name == "objective" else name for name in columns), asked=asked):
        row = dict(zip(columns, values, strict=True))
        verdict = changed.get(row["key"])
        if verdict is not None:
            row |= {"outcome": verdict.outcome, "message": verdict.message, "decided": 0}
        yield row


def counts(store: Store, changed: Mapping[str, RunVerdict] | None = None) -> dict[str, int]:
    """Return how many runs came to each outcome, in the order of the report, absent ones left out.

    ``changed`` is what ``verdicts`` found, if that is known already.
    """
    found = Counter(row["outcome"] for row in rows(store, ("outcome",), changed))
    return {name: found[name] for name in OUTCOMES if found[name]}


def alarming(counts: Mapping[str, int]) -> bool:
    """Return whether there is a wrong answer or an unexplained error among the outcomes."""
    return any(OUTCOMES[name].rank <= 1 for name in counts)
