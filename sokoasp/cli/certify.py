"""``sokoasp certify``."""

from __future__ import annotations

from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sokoasp.cli import options
from sokoasp.cli.common import best_plan
from sokoasp.cli.files import Found, Source, only_one, only_one_stdin, problem_options
from sokoasp.cli.rows import Rows, each, progress_option, rows_option, shown
from sokoasp.core.errors import counted
from sokoasp.core.progress import note
from sokoasp.proof.folder import TIES

if TYPE_CHECKING:
    from sokoasp.engine.proving import Made


@click.command(epilog="Example: sokoasp certify instances/tutorial/first.xsb -o first.certificate")
@problem_options
@click.option("-o", "--output", "folder", type=options.OUT_FOLDER, required=True, help="Folder of the certificate.")
@options.objective_option
@click.option(
    "--then",
    type=click.Choice(["moves"]),
    help="With --objective pushes: of the plans with the fewest pushes one with the fewest moves.",
)
@click.option(
    "--plan", "known", type=options.PLAN, help="The plan to prove best, a file or moves; default: one is looked for."
)
@options.limit_options("Wall seconds for each level.")
@progress_option
@rows_option("file level folder certified kind value moves seconds told stopped_by error")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    source: Source,
    folder: Path,
    known: str | None,
    rows: Rows,
    objective: str | None,
    **wishes: Any,
) -> None:
    """Make a certificate: a folder from which anybody can check that a plan is best, or that there is none.

    Several levels get a folder each, named by their numbers or files. Exit codes: 0 made, 11 made for an unsolvable
    level, 10 a plan but the proof was cut short, 20/21 time/memory limit, 30 bad input, 130 interrupted.
    """
    from sokoasp.engine.proving import Request, certify

    only_one_stdin(source, known)
    then = wishes.pop("then")
    levels = only_one(source.levels(), known and "--plan")
    if then is not None and objective != "pushes":
        raise click.UsageError("--then moves is for --objective pushes")
    first = list(islice(levels, 2))

    def act(level: Found) -> int:
        domain, problem = level.domain, level.problem
        counted_in = TIES if then is not None else options.objective_of(domain, objective)
        place = folder if len(first) == 1 else folder / (level.name if source.many else str(level.number))
        plan = None if known is None else best_plan(level, known, counted_in.split("+")[0])
        older = (place / "claim.json").is_file()
        with shown(wishes["progress"], level, wishes["limits"]):
            made = certify(problem, place, Request(counted_in, wishes["limits"], plan, lambda stage: note(stage=stage)))
        reported = _sentence(made, place, counted_in, older=older)
        if rows:
            rows.write({**level.row, **_row(made, place)})
        else:
            click.echo(f"{level.place}: {reported}")
        return made.exit_code

    ctx.exit(each(chain(first, levels), act, rows))


def _row(made: Made, place: Path) -> dict[str, Any]:
    claim = made.claim
    row = {"folder": str(place), "certified": claim is not None, "value": made.value, "kind": claim and claim.kind}
    row |= {"moves": claim.moves} if claim is not None and claim.moves is not None else {}
    return {**row, "seconds": round(made.seconds, 3), "told": made.reported, "stopped_by": made.stopped_by}


def _sentence(made: Made, place: Path, objective: str, *, older: bool) -> str:
    """Say where the certificate is, or for what plan there is none."""
    if made.claim is not None:
        head = f"certificate in {place}" + ", in place of an older one" * older
    else:
        head = "no certificate"
        head += f" for the plan of {counted(made.value, objective.split('+')[0])}" if made.value is not None else ""
    return f"{head}: {made.reported} ({made.seconds:.1f} s)"
