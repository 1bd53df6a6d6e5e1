"""Make the open table of proved optima: a campaign that goes on where it stopped."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from sokoasp import __version__
from sokoasp.bench.define.instances import solution
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import CpuLimits, free_mb
from sokoasp.core.result import Result, Status
from sokoasp.sokoban import formats, optima_table, rules
from sokoasp.sokoban.canonical import Canonical, canonical
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.optima_table import Optimum, Table
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import Options, engines
from sokoasp.sokoban.validate import validate

_SAVE_EVERY = 20.0
"""Seconds after which the campaign writes what it has."""
Place = tuple[Path, int, Level]
"""A level with its file and its number there, from 1."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """What a row is made with."""

    objectives: tuple[str, ...] = ("pushes",)
    """``lines``, ``pushes``, ``moves``, or several joined by ``+``: best in the first, of these best in the second."""
    seconds: float = 5.0
    """CPU seconds for each row."""
    engine: str = "native"
    collection: str | None = None
    """Name of the collection; None takes it from the file's name."""
    known: bool = False
    """Search from the solution that came with a level where the table has no plan as good. It is not ours: a row that ends
    with it has its cost and no plan."""
    shorten: float | None = None
    """CPU seconds for which the plan a search begins with is shortened first, for rows of one objective."""


def levels(files: Iterable[Path]) -> list[Place]:
    """Return every readable level of the files, those with few boxes and cells first."""
    found = [
        (path, number, level)
        for path in files
        for number, level in enumerate(formats.read_each(path.read_bytes(), source=str(path)), 1)
        if isinstance(level, Level)
    ]
    return sorted(found, key=lambda place: (len(place[2].boxes), len(place[2].floor)))


def make(files: Iterable[Path], folder: Path, wishes: Campaign) -> Iterator[Optimum]:
    """Add rows to the table in ``folder``, small levels first, and yield each as soon as it is there.

    A settled row is left as it is; an open one is tried again when it was given less time, and keeps the better of both plans
    and bounds; a proved one that lacks a plan of ours is tried again to find one, unless ``known`` is wished. What is there is
    written every 20 seconds, at the end and when the run is interrupted; files are replaced whole, so that a kill at any time
    leaves a table. A row that was interrupted is not kept.

    Raises:
        NotationError: The table that is there cannot be read.
    """
    table = optima_table.read(folder) if (folder / optima_table.ROWS).exists() else {}
    with saving(folder, table) as save:
        for path, number, level in levels(files):
            form = canonical(level)
            place = origin(path, number, wishes.collection)
            for objective in wishes.objectives:
                before = table.get(form.name, {}).get(objective)
                if before is not None and not _to_try(before, wishes):
                    continue
                came = solution(level, path) if wishes.known else None
                row = _row(level, form, objective, wishes, before or _untried(form, objective, place), came)
                table.setdefault(form.name, {})[objective] = row
                yield row
            save()


@contextmanager
def saving(folder: Path, table: Table) -> Iterator[Callable[[], None]]:
    """Write a table as it grows: when called and 20 seconds have gone by, and at the end, however it comes."""
    saved = time.monotonic()

    def save() -> None:
        nonlocal saved
        if time.monotonic() - saved > _SAVE_EVERY:
            optima_table.write(folder, optima_table.rows_of(table))
            saved = time.monotonic()

    try:
        yield save
    finally:
        optima_table.write(folder, optima_table.rows_of(table))


def origin(path: Path, number: int, collection: str | None = None) -> tuple[str, str]:
    """Return collection and number of a level: ``microban02_0063.sok`` is microban02 63, others are file and level."""
    parts = re.fullmatch(r"([A-Za-z]+(?:\d\d_)?)(\d{4})", path.stem)
    if parts is not None and number == 1:
        return collection or parts[1].rstrip("_"), str(int(parts[2]))
    return collection or f"{path.parent.name}/{path.name}", str(number)


def ask(level: Level, objective: str, seconds: float, *, engine: str = "native", upper: Plan | None = None) -> Result:
    """Answer a row's question natively within so many CPU seconds, on one processor.

    Raises:
        KeyboardInterrupt: It was interrupted.
    """
    limits = CpuLimits(seconds=seconds, memory_mb=free_mb())
    if "+" in objective:
        from sokoasp.sokoban.search.exact.lexicographic import break_ties

        found = break_ties(level, tuple(objective.split("+")), limits)
    else:
        found = engines.solve(level, objective, limits, engine=engine, upper=upper, options=Options(workers=1))
    if found.stopped_by == "interrupt":
        raise KeyboardInterrupt  # a search that was cut short says nothing about the limit
    return found


def costs(level: Level, plan: Plan, objective: str) -> optima_table.Costs:
    """Referee a plan and return what it costs, an entry for each part of the objective.

    Raises:
        IllegalPlan: It is no solution.
    """
    counts = validate(level, plan)
    return tuple(int(getattr(counts, name)) for name in objective.split("+"))


def settled(found: Result) -> str:
    """Return the status of the row that a result makes."""
    if found.status is Status.UNSOLVABLE:
        return "unsolvable"
    return "proved" if found.status is Status.OPTIMAL else "open"


def _to_try(row: Optimum, wishes: Campaign) -> bool:
    if row.status == "open":
        return float(row.limit) < wishes.seconds
    return row.status == "proved" and not row.has_plan and not wishes.known


def _untried(form: Canonical, objective: str, place: tuple[str, str]) -> Optimum:
    return Optimum(form.name, objective, "open", "", "", *place, "", "0", __version__)


def _row(
    level: Level, form: Canonical, objective: str, wishes: Campaign, before: Optimum, came: Plan | None
) -> Optimum:
    """Ask a row's question from the best plan at hand, the row's own or the one that came with the level."""
    ours = rules.plan_from_lurd(level, form.turn.back.lurd(before.plan)) if before.has_plan else None
    plans = [plan for plan in (ours, came) if plan is not None]
    upper = min(plans, key=lambda plan: costs(level, plan, objective), default=None)
    known = upper is not None and upper is came
    if upper is not None and wishes.shorten is not None and "+" not in objective:
        from sokoasp.sokoban.search.improvement.plan_segments import shorten

        upper = shorten(level, upper, objective, CpuLimits(seconds=wishes.shorten, memory_mb=free_mb()))
    found = ask(level, objective, wishes.seconds, engine=wishes.engine, upper=upper)
    value, plan = _cheapest(level, form, objective, before, found, came)
    if found.plan is not None and found.status is Status.OPTIMAL and value[0] != found.value:
        raise SokoaspError(f"{before.origin}: the plan does not cost {found.value} {objective}")
    if before.status == "proved" and not plan:
        return before  # still no plan of ours
    status = settled(found)
    bound: optima_table.Costs = value if status == "proved" else (found.lower_bound,)
    bound = max(bound, optima_table.parse(before.bound))
    if status == "open" and value and bound == value:
        status = "proved"
    return replace(
        before,
        status=status,
        value=optima_table.shown(value),
        bound="" if status == "unsolvable" else optima_table.shown(bound),
        closed_by=found.engine + (" with known solution" if known else ""),
        limit=f"{wishes.seconds:g}",
        version=__version__,
        plan=plan,
        verified="",
    )


def _cheapest(
    level: Level, form: Canonical, objective: str, before: Optimum, found: Result, came: Plan | None
) -> tuple[optima_table.Costs, str]:
    """Return the least cost known now, and our plan of that cost in the canonical orientation, empty if we have none."""
    if found.status is Status.UNSOLVABLE:
        return (), ""
    known = [(optima_table.parse(before.value), not before.plan, before.plan)] if before.value else []
    for plan in (found.plan, came):
        if plan is not None:
            ours = came is None or plan.lurd != came.lurd
            moves = form.turn.lurd(plan.lurd) if ours else ""
            known.append((costs(level, plan, objective), not moves, moves))
    value, _, moves = min(known, default=((), True, ""))
    return value, moves
