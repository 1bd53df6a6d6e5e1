"""The runs of a campaign for other programs: a table (CSV, JSON lines), Lab's properties, benchmark-tool's evaluation."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass, fields
from typing import TextIO

from sokoasp.bench.report import judge, tables
from sokoasp.bench.run.store import Store


@dataclass(frozen=True, slots=True)
class ExportedRun:
    """A run as it is exported: its fields are the columns of the table, always these, in this order."""

    file: str
    """Without the folder that all full paths share, or all others."""
    level: int
    """Its number in the file, from 1."""
    objective: str
    system: str
    seed: int
    repetition: int
    limit_seconds: float
    outcome: str
    value: int | None
    """Cost of the refereed plan."""
    bound: int | None
    """Proved lower bound."""
    wall_seconds: float
    cpu_seconds: float
    memory_mb: float | None
    """Peak resident memory."""
    rules: int | None
    atoms: int | None
    conflicts: int | None
    plan: str | None

    @property
    def question(self) -> str:
        """Return a name for what is asked of the instance; only other seeds and repetitions than the first stand in it."""
        extra = f"#{self.seed}.{self.repetition}" if self.seed or self.repetition else ""
        return f"{self.level}-{self.objective}{extra}"


_CELLS = "objective system seed repetition limit_seconds outcome value lower_bound wall cpu peak_mb rules atoms conflicts plan"


def runs(store: Store) -> Iterator[ExportedRun]:
    """Yield the runs that the suite asked for last, as judged by comparing all."""
    files = tables.files(store)
    for run in judge.rows(store, ("instance", *_CELLS.split())):
        cells = [run[name] for name in _CELLS.split()]
        yield ExportedRun(*files.get(run["instance"], (run["instance"], 1)), *cells)


def write_csv(store: Store, file: TextIO) -> None:
    """Write a table with a head; what is not known is an empty cell."""
    table = csv.writer(file, lineterminator="\n")
    table.writerow(one.name for one in fields(ExportedRun))
    table.writerows(map(astuple, runs(store)))


def write_jsonl(store: Store, file: TextIO) -> None:
    """Write one JSON object a line; what is not known is null."""
    file.writelines(json.dumps(asdict(run), ensure_ascii=False) + "\n" for run in runs(store))
