"""``sokoasp klotski-db``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sokoasp.cli.common import counted
from sokoasp.cli.files import Found, Source, problem_options
from sokoasp.cli.modes import refuse_ignored
from sokoasp.cli.options import IN_FILE, OUT_FILE, limit_options
from sokoasp.cli.rows import Rows, each, rows_option

if TYPE_CHECKING:
    from sokoasp.klotski.database import Positions

_TAKES = {"use": {"objective"}}


@click.command(epilog="Example: sokoasp klotski-db instances/klotski/hua-rong-dao.klotski --level 2")
@problem_options
@click.option("-o", "--output", type=OUT_FILE, help="Keep the positions in this file.")
@click.option("--use", type=IN_FILE, metavar="DB", help="Answer each board of FILE at once from such a file.")
@click.option(
    "--reachable",
    is_flag=True,
    help="Only the positions that can be reached: far fewer where pieces keep their lanes.",
)
@click.option("--objective", type=click.Choice(["slides", "units"]), default="slides", show_default=True)
@limit_options("Wall seconds for each board.", 60.0)
@rows_option(
    "file level title objective distance plan positions components largest_components goal_in_reach "
    "greatest_slides hardest_by_slides greatest_units hardest_by_units stopped_by error"
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    source: Source,
    output: Path | None,
    use: Path | None,
    rows: Rows,
    **how: Any,
) -> None:
    """Lay the pieces of a board in every way and measure each position's distance to the goal.

    Prints how many positions and components there are and the hardest start. In a file of several boards the first is meant
    unless --level says otherwise (with --use: all). Exit codes: 0 delivered, 11 the goal cannot be reached (with --use),
    20/21 time/memory limit, 30 bad input.
    """
    from sokoasp.core.errors import LevelError
    from sokoasp.klotski.database import load

    refuse_ignored(ctx, _TAKES, {"objective"})
    if str(output) == "-":
        raise click.BadParameter("positions are binary: name a file", param_hint="-o")
    if use is None and not source.wanted:
        source = replace(source, wanted=((1, 1),))
    known = None if use is None else load(use)

    def act(found: Found) -> int:
        board = found.problem
        if found.domain.name != "klotski":
            raise click.UsageError(f"this is for Klotski boards, {found.file} is {found.domain.name}")
        try:
            row, code = _ask(known, board, how) if known is not None else _build(board, output, how)
        except LevelError as error:
            raise error.located(found.place) from None
        _show(found, row, rows)
        return code

    ctx.exit(each(source.levels(), act, rows))


def _ask(known: Positions, board: Any, how: dict[str, Any]) -> tuple[dict[str, Any], int]:
    plan = known.plan(board, how["objective"])
    value = known.distance(board, how["objective"])
    moves = None if plan is None else [str(slide) for slide in plan]
    return {"objective": how["objective"], "distance": value, "plan": moves}, 11 if plan is None else 0


def _build(board: Any, output: Path | None, how: dict[str, Any]) -> tuple[dict[str, Any], int]:
    from sokoasp.klotski import database

    found = database.build(board, how["limits"], reachable=how["reachable"])
    if isinstance(found, str):
        return {"stopped_by": found}, 20 if found == "time" else 21
    if output is not None:
        database.write(found, output)
    return database.summary(found), 0


def _show(found: Found, row: dict[str, Any], rows: Rows) -> None:
    if rows:
        rows.write({**found.row, "title": found.title, **row})
        return
    click.echo(found.heading)
    if "plan" in row:
        far, objective = row["distance"], row["objective"]
        click.echo("  the goal cannot be reached" if far is None else f"  {counted(far, objective)} to the goal")
        for number, slide in enumerate(row["plan"] or (), 1):
            click.echo(f"  {number:3}. {slide}")
        return
    for name, value in row.items():
        text = f"{value:,}" if isinstance(value, int) else value
        if isinstance(value, dict):
            text = ", ".join(f"{part} {number}" for part, number in value.items())
        label = name.replace("_", " ") + " to the goal" * name.startswith("greatest")
        click.echo(f"  {label:<27} {text}")
