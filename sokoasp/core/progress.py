"""What a run is doing just now: engines note it on a board, fronts read the board as often as they like.

Nothing is called back and nothing waits: a note is a few assignments, and none at all when nobody watches.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sokoasp.core.limits import resident_mb

reporters: list[Callable[[str], None]] = []
"""Called with a sentence now and then while kernels compile: the command line puts its own here."""
RECENT = 2.0
"""Seconds over which the rate of expansions is taken."""


class Moment(NamedTuple):
    """A run at one moment."""

    stage: str
    seconds: float
    """Wall time since the run began, compilation included."""
    bound: int | None
    """Proved lower bound, in the objective's unit."""
    plan: int | None
    """Cost of the best plan so far."""
    expanded: int
    """States expanded by native searches, those of other processes included."""
    rate: float
    """Expansions a second, lately."""
    memory_mb: float
    """Resident memory of this process."""

    @property
    def gap(self) -> int | None:
        """Return how far the best plan is from the bound."""
        return None if self.plan is None or self.bound is None else self.plan - self.bound


@dataclass(slots=True, eq=False, repr=False)
class ProgressBoard:
    """The board of one run."""

    began: float
    stage: str = "preparing"
    bound: int | None = None
    plan: int | None = None
    best: Any = None
    """The plan itself, where its finder has handed it in."""
    own: int = 0
    """States expanded in this process."""
    others: dict[str, int] = field(default_factory=dict)
    """States expanded in other processes, by their names."""
    _marks: list[tuple[float, int]] = field(default_factory=list)

    @property
    def expanded(self) -> int:
        """Return the states expanded in all processes."""
        return self.own + sum(self.others.values())

    def now(self) -> Moment:
        """Read the board."""
        at, count = time.perf_counter(), self.expanded
        self._marks = [mark for mark in self._marks if at - mark[0] <= RECENT] + [(at, count)]
        since, before = self._marks[0]
        rate = (count - before) / (at - since) if at > since else 0.0
        return Moment(self.stage, at - self.began, self.bound, self.plan, count, rate, resident_mb())


def report(sentence: str) -> None:
    """Call the reporters."""
    for reporter in reporters:
        reporter(sentence)


_board: ContextVar[ProgressBoard | None] = ContextVar("progress", default=None)


@contextmanager
def watched() -> Iterator[ProgressBoard]:
    """Have all that runs in the body of a ``with`` note its progress on a new board."""
    board = ProgressBoard(time.perf_counter())
    token = _board.set(board)
    try:
        yield board
    finally:
        _board.reset(token)


@contextmanager
def beside(watch: Callable[[threading.Event], None]) -> Iterator[None]:
    """Run a watcher in a thread of its own while the body of a ``with`` goes on; it ends when the event that it gets is set."""
    ended = threading.Event()
    thread = threading.Thread(target=watch, args=(ended,), name="sokoasp-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def unwatched(stage: str) -> Iterator[None]:
    """Let what runs here note nothing but its stage: it asks another question than the run."""
    with at(stage):
        token = _board.set(None)
        try:
            yield
        finally:
            _board.reset(token)


@contextmanager
def at(stage: str) -> Iterator[None]:
    """Name the stage of the run while the body of a ``with`` goes on."""
    board = _board.get()
    if board is None:
        yield
        return
    before, board.stage = board.stage, stage
    try:
        yield
    finally:
        board.stage = before


def note(
    *, stage: str | None = None, bound: int | None = None, plan: int | None = None, best: Any = None, expanded: int = 0
) -> None:
    """Note what is new; a bound only rises and a plan only gets cheaper.

    Args:
        stage: What is done from now on.
        bound: A proved lower bound.
        plan: Cost of a plan.
        best: That plan.
        expanded: States expanded since the last note.
    """
    board = _board.get()
    if board is None:
        return
    if stage is not None:
        board.stage = stage
    if bound is not None and (board.bound is None or bound > board.bound):
        board.bound = bound
    if plan is not None and (board.plan is None or plan < board.plan):
        board.plan, board.best = plan, best
    board.own += expanded


def note_other(name: str, expanded: int) -> None:
    """Note how many states another process has expanded in all."""
    board = _board.get()
    if board is not None:
        board.others[name] = expanded
