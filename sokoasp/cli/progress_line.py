"""``--progress``: what a run is doing, as a line on the terminal or as JSON lines on stderr."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from sokoasp.core.progress import Moment, ProgressBoard

_F = TypeVar("_F", bound=Callable[..., Any])
_LOOK = 0.2
"""Seconds between two looks at a run for JSON lines ..."""
_BEAT = 1.0
"""... and between two lines when nothing is new."""


def progress_option(function: _F) -> _F:
    """Add --progress, which the command gets as ``progress``."""
    kinds = click.Choice(["auto", "json", "none"])
    text = "What goes on: a line on a terminal (auto), JSON lines on stderr."
    return click.option("--progress", type=kinds, default="auto", show_default=True, help=text)(function)


@contextmanager
def shown(kind: str, file: str, level: int) -> Iterator[None]:
    """Show what goes on in the body of a ``with``, one level of a file."""
    from sokoasp.core import kernels
    from sokoasp.core.progress import watched

    if kind != "auto":
        kernels.reporters.clear()  # JSON lines say the stage, and nothing else may stand among them
    terminal = sys.stderr is not None and sys.stderr.isatty()
    if kind == "none" or sys.stderr is None or (kind == "auto" and not terminal):
        yield
        return
    with watched() as board:
        if kind == "json":
            with _lines(board, {"file": file, "level": level}):
                yield
        else:
            from rich.console import Console

            with Console(stderr=True).status(_Line(board, f"{file} level {level}")):
                yield


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
        with suppress(OSError, ValueError):  # nobody reads it any more: the run goes on
            sys.stderr.write(row_text({**head, **row}) + "\n")
            sys.stderr.flush()

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
