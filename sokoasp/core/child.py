"""The end of a child process (``core.child_processes``): one question, messages both ways, an end with its parent.

``python -m sokoasp.core.child PARENT NAME`` reads a function and a question from its standard input and calls the function
with the question and its ``Parent``, whose process id it gets; the name is for lists of processes. Ctrl-C is the parent's
business. Whatever else is printed goes to standard error, so that nothing but messages reaches the pipe.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import signal
import sys
import threading
import traceback
from typing import IO, Any

_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
"""Loaded beforehand: between a fork and what follows it nothing is imported."""
_DEATH_SIGNAL = 1


class Parent:
    """Who has started this process."""

    def __init__(self, source: IO[bytes], sink: IO[bytes]) -> None:
        self._source, self._sink = source, sink
        self._lock = threading.Lock()

    def send(self, message: object) -> None:
        """Send a message, from any thread; if nobody is there to hear it the process ends."""
        data = pickle.dumps(message)
        try:
            with self._lock:
                self._sink.write(data)
                self._sink.flush()
        except OSError:
            os._exit(1)

    def follow(self) -> None:
        """From now on end as soon as the parent does, on every system; it says no more after its question.

        It takes a thread, whose memory counts: a process that limits its own address space does without, and ends with its
        parent on Linux only.
        """
        threading.Thread(target=self._listen, name="sokoasp-parent", daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._source.read()
        os._exit(1)

    @property
    def files(self) -> tuple[int, int]:
        """Return the descriptors of both pipes: of what the parent says, which hangs up when it ends, and of what it hears."""
        return self._source.fileno(), self._sink.fileno()

    def ask(self) -> Any:
        """Wait for the parent's next message, for a process that must have no threads. Raises EOFError: it has gone."""
        return pickle.load(self._source)


def die_with_parent() -> None:
    """Have the system end this process when its parent ends (Linux; elsewhere see ``Parent.follow``)."""
    if _LIBC is not None:
        _LIBC.prctl(_DEATH_SIGNAL, signal.SIGKILL)


def _dropped(lost: sys.UnraisableHookArgs) -> None:
    """Say nothing of an interrupt that came where Python drops it: the parent ends whoever does not end."""
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


def main() -> None:
    """Answer one question."""
    die_with_parent()
    if _LIBC is not None and os.getppid() != int(sys.argv[1]):  # it was too late for that
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.unraisablehook = _dropped
    if hasattr(signal, "pthread_sigmask"):  # the parent starts its children with signals put off
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGUSR2})
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    code = 1
    try:
        work, question = pickle.load(source)
        work(question, Parent(source, sink))
        code = 0
    except EOFError:
        pass  # the parent has gone before it could ask
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # a thread may hold the lock of stdin, and an orderly shutdown would abort over that


if __name__ == "__main__":
    main()
