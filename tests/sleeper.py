"""What tests have child processes do (``core.child_processes``): functions that can be imported without pytest."""

import signal
import time
from collections.abc import Callable

from sokoasp.core.child import Parent
from sokoasp.core.result import Result, Status
from sokoasp.engine.task import Task


class Unreadable:
    """Pickled here, it cannot be read anywhere."""

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return int, ("no number",)


def sleep(_question: object, _parent: Parent) -> None:
    """Say nothing for a long time."""
    time.sleep(600)


class Interrupting:
    """Thrown away, it is interrupted where Python drops the interrupt."""

    def __del__(self) -> None:
        raise KeyboardInterrupt


def drop(_question: object, parent: Parent) -> None:
    """Throw such an object away."""
    Interrupting()
    parent.send("done")


def loading(_domain: object, _problem: object, _task: Task) -> Result:
    """Stand for an engine that does not come to search."""
    time.sleep(600)
    raise AssertionError


def undecided(
    _domain: object, _problem: object, task: Task, _on_step: object, watch: Callable[[], str | None]
) -> Result:
    """Stand for an ASP engine that only ends when it is stopped."""
    clock = task.limits.start()
    while (word := watch()) is None and (word := clock.over()) is None:
        time.sleep(0.01)
    return Result(Status.TIME_OUT, str(task.objective), "asp", lower_bound=1, stopped_by=word)


def report_and_sleep(plan: object, parent: Parent) -> None:
    """Report a plan as an engine does, then say nothing for a long time."""
    from sokoasp.core.progress import Moment
    from sokoasp.engine.engine_process import Report

    parent.send(Report(Moment("searching", 0.0, None, None, 0, 0.0, 0.0), plan))
    time.sleep(600)


def compile_and_answer(answer: Result, parent: Parent) -> None:
    """Compile beyond the limit, then answer as an engine whose clock stood still meanwhile."""
    from sokoasp.core.progress import Moment
    from sokoasp.engine.engine_process import Report

    parent.send(Report(Moment("compiling", 0.0, None, None, 0, 0.0, 0.0), compiling=True))
    time.sleep(4)
    parent.send(answer)


def echo(question: object, parent: Parent) -> None:
    """Send back the question, then every message, until one is None."""
    print("this is no message", flush=True)
    while question is not None:
        parent.send(question)
        question = parent.ask()


def masks(_question: object, parent: Parent) -> None:
    """Return which signals are put off, and whether Ctrl-C is heard."""
    parent.send((signal.pthread_sigmask(signal.SIG_BLOCK, ()), signal.getsignal(signal.SIGINT) is signal.SIG_IGN))


def unreadable(_question: object, parent: Parent) -> None:
    """Send something that cannot be read."""
    parent.send(1)
    parent.send(Unreadable())
    time.sleep(600)


def fail(_question: object, _parent: Parent) -> None:
    """Raise something."""
    raise ValueError("no good")


def hand_in(seconds: float, parent: Parent) -> None:
    """Hand in something when asked to end, after ``seconds``."""
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        parent.send("ready")
        time.sleep(600)
    except KeyboardInterrupt:
        time.sleep(seconds)
        parent.send("handed in")


def slow_follower(_question: object, parent: Parent) -> None:
    """Hear the parent, with the system's own help against orphans taken away, and do nothing else."""
    from sokoasp.core import child

    if child._LIBC is not None:
        child._LIBC.prctl(child._DEATH_SIGNAL, 0)
    parent.follow()
    parent.send("ready")
    time.sleep(600)
