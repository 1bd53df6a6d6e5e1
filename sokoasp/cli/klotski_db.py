"""``sokoasp klotski-db``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sokoasp.cli.files import Found, Source, problem_options
from sokoasp.cli.options import OUT_FILE, limit_options
from sokoasp.cli.rows import Rows, each, rows_option
from sokoasp.core.errors import some
from sokoasp.klotski import database


@click.command(epilog="Example: sokoasp klotski-db instances/klotski/hua-rong-dao.klotski --level 2")
@problem_options
@click.option("-o", "--output", type=OUT_FILE, help="Keep the positions in this file.")
@click.option(
    "--reachable", is_flag=True, help="Only the positions that can be reached: far fewer where pieces keep their lanes."
)
@limit_options("Wall seconds for each board.", 60.0)
@rows_option(
    "file level title positions components largest_components goal_in_reach "
    "greatest_slides hardest_by_slides greatest_units hardest_by_units stopped_by error"
)
@click.pass_context
def command(ctx: click.Context, /, source: Source, output: Path | None, rows: Rows, **how: Any) -> None:
    """Lay the pieces of a board in every way and measure each position's distance to the goal.

    Prints how many positions and components there are and the hardest start. In a file of several boards the first is meant
    unless --level says otherwise. ``solve --positions`` answers boards from the file. Exit codes: 0 delivered, 20/21
    time/memory limit, 30 bad input.
    """
    if str(output) == "-":
        raise click.BadParameter("positions are binary: name a file", param_hint="-o")

    def act(found: Found) -> int:
        board = found.problem
        if found.domain.name != "klotski":
            raise click.UsageError(f"this is for Klotski boards, {found.file} is {found.domain.name}")
        row, code = _build(board, output, how)
        _show(found, row, rows)
        return code

    ctx.exit(each(iter([source.one()]) if not source.wanted else source.levels(), act, rows))


def _build(board: Any, output: Path | None, how: dict[str, Any]) -> tuple[dict[str, Any], int]:
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
    for name, value in row.items():
        text = f"{value:,}" if isinstance(value, int) else value
        if isinstance(value, list):
            text = some(value, 5)
        label = name.replace("_", " ") + " to the goal" * name.startswith("greatest")
        click.echo(f"  {label:<27} {text}")
