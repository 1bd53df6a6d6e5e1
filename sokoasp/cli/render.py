"""``sokoasp render``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from sokoasp.cli.common import came_plans, is_folder, one_file_each, read_plan, write_output
from sokoasp.cli.files import Found, Source, problem_and_plan_options
from sokoasp.cli.options import limit_options
from sokoasp.cli.rows import each
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits

KINDS = ("svg", "png", "html")


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is to be drawn, and how."""

    kind: str
    limits: Limits
    plan: str | None = None
    deadlock: bool = False
    units: bool = False


@click.command(
    epilog="Example: sokoasp render instances/tutorial/first.xsb instances/tutorial/first.lurd -o /dev/null --format html"
)
@problem_and_plan_options
@click.option("-o", "--output", required=True, help="x.svg, x.png, x.html, or a folder; - is stdout.")
@click.option("--format", "kind", type=click.Choice(KINDS), help="Default: by the suffix; in a folder svg.")
@limit_options("Wall seconds for the plan, or the deadlock.", 60.0)
@click.option("--units", is_flag=True, help="Mark the units, gates and passages of the level (svg, png).")
@click.option("--deadlock", is_flag=True, help="Mark the deadlock, if one is found (svg, png).")
@click.pass_context
def command(
    ctx: click.Context, /, source: Source, plan: str | None, output: str, kind: str | None, **asked: Any
) -> None:
    """Draw a level or board: a picture, or a page that plays PLAN (a file, - or moves such as rRR).

    With a PLAN, a picture shows each of its actions. Without one, html takes the solution that came with the level, else solves
    it. Several levels become one contact sheet (svg). With -o FOLDER each gets a file, NAME.svg, or NAME-0001.svg and so on. A
    folder is there already, ends in /, or has no suffix beside several FILES.
    """
    folder = is_folder(output) or (source.many and output != "-" and not Path(output).suffix)
    kind = kind or ("svg" if folder else Path(output).suffix.lstrip(".").lower())
    if kind not in KINDS or not output:
        raise click.BadParameter(
            f"the name must end in {', '.join('.' + k for k in KINDS)}, or give --format", param_hint="-o"
        )
    drawing = Drawing(kind, asked["limits"], plan, asked["deadlock"], asked["units"])
    _refuse_ignored(drawing)
    if folder:
        if plan is not None:
            raise click.UsageError("PLAN is for one level: give -o a file's name")
        ctx.exit(one_file_each(source, Path(output), f".{kind}", partial(_one, drawing)))
    good: list[Found] = []
    code = each(source.levels(), partial(_kept, good, drawing))
    if len(good) > 1:
        write_output(_sheet(good, drawing, source), output)
    elif good:
        content, own = _one(drawing, good[0])
        code = max(code, own)
        if content is not None:
            write_output(content, output)
    ctx.exit(code)


def _kept(good: list[Found], drawing: Drawing, level: Found) -> int:
    """Keep a level for the picture. Raises click.UsageError: one picture cannot hold more levels."""
    from sokoasp.render import MOST_ON_A_SHEET

    good.append(level)
    instead = "choose one by --level N, or give a folder (-o pictures/) for a file a level"
    if len(good) == 2 and drawing.plan is not None:
        raise click.UsageError("PLAN is for one level, and there are several: choose one by --level N")
    if len(good) == 2 and drawing.kind != "svg":
        raise click.UsageError(f"there are several levels, {drawing.kind} shows one: {instead}")
    if len(good) > MOST_ON_A_SHEET:
        raise click.UsageError(f"there are more levels than a sheet holds ({MOST_ON_A_SHEET}): {instead}")
    return 0


def _refuse_ignored(drawing: Drawing) -> None:
    """Refuse what would change nothing.

    Raises:
        click.UsageError: An option is not for this kind of picture, or two do not go together.
    """
    if (drawing.deadlock or drawing.units) and (drawing.kind == "html" or drawing.plan is not None):
        raise click.UsageError("--deadlock and --units are for a picture of the level (svg or png, no PLAN)")
    if drawing.deadlock and drawing.units:
        raise click.UsageError("--deadlock and --units are two pictures: give one of them")


def _sheet(good: list[Found], drawing: Drawing, source: Source) -> str:
    """Draw a contact sheet."""
    from sokoasp import render

    entries = []
    for level in good:
        place = level.name if source.many else str(level.number)
        caption = f"{place} {level.title}" if level.title and level.title != place else place
        entries.append(render.Panel(level.problem, caption, _marks(level, drawing)))
    name = "stdin" if source.file == "-" else Path(source.file).name
    return render.contact_svg(entries, title=name)


def _one(drawing: Drawing, level: Found) -> tuple[str | bytes | None, int]:
    """Draw one level; None and the exit code if there is no plan to show."""
    from sokoasp import render

    problem, plan = level.problem, None
    if drawing.plan is not None:
        plan = read_plan(level.domain, problem, drawing.plan)
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
    from sokoasp import engine

    try:
        return came_plans(level)[0], 0
    except SokoaspError:
        result = engine.solve(level.problem, limits=drawing.limits, cross_check=False)
    if result.plan is None:
        words = str(result.status).replace("_", " ")
        click.echo(f"error: {level.place}: no plan to show: {words}; give one as PLAN", err=True)
    return result.plan, result.exit_code


def _marks(level: Found, drawing: Drawing) -> tuple[Any, ...]:
    """Return what is to be marked in the picture."""
    if not (drawing.deadlock or drawing.units):
        return ()
    if level.domain.known.examine is None:
        raise click.UsageError(f"--deadlock and --units are for Sokoban levels, this is {level.domain.name}")
    from sokoasp import render

    if drawing.units:
        from sokoasp.sokoban.units.draw import describe

        return render.cut_marks(describe(level.problem))
    examined = level.domain.known.examine(level.problem, "", False, drawing.limits)
    if examined.stopped_by == "interrupt":
        raise KeyboardInterrupt
    if examined.found is None and examined.stopped_by is not None:
        click.echo(f"note: no deadlock is marked: the examination was stopped by: {examined.stopped_by}", err=True)
    return render.verdict_marks(examined.found) if examined.found is not None else ()
