"""Options, and kinds of their values, that several commands have."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sokoasp.cli import complete

if TYPE_CHECKING:
    from sokoasp.domain import Domain

_F = TypeVar("_F", bound=Callable[..., Any])


class Number(click.FloatRange):
    """A number in a range; the one that is none (``nan``) is refused too."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a number."""
        number: float = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is no number.", param, ctx)
        return number


POSITIVE = Number(min=0, min_open=True)
STEPS = click.IntRange(1, 100_000)
IN_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
IN_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
OUT_FILE = click.Path(dir_okay=False, path_type=Path)
OUT_FOLDER = click.Path(file_okay=False, path_type=Path)


def json_option(function: _F) -> _F:
    """Add --json."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON object per level on stdout.")(function)


def objective_option(function: _F) -> _F:
    """Add --objective."""
    text = "lines, pushes or moves (Klotski: slides or units); default: lines or slides."
    return click.option("--objective", shell_complete=complete.objectives, help=text)(function)


def objective_of(domain: Domain[Any, Any], objective: str | None) -> str:
    """Return the objective asked for, else the game's first.

    Raises:
        click.BadParameter: The game does not count it.
    """
    if objective not in (None, *domain.objectives):
        raise click.BadParameter(f"{domain.name} counts {', '.join(domain.objectives)}", param_hint="--objective")
    return objective or domain.objectives[0]


def plan_option(function: _F) -> _F:
    """Add --output, the notation of a plan."""
    kinds = click.Choice(["lurd", "push", "text", "json"])
    return click.option("--output", type=kinds, default="text", show_default=True)(function)


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
            from sokoasp.core.limits import Limits

            return function(*args, limits=Limits(seconds=time_limit, memory_mb=memory_limit), **options)

        memory = click.option("--memory-limit", type=POSITIVE, metavar="MB", help="Resident memory.")
        return time_option(text, default, kind)(memory(command))

    return add


def suite_argument(function: _F) -> _F:
    """Add SUITE."""
    return click.argument("suite", shell_complete=complete.suites)(function)


def instances_option(function: _F) -> _F:
    """Add --instances."""
    return click.option(
        "--instances", type=IN_FOLDER, help="Folder of your own instances, for suites that ask for one."
    )(function)


def measure_option(function: _F) -> _F:
    """Add --measure."""
    text = "Seconds of the run's process by the clock, on the processor, or what the system itself reports."
    kinds = click.Choice(["wall", "cpu", "total"])
    return click.option("--measure", type=kinds, default="wall", show_default=True, help=text)(function)
