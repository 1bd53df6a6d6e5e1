"""How far a campaign is, on stderr: a bar on a terminal, else a line each tenth of the runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sokoasp.bench.run.campaign import Progress


@contextmanager
def progress(title: str) -> Iterator[Callable[[Progress], None]]:
    """Show a bar with the time left; where stderr is no terminal, print a line each tenth of the runs."""
    if sys.stderr is None or not sys.stderr.isatty():
        said = set[int]()

        def on_tenth(progress: Progress) -> None:
            tenth = 10 * progress.done // max(1, progress.total)
            if tenth not in said and sys.stderr is not None:
                said.add(tenth)
                click.echo(f"{title}: {progress.done} of {progress.total} runs, {progress.last}", err=True)

        yield on_tenth
        return
    from rich import console
    from rich import progress as bars

    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeElapsedColumn(),
        bars.TimeRemainingColumn(),
        bars.TextColumn("{task.fields[last]}"),
    )
    with bars.Progress(*columns, console=console.Console(stderr=True)) as bar:
        task = bar.add_task(title, total=None, last="reading the instances")

        def on_run(progress: Progress) -> None:
            bar.update(task, total=progress.total, completed=progress.done, last=progress.last)

        yield on_run
