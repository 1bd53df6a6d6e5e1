"""``sokoasp render``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sokoasp.cli.common import FILE, POSITIVE, Source, memory_option, only_one_stdin, problem_options, read_plan

if TYPE_CHECKING:
    from sokoasp.core.limits import Limits


@click.command(
    epilog="Example: sokoasp render instances/tutorial/first.xsb instances/tutorial/first.lurd -o /dev/null --format html"
)
@problem_options
@click.argument("plan", type=FILE, required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="x.svg, x.html or x.gif; - is stdout.",
)
@click.option("--format", "kind", type=click.Choice(["svg", "html", "gif"]), help="Default: by the suffix.")
@click.option("--theme", type=click.Choice(["auto", "light", "dark"]), default="auto", show_default=True)
@click.option(
    "--time-limit", type=POSITIVE, default=60.0, show_default=True, metavar="S", help="For the plan, or the deadlock."
)
@memory_option
@click.option("--units", is_flag=True, help="Mark the units, gates and passages of the units paper (svg).")
@click.option("--deadlock", is_flag=True, help="Mark the deadlock, if one is found (svg).")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    source: Source,
    plan: str | None,
    output: Path,
    kind: str | None,
    theme: str,
    time_limit: float,
    memory_limit: float | None,
    deadlock: bool,
    units: bool,
) -> None:
    """Draw a level or board: a picture, a page that plays PLAN, or an animation of it.

    Without a plan, html and gif solve the level first.
    """
    kind = kind or output.suffix.lstrip(".").lower()
    if kind not in ("svg", "html", "gif"):
        raise click.BadParameter("the name must end in .svg, .html or .gif, or give --format", param_hint="-o")
    only_one_stdin(source, plan)
    _refuse_ignored(kind, plan, theme, deadlock=deadlock, units=units)
    domain, problem = source.one()
    if domain.examine is None and (deadlock or units):
        raise click.UsageError(f"--deadlock and --units are for Sokoban levels, this is {domain.name}")
    from sokoasp.core.limits import Limits

    limits = Limits(seconds=time_limit, memory_mb=memory_limit)
    found = None
    if plan is not None:
        found = read_plan(domain, problem, plan)
    elif kind != "svg":
        found = _solved(ctx, source, problem, limits)
    marks = _marks(domain, problem, limits, deadlock=deadlock, units=units)
    content = _draw(domain, problem, found, kind, theme, marks)
    if str(output) == "-":
        click.echo(content, nl=False)
    elif isinstance(content, bytes):
        output.write_bytes(content)
    else:
        output.write_text(content, encoding="utf-8")


def _refuse_ignored(kind: str, plan: str | None, theme: str, *, deadlock: bool, units: bool) -> None:
    """Refuse what would change nothing.

    Raises:
        click.UsageError: An option is not for this kind of picture, or two do not go together.
    """
    if (deadlock or units) and (kind != "svg" or plan is not None):
        raise click.UsageError("--deadlock and --units are for a picture of the level (svg, no PLAN)")
    if deadlock and units:
        raise click.UsageError("--deadlock and --units are two pictures: give one of them")
    if kind == "gif" and theme != "auto":
        raise click.UsageError("--theme is for svg and html, a gif has one look only")


def _solved(ctx: click.Context, source: Source, problem: Any, limits: Limits) -> Any:
    """Return a plan, or leave with the exit code of the answer that there is none."""
    from sokoasp import engine

    result = engine.solve(problem, limits=limits, cross_check=False)
    if result.plan is None:
        words = str(result.status).replace("_", " ")
        click.echo(f"error: {source.file}: no plan to show: {words}; give one as PLAN", err=True)
        ctx.exit(result.exit_code)
    return result.plan


def _marks(domain: Any, problem: Any, limits: Limits, *, deadlock: bool, units: bool) -> tuple[Any, ...]:
    """Return what is to be marked in the picture."""
    if domain.examine is None or not (deadlock or units):
        return ()
    from sokoasp import render

    if units:
        from sokoasp.sokoban.units.draw import describe

        return render.cut_marks(describe(problem))
    verdict = domain.examine(problem, "", False, limits).found
    return render.verdict_marks(verdict) if verdict is not None else ()


def _draw(domain: Any, problem: Any, plan: Any, kind: str, theme: str, marks: tuple[Any, ...]) -> str | bytes:
    from sokoasp import render

    if kind == "html":
        return render.html_player(problem, plan, theme=theme)
    if kind == "gif":
        return render.gif(problem, plan)
    if plan is not None:
        return render.storyboard(problem, plan, theme=theme, caption=domain.title(problem))
    return render.svg(problem, marks=marks, theme=theme, caption=domain.title(problem))
