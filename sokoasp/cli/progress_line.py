"""``--progress``: what a run is doing, on stderr: a live line on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from sokoasp.core.limits import Limits
    from sokoasp.core.progress import Moment, ProgressBoard

_F = TypeVar("_F", bound=Callable[..., Any])
_BEAT = 1.0
"""Seconds between two looks at a run that no terminal shows."""
FIRST_LINE = 10.0
"""Seconds until such a run says its first line; each next line comes after twice as long."""


def progress_option(function: _F) -> _F:
    """Add --progress, which the command gets as ``progress``."""
    kinds = click.Choice(["auto", "none"])
    text = "What goes on, on stderr; auto: a live line on a terminal, elsewhere a line after 10, 20, 40 s ..."
    return click.option("--progress", type=kinds, default="auto", show_default=True, help=text)(function)


@contextmanager
def shown(kind: str, name: str, limits: Limits) -> Iterator[None]:
    """Show what goes on in the body of a ``with``.

    Args:
        kind: ``auto`` or ``none``.
        name: What the lines begin with, such as ``file:level``.
        limits: Those of the run.
    """
    from sokoasp.core import kernels
    from sokoasp.core.progress import beside, watched

    if kind == "none":
        kernels.reporters.clear()
    if kind == "none" or sys.stderr is None:
        yield
        return
    with watched() as board:
        if sys.stderr.isatty():
            from rich.console import Console

            with Console(stderr=True).status(_Line(board, name)):
                yield
        else:
            advice = "" if limits.seconds is not None else "; --time-limit S ends it with the best so far"
            with beside(partial(_now_and_then, board, name, advice)):
                yield


def _now_and_then(board: ProgressBoard, name: str, advice: str, ended: threading.Event) -> None:
    """Write a line after ``FIRST_LINE`` seconds, then each time the run has lasted twice as long."""
    due = FIRST_LINE
    while not ended.wait(_BEAT):
        moment = board.now()
        if moment.seconds >= due:
            _write(f"{name}: {sentence(moment)}{advice}")
            due, advice = 2 * due, ""


def _write(line: str) -> None:
    with suppress(OSError, ValueError):  # nobody reads it any more: the run goes on
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


def sentence(moment: Moment) -> str:
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

    def __init__(self, board: ProgressBoard, name: str) -> None:
        self.board, self.name = board, name

    def __rich__(self) -> Any:
        from rich.text import Text

        return Text(f"{self.name}: {sentence(self.board.now())}")
