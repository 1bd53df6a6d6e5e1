"""What tests have child processes do (``core.crew``): functions that can be imported without pytest."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

from sokoasp.core.child import Parent


class Unreadable:
    """Pickled here, it cannot be read anywhere."""

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return int, ("no number",)


def sleep(_question: object, _parent: Parent) -> None:
    """Say nothing for a long time."""
    time.sleep(600)


def echo(question: object, parent: Parent) -> None:
    """Tell the question, then everything that is told, until that is None."""
    print("this is no message")
    parent.follow()
    parent.send(question)
    while True:
        for message in parent.news():
            if message is None:
                return
            parent.send(message)
        time.sleep(0.01)


def masks(_question: object, parent: Parent) -> None:
    """Return which signals are put off, and whether Ctrl-C is heard."""
    parent.send((signal.pthread_sigmask(signal.SIG_BLOCK, ()), signal.getsignal(signal.SIGINT) is signal.SIG_IGN))


def unreadable(_question: object, parent: Parent) -> None:
    """Tell something that cannot be read."""
    parent.send(1)
    parent.send(Unreadable())
    time.sleep(600)


def fail(_question: object, _parent: Parent) -> None:
    """Raise something."""
    raise ValueError("no good")


def hand_in(seconds: float, parent: Parent) -> None:
    """Hand in something when asked to end, after so many seconds."""
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
