"""The portfolio: ASP and the native search in two processes, the first proof wins, both certificates count."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from sokoasp import sat
from sokoasp.core import jit, jit_cache, progress
from sokoasp.core.bounds import DECIDED, joined
from sokoasp.core.child import Parent
from sokoasp.core.crew import Crew, Ended
from sokoasp.core.errors import SokoaspError
from sokoasp.core.guard import LimitReached, guarded, undisturbed
from sokoasp.core.limits import Limits
from sokoasp.core.result import STOPPED, Result, Status
from sokoasp.domain import Domain, P, Problem, domain_of
from sokoasp.engine.by_asp import by_asp
from sokoasp.engine.by_sat import by_sat
from sokoasp.engine.interruption import ended_by, told_by
from sokoasp.engine.task import Task

_TOLD = 0.5
"""Seconds between two words of a runner on its progress."""
_GRACE, _LATE = 3.0, 0.7
"""Seconds a runner gets to hand in what it has once it is told to stop, and when the time limit has passed."""


def race(domain: Domain[P, Any], problem: P, task: Task) -> Result:
    """Run both engines side by side until one decides, a limit stops both, or Ctrl-C; join what they know.

    Raises:
        SokoaspError: Both engines failed, or one proves what the other refutes.
    """
    limits = task.limits
    half = None if limits.memory_mb is None else limits.memory_mb / len(_runners_of(task))
    clock = limits.start()
    share = replace(task, limits=Limits(limits.seconds, half, limits.steps, limits.states), cross_check=False)
    stopped = None
    with Crew() as crew:
        heard = _Heard(crew)
        for engine in _runners_of(task):
            # SAT's own helper searches natively, too: that takes a thread more
            mine = replace(share, engine=engine, probes=task.probes and (engine != "sat" or task.threads > 3))
            crew.start(engine, _run, (problem, mine))
        try:
            _first(heard, clock.remaining)
        except KeyboardInterrupt:
            stopped = "interrupt"
        late = clock.over() == "time"
        with suppress(LimitReached), undisturbed():  # which would leave runners behind and lose what they hand in
            _stop(heard, _LATE if late else _GRACE)
    results = list(heard.answers.values())
    if (stopped or late) and not any(isinstance(result, Result) for result in results):
        status = Status.INTERRUPTED if stopped else Status.TIME_OUT
        nothing = Result(
            status, str(task.objective), "portfolio", lower_bound=heard.bound, stopped_by=stopped or "time"
        )
        return replace(nothing, seconds={"total": clock.elapsed})
    found = joined(str(task.objective), results, stopped)
    if late and stopped is None and found.stopped_by == "interrupt":  # a runner that was told to stop says so
        found = ended_by("time", found)
    return replace(found, seconds={**found.seconds, "total": clock.elapsed})


def _runners_of(task: Task) -> tuple[str, ...]:
    """Name the engines that run: SAT is a third one where there is a thread for it and python-sat is installed."""
    return ("asp", "native", "sat") if task.threads > 2 and sat.available() else ("asp", "native")


def _run(asked: tuple[Problem, Task], parent: Parent) -> None:
    """Solve in a process of its own and tell the result or the error; SIGTERM is taken as Ctrl-C."""
    parent.follow()
    jit.reporters[:] = [lambda sentence: parent.send(sentence.replace(jit_cache.UNCOUNTED, ""))]
    # twice, because it may strike again while the first is dealt with
    with suppress(KeyboardInterrupt), suppress(KeyboardInterrupt):
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with progress.watched() as board, _told(board, parent):
            answer = _answer(*asked)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        parent.send(answer)


@contextmanager
def _told(board: progress.ProgressBoard, parent: Parent) -> Iterator[None]:
    """Send the progress of this process now and then while the body of a ``with`` runs."""

    def notify(ended: threading.Event) -> None:
        while not ended.wait(_TOLD):
            parent.send(board.now())

    with progress.beside(notify):
        yield


class _Heard:
    """What the runners have told: bounds on the way, and the answer of each."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew
        self.bound = 0
        self.answers: dict[str, Result | SokoaspError] = {}
        self.compiling: set[str] = set()
        """The runners that had to compile first."""

    @property
    def decided(self) -> bool:
        """Whether a runner has settled the question."""
        return any(isinstance(answer, Result) and answer.status in DECIDED for answer in self.answers.values())

    def take(self, name: str, message: Any) -> None:
        """Keep the answer of a runner, or note the progress that it tells."""
        if isinstance(message, Ended):
            self.answers.setdefault(name, SokoaspError("a runner of the portfolio died"))
        elif isinstance(message, str):
            jit.report(message)
            if name not in self.compiling:
                self.compiling.add(name)
                jit.report("the other engines go on meanwhile, and the time limit holds for all")
        elif isinstance(message, progress.Moment):
            self.bound = max(self.bound, message.bound or 0)
            progress.note(stage=message.stage, bound=message.bound, plan=message.plan)
            if message.expanded:
                progress.note_other("native", message.expanded)
        else:
            assert isinstance(message, Result | SokoaspError)
            self.answers[name] = message


def _answer(problem: Problem, task: Task) -> Result | SokoaspError:
    """Return what the engine says."""
    try:
        with guarded(task.limits.start()) as guard:
            try:
                return told_by(guard, _asked(domain_of(problem), problem, task))
            except LimitReached as reached:
                return Result(STOPPED[reached.what], str(task.objective), str(task.engine), stopped_by=reached.what)
    except SokoaspError as error:
        return error


def _asked(domain: Domain[P, Any], problem: P, task: Task) -> Result:
    if task.engine == "asp":
        return by_asp(domain, problem, task, lambda step: None, lambda: None)
    if task.engine == "sat":
        return by_sat(domain, problem, task)
    return domain.native["native"](problem, str(task.objective), task.limits, task.known, None)


def _first(heard: _Heard, seconds: float | None) -> None:
    """Hear the runners until one decides, all have ended, or so many seconds have passed."""
    end = None if seconds is None else time.monotonic() + seconds
    while not heard.decided:
        reported = heard.crew.hear(None if end is None else max(0.0, end - time.monotonic()))
        if reported is None:
            return
        heard.take(*reported)


def _stop(heard: _Heard, seconds: float) -> None:
    """Interrupt the runners that are left and collect what they hand in within so many seconds."""
    for name, message in heard.crew.collect(seconds):
        heard.take(name, message)
