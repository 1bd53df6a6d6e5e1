"""``sokoasp improve``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sokoasp.cli import complete
from sokoasp.cli.common import Source, counted, only_one_stdin, problem_options, read_plan
from sokoasp.cli.options import limit_options, objective_of, plan_option
from sokoasp.cli.progress_line import progress_option, shown
from sokoasp.cli.rows import Rows, rows_option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sokoasp.core.result import Result
    from sokoasp.domain import Domain, Problem


@click.command(
    epilog="Example: sokoasp improve instances/tutorial/first.xsb instances/tutorial/first.lurd --objective moves"
)
@problem_options
@click.argument("plan", required=False)
@click.option(
    "--from-table", is_flag=True, help="Begin with the plan of the table of optima where yours is not as short."
)
@click.option("--objective", shell_complete=complete.objectives, help="lines (default), pushes or moves.")
@limit_options("Wall seconds.", 60.0)
@plan_option
@progress_option
@rows_option(
    "file level title status objective before value lower_bound lines pushes moves plan=plan.lurd stopped_by "
    "seconds=seconds.total error"
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    source: Source,
    plan: str | None,
    objective: str | None,
    output: str,
    progress: str,
    rows: Rows,
    **limited: Any,
) -> None:
    """Shorten a plan you have, and prove how far it is from the best.

    PLAN is a file, - or moves such as rRR; a file holds LURD, push/4 atoms, or a solver's raw output. With --from-table it may be
    left out. Exit codes: 0 proved best, 10 not proved, 30 invalid plan, 130 interrupted; the best plan so far is printed in every
    case.
    """
    from sokoasp import engine

    rows = rows.with_plans_as(output)
    only_one_stdin(source, plan)
    domain, problem = source.one()
    if domain.search.improve is None:
        raise click.UsageError(f"improve is not for {domain.name}")
    objective = objective_of(domain, objective)
    given, first = _start(domain, problem, plan, objective, from_table=limited["from_table"])
    before = domain.validate(problem, given, None)
    with shown(progress, source.file, limited["limits"], file=source.file, level=source.only or 1):
        result = engine.improve(domain, problem, first, objective, limited["limits"])
    after = engine.counts_of(problem, result)
    if rows:
        row = {**engine.as_json(problem, result, file=source.file, level=source.only or 1), "before": dict(before)}
        rows.write(row, before=before[objective])
    else:
        click.echo(_headline(result, before, after), err=output != "text")
        click.echo(domain.texts.write_plan[output](problem, result.plan), nl=False)
    ctx.exit(result.exit_code)


def _start(
    domain: Domain[Any, Any], problem: Problem, plan: str | None, objective: str, *, from_table: bool
) -> tuple[Any, Any]:
    """Return the caller's plan and that to begin with, which is the table's if it is asked for and shorter.

    Raises:
        click.UsageError: There is neither.
    """
    row = domain.known.optimum(problem, objective, True) if from_table else None
    known = None if row is None else row["plan"]
    if plan is None and known is None:
        raise click.UsageError(
            "Missing argument 'PLAN'" + (": the table has no plan of this level" if from_table else ".")
        )
    given: Any = known if plan is None else read_plan(domain, problem, plan)
    shorter = known is not None and known.cost(objective) < given.cost(objective)
    return given, known if shorter else given


def _headline(result: Result, before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """Say what was gained and what is needed at least."""
    name = result.objective
    old, new = before[name], after[name]
    gained = f"shortened from {old} to {counted(new, name)}" if new < old else f"{counted(new, name)}, nothing gained"
    needed = "proved best" if result.lower_bound == new else f"at least {result.lower_bound} are needed"
    others = ", ".join(f"{counted(after[o], o)} (before {before[o]})" for o in after if o != name)
    return f"{gained}; {needed}; {others}"
