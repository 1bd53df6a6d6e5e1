"""``sokoasp bench``: its commands, and those that read a campaign."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TextIO

import click

from sokoasp.cli import options
from sokoasp.cli.bench_optima import optima
from sokoasp.cli.bench_run import run
from sokoasp.cli.bench_submit import submit
from sokoasp.cli.rows import Rows, rows_option

_FORMATS = ("csv", "jsonl", "lab", "benchmark-tool")
"""What a campaign's runs are exported as."""
_campaign = click.argument("folder", type=options.IN_FOLDER)


@click.group()
def command() -> None:
    """Run benchmark campaigns and report them."""


for _other in (run, submit, optima):
    command.add_command(_other)


@command.command("status", epilog="Example: sokoasp bench status results")
@_campaign
@rows_option("title done left seconds_left end")
def status(folder: Path, rows: Rows) -> None:
    """Print how far the campaign in FOLDER is: runs done and left by system, and the expected end."""
    from sokoasp.bench.report import status as progress
    from sokoasp.bench.run.store import open_existing

    with open_existing(folder) as opened:
        found = progress.status(opened)
    if rows:
        rows.write({**asdict(found), "end": None if found.end is None else found.end.isoformat()})
    else:
        for line in progress.lines(found):
            click.echo(line)


@command.command("report", epilog="Example: sokoasp bench report results")
@_campaign
@click.option("-o", "--output", type=options.OUT_FOLDER, help="Folder for the report; default: the campaign's.")
@options.measure_option
@click.option(
    "--width",
    type=click.Choice(["page", "column"]),
    default="page",
    show_default=True,
    help="Of the plots, in a paper.",
)
@click.option("--no-plots", is_flag=True, help="Tables only.")
@click.pass_context
def report(
    ctx: click.Context, /, folder: Path, output: Path | None, measure: str | None, width: str, no_plots: bool
) -> None:
    """Write report.html (self-contained), report.md, tables (CSV, LaTeX) and plots (SVG, PDF) of the campaign in FOLDER.

    Exit codes: 0 written, 1 written and there are wrong answers or unexplained errors.
    """
    from sokoasp.bench.report.summary import write

    ctx.meta["sokoasp.output"] = str(output or folder)
    written = write(folder, output, measure=measure, width=None if no_plots else width)
    pages = [path for path in written.files if path.parent == (output or folder)]
    for path in pages:
        click.echo(path)
    if len(written.files) > len(pages):
        click.echo(f"{len(written.files) - len(pages)} tables and plots in the folders beside them")
    ctx.exit(1 if written.alarming else 0)


@command.command("view", epilog="Example: sokoasp bench view results native")
@_campaign
@click.argument("view", required=False, metavar="[NAME|FILE]")
def view(folder: Path, view: str | None) -> None:
    """Print a view of the campaign in FOLDER in Markdown: a query over its runs, by default the one that its suite names.

    NAME is one of deadlocks, ideas, klotski, native, plans, programs and speed; FILE is a query of
    yours (docs/bench.md). The last line has the hash of the runs it was made from.
    """
    from sokoasp.bench.define.suite import find_view
    from sokoasp.bench.report import views
    from sokoasp.bench.run.store import open_existing

    with open_existing(folder) as opened:
        for line in views.markdown(opened, views.of_campaign(opened) if view is None else find_view(view)):
            click.echo(line)


@command.command("export", epilog="Example: sokoasp bench export results -o runs.csv")
@_campaign
@click.option("--format", "to", type=click.Choice(_FORMATS), help="Default: what the name of OUTPUT ends in, else csv.")
@click.option("-o", "--output", type=options.OUT_TEXT, default="-", help="File; default: stdout.")
def export_runs(folder: Path, to: str | None, output: TextIO) -> None:
    """Write the runs of the campaign in FOLDER for other programs, outcomes as judged by comparing all runs.

    csv, jsonl: a table whose columns are always the same (docs/bench.md). lab: a properties file for Lab's reports.
    benchmark-tool: an evaluation for 'btool conv'.
    """
    from sokoasp.bench.report import benchmark_tool, export, lab
    from sokoasp.bench.run.store import open_existing

    name = str(getattr(output, "name", ""))
    to = to or Path(name).suffix.lower().removeprefix(".") or _FORMATS[0]
    if to not in _FORMATS:
        raise click.BadParameter(f"{name} ends in neither .csv nor .jsonl: give --format", param_hint="-o")
    writers = (export.write_csv, export.write_jsonl, lab.write, benchmark_tool.write)
    with open_existing(folder) as opened:
        writers[_FORMATS.index(to)](opened, output)


@command.command("compare", epilog="Example: sokoasp bench compare before after")
@click.argument("first")
@click.argument("second")
@options.measure_option
@rows_option("objective system questions decided ratio=times.factor changes")
@click.pass_context
def compare(ctx: click.Context, first: str, second: str, measure: str | None, rows: Rows) -> None:
    """Compare two campaigns question by question: FOLDER, or FOLDER:SYSTEM for one of its systems.

    Exit codes: 0 no regression (nothing lost, no wrong answer, no worse plan, nothing twice as slow), 1 there is one.
    """
    from sokoasp.bench.report import compare as comparison

    sides = [comparison.ComparedSide(*_side(text)) for text in (first, second)]
    pairings = comparison.compare(*sides, measure=measure)
    if rows:
        for pairing in pairings:
            rows.write(asdict(pairing), changes=len(pairing.changes))
    else:
        for line in comparison.markdown(pairings, *sides):
            click.echo(line)
    ctx.exit(1 if comparison.regressions(pairings) else 0)


def _side(text: str) -> tuple[Path, str | None]:
    folder, _, system = (text, "", "") if Path(text).is_dir() or ":" not in text else text.rpartition(":")
    if not Path(folder).is_dir():
        raise click.BadParameter(f"there is no folder {folder!r}")
    return Path(folder), system or None
