"""``sokoasp bench table``: the measured tables of the documentation, each made anew by one command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from sokoasp.cli import complete
from sokoasp.cli.campaigns import changes_option, view_of
from sokoasp.cli.common import IN_FILE, OUT_FOLDER, POSITIVE, time_option


def _klotski(**_: Any) -> str:
    from sokoasp.bench.studies import claims

    rows = claims.rows()
    return f"{claims.markdown(rows)}\n{claims.effort(rows)}"


def _speed(**_: Any) -> str:
    from sokoasp.bench.studies import speed

    return speed.markdown(speed.table())


def _kernels(files: tuple[Path, ...], objective: str | None, engine: str | None, **_: Any) -> Iterator[str]:
    from sokoasp.bench.studies.kernels_table import markdown

    return markdown(files, objective or "pushes", ("forward", "reverse") if engine is None else (engine,))


TABLES: dict[str, Callable[..., str | Iterator[str]]] = {"speed": _speed, "klotski": _klotski, "kernels": _kernels}
"""The tables that are no campaigns, by name."""
SUITES = ("native", "plans", "sat", "certificates", "decision", "constrained")
"""Ready suites of the user's files, each with its view."""
OF_FILES = ("kernels", *SUITES)
"""Tables about files that the user names."""


@click.command("table", epilog="Example: sokoasp bench table native instances/tutorial/first.xsb --engine reference")
@click.argument("name", type=click.Choice([*TABLES, *SUITES]))
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
@click.option("--engine", shell_complete=complete.engines, help="A native engine, for native, plans and kernels.")
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

    speed: start-up, one box, many levels. klotski: the Hua Rong Dao paper's tables 6 to 8 beside the proved minima and our
    effort. kernels: compiled ahead of time beside numba's, forward and in reverse on the first level of each of FILES.

    The others are campaigns of FILES, each a ready suite and its view (see bench run and bench view). native: by a native
    engine, plan and bound. plans: how many an engine finds a plan for. sat: by rising bounds, or with --known also below the
    native search's plan. certificates: made and checked. decision, constrained: the competition's question, and a constraint.
    """
    if name in OF_FILES and not files:
        raise click.UsageError(f"the table {name} is about level files: name them after it")
    if files and name not in OF_FILES:
        raise click.UsageError(f"the table {name} is about no files: leave {', '.join(map(str, files))} out")
    if wishes["shorten"] and not (name == "plans" or (name == "native" and wishes["known"])):
        raise click.UsageError("--shorten shortens the solutions that --known gives to native, or the plans of plans")
    if name in TABLES:
        table = TABLES[name](files=files, **wishes)
        for line in [table] if isinstance(table, str) else table:
            click.echo(line)
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
"""Options that are called otherwise in the suites; the others are keys of the same name."""
