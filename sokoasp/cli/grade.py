"""``sokoasp grade``."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path

import click

from sokoasp.cli.common import counted
from sokoasp.cli.options import IN_FILE, time_option
from sokoasp.cli.rows import Rows, rows_option


@click.command(epilog="Example: sokoasp grade lines --suite instances/tutorial/first.xsb")
@click.argument("program")
@click.option("--suite", type=IN_FILE, help="Your own levels; default: ours.")
@click.option("--objective", type=click.Choice(["lines", "pushes", "moves"]), default="lines", show_default=True)
@time_option("Seconds a level.", 10.0)
@rows_option("program objective number title verdict optimum value reason seconds")
@click.pass_context
def command(
    ctx: click.Context, program: str, suite: Path | None, objective: str, time_limit: float, rows: Rows
) -> None:
    """Mark somebody's encoding on a suite of small levels: right, or what is wrong, level by level.

    PROGRAM is a catalogued name or a file: a logic program over the competition's facts that shows push/4. Every plan goes
    through the referee, every optimum is compared with the reference search's. Exit codes: 0 all right, 13 something is wrong
    or was not answered, 30 the program or the suite cannot be read.
    """
    from sokoasp.core.limits import Limits
    from sokoasp.engine.grading import grade, suite_levels

    marks: Counter[str] = Counter()
    for mark in grade(program, suite_levels(suite), objective=objective, limits=Limits(seconds=time_limit)):
        marks[mark.verdict] += 1
        if rows:
            rows.write({"program": program, "objective": objective, **asdict(mark)})
            continue
        best = "unsolvable" if mark.optimum is None else counted(mark.optimum, objective)
        best = "unknown" if mark.verdict == "no truth" else best
        click.echo(
            f"{mark.number:>3} {mark.title[:32]:<32} {best:>10}  {mark.verdict}"
            + (f": {mark.reason}" * bool(mark.reason))
        )
    if not rows:
        click.echo(f"{marks['right']} of {marks.total()} right")
    ctx.exit(0 if marks["right"] == marks.total() else 13)
