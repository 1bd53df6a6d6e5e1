"""``sokoasp improve``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from sokoasp import engine
from sokoasp.cli import files, options
from sokoasp.cli.collection import Collection
from sokoasp.cli.common import came_plans, known_of
from sokoasp.cli.rows import Rows, each, progress_option, rows_option, shown
from sokoasp.core.errors import counted
from sokoasp.core.result import Result, Status


@click.command(
    epilog="Example: sokoasp improve instances/tutorial/first.xsb instances/tutorial/first.lurd --objective moves"
)
@files.problem_and_plan_options
@click.option("--objective", help="lines (default), pushes or moves.")
@options.limit_options("Wall seconds for each level.", 60.0)
@click.option(
    "-o",
    "--output",
    type=options.OUT_FILE,
    callback=Collection.named,
    help="Write all levels to this .sok, old and new solutions in it.",
)
@click.option("--force", is_flag=True, help="Let --output write over a file that is read.")
@click.option("--format", "form", type=click.Choice(options.PLAN_FORMS), help="Also print the plan in this notation.")
@progress_option
@rows_option(
    "file level title status objective before value lower_bound lines pushes moves plan=plan.lurd stopped_by "
    "known_optimum=known_optimum.value seconds=seconds.total error"
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    source: files.Source,
    plan: str | None,
    output: Path | None,
    form: str | None,
    rows: Rows,
    **how: Any,
) -> None:
    """Shorten plans you have, and prove how far they are from the best.

    PLAN is a file, - or moves such as rRR; a file holds LURD, push/4 atoms, or a solver's raw output. Without it each level's
    solution is shortened, of its file or beside it (NAME.sol, NAME.lurd, NAME.sok). The moves of a shorter plan are printed;
    --format prints every plan. Exit codes: 0 proved best, 10 not proved, 30 invalid or no plan at all, 130 interrupted.
    """
    rows = rows.with_plans_as(form or "text", source)
    kept = Collection(source, output, how["objective"])
    levels = kept.noting(files.only_one(source.levels(), plan and "PLAN"), quiet=True)

    def act(level: files.Found) -> int:
        counted_in = _objective(level, how["objective"])
        if rows:
            keys = engine.as_json(level.problem, Result(Status.ERROR, counted_in, "improve"))
            rows.known = {**dict.fromkeys((*keys, "before")), "title": level.title, "objective": counted_in}
        costs = (counted_in, "pushes", "moves")
        original = min(came_plans(level, plan), key=lambda one: [one.cost(name) for name in costs])
        with shown(how["progress"], level, how["limits"]):
            result = engine.improve(level.domain, level.problem, original, counted_in, how["limits"])
        kept.add(result.plan, original)
        _print(level, original, result, "" if str(output) == "-" else form, rows)
        return result.exit_code

    whole = False
    try:
        code = each(levels, act, rows)
        whole = all(levels)  # what an interrupt has left is kept as it is
    finally:
        kept.write(whole=whole)
    ctx.exit(code)


def _objective(level: files.Found, objective: str | None) -> str:
    """Return the objective asked for. Raises click.UsageError: plans of this game cannot be shortened."""
    if level.domain.search.improve is None:
        raise click.UsageError(f"improve is not for {level.domain.name}")
    return options.objective_of(level.domain, objective)


def _print(level: files.Found, original: Any, result: Result, form: str | None, rows: Rows) -> None:
    """Print what was gained, then the plan in a form, or its moves where there are fewer; no plan if the form is empty."""
    domain, problem = level.domain, level.problem
    before, after = domain.validate(problem, original, None), engine.counts_of(problem, result)
    if rows:
        row = {**engine.as_json(problem, result, **level.row), "before": dict(before)}
        rows.write(row, before=before[result.objective])
        return
    said = [
        f"{level.heading}: {_headline(result, before, after)}",
        *(known_of(level, result) if result.exit_code else ()),
    ]
    click.echo("\n".join(said), err=form not in (None, "text"))
    if form:
        rows.print_plans(level, [result.plan])
    elif form is None and any(after[name] < before[name] for name in after):
        click.echo(f"  {result.plan.lurd}")


def _headline(result: Result, before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """Say what was gained and what is needed at least."""
    name = result.objective
    old, new = before[name], after[name]
    gained = f"shortened from {old} to {counted(new, name)}" if new < old else f"{counted(new, name)} as before"
    needed = "proved best" if result.lower_bound == new else f"at least {result.lower_bound} are needed"
    others = ", ".join(f"{counted(after[o], o)} (before {before[o]})" for o in after if o != name)
    return f"{gained}; {needed}; {others}" + (f"; stopped by {result.stopped_by}" if result.stopped_by else "")
