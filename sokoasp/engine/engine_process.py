"""An engine in a process of its own: it gets a task, reports its progress and its plans, and hands its result in last."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from sokoasp.core import bounds, guard, limits, progress
from sokoasp.core.child import Parent
from sokoasp.core.child_processes import ChildProcesses, Ended
from sokoasp.core.errors import SokoaspError
from sokoasp.core.result import STOPPED, Result
from sokoasp.domain import Game, Problem, domain_of
from sokoasp.engine.task import Task

_BETWEEN = 0.5
"""Seconds between two reports."""


Engine = Callable[[Game, Any, Task], Result]
"""A function of a module: it goes to another process by its name."""


@dataclass(frozen=True, slots=True)
class Report:
    """How far an engine is."""

    moment: progress.Moment
    plan: Any = None
    """The engine's best plan, where that has not been reported yet."""
    compiling: bool = False


def natively(domain: Game, problem: Problem, task: Task) -> Result:
    """Ask a native engine of the game."""
    return domain.search.native[str(task.engine)](problem, str(task.objective), task.limits, task.known)


def start(
    children: ChildProcesses, name: str, problem: Problem, task: Task, ask: Engine = natively, *, quiet: bool = False
) -> None:
    """Start an engine as a child of its name; it sends reports, sentences on compiling, then a result or an error."""
    children.start(name, _run, (problem, replace(task, engine=name, cross_check=False), ask), quiet=quiet)


class Engines(ChildProcesses):
    """Engines in processes of their own: bounds and plans on the way, and the answer of each.

    All clocks stand still while one of them compiles. An engine that were ended at the limit of each level would never be done.
    """

    def __init__(self, known: bounds.Bounds, answers: dict[str, Result | SokoaspError]) -> None:
        super().__init__(self._take)
        self.known, self.answers = known, answers
        self.compiling: dict[str, bool] = {}
        """Those that had to compile, and whether they are at it."""
        self._pause = ExitStack()
        self.begun = False
        """Whether one of them has searched, as far as it has told."""

    def _take(self, name: str, message: Any) -> None:
        """Keep the answer of an engine, or what it reports on the way."""
        if isinstance(message, Ended):
            self.answers.setdefault(name, SokoaspError("a member of the portfolio died"))
        elif isinstance(message, str):
            progress.report(message)
            if name not in self.compiling:
                self.compiling[name] = False
                progress.report("the other engines go on meanwhile")
        elif isinstance(message, Report):
            self.known.raise_lower(message.moment.bound or 0, name)
            if message.plan is not None:
                self.known.offer(message.plan, name)
            if message.moment.expanded:
                self.begun = True
                progress.note_other(name, message.moment.expanded)
            self._note_compiling(name, message.compiling)
        else:
            assert isinstance(message, Result | SokoaspError)
            self.answers[name] = message
            self.begun |= isinstance(message, Result) and (message.plan is not None or message.stopped_by is None)

    def _note_compiling(self, name: str, now: bool) -> None:
        """Stop the clocks when the first begins to compile, and let them go on when the last has ended."""
        if now or name in self.compiling:
            self.compiling[name] = now
        if not any(self.compiling.values()):
            self._pause.close()
        elif not limits.paused():
            self._pause.enter_context(limits.not_counted())

    def stop(self, name: str) -> int | None:
        """Kill a child, if it runs, and return its exit code."""
        self._note_compiling(name, False)
        return super().stop(name)


def _run(asked: tuple[Problem, Task, Engine], parent: Parent) -> None:
    """Solve and send the result or the error; SIGTERM is taken as Ctrl-C."""
    parent.follow()
    progress.reporters[:] = [parent.send]
    import numpy  # noqa: F401  here SIGTERM ends the process; an interrupt of this import would come out as a fault of it

    # twice, because it may strike again while the first is dealt with
    with suppress(KeyboardInterrupt), suppress(KeyboardInterrupt):
        signal.signal(signal.SIGTERM, _asked_to_end)
        with progress.watched() as board, _reported(board, parent):
            answer = _answer(*asked)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        parent.send(answer)


def _asked_to_end(number: int, frame: Any) -> None:
    """End as by Ctrl-C; at once while numba compiles, which would print what it was at."""
    if limits.paused():
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
    signal.default_int_handler(number, frame)


@contextmanager
def _reported(board: progress.ProgressBoard, parent: Parent) -> Iterator[None]:
    """Send the progress of this process now and then while the body of a ``with`` runs."""

    def report(ended: threading.Event) -> None:
        sent = None
        while not ended.wait(_BETWEEN):
            plan, now = board.best, board.now()
            parent.send(Report(now, None if plan is sent else plan, now.stage == "compiling"))
            sent = plan

    with progress.beside(report):
        yield


def _answer(problem: Problem, task: Task, ask: Engine) -> Result | SokoaspError:
    """Return what the engine says."""
    try:
        with guard.guarded(task.limits.start()) as watched:
            try:
                return bounds.limit_named(watched.fired, ask(domain_of(problem), problem, task))
            except guard.LimitReached as reached:
                return Result(STOPPED[reached.what], str(task.objective), str(task.engine), stopped_by=reached.what)
    except SokoaspError as error:
        return error
