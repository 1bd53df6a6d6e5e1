"""The open table of proved optima: what is known of a level whatever way it was drawn (format in docs/optima.md).

``solve`` looks up what no second engine has proved, so what only reading and writing the table take is imported late.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sokoasp.core.errors import NotationError, counted
from sokoasp.core.shipped import SHIPPED
from sokoasp.sokoban.canonical import canonical
from sokoasp.sokoban.level import Level

ROWS = "optima.csv"
PLANS = "plans.csv.xz"
METADATA = "metadata.json"
STATUSES = ("proved", "open", "unsolvable")


class Optimum(NamedTuple):
    """What is known of one level and objective."""

    board: str
    """The level's hash: 32 hexadecimal digits (``canonical.board_hash``)."""
    objective: str
    """``lines``, ``pushes``, ``moves``, or tie-broken such as ``pushes+moves``."""
    status: str
    """``proved``: value = bound. ``open``: what is there is not proved best. ``unsolvable``: proved."""
    value: str
    """Cost of our plan in the objective, its parts joined by ``+``, or (``plan`` is empty) of the solution that came with the
    level; empty without a plan."""
    bound: str
    """Proved lower bound, written like the value; empty for ``unsolvable``."""
    collection: str
    number: str
    """Where the level was met first: set and number (or file and number) there."""
    closed_by: str
    """The engine that closed the row, or tried."""
    limit: str
    """Seconds the engine was given."""
    version: str
    """Version of sokoasp that made the row."""
    certificate: str = ""
    """SHA-256 of the certificate that was checked for the row; empty without one."""
    certificate_bytes: str = ""
    """Size of its folder; empty without one."""
    certificate_limit: str = ""
    """CPU seconds that its maker was given, whether they were enough or not; empty if none was tried."""
    verified: str = ""
    """Day (YYYY-MM-DD) on which the plan was replayed and the bound proved a second time; empty if it was not."""
    plan: str = ""
    """The plan as LURD in the canonical orientation; kept in a file of its own."""

    @property
    def origin(self) -> str:
        """Return where the level was met, such as ``XSokoban 1``."""
        return f"{self.collection} {self.number}".strip()

    @property
    def has_plan(self) -> bool:
        """Return whether the plan is here; that of a solved level is empty."""
        return bool(self.plan) or parse(self.value)[:1] == (0,)


_COLUMNS = tuple(name for name in Optimum._fields if name != "plan")
Table = dict[str, dict[str, Optimum]]
"""Board → objective → row."""
Costs = tuple[int, ...]
"""What a plan costs, an entry for each part of the objective; empty where nothing is known. Compared entry by entry."""


def parse(text: str) -> Costs:
    """Return the numbers of a value or bound: ``97+427`` is (97, 427); ValueError if there is something else in it."""
    return tuple(int(part) for part in text.split("+")) if text else ()


def shown(costs: Costs) -> str:
    """Return costs as the table writes them: (97, 427) is ``97+427``."""
    return "+".join(map(str, costs))


def told(objective: str, status: str, value: object, bound: object, **_: object) -> str:
    """Say what a row knows, such as ``known optimum 2 pushes, then 3 moves``."""
    if status == "unsolvable":
        return "proved unsolvable"
    if status == "proved":
        parts = zip(parse(str(value)), objective.split("+"), strict=True)
        return f"known optimum {', then '.join(counted(*part) for part in parts)}"
    return f"{objective} open: at least {bound}{f', a plan of {value}' if value else ''}"


def without_certificate(row: Optimum) -> str:
    """Return why a row has no certificate; empty if it has one."""
    if row.certificate:
        return ""
    if row.status == "open":
        return "an open row claims nothing"
    if row.objective not in ("lines", "pushes", "moves", "pushes+moves"):
        return f"the format has no objective {row.objective}"
    if not row.certificate_limit:
        return "none was tried"
    return f"none was made within {row.certificate_limit} CPU seconds"


def shipped_folder() -> Path:
    """Return the folder of the table that comes with the package."""
    return SHIPPED / "optima"


@cache
def shipped() -> Table:
    """Return the table that comes with the package; empty where it is missing."""
    folder = shipped_folder()
    return read(folder) if (folder / ROWS).exists() else {}


def read(folder: Path) -> Table:
    """Read ``optima.csv`` and, if there, ``plans.csv.xz``. Raises NotationError, with file and line: it is no table."""
    import csv
    import lzma

    table: Table = {}
    path = folder / ROWS
    with _reading(path), path.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines)
        if tuple(reader.fieldnames or ()) != _COLUMNS:
            raise NotationError(f"the columns are not {', '.join(_COLUMNS)}", source=str(path), line=1)
        for record in reader:
            row = _row(record, path, reader.line_num)
            table.setdefault(row.board, {})[row.objective] = row
    plans = folder / PLANS
    if plans.exists():
        with _reading(plans), lzma.open(plans, "rt", encoding="utf-8", newline="") as lines:
            for board, objective, moves in csv.reader(lines):
                if objective in table.get(board, {}):
                    table[board][objective] = table[board][objective]._replace(plan=moves)
    return table


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Name the file that cannot be read, whatever is wrong with it: missing, no text, not packed."""
    try:
        yield
    except NotationError:
        raise
    except Exception as error:
        raise NotationError(f"cannot be read: {getattr(error, 'strerror', error)}", source=str(path)) from error


def _row(record: dict[str, str], path: Path, line: int) -> Optimum:
    if None in record or None in record.values():
        raise NotationError(f"not {len(_COLUMNS)} fields", source=str(path), line=line)
    row = Optimum(**record)
    if row.status not in STATUSES:
        raise NotationError(f"status {row.status!r} is none of {', '.join(STATUSES)}", source=str(path), line=line)
    most = row.objective.count("+") + 1
    for text, least in ((row.value, most if row.status == "proved" else 0), (row.bound, 0)):
        parts = text.split("+") if text else []
        if not (all(map(str.isdecimal, parts)) and least <= len(parts) <= most):
            raise NotationError(f"{text!r} is no cost", source=str(path), line=line)
    return row


def write(folder: Path, rows: Iterable[Optimum]) -> None:
    """Write a table, sorted, so that equal tables are equal files; each file is replaced whole or not at all.

    Where metadata lie beside them, the files' SHA-256 is written into these.
    """
    import csv
    import hashlib
    import json
    import lzma

    folder.mkdir(parents=True, exist_ok=True)
    ordered = sorted(rows, key=lambda row: (row.board, row.objective))
    with _replaced(folder / PLANS) as path, lzma.open(path, "wt", encoding="utf-8", newline="", preset=9) as lines:
        csv.writer(lines, lineterminator="\n").writerows((r.board, r.objective, r.plan) for r in ordered if r.plan)
    with _replaced(folder / ROWS) as path, path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, _COLUMNS, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(row._asdict() for row in ordered)
    metadata = folder / METADATA
    if metadata.exists():
        about = json.loads(metadata.read_text(encoding="utf-8"))
        for entry in about["distribution"]:
            entry["sha256"] = hashlib.sha256((folder / entry["contentUrl"]).read_bytes()).hexdigest()
        metadata.write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """Give a place to write to, and put what is there in the place of ``path`` when it is whole."""
    new = path.with_name(f".{path.name}.new")
    try:
        yield new
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def rows_of(table: Table) -> list[Optimum]:
    """Return all rows of a table."""
    return [row for rows in table.values() for row in rows.values()]


@cache
def _shipped_rows(board: str) -> dict[str, Optimum]:
    """Return the rows of one board in the shipped table, without plans: reading all takes longer than solving a small level."""
    path = shipped_folder() / ROWS
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.startswith(f"{board},")]
    if not numbered:
        return {}
    import csv

    records = csv.DictReader((line for _, line in numbered), _COLUMNS)
    rows = (_row(record, path, number) for record, (number, _) in zip(records, numbered, strict=True))
    return {row.objective: row for row in rows}


LARGEST = 2000
"""Cells of the largest level looked for in the shipped table, which has none so large: turning it eight ways takes seconds."""


def look_up(level: Level, table: Table | None = None, *, plans: bool = True) -> dict[str, Optimum]:
    """Return what is known of a level by objective, its plans turned to the level's own orientation.

    Without ``plans`` the rows of the shipped table come without theirs, which have to be unpacked.
    """
    if table is None and len(level.floor) > LARGEST:
        return {}
    form = canonical(level)
    if table is None and not (found := _shipped_rows(form.name)):
        return {}
    if table is not None or plans:
        found = (shipped() if table is None else table).get(form.name, {})
    return {objective: row._replace(plan=form.turn.back.lurd(row.plan)) for objective, row in found.items()}
