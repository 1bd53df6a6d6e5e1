"""What the commands of campaigns share: changes of a suite, and a suite run at once with its view printed."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sokoasp.bench.define import overrides
from sokoasp.bench.define.overrides import Changes
from sokoasp.bench.define.suite import Suite, find_suite, read_suite
from sokoasp.cli.campaign_progress import progress
from sokoasp.core.errors import counted

if TYPE_CHECKING:
    from sokoasp.bench.report.judge import RunVerdict
    from sokoasp.bench.run.store import Store

changes_option = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="KEY=VALUE",
    callback=lambda ctx, parameter, pairs: overrides.read(pairs),
    help="Replace a value of the suite, of its limits or of its systems, such as engine=forward; repeatable.",
)
"""Add --set, which the command gets as ``changes``: values of the suite by key."""


def plan(
    suite: str, values: Mapping[str, Any], systems: Sequence[Mapping[str, Any]] = (), files: Sequence[Path] = ()
) -> Suite:
    """Read a suite, a file or a ready one, with values, systems and files in place of its own."""
    return read_suite(find_suite(suite), Changes(values, tuple(systems), tuple(files)))


def view_of(asked: Suite, output: Path | None) -> None:
    """Run a suite in a folder that is kept or not, and print its view; how each system went wrong goes to stderr.

    The command ends with 1 if there is a wrong answer or an unexplained error, or if all runs of a system failed.
    """
    from sokoasp.bench.report import judge, views
    from sokoasp.bench.run import campaign, local, store

    with ExitStack() as stack:
        folder = output or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sokoasp-table-")))
        on_run = stack.enter_context(progress(asked.title))
        for note in campaign.run(asked, folder, local.execute, on_run=on_run).left_out:
            click.echo(f"warning: {note}", err=True)
        opened = stack.enter_context(store.open_existing(folder))
        for line in views.markdown(opened, views.of_campaign(opened)):
            click.echo(line)
        code = told(opened, judge.verdicts(opened))
    click.get_current_context().exit(code)


def told(opened: Store, changed: Mapping[str, RunVerdict]) -> int:
    """Say to stderr how the runs of each system went wrong; return the exit code that this means."""
    from sokoasp.bench.report import judge, tables

    for (outcome, system, _), count, examples, message, _ in tables.grouped(tables.troubles(opened, changed)):
        click.echo(f"{outcome}: {system}, {counted(count, 'runs')}: {examples}: {message}", err=True)
    rows = list(judge.rows(opened, ("system", "outcome"), changed))
    useless = {row["system"] for row in rows}.difference(row["system"] for row in rows if row["outcome"] != "error")
    for system in sorted(useless):
        click.echo(f"error: no run of {system} came to anything", err=True)
    return int(bool(useless) or judge.alarming(judge.counts(opened, changed)))
