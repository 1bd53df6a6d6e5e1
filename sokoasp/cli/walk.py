"""``sokoasp walk``."""

from __future__ import annotations

import re

import click

from sokoasp.cli.files import Source, problem_options
from sokoasp.cli.rows import Rows, rows_option
from sokoasp.core.errors import counted

_METHODS = ("touch", "paper", "shortest")


def _cell(value: str) -> tuple[int, int]:
    """Read ``ROW,COL``, both from 0."""
    found = re.fullmatch(r"\s*(\d+)\s*,\s*(\d+)\s*", value)
    if not found:
        raise click.BadParameter(f"{value!r} is not ROW,COL, such as 3,5")
    return int(found[1]), int(found[2])


@click.command(epilog="Example: sokoasp walk instances/tutorial/tutorial.xsb --level 8 --to 4,1")
@problem_options
@click.option(
    "--to", "target", type=_cell, metavar="ROW,COL", required=True, help="The cell to walk to, counted from 0."
)
@click.option("--method", type=click.Choice(_METHODS), help="Only the way by this method.")
@rows_option("file level to touch=paths.touch paper=paths.paper shortest=paths.shortest error")
@click.pass_context
def command(ctx: click.Context, /, source: Source, target: tuple[int, int], method: str | None, rows: Rows) -> None:
    """Find the way that a tap on a cell sends the player.

    The way by the tap-to-walk paper's three steps and the shortest way stand beside it. Exit codes: 0 a path, 12 the player
    cannot get there.
    """
    found = source.one()
    domain, level = found.domain, found.problem
    if domain.walk is None:
        raise click.UsageError(f"walking is for Sokoban levels, this is {domain.name}")
    if target not in level.floor:
        inside = target[0] < level.height and target[1] < level.width
        where = "a wall" if inside else f"outside of the level of {level.height} rows and {level.width} columns"
        raise click.BadParameter(f"the cell ({target[0]},{target[1]}) is {where}", param_hint="--to")
    paths = {name: domain.walk(level, target, name) for name in ([method] if method else _METHODS)}
    if rows:
        rows.write({**found.row, "to": list(target), "paths": paths})
    for name, path in () if rows else paths.items():
        reported = "no path" if path is None else f"{counted(len(path), 'moves')}  {path}"
        click.echo(f"{name:<9}{reported}")
    ctx.exit(0 if all(path is not None for path in paths.values()) else 12)
