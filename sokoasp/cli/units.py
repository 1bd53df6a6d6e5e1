"""``sokoasp units``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sokoasp.cli.common import read_text
from sokoasp.cli.files import Found, Source, only_one, problem_options
from sokoasp.cli.options import IN_FILE
from sokoasp.cli.rows import Rows, each, rows_option
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.units import draw
from sokoasp.sokoban.units.draw import SplitView, equations
from sokoasp.sokoban.units.split import read_cut


@click.command(epilog="Example: sokoasp units instances/deadlocks/region.xsb --level 1")
@problem_options
@click.option(
    "--units",
    "cut_file",
    type=IN_FILE,
    metavar="MAP",
    help="Your own cut: the map with a letter on each cell of a unit.",
)
@rows_option("file level cut verdict units passages equations error")
@click.pass_context
def command(ctx: click.Context, /, source: Source, cut_file: Path | None, rows: Rows) -> None:
    """Cut levels into units (boxes and the floor among them) and passages, and say what each unit lets through.

    Exit codes: 0 no deadlock found by this cut, 11 dead, 30 bad input.
    """
    levels = source.levels()
    if cut_file is not None:
        levels = only_one(levels, "--units")

    def act(found: Found) -> int:
        level = found.problem
        if not isinstance(level, Level):
            raise click.UsageError(f"units are for Sokoban levels, this is {found.domain.name}")
        cut = None if cut_file is None else read_cut(scene(level), *read_text(str(cut_file)))
        view = draw.describe(level, cut=cut)
        if rows:
            row = _row(view)
            rows.write({**found.row, **row}, units=len(row["units"]), passages=len(row["passages"]))
        else:
            head = [] if found.alone and not source.many else [found.heading]
            gates = ["", "gates by passage, in the paper's arrows:", *(f"  {one}" for one in draw.equations(view))]
            click.echo("\n".join([*head, draw.draw(level, view), *gates]))
        return 11 if view.dead else 0

    ctx.exit(each(levels, act, rows))


def _row(view: SplitView) -> dict[str, Any]:
    passages = [{"cells": [list(cell) for cell in one.cells], "reached": one.reached} for one in view.passages]
    units = [
        {"name": one.name, "cells": list(map(list, one.cells)), "boxes": list(map(list, one.boxes)), "done": one.done}
        for one in view.units
    ]
    row = {"cut": view.name, "verdict": "dead" if view.dead else "none_found", "units": units, "passages": passages}
    return {**row, "equations": equations(view)}
