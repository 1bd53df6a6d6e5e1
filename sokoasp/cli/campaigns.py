"""What the commands of campaigns share: changes of a suite, progress, and a suite run at once with its view printed."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from sokoasp.bench.define.overrides import Changes
    from sokoasp.bench.run.campaign import Progress
    from sokoasp.bench.run.store import Store

_F = TypeVar("_F", bound=Callable[..., Any])


def _read(ctx: click.Context, parameter: click.Parameter, pairs: tuple[str, ...]) -> dict[str, Any]:
    from sokoasp.bench.define import overrides

    return overrides.read(pairs)


def changes_option(function: _F) -> _F:
    """Add --set, which the command gets as ``changes``: values of the suite by key."""
    text = "A value of the suite, of its limits or of each of its systems, in place of the file's: engine=forward; repeatable."
    return click.option("--set", "changes", multiple=True, metavar="KEY=VALUE", callback=_read, help=text)(function)


class _Tenths:
    """Progress for logs: a line at the start and each time another tenth of the runs is done."""

    def __init__(self, title: str) -> None:
        self.title, self.said = title, -1

    def note(self, progress: Progress) -> None:
        """Print a line if another tenth is done."""
        tenth = 10 * progress.done // max(1, progress.total)
        if tenth > self.said and sys.stderr is not None:
            self.said = tenth
            click.echo(f"{self.title}: {progress.done} of {progress.total} runs, {progress.last}", err=True)


@contextmanager
def progress(title: str) -> Iterator[Callable[[Progress], None]]:
    """Show a bar with the time left; where stderr is no terminal, print a line each tenth of the runs."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _Tenths(title).note
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}"),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=None, last="reading the instances")

        def on_run(progress: Progress) -> None:
            bar.update(task, total=progress.total, completed=progress.done, last=progress.last)

        yield on_run


def view_of(suite: str, changes: Changes, output: Path | None) -> None:
    """Run a ready suite with changes, in a folder that is kept or not, and print its view; errors go to stderr.

    The command ends with 1 if there is a wrong answer or an unexplained error.
    """
    from sokoasp.bench.define.suite import find_suite, read_suite
    from sokoasp.bench.report import views
    from sokoasp.bench.run import campaign, local, store

    with ExitStack() as stack:
        folder = output or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sokoasp-table-")))
        plan = read_suite(find_suite(suite), changes)
        execute = partial(local.execute, kinds=campaign.kinds_of(plan))
        on_run = stack.enter_context(progress(plan.title))
        for note in campaign.run(plan, folder, execute, on_run=on_run).left_out:
            click.echo(f"warning: {note}", err=True)
        opened = stack.enter_context(store.open_existing(folder))
        for line in views.markdown(opened, views.of_campaign(opened)):
            click.echo(line)
        code = complaints(opened)
    click.get_current_context().exit(code)


def complaints(opened: Store) -> int:
    """Print on stderr which runs went wrong; return 1 if there is a wrong answer or an unexplained error among them."""
    from sokoasp.bench.report import judge, tables
    from sokoasp.bench.run.outcomes import OUTCOMES

    troubles = tables.troubles(opened, judge.verdicts(opened))
    for outcome, system, _, instance, message, _ in troubles:
        click.echo(f"{outcome}: {system} on {instance}: {message}", err=True)
    return int(any(OUTCOMES[outcome].rank <= 1 for outcome, *_ in troubles))
