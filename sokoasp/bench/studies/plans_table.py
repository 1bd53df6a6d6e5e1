"""A table of plans over many levels: how many an engine finds under one limit, how long they are, what they cost to find."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sokoasp.bench.studies.kept_rows import KeptRows, level_name
from sokoasp.bench.studies.native_table import solution
from sokoasp.core.limits import CpuLimits, free_mb
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.engines import solve
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.rosters import improve
from sokoasp.sokoban.search.satisficing.macro_workspace import load


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
    shortening: float | None = None
    """CPU seconds that ``improve`` had for the plan, not counted in ``seconds``."""
    shortened: int | None = None
    """Pushes of the plan it made of it."""
    proved: int | None = None
    """The lower bound it proved."""


def plan_rows(
    files: Iterable[Path],
    seconds: float,
    *,
    engine: str = "any",
    shorten: float | None = None,
    rows: Path | None = None,
) -> Iterator[PlanRow]:
    """Look for a plan on every level with one process, and yield its row as soon as it is there.

    Args:
        files: Level files.
        seconds: CPU seconds for each level.
        engine: A native engine.
        shorten: Let ``improve`` work on the plan found for so many CPU seconds.
        rows: A file that keeps the rows: what stands there for this engine and these seconds is not run again.

    Raises:
        LevelError: A file is no level file.
    """
    load(Options())  # loading what is compiled is no level's time
    kept = KeptRows(rows, PlanRow, lambda row: (row.name, row.engine, row.limit, row.shortening))
    for path in files:
        for number, level in enumerate(formats.read(path.read_bytes(), source=str(path)), 1):
            name = level_name(path, number)
            row = kept.get((name, engine, seconds, shorten))
            if row is None:
                row = _made(level, name, solution(level, path), seconds, engine, shorten)
                kept.add(row)
            yield row


def _made(
    level: Level, name: str, known: Plan | None, seconds: float, engine: str, shortening: float | None
) -> PlanRow:
    """Run the engine on one level, then shorten its plan if asked; a level that was cut short is no row."""
    began, options = time.process_time(), Options(workers=1)
    found = solve(level, "pushes", _limits(seconds), engine=engine, options=options)
    if found.stopped_by == "interrupt":
        raise KeyboardInterrupt
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
        shortening=shortening,
    )
    if shortening is None or found.plan is None:
        return row
    better = improve(level, found.plan, "pushes", _limits(shortening), options)
    if better.stopped_by == "interrupt":
        raise KeyboardInterrupt
    return replace(row, shortened=better.value, proved=better.lower_bound)


def _limits(seconds: float) -> CpuLimits:
    return CpuLimits(seconds=seconds, memory_mb=free_mb())


def plans_markdown(rows: Iterable[PlanRow]) -> Iterator[str]:
    """Yield the lines of a Markdown table, each as soon as its row is there, and a closing line of sums."""
    yield "| level | plan | shortened | known | bound | CPU s | by |"
    yield "|---|---|---|---|---|---|---|"
    seen: list[PlanRow] = []
    for row in rows:
        seen.append(row)
        bound = row.bound if row.proved is None else max(row.bound, row.proved)
        cells = ("" if value is None else value for value in (row.pushes, row.shortened, row.known, bound))
        yield f"| {row.name} | {' | '.join(map(str, cells))} | {row.seconds:.2f} | {row.by} |"
    found = [row for row in seen if row.pushes is not None]
    yield ""
    yield (
        f"{len(found)} of {len(seen)} with a plan, {sum(row.pushes or 0 for row in found)} pushes in all"
        f"{_over((row.pushes, row.known) for row in found)}, {sum(row.seconds for row in seen):.0f} CPU s"
    )
    if shortened := [row for row in found if row.shortened is not None]:
        proved = sum(row.shortened == row.proved for row in shortened)
        yield (
            f"{len(shortened)} shortened to {sum(row.shortened or 0 for row in shortened)} pushes in all"
            f"{_over((row.shortened, row.known) for row in shortened)}, {proved} of them proved optimal"
        )


def _over(costs: Iterable[tuple[int | None, int | None]]) -> str:
    ratios = [ours / known for ours, known in costs if ours and known]
    return f", {100 * (sum(ratios) / len(ratios) - 1):.1f} % over the known solutions on the average" if ratios else ""
