"""``sokoasp generate``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sokoasp.cli.common import write_output
from sokoasp.cli.options import OUT_FILE, STEPS, time_option
from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits

if TYPE_CHECKING:
    from sokoasp.sokoban.level import Level


@click.command(epilog="Example: sokoasp generate --rows 6 --cols 7 --boxes 2 --min-lines 5 --count 3 --seed 1")
@click.option("--rows", "height", type=click.IntRange(3), default=7, show_default=True, help="Height, walls included.")
@click.option("--cols", type=click.IntRange(3), default=8, show_default=True, help="Width, walls included.")
@click.option("--boxes", type=click.IntRange(1), default=2, show_default=True)
@click.option("--min-lines", type=click.IntRange(1), default=1, show_default=True, help="Fewest lines of the optimum.")
@click.option("--max-lines", type=click.IntRange(1), help="Most lines of the optimum.")
@click.option("--unsolvable", is_flag=True, help="Make unsolvable levels that the matching bound does not exclude.")
@click.option("--count", type=STEPS, default=1, show_default=True, help="How many levels.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--states", type=click.IntRange(10), default=20_000, hidden=True)
@click.option("--attempts", type=click.IntRange(1), hidden=True)
@time_option("Wall seconds for all levels.")
@click.option("-o", "--output", type=OUT_FILE, help="File, or - for stdout, the default.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    unsolvable: bool,
    count: int,
    time_limit: float | None,
    output: Path | None,
    **wishes: Any,
) -> None:
    """Make levels with proved optima, distinct up to symmetry; the same options give the same levels everywhere.

    Title and comment of each level hold seed, optimum and proof. Exit codes: 0 all made, 10 fewer than asked for, 20 none.
    """
    from sokoasp.domain.sokoban import DOMAIN
    from sokoasp.sokoban import formats
    from sokoasp.sokoban.generate.generator import Wish, generate

    limits = Limits(seconds=time_limit)
    clock = limits.start()
    try:
        found = generate(
            Wish(rows=wishes.pop("height"), solvable=not unsolvable, **wishes),
            count,
            DOMAIN.search.native["reference"],
            seconds=time_limit,
        )
    except SokoaspError as error:
        raise click.UsageError(error.message) from None
    to = str(output or "-")
    levels, interrupted = _collected(found)
    if levels:
        write_output(formats.write(levels, "sok"), to)
    if interrupted:
        raise KeyboardInterrupt
    ctx.exit(_exit_code(len(levels), count, late=clock.over() is not None))


def _collected(found: Iterator[Level]) -> tuple[list[Level], bool]:
    """Return the levels that were made, and whether an interrupt has ended it."""
    levels: list[Level] = []
    try:
        for level in found:
            levels.append(level)
    except KeyboardInterrupt:
        return levels, True
    return levels, False


def _exit_code(found: int, count: int, *, late: bool) -> int:
    """Return the exit code for ``found`` levels of ``count`` asked for, and say what to do where some are missing."""
    if found < count:
        advice = "raise --time-limit" if late else "raise --attempts or --states"
        click.echo(f"only {found} of {count} levels found: ask for fewer lines, a larger board, or {advice}", err=True)
    return 0 if found == count else 10 if found else 20
