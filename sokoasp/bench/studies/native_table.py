"""A table over many levels: bound × plan × what closed it, by one engine under one limit (docs/native-measured.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from sokoasp.bench.studies.kept_rows import KeptRows, level_name
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.sokoban import formats
from sokoasp.sokoban.formats import lurd
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.engines import solve
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.satisficing.macro_workspace import load


@dataclass(frozen=True, slots=True)
class NativeRow:
    """One level of the table."""

    name: str
    board: str
    """First 12 hexadecimal digits of the SHA-256 of the rows: collections of one name differ between sources."""
    objective: str
    engine: str
    status: str
    known: int | None
    """Cost of the solution that came with the level, None without one."""
    value: int | None
    bound: int
    proof: str
    seconds: float
    """Seconds of tables and search, without compiling: of the clock or of the CPU, as the limits are."""
    expanded: int
    states: int
    group_size: int
    """Boxes of the largest groups that the bound looked at."""
    lessons: int = 0
    """Sets of boxes learned from states."""
    limit: float | None = None
    """Seconds the engine had."""
    given: bool = False
    """The known solution was given to the engine."""
    shortening: float | None = None
    """Seconds the known solution was shortened before it was given; they are not counted in ``seconds``."""
    upper: int | None = None
    """What the plan that was given costs."""

    @property
    def question(self) -> tuple[object, ...]:
        """Return what tells apart the rows of a file."""
        return (self.name, self.board, self.objective, self.engine, self.limit, self.given, self.shortening)

    @property
    def closed(self) -> bool:
        """Return whether the level is settled."""
        return self.status in (Status.OPTIMAL, Status.UNSOLVABLE)


def native_table(
    files: Iterable[Path],
    objective: str = "pushes",
    limits: Limits | None = None,
    *,
    engine: str = "native",
    options: Options | None = None,
    known: bool = False,
    shorten: float | None = None,
    rows: Path | None = None,
) -> Iterator[NativeRow]:
    """Solve every level of the files and yield its row as soon as it is there.

    Args:
        files: Level files; a solution stands beside in a file of the same name with the suffix ``.sol``, or in the level's file.
        objective: ``lines``, ``pushes`` or ``moves``.
        limits: For each level.
        engine: A native engine.
        options: Its options.
        known: Give the solution to the engine as an upper bound, so that a bound alone can close the level.
        shorten: Shorten the solution for so many seconds, counted as in the limits, before it is given.
        rows: A file that keeps the rows: a question that is answered there is not asked again.

    Raises:
        LevelError: A file is no level file.
        IllegalPlan: A solution does not solve its level.
        KeyboardInterrupt: It was interrupted; the row in hand is not kept.
    """
    if engine != "reference":
        load(options or Options())  # loading what is compiled is no level's time
    kept = KeptRows(rows, NativeRow, lambda row: row.question)
    for path in files:
        for number, level in enumerate(formats.read(path.read_bytes(), source=str(path)), 1):
            plan = solution(level, path)
            asked = _asked(level, level_name(path, number), plan, objective, engine)
            asked = replace(asked, limit=None if limits is None else limits.seconds, given=known, shortening=shorten)
            if (row := kept.get(asked.question)) is None:
                upper = _upper(level, plan, objective, limits, shorten) if known and plan is not None else None
                found = solve(level, objective, limits, engine=engine, options=options, upper=upper)
                if found.stopped_by == "interrupt":
                    raise KeyboardInterrupt  # a search that was cut short says nothing about the limit
                row = _answered(asked, found)
                row = replace(row, upper=None if upper is None else upper.cost(objective))
                kept.add(row)
            yield row


def _asked(level: Level, name: str, plan: Plan | None, objective: str, engine: str) -> NativeRow:
    """Return the row of a question that is not answered yet."""
    return NativeRow(
        name=name,
        board=hashlib.sha256("\n".join(level.rows()).encode()).hexdigest()[:12],
        objective=objective,
        engine=engine,
        status="",
        known=None if plan is None else plan.cost(objective),
        value=None,
        bound=0,
        proof="",
        seconds=0.0,
        expanded=0,
        states=0,
        group_size=0,
    )


def _upper(level: Level, plan: Plan, objective: str, limits: Limits | None, seconds: float | None) -> Plan:
    if seconds is None:
        return plan
    from sokoasp.sokoban.search.improvement.plan_segments import shorten

    return shorten(level, plan, objective, replace(limits or Limits(), seconds=seconds))


def _answered(asked: NativeRow, found: Result) -> NativeRow:
    def count(what: str) -> int:
        return max((n for key, n in found.counters.items() if key.endswith(what)), default=0)

    return replace(
        asked,
        status=str(found.status),
        value=found.value,
        bound=found.lower_bound,
        proof=found.proof or "",
        seconds=found.seconds.get("total", 0.0),
        expanded=found.counters.get("expanded", 0),
        states=found.counters.get("states", 0),
        group_size=count("group_size"),
        lessons=count("lessons"),
    )


def solution(level: Level, path: Path) -> Plan | None:
    """Return the solution that came with a level, None if there is none."""
    beside = path.with_suffix(".sol")
    texts = list(level.solutions)
    if not texts and beside.exists():
        texts = [beside.read_text(encoding="utf-8", errors="replace")]
    return lurd.check_solution(level, texts[0], source=str(beside))[0] if texts else None


def markdown(rows: Iterable[NativeRow]) -> Iterator[str]:
    """Yield the lines of a Markdown table, each as soon as its row is there, and a closing line of counts."""
    names = (
        "name",
        "board",
        "known",
        "upper",
        "value",
        "bound",
        "status",
        "seconds",
        "expanded",
        "states",
        "group_size",
        "lessons",
        "proof",
    )
    yield "| " + " | ".join(names) + " |"
    yield "|" + "---|" * len(names)
    closed = total = within = 0
    for row in rows:
        record = asdict(row) | {"seconds": f"{row.seconds:.2f}"}
        yield "| " + " | ".join("" if record[n] is None else str(record[n]) for n in names) + " |"
        total += 1
        closed += row.closed
        within += row.closed and row.seconds < 1
    yield ""
    yield f"{closed} of {total} settled, {within} of them within 1 s"
