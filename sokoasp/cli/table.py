"""``sokoasp bench table``: the measured tables of the documentation, each made anew by one command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sokoasp.cli import complete
from sokoasp.cli.campaigns import changes_option, view_of
from sokoasp.cli.options import IN_FILE, OUT_FOLDER, POSITIVE, time_option

OF_FILES = ("native", "plans", "pruned")
"""Ready suites of the user's files, each with its view."""
OF_SYSTEMS = ("pruned", "deadlocks", "lengths", "walks")
"""Ready suites that compare systems of their own."""
SUITES = tuple(dict.fromkeys((*OF_FILES, "klotski", *OF_SYSTEMS)))


@click.command("table", epilog="Example: sokoasp bench table native instances/tutorial/first.xsb --engine reference")
@click.argument("name", type=click.Choice(SUITES))
@click.argument("files", nargs=-1, type=IN_FILE)
@click.option(
    "-o",
    "--output",
    type=OUT_FOLDER,
    help="Keep the campaign in this folder and go on where it stopped.",
)
@click.option(
    "--objective", type=click.Choice(["lines", "pushes", "moves", "slides", "units"]), help="What is counted."
)
@click.option("--engine", shell_complete=complete.engines, help="A native engine, for native and plans.")
@time_option("CPU seconds of a run, instead of the suite's.")
@click.option(
    "--known",
    is_flag=True,
    help="native: start from the solutions that come with the levels.",
)
@click.option(
    "--shorten",
    type=POSITIVE,
    metavar="S",
    help="native with --known: seconds to shorten each solution first; plans: each plan found.",
)
@changes_option
def command(name: str, files: tuple[Path, ...], output: Path | None, changes: dict[str, Any], **wishes: Any) -> None:
    """Make one of the documentation's tables anew, in Markdown: a ready suite and its view (see bench run and bench view).

    Of boards that come with sokoasp: klotski: the Hua Rong Dao paper's tables 6 to 8 beside the proved minima and our effort;
    deadlocks: what each detector finds of random states; lengths: dead levels of growing length; walks: the methods of walking,
    also on FILES.

    Of FILES: native: by a native engine, plan and bound. plans: how many an engine finds a plan for. pruned: a plain search with
    and without deadlock detectors.
    """
    if name in OF_FILES and not files:
        raise click.UsageError(f"the table {name} is about level files: name them after it")
    if wishes["engine"] and name in OF_SYSTEMS:
        raise click.UsageError(f"the table {name} compares systems of its own: leave --engine out")
    if wishes["shorten"] and not (name == "plans" or (name == "native" and wishes["known"])):
        raise click.UsageError("--shorten goes with the table native and --known, or with the table plans")
    from sokoasp.bench.define.overrides import Changes

    given = {KEYS.get((name, key), KEYS.get(key, key)): value for key, value in wishes.items() if value}
    if wishes["engine"]:
        given["name"] = wishes["engine"]
    view_of(name, Changes({**given, **changes}, files=files), output)


KEYS: dict[object, str] = {
    ("plans", "shorten"): "improve",
    "objective": "objectives",
    "time_limit": "seconds",
}
"""Options that have another name in the suites; the others are keys of the same name."""
