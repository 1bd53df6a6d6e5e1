"""``sokoasp encodings``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sokoasp.asp import catalogue
from sokoasp.asp import export as exported
from sokoasp.asp.statements import rules_of
from sokoasp.bench.define import variants
from sokoasp.cli import campaigns, options
from sokoasp.cli.common import write_output
from sokoasp.cli.files import Source, spread
from sokoasp.cli.grade import command as grade
from sokoasp.cli.rows import Rows, rows_option
from sokoasp.core import guard, result
from sokoasp.core.errors import counted
from sokoasp.core.limits import Limits
from sokoasp.engine.by_asp import facts_of


@click.group(invoke_without_command=True, epilog="Example: sokoasp encodings show lines")
@click.pass_context
def command(ctx: click.Context) -> None:
    """List, show, export, compare and mark encodings. Without a command: list them."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_all)


@command.command("list", epilog="Example: sokoasp encodings list")
@rows_option("name game objective mode summary")
def list_all(rows: Rows) -> None:
    """List every catalogued encoding: name, game, objective, what it is."""
    for encoding in catalogue.encodings().values():
        if rows:
            rows.write({field: getattr(encoding, field) for field in rows.columns})
        else:
            click.echo(f"{encoding.name:<22} {encoding.game:<8} {encoding.objective:<7} {encoding.summary}")


@command.command("show", epilog="Example: sokoasp encodings show competition")
@click.argument("name", metavar="NAME|PATH")
def show(name: str) -> None:
    """Print an encoding: what it proves, its ideas, and all its rules.

    An encoding without tables runs in plain clingo: clingo encoding.lp facts.lp.
    """
    encoding = catalogue.named(name)
    click.echo(f"% {name}: {encoding.summary}\n% Proves: {encoding.proves}")
    for idea in encoding.ideas:
        click.echo(f"% Idea {idea.name}: {idea.claim}")
    for path in encoding.files:
        click.echo(_printed(path))
    if encoding.tables:
        click.echo(
            f"\n% Wants the tables {', '.join(encoding.tables)}: sokoasp encodings export {name} LEVEL writes them beside it."
        )
    elif encoding.mode == "incremental" or not encoding.own:
        click.echo(_printed(exported.ending(encoding)))


@command.command(
    "export", epilog="Example: sokoasp encodings export lines-forward instances/tutorial/first.xsb -o program.lp"
)
@click.argument("name")
@click.argument("file", required=False, type=options.FILE)
@click.option("--level", "only", type=click.IntRange(min=1), metavar="N", help="The N-th level of FILE, from 1.")
@click.option(
    "--steps",
    type=options.STEPS,
    metavar="N",
    help="Ask for exactly N-1 actions, in one part, which other solvers read, too.",
)
@click.option("-o", "--output", type=options.OUT_FILE, help="File; default: stdout.")
@options.limit_options("Wall seconds for the tables.", 60.0)
@click.pass_context
def export(
    ctx: click.Context,
    name: str,
    file: str | None,
    only: int | None,
    steps: int | None,
    output: Path | None,
    limits: Limits,
) -> None:
    """Write a catalogued encoding as one file for plain clingo.

    With FILE the level's facts and tables are in it. Without, its head says what it needs. Run it by clingo 5.4 or later.
    Exit codes: 0 written, 20/21 the tables took more time/memory.
    """
    encoding, facts = catalogue.named(name), ""
    if encoding.own:
        raise click.UsageError(f"{name} is a file already: give it to clingo with the facts of sokoasp translate")
    if file is None and (only or steps):
        raise click.UsageError("--level and --steps are about a FILE")
    if file is not None:
        facts = _facts(
            ctx,
            Source((file,), ((only, only),) if only else ()),
            encoding if steps is None else encoding.exact,
            steps,
            limits,
        )
    text = exported.whole(encoding, facts)
    if steps is not None and encoding.mode == "incremental":
        from sokoasp.asp.steps_unrolled import unrolled

        text = unrolled(encoding, facts, steps - 1)
    write_output(text, str(output or "-"))
    if output is None or str(output) == "-":
        return
    files = [str(output)] if facts else [str(output), "FACTS"]
    click.echo(f"{output}: run it by {exported.command(encoding, *files)}", err=True)


def _facts(ctx: click.Context, source: Source, encoding: catalogue.Encoding, steps: int | None, limits: Limits) -> str:
    """Return the facts of a level and its tables; where they take too much, say so and leave."""
    problem = source.one().problem
    try:
        with guard.guarded(limits.of_this_machine().start()):
            return facts_of(problem, encoding, steps)
    except guard.LimitReached as reached:
        wanted = f"the tables of {encoding.name} for this level take more {reached.what}: nothing was written"
        click.echo(f"error: {wanted} (--{reached.what}-limit)", err=True)
        ctx.exit(result.EXIT_CODES[result.STOPPED[reached.what]])


@command.command(
    "bench",
    epilog="Example: sokoasp encodings bench instances/tutorial/first.xsb --encoding lines --encoding lines-forward",
)
@click.argument("files", nargs=-1, required=True, type=options.IN_FILES, callback=spread)
@click.option(
    "--encoding",
    "names",
    multiple=True,
    metavar="NAME|PATH",
    help="An encoding; repeatable. Options of clingo may stand in the same word: 'lines --seed=3'.",
)
@click.option("--leave-one-out", metavar="NAME", help="This encoding whole, and without each of its ideas.")
@click.option("--objective", help="What they minimise; default: as the first catalogued one, else lines.")
@options.time_option("CPU seconds of each run.", 60.0)
@click.option("-o", "--output", type=options.OUT_FOLDER, help="Keep the campaign in this folder.")
@campaigns.changes_option
def bench(
    files: tuple[Path, ...],
    names: tuple[str, ...],
    leave_one_out: str | None,
    objective: str | None,
    time_limit: float,
    output: Path | None,
    changes: dict[str, Any],
) -> None:
    """Compare encodings on every level of FILES: rules, conflicts and seconds.

    FILES are level files and folders of them. Seconds are CPU time. With -o the runs are kept for 'sokoasp bench report' and
    'bench export', and the same command goes on where Ctrl-C stopped it.
    """
    if not names and not leave_one_out:
        raise click.UsageError("name encodings by --encoding or --leave-one-out")
    systems = [variants.program(name) for name in names]
    systems += [{**variants.program(leave_one_out), "without": "each"}] if leave_one_out else []
    values = {"objectives": objective or variants.objective_of(systems), "seconds": time_limit}
    campaigns.view_of(campaigns.plan("programs", {**values, **changes}, systems, files), output)


@command.command("diff", epilog="Example: sokoasp encodings diff lines lines-forward")
@click.argument("one", metavar="NAME|PATH")
@click.argument("two", metavar="NAME|PATH")
def diff(one: str, two: str) -> None:
    """Print what only one of two encodings has: files of catalogued encodings, rules where one is your own file."""
    first, second = catalogue.named(one), catalogue.named(two)
    if first.own or second.own:
        _diff_rules(first, second)
        return
    shared = [path for path in first.files if path in second.files]
    click.echo(f"both: {', '.join(map(exported.place, shared)) or 'nothing'}")
    for encoding, other in ((first, second), (second, first)):
        only = [path for path in encoding.files if path not in other.files]
        click.echo(f"only {encoding.name}: {', '.join(map(exported.place, only)) or 'nothing'}")
        for path in only:
            click.echo(_printed(path) + "\n")


def _diff_rules(first: catalogue.Encoding, second: catalogue.Encoding) -> None:
    """Print the rules that only one of two encodings has, each with its place; layout and names of variables do not count.

    Nor does what ``show`` and ``export`` put at the end for plain clingo.
    """
    ends = rules_of({exported.ending(first), exported.ending(second)})
    rules = [{key: rule for key, rule in rules_of(one.files).items() if key not in ends} for one in (first, second)]
    click.echo(f"both: {counted(len(rules[0].keys() & rules[1].keys()), 'rules')}")
    for encoding, own, other in ((first, rules[0], rules[1]), (second, rules[1], rules[0])):
        only = [rule for key, rule in own.items() if key not in other]
        click.echo(f"only {encoding.name}: {counted(len(only), 'rules')}")
        for rule, at in only:
            click.echo(f"{rule}  % {at}")


command.add_command(grade, "grade")


def _printed(path: Path) -> str:
    return f"\n% ---- {exported.place(path) or path.name}\n{path.read_text(encoding='utf-8').rstrip()}"
