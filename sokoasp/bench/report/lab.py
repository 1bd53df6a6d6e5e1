"""Runs as Lab's ``properties``: the JSON file from which Lab and Downward Lab make their reports.

Source: Lab's documentation and examples/report-external-results.py: run names mapped to records with ``algorithm``, ``domain``,
``problem`` and attributes; the words for errors are those of Downward Lab's outcomes.py. ``outcome`` and ``bound`` are ours.
"""

from __future__ import annotations

import json
from typing import Any, TextIO

from sokoasp.bench.report.export import ExportedRun, runs
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import Store

_ERRORS = {
    "optimal": "success",
    "solved": "success",
    "unsolvable": "search-unsolvable",
    "no_plan": "search-unsolved-incomplete",
    "time_out": "search-out-of-time",
    "memory_out": "search-out-of-memory",
    "unknown": "search-unsolved-incomplete",
}
"""Outcome → Downward Lab's word; the others keep their own, and are unexplained errors where they are such here."""


def write(store: Store, file: TextIO) -> None:
    """Write a ``properties`` file; of a problem's seeds and repetitions each is a problem of its own."""
    records = {"-".join(record["id"]): record for record in map(_record, runs(store))}
    file.write(json.dumps(records, indent=2, sort_keys=True, ensure_ascii=False) + "\n")


def _record(run: ExportedRun) -> dict[str, Any]:
    """Return a run with Lab's attributes; what is not known is left out."""
    ids = [run.system, run.file, run.question]
    planned = run.outcome in ("optimal", "solved")
    record = {
        "id": ids,
        **dict(zip(("algorithm", "domain", "problem"), ids, strict=True)),
        "coverage": int(planned),
        "cost": run.value if planned else None,
        "total_time": run.cpu_seconds if planned else None,
        "planner_time": run.cpu_seconds,
        "planner_wall_clock_time": run.wall_seconds,
        "memory": None if run.memory_mb is None else round(run.memory_mb * 1e6 / 1024),
        "error": _ERRORS.get(run.outcome, run.outcome),
        "unexplained_errors": [run.outcome] if OUTCOMES[run.outcome].rank <= 1 else [],
        "time_limit": run.limit_seconds,
        "outcome": run.outcome,
        "bound": run.bound,
    }
    return {key: value for key, value in record.items() if value is not None}
