"""``sokoasp check``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sokoasp.cli.common import Source, counted, only_one_stdin, plan_text, problem_options
from sokoasp.cli.options import STEPS
from sokoasp.cli.rows import Rows, rows_option

if TYPE_CHECKING:
    from sokoasp.domain import Domain, P, Problem


class _OrFolder(click.Command):
    """A command that leaves a folder to ``check-proof``."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of ``check-proof`` if the first word names a folder."""
        if args and Path(args[0]).is_dir():
            from sokoasp.cli import check_proof

            return check_proof.command.make_context(info_name, args, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(
    cls=_OrFolder, epilog="Example: sokoasp check instances/tutorial/first.xsb instances/tutorial/first.lurd"
)
@problem_options
@click.argument("plan", required=False)
@click.option("--steps", type=STEPS, metavar="N", help="Demand exactly N-1 actions.")
@click.option(
    "--ignore-case", is_flag=True, help="Read moves without case: which of them push is found out by playing."
)
@rows_option("file level solution plan valid lines pushes moves slides units at reason error")
@click.pass_context
def command(
    ctx: click.Context, source: Source, plan: str | None, steps: int | None, ignore_case: bool, rows: Rows
) -> None:
    """Referee a plan: PLAN is a file, - or moves such as rRR; without it the level's own solutions, or FILE.sol's, are refereed.

    A file holds LURD (metadata lines and several solutions are fine), push/4 atoms, or a solver's raw output (plain text or
    clingo JSON). Says at which move or action the plan fails, and why. Exit codes: 0 valid, 30 invalid. In a file of several
    levels the first is meant unless --level says otherwise. Facts with step/1 demand exactly n-1 actions. A folder is a
    certificate: see check-proof.
    """
    only_one_stdin(source, plan)
    domain, problem = source.one()
    texts, name = _texts(source, problem, plan)
    if ignore_case:
        texts = tuple(map(_without_case, texts))
    codes = []
    for number, text in enumerate(texts, 1):
        row = {"file": source.file, "plan": plan, **({"solution": number} if len(texts) > 1 else {})}
        label = f"solution {number}: " if len(texts) > 1 else ""
        codes.append(_check(domain, problem, text, name, steps, row, rows, label))
    ctx.exit(max(codes))


def _without_case(text: str) -> str:
    """Return a text with its lines of moves in small letters."""
    from sokoasp.sokoban.formats.text import is_moves

    return "".join(line.lower() if is_moves(line.strip()) else line for line in text.splitlines(keepends=True))


def _texts(source: Source, problem: Problem, plan: str | None) -> tuple[tuple[str, ...], str]:
    """Return the texts of the plans, and the name to report them by.

    Raises:
        click.UsageError: There is neither such a file nor a solution.
    """
    if plan is None:
        solutions: tuple[str, ...] = getattr(problem, "solutions", ())
        if solutions:
            return solutions, source.file
        plan = str(Path(source.file).with_suffix(".sol"))  # where cavepacker keeps them, one level a file
        if source.file == "-" or not Path(plan).is_file():
            raise click.UsageError("the level came without a solution: give a PLAN")
    text, name = plan_text(plan)
    return (text,), name


def _check(
    domain: Domain[P, Any],
    problem: P,
    text: str,
    name: str,
    steps: int | None,
    row: dict[str, Any],
    rows: Rows,
    label: str,
) -> int:
    """Referee one text, which may hold several solutions, and print the verdicts."""
    from sokoasp.core.errors import SokoaspError
    from sokoasp.sokoban.formats.plans import solutions

    try:
        found = domain.texts.read_plan(problem, text, name)
        counts = _referee(domain, problem, found, steps)
    except SokoaspError as error:
        several = solutions(text) if domain.name == "sokoban" else ()
        if several and several != (text.strip(),):
            codes = []
            for number, one in enumerate(several, 1):
                numbered = label if len(several) == 1 else f"{label}solution {number}: "
                again = row | ({"solution": number} if len(several) > 1 else {})
                codes.append(_check(domain, problem, one, name, steps, again, rows, numbered))
            return max(codes)
        if rows:
            rows.write(row | {"valid": False, "at": getattr(error, "at", None), "reason": error.message})
        else:
            click.echo(f"error: {label}{error.located(name)}", err=True)
        return error.exit_code
    for remark in domain.remarks(problem, found):
        click.echo(f"warning: {label}{remark}", err=True)
    if rows:
        rows.write(row | {"valid": True, **counts})
    else:
        click.echo(f"{label}valid: " + ", ".join(counted(number, name) for name, number in counts.items()))
    return 0


def _referee(domain: Domain[P, Any], problem: P, plan: Any, steps: int | None) -> Mapping[str, int]:
    """Return what the plan costs.

    Raises:
        IllegalPlan: It is not valid, or has not the number of actions asked for by ``steps``, else by the file's own step/1.
    """
    from sokoasp.core.errors import IllegalPlan

    own = getattr(problem, "steps", None)
    if steps is not None or own is None:
        return domain.validate(problem, plan, steps)
    domain.validate(problem, plan, None)
    try:
        return domain.validate(problem, plan, own)
    except IllegalPlan as error:
        error.message += " (the steps are the file's own; but for their number the plan is valid)"
        raise
