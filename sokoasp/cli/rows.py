"""What a command reports: sentences, JSON objects (``--json``) or a table (``--csv``), each row as soon as it is there.

And what a run is doing (``--progress``), on stderr: a live line on a terminal, a line now and then elsewhere.
"""

from __future__ import annotations

import functools
import io
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sokoasp.core import errors, progress
from sokoasp.core.limits import Limits

if TYPE_CHECKING:
    from sokoasp.cli.files import Found, Source

_F = TypeVar("_F", bound=Callable[..., Any])
_MOST_SAID = 1000
"""Most different warnings remembered so as not to be repeated."""
_BEAT = 1.0
"""Seconds between two looks at a run that no terminal shows."""
FIRST_LINE = 10.0
"""Seconds until such a run says its first line; each next line comes after twice as long."""


class Rows:
    """The rows of one command; false where sentences are wanted."""

    def __init__(self, columns: str, form: str) -> None:
        """Remember what the table has.

        Args:
            columns: The columns of the table in their order: the key of a row, or ``name=path`` for what lies deeper, as
                ``plan=plan.lurd``; of several paths parted by ``/`` the first with a value counts.
            form: ``json``, ``csv`` or ``text``.
        """
        self.columns = {name: path or name for name, _, path in (one.partition("=") for one in columns.split())}
        self.form = form
        self.known: Mapping[str, Any] = {}
        """What the row of the level at hand has even if that is a fault."""
        self.plans = "text"
        """The notation of plans that are printed."""
        self._begun = False
        self._last: dict[str, int] = {}
        """The number of the level of a file whose plans were printed last."""

    def __bool__(self) -> bool:
        return self.form != "text"

    def begin(self) -> None:
        """Print the head of the table, once: a table without rows has it, too."""
        if self.form == "csv" and not self._begun:
            self._begun = True
            self._line(list(self.columns))

    def write(self, row: Mapping[str, Any], **cells: Any) -> None:
        """Print a row; ``cells`` stand in the table only, in place of what is no single value."""
        self.known = {}
        if self.form == "json":
            emit(row)
            return
        self.begin()
        whole = {**row, **cells}
        if (whole.get("known_optimum") or {}).get("status") == "open":  # what it has is no optimum
            whole["known_optimum"] = None
        self._line([_cell(_found(whole, path)) for path in self.columns.values()])

    def fault(self, file: str | None, number: int | None, error: str, status: str = "error") -> None:
        """Print the row of a level that could not be dealt with, or of a command that could not."""
        self.write({**self.known, "file": file, "level": number, "status": status, "error": error})

    def with_plans_as(self, output: str, source: Source) -> Rows:
        """Return the rows of a command that also has plans in a notation: ``json`` asks for JSON objects.

        Raises click.UsageError: rows have the plan in them, and it is asked for in another notation.
        """
        if self and output not in ("text", "json"):
            beside = "beside it goes only -o NAME.sok, the levels with their plans"
            raise click.UsageError(f"--{self.form} has the plan in it, so leave {output} out: {beside}")
        self.plans, self.source = output, source
        if output == "json":
            self.form = output
        return self

    def print_plans(self, level: Found, plans: Iterable[Any] = ()) -> None:
        """Print plans, parted by blank lines; where levels follow each other, a mark is in the place of one without moves.

        Atoms of one level on stdout have no mark before them: there is no file for them to keep a place in.
        """
        if self.plans == "sok":
            return
        mark = {"lurd": "-\n", "push": "%\n"}.get(self.plans)
        if (
            mark == "%\n"
            and self.source.one_number
            and not self.source.many
            and not click.get_current_context().params.get("output")
        ):
            mark = None
        texts = [level.domain.texts.write_plan[self.plans](level.problem, plan) for plan in plans]
        if mark and level.number and (self.source.many or not level.alone):
            left_out = level.number - 1 - self._last.get(level.file, 0)
            self._last[level.file] = level.number
            texts = [*[mark] * left_out, *(text.lstrip() or mark for text in texts or [""]), ""]
        if texts:
            click.echo("\n".join(texts), nl=False)

    def _line(self, cells: list[str]) -> None:
        import csv

        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(cells)
        click.echo(re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", line.getvalue()), nl=False)


def rows_option(columns: str) -> Callable[[_F], Any]:
    """Make --json and --csv, which the command gets as ``rows``: see ``Rows`` for the columns."""

    def add(function: _F) -> Any:
        @functools.wraps(function)
        def command(*args: Any, as_json: bool, as_csv: bool, **options: Any) -> Any:
            if as_json and as_csv:
                raise click.UsageError("--json and --csv are two forms of the same rows: give one of them")
            rows = Rows(columns, "json" if as_json else "csv" if as_csv else "text")
            return function(*args, rows=rows, **options)

        as_csv = click.option("--csv", "as_csv", is_flag=True, help="A table (CSV) on stdout.")
        as_json = click.option("--json", "as_json", is_flag=True, help="JSON on stdout, one object a line.")
        return as_json(as_csv(command))

    return add


def emit(row: Any, write: Callable[[str], Any] = click.echo) -> None:
    """Print one JSON object as a line."""
    from sokoasp.core.json_text import row_text

    write(row_text(row))


def each(levels: Iterator[Found], act: Callable[[Found], int], rows: Rows | None = None) -> int:
    """Act on every level, report the faulty ones in their place, and return the highest exit code.

    What cannot be asked of a game is reported once, when the levels of other games are done. A level without a solution
    is a fault where no other has one, else a note.
    UsageError or SokoaspError if it can be asked of no level.
    """
    highest, acted, unsolved = 0, set(), list[errors.NoSolution]()
    refused: dict[str, tuple[Found, click.UsageError | errors.SokoaspError]] = {}
    stopped: list[int] = []
    if rows:
        rows.begin()
    for found in levels:
        game = found.domain.name if found.domain is not None else ""
        if game in refused:
            continue
        try:
            if isinstance(found.problem, errors.SokoaspError):
                raise found.problem
            warn(found.problem)
            with _noting_signals(stopped):
                code = act(found)
            acted.add(game)
        except (click.UsageError, errors.SokoaspError) as error:
            if error.exit_code == 2 and game:
                if game in acted:
                    raise
                refused[game] = found, error
                continue
            assert isinstance(error, errors.SokoaspError)
            code = _report(found, error, rows)
            if isinstance(error, errors.NoSolution):
                unsolved.append(error)
        highest = max(highest, 130 if stopped else code)
        if highest == 130:
            break
    for found, refusal in refused.values():
        if not highest and not acted:
            raise refusal
        highest = max(highest, _report(found, refusal, rows))
    return max(highest, _tell_unsolved(unsolved, bool(acted)))


def _tell_unsolved(unsolved: list[errors.NoSolution], others: bool) -> int:
    """Tell of the levels without a solution: a fault, a note where ``others`` have one. Return the exit code."""
    word, more = "note" if others else "error", len(unsolved) - 3
    for one in unsolved[:3]:
        click.echo(f"{word}: {one}", err=True)
    if more > 0:
        click.echo(f"{word}: no solution came with {errors.counted(more, 'levels')} more", err=True)
    return 30 if unsolved and not others else 0


@contextmanager
def _noting_signals(noted: list[int]) -> Iterator[None]:
    """Note Ctrl-C, which an engine may take for the end of its own work, and settle its level: no other is to begin."""

    def note(number: int, frame: Any) -> None:
        noted.append(number)
        signal.default_int_handler(number, frame)

    here = threading.current_thread() is threading.main_thread()
    ending = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is signal.default_int_handler]
    try:
        for one in ending * here:
            signal.signal(one, note)
        yield
    finally:
        for one in ending * here:
            signal.signal(one, signal.default_int_handler)


def _report(found: Found, error: click.UsageError | errors.SokoaspError, rows: Rows | None) -> int:
    """Report a fault in one sentence and, where rows are wanted, as one; return its exit code."""
    if isinstance(error, click.UsageError):
        error = errors.LevelError(error.format_message(), source=found.file)
    if rows:
        rows.fault(found.file, found.number, str(error), getattr(error, "status", "error"))
    elif rows is not None:
        rows.print_plans(found)
    program = isinstance(error, errors.EncodingError) and not isinstance(error, errors.WrongPlan)
    place = found.file if found.number is None or found.alone else found.place
    if isinstance(error, errors.NoSolution):
        return 0  # ``each`` tells of it at the end
    click.echo(f"error: {error if program else error.located(place)}", err=True)
    return error.exit_code


def warn(problem: Any) -> None:
    """Print what its reader has to say of a problem; what it says of every level of a file is said once."""
    said: set[str] = click.get_current_context().meta.setdefault("sokoasp.said", set())
    for warning in getattr(problem, "warnings", ()):
        if warning not in said:
            click.echo(f"{'note' if ' N-' in warning else 'warning'}: {warning}", err=True)
        if len(said) < _MOST_SAID:
            said.add(warning)


def _found(row: Any, paths: str) -> Any:
    """Return what lies at the first of these paths that leads to a value, None if none does."""
    for path in paths.split("/"):
        at = row
        for key in path.split("."):
            at = at.get(key) if isinstance(at, Mapping) else None
        if at is not None:
            return at
    return None


def _cell(value: Any, between: str = " ") -> str:
    """Return a value as one cell: the members of a list are parted by blanks, the numbers of a member by commas."""
    if isinstance(value, list | tuple):
        return between.join(_cell(one, ",") for one in value)
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


progress_option = click.option(
    "--progress",
    type=click.Choice(["auto", "json", "none"]),
    default="auto",
    show_default=True,
    help="Progress on stderr. auto: a live line on a terminal, elsewhere a line after 10, 20, 40 s ...; json: a line a second.",
)


@contextmanager
def shown(kind: str, level: Found, limits: Limits, endless: bool = False) -> Iterator[None]:
    """Show what goes on in the body of a ``with``: ``auto``, ``json`` or ``none``; the lines begin with the level.

    ``endless`` says that there are constraints that might never be met.
    """
    if kind != "auto":
        progress.reporters.clear()
    if kind == "none" or sys.stderr is None:
        yield
        return
    with progress.watched() as board:
        if kind == "json":
            with progress.beside(functools.partial(_each_second, board, level.row)):
                yield
        elif sys.stderr.isatty():
            from rich.console import Console

            with Console(stderr=True).status(_Line(board, level.place)):
                yield
        else:
            advice = "" if limits.seconds is not None else "; --time-limit S ends it with the best so far"
            endless = endless and limits.seconds is None
            advice += "; if the constraints can never be met, it may have no other end" * endless
            with progress.beside(functools.partial(_now_and_then, board, level.place, advice)):
                yield


def _each_second(board: progress.ProgressBoard, row: Mapping[str, Any], ended: threading.Event) -> None:
    """Write a JSON object each second, and one at the end; all begin with the row of the level."""
    more = True
    while more:
        more = not ended.wait(_BEAT)
        moment = board.now()
        emit({**row, **moment._asdict(), "gap": moment.gap}, _write)


def _now_and_then(board: progress.ProgressBoard, name: str, advice: str, ended: threading.Event) -> None:
    """Write a line after ``FIRST_LINE`` seconds, then each time the run has lasted twice as long."""
    due = FIRST_LINE
    while not ended.wait(_BEAT):
        moment = board.now()
        if moment.seconds >= due:
            if moment.plan is not None:  # the constraints are met
                advice = advice.partition("; if")[0]
            _write(f"{name}: {sentence(moment)}{advice}")
            due, advice = 2 * due, ""


def _write(line: str) -> None:
    with suppress(OSError, ValueError):  # nobody reads it any more: the run goes on
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


def sentence(moment: progress.Moment) -> str:
    """Write a moment of a run as one line."""
    parts = [moment.stage, f"{moment.seconds:.0f} s"]
    if moment.bound:
        parts.append(f"at least {moment.bound}")
    if moment.plan is not None:
        parts.append(f"plan {moment.plan}" + (f" (gap {moment.gap})" if moment.gap else ""))
    if moment.expanded:
        parts.append(f"{moment.expanded:,} expanded ({moment.rate:,.0f}/s)")
    return ", ".join([*parts, f"{moment.memory_mb:.0f} MB"])


class _Line:
    """A line that is written anew each time rich draws it."""

    def __init__(self, board: progress.ProgressBoard, name: str) -> None:
        self.board, self.name = board, name

    def __rich__(self) -> Any:
        from rich.text import Text

        return Text(f"{self.name}: {sentence(self.board.now())}")
