"""``sokoasp bench``."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from sokoasp.cli.bench_optima import optima
from sokoasp.cli.bench_submit import submit
from sokoasp.cli.campaigns import changes_option, progress
from sokoasp.cli.options import (
    IN_FILE,
    IN_FOLDER,
    OUT_FOLDER,
    OUT_TEXT,
    instances_option,
    measure_option,
    suite_argument,
    time_option,
)
from sokoasp.cli.rows import Rows, rows_option
from sokoasp.core.errors import counted
from sokoasp.core.nearest import nearest_or_all

if TYPE_CHECKING:
    from sokoasp.bench.report.compare import ComparedSide
    from sokoasp.bench.run import campaign
    from sokoasp.bench.run.campaign import Summary

_FORMATS = ("csv", "jsonl", "lab", "benchmark-tool")
"""What a campaign's runs are exported as."""


@click.group()
def command() -> None:
    """Run benchmark campaigns and report them."""


@command.command("run", epilog="Example: sokoasp bench run smoke -o results")
@suite_argument
@click.argument("files", nargs=-1, type=IN_FILE)
@click.option("-o", "--output", type=OUT_FOLDER, required=True, help="Output folder.")
@click.option("--workers", type=click.IntRange(1), default=1, metavar="N", help="Runs at a time on this machine.")
@click.option("--cluster", metavar="ADDRESS", help="An existing Dask scheduler, such as tls://host:8786.")
@click.option("--open-network", is_flag=True, hidden=True)
@instances_option
@time_option("Seconds of a run, in place of the suite's; wall or CPU as the suite says.")
@click.option(
    "--retry",
    multiple=True,
    metavar="OUTCOME",
    help="Repeat runs that ended so, such as lost, crash or error; repeatable.",
)
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="S",
    help="Only systems of this name (* and ? as in file names); repeatable.",
)
@click.option("--instance", "only", multiple=True, metavar="I", help="Only instances of this id, likewise.")
@click.option("--part", metavar="K/N", hidden=True)
@click.option("--open", "undecided", is_flag=True, hidden=True)
@changes_option
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

    Exit codes: 0 all done, 1 a wrong answer or an unexplained error among the results, 30 bad suite file.
    """
    from sokoasp.bench.define.overrides import Changes
    from sokoasp.bench.define.suite import find_suite, read_suite
    from sokoasp.bench.run import campaign
    from sokoasp.bench.run.outcomes import OUTCOMES
    from sokoasp.bench.run.selection import Selection

    for name in retry:
        if name not in OUTCOMES:
            raise click.BadParameter(f"no run ends as {name!r}{nearest_or_all(name, OUTCOMES)}", param_hint="--retry")
    limit = {} if asked["time_limit"] is None else {"seconds": asked["time_limit"]}
    plan = read_suite(find_suite(suite), Changes({**limit, **asked["changes"]}, files=files))
    execution = _execution(campaign.kinds_of(plan), workers, cluster, asked["open_network"])
    with execution as execute, progress(plan.title) as on_run:
        chosen = Selection(asked["systems"], asked["only"], _numbers(asked["part"]), undecided=asked["undecided"])
        how = {"instances_folder": asked["instances"], "retry": retry, "on_run": on_run, "selection": chosen}
        summary = campaign.run(plan, output, execute, **how)
    ctx.exit(_print_summary(summary, output))


@contextmanager
def _execution(
    kinds: frozenset[str], workers: int, cluster: str | None, open_network: bool
) -> Iterator[campaign.Execute]:
    """Yield what runs the jobs: workers of this machine, or those of a Dask scheduler."""
    from sokoasp.bench.run import local

    if open_network and not cluster:
        raise click.UsageError("--open-network goes with --cluster")
    if not cluster:
        yield partial(local.execute, kinds=kinds, workers=workers)
        return
    if workers > 1:
        raise click.UsageError("--workers are of this machine: give them or --cluster")
    from sokoasp.bench.run import cluster as dask

    if not open_network:
        dask.check_address(cluster)
    logging.disable(logging.ERROR)  # what Dask has to say of lost workers stands in the outcomes
    with dask.connect(cluster) as client:
        yield partial(dask.execute, client=client, kinds=kinds)


def _print_summary(summary: Summary, output: Path) -> int:
    """Say what a campaign has done; return the exit code."""
    from sokoasp.bench.report import judge
    from sokoasp.bench.run import store

    for note in summary.left_out:
        click.echo(f"warning: {note}", err=True)
    click.echo(f"{counted(summary.total, 'runs')}, {summary.before} of them done before; in {output / store.FILE}")
    with store.open_existing(output) as opened:
        counts = judge.counts(opened)
    click.echo("  " + ", ".join(f"{name} {count}" for name, count in counts.items()))
    click.echo(f"  next: sokoasp bench report {shlex.quote(str(output))}")
    return 1 if judge.alarming(counts) else 0


def _numbers(part: str | None) -> tuple[int, int] | None:
    if part is None:
        return None
    place, slash, count = part.partition("/")
    if not (slash and place.isdecimal() and count.isdecimal() and int(place) < int(count)):
        raise click.BadParameter(f"{part!r} is not K/N with K from 0 to N-1", param_hint="--part")
    return int(place), int(count)


@command.command("status", epilog="Example: sokoasp bench status results")
@click.argument("folder", type=IN_FOLDER)
@rows_option("title done left seconds_left end")
def status(folder: Path, rows: Rows) -> None:
    """Print how far the campaign in FOLDER is: runs done and left by system, and the expected end."""
    from dataclasses import asdict

    from sokoasp.bench.report import status as progress
    from sokoasp.bench.run import store

    with store.open_existing(folder) as opened:
        found = progress.status(opened)
    if rows:
        rows.write({**asdict(found), "end": None if found.end is None else found.end.isoformat()})
    else:
        for line in progress.lines(found):
            click.echo(line)


@command.command("report", epilog="Example: sokoasp bench report results")
@click.argument("folder", type=IN_FOLDER)
@click.option("-o", "--output", type=OUT_FOLDER, help="Folder for the report; default: the campaign's.")
@measure_option
@click.option("--no-plots", is_flag=True, help="Tables only.")
@click.pass_context
def report(ctx: click.Context, /, folder: Path, output: Path | None, measure: str, no_plots: bool) -> None:
    """Write report.html (self-contained), report.md, tables (CSV, LaTeX) and plots (SVG, PDF) of the campaign in FOLDER.

    Exit codes: 0 written, 1 written and there are wrong answers or unexplained errors.
    """
    from sokoasp.bench.report.summary import write

    ctx.meta["sokoasp.output"] = str(output or folder)
    written = write(folder, output, measure=measure, drawn=not no_plots)
    pages = [path for path in written.files if path.parent == (output or folder)]
    for path in pages:
        click.echo(path)
    if len(written.files) > len(pages):
        click.echo(f"{len(written.files) - len(pages)} tables and plots in the folders beside them")
    ctx.exit(1 if written.alarming else 0)


@command.command("view", epilog="Example: sokoasp bench view results native")
@click.argument("folder", type=IN_FOLDER)
@click.argument("view", required=False, metavar="[NAME|FILE]")
def view(folder: Path, view: str | None) -> None:
    """Print a view of the campaign in FOLDER in Markdown: a query over its runs, by default the one that its suite names.

    NAME is one of deadlocks, ideas, klotski, native, plans, programs and speed; FILE is a query of
    yours (docs/bench.md). The last line has the hash of the runs it was made from.
    """
    from sokoasp.bench.define.suite import find_view
    from sokoasp.bench.report import views
    from sokoasp.bench.run import store

    with store.open_existing(folder) as opened:
        for line in views.markdown(opened, views.of_campaign(opened) if view is None else find_view(view)):
            click.echo(line)


@command.command("export", epilog="Example: sokoasp bench export results -o runs.csv")
@click.argument("folder", type=IN_FOLDER)
@click.option("--format", "to", type=click.Choice(_FORMATS), help="Default: what the name of OUTPUT ends in, else csv.")
@click.option("-o", "--output", type=OUT_TEXT, default="-", help="File; default: stdout.")
def export(folder: Path, to: str | None, output: TextIO) -> None:
    """Write the runs of the campaign in FOLDER for other programs, outcomes as judged by comparing all runs.

    csv, jsonl: a table whose columns are always the same (docs/bench.md). lab: a properties file for Lab's reports.
    benchmark-tool: an evaluation for 'btool conv'.
    """
    from sokoasp.bench.report import benchmark_tool, lab
    from sokoasp.bench.report import export as rows
    from sokoasp.bench.run import store

    name = str(getattr(output, "name", ""))
    to = to or Path(name).suffix.lower().removeprefix(".") or _FORMATS[0]
    if to not in _FORMATS:
        raise click.BadParameter(f"{name} ends in neither csv nor jsonl: give --format", param_hint="-o")
    writers = (rows.write_csv, rows.write_jsonl, lab.write, benchmark_tool.write)
    with store.open_existing(folder) as opened:
        writers[_FORMATS.index(to)](opened, output)


command.add_command(submit)
command.add_command(optima)


@command.command("compare", epilog="Example: sokoasp bench compare before after")
@click.argument("first")
@click.argument("second")
@measure_option
@rows_option("objective system questions decided ratio=times.factor changes")
@click.pass_context
def compare(ctx: click.Context, first: str, second: str, measure: str, rows: Rows) -> None:
    """Compare two campaigns question by question: FOLDER, or FOLDER:SYSTEM for one of its systems.

    Exit codes: 0 no regression (nothing lost, no wrong answer, no worse plan, nothing twice as slow), 1 there is one.
    """
    from dataclasses import asdict

    from sokoasp.bench.report import compare as comparison

    sides = [_side(first), _side(second)]
    pairings = comparison.compare(*sides, measure=measure)
    if rows:
        for pairing in pairings:
            rows.write(asdict(pairing), changes=len(pairing.changes))
    else:
        for line in comparison.markdown(pairings, *sides):
            click.echo(line)
    ctx.exit(1 if comparison.regressions(pairings) else 0)


def _side(text: str) -> ComparedSide:
    from sokoasp.bench.report.compare import ComparedSide

    folder, _, system = (text, "", "") if Path(text).is_dir() or ":" not in text else text.rpartition(":")
    if not Path(folder).is_dir():
        raise click.BadParameter(f"there is no folder {folder!r}")
    return ComparedSide(Path(folder), system or None)
