"""``sokoasp render``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from sokoasp import engine, render
from sokoasp.cli.common import came_plans, is_folder, moves_of, one_file_each, tell_wrong, write_output
from sokoasp.cli.files import Found, Source, only_one, problem_and_plan_options
from sokoasp.cli.options import OUT, limit_options
from sokoasp.cli.rows import each
from sokoasp.core.errors import IllegalPlan, SokoaspError
from sokoasp.core.limits import Limits

KINDS = ("svg", "png", "html")


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is to be drawn, and how."""

    kind: str
    plan: str | None
    limits: Limits
    deadlock: bool
    units: bool
    after: str


@click.command(
    epilog="Example: sokoasp render instances/tutorial/first.xsb instances/tutorial/first.lurd -o /dev/null --format html"
)
@problem_and_plan_options
@click.option("-o", "--output", type=OUT, required=True, help="x.svg, x.png, x.html, or a folder; - is stdout.")
@click.option("--format", "kind", type=click.Choice(KINDS), help="Default: by the suffix; in a folder svg.")
@limit_options("Wall seconds for the plan, or the deadlock.", 60.0)
@click.option("--units", is_flag=True, help="Mark the units, gates and passages of the level (svg, png).")
@click.option("--deadlock", is_flag=True, help="Mark the deadlock, if one is found (svg, png).")
@click.option("--after", default="", metavar="LURD|FILE", help="Draw the state after these moves (svg, png).")
@click.pass_context
def command(
    ctx: click.Context, /, source: Source, plan: str | None, output: str, kind: str | None, **asked: Any
) -> None:
    """Draw a level or board: a picture, or a page that plays PLAN (a file, - or moves such as rRR).

    With a PLAN, a picture shows each of its actions. Without one, html takes the solution that came with the level, else
    solves it. With -o FOLDER each of several levels gets a file: NAME.svg, or NAME-0001.svg and so on. PATH is a folder if it
    exists as one or ends in /. Of several FILES it is one if it has no suffix.
    """
    folder = is_folder(output) or (source.many and output != "-" and not Path(output).suffix)
    kind = kind or ("svg" if folder else Path(output).suffix.lstrip(".").lower())
    if kind not in KINDS or not output:
        raise click.BadParameter("the name must end in .svg, .png, .html, or give --format", param_hint="-o")
    drawing = Drawing(kind, plan, **asked)
    if (drawing.deadlock or drawing.units or drawing.after) and (kind == "html" or plan is not None):
        raise click.UsageError("--after, --deadlock and --units are for a picture (svg, png), without a PLAN")
    if drawing.deadlock and drawing.units:
        raise click.UsageError("--deadlock and --units are two pictures: give one of them")
    if folder:
        if plan is not None:
            raise click.UsageError("PLAN is for one level: give -o a file's name")
        ctx.exit(one_file_each(source, Path(output), f".{kind}", partial(_one, drawing)))

    def act(level: Found) -> int:
        content, code = _one(drawing, level)
        if content is not None:
            write_output(content, output)
        return code

    ctx.exit(each(only_one(source.levels(), f"the file {output} (a folder ends in /)"), act))


def _one(drawing: Drawing, level: Found) -> tuple[str | bytes | None, int]:
    """Draw one level; None and the exit code if there is no plan to show."""
    level = _moved(level, drawing.after) if drawing.after else level
    problem, plan = level.problem, None
    if drawing.plan is not None:
        plan = came_plans(level, drawing.plan)[0]
    elif drawing.kind == "html":
        plan, code = _plan(drawing, level)
        if plan is None:
            return None, code
    if drawing.kind == "html":
        return render.html_player(problem, plan), 0
    if plan is not None:
        picture = render.storyboard(problem, plan, caption=level.title)
    else:
        picture = render.svg(problem, marks=_marks(level, drawing), caption=level.title)
    return render.png(picture) if drawing.kind == "png" else picture, 0


def _plan(drawing: Drawing, level: Found) -> tuple[Any, int]:
    """Return the solution that came with a level, else one that is found; None and the exit code if there is none."""
    try:
        return came_plans(level)[0], 0
    except SokoaspError as error:
        tell_wrong(error)
        result = engine.solve(level.problem, limits=drawing.limits, cross_check=False)
    if result.plan is None:
        words = str(result.status).replace("_", " ")
        advice = "; give one as PLAN" * (words != "unsolvable")
        click.echo(f"error: {level.place}: no plan to show: {words}{advice}", err=True)
    return result.plan, result.exit_code


def _moved(level: Found, after: str) -> Found:
    """Return a level with the state after some moves as its start."""
    if level.domain.known.examine is None:
        raise click.UsageError(f"--after is for Sokoban levels, this is {level.domain.name}")
    from sokoasp.sokoban.examine import position

    try:
        return level._replace(problem=position(level.problem, moves_of(after)))
    except IllegalPlan as error:
        raise error.located(f"{level.place} --after") from None


def _marks(level: Found, drawing: Drawing) -> tuple[Any, ...]:
    """Return what is to be marked in the picture."""
    if not (drawing.deadlock or drawing.units):
        return ()
    if level.domain.known.examine is None:
        raise click.UsageError(f"--deadlock and --units are for Sokoban levels, this is {level.domain.name}")
    if drawing.units:
        from sokoasp.sokoban.units.draw import describe

        return render.cut_marks(describe(level.problem))
    examined = level.domain.known.examine(level.problem, "", False, drawing.limits)
    if examined.stopped_by == "interrupt":
        raise KeyboardInterrupt
    if examined.found is None and examined.stopped_by is not None:
        click.echo(
            f"note: {level.place}: no deadlock is marked: the examination was stopped by: {examined.stopped_by}",
            err=True,
        )
    return render.verdict_marks(examined.found) if examined.found is not None else ()
