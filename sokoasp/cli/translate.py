"""``sokoasp translate``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import click

from sokoasp.cli import complete
from sokoasp.cli.common import Source, each, is_folder, one_file_each, problem_options, write_output
from sokoasp.cli.options import STEPS
from sokoasp.core.nearest import nearest_or_all

_SUFFIXES = {"facts": ".lp", "glyphs": ".klotski", "line": ".klotski"}
_OTHER_WORDS = {"lp": "facts", "asp": "facts", "clingo": "facts", "txt": "xsb", "ascii": "xsb", "xml": "slc"}


@click.command(epilog="Example: sokoasp translate instances/tutorial/first.xsb --to facts --steps 5")
@problem_options
@click.option(
    "--to",
    shell_complete=complete.notations,
    required=True,
    metavar="NOTATION",
    help="facts, xsb, sok, rle, slc, pddl or json (Klotski: klotski, line, glyphs, facts or json).",
)
@click.option("--steps", type=STEPS, metavar="N", help="Add step/1 and next/2 for N steps to the facts.")
@click.option("-o", "--output", type=click.Path(), help="File, or folder for one file a level; default: -, stdout.")
@click.pass_context
def command(ctx: click.Context, source: Source, to: str, steps: int | None, output: str | None) -> None:
    """Write levels in another notation; facts → xsb included.

    Levels that cannot be read are reported and left out; the exit code is then 30. With -o FOLDER (existing, or ending in /)
    each level gets a file of its own, NAME-0001.lp and so on; facts and pddl hold one level each and need that for a collection.
    """
    from sokoasp.core.errors import SokoaspError

    domain, problems = source.problems()
    if to not in domain.texts.write:
        message = f"{domain.name} has no notation {to!r}{nearest_or_all(to, domain.texts.write, _OTHER_WORDS)}"
        raise click.BadParameter(message, param_hint="--to")
    if steps is not None and (to != "facts" or domain.name != "sokoban"):
        raise click.UsageError(f"--steps is for --to facts of Sokoban levels, {to} of {domain.name} knows no steps")
    if output == "":
        raise click.BadParameter("the name is empty", param_hint="-o")
    if output is not None and is_folder(output):
        suffix = _SUFFIXES.get(to, f".{to}")
        ctx.exit(
            one_file_each(
                problems,
                Path(output),
                source.file,
                suffix,
                lambda _, problem: (domain.texts.write[to]([problem], steps), 0),
            )
        )
    codes = [0]
    good = _readable(problems, source.file, codes)
    first = list(islice(good, 1))
    if first:
        try:
            text = domain.texts.write[to](chain(first, good), steps)
        except SokoaspError as error:
            raise error.located(source.file) from None
        write_output(text, output or "-")
    ctx.exit(codes[0])


def _readable(problems: Iterator[tuple[int, Any]], file: str, codes: list[int]) -> Iterator[object]:
    """Yield the problems that can be read, none kept; the others are reported, ``codes[0]`` is the highest exit code so far."""
    for number, problem in problems:
        code = each(iter([(number, problem)]), lambda *_: 0, file=file)
        codes[0] = max(codes[0], code)
        if code == 0:
            yield problem
