"""A table over many levels: bound × plan × what closed it, by one engine under one limit; the figures of docs/native.md."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import formats
from sokoasp.sokoban.formats import lurd
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.options import Options
from sokoasp.sokoban.search.registry import solve


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
    """Wall seconds of tables and search, without compiling."""
    expanded: int
    states: int
    group_size: int
    """Boxes of the largest groups that the bound looked at."""

    @property
    def closed(self) -> bool:
        """Tell whether the level is settled."""
        return self.status in (Status.OPTIMAL, Status.UNSOLVABLE)


def native_table(
    files: Iterable[Path],
    objective: str = "pushes",
    limits: Limits | None = None,
    *,
    engine: str = "native",
    options: Options | None = None,
    known: bool = False,
) -> Iterator[NativeRow]:
    """Solve every level of the files and yield its row as soon as it is there.

    Args:
        files: Level files; a solution stands beside in a file of the same name with the suffix ``.sol``, or in the level's file.
        objective: ``lines``, ``pushes`` or ``moves``.
        limits: For each level.
        engine: A native engine.
        options: Its options.
        known: Give the solution to the engine as an upper bound, so that a bound alone can close the level.

    Raises:
        LevelError: A file is no level file.
        IllegalPlan: A solution does not solve its level.
    """
    for path in files:
        for number, level in enumerate(formats.read(path.read_bytes(), source=str(path)), 1):
            plan = solution(level, path)
            found = solve(
                level,
                objective,
                limits,
                engine=engine,
                options=options,
                upper=plan if known and plan is not None else None,
            )
            yield NativeRow(
                name=path.stem if number == 1 else f"{path.stem}:{number}",
                board=hashlib.sha256("\n".join(level.rows()).encode()).hexdigest()[:12],
                objective=objective,
                engine=engine,
                status=str(found.status),
                known=None if plan is None else plan.cost(objective),
                value=found.value,
                bound=found.lower_bound,
                proof=found.proof or "",
                seconds=found.seconds.get("total", 0.0),
                expanded=found.counters.get("expanded", 0),
                states=found.counters.get("states", 0),
                group_size=max((n for key, n in found.counters.items() if key.endswith("group_size")), default=0),
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
        "value",
        "bound",
        "status",
        "seconds",
        "expanded",
        "states",
        "group_size",
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
