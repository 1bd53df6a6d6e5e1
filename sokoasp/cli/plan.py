"""``sokoasp plan``."""

from __future__ import annotations

from pathlib import Path

import click

from sokoasp.cli.common import write_output
from sokoasp.cli.options import IN_FILE, OUT_FILE, limit_options
from sokoasp.cli.rows import Rows, rows_option
from sokoasp.core.errors import SokoaspError, counted
from sokoasp.core.limits import Limits
from sokoasp.engine import Task
from sokoasp.planning.answer import answer, write
from sokoasp.planning.task import read_task


@click.command(epilog="Example: sokoasp plan instances/pddl/domain.pddl instances/pddl/first.pddl")
@click.argument("domain", type=IN_FILE)
@click.argument("problem", type=IN_FILE)
@click.option("-o", "--output", type=OUT_FILE, help="Write the plan; default: stdout.")
@click.option("--engine", default="native", show_default=True, help="asp, portfolio or a native engine, as for solve.")
@limit_options("Wall seconds.")
@rows_option("domain problem form status objective value proof stopped_by plan error")
@click.pass_context
def command(
    ctx: click.Context, domain: Path, problem: Path, output: Path | None, engine: str, limits: Limits, rows: Rows
) -> None:
    """Solve a planning task that is Sokoban by its structure, whatever its names, best in its own metric.

    The plan is written as the competitions want it; what was recognised and proved goes to stderr. Exit codes as for solve;
    30 if the task is no Sokoban, with the reason.
    """
    try:
        found = answer(read_task(domain, problem), Task(engine=engine, limits=limits))
    except SokoaspError as error:
        raise error.located(str(problem)) from None
    result = found.result
    value = "" if result.value is None else f", {counted(result.value, result.objective)}"
    stopped = f", stopped by: {result.stopped_by}" * bool(result.stopped_by)
    reported = f"{problem}: {str(result.status).replace('_', ' ')}{value}{stopped} (form: {found.task.match.form.name})"
    if rows:
        steps = None if found.steps is None else [[name, *objects] for name, objects in found.steps]
        kept = {name: getattr(result, name) for name in ("objective", "value", "proof", "stopped_by")}
        head = {"domain": str(domain), "problem": str(problem), "form": found.task.match.form.name}
        rows.write({**head, "status": str(result.status), **kept, "plan": steps})
    else:
        click.echo(reported, err=True)
    if found.steps is not None and (output is not None or not rows):
        write_output(write(found), str(output or "-"))
    ctx.exit(result.exit_code)
