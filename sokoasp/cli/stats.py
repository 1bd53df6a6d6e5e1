"""``sokoasp stats``."""

from __future__ import annotations

import sys
from typing import Any

import click

from sokoasp.cli.common import Number, Source, each, emit, json_option, memory_option, problem_options


@click.command(epilog="Example: sokoasp stats instances/tutorial/first.xsb")
@problem_options
@click.option(
    "--time-limit",
    type=Number(min=0),
    default=2.0,
    show_default=True,
    metavar="S",
    help="Of each level; 0 counts no states.",
)
@memory_option
@json_option
@click.pass_context
def command(ctx: click.Context, source: Source, time_limit: float, memory_limit: float | None, as_json: bool) -> None:
    """Describe each level: cells, boxes, dead squares, lower bounds, size of the state space."""
    from sokoasp.core.limits import Limits

    limits = Limits(seconds=time_limit, memory_mb=memory_limit)
    sys.set_int_max_str_digits(0)  # placements of hundreds of boxes have more digits than Python writes by default
    domain, problems = source.problems()

    def act(number: int, problem: Any) -> int:
        found = domain.stats(problem, limits)
        if as_json:
            emit({"file": source.file, "level": number, "title": domain.title(problem), **found})
        else:
            title = domain.title(problem)
            click.echo(f"{source.file}:{number}" + (f" ({title})" if title else ""))
            for name, value in found.items():
                click.echo(f"  {name.replace('_', ' '):<28} {_show(value)}")
        return 0

    ctx.exit(each(problems, act, as_json=as_json, file=source.file))


def _show(value: object) -> str:
    if value is None:
        return "none"
    return f"{value:,}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
