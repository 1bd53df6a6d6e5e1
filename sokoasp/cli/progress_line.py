"""``--progress``: what a run is doing, on stderr: a live line on a terminal, a line now and then elsewhere, or JSON lines."""

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
_LOOK = 0.2
"""Seconds between two looks at a run for JSON lines."""
_BEAT = 1.0
"""Seconds between two JSON lines when nothing is new, and between two looks where no terminal shows a run."""
FIRST_LINE = 10.0
"""Seconds until such a run says its first line; each next line comes after twice as long."""


def progress_option(function: _F) -> _F:
    """Add --progress, which the command gets as ``progress``."""
    kinds = click.Choice(["auto", "json", "none"])
    text = "What goes on, on stderr; auto: a live line on a terminal, elsewhere a line after 10, 20, 40 s ..."
    return click.option("--progress", type=kinds, default="auto", show_default=True, help=text)(function)


@contextmanager
def shown(kind: str, name: str, limits: Limits, **head: Any) -> Iterator[None]:
    """Show what goes on in the body of a ``with``.

    Args:
        kind: ``auto``, ``json`` or ``none``.
        name: What the lines begin with, such as ``file:level``.
        limits: Those of the run.
        head: What JSON lines begin with.
    """
    from sokoasp.core import kernels
    from sokoasp.core.progress import beside, watched

    if kind != "auto":
        kernels.reporters.clear()  # JSON lines say the stage, and nothing else may stand among them
    if kind == "none" or sys.stderr is None:
        yield
        return
    with watched() as board:
        if kind == "json":
            with _lines(board, head):
                yield
        elif sys.stderr.isatty():
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


@contextmanager
def _lines(board: ProgressBoard, head: dict[str, Any]) -> Iterator[None]:
    """Write a JSON line whenever stage, bound or plan is new, else every second, and one at the end."""
    from sokoasp.core.json_text import row_text
    from sokoasp.core.progress import beside

    def write() -> None:
        moment = board.now()
        row = {name: getattr(moment, name) for name in ("stage", "seconds", "bound", "plan", "gap", "expanded")}
        row["seconds"] = round(moment.seconds, 3)
        row |= {"rate": round(moment.rate), "memory_mb": round(moment.memory_mb, 1)}
        _write(row_text({**head, **row}))

    def watch(ended: threading.Event) -> None:
        said, silent = None, 0.0
        while not ended.is_set():
            news = (board.stage, board.bound, board.plan)
            if news != said or silent >= _BEAT:
                write()
                said, silent = news, 0.0
            ended.wait(_LOOK)
            silent += _LOOK

    try:
        with beside(watch):
            yield
    finally:
        write()
