"""The page of all runs of a campaign, question by question; the points of the report's scatter plots link to it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from operator import itemgetter

from sokoasp.bench.report import judge, page, plots, tables
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
    numbers = ("value", "lower_bound", "wall", "cpu", "peak_mb")
    columns = ("instance", "objective", "seed", "repetition", "system", "outcome", "message", *numbers)
    rows: list[tuple[str, ...]] = []
    anchors: list[str] = []
    seen: set[str] = set()
    for run in islice(sorted(judge.rows(store, columns, changed), key=itemgetter(*columns[:5])), MOST):
        shown = ("" if run[number] is None else f"{run[number]:g}" for number in numbers)
        cells = (run["outcome"].replace("_", " "), *shown, str(run["seed"]), run["message"])
        rows.append((names.get(run["instance"], run["instance"]), run["system"], run["objective"], *cells))
        anchor = plots.anchor(Point(run["instance"], run["seed"], run["repetition"]), run["objective"])
        anchors.append("" if anchor in seen else anchor)
        seen.add(anchor)
    return Table("Runs, question by question", _HEAD, rows, words=True, anchors=anchors)


def html(title: str, data: Data, listed: Table) -> str:
    """Return the page."""
    left_out = len(data.runs) - len(listed.rows)
    note = [Text(f"The first {MOST} runs; {left_out} more by sokoasp bench export.")] if left_out > 0 else []
    return page.html(f"{title}: runs", [*note, listed], data.systems)
