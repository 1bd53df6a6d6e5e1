"""``sokoasp bench run``."""

from __future__ import annotations

import logging
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sokoasp.cli import campaigns, options
from sokoasp.cli.campaign_progress import progress
from sokoasp.cli.files import spread
from sokoasp.core.errors import counted
from sokoasp.core.nearest import nearest_or_all

if TYPE_CHECKING:
    from sokoasp.bench.run import campaign


@click.command("run", epilog="Example: sokoasp bench run smoke -o results")
@click.argument("suite")
@click.argument("files", nargs=-1, type=options.IN_FILES, callback=spread)
@options.recursive_option
@click.option("-o", "--output", type=options.OUT_FOLDER, required=True, help="Output folder.")
@click.option("--workers", type=click.IntRange(1), default=1, metavar="N", help="Runs at a time on this machine.")
@click.option("--cluster", metavar="ADDRESS", help="An existing Dask scheduler, such as tls://host:8786.")
@click.option("--open-network", is_flag=True, hidden=True)
@options.instances_option
@options.time_option("Seconds of a run, in place of the suite's; wall or CPU as the suite says.")
@click.option(
    "--retry",
    multiple=True,
    metavar="OUTCOME",
    help="Repeat the runs with this outcome, such as lost, crash or error; repeatable.",
)
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="S",
    help="Only systems of this name (* and ? as in file names); repeatable.",
)
@click.option(
    "--instance",
    "only",
    multiple=True,
    metavar="I",
    help="Only instances called so in tables (or this id); repeatable.",
)
@click.option("--part", metavar="K/N", hidden=True)
@campaigns.changes_option
@click.pass_context
def run(
    ctx: click.Context,
    /,
    suite: str,
    files: tuple[Path, ...],
    output: Path,
    workers: int,
    cluster: str | None,
    retry: tuple[str, ...],
    **asked: Any,
) -> None:
    """Run a campaign: SUITE is a suite file or the name of a ready one; FILES are the instances of suites that want some.

    The same command again goes on where it stopped.

    Exit codes: 0 all done, 1 a wrong answer or an unexplained error among the results, or all runs of a system failed,
    30 bad suite file.
    """
    from sokoasp.bench.run import campaign
    from sokoasp.bench.run.outcomes import OUTCOMES
    from sokoasp.bench.run.selection import Selection

    for name in retry:
        if name not in OUTCOMES:
            raise click.BadParameter(f"no run ends as {name!r}{nearest_or_all(name, OUTCOMES)}", param_hint="--retry")
    limit = {} if asked["time_limit"] is None else {"seconds": asked["time_limit"]}
    plan = campaigns.plan(suite, {**limit, **asked["changes"]}, files=files)
    execution = _execution(workers, cluster, asked["open_network"])
    chosen = Selection(asked["systems"], asked["only"], _numbers(asked["part"]))
    how = {"instances_folder": asked["instances"], "retry": retry, "selection": chosen}
    try:
        with execution as execute, progress(plan.title) as on_run:
            summary = campaign.run(plan, output, execute, on_run=on_run, **how)
    except KeyboardInterrupt:
        click.echo(f"the runs made so far are in {output}: the same command goes on", err=True)
        raise
    ctx.exit(_print_summary(summary, output))


@contextmanager
def _execution(workers: int, cluster: str | None, open_network: bool) -> Iterator[campaign.Execute]:
    """Yield what runs the jobs: workers of this machine, or those of a Dask scheduler."""
    from sokoasp.bench.run import cluster as dask
    from sokoasp.bench.run import local

    if open_network and not cluster:
        raise click.UsageError("--open-network goes with --cluster")
    if not cluster:
        yield partial(local.execute, workers=workers)
        return
    if workers > 1:
        raise click.UsageError("--workers counts processes of this machine: give it or --cluster")
    if not open_network:
        dask.check_address(cluster)
    logging.disable(logging.ERROR)  # what Dask has to say of lost workers stands in the outcomes
    with dask.connect(cluster) as client:
        yield partial(dask.execute, client=client)


def _print_summary(summary: campaign.Summary, output: Path) -> int:
    """Say what a campaign has done; return the exit code."""
    from sokoasp.bench.report import judge
    from sokoasp.bench.run import store

    for note in summary.left_out:
        click.echo(f"warning: {note}", err=True)
    click.echo(f"{counted(summary.total, 'runs')}, {summary.before} of them done before; in {output / store.FILE}")
    with store.open_existing(output) as opened:
        changed = judge.verdicts(opened)
        counts = judge.counts(opened, changed)
        code = campaigns.told(opened, changed)
    click.echo("  " + ", ".join(f"{name} {count}" for name, count in counts.items()))
    click.echo(f"  next: sokoasp bench report {shlex.quote(str(output))}")
    return code


def _numbers(part: str | None) -> tuple[int, int] | None:
    if part is None:
        return None
    found = re.fullmatch(r"(\d+)/(\d+)", part)
    if found is None or int(found[1]) >= int(found[2]):
        raise click.BadParameter(f"{part!r} is not K/N with K from 0 to N-1", param_hint="--part")
    return int(found[1]), int(found[2])
