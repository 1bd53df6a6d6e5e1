"""``sokoasp solve``."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import click

from sokoasp.cli import common, files, options
from sokoasp.cli.rows import Rows, each, progress_option, rows_option, shown
from sokoasp.core.errors import counted
from sokoasp.core.limits import CLASP_MOST
from sokoasp.core.result import Result

if TYPE_CHECKING:
    from sokoasp.engine import Task

_COLUMNS = (
    "file level title status objective value lower_bound lines pushes moves slides units plan=plan.lurd/plan.actions "
    "count preferences=preferences.proved engine encoding proof stopped_by cross_check=cross_check.agrees "
    "known_optimum=known_optimum.value seconds=seconds.total error"
)
_CLASP_NUMBER = click.IntRange(0, CLASP_MOST)


@click.command(epilog="Example: sokoasp solve instances/tutorial/first.xsb --objective pushes")
@files.problem_options
@options.objective_option
@click.option(
    "--engine", help="asp, sat, native, portfolio, or a native engine's name; default: asp (Klotski: native)."
)
@click.option("--encoding", metavar="NAME|PATH", help="A catalogued encoding or your own .lp file.")
@click.option(
    "--steps",
    type=options.STEPS,
    metavar="N",
    help="Ask as the competition does: is there a plan of exactly N-1 actions?",
)
@click.option(
    "--at-most",
    type=click.IntRange(0, 100_000),
    metavar="N",
    help="Find the best plan of at most N actions, if there is one.",
)
@click.option(
    "--models",
    type=_CLASP_NUMBER,
    default=1,
    metavar="N",
    help="List N optimal plans, 0 for all. Two plans with the same pushes count as one.",
)
@click.option("--count", is_flag=True, help="Count the optimal plans, as --models 0 would list them, and show one.")
@click.option(
    "--then",
    metavar="OBJ[,OBJ]",
    callback=lambda ctx, param, value: tuple(one.strip() for one in value.split(",")) if value else (),
    help="Proved tie-break: of the best plans one with the fewest OBJ, such as pushes.",
)
@click.option("--constraints", type=options.IN_FILE, multiple=True, help="Your own constraints and preferences (.lp).")
@click.option(
    "--plan",
    "known",
    type=options.PLAN,
    help="A plan you have (file, or moves such as rRR): prove it best or find a better one.",
)
@click.option(
    "--positions",
    "answers",
    type=options.IN_FILE,
    metavar="DB",
    help="Answer Klotski boards from a file of klotski-db; the search checks it.",
)
@click.option(
    "--proof",
    type=options.OUT_FOLDER,
    metavar="DIR",
    help="With --engine sat, for one level: write the formula that asks for one action fewer, and its refutation in DRAT.",
)
@options.limit_options("Wall seconds for each level.")
@click.option(
    "--cross-check/--no-cross-check",
    default=None,
    help="Have a second engine confirm the answer; default: when that is cheap.",
)
@click.option("--probe/--no-probe", "probes", default=True, hidden=True)
@click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=1,
    metavar="N",
    help="Threads of clasp; with --engine portfolio, processes.",
)
@click.option(
    "--clingo-option",
    "arguments",
    multiple=True,
    metavar="OPT",
    help="An option for clingo, such as --seed=3; repeatable.",
)
@options.plan_option
@progress_option
@rows_option(_COLUMNS)
@click.pass_context
def command(ctx: click.Context, /, source: files.Source, form: str, progress: str, rows: Rows, **wishes: Any) -> None:
    """Find a plan with the fewest line pushes (or pushes, or moves), prove it best, and have it refereed.

    FILES hold levels or facts, - is stdin. Exit codes: 0 delivered, 10 plan without proof, 11 unsolvable, 12 no plan within
    the bound, 20/21 time/memory limit, 30 bad input, 130 interrupted.
    """
    from sokoasp.engine import Task, checking, solve
    from sokoasp.engine.task import said

    known, proof, kept = wishes.pop("known"), wishes.pop("proof"), _kept(source, ctx) if form == "sok" else None
    files.only_one_stdin(source, known)
    task = Task(**wishes)
    if proof and (task.engine != "sat" or task.steps is not None):
        raise click.UsageError("--proof is for --engine sat, without --steps")
    rows = rows.with_plans_as("text" if rows and kept and str(kept.path) != "-" else form, source)
    read = source.levels() if kept is None else kept.noting(source.levels())
    levels = files.only_one(read, "--plan" if known else "--proof" if proof else None)

    def act(level: files.Found) -> int:
        nonlocal task
        domain, problem = level.domain, level.problem
        if kept is not None and domain.name != "sokoban":
            raise click.UsageError(f"{domain.name} has no notation 'sok'")
        for objection in replace(task, known=known).objections(domain):  # the plan is read level by level
            raise click.UsageError(said(objection, _flags(task)))
        task = task if known is None else replace(task, known=common.best_plan(level, known, task.objective))
        endless = bool(task.constraints) and task.at_most is None and task.steps is None
        with shown(progress, level, task.limits, endless):
            result = solve(problem, task)
        checking.blamed(task, result)
        _print(level, result, rows, " without the constraints" * bool(task.constraints))
        if kept is not None:
            kept.add(*result.all_plans)
        if proof:
            from sokoasp.engine.by_sat import refute

            click.echo(f"proof: {refute(problem, result, proof, task.limits)}", err=True)
        return result.exit_code

    code = each(levels, act, rows)
    if kept is not None:
        kept.write(whole=all(levels))  # what an interrupt has left is read and kept as it is
    ctx.exit(code)


def _kept(source: files.Source, ctx: click.Context) -> Any:
    """Return a collection of the levels, to be written to the output or stdout."""
    from sokoasp.cli.collection import Collection

    return Collection(source, ctx.params["output"] or options.STDOUT, ctx.params["objective"])


def _flags(task: Task) -> dict[str, str]:
    """Return how the fields of a task are called here."""
    flags = {one.name: f"--{one.name.replace('_', '-')}" for one in fields(task)}
    return flags | {"arguments": "--clingo-option", "known": "--plan", "answers": "--positions"}


def _print(level: files.Found, result: Result, rows: Rows, without: str) -> None:
    """Print an answer in the form asked for; ``without``: what the optimum of the table is without."""
    from sokoasp.engine import as_json

    if result.exit_code == 1:
        click.echo(
            "error: the engines disagree, which is a bug: please report what --json prints, and the level", err=True
        )
    if rows:
        rows.write(as_json(level.problem, result, **level.row))
    elif rows.plans == "text":
        click.echo(_report(level, result, without))
    else:
        click.echo("\n".join([_headline(level, result), *_answers(result)]), err=True)
        rows.print_plans(level, result.all_plans)


def _headline(level: files.Found, result: Result) -> str:
    name = level.heading
    if result.plan is None:
        bound = f", at least {counted(result.lower_bound, result.objective)}" * bool(result.lower_bound)
        under = "under the given constraints" in str(result.proof)
        status = "no plan under the constraints" if under else str(result.status).replace("_", " ")
        return f"{name}: {status}{bound}"
    others = ", ".join(counted(number, name) for name, number in result.counts.items() if name != result.objective)
    gap = "" if result.lower_bound in (0, result.value) else f", at least {result.lower_bound} needed"
    many = f", {counted(len(result.plans), 'plans')}" * bool(result.plans)
    return f"{name}: {result.status}, {counted(result.value or 0, result.objective)}{gap} ({others}){many}"


def _report(level: files.Found, result: Result, without: str = "") -> str:
    domain, problem = level.domain, level.problem
    lines = [_headline(level, result)]
    if result.proof:
        lines.append(f"  proof: {result.proof}")
    lines += _answers(result)
    if result.stopped_by:
        search = result.engine == "asp" and result.plan is None and not without
        lines.append(f"  stopped by: {result.stopped_by}{'; --engine native often finds one sooner' * search}")
    if result.exit_code in (1, 10, 20, 21, 130):
        lines += common.known_of(level, result, without)
    check = result.cross_check
    if check is not None:
        verdict = {True: "agrees", False: "DISAGREES", None: check.note}[check.agrees]
        value = "" if check.value is None else f"{'its optimum is ' if check.agrees is None else ''}{check.value}"
        reported = "; ".join(filter(None, [value, check.note if check.agrees is not None else ""]))
        lines.append(f"  cross-check: {check.engine} {verdict}{f' ({reported})' * bool(reported)}")
    lines.append(
        f"  time: {result.seconds.get('total', 0):.2f} s by {result.engine}"
        + (f", encoding {result.encoding}" if result.encoding else "")
    )
    plans = [domain.texts.write_plan["text"](problem, plan).rstrip("\n") for plan in result.all_plans]
    return "\n".join([*filter(str.strip, lines), "\n\n".join(filter(str.strip, plans))]).rstrip("\n")


def _answers(result: Result) -> list[str]:
    """Return what was asked beside the best plan."""
    lines = []
    if result.count is not None:
        lines.append(f"  plans: {result.count:,}{'' if result.stopped_by is None else ' or more'}")
    if result.question is not None:
        asked = result.question
        by = f" ({asked.by})" if asked.by else ""
        extent = "exactly" if asked.exactly else "at most"
        lines.append(f"  a plan of {extent} {counted(asked.actions, 'actions')}: {asked.answer}{by}")
    if result.cost is not None:
        cost = result.cost
        costs = "cost " + ", ".join(f"{cost} at priority {priority}" for priority, cost in cost.preferences)
        ties = f"fewest {', then '.join(cost.then)}"
        what = "; ".join([costs] * bool(cost.preferences) + [ties] * bool(cost.then))
        lines.append(f"  preferences: {what} ({'proved' if cost.proved else 'not proved best'})")
    if result.note is not None:
        lines.append(f"  note: {result.note}")
    return lines
