"""The command line: one file a command, parse → one library call → print."""

from __future__ import annotations

import atexit
import importlib
import os
import re
import signal
import sys
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click

from sokoasp import __version__
from sokoasp.core.errors import SokoaspError

GROUPS = {
    "Solve": {
        "solve": "Find a proved and refereed plan (levels, boards, facts, PDDL tasks).",
        "improve": "Shorten a plan.",
        "check": "Referee a plan, or check a certificate folder.",
        "certify": "Make a certificate that anybody can check.",
        "optima": "Print the proved optima known of a level.",
    },
    "Explain": {
        "deadlock": "Prove that a level or state is dead, and say why.",
        "units": "Cut a level into units and passages, and say what they let through.",
        "walk": "Find the way a tap sends the player.",
        "stats": "Describe a level: sizes, lower bounds, state space.",
    },
    "Levels": {
        "translate": "Write levels in another notation, facts included.",
        "render": "Draw a level, the stages of a plan, or a page that plays it.",
        "klotski-db": "Build every position of a Klotski piece set with its distance.",
    },
    "Encodings": {"encodings": "List, show, export, compare and mark encodings."},
    "Play": {"serve": "Play in the browser.", "site": "Write the player page as a folder for any web host."},
    "Measure": {
        "bench": "Run and report benchmark campaigns.",
        "warm": "Compile the native search beforehand (in a checkout).",
    },
}
"""The commands as ``--help`` shows them."""
_ALIASES = ("plan", "check-proof")
"""Longer names of ``solve X.pddl`` and ``check DIR``."""
_COMMANDS = (*(name for group in GROUPS.values() for name in group), *_ALIASES)

AGAIN = 0.05
"""Seconds after which a Ctrl-C that has been lost is sent again."""


class _ReaderGone(Exception):
    """The reader of our output through a pipe, such as ``head``, has closed it. Click would make exit code 1 of it."""


class _Lazy(click.Group):
    """A group that imports a command only when it is used, so that --help stays fast."""

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        words = list(arguments[1])
        try:
            ctx = super().make_context(*arguments, **extra)  # prints the help
        except BrokenPipeError:
            raise _ReaderGone from None
        except click.UsageError as error:
            raise _told(error) from None
        ctx.meta["sokoasp.words"] = words
        ctx.meta["sokoasp.json"] = bool(re.search(r"(^| )--(json|(format|output)[ =]json)( |$)", " ".join(words)))
        return ctx

    def invoke(self, ctx: click.Context) -> Any:
        from sokoasp.core import progress

        progress.reporters[:] = [lambda sentence: click.echo(f"sokoasp: {sentence}", err=True)]
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _ReaderGone from None
        except (click.ClickException, SokoaspError) as fault:
            error = _told(fault) if isinstance(fault, click.UsageError) else fault
            if ctx.meta["sokoasp.json"]:
                self._row(ctx, error)
            raise error from None
        except OSError as error:
            error.filename = error.filename or ctx.meta.get("sokoasp.output")
            raise

    def _row(self, ctx: click.Context, error: Exception) -> None:
        """Print a fault of the whole command as the JSON object that was asked for."""
        from sokoasp.cli.rows import Rows

        reported = error.format_message() if isinstance(error, click.ClickException) else str(error)
        Rows("", "json").fault(ctx.meta.get("sokoasp.file"), ctx.meta.get("sokoasp.level"), reported)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        file = cmd_name.replace("-", "_")
        command: click.Command = importlib.import_module(f"sokoasp.cli.{file}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        words = ["encodings", *args] if args[:1] == ["grade"] else args  # an older name
        name, command, rest = super().resolve_command(ctx, _as_task(_renamed(words)))
        return args[0] if name == "plan" else name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()), col_max=12)


def _told(error: click.UsageError) -> click.ClickException:
    """Return a mistake in our own words; that a group alone shows its help is none."""
    from sokoasp.cli.mistakes import Mistake

    return error if type(error).__name__ == "NoArgsIsHelpError" else Mistake(error)


_RENAMED = {
    "solve": ("--output", "--format", "lurd|push|text|json"),
    "improve": ("--output", "--format", "lurd|push|text|json"),
    "translate": ("--to", "--format", ".*"),
    "export": ("--to", "--format", ".*"),
    "grade": ("--suite", "--levels", ".*"),
}
"""Older spellings of options, by the command whose they are, and their values: they are read and not shown."""


def _renamed(words: list[str]) -> list[str]:
    """Return the words of a command with older spellings of its options written as they are now."""
    name = words[1] if words[:1] in (["bench"], ["encodings"]) and words[1:] else "".join(words[:1])
    if name not in _RENAMED:
        return words
    old, new, values = _RENAMED[name]
    pairs = pairwise([*words, ""])
    named = re.compile(f"{old}[= ]({values})")
    return [
        new + word.removeprefix(old) if named.fullmatch(f"{word} {after}" if word == old else word) else word
        for word, after in pairs
    ]


def _as_task(words: list[str]) -> list[str]:
    """Return ``plan DOMAIN PROBLEM ...`` for ``solve PROBLEM.pddl ...``: the domain stands in the same file or beside it."""
    options = ("-o", "--output", "--plan")
    files = [word for before, word in pairwise(words) if word.endswith(".pddl") and before not in options]
    if words[:1] != ["solve"] or len(files) != 1:
        return words
    if re.search(r"--format[ =](lurd|push|text|json)(?!\S)", " ".join(words)):
        raise click.UsageError("the plan of a PDDL task has the task's own notation: leave --format out")
    problem = Path(files[0])
    if not problem.is_file():
        raise click.UsageError(f"there is no file {problem}")
    begins = r"^[^;\n]*\(\s*define\s*\(\s*domain\s"
    if re.search(begins, problem.read_text("utf-8", "replace"), re.IGNORECASE | re.MULTILINE):
        return ["plan", str(problem), *words[1:]]
    places = (problem.with_name("domain.pddl"), problem.with_name(f"{problem.stem}-domain.pddl"))
    domain = next((place for place in places if place.is_file()), None)
    if domain is None:
        raise click.UsageError(f"no domain.pddl beside {problem}: give both files, sokoasp plan DOMAIN {problem}")
    return ["plan", str(domain), *words[1:]]


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="sokoasp")
def root() -> None:
    """Sokoban and Klotski by answer set programming: level files in, proved and verified plans out."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and leave the process with the contract's exit code."""
    sys.unraisablehook = _swallowed
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller; click 8.1 would write to nothing
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    _leave(run(arguments))


def _swallowed(lost: sys.UnraisableHookArgs) -> None:
    """Send Ctrl-C again that came while an object was thrown away, where Python drops it (a limit strikes again by itself)."""
    import threading

    from sokoasp.core.guard import cause

    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
    elif cause(lost.exc_value) == "interrupt":
        # in here it would be dropped, too; SIGTERM is the same, and never ignored
        threading.Timer(AGAIN, os.kill, (os.getpid(), signal.SIGTERM)).start()


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return the contract's exit code."""
    _end_by_signals()
    try:
        code = root.main(args=arguments, prog_name="sokoasp", standalone_mode=False)
    except click.exceptions.Exit as leave:
        code = leave.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except SokoaspError as error:
        click.echo(f"error: {error}", err=True)
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        code = 130
    except _ReaderGone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        click.echo(f"error: {error.filename or 'system'}: {error.strerror or error}", err=True)
        code = 1
    except Exception as error:
        if os.environ.get("SOKOASP_DEBUG"):
            raise
        # Python 3.11 puts an error of its own around Ctrl-C that comes while a class is made
        stopped = isinstance(error.__cause__, KeyboardInterrupt)
        fault = f"internal error: {type(error).__name__}: {error} (SOKOASP_DEBUG=1 shows where)"
        click.echo("interrupted" if stopped else fault, err=True)
        code = 130 if stopped else 1
    return code if isinstance(code, int) else 0


def _end_by_signals() -> None:
    """Take TERM, a closed terminal (HUP) and the end of the CPU time (XCPU, ``ulimit -t``) as Ctrl-C: bound and plan are printed.

    ``ulimit -t`` sets the hard limit too, at which the system kills without a word: the soft one moves a second before it.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if not hasattr(signal, "SIGXCPU"):
        return
    import resource

    for number in (signal.SIGHUP, signal.SIGXCPU):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup leaves HUP
            signal.signal(number, _end_once)
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard != resource.RLIM_INFINITY and hard > 1 and not 0 <= soft < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (hard - 1, hard))


def _end_once(number: int, frame: FrameType | None) -> NoReturn:
    """Interrupt once: the system repeats XCPU every second."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _leave(code: int) -> NoReturn:
    """Flush and leave at once, without taking the interpreter down.

    Threads of libraries end the process by a signal when they come back to an interpreter that is half gone, Python ends
    itself by SIGINT when any exec (an import's, say) has met Ctrl-C on its way here, and a grounding thread that a limit has
    abandoned would be waited for. What is to be done at the end is done, but for that thread.
    """
    import threading

    if session := sys.modules.get("sokoasp.asp.session"):
        atexit.unregister(session.end_after)
    if code == 130 or threading.active_count() == 1:
        atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    os._exit(code)
