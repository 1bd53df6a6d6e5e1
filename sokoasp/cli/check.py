"""``sokoasp check``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from sokoasp.cli.common import FILE, Source, counted, emit, json_option, only_one_stdin, problem_options, read_plan

if TYPE_CHECKING:
    from sokoasp.domain import Domain, Problem


@click.command(epilog="Example: sokoasp check instances/tutorial/first.xsb instances/tutorial/first.lurd")
@problem_options
@click.argument("plan", type=FILE)
@click.option("--steps", type=click.IntRange(1, 100_000), metavar="N", help="Demand exactly N-1 actions.")
@json_option
@click.pass_context
def command(ctx: click.Context, source: Source, plan: str, steps: int | None, as_json: bool) -> None:
    """Referee a plan: PLAN is LURD, push/4 atoms, or a solver's raw output (plain text or clingo JSON).

    Says at which move or action the plan fails, and why. Exit codes: 0 valid, 30 invalid. In a file of several levels the first
    is meant unless --level says otherwise. Facts with step/1 demand exactly n-1 actions.
    """
    from sokoasp.core.errors import SokoaspError

    only_one_stdin(source, plan)
    domain, problem = source.one(as_json=as_json)
    try:
        found = read_plan(domain, problem, plan)
        counts = _referee(domain, problem, found, steps)
    except SokoaspError as error:
        if as_json:
            at = getattr(error, "at", None)
            emit({"file": source.file, "plan": plan, "valid": False, "at": at, "reason": error.message})
            ctx.exit(error.exit_code)
        raise error.located("<stdin>" if plan == "-" else plan) from None
    for remark in domain.remarks(problem, found):
        click.echo(f"warning: {remark}", err=True)
    if as_json:
        emit({"file": source.file, "plan": plan, "valid": True, **counts})
    else:
        click.echo("valid: " + ", ".join(counted(number, name) for name, number in counts.items()))


def _referee(domain: Domain, problem: Problem, plan: Any, steps: int | None) -> Mapping[str, int]:
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
