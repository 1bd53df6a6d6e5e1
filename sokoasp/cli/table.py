"""``sokoasp bench table``: the measured tables of the documentation, each made anew by one command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sokoasp.cli import complete
from sokoasp.cli.campaigns import changes_option, view_of
from sokoasp.cli.options import IN_FILE, OUT_FOLDER, POSITIVE, time_option

SUITES = ("native", "plans", "sat", "certificates", "decision", "constrained")
"""Ready suites of the user's files, each with its view."""


@click.command("table", epilog="Example: sokoasp bench table native instances/tutorial/first.xsb --engine reference")
@click.argument("name", type=click.Choice(["klotski", *SUITES]))
@click.argument("files", nargs=-1, type=IN_FILE)
@click.option(
    "-o",
    "--output",
    type=OUT_FOLDER,
    help="Tables of campaigns: keep the campaign in this folder and go on where it stopped.",
)
@click.option(
    "--objective", type=click.Choice(["lines", "pushes", "moves", "slides", "units"]), help="What is counted."
)
@click.option("--engine", shell_complete=complete.engines, help="A native engine, for native and plans.")
@time_option("CPU seconds of a run, instead of the suite's.")
@click.option(
    "--known",
    is_flag=True,
    help="native: start from the solutions that come with the levels; sat: from the native search's.",
)
@click.option("--kind", type=click.Choice(["auto", "states", "refutation"]), help="certificates: as for certify.")
@click.option(
    "--shorten",
    type=POSITIVE,
    metavar="S",
    help="native with --known: seconds to shorten each solution first; plans: each plan found.",
)
@changes_option
def command(name: str, files: tuple[Path, ...], output: Path | None, changes: dict[str, Any], **wishes: Any) -> None:
    """Make one of the documentation's tables anew, in Markdown.

    klotski: the Hua Rong Dao paper's tables 6 to 8 beside the proved minima and our effort.

    The others are campaigns of FILES, each a ready suite and its view (see bench run and bench view). native: by a native
    engine, plan and bound. plans: how many an engine finds a plan for. sat: by rising bounds, or with --known also below the
    native search's plan. certificates: made and checked. decision, constrained: the competition's question, and a constraint.
    """
    if name in SUITES and not files:
        raise click.UsageError(f"the table {name} is about level files: name them after it")
    if files and name not in SUITES:
        raise click.UsageError(f"the table {name} is about no files: leave {', '.join(map(str, files))} out")
    if wishes["shorten"] and not (name == "plans" or (name == "native" and wishes["known"])):
        raise click.UsageError("--shorten goes with the table native and --known, or with the table plans")
    if name == "klotski":
        if output or changes or any(wishes.values()):
            raise click.UsageError("the table klotski is made at once and takes no options")
        from sokoasp.bench.studies import claims

        rows = claims.rows()
        click.echo(f"{claims.markdown(rows)}\n{claims.effort(rows)}")
        return
    from sokoasp.bench.define.overrides import Changes

    given = {KEYS.get((name, key), KEYS.get(key, key)): value for key, value in wishes.items() if value}
    if name == "sat" and wishes["known"]:
        given["known"] = "native"
    if wishes["engine"]:
        given["name"] = wishes["engine"]
    view_of(name, Changes({**given, **changes}, files=files), output)


KEYS: dict[object, str] = {
    ("plans", "shorten"): "improve",
    "kind": "proof",
    "objective": "objectives",
    "time_limit": "seconds",
}
"""Options that have another name in the suites; the others are keys of the same name."""
