"""Every run of a campaign as a table for other programs: CSV, or JSON lines."""

from __future__ import annotations

import csv
import json
from typing import TextIO

from sokoasp.bench.report import judge
from sokoasp.bench.run.certification import certificates
from sokoasp.bench.run.store import COLUMNS, Store
from sokoasp.engine.certificates import ACCEPTED

_INSTANCE = ("group", "file", "level", "title")


def export(store: Store, to: str, file: TextIO) -> None:
    """Write every run, as judged by comparing all, as ``csv`` or ``jsonl`` with its instance and certificate."""
    known = store.connection.execute('SELECT id, "group", file, level, title FROM instance')
    instances = {key: dict(zip(_INSTANCE, about, strict=True)) for key, *about in known}
    sums = {
        (one.instance, one.objective, one.value): one.sha256 for one in certificates(store) if one.verdict == ACCEPTED
    }
    table = csv.DictWriter(file, [*COLUMNS, *_INSTANCE, "certificate"])
    if to == "csv":
        table.writeheader()
    for run in judge.rows(store, COLUMNS, asked=False):
        run |= instances.get(run["instance"]) or dict.fromkeys(_INSTANCE)
        proved = run["outcome"] in ("optimal", "unsolvable")
        run["certificate"] = sums.get((run["instance"], run["objective"], run["value"])) if proved else None
        if to == "csv":
            table.writerow(run)
            continue
        run |= {name: json.loads(run[name]) for name in ("steps", "counters") if run[name] is not None}
        file.write(json.dumps(run, ensure_ascii=False) + "\n")
