"""``sokoasp bench table``: the measured tables of the documentation, each made anew by one command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from sokoasp.cli import complete
from sokoasp.cli.common import POSITIVE


def _klotski(**_: Any) -> str:
    from sokoasp.bench.studies import claims

    rows = claims.rows()
    return f"{claims.markdown(rows)}\n{claims.effort(rows)}"


def _speed(**_: Any) -> str:
    from sokoasp.bench.studies import speed

    return speed.markdown(speed.table())


def _deadlocks(**_: Any) -> str:
    from sokoasp.bench.studies.detector_recall import recall_table

    return str(recall_table())


def _walk(**_: Any) -> str:
    from sokoasp.bench.studies import growth

    return growth.markdown(growth.growth())


def _lengths(plot: Path | None, **_: Any) -> str:
    from sokoasp.bench.studies import lengths

    rows = list(lengths.lengths())
    if plot is not None:
        lengths.draw(rows, plot)
    return lengths.markdown(rows)


def _pruning(files: tuple[Path, ...], **_: Any) -> str:
    from sokoasp.bench.studies import pruning
    from sokoasp.sokoban import formats

    levels = [level for file in files for level in formats.read(file.read_bytes(), source=str(file))]
    return pruning.markdown(pruning.pruning_table(levels))


def _native(
    files: tuple[Path, ...],
    objective: str,
    engine: str,
    time_limit: float,
    known: bool,
    shorten: float | None,
    rows: Path | None,
    **_: Any,
) -> Iterator[str]:
    from sokoasp.bench.studies.native_table import markdown, native_table
    from sokoasp.core.limits import CpuLimits, free_mb
    from sokoasp.sokoban.search import Options

    limits, options = CpuLimits(seconds=time_limit, memory_mb=free_mb()), Options(workers=1)
    asked = native_table(
        files, objective, limits, engine=engine, options=options, known=known, shorten=shorten, rows=rows
    )
    return markdown(asked)


def _plans(
    files: tuple[Path, ...], engine: str, time_limit: float, shorten: float | None, rows: Path | None, **_: Any
) -> Iterator[str]:
    from sokoasp.bench.studies.plans_table import plan_rows, plans_markdown

    return plans_markdown(plan_rows(files, time_limit, engine=engine, shorten=shorten, rows=rows))


def _sat(
    files: tuple[Path, ...], objective: str, time_limit: float, rows: Path | None, known: bool, **_: Any
) -> Iterator[str]:
    from sokoasp.bench.studies.sat_table import sat_markdown, sat_rows

    return sat_markdown(sat_rows(files, objective, time_limit, way="below" if known else "rising", rows=rows))


def _certificates(
    files: tuple[Path, ...], objective: str, time_limit: float, rows: Path | None, kind: str, **_: Any
) -> Iterator[str]:
    from sokoasp.bench.studies.certificates_table import certificate_rows, certificates_markdown

    return certificates_markdown(certificate_rows(files, objective, time_limit, kind=kind, rows=rows))


def _kernels(files: tuple[Path, ...], objective: str, engine: str, **_: Any) -> Iterator[str]:
    from sokoasp.bench.studies.kernels_table import markdown

    return markdown(files, objective, ("forward", "reverse") if engine == "native" else (engine,))


TABLES: dict[str, Callable[..., str | Iterator[str]]] = {
    "speed": _speed,
    "klotski": _klotski,
    "deadlocks": _deadlocks,
    "lengths": _lengths,
    "walk": _walk,
    "pruning": _pruning,
    "native": _native,
    "plans": _plans,
    "sat": _sat,
    "certificates": _certificates,
    "kernels": _kernels,
}
"""The tables by name."""
OF_FILES = ("pruning", "native", "plans", "sat", "certificates", "kernels")
"""Those that are about files the user names."""


@click.command("table", epilog="Example: sokoasp bench table native instances/tutorial/first.xsb --engine reference")
@click.argument("name", type=click.Choice(list(TABLES)))
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--objective",
    type=click.Choice(["lines", "pushes", "moves", "slides", "units"]),
    default="pushes",
    show_default=True,
)
@click.option(
    "--engine",
    shell_complete=complete.engines,
    default="native",
    show_default=True,
    help="A native engine, for native and plans.",
)
@click.option("--time-limit", type=POSITIVE, default=60.0, show_default=True, metavar="S")
@click.option(
    "--rows",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Tables of files: keep the rows in this file and go on where it ends.",
)
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    help="lengths: draw them to this file too (.svg, .png, .pdf).",
)
@click.option(
    "--known",
    is_flag=True,
    help="native: use the solutions that come with the levels as upper bounds; sat: the native search's.",
)
@click.option(
    "--kind",
    type=click.Choice(["auto", "states", "refutation"]),
    default="auto",
    show_default=True,
    help="certificates: as for certify.",
)
@click.option(
    "--shorten",
    type=POSITIVE,
    metavar="S",
    help="native with --known: shorten each solution for so long first; plans: each plan found.",
)
def command(name: str, files: tuple[Path, ...], **wishes: Any) -> None:
    """Make one of the documentation's tables anew, in Markdown.

    speed: start-up, one box, many levels. klotski: the Hua Rong Dao paper's tables 6 to 8 beside the proved minima and our
    effort. deadlocks: recall of each detector. lengths: dead corridors of any length by units and by search. walk: the touch
    paper's growth and path length. pruning: what detectors save and cost a plain search of FILES, forward and in reverse.
    native: FILES by a native engine, plan and bound. plans: how many of FILES an engine finds a plan for. sat: FILES by rising
    bounds, or with --known by one question below the native search's plan. certificates: those of FILES made and checked.
    kernels: compiled ahead of time beside numba's, forward and in reverse on the first level of each of FILES.
    Time limits are CPU seconds of a process.
    """
    if (name in OF_FILES) != bool(files):
        raise click.UsageError(f"level files go with the tables {', '.join(OF_FILES)}, and with no other")
    if wishes["objective"] in ("slides", "units") and name != "certificates":
        raise click.BadParameter("slides and units are for the table of certificates", param_hint="--objective")
    if wishes["shorten"] and not (name == "plans" or (name == "native" and wishes["known"])):
        raise click.UsageError("--shorten shortens the solutions that --known gives to native, or the plans of plans")
    table = TABLES[name](files=files, **wishes)
    for line in [table] if isinstance(table, str) else table:
        click.echo(line)
