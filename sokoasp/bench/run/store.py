"""The campaign's memory: one SQLite file (WAL), one row a run, written as the runs end.

The schema is documented in docs/bench.md. A run is a primary key, so nothing is ever stored twice; each run is a transaction
of its own, so whatever kills the program loses at most the runs under way.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from sokoasp.bench.define.instances import Instance
from sokoasp.bench.define.systems import System
from sokoasp.bench.run.job import Answer, Job, Report
from sokoasp.core.errors import CampaignError, SokoaspError

FILE = "runs.db"
VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS campaign (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS instance (
  id TEXT PRIMARY KEY, "group" TEXT NOT NULL, file TEXT NOT NULL, level INTEGER NOT NULL, title TEXT NOT NULL,
  game TEXT NOT NULL, cells INTEGER, boxes INTEGER, known TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS system (
  digest TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, base TEXT, spec TEXT NOT NULL, version TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS machine (id TEXT PRIMARY KEY, description TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS run (
  key TEXT PRIMARY KEY, instance TEXT NOT NULL, system TEXT NOT NULL, digest TEXT NOT NULL, objective TEXT NOT NULL,
  question TEXT NOT NULL,
  seed INTEGER NOT NULL, repetition INTEGER NOT NULL, limit_seconds REAL NOT NULL, limit_memory_mb REAL NOT NULL,
  outcome TEXT NOT NULL, decided INTEGER NOT NULL, value INTEGER, lower_bound INTEGER, plan TEXT, message TEXT NOT NULL,
  stopped_by TEXT, wall REAL NOT NULL, cpu REAL NOT NULL, peak_mb REAL, ground_seconds REAL, solve_seconds REAL,
  total_seconds REAL, atoms INTEGER, rules INTEGER, conflicts INTEGER, steps TEXT, counters TEXT, encoding TEXT,
  exit_code INTEGER NOT NULL, attempts INTEGER NOT NULL, machine TEXT NOT NULL, worker TEXT NOT NULL,
  finished TEXT NOT NULL) WITHOUT ROWID;
"""
COLUMNS = tuple(re.findall(r"(\w+) (?:TEXT|INTEGER|REAL)", SCHEMA.rpartition("CREATE TABLE")[2]))
"""Of the table ``run``, in their order."""
ASKED = """objective || CASE question WHEN '' THEN '' ELSE ' under ' || question END || coalesce(
  (SELECT iif(json_extract(spec, '$.fewest'), ', fewest', '') || ', steps = ' || json_extract(spec, '$.steps') FROM system
  WHERE system.digest = run.digest AND json_type(spec, '$.steps') IN ('integer', 'text')), '')"""
"""What a run was asked, as tables call it: under constraints or for a system's number of steps the objective is another one."""
_ADD_RUNS = f"INSERT OR IGNORE INTO run VALUES ({','.join('?' * len(COLUMNS))})"


class DiskFull(SokoaspError):
    """The store cannot take another row; what is in it is safe and the campaign can be resumed."""


class Store:
    """One open campaign file; use from one thread, and as a context manager, which closes it."""

    def __init__(
        self, path: Path, *, most_pages: int | None = None, read_only: bool = False, shared: bool = False
    ) -> None:
        """Open or create the file.

        Args:
            path: The SQLite file.
            most_pages: Largest size in pages of 4 KB, for tests of a full disk.
            read_only: Whether it may only be read; also where nothing can be written, as in somebody else's folder.
            shared: Whether a new file is for a disk that several machines see, where SQLite's WAL must not be used.

        Raises:
            CampaignError: It is not a campaign, or not of this version.
            SokoaspError: It cannot be opened.
        """
        self.path = path
        try:
            name = _read_only_address(path) if read_only else str(path)
            self.connection = sqlite3.connect(name, timeout=30, isolation_level=None, uri=read_only)
        except sqlite3.OperationalError as error:
            raise _fault(path, error) from error
        try:
            self._prepare(most_pages, "DELETE" if shared else "WAL")
        except (sqlite3.DatabaseError, SokoaspError) as error:
            self.close()
            raise error if isinstance(error, SokoaspError) else _fault(path, error) from error

    def _prepare(self, most_pages: int | None, journal: str) -> None:
        """Make the tables of a new file; an existing one is not written to, so that it can be read on a full disk."""
        execute = self.connection.execute
        # one statement: another process may be making the tables
        both = "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"
        version, tables = execute(both).fetchone()
        if version == 0 and tables:
            raise CampaignError("not a campaign file: it is another program's", source=str(self.path))
        if version not in (0, VERSION):
            raise CampaignError(f"this is a campaign of version {version}, not {VERSION}", source=str(self.path))
        execute("PRAGMA synchronous=NORMAL")
        if most_pages is not None:
            execute(f"PRAGMA max_page_count={int(most_pages)}")
        if version == 0:
            execute(f"PRAGMA journal_mode={journal}")
            self.connection.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version={VERSION}; COMMIT;")

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Close the file. Raises SokoaspError: what ended the block is that the file is damaged, or cannot be used."""
        self.close()
        if isinstance(error, sqlite3.DatabaseError | json.JSONDecodeError):
            raise _fault(self.path, error) from error

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def _write(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.executemany(statement, rows)
            self.connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise _fault(self.path, error) from error

    def describe(self, values: Mapping[str, str]) -> None:
        """Keep facts about the campaign as a whole; later values replace earlier ones."""
        self._write("INSERT OR REPLACE INTO campaign VALUES (?, ?)", values.items())

    def description(self) -> dict[str, str]:
        """Return the facts about the campaign as a whole."""
        return dict(self.connection.execute("SELECT key, value FROM campaign"))

    def ask(self, keys: Iterable[str]) -> None:
        """Note which runs the campaign consists of now; what an earlier suite or other limits asked for stays stored."""
        try:
            self.connection.execute("CREATE TABLE IF NOT EXISTS asked (key TEXT PRIMARY KEY) WITHOUT ROWID")
        except sqlite3.OperationalError as error:
            raise _fault(self.path, error) from error
        self._write("DELETE FROM asked", [()])
        self._write("INSERT INTO asked VALUES (?)", ((key,) for key in keys))

    def add_instances(self, instances: Iterable[Instance]) -> None:
        """Keep what is known of the instances."""
        rows = []
        for i in instances:
            sizes = (len(getattr(i.problem, name, ())) or None for name in ("floor", "boxes"))
            rows.append((i.id, i.group, i.file, i.level, i.title, i.game, *sizes, json.dumps(dict(i.known))))
        self._write("INSERT OR REPLACE INTO instance VALUES (?,?,?,?,?,?,?,?,?)", rows)

    def add_systems(self, systems: Iterable[tuple[System, str]]) -> None:
        """Keep the systems, each with its whole table as JSON and its version."""
        rows = [(s.digest, s.name, s.kind, s.base, json.dumps(s.table()), version) for s, version in systems]
        self._write("INSERT OR REPLACE INTO system VALUES (?,?,?,?,?,?)", rows)

    def add_machine(self, name: str, description: str) -> None:
        """Keep what is known of a machine."""
        self._write("INSERT OR REPLACE INTO machine VALUES (?, ?)", [(name, description)])

    def add_run(self, row: tuple[Any, ...]) -> None:
        """Keep one run. DiskFull if there is no room."""
        self._write(_ADD_RUNS, [row])

    def take_over(self, other: Store) -> None:
        """Add the runs of another store, and what it knows of machines."""
        self._write(_ADD_RUNS, other.rows())
        self._write("INSERT OR IGNORE INTO machine VALUES (?, ?)", other.connection.execute("SELECT * FROM machine"))

    def digest(self) -> str:
        """Return the first 16 hexadecimal digits of a SHA-256 over all runs in their fixed order."""
        found = hashlib.sha256()
        for values in self.rows():
            found.update(json.dumps(values).encode())
        return found.hexdigest()[:16]

    def keys(self) -> set[str]:
        """Return the keys of all runs that are stored."""
        return {key for (key,) in self.connection.execute("SELECT key FROM run")}

    def forget(self, outcomes: Iterable[str], keys: Iterable[str]) -> None:
        """Delete those of these runs that have these outcomes, so that they are run again."""
        names = list(outcomes)
        self._write("DELETE FROM run WHERE key = ? AND outcome = ?", ((key, name) for key in keys for name in names))

    def rows(self, columns: Iterable[str] = COLUMNS, *, asked: bool = False) -> Iterator[tuple[Any, ...]]:
        """Yield these columns of every run, or of those that the suite asked for last, in a fixed order."""
        which = self.asked_last() if asked else ""
        yield from self.connection.execute(
            f"SELECT {', '.join(columns)} FROM run{which} ORDER BY instance, objective, seed, repetition, system, key"
        )

    def asked_last(self) -> str:
        """Return the condition on runs that the suite asked for last: none of other limits, or of a program that was changed.

        It is empty in a store of an earlier version, which has not noted them.
        """
        noted = self.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'asked'").fetchone()
        return " WHERE run.key IN (SELECT key FROM asked)" if noted else ""


def _read_only_address(path: Path) -> str:
    """Return the address by which SQLite reads a file without writing beside it, where it could not."""
    written_to = path.with_name(f"{path.name}-wal")
    quiet = not (written_to.exists() and written_to.stat().st_size)
    immutable = quiet and not os.access(path.parent, os.W_OK)
    return f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if immutable else ''}"


def _fault(path: Path, error: sqlite3.DatabaseError | json.JSONDecodeError) -> SokoaspError:
    """Return what to say of a campaign file that could not be read or written."""
    text = str(error)
    if not isinstance(error, sqlite3.OperationalError):
        return CampaignError(f"not a campaign file, or damaged: {text}", source=str(path))
    if "full" in text or "disk I/O" in text:
        return DiskFull(
            f"no room for another result ({text}); what is stored is safe: free some space and run the same command again",
            source=str(path),
        )
    return SokoaspError(f"the campaign file cannot be used: {text}", source=str(path))


def row(
    job: Job, report: Report, outcome: str, message: str, *, machine: str, worker: str, finished: str, attempts: int = 1
) -> tuple[Any, ...]:
    """Return the row of a run, in the order of ``COLUMNS``."""
    answer = report.answer or Answer(outcome)
    seconds, counters = answer.seconds, dict(answer.counters)
    if report.load is not None:
        counters["load"] = report.load
    return (
        job.key, job.instance, job.system.name, job.system.digest, job.objective,
        job.system.question, job.seed, job.repetition,
        job.limits.seconds, job.limits.memory_mb,
        outcome, int(answer.decided), answer.value, answer.lower_bound, answer.plan, message,
        answer.stopped_by or report.killed_by,
        round(report.wall, 5), round(report.cpu, 5), round(report.peak_mb, 1) or None,
        seconds.get("ground"), seconds.get("solve"), seconds.get("total"),
        counters.get("atoms"), counters.get("rules"), counters.get("conflicts"),
        json.dumps(answer.steps) if answer.steps else None,
        json.dumps(counters) if counters else None, answer.encoding,
        report.exit_code, attempts, machine, worker, finished,
    )  # fmt: skip


def open_existing(folder: Path) -> Store:
    """Open the campaign of a folder, to be read only where nothing can be written; CampaignError if there is none."""
    path = folder / FILE
    if not path.is_file() or not path.stat().st_size:
        raise CampaignError(f"there is no campaign here (no {FILE})", source=str(folder))
    return Store(path, read_only=not (os.access(folder, os.W_OK) and os.access(path, os.W_OK)))
