"""Views: one SQL query a file over the runs of a campaign, printed in Markdown with the hash of what it was made from.

A view file has statements that end with ``;`` at the end of a line. One with a single column named ``sentence`` becomes
paragraphs, any other a table; columns named ``across`` and ``cell`` are spread: a column for each value of ``across``. The table
to ask is ``result``: the columns of ``run``, outcomes as judged by comparing all runs, and of their instances
(see docs/bench.md).
"""

from __future__ import annotations

import re
import sqlite3
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from sokoasp.bench.define.instances import short_name
from sokoasp.bench.define.suite import find_view
from sokoasp.bench.report import judge, markdown_table, status
from sokoasp.bench.run.store import ASKED, COLUMNS, Store
from sokoasp.core.errors import NotationError, counted
from sokoasp.core.text_file import read_text

_JUDGED = ("outcome", "message", "decided", "objective")
_VIEW = f"""CREATE TEMP VIEW result AS SELECT {", ".join(f"run.{name}" for name in COLUMNS if name not in _JUDGED)},
  {ASKED} AS objective, coalesce(judged.outcome, run.outcome) AS outcome, coalesce(judged.message, run.message) AS message,
  coalesce(judged.decided, run.decided) AS decided, "group" AS instances, file, level, title, game, cells, boxes,
  name(file, level) AS name, known, json_extract(known, '$."plan:' || {ASKED} || '"') AS came,
  json_extract(known, '$."' || {ASKED} || '"') AS proved,
  system.base, system.kind
FROM run LEFT JOIN instance ON instance.id = run.instance LEFT JOIN temp.judged ON judged.key = run.key
  LEFT JOIN system ON system.digest = run.digest AND system.name = run.system"""
_DENIED = (sqlite3.SQLITE_PRAGMA, sqlite3.SQLITE_ATTACH)
"""What no statement of a view may do: allow itself to write, open another file."""
_OFTEN = 100_000
"""Instructions of SQLite between two looks whether Ctrl-C was pressed."""


def of_campaign(store: Store) -> Path:
    """Return the view that a campaign's suite names; NotationError if it names none, or one that is not there."""
    about = store.description()
    name = about["view"] if "view" in about else tomllib.loads(about.get("suite", "")).get("view")
    if not name:
        raise NotationError(
            "its suite names no view: name a file, or deadlocks, ideas, klotski, native, plans, programs or speed",
            source=str(store.path.parent),
        )
    return find_view(str(name), Path(about.get("path", "")).parent)


def markdown(store: Store, view: Path) -> Iterator[str]:
    """Yield the lines of a view of a campaign, and what it was made from.

    Raises NotationError: the view is not valid SQL, or changes something.
    """
    connection = store.connection
    _prepare(store)
    text = read_text(view, NotationError, "E-VIEW")
    line = 1
    for statement in re.split(r"(?<=;)[ \t]*(?=\n)", text):
        query = re.sub(r"--[^\n]*", "", statement).strip()
        if query:
            try:
                cursor = connection.execute(query)
                head = [column[0] for column in cursor.description or ()]
                rows = cursor.fetchall()
            except sqlite3.Error as error:
                if error.sqlite_errorname == "SQLITE_INTERRUPT":  # Ctrl-C in the handler, where Python drops it
                    raise KeyboardInterrupt from error
                at = line + len(statement) - len(statement.lstrip())
                raise NotationError(f"not a valid view: {error}", source=str(view), line=at, code="E-VIEW") from error
            if rows:
                yield from (*_table(*_spread(head, rows)), "")
        line += statement.count("\n")
    runs = connection.execute("SELECT count(*) FROM run").fetchone()[0]
    left = status.status(store).left
    if left:
        yield f"{counted(left, 'runs')} still to be made: all this is about those that are."
    yield f"{counted(runs, 'runs')}, store {store.digest()}."


def _prepare(store: Store) -> None:
    """Make the table ``result``; nothing else may be written from then on."""
    connection = store.connection
    connection.set_authorizer(None)
    connection.execute("PRAGMA query_only = OFF")
    order = store.description().get("order", "").split("\n")
    connection.create_function("name", 2, short_name, deterministic=True)
    connection.create_function("place", 1, lambda system: order.index(system) if system in order else len(order))
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS judged (key TEXT PRIMARY KEY, outcome, message, decided)")
    connection.execute("DELETE FROM temp.judged")
    changed = [(key, one.outcome, one.message, 0) for key, one in judge.verdicts(store).items()]
    connection.executemany("INSERT INTO temp.judged VALUES (?,?,?,?)", changed)
    connection.execute("DROP VIEW IF EXISTS temp.result")
    connection.execute(_VIEW + store.asked_last())
    connection.execute("PRAGMA query_only = ON")
    connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_DENY if action in _DENIED else sqlite3.SQLITE_OK)
    connection.set_progress_handler(lambda: 0, _OFTEN)


def _spread(head: list[str], rows: Sequence[tuple[object, ...]]) -> tuple[list[str], Sequence[tuple[object, ...]]]:
    """Return a table with a column for each value of ``across``, in the order they come, filled from ``cell``."""
    if not {"across", "cell"} <= set(head):
        return head, rows
    across, cell = head.index("across"), head.index("cell")
    kept = [place for place in range(len(head)) if place not in (across, cell)]
    columns = list(dict.fromkeys(str(row[across]) for row in rows))
    found: dict[tuple[object, ...], dict[str, object]] = {}
    for row in rows:
        found.setdefault(tuple(row[place] for place in kept), {})[str(row[across])] = row[cell]
    spread = [(*key, *(cells.get(column) for column in columns)) for key, cells in found.items()]
    return [*(head[place] for place in kept), *columns], spread


def _table(head: list[str], rows: Sequence[tuple[object, ...]]) -> Iterator[str]:
    if head == ["sentence"]:
        yield from (str(row[0]) for row in rows if row[0] is not None)
        return
    yield from markdown_table.lines(head, (map(_cell, row) for row in rows))


def _cell(value: object) -> object:
    """Return a cell; counts are stored as numbers with a point."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
