"""Check the table of proved optima: every row a second time."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

from sokoasp import __version__
from sokoasp.bench.define.instances import solution
from sokoasp.bench.studies.optima_campaign import ask, costs, levels, settled
from sokoasp.bench.studies.optima_certificates import certify_row
from sokoasp.core.errors import NotationError, SokoaspError
from sokoasp.core.result import Result, Status
from sokoasp.core.text_file import read_text
from sokoasp.engine.certificates import REFUSED
from sokoasp.sokoban import optima_table, rules
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.optima_table import Optimum, Table
from sokoasp.sokoban.plan import Plan

RECORD = "verified.csv"
"""Where a check of a whole table is noted, so that it goes on where it stopped."""
_RECORD_COLUMNS = ("board", "objective", "status", "value", "bound", "version", "verdict", "reason")


def second_look(
    level: Level, objective: str, row: Optimum, seconds: float | None, came: Plan | None = None
) -> tuple[str, str]:
    """Look a second time at a row, its plan in the level's own orientation, and return a verdict and its reason.

    The plan is refereed and the bound proved again by the native search, with the row's plan as its first. ``holds``: both went
    through. ``plan holds``: the bound was not proved again within ``seconds`` of CPU time (None: it was not tried).
    ``not decided``: the same of a row without a value, which needs no plan.
    ``no plan``: the row has none, and ``came``, the solution that came with the level, is none of that cost.
    ``WRONG``: the row is contradicted by an illegal plan, another cost, a better plan, or a bound above a plan.
    """
    plan: Plan | None = None
    if row.value and not row.has_plan:
        cost = "" if came is None else optima_table.shown(costs(level, came, objective))
        if cost != row.value:
            return "no plan", "the table has none" + (
                f", the one that came with the level costs {cost}" if cost else ""
            )
        plan = came
    elif row.value:
        try:
            plan = rules.plan_from_lurd(level, row.plan)
            cost = optima_table.shown(costs(level, plan, objective))
        except SokoaspError as error:
            return "WRONG", f"the plan: {error}"
        if cost != row.value:
            return "WRONG", f"the plan costs {cost}, the row says {row.value}"
    if row.status == "proved" and row.value != row.bound:
        return "WRONG", f"proved, but {row.value} is not {row.bound}"
    if seconds is None:
        return _undecided(row), "its bound was not searched again"
    return _compared(level, row, ask(level, objective, seconds, engine=_engine(row), upper=plan))


def _engine(row: Optimum) -> str:
    """Return the one search that closed a row, else ``native``, where searches share the time."""
    named = row.closed_by.partition(" ")[0]
    return named if named in ("forward", "reverse", "bidirectional") else "native"


@dataclass(frozen=True, slots=True)
class Check:
    """What a second look at rows is to do."""

    seconds: float
    """CPU seconds of each proof."""
    certificates: bool = False
    """Make the certificates of the rows that have one again, and check them."""
    open_bounds: bool = True
    """Prove the bounds of open rows again, too; else only their plans are refereed."""


def second_looks(level: Level, path: Path, rows: dict[str, Optimum], check: Check) -> dict[str, tuple[str, str]]:
    """Look a second time at a level's rows, their plans in its own orientation.

    Args:
        level: The level.
        path: Its file: a solution may stand in it or beside it.
        rows: By objective.
        check: What to do.
    """
    lacking = any(row.value and not row.has_plan for row in rows.values())
    came = solution(level, path) if lacking else None
    return {name: _second_look(level, row, check, came) for name, row in sorted(rows.items())}


def _second_look(level: Level, row: Optimum, check: Check, came: Plan | None) -> tuple[str, str]:
    limit = check.seconds if check.open_bounds or row.status != "open" else None
    verdict, reason = second_look(level, row.objective, row, limit, came)
    if verdict in ("WRONG", "no plan") or not (check.certificates and row.certificate):
        return verdict, reason
    certified = certify_row(level, row, check.seconds, "" if came is None else came.lurd)
    if certified.verdict == REFUSED:
        return "WRONG", f"its certificate: {certified.reported}"
    return verdict, f"{reason}; certificate: {certified.reported}"


def _compared(level: Level, row: Optimum, found: Result) -> tuple[str, str]:
    """Return the verdict on a row, given a second answer to its question."""
    ours, bound = optima_table.parse(row.value), optima_table.parse(row.bound)
    theirs = () if found.plan is None else costs(level, found.plan, row.objective)
    proved = theirs if found.status is Status.OPTIMAL else (found.lower_bound,)
    if row.status == "unsolvable" and theirs:
        return "WRONG", f"a plan of {optima_table.shown(theirs)} was found"
    if found.status is Status.UNSOLVABLE and row.status != "unsolvable":
        return "WRONG", "the level was proved unsolvable"
    if row.status == "proved" and theirs and theirs < ours:
        return "WRONG", f"a plan of {optima_table.shown(theirs)} was found"
    if theirs and bound > theirs:
        return "WRONG", f"a plan of {optima_table.shown(theirs)} lies below the bound {row.bound}"
    if ours and proved > ours:
        return "WRONG", f"the bound {optima_table.shown(proved)} was proved, above the plan of {row.value}"
    if row.status == "open":
        return "holds" if bound and proved >= bound else _undecided(row), "open row"
    if settled(found) != "open":
        return "holds", found.proof or ""
    return _undecided(row), f"bound {found.lower_bound} within the limit"


def _undecided(row: Optimum) -> str:
    return "plan holds" if row.value else "not decided"


@dataclass(frozen=True, slots=True)
class Looked:
    """The verdict on one row."""

    row: Optimum
    verdict: str
    reason: str
    new: bool
    """False: taken from the record of an earlier call."""


def verify(
    files: Iterable[Path], folder: Path, seconds: float, *, every: int = 1, certificates: bool = False
) -> Iterator[Looked]:
    """Look a second time at the rows of the table in ``folder`` about the levels of the files, small levels first.

    Verdicts are noted in ``verified.csv`` beside the table as they come; the same call again takes from there what holds for a
    row that has not changed since. Of open rows the plan is refereed, their bounds are not searched again. ``every`` looks at
    each so-many-th level only. At the end the day is noted in the table's rows that hold.

    Raises:
        NotationError: The table or the record cannot be read.
    """
    table = optima_table.read(folder)
    record = folder / RECORD
    known = _noted(record)
    seen: set[str] = set()
    for path, _, level in levels(files)[::every]:
        rows = optima_table.look_up(level, table)
        for objective, row in sorted(rows.items()):
            mark = (row.board, objective, row.status, row.value, row.bound)
            if row.board in seen:
                continue
            if known.get(mark, ("", ""))[0] == "holds":
                yield Looked(row, *known[mark], new=False)
                continue
            found = second_looks(level, path, {objective: row}, Check(seconds, certificates, open_bounds=False))[
                objective
            ]
            _note(record, (*mark, __version__, *found))
            yield Looked(row, *found, new=True)
        seen.update(row.board for row in rows.values())
    _date(folder, table, _noted(record))


def _date(folder: Path, table: Table, known: dict[tuple[str, ...], tuple[str, str]]) -> None:
    """Write today into the rows that hold and have no date yet, and take the date from those that are wrong."""
    today, dated = datetime.now(UTC).date().isoformat(), []
    for row in optima_table.rows_of(table):
        verdict = known.get((row.board, row.objective, row.status, row.value, row.bound), ("", ""))[0]
        day = {"holds": row.verified or today, "WRONG": ""}.get(verdict, row.verified)
        dated.append(row._replace(verified=day))
    if dated != optima_table.rows_of(table):
        optima_table.write(folder, dated)


def _noted(record: Path) -> dict[tuple[str, ...], tuple[str, str]]:
    if not record.exists():
        return {}
    rows = csv.reader(StringIO(read_text(record, NotationError)))
    if tuple(next(rows, ())) != _RECORD_COLUMNS:
        raise NotationError(f"the columns are not {', '.join(_RECORD_COLUMNS)}", source=str(record), line=1)
    return {tuple(row[:5]): (row[6], row[7]) for row in rows if len(row) == len(_RECORD_COLUMNS)}


def _note(record: Path, row: tuple[str, ...]) -> None:
    new = not record.exists()
    with record.open("a", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        if new:
            writer.writerow(_RECORD_COLUMNS)
        writer.writerow(row)
