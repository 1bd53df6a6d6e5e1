"""The one door for levels: files and folders in, each level with the place it came from out."""

from __future__ import annotations

import functools
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import click

from sokoasp.cli import options as cli_options
from sokoasp.cli.rows import warn
from sokoasp.core import errors
from sokoasp.core.nearest import nearest_or_all
from sokoasp.domain import GAMES, domain_for, games, level_suffixes
from sokoasp.sokoban.formats.text import natural, stem

_PLANS = (".sol", ".lurd")
"""Suffixes of files that hold no levels but solutions."""
_UNSURE = re.compile(r"|\.txt|\.lp|\.asp|\.facts|\.json|\.\d+")
"""Suffixes of files that may hold levels or something else: the content says which."""
_NOT_LEVELS = ("E-NOLEVEL", "E-ENCODING")
"""Faults of a file that has no level in it."""
_MOVES = re.compile(r"[lurdLURD0-9()]*[lurdLURD)][lurdLURD0-9()]*")
"""A plan given as a word, without blanks."""
Ranges = tuple[tuple[int, int], ...]


class Found(NamedTuple):
    """A level of a file, or what is wrong in its place."""

    file: str
    """As it was named, ``-`` for stdin; of a folder the path in it."""
    number: int | None
    """From 1; None where the whole file is meant."""
    problem: Any
    """The level, or its error."""
    domain: Any
    """Its game; None where the whole file is meant."""
    stem: str
    """What files made of this one are called."""
    alone: bool
    """Whether its file has no other level."""

    @property
    def place(self) -> str:
        """Return ``file:number``."""
        return f"{self.file}:{self.number}"

    @property
    def row(self) -> dict[str, Any]:
        """Return what the row of a level begins with."""
        return {"file": self.file, "level": self.number}

    @property
    def title(self) -> str:
        """Return the level's title."""
        return str(self.domain.texts.title(self.problem))

    @property
    def heading(self) -> str:
        """Return what a level is called in the answers; what a title says to the terminal is left out."""
        title = re.sub(r"[\x00-\x1f\x7f-\x9f]", "", self.title)
        return f"{self.place} ({title})" if title else self.place

    @property
    def name(self) -> str:
        """Return what a file made of this level is called, without its suffix."""
        return self.stem if self.alone else f"{self.stem}-{self.number:04}"


class Source(NamedTuple):
    """Which levels a command is about."""

    files: tuple[str, ...]
    """Files and folders; ``-`` is stdin."""
    wanted: Ranges = ()
    """First and last numbers of the levels asked for in each file; none: all."""
    recursive: bool = False
    """Whether the folders in a folder are looked into."""
    game: str | None = None
    """Its name; None: by content."""
    max_cells: int | None = None
    """Largest board; None: as the reader of the game has it."""

    @property
    def many(self) -> bool:
        """Return whether there may be several files."""
        return len(self.files) > 1 or Path(self.files[0]).is_dir()

    @property
    def one_number(self) -> bool:
        """Return whether one level is asked for by its number."""
        return len(self.wanted) == 1 and self.wanted[0][0] == self.wanted[0][1]

    def levels(self) -> Iterator[Found]:
        """Yield the levels of all files in order; in the place of a faulty level or file, what is wrong with it."""
        names: set[str] = set()
        for found in self._levels():
            while found.number and found.name in names:  # a file c-0001 beside a collection c
                found = found._replace(stem=f"{found.stem}+")
            names |= {found.name} if found.number else set()
            yield found

    def _levels(self) -> Iterator[Found]:
        stems: Counter[str] = Counter()
        for name in self.files:
            if name == "-" or not Path(name).is_dir():
                yield from self._of_file(name, stems)
                continue
            some = False
            for path, below in list(in_folder(Path(name), recursive=self.recursive)):  # not what is written meanwhile
                fault = path if isinstance(path, OSError) else None
                levels = [_fault(name, fault)] if fault else self._of_file(str(path), stems, below)
                for found in levels:
                    some = True
                    yield found
            if not some:
                yield _fault(name, _nothing(Path(name)))

    def _of_file(self, file: str, stems: Counter[str], below: str = "") -> Iterator[Found]:
        """Yield the levels of a file; one of a folder (``below`` is its path there) that holds none is passed over."""
        try:
            if file.endswith(".pddl"):
                raise errors.WrongOption("a PDDL task is for sokoasp solve and sokoasp plan alone", source=file)
            data, name = read_bytes(file)
            domain = domain_for(data, name, self.game)
            reading = {} if self.max_cells is None else {"max_cells": self.max_cells}
            numbered = enumerate(domain.texts.read(data, name, **reading), 1)
            first = list(islice(numbered, 2))
            if below and _UNSURE.fullmatch(Path(file).suffix) and not _are_levels(domain, data, name, first):
                return
        except (errors.SokoaspError, OSError) as error:
            yield _fault(file, error)
            return
        del data  # the reader holds what it needs of it
        stem = _stem(below or Path(file).name, stems)
        for number, problem in _picked(chain(first, numbered), self.wanted, name):
            yield Found(file, number, problem, domain, stem, len(first) == 1)

    def one(self) -> Found:
        """Return the one level asked for, else the first.

        Raises:
            SokoaspError: It is faulty, or there is none.
            click.UsageError: Several are asked for.
        """
        if self.many or (self.wanted and not self.one_number):
            raise click.UsageError("this is about one level: name one file, and its number by --level")
        levels = self.levels()
        found = next(levels)
        if isinstance(found.problem, errors.SokoaspError):
            number = self.wanted[0][0] if self.wanted else found.number
            click.get_current_context().meta.update({"sokoasp.file": found.file, "sokoasp.level": number})
            raise found.problem
        if not self.wanted and next(levels, None) is not None:
            click.echo(f"note: {found.file} has more levels; this is about the first: see --level", err=True)
        warn(found.problem)
        return found

    def reads(self, path: Path) -> bool:
        """Return whether a file is there and among those that are read, or beside one of them, where solutions are looked for."""
        inputs, real = self.inputs(), Path(os.path.realpath(path))
        beside = path.suffix.lower() in (*_PLANS, ".sok") and stem(real) in {stem(Path(file)) for file in inputs}
        return path.exists() and (beside or str(real) in inputs)

    def inputs(self) -> set[str]:
        """Return the real path of every file that may be read."""
        found: set[str] = set()
        for name in self.files:
            inside = in_folder(Path(name), recursive=self.recursive) if Path(name).is_dir() else [(Path(name), "")]
            found |= {os.path.realpath(path) for path, _ in inside if isinstance(path, Path)}
        return found


def spread(ctx: click.Context, parameter: click.Parameter, names: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return files as they are named, and of a folder those that hold levels; one that cannot be read is left out and told of.

    Raises SokoaspError: there is none in a folder.
    """
    files: list[Any] = []
    deep = bool(ctx.params.get("recursive"))
    for name in names:
        found = list(Source((str(name),), (), deep).levels()) if Path(name).is_dir() else []
        faulty = {one.file: one.problem for one in found if one.number is None}
        good = [type(name)(file) for file in dict.fromkeys(one.file for one in found) if file not in faulty]
        if found and not good:
            raise next(iter(faulty.values()))
        for fault in faulty.values():
            click.echo(f"warning: left out: {fault}", err=True)
        files += good or [name]
    return tuple(files)


def only_one(levels: Iterator[Found], flag: str | None) -> Iterator[Found]:
    """Return the only level; all where no flag asks for one. Raises click.UsageError: there are more."""
    if not flag:
        return levels
    found = list(islice(levels, 2))
    if len(found) > 1:
        raise click.UsageError(f"{flag} is for one level: name one file, and its level with --level")
    return iter(found)


def only_one_stdin(source: Source, plan: str | None) -> None:
    """Refuse to read both the level and the plan from stdin. Raises click.UsageError."""
    if plan == "-" and "-" in source.files:
        raise click.UsageError("the level and the plan cannot both come from stdin")


def in_folder(folder: Path, *, recursive: bool) -> Iterator[tuple[Path | OSError, str]]:
    """Yield the files of a folder that may hold levels, in the order of their names, with their paths in it.

    Links to folders are not followed. A folder that cannot be read is yielded as its error.
    """
    faults: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=faults.append):
        folders[:] = sorted(folders, key=natural) if recursive else []
        for path in (Path(place, name) for name in sorted(names, key=natural)):
            if _may_hold_levels(path) and (path.is_symlink() or path.is_file()):
                yield path, str(path.relative_to(folder))
    yield from ((fault, "") for fault in faults)


def problem_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add FILES and how they are read, which the command gets as ``source``."""

    @functools.wraps(function)
    def command(*args: Any, files: tuple[str, ...], **options: Any) -> Any:
        return function(*args, source=_source(_levels_of(files), options), **options)

    return cli_options.level_options(command, "FILES...")


def problem_and_plan_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add FILES, as ``source``, and after them a PLAN, as ``plan``: the last of several words that holds no level."""

    @functools.wraps(function)
    def command(*args: Any, files: tuple[str, ...], **options: Any) -> Any:
        files = _levels_of(files, one=Source((), options["wanted"]).one_number)
        with_plan = len(files) > 1 and _is_plan(files[-1])
        source, plan = _source(files[:-1] if with_plan else files, options), files[-1] if with_plan else None
        only_one_stdin(source, plan)
        return function(*args, source=source, plan=plan, **options)

    return cli_options.level_options(command, "FILES... [PLAN]")


def _levels_of(files: tuple[str, ...], *, one: bool = False) -> tuple[str, ...]:
    """Return files without the solutions beside others of them, as ``*`` names them; two may be a level and its PLAN.

    They are if the file has one level, or if ``one`` of its levels is asked for and the other has one solution.
    """
    plans = [name for name in files if name.lower().endswith(_PLANS)]
    levels = {stem(Path(name)) for name in files if name not in plans}
    kept = len(files) < 3 and files[-1] in plans and ((one and _is_one(files[-1])) or not _for_several(files[0]))
    return tuple(name for name in files if kept or name not in plans or stem(Path(name)) not in levels)


def _source(files: tuple[str, ...], options: dict[str, Any]) -> Source:
    """Take from the options what says which levels are meant. Raises click.BadParameter: there is no such file."""
    ctx = click.get_current_context()
    for name in files:
        cli_options.FILES.convert(name, None, ctx)
    game = options.pop("game")
    if game is not None and game not in games():
        raise click.BadParameter(f"there is no game {game!r}{nearest_or_all(game, games())}", param_hint="--domain")
    source = Source(files, options.pop("wanted"), options.pop("recursive"), game, options.pop("max_cells"))
    output = options.get("output")
    if output and str(output) != "-" and source.reads(Path(output)) and not options.get("force"):
        own = os.path.realpath(output) in source.inputs()
        why = "is read" if own else "is beside a level that is read, where its solutions are looked for"
        added_to = ctx.info_name in ("solve", "improve") and Path(output).suffix.lower() == ".sok"
        if own or not added_to:
            raise click.UsageError(cli_options.not_over(output, why, ctx))
    return source


def _is_one(file: str) -> bool:
    """Return whether a file of solutions has but one."""
    from sokoasp.sokoban.formats.plans import solutions

    return Path(file).is_file() and len(solutions(read_bytes(file)[0].decode("utf-8", "replace"))) < 2


def _for_several(file: str) -> bool:
    """Return whether there are several levels in a file: moves in a file of that name are theirs in turn, no PLAN for one."""
    return Path(file).is_file() and not next(Source((file,), ()).levels()).alone


def _is_plan(word: str) -> bool:
    """Return whether the last of several words is a plan: moves, stdin, a pipe, or a file that holds no level."""
    path = Path(word)
    try:
        if word == "-" or not path.exists():
            return word == "-" or are_moves(word)
        if not path.is_file():
            return not path.is_dir()
        if path.suffix.lower() in _PLANS or not _may_hold_levels(path):
            return True
        data, name = read_bytes(word)
    except OSError:  # a long plan is no name
        return are_moves(word)
    first = next(domain_for(data, name).texts.read(data, name), None)
    return first is None or isinstance(first, errors.SokoaspError)


def are_moves(word: str) -> bool:
    """Return that a word is moves. Raises click.BadParameter: it is neither moves nor a file."""
    if _MOVES.fullmatch("".join(word.split())):
        return True
    raise click.BadParameter(f"{word!r} is neither a file nor moves such as rRR", param_hint="PLAN")


def _may_hold_levels(path: Path) -> bool:
    """Return whether a file may hold levels, by its name."""
    suffix = path.suffix.lower()
    return not path.name.startswith(".") and (suffix in level_suffixes() or _UNSURE.fullmatch(suffix) is not None)


def _are_levels(domain: Any, data: bytes, name: str, first: list[tuple[int, Any]]) -> bool:
    """Return whether a file holds levels, faulty or not, by the first thing its reader found."""
    problem = first[0][1] if first else None
    if not isinstance(problem, errors.SokoaspError):
        return problem is not None
    if problem.code == "E-JSON":
        return b"sokoasp-levels" in data
    if problem.code == "E-FACTS":
        return bool(domain.texts.recognises(data, name))
    return domain.name == GAMES[-1] and problem.code not in _NOT_LEVELS


def _stem(below: str, stems: Counter[str]) -> str:
    """Return what is made of a file is called: as the file without its suffix, with it or a number where that is taken."""
    name = "stdin" if below == "-" else str(stem(Path(below)))
    stems[name] += 1
    if stems[name] == 1:
        return name
    stems[below] += 1
    return below if stems[below] == 1 else f"{below}-{stems[below]}"


def _nothing(folder: Path) -> Exception:
    """Return what is to be said of a folder without levels."""
    can = click.get_current_context().params.get("recursive") is False
    more = can and any(map(Path.is_dir, folder.iterdir()))
    hint = ": -r looks into the folders in it" if more else ""
    return errors.LevelError(f"there is no level in this folder{hint}", source=str(folder), code="E-NOLEVEL")


def _fault(file: str, error: Exception) -> Found:
    """Return what is wrong with a whole file."""
    if isinstance(error, OSError):
        error = errors.LevelError(error.strerror or str(error), source=str(error.filename or file))
    return Found(file, None, error, None, "", alone=True)


def read_bytes(file: str) -> tuple[bytes, str]:
    """Return the content of a file or of stdin for ``-``, and the name to report it by. Raises click.UsageError: stdin is closed.

    What is too large for every reader, such as a device without end, is not read further than that shows.
    """
    from sokoasp.sokoban.formats.text import MAX_BYTES

    if file == "-":
        if sys.stdin is None:
            raise click.UsageError("stdin is closed")
        return sys.stdin.buffer.read(MAX_BYTES + 1), "<stdin>"
    with Path(file).open("rb") as opened:
        return opened.read(MAX_BYTES + 1), file


def _picked(numbered: Iterator[tuple[int, Any]], wanted: Ranges, source: str) -> Iterator[tuple[int | None, Any]]:
    """Yield the problems whose numbers are in one of these ranges, all if there are none.

    In the end comes what is wrong with the whole: there is no level (E-NOLEVEL), or not one that is asked for (E-INDEX).
    """
    count, problem = 0, None
    for number, problem in numbered:
        count = number
        if not wanted or any(low <= number <= high for low, high in wanted):
            yield number, problem
    if count == 0:
        yield None, errors.LevelError("no level in this file", source=source, code="E-NOLEVEL")
    missing = ["-".join(map(str, sorted({max(low, count + 1), high}))) for low, high in wanted if high > count]
    if missing and count == 1 and isinstance(problem, errors.SokoaspError):
        yield None, problem  # there may be no level at all
    elif missing and count:
        message = f"there is no level {','.join(missing)}, the file has {errors.counted(count, 'levels')}"
        yield None, errors.LevelError(message, source=source, code="E-INDEX")
