"""The page of all runs of a campaign, question by question: what the points of the report's scatter plots lead to."""

from __future__ import annotations

from collections.abc import Mapping

from sokoasp.bench.report import page, plots, tables
from sokoasp.bench.report.judge import RunVerdict
from sokoasp.bench.report.page import Table, Text
from sokoasp.bench.report.tables import Data, Point
from sokoasp.bench.run.store import Store

FILE = "runs.html"
MOST = 20_000
"""Runs that are listed; a page of more would be too large for a browser."""
_HEAD = ("question", "system", "objective", "outcome", "value", "bound", "wall s", "CPU s", "MB", "seed", "what")


def table(store: Store, changed: Mapping[str, RunVerdict]) -> Table:
    """Return the table of runs, outcomes as judged by comparing all of them."""
    names = tables.names(store)
    columns = ("key", "instance", "system", "objective", "seed", "repetition", "outcome", "message")
    rows: list[tuple[str, ...]] = []
    anchors: list[str] = []
    seen: set[str] = set()
    for row in sorted(store.rows((*columns, "value", "lower_bound", "wall", "cpu", "peak_mb")), key=_order):
        key, instance, system, objective, seed, repetition, outcome, message, *numbers = row
        if len(rows) == MOST:
            break
        if key in changed:
            outcome, message = changed[key].outcome, changed[key].message
        value, bound, wall, cpu, megabytes = ("" if number is None else f"{number:g}" for number in numbers)
        cells = (outcome.replace("_", " "), value, bound, wall, cpu, megabytes, str(seed), message)
        rows.append((names.get(instance, instance), system, objective, *cells))
        anchor = plots.anchor(Point(instance, seed, repetition), objective)
        anchors.append("" if anchor in seen else anchor)
        seen.add(anchor)
    return Table("Runs, question by question", _HEAD, rows, words=True, anchors=anchors)


def _order(row: tuple[object, ...]) -> tuple[str, ...]:
    _, instance, system, objective, seed, repetition, *_ = row
    return (str(instance), str(objective), f"{seed:>9}", f"{repetition:>9}", str(system))


def html(title: str, data: Data, listed: Table) -> str:
    """Return the page."""
    left_out = len(data.runs) - len(listed.rows)
    note = [Text(f"The first {MOST} runs; {left_out} more by sokoasp bench export.")] if left_out > 0 else []
    return page.html(f"{title}: runs", [*note, listed], data.systems)
