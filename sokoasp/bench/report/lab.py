"""Runs as Lab's ``properties``, both ways: the JSON file from which Lab and Downward Lab make their reports.

Source: Lab's documentation and examples/report-external-results.py: run names mapped to records with ``algorithm``, ``domain``,
``problem`` and attributes. What Lab has no attribute for travels in ours (``outcome``, ``bound``, ``instance``, ``objective``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from sokoasp.bench.report.exchange import Exchanged, whole
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.core.errors import CampaignError
from sokoasp.core.json_text import parsed

_ERRORS = {
    "optimal": "success",
    "solved": "success",
    "unsolvable": "search-unsolvable",
    "no_plan": "search-unsolvable-incomplete",
    "time_out": "search-out-of-time",
    "memory_out": "search-out-of-memory",
    "unknown": "search-unsolvable-incomplete",
}
"""Outcome → Downward Lab's word; the others keep their own, and are unexplained errors where they are such here."""
_OURS = ("outcome", "objective", "bound", "instance", "name", "seed", "repetition")
_OUTCOMES = {
    "success": "solved",
    "search-unsolvable": "unsolvable",
    "translate-unsolvable": "unsolvable",
    "search-out-of-time": "time_out",
    "search-out-of-memory": "memory_out",
    "search-unsolvable-incomplete": "unknown",
}


def properties(found: Iterable[Exchanged]) -> str:
    """Return runs as the text of a ``properties`` file; of a problem's seeds and repetitions each is a problem of its own."""
    records: dict[str, dict[str, Any]] = {}
    for run in found:
        file, _, level = run.name.rpartition(":")
        extra = f"#{run.seed}.{run.repetition}" if run.seed or run.repetition else ""
        ids = [run.system, file or run.name, f"{level if file else 1}-{run.objective}{extra}"]
        planned = run.outcome in ("optimal", "solved") and run.value is not None
        rank = OUTCOMES[run.outcome].rank
        record = {
            "algorithm": ids[0],
            "domain": ids[1],
            "problem": ids[2],
            "id": ids,
            "coverage": int(planned),
            "cost": run.value if planned else None,
            "total_time": run.cpu if planned else None,
            "planner_time": run.cpu,
            "planner_wall_clock_time": run.wall,
            "memory": None if run.memory_mb is None else round(run.memory_mb * 1e6 / 1024),
            "error": _ERRORS.get(run.outcome, run.outcome),
            "unexplained_errors": [run.outcome] if rank <= 1 else [],
            "time_limit": run.limit,
            **{name: getattr(run, name) for name in _OURS},
        }
        records["-".join(ids)] = {key: value for key, value in record.items() if value is not None}
    return json.dumps(records, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def read(text: str, source: str) -> list[Exchanged]:
    """Read a ``properties`` file, ours or others' (whose costs count as ``cost``, and plans without a claim to be best).

    Raises:
        CampaignError: It is not JSON, or a record lacks algorithm, domain or problem.
    """
    records = parsed(text, source, CampaignError)
    if not isinstance(records, dict):
        raise CampaignError("no properties of Lab: it must be an object of runs", source=source, line=1)
    return [_of_record(name, record, source) for name, record in records.items()]


def _of_record(name: str, record: Any, source: str) -> Exchanged:
    lacking = {"algorithm", "domain", "problem"} - set(record if isinstance(record, Mapping) else ())
    if lacking:
        raise CampaignError(f"run {name!r} has no {', '.join(sorted(lacking))}", source=source, line=1)

    def number(key: str) -> float | None:
        value = record.get(key)
        return float(value) if isinstance(value, int | float) else None

    solved = record.get("coverage") == 1
    outcome = record.get("outcome") or _OUTCOMES.get(str(record.get("error", "success" if solved else "")), "unknown")
    memory, cost, bound = number("memory"), number("cost"), number("bound")
    cpu = number("planner_time") or number("total_time") or 0.0
    return Exchanged(
        name=str(record.get("name") or f"{record['domain']}/{record['problem']}"),
        system=str(record["algorithm"]),
        objective=str(record.get("objective", "cost")),
        outcome=outcome if outcome in OUTCOMES else "unknown",
        wall=number("planner_wall_clock_time") or cpu,
        cpu=cpu,
        memory_mb=None if memory is None else memory * 1024 / 1e6,
        value=whole(cost),
        bound=whole(bound),
        instance=str(record.get("instance", "")),
        seed=whole(number("seed")) or 0,
        repetition=whole(number("repetition")) or 0,
        limit=number("time_limit") or 0.0,
    )
