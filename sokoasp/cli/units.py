"""``sokoasp units``."""

from __future__ import annotations

from pathlib import Path

import click

from sokoasp.cli.common import Source, problem_options, read_text, write_output
from sokoasp.cli.options import IN_FILE, OUT_FILE
from sokoasp.cli.rows import Rows, rows_option


@click.command(epilog="Example: sokoasp units instances/deadlocks/region.xsb --level 1")
@problem_options
@click.option(
    "--units",
    "cut_file",
    type=IN_FILE,
    metavar="MAP",
    help="Your own cut: the map with a letter on each cell of a unit.",
)
@click.option("-o", "--output", type=OUT_FILE, help="The unit diagram: x.dot or x.svg.")
@rows_option("file cut verdict units passages equations error")
@click.pass_context
def command(ctx: click.Context, /, source: Source, cut_file: Path | None, output: Path | None, rows: Rows) -> None:
    """Cut one level into units (boxes and the floor among them) and passages, and say what each unit lets through.

    Exit codes: 0 no deadlock found by this cut, 11 dead, 30 bad input.
    """
    from sokoasp.sokoban.deadlock.bitboard import scene
    from sokoasp.sokoban.level import Level
    from sokoasp.sokoban.units import diagram, draw
    from sokoasp.sokoban.units.cuts import read_cut

    if output is not None and output.suffix not in (".dot", ".svg"):
        raise click.BadParameter("the name must end in .dot or .svg", param_hint="-o")
    domain, level = source.one()
    if not isinstance(level, Level):
        raise click.UsageError(f"units are for Sokoban levels, this is {domain.name}")
    cut = None if cut_file is None else read_cut(scene(level), *read_text(str(cut_file)))
    view = draw.describe(level, cut=cut)
    if output is not None:
        text = diagram.svg(view) if output.suffix == ".svg" else "\n".join(diagram.dot(view)) + "\n"
        write_output(text, str(output))
    equations = diagram.equations(view)
    if rows:
        passages = [{"cells": [list(cell) for cell in one.cells], "reached": one.reached} for one in view.passages]
        units = [
            {
                "name": one.name,
                "cells": [list(c) for c in one.cells],
                "boxes": [list(c) for c in one.boxes],
                "done": one.done,
            }
            for one in view.units
        ]
        row = {"file": source.file, "cut": view.name, "verdict": "dead" if view.dead else "none_found"}
        whole = {**row, "units": units, "passages": passages, "equations": equations}
        rows.write(whole, units=len(units), passages=len(passages))
    else:
        click.echo(draw.draw(level, cut=cut))
        click.echo("\n".join(["", "gates by passage, in the paper's arrows:", *("  " + line for line in equations)]))
    ctx.exit(11 if view.dead else 0)
