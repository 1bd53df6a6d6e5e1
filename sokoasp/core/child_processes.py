"""Child processes by name: start them, exchange messages with them, end them.

A child is a fresh Python that calls one function of ours (``core.child``), so that nothing of the caller's main module runs
again. Messages are pickles over its standard input and output; a thread for each child reads them, so that no child waits for
its reader. Ctrl-C reaches the parent alone, and no child outlives its parent or the ``with`` it was started in.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from sokoasp.core.child import Parent
from sokoasp.core.limits import Clock

Q = TypeVar("Q")
LOOK = 0.1
"""Seconds between two looks at what is not a message: Ctrl-C, the clock."""


ENDED_BY_LIMIT = tuple(-getattr(signal, name) for name in ("SIGXCPU", "SIGKILL") if hasattr(signal, name))
"""Exit codes of a child that the system, or we, ended at a limit; none where there are no such signals (Windows)."""


@dataclass(frozen=True, slots=True)
class Ended:
    """That a child has ended: its exit code, negative for the signal that ended it."""

    code: int


class ChildProcesses:
    """The parent's end; use it as a context manager, which ends all children.

    ``take`` gets every message that is heard, with the name of the child. ``watch`` is asked now and then while children are
    waited for; a reason that it returns ends the wait, as a limit does.
    """

    def __init__(
        self,
        take: Callable[[str, Any], None] = lambda name, message: None,
        watch: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.take, self.watch = take, watch
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._inbox: queue.SimpleQueue[tuple[subprocess.Popen[bytes], str, Any]] = queue.SimpleQueue()

    def __enter__(self) -> Self:
        """Return the children."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End all children."""
        self.end()

    def __contains__(self, name: str) -> bool:
        """Return whether a child of that name has not ended, as far as is known."""
        return name in self._running

    def pid(self, name: str) -> int | None:
        """Return the process id of a child, None if there is none of that name."""
        process = self._running.get(name)
        return None if process is None else process.pid

    def start(
        self,
        name: str,
        work: Callable[[Q, Parent], None],
        question: Q,
        *,
        environment: Mapping[str, str] | None = None,
        quiet: bool = False,
    ) -> None:
        """Start a child that calls a function of a module with a question.

        Args:
            name: What it is called from now on; no running child has this name.
            work: A function that can be imported (one of ``__main__`` cannot).
            question: Anything that can be pickled.
            environment: What is added to its environment.
            quiet: Whether its standard error is dropped, unless SOKOASP_DEBUG is set.
        """
        called = f"{work.__module__}.{work.__qualname__}"
        # Ctrl-C, or a limit that strikes by a signal, would leave a child with half of its orders
        with put_off("SIGINT", "SIGUSR2"):
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "sokoasp.core.child", str(os.getpid()), called],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if quiet and not os.environ.get("SOKOASP_DEBUG") else None,
                env={**os.environ, **(environment or {}), "PYTHONPATH": _search_path()},
                start_new_session=True,  # Ctrl-C goes to the parent alone
            )
            self._running[name] = process
            reader = threading.Thread(
                target=self._read, args=(process, name), name=f"sokoasp-child {name}", daemon=True
            )
            reader.start()
        self.send(name, (work, question))

    def send(self, name: str, message: object) -> None:
        """Send a message to a child; nothing happens if it has ended."""
        process = self._running.get(name)
        if process is not None and process.stdin is not None:
            with contextlib.suppress(OSError):
                pickle.dump(message, process.stdin)
                process.stdin.flush()

    def receive(self, seconds: float | None = None) -> tuple[str, Any] | None:
        """Return the next message with the name of who sent it, None after ``seconds`` without one or when all have ended.

        The last message of a child is ``Ended``; a stopped child sends nothing more.
        """
        end = None if seconds is None else time.monotonic() + seconds
        while self._running:
            left = LOOK if end is None else min(LOOK, end - time.monotonic())
            try:
                process, name, message = self._inbox.get(timeout=max(0.0, left))
            except queue.Empty:
                if end is not None and time.monotonic() >= end:
                    return None
                continue
            if self._running.get(name) is not process:
                continue
            if isinstance(message, Ended):
                process.wait()
                return name, Ended(self.stop(name) or 0)
            return name, message
        return None

    def hear(self, seconds: float = 0.0) -> None:
        """Take in what has come; wait for a first message for ``seconds`` at most."""
        while (received := self.receive(seconds)) is not None:
            self.take(*received)
            seconds = 0.0

    def wait(self, clock: Clock, closed: Callable[[], bool] = lambda: False) -> str | None:
        """Hear the children until all is ``closed``.

        Returns:
            What has ended the wait: the word of the watch, a limit, ``steps`` if all children have ended; None if it is closed.
        """
        while not closed():
            if not self._running:
                return "steps"
            left = clock.remaining
            try:
                self.hear(LOOK if left is None else min(LOOK, left))
            finally:  # Ctrl-C loses nothing that has come
                self.hear()
            if stopped := self.watch() or clock.over():
                return stopped
        return None

    def collect(self, seconds: float) -> Iterator[tuple[str, Any]]:
        """Ask all children to end (SIGTERM), yield what they hand in within ``seconds``, and kill those that are left."""
        for process in self._running.values():
            process.terminate()
        end = time.monotonic() + seconds
        while (received := self.receive(max(0.0, end - time.monotonic()))) is not None:
            yield received
        self.end()

    def end(self) -> None:
        """Kill all children."""
        for name in list(self._running):
            self.stop(name)

    def stop(self, name: str) -> int | None:
        """Kill a child and wait until it is gone; return its exit code, None if there is none of that name."""
        process = self._running.pop(name, None)
        if process is None:
            return None
        process.kill()
        code = process.wait()
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        return code

    def _read(self, process: subprocess.Popen[bytes], name: str) -> None:
        """Put everything a child says into the inbox until it says no more; one that cannot be understood is ended."""
        assert process.stdout is not None
        with process.stdout as pipe:
            try:
                while True:
                    self._inbox.put((process, name, pickle.load(pipe)))
            except EOFError:
                pass
            except Exception:
                process.kill()
        self._inbox.put((process, name, Ended(0)))


def _search_path() -> str:
    """Return where a child looks for modules: as its parent, but not in the current folder, unless the package is there."""
    entries = [entry for entry in sys.path if Path(entry).is_absolute()]
    with contextlib.suppress(OSError):  # a folder that is gone has no modules
        here, ours = Path.cwd(), Path(__file__).parents[2]
        entries = [entry for entry in entries if Path(entry) != here or here == ours]
    return os.pathsep.join(entries)


@contextmanager
def put_off(*names: str) -> Iterator[None]:
    """Block signals in this thread and in what it starts meanwhile, where the system can; they come when it is over."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.Signals[name] for name in names})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
