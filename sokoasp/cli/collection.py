"""A collection that a command writes: the levels that it reads, with the solutions that it finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from sokoasp.cli.common import write_output
from sokoasp.cli.files import Found, Source, titled
from sokoasp.sokoban import formats


class Collection:
    """The levels that are read, with the solutions found so far, to be written as one collection."""

    def __init__(self, source: Source, path: Path | None = Path("-")) -> None:
        """Raise click.UsageError: its name is not that of a collection."""
        self.path, self.source, self.faulty = path, source, False
        self.levels: list[Any] = []
        if path is not None and path.suffix.lower() not in (".sok", ".xsb", ".txt", ""):
            raise click.UsageError(f"{path} would hold a collection: call it {path.stem}.sok")

    def noting(self, levels: Iterator[Found]) -> Iterator[Found]:
        """Yield the levels, each noted before."""
        for found in levels:
            if isinstance(found.problem, Exception):
                self.faulty = True
            elif self.path is not None:
                self.levels.append(titled(found, found.problem) if self.source.many else found.problem)
            yield found

    def add(self, *plans: Any) -> None:
        """Put plans before the solutions of the level that was noted last."""
        if self.path is not None:
            known: dict[str, str] = {}
            for moves in filter(None, (*(plan.lurd for plan in plans), *self.levels[-1].solutions)):
                known.setdefault("".join(moves.split()).lower(), moves)
            self.levels[-1] = replace(self.levels[-1], solutions=tuple(known.values()))

    def write(self, *, whole: bool) -> None:
        """Write the collection; not over a file with more than was read, faulty or left out by --level, but beside it."""
        if self.path is None or not self.levels:
            return
        path = self.path
        if self.faulty:
            click.echo("note: what could not be read is left out of the collection: later levels move up", err=True)
        if (self.faulty or self.source.wanted or not whole) and self.source.reads(path):
            path = path.with_name(f"{path.stem}-improved{path.suffix}")
            while path.exists():
                path = path.with_name(f"{path.stem}+{path.suffix}")
            click.echo(f"note: {self.path} has levels that were not read and stays: look into {path}", err=True)
        write_output(formats.write(self.levels, "sok"), str(path))
