"""A table of what SAT solvers settle: bounds rising from nothing, or one question below a plan of the native search."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sokoasp import sat
from sokoasp.bench.studies.kept_rows import KeptRows, level_name
from sokoasp.core.crew import Crew
from sokoasp.core.limits import CpuLimits, Limits
from sokoasp.domain import domain_of
from sokoasp.engine.by_sat import STRIDE
from sokoasp.sat.formulas import least_gain, parity_of, rounded_up
from sokoasp.sat.solver_child import SolverQuestion, start
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level

WAYS = ("rising", "below")


@dataclass(frozen=True, slots=True)
class SatRow:
    """One level of the table; seconds are CPU seconds, of the plan and the formula too, but not of compiling."""

    name: str
    objective: str
    way: str
    """``rising``: CaDiCaL, no plan given. ``below``: the native search's plan, and one question for a better one."""
    limit: float
    value: int | None
    bound: int
    plan_seconds: float
    seconds: float

    @property
    def settled(self) -> bool:
        """Return whether plan and bound meet."""
        return self.value is not None and self.value == self.bound


def sat_rows(
    files: Iterable[Path], objective: str, seconds: float, *, way: str = "rising", rows: Path | None = None
) -> Iterator[SatRow]:
    """Ask SAT about every level, one process at a time, and yield its row as soon as it is there.

    Args:
        files: Level files.
        objective: ``lines``, ``pushes`` or ``moves``.
        seconds: CPU seconds for each level in all.
        way: ``rising`` or ``below``.
        rows: A file that keeps the rows: what stands there for this question is not asked again.

    Raises:
        MissingExtra: python-sat is not installed, or for ``below`` the native search.
        LevelError: A file is no level file.
    """
    sat.require()
    kept = KeptRows(rows, SatRow, lambda row: (row.name, row.objective, row.way, row.limit))
    for path in files:
        for number, level in enumerate(formats.read(path.read_bytes(), source=str(path)), 1):
            name = level_name(path, number)
            row = kept.get((name, objective, way, seconds))
            if row is None:
                row = _asked(level, name, objective, seconds, way)
                kept.add(row)
            yield row


def _asked(level: Level, name: str, objective: str, seconds: float, way: str) -> SatRow:
    domain = domain_of(level)
    parity, began, value = parity_of(level, objective), time.process_time(), None
    bounds = domain.estimate(level, objective).bounds
    spent = time.process_time() - began
    if way == "below":
        found = domain.native["native"](level, objective, CpuLimits(seconds=seconds / 3), None, None)
        if found.stopped_by == "interrupt":
            raise KeyboardInterrupt
        value = found.value
        spent += found.seconds.get("total", 0.0)
    row = SatRow(name, objective, way, seconds, value, bounds.first, round(spent, 3), round(spent, 3))
    if row.settled or (way == "below" and value is None):
        return row
    if value is None:
        question = SolverQuestion(
            level, objective, bounds.first, STRIDE[objective], bounds.last, cpu_seconds=seconds - spent
        )
    else:
        single = value - least_gain(parity)
        question = SolverQuestion(level, objective, single=single, cpu_seconds=seconds - spent)
    value, bound, used = _answers(question, value, bounds.first)
    return SatRow(
        name, objective, way, seconds, value, rounded_up(bound, parity), round(spent, 3), round(spent + used, 3)
    )


def _answers(question: SolverQuestion, value: int | None, bound: int) -> tuple[int | None, int, float]:
    """Return the best value, the best bound and the CPU seconds of one solver process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with Crew() as crew:
        start(crew, "solver", question)
        for _, event in crew.listen(Limits().start()):
            if not isinstance(event, dict):
                continue
            if event.get("verdict") == "unsat":
                bound = max(bound, int(event["bound"]) + 1)
            elif event.get("verdict") == "sat":
                value = min(int(event["value"]), int(event["value"]) if value is None else value)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return value, bound, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def sat_markdown(rows: Iterable[SatRow]) -> Iterator[str]:
    """Yield the lines of a Markdown table, each as soon as its row is there, and a closing line of counts."""
    yield "| level | value | bound | plan, CPU s | in all, CPU s |"
    yield "|---|---|---|---|---|"
    seen: list[SatRow] = []
    for row in rows:
        seen.append(row)
        value = "" if row.value is None else row.value
        yield f"| {row.name} | {value} | {row.bound} | {row.plan_seconds:.2f} | {row.seconds:.2f} |"
    settled = [row for row in seen if row.settled]
    yield ""
    yield f"{len(settled)} of {len(seen)} settled, {sum(row.seconds for row in seen):.0f} CPU s in all"
