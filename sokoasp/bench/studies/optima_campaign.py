"""The open table of proved optima: a campaign of the ready suite ``optima``, and the export of its store into the table."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sokoasp import __version__
from sokoasp.bench.define import instances
from sokoasp.bench.define.instances import Instance
from sokoasp.bench.define.overrides import Changes
from sokoasp.bench.define.suite import find_suite, read_suite
from sokoasp.bench.report import judge
from sokoasp.bench.run import campaign, store
from sokoasp.bench.run.job import Job
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.selection import Selection
from sokoasp.bench.run.store import Store
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import CpuLimits, free_mb
from sokoasp.core.result import Result, Status
from sokoasp.sokoban import formats, optima_table, rules
from sokoasp.sokoban.canonical import Canonical, canonical
from sokoasp.sokoban.formats import lurd
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.optima_table import Optimum, Table
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import Options, engines
from sokoasp.sokoban.validate import validate

_SAVE_EVERY = 20.0
"""Seconds after which certificates that have been made are written."""
_COLUMNS = ("instance", "objective", "outcome", "lower_bound", "plan", "limit_seconds", "counters", "digest")
Place = tuple[Path, int, Level]
"""A level with its file and its number there, from 1."""


def levels(files: Iterable[Path]) -> list[Place]:
    """Return every level of the files, those with few boxes and cells first. Raises SokoaspError: one is faulty."""
    found = [
        (path, number, level)
        for path in files
        for number, level in enumerate(formats.read(path.read_bytes(), source=str(path)), 1)
    ]
    return sorted(found, key=lambda place: (len(place[2].boxes), len(place[2].floor)))


@dataclass(frozen=True, slots=True)
class TableCampaign:
    """Where a campaign for the table lives, and what it asks."""

    table: Path
    """The table's folder; what is proved there already is not asked again."""
    folder: Path
    """The campaign's own folder."""
    changes: Changes
    """Files, and values in place of those of the suite ``optima``."""
    collection: str | None = None
    """Name of the collection; None takes it from the files' names."""


def make(
    asked: TableCampaign, execute: campaign.Execute, on_run: Callable[[campaign.Progress], None] = lambda progress: None
) -> list[Optimum]:
    """Run what the table lacks, add what came of it to the table, also when interrupted, and return the rows that changed.

    A settled row is left as it is; an open one is asked again when it was given less time; a proved one that lacks a plan of
    ours is asked again to find one, unless the search is given the plan that came with the level.

    Raises:
        SokoaspError: The table, the suite's values or the levels cannot be read.
    """
    suite = read_suite(find_suite("optima"), asked.changes)
    known = optima_table.read(asked.table) if (asked.table / optima_table.ROWS).exists() else {}
    found = instances.expand(suite)
    boards = {name: canonical(level).name for name, (_, level) in _levels_by_id(found).items()}

    def wanted(job: Job) -> bool:
        row = known.get(boards.get(job.instance, ""), {}).get(job.objective)
        if row is None:
            return True
        if row.status == "open":
            return float(row.limit) < job.limits.seconds
        return row.status == "proved" and not row.has_plan and getattr(job.system.how, "known", None) is not True

    try:
        campaign.run(suite, asked.folder, execute, on_run=on_run, selection=Selection(wanted=wanted))
    finally:
        rows = []
        if (asked.folder / store.FILE).exists():
            with Store(asked.folder / store.FILE) as opened:
                rows = list(export(opened, found, known, asked.collection))
        optima_table.write(asked.table, optima_table.rows_of(known))
    return rows


def export(opened: Store, found: Iterable[Instance], table: Table, collection: str | None = None) -> Iterator[Optimum]:
    """Add what the runs of a store say of these levels to a table, as judged by comparing all runs; yield rows that changed."""
    by_id = _levels_by_id(found)
    specs = {digest: json.loads(spec) for digest, spec in opened.connection.execute("SELECT digest, spec FROM system")}
    for run in judge.rows(opened, _COLUMNS, asked=False):
        if run["instance"] not in by_id or OUTCOMES[run["outcome"]].rank <= 2:
            continue
        one, level = by_id[run["instance"]]
        form, objective = canonical(level), run["objective"]
        before = table.get(form.name, {}).get(objective)
        place = origin(Path(one.file), one.level, collection)
        untried = Optimum(form.name, objective, "open", "", "", *place, "", "0", __version__)
        row = _merged(level, form, before or untried, run, specs.get(run["digest"], {}))
        if row != before:
            table.setdefault(form.name, {})[objective] = row
            yield row


def _levels_by_id(found: Iterable[Instance]) -> dict[str, tuple[Instance, Level]]:
    """Return the instances that the table can hold: it is one of Sokoban levels."""
    return {one.id: (one, one.problem) for one in found if isinstance(one.problem, Level)}


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
    """Answer a row's question natively within ``seconds`` CPU seconds, on one processor.

    Raises:
        KeyboardInterrupt: It was interrupted.
    """
    limits = CpuLimits(seconds=seconds, memory_mb=free_mb())
    if "+" in objective:
        from sokoasp.sokoban.search.exact.lexicographic import break_ties

        found = break_ties(level, tuple(objective.split("+")), limits)
    else:
        found = engines.solve(level, objective, limits, engine=engine, upper=upper, options=Options())
    return found.uninterrupted()


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


def _merged(level: Level, form: Canonical, before: Optimum, run: dict[str, Any], system: dict[str, Any]) -> Optimum:
    """Return a row with what a run adds to it: the better of both plans, the higher of both bounds."""
    if before.status == "unsolvable" or (before.status == "proved" and before.has_plan):
        return before
    came = min(_solutions(level), key=lambda plan: costs(level, plan, before.objective), default=None)
    came = came if system.get("known") is True else None
    plan = rules.plan_from_lurd(level, run["plan"]) if run["plan"] else None
    value, moves = _cheapest(level, form, before, plan, came)
    if run["outcome"] == "unsolvable":
        value, moves = (), ""
    if before.status == "proved" and not moves:
        return before  # still no plan of ours
    if before.status == "open" and float(before.limit) > run["limit_seconds"]:
        run = {**run, "limit_seconds": float(before.limit)}
    status = {"optimal": "proved", "unsolvable": "unsolvable"}.get(run["outcome"], "open")
    bound: optima_table.Costs = value if status == "proved" else (run["lower_bound"] or 0,)
    bound = max(bound, optima_table.parse(before.bound))
    if status == "open" and value and bound == value:
        status = "proved"
    given = came is not None and json.loads(run["counters"] or "{}").get("start") is not None
    return before._replace(
        status=status,
        value=optima_table.shown(value),
        bound="" if status == "unsolvable" else optima_table.shown(bound),
        closed_by=system.get("engine", "") + (" with known solution" if given else ""),
        limit=f"{run['limit_seconds']:g}",
        version=__version__,
        plan=moves,
        verified="",
    )


def _solutions(level: Level) -> Iterator[Plan]:
    """Yield the solutions that came with a level, those that are none left out."""
    for text in level.solutions:
        with suppress(SokoaspError):
            yield lurd.check_solution(level, text, source="")[0]


def _cheapest(
    level: Level, form: Canonical, before: Optimum, plan: Plan | None, came: Plan | None
) -> tuple[optima_table.Costs, str]:
    """Return the least cost known now, and our plan of that cost in the canonical orientation, empty if we have none."""
    known = [(optima_table.parse(before.value), not before.plan, before.plan)] if before.value else []
    for one in (plan, came):
        if one is not None:
            moves = form.turn.lurd(one.lurd) if came is None or one.lurd != came.lurd else ""
            known.append((costs(level, one, before.objective), not moves, moves))
    value, _, moves = min(known, default=((), True, ""))
    return value, moves
