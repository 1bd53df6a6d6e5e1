"""``sokoasp encodings``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sokoasp.cli import complete
from sokoasp.cli.common import POSITIVE, Source, each, emit, json_option, problem_options

if TYPE_CHECKING:
    from sokoasp.domain import Problem


@click.group(invoke_without_command=True, epilog="Example: sokoasp encodings show lines")
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the catalogue of logic programs, or show one."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_all, as_json=False)


@command.command("list", epilog="Example: sokoasp encodings list")
@json_option
def list_all(as_json: bool) -> None:
    """List every encoding: name, game, objective, what it is."""
    from sokoasp.asp.catalogue import encodings

    for name, encoding in encodings().items():
        if as_json:
            emit(
                {
                    "name": name,
                    "game": encoding.game,
                    "objective": encoding.objective,
                    "mode": encoding.mode,
                    "summary": encoding.summary,
                }
            )
        else:
            click.echo(f"{name:<22} {encoding.game:<8} {encoding.objective:<7} {encoding.summary}")


@command.command("show", epilog="Example: sokoasp encodings show competition")
@click.argument("name", shell_complete=complete.encodings)
def show(name: str) -> None:
    """Print what an encoding proves, its ideas, and its whole program.

    Programs without tables run in plain clingo: clingo program.lp facts.lp.
    """
    from sokoasp.asp.catalogue import named

    encoding = named(name)
    click.echo(f"% {name}: {encoding.summary}\n% Proves: {encoding.proves}")
    for idea in encoding.ideas:
        click.echo(f"% Idea {idea.name}: {idea.claim}")
    for path in encoding.files:
        click.echo(_printed(path))
    if encoding.tables:
        click.echo(
            f"\n% For sokoasp solve alone: it makes the tables this program wants ({', '.join(encoding.tables)})."
        )
    elif encoding.mode == "incremental":
        click.echo(
            "\n% ---- one bound after the other, by clingo itself (python -m clingo does not do it)\n#include <incmode>."
        )


@command.command(
    "bench",
    epilog="Example: sokoasp encodings bench instances/tutorial/first.xsb --encoding lines --encoding lines-forward",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--encoding",
    "names",
    shell_complete=complete.encodings,
    multiple=True,
    metavar="NAME|PATH",
    help="A catalogued program or any .lp file, clingo options may follow in the same word; A+B is a race of two. Repeatable.",
)
@click.option(
    "--leave-one-out",
    shell_complete=complete.encodings,
    metavar="NAME",
    help="This program, and the same without each of its ideas in turn.",
)
@click.option("--time-limit", type=POSITIVE, default=60.0, show_default=True, metavar="S")
@click.option(
    "--seed",
    "seeds",
    type=int,
    multiple=True,
    default=(0,),
    help="clasp seed; repeatable. Without an option such as --rand-freq=0.01 all seeds make the same run.",
)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Add each run to FILE (JSON lines) and leave out those that it settles.",
)
def bench(
    files: tuple[Path, ...],
    names: tuple[str, ...],
    leave_one_out: str | None,
    time_limit: float,
    seeds: tuple[int, ...],
    results: Path | None,
) -> None:
    """Compare programs idea by idea on every level of FILES: seconds, grounding, conflicts, in Markdown.

    Each run is a process of its own; all variants of a level follow each other. Seconds and the limit are of CPU time, for
    races and clasp's threads of the clock on the wall. With --results a campaign goes on where Ctrl-C stopped it, and the same
    line with a higher limit only runs what is open.
    """
    from sokoasp.bench.studies import ablation
    from sokoasp.sokoban import formats

    if not names and not leave_one_out:
        raise click.UsageError("name programs by --encoding or --leave-one-out")
    variants = [*ablation.named(names), *(ablation.leave_one_out(leave_one_out) if leave_one_out else [])]
    levels = [
        (path.stem if number == 1 else f"{path.stem}:{number}", level)
        for path in files
        for number, level in enumerate(formats.read(path.read_bytes(), source=str(path)), 1)
    ]

    def keep(row: ablation.IdeaRow) -> None:
        if results:
            ablation.append(results, row)

    known = ablation.load(results) if results else []
    rows = ablation.compare(levels, variants, seconds=time_limit, seeds=seeds, known=known, on_row=keep)
    click.echo(ablation.markdown(rows, seconds=time_limit))


@command.command("ground", epilog="Example: sokoasp encodings ground lines instances/tutorial/first.xsb")
@click.argument("name", metavar="NAME|PATH", shell_complete=complete.encodings)
@problem_options
@click.option("--bound", type=click.IntRange(0, 10_000), metavar="N", help="Actions; default: the level's first bound.")
@click.option(
    "--objective",
    shell_complete=complete.objectives,
    help="What a program of your own counts; default: lines (Klotski: slides).",
)
@json_option
@click.pass_context
def ground(
    ctx: click.Context, name: str, source: Source, bound: int | None, objective: str | None, as_json: bool
) -> None:
    """Ground a program on each level, solve nothing, and count atoms by predicate and rules by kind."""
    from sokoasp.engine.ground_size import sizes

    domain, problems = source.problems()

    def act(number: int, problem: Problem) -> int:
        size = sizes(problem, name, objective=objective, bound=bound)
        if as_json:
            emit({"file": source.file, "level": number, "encoding": name, **asdict(size)})
            return 0
        title = domain.title(problem)
        click.echo(f"{source.file}:{number}" + (f" ({title})" if title else "") + f": {name}, bound {size.bound}")
        for signature, count in sorted(size.atoms.items(), key=lambda pair: (-pair[1], pair[0])):
            click.echo(f"  {signature:<24} {count:>9,} atoms, {size.facts.get(signature, 0):,} of them facts")
        for kind, count in sorted(size.rules.items(), key=lambda pair: (-pair[1], pair[0])):
            click.echo(f"  {kind:<24} {count:>9,}")
        click.echo(f"  {'in all':<24} {sum(size.atoms.values()):>9,} atoms, {sum(size.rules.values()):,} rules")
        return 0

    ctx.exit(each(problems, act, as_json=as_json, file=source.file))


@command.command("diff", epilog="Example: sokoasp encodings diff lines lines-forward")
@click.argument("one", shell_complete=complete.encodings)
@click.argument("two", shell_complete=complete.encodings)
def diff(one: str, two: str) -> None:
    """Return which ideas (files) two catalogued programs share, and print those that only one of them has."""
    from sokoasp.asp.catalogue import named

    first, second = named(one), named(two)
    shared = [path for path in first.files if path in second.files]
    click.echo(f"both: {', '.join(map(_place, shared)) or 'nothing'}")
    for encoding, other in ((first, second), (second, first)):
        only = [path for path in encoding.files if path not in other.files]
        click.echo(f"only {encoding.name}: {', '.join(map(_place, only)) or 'nothing'}")
        for path in only:
            click.echo(_printed(path) + "\n")


def _place(path: Path) -> str:
    """Return where a file of the catalogue stands in the folder of its game."""
    from sokoasp.asp.catalogue import folder

    return "/".join(path.relative_to(folder()).parts[1:])


def _printed(path: Path) -> str:
    return f"\n% ---- {_place(path)}\n{path.read_text(encoding='utf-8').rstrip()}"
