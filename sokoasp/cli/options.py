"""The kinds of values and the options that the commands share."""

from __future__ import annotations

import errno
import functools
import io
import os
import re
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import IO, Any, TypeVar, cast

import click

from sokoasp.core.limits import Limits
from sokoasp.core.nearest import nearest_or_all
from sokoasp.domain import Game, level_suffixes

_F = TypeVar("_F", bound=Callable[..., Any])


class Number(click.FloatRange):
    """A number in a range; the one that is none (``nan``) is refused too."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a number."""
        number: float = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is no number.", param, ctx)
        return number


class WholeNumber(click.IntRange):
    """A whole number in a range; click calls what is none "not a valid integer range"."""

    name = "whole number"


def not_over(output: Any, why: str, ctx: click.Context) -> str:
    """Return what is said of an output that would be written over what is read, or was not written by such a command."""
    advice = ", or --force to write over it if all its levels are read"
    forced = advice * any("--force" in param.opts for param in ctx.command.params)
    return f"{output} {why}: give the output another name{forced}"


def _what_is_there(output: Any, words: Sequence[str]) -> str:
    """Return why a command line without ``--force`` may not write over a file, or "".

    It is named twice, or its folder is whose store or encoding it is; or it is a suite, or a file of levels. Those only
    ``translate`` and ``improve`` write, and ``solve`` as ``.sok``.
    """
    if "--force" in words or not Path(output).is_file():
        return ""
    named = [re.sub(r"^(--?[\w-]+=|-o(?=.))", "", word) for word in words]
    twice = [os.path.realpath(word) for word in named].count(os.path.realpath(output)) > 1
    if twice or (str(output).endswith((".db", ".lp")) and Path(output).parent in map(Path, named)):
        return "is read"
    levels = () if words[0] in ("translate", "improve") else level_suffixes()
    kinds: dict[str, str] = {".toml": "is a suite"} | dict.fromkeys(
        {*levels} - {".sok" * (words[0] == "solve")}, "has levels in it"
    )
    return kinds.get(Path(output).suffix.lower(), "")


class _Output(click.ParamType):  # type: ignore[type-arg]
    """Something to be written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Keep its name for errors of the system that have none, as that of a full disk. Refuse a file that is named twice."""
        if ctx is not None and str(value) != "-":
            ctx.meta["sokoasp.output"] = str(value)
            if why := _what_is_there(value, ctx.meta.get("sokoasp.words", [""])):
                self.fail(not_over(value, why, ctx), param, ctx)
        return super().convert(value, param, ctx)


class _NewFile(_Output, click.Path):
    """A file to be written, or ``-``; that it cannot be made in its folder is said before any work is done."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Look whether the folder is there and lets us write."""
        if str(value).endswith("/"):
            self.fail(f"{value} is the name of a folder, and this is one file", param, ctx)
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        fault = 0 if path.parent.is_dir() else errno.ENOENT
        if not fault and str(path) != "-" and not os.access(path if path.exists() else path.parent, os.W_OK):
            fault = errno.EACCES
        if fault:
            raise OSError(fault, os.strerror(fault), str(path))
        return path


class _NewFolder(_Output, click.Path):
    """A folder to be made or written to."""


class _NewText(_Output, click.File):
    """A text file to be written row by row, or ``-``."""


class _WhenWritten(io.TextIOBase):
    """A text file that is made, and an older one emptied, only when there is something to write."""

    def __init__(self, path: Path) -> None:
        self.path, self.opened = path, cast(IO[str], None)

    def write(self, text: str) -> int:
        self.opened = self.opened or self.path.open("w", encoding="utf-8")
        return self.opened.write(text)

    def flush(self) -> None:
        if self.opened:
            self.opened.flush()


PLAN_FORMS = ("lurd", "push", "text", "json")
"""The notations of a plan that is printed."""
_SUFFIXES = {".sol": "lurd", ".lurd": "lurd", ".sok": "sok", ".json": "json"}
POSITIVE = Number(min=0, min_open=True)
STEPS = WholeNumber(1, 100_000)
IN_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
IN_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
OUT_FILE = _NewFile(dir_okay=False, path_type=Path)
PLAN = click.Path(allow_dash=True)
"""A plan, which may be the moves themselves."""
STDOUT = Path("-")
OUT = _NewFolder()
OUT_TEXT = _NewText("w", encoding="utf-8")
OUT_FOLDER = _NewFolder(file_okay=False, path_type=Path)


objective_option = click.option(
    "--objective", help="lines, pushes or moves (Klotski: slides or units); default: lines or slides."
)


def objective_of(domain: Game, objective: str | None) -> str:
    """Return the objective asked for, else the game's first; click.BadParameter if the game does not count it."""
    if objective not in (None, *domain.objectives):
        message = f"{domain.name} has no objective {objective!r}{nearest_or_all(str(objective), domain.objectives)}"
        raise click.BadParameter(message, param_hint="--objective")
    return objective or domain.objectives[0]


def plan_option(function: _F) -> Any:
    """Add --format, the notation of a plan, and --output, the file for what else is on stdout; the command writes collections."""

    @functools.wraps(function)
    def command(*args: Any, source: Any, output: Path | None, form: str | None, **options: Any) -> Any:
        suffix = "" if output is None else output.suffix.lower()
        form = form or _SUFFIXES.get(suffix, "text")
        options |= {"source": source, "form": form}
        if suffix and form != "sok" and suffix in level_suffixes():
            raise click.UsageError(
                f"{output} is the name of levels, which --format sok writes: call plans .sol or .txt"
            )
        if suffix == ".csv" and not options.get("as_csv", True):
            raise click.UsageError(f"{output} is the name of a table, which --csv writes")
        if output is None or str(output) == "-" or form == "sok":
            return function(*args, **options)
        with _WhenWritten(output) as out, redirect_stdout(out):
            return function(*args, **options)

    forms = click.Choice([*PLAN_FORMS, "sok"])
    kind = click.option(
        "--format", "form", type=forms, help="Notation of the plans; sok: the levels with them. Default: text."
    )
    text = "Write the answer to this file; default: stdout."
    return click.option("-o", "--output", type=OUT_FILE, help=text)(kind(command))


def time_option(text: str | None, default: float | None = None, kind: Number = POSITIVE) -> Callable[[_F], _F]:
    """Make --time-limit, in seconds."""
    return click.option(
        "--time-limit", type=kind, default=default, show_default=default is not None, metavar="S", help=text
    )


def limit_options(text: str | None, default: float | None = None, kind: Number = POSITIVE) -> Callable[[_F], Any]:
    """Make --time-limit and --memory-limit, which the command gets as ``limits``."""

    def add(function: _F) -> Any:
        @functools.wraps(function)
        def command(*args: Any, time_limit: float | None, memory_limit: float | None, **options: Any) -> Any:
            return function(*args, limits=Limits(seconds=time_limit, memory_mb=memory_limit), **options)

        memory = click.option("--memory-limit", type=POSITIVE, metavar="MB", help="Most resident memory.")
        return time_option(text, default, kind)(memory(command))

    return add


instances_option = click.option(
    "--instances", type=IN_FOLDER, help="Folder of your own instances, for suites that ask for one."
)
measure_option = click.option(
    "--measure",
    type=click.Choice(["wall", "cpu", "total"]),
    help="Seconds to compare: wall or CPU of the run's process (default: as limited), or the system's own (total).",
)


class _File(click.Path):
    """A file that is there; what goes wrong remembers its name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Look whether the file is there."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            if ctx is not None:
                ctx.meta["sokoasp.file"] = str(value)
            raise error


FILE = _File(exists=True, dir_okay=False, allow_dash=True)
IN_FILES = click.Path(exists=True, path_type=Path)
FILES = _File(exists=True, readable=False, allow_dash=True)
recursive_option = click.option("-r", "--recursive", is_flag=True, is_eager=True, help="Look into a folder's folders.")


def _ranges(text: Any) -> tuple[Any, ...]:
    """Read levels by their numbers: ``1-3,7`` becomes the ranges (1, 3) and (7, 7), ``2`` the range (2, 2)."""
    kind: Any = WholeNumber(min=1)
    ranges = []
    for part in text.split(",") if isinstance(text, str) else ():
        ends = part.split("-")
        low, high = (kind.convert(one, None, None) for one in (ends[0], ends[-1]))
        if len(ends) > 2 or low > high:
            raise click.BadParameter(f"{part!r} is no range of levels such as 1-3")
        ranges.append((low, high))
    return tuple(ranges)


def level_options(function: _F, metavar: str) -> _F:
    """Add FILES, --recursive, --level and, last in the help and only there where files are mostly read, how they are read."""
    usual = function.__dict__.pop("__click_params__", [])  # click shows first what is added last
    hidden = function.__module__.rpartition(".")[2] not in ("solve", "check", "translate")
    size = click.option("--max-cells", type=WholeNumber(min=1), metavar="N", hidden=hidden, help="Largest board.")
    text = "sokoban or klotski; default: by content."
    function = click.option("--domain", "game", metavar="GAME", hidden=hidden, help=text)(size(function))
    function.__dict__["__click_params__"] += usual
    level = click.option(
        "--level",
        "wanted",
        type=_ranges,
        multiple=True,
        callback=lambda ctx, param, value: sum(value, ()),
        metavar="N",
        help="Only the N-th level of each file, from 1; several as 1-3,7.",
    )
    files = click.argument("files", nargs=-1, required=True, metavar=metavar)
    return files(recursive_option(level(function)))
