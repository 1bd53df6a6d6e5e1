"""``sokoasp translate``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import click

from sokoasp.cli.common import is_folder, one_file_each, titled, with_solutions, write_output
from sokoasp.cli.files import Found, Source, problem_options
from sokoasp.cli.options import OUT, STEPS
from sokoasp.cli.rows import each
from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.core.nearest import nearest_or_all
from sokoasp.domain import Game

_SUFFIXES = {"facts": ".lp", "line": ".klotski"}
_TOLD = ("author", "collection", "comment", "solutions")
_LOST = {"sok": (), "json": (), "slc": ("comment", "solutions"), "facts": ("solutions",), "pddl": ("solutions",)}
"""What these cannot hold; the others cannot hold all of ``_TOLD``. Facts and PDDL are for solving: titles do not count."""
_OTHER_WORDS = {"lp": "facts", "asp": "facts", "clingo": "facts", "txt": "xsb", "ascii": "xsb", "xml": "slc"}


@click.command(epilog="Example: sokoasp translate instances/tutorial/first.xsb --format facts --steps 5")
@problem_options
@click.option(
    "--format",
    "to",
    required=True,
    metavar="NOTATION",
    help="facts, xsb, sok, rle, slc, pddl or json (Klotski: klotski, line or facts).",
)
@click.option("--steps", type=STEPS, metavar="N", help="Add step/1 and next/2 for N steps to the facts.")
@click.option("-o", "--output", type=OUT, help="File, or folder for one file a level; default: -, stdout.")
@click.pass_context
def command(ctx: click.Context, source: Source, to: str, steps: int | None, output: str | None) -> None:
    """Write levels in another notation, facts as levels included.

    Levels that cannot be read are reported and left out; the exit code is then 30. With -o FOLDER (existing, or ending in /)
    each level gets a file of its own: NAME.lp, or NAME-0001.lp and so on for a collection. Files of facts and pddl hold one
    level each.
    """
    if output == "":
        raise click.BadParameter("the name is empty", param_hint="-o")
    lost: set[str] = set()
    collections: set[str] = set()
    folder = is_folder(output)

    def whole(found: Found) -> Any:
        level = with_solutions(found)  # on stdout those beside the level are not missed
        given = found.problem if output in (None, "-") else level
        lost.update(name for name in _LOST.get(to, _TOLD) if getattr(given, name, ""))
        collections.add(getattr(given, "collection", ""))
        return titled(found, level) if source.many and not folder else level

    def written(found: Found) -> tuple[str, int]:
        _refuse(found.domain, to, steps)
        return found.domain.texts.write[to]([whole(found)], steps), 0

    if folder:
        codes = [one_file_each(source, Path(output or ""), _SUFFIXES.get(to, f".{to}"), written)]
    else:
        codes = [0]
        good = _readable(source, to, steps, codes)
        if (first := next(good, None)) is not None:
            try:
                text = first.domain.texts.write[to](map(whole, chain([first], good)), steps)
            except SokoaspError as error:
                raise error.located(source.files[0]) from None
            write_output(text, output or "-")
    if to == "slc" and not folder and len(collections) > 1:
        lost.add("collection")
    if lost:
        click.echo(f"note: {to} cannot hold {', '.join(sorted(lost))}; sok and json can", err=True)
    ctx.exit(codes[0])


def _refuse(domain: Game, to: str, steps: int | None) -> None:
    """Refuse what levels of this game cannot be written as. Raises click.UsageError."""
    if to not in domain.texts.write:
        message = f"{domain.name} has no notation {to!r}{nearest_or_all(to, domain.texts.write, _OTHER_WORDS)}"
        raise click.BadParameter(message, param_hint="--format")
    if steps is not None and (to != "facts" or domain.name != "sokoban"):
        raise click.UsageError(f"--steps is for --format facts of Sokoban levels, {to} of {domain.name} knows no steps")


def _readable(source: Source, to: str, steps: int | None, codes: list[int]) -> Iterator[Found]:
    """Yield the levels that can be read and written, none kept; the others are reported, ``codes[0]`` is their exit code."""
    games: list[str] = []

    def act(found: Found) -> int:
        if not games:
            _refuse(found.domain, to, steps)
            games.append(found.domain.name)
        if found.domain.name != games[0]:
            raise LevelError(f"this is {found.domain.name}: one file holds levels of one game", source=found.file)
        found.domain.texts.write[to]([found.problem], steps)  # one that cannot be written takes no other along
        return 0

    for found in source.levels():
        code = each(iter([found]), act)
        codes[0] = max(codes[0], code)
        if code == 0:
            yield found
