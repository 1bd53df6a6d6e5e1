"""A table of plans over many levels: how many an engine finds under one limit, how long they are, what they cost to find."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sokoasp.bench.studies.kept_rows import KeptRows, level_name
from sokoasp.bench.studies.native_table import solution
from sokoasp.core.limits import CpuLimits, free_mb
from sokoasp.sokoban import formats
from sokoasp.sokoban.search.options import Options
from sokoasp.sokoban.search.registry import solve


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One level of the table; costs are None without a plan."""

    name: str
    engine: str
    limit: float
    """CPU seconds the engine had."""
    status: str
    pushes: int | None
    bound: int
    known: int | None
    """Pushes of the solution that came with the level (never shown to the engine)."""
    seconds: float
    """CPU seconds used, tables included, compiling not."""
    by: str


def plan_rows(
    files: Iterable[Path], seconds: float, *, engine: str = "any", rows: Path | None = None
) -> Iterator[PlanRow]:
    """Look for a plan on every level with one process, and yield its row as soon as it is there.

    Args:
        files: Level files.
        seconds: CPU seconds for each level.
        engine: A native engine.
        rows: A file that keeps the rows: what stands there for this engine and limit is not run again.

    Raises:
        LevelError: A file is no level file.
    """
    kept = KeptRows(rows, PlanRow, lambda row: (row.name, row.engine, row.limit))
    for path in files:
        for number, level in enumerate(formats.read(path.read_bytes(), source=str(path)), 1):
            name = level_name(path, number)
            row = kept.get((name, engine, seconds))
            if row is None:
                known = solution(level, path)
                began = time.process_time()
                limits = CpuLimits(seconds=seconds, memory_mb=free_mb())
                found = solve(level, "pushes", limits, engine=engine, options=Options(workers=1))
                if found.stopped_by == "interrupt":
                    raise KeyboardInterrupt  # a level that was cut short is no row
                row = PlanRow(
                    name=name,
                    engine=engine,
                    limit=seconds,
                    status=str(found.status),
                    pushes=found.value,
                    bound=found.lower_bound,
                    known=None if known is None else known.pushes,
                    seconds=round(found.seconds.get("total", time.process_time() - began), 3),
                    by=(found.proof or "").partition(";")[0],
                )
                kept.add(row)
            yield row


def plans_markdown(rows: Iterable[PlanRow]) -> Iterator[str]:
    """Yield the lines of a Markdown table, each as soon as its row is there, and a closing line of sums."""
    yield "| level | plan | known | bound | CPU s | by |"
    yield "|---|---|---|---|---|---|"
    seen: list[PlanRow] = []
    for row in rows:
        seen.append(row)
        plan, known = ("" if value is None else value for value in (row.pushes, row.known))
        yield f"| {row.name} | {plan} | {known} | {row.bound} | {row.seconds:.2f} | {row.by} |"
    found = [row for row in seen if row.pushes is not None]
    over = [row.pushes / row.known for row in found if row.pushes and row.known]
    yield ""
    longer = f", {100 * (sum(over) / len(over) - 1):.1f} % over the known solutions on the average" if over else ""
    yield (
        f"{len(found)} of {len(seen)} with a plan, {sum(row.pushes or 0 for row in found)} pushes in all{longer}, "
        f"{sum(row.seconds for row in seen):.0f} CPU s"
    )
