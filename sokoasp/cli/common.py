"""What the commands share: reading problems and plans, rows and exit codes."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sokoasp.cli.options import level_options
from sokoasp.core.plurals import counted as counted
from sokoasp.domain import P

if TYPE_CHECKING:
    from sokoasp.cli.rows import Rows
    from sokoasp.domain import Domain, Problem

_MOVES = r"[lurdLURD0-9()]*[lurdLURD)][lurdLURD0-9()]*"
_MOST_SAID = 1000
"""Most different warnings remembered so as not to be repeated."""


@dataclass(frozen=True, slots=True)
class Source:
    """Which problems a command is about: a file, the 1-based number of one of its levels or None for all, and the game."""

    file: str
    only: int | None = None
    game: str | None = None
    several: tuple[tuple[int, int], ...] = ()
    """First and last numbers of the levels asked for, where ``only`` names none."""

    def problems(self) -> tuple[Domain[Any, Any], Iterator[tuple[int, Problem]]]:
        """Return the game of the file and its problems with their numbers; a faulty one is yielded as its error.

        Raises:
            LevelError: The file has no level, or not the one asked for.
            click.UsageError: It is a PDDL task.
        """
        from sokoasp.domain import domain_for

        if self.file.endswith(".pddl"):
            raise click.UsageError(f"{self.file}: a PDDL task is for sokoasp solve and sokoasp plan alone")
        data, name = read_bytes(self.file)
        domain = domain_for(data, name, self.game)
        found = domain.texts.read(data, name, **_reading())
        wanted = self.several if self.only is None else ((self.only, self.only),)
        return domain, _pick(enumerate(found, 1), wanted, name)

    def one(self) -> tuple[Domain[Any, Any], Problem]:
        """Return the game and the one level asked for, else the first.

        Raises:
            SokoaspError: It is faulty, or there is none.
        """
        from sokoasp.core.errors import SokoaspError

        if self.several:
            raise click.UsageError("this is about one level: give its number to --level")
        number = self.only or 1
        try:
            domain, problems = self.problems()
            _, problem = next(problems)
            if isinstance(problem, SokoaspError):
                raise problem
            if self.only is None and next(problems, None) is not None:
                click.echo(f"note: {self.file} has more levels, this is about the first: see --level", err=True)
        except SokoaspError:
            click.get_current_context().meta.update({"sokoasp.file": self.file, "sokoasp.level": number})
            raise
        _warn(problem)
        return domain, problem


def problem_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add FILE, --level and --domain, which the command gets as one ``source``, and the options of the level readers."""

    @functools.wraps(function)
    def command(*args: Any, file: str, only: Any, game: str | None, **options: Any) -> Any:
        source = Source(file, None, game, only) if isinstance(only, tuple) else Source(file, only, game)
        return function(*args, source=source, **options)

    return level_options(command)


def only_one_stdin(source: Source, plan: str | None) -> None:
    """Refuse to read both the level and the plan from stdin.

    Raises:
        click.UsageError: Both are meant to come from there.
    """
    if source.file == plan == "-":
        raise click.UsageError("the level and the plan cannot both come from stdin")


def read_bytes(file: str) -> tuple[bytes, str]:
    """Return the content of a file or of stdin for ``-``, and the name to report it by.

    What is too large for every reader, such as a device without end, is not read further than that shows.

    Raises:
        click.UsageError: stdin is closed.
    """
    from sokoasp.sokoban.formats.text import MAX_BYTES

    if file == "-":
        if sys.stdin is None:
            raise click.UsageError("stdin is closed")
        return sys.stdin.buffer.read(MAX_BYTES + 1), "<stdin>"
    with Path(file).open("rb") as opened:
        return opened.read(MAX_BYTES + 1), file


def read_text(file: str) -> tuple[str, str]:
    """Return the text of a file or of stdin for ``-``, decoded as level files are, and the name to report it by.

    Raises:
        LevelError: It is too large, packed or binary.
    """
    from sokoasp.sokoban.formats.text import decode

    data, name = read_bytes(file)
    return decode(data, name)[0], name


def plan_text(plan: str) -> tuple[str, str]:
    """Return a plan's text, of a file, of stdin (``-``) or moves such as ``rRR`` as given, and the name to report it by.

    Raises:
        click.BadParameter: It is neither.
        NotationError: It is the answer of a clingo that asked for no bound.
    """
    if plan == "-" or _readable(plan):
        text, name = read_text(plan)
        if "clingo_ran_without_incmode" in text:
            from sokoasp.core.errors import NotationError

            other = "python -m clingo passes over it, Debian's clingo and sokoasp solve do not"
            raise NotationError(f"this is no plan: clingo ran without incmode ({other})", source=name)
        return text, name
    if re.fullmatch(_MOVES, "".join(plan.split())):
        return plan, "PLAN"
    raise click.BadParameter(f"{plan!r} is neither a file nor moves such as rRR", param_hint="PLAN")


def _readable(name: str) -> bool:
    """Return whether there is a file of that name, or a pipe."""
    try:
        return Path(name).exists() and not Path(name).is_dir()
    except OSError:  # a long plan is no name
        return False


def read_plan(domain: Domain[P, Any], problem: P, file: str) -> Any:
    """Read a plan, in any notation of the game; ``file`` may be the moves themselves, see ``plan_text``.

    Raises:
        SokoaspError: It is none, or does not solve the level, with the place in the plan's file.
    """
    from sokoasp.core.errors import SokoaspError

    text, name = plan_text(file)
    try:
        plan = domain.texts.read_plan(problem, text, name)
        domain.validate(problem, plan, None)
        return plan
    except SokoaspError as error:
        raise error.located(name) from None


def _reading() -> dict[str, Any]:
    """Return the reading options of the running command that were given."""
    given = click.get_current_context().meta
    return {
        name: given[f"sokoasp.{name}"] for name in ("dialect", "max_cells") if given.get(f"sokoasp.{name}") is not None
    }


def _pick(
    numbered: Iterator[tuple[int, Any]], wanted: tuple[tuple[int, int], ...], source: str
) -> Iterator[tuple[int, Any]]:
    """Yield the problems whose numbers are in one of these ranges, all if there are none.

    Raises:
        LevelError: There is no level (E-NOLEVEL), or not one that is asked for (E-INDEX), told when the others are done.
    """
    from sokoasp.core.errors import LevelError, SokoaspError

    count, problem = 0, None
    for number, problem in numbered:
        count = number
        if not wanted or any(low <= number <= high for low, high in wanted):
            yield number, problem
    if count == 0:
        raise LevelError("no level in this file", source=source, code="E-NOLEVEL")
    missing = [max(low, count + 1) for low, high in wanted if high > count]
    if missing:
        if count == 1 and isinstance(problem, SokoaspError):
            raise problem  # there may be no level at all
        message = f"there is no level {missing[0]}, the file has {counted(count, 'levels')}"
        raise LevelError(message, source=source, code="E-INDEX")


def each(
    problems: Iterator[tuple[int, Any]], act: Callable[[int, Any], int], *, file: str, rows: Rows | None = None
) -> int:
    """Act on every problem, report the faulty ones in their place, and return the highest exit code."""
    from sokoasp.core.errors import EncodingError, SokoaspError, WrongPlan

    highest = 0
    if rows:
        rows.begin()
    for number, problem in problems:
        try:
            if isinstance(problem, SokoaspError):
                raise problem
            _warn(problem)
            code = act(number, problem)
        except SokoaspError as error:
            code = error.exit_code
            if rows:
                rows.fault(file, number, str(error), error.status if isinstance(error, WrongPlan) else "error")
            program = isinstance(error, EncodingError) and not isinstance(error, WrongPlan)
            click.echo(f"error: {error if program else error.located(file)}", err=True)
        highest = max(highest, code)
        if code == 130:
            break
    return highest


def heading(file: str, number: int, title: str) -> str:
    """Return what a level is called in the answers; what a title says to the terminal is left out."""
    title = re.sub(r"[\x00-\x1f\x7f-\x9f]", "", title)
    return f"{file}:{number}" + (f" ({title})" if title else "")


def is_folder(output: str | None) -> bool:
    """Return whether an output is meant as a folder: it is there, or ends in ``/``."""
    return output is not None and (output.endswith("/") or Path(output).is_dir())


def one_file_each(
    problems: Iterator[tuple[int, Any]],
    folder: Path,
    file: str,
    suffix: str,
    make: Callable[[int, Any], tuple[str | bytes | None, int]],
) -> int:
    """Write what is made of every problem, with an exit code, into a file of its own; return the highest exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = "stdin" if file == "-" else Path(file).stem

    def act(number: int, problem: Any) -> int:
        content, code = make(number, problem)
        if content is not None:
            write_output(content, str(folder / f"{stem}-{number:04}{suffix}"))
        return code

    return each(problems, act, file=file)


def write_output(content: str | bytes, output: str) -> None:
    """Write text or bytes into a file, or to stdout for ``-``. Raises OSError: it cannot be written; the file is named."""
    if output == "-":
        click.echo(content, nl=False)
        return
    try:
        Path(output).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    except OSError as error:  # a full disk is reported without a name
        raise OSError(error.errno, error.strerror, output) from None


def _warn(problem: Any) -> None:
    """Print what its reader has to say of a problem; what it says of every level of a file is said once."""
    said: set[str] = click.get_current_context().meta.setdefault("sokoasp.said", set())
    for warning in getattr(problem, "warnings", ()):
        if warning not in said:
            click.echo(f"{'note' if ' N-' in warning else 'warning'}: {warning}", err=True)
        if len(said) < _MOST_SAID:
            said.add(warning)
