"""A collection that a command writes: the levels that it reads, with the solutions that it finds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import click

from sokoasp.cli.common import solves, titled, with_solutions, write_output
from sokoasp.cli.files import Found, Source
from sokoasp.core.errors import SokoaspError, counted, some
from sokoasp.sokoban import formats
from sokoasp.sokoban.formats import lurd


def _with_more(level: Any, *solutions: str) -> Any:
    """Return a level with more solutions behind its own, each once."""
    known: dict[str, str] = {}
    for moves in filter(None, (*level.solutions, *solutions)):
        try:
            known.setdefault(lurd.read(moves).lower(), moves)
        except SokoaspError:
            known[moves] = moves
    return replace(level, solutions=tuple(known.values()))


def _costs(level: Any, objective: str, moves: str) -> list[float]:
    """Return what a solution costs, what was asked for first; a wrong one costs the most."""
    try:
        plan = lurd.check_solution(level, moves)[0]
    except SokoaspError:
        return [inf]
    return [plan.cost(name) for name in (objective, "pushes", "moves")]


_NAMES = ("title", "author", "collection")


def _words(old: Any, new: Any) -> dict[str, Any]:
    """Return what an older file says of a level otherwise than the level does; comments and notes are put together."""
    found = {name: getattr(old, name) for name in _NAMES if getattr(old, name)}
    if old.comment not in new.comment:
        found["comment"] = old.comment if new.comment in old.comment else f"{old.comment}\n{new.comment}"
    found["notes"] = tuple(dict.fromkeys((*old.notes, *new.notes)))
    return {name: words for name, words in found.items() if words != getattr(new, name)}


def _partners(old: Sequence[Any], new: Sequence[Any]) -> list[int | None]:
    """Return which of the new levels each older one is, None if none: of equal boards that of its title, else the next."""
    marks = [[(level.rows(), level.title) for level in levels] for levels in (old, new)]
    once = set.intersection(*({mark for mark, n in Counter(each).items() if n == 1} for each in marks))
    keys = [[mark if mark in once else mark[0] for mark in each] for each in marks]
    free = defaultdict[Any, list[int]](list)
    for at, key in enumerate(keys[1]):
        free[key].insert(0, at)
    return [free[key].pop() if free[key] else None for key in keys[0]]


class Collection:
    """The levels that are read, with the solutions found so far, to be written as one collection."""

    def __init__(self, source: Source, path: Path | None, objective: str | None) -> None:
        """Note what is to be written where; the best solution by the objective is to be the first."""
        self.path, self.source, self.faulty, self.objective = path, source, False, objective or "lines"
        self.levels: list[Any] = []

    @staticmethod
    def named(_ctx: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
        """Check the name that a user gives a collection. Raises click.UsageError: it is that of another file."""
        if path is not None and path.suffix.lower() not in (".sok", ".xsb", ".txt", ""):
            raise click.UsageError(f"{path} would hold a collection: call it {path.stem}.sok")
        return path

    def noting(self, levels: Iterator[Found], *, quiet: bool = False) -> Iterator[Found]:
        """Yield the levels, each noted before with the solutions beside it; of wrong ones it is told, if not ``quiet``."""
        for found in levels:
            if isinstance(found.problem, Exception):
                self.faulty = True
            elif self.path is not None and found.domain.name == "sokoban":
                level = with_solutions(found, quiet=quiet)
                self.levels.append(titled(found, level) if self.source.many else level)
            yield found

    def add(self, *plans: Any) -> None:
        """Put plans before the solutions of the level that was noted last."""
        if self.path is not None:
            first = replace(self.levels[-1], solutions=tuple(plan.lurd for plan in plans))
            self.levels[-1] = _with_more(first, *self.levels[-1].solutions)

    def _takes_over(self, path: Path) -> list[str]:
        """Add what an older file has of these levels, its solutions and words; return the other levels that it holds."""
        if not path.is_file():
            return []
        try:
            old = formats.read(path.read_bytes(), source=str(path))
        except (SokoaspError, OSError):
            return ["what cannot be read"]
        places, other, names = _partners(old, self.levels), Counter[str](), {level.collection for level in old}
        if None not in places and len(names) == 1 and names.isdisjoint(level.collection for level in self.levels):
            self.levels = [replace(level, collection=level.collection or min(names)) for level in self.levels]
        missing: list[str] = []
        for number, (level, at) in enumerate(zip(old, places, strict=True), 1):
            if at is None:
                missing.append(repr(level.title) if level.title else f"level {number}")
            else:
                more = _with_more(self.levels[at], *level.solutions)
                if not all(map(partial(solves, level), {*more.solutions} - {*self.levels[at].solutions})):
                    click.echo(f"note: {path} keeps a wrong solution of {level.title or 'a level'}", err=True)
                words = _words(level, more)
                self.levels[at] = replace(more, **words)
                other.update(name for name in words if name in _NAMES and getattr(more, name))
        if other:
            kept = ", ".join(f"{name} of {counted(n, 'levels')}" for name, n in sorted(other.items()))
            click.echo(f"note: {path} keeps its own {kept}", err=True)
        return missing

    def write(self, *, whole: bool) -> None:
        """Write the collection; not over a file with other levels, or what was faulty or left out by --level, but beside it."""
        if self.path is None or not self.levels:
            return
        path, others = self.path, self._takes_over(self.path)
        if self.faulty:
            click.echo(
                "note: what could not be read is missing in the collection; later levels have lower numbers", err=True
            )
        if others or ((self.faulty or self.source.wanted or not whole) and self.source.reads(path)):
            path = path.with_name(f"{path.stem}-improved{path.suffix}")
            while path.exists():
                path = path.with_name(f"{path.stem}+{path.suffix}")
            also = f"also has {some(others, 3)}" if others else "has levels that were not read"
            solved = any(level.solutions for level in self.levels)
            click.echo(f"note: {self.path} {also}, so it stays" + f"; the answer is in {path}" * solved, err=True)
            if not solved:
                return
        for at, level in enumerate(self.levels):
            if len(level.solutions) > 1:  # each is replayed
                best_first = sorted(level.solutions, key=partial(_costs, level, self.objective))
                self.levels[at] = replace(level, solutions=tuple(best_first))
        write_output(formats.write(self.levels, "sok"), str(path))
