"""Limits for whole pieces of work, preparation included: what does not look at its clock is interrupted from outside.

A thread watches the clock and the memory while the work runs in the main thread. When a limit is passed it interrupts the main
thread as Ctrl-C would, so that everything that keeps its best bound on Ctrl-C keeps it here too. Work in another thread, where no
signal arrives, has only the limits that it looks at itself.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from types import FrameType

from sokoasp.core.limits import Clock, paused, resident_mb

GRACE = 0.25
"""Seconds beyond its limit that work gets to stop by itself, with all it has found."""
_MEMORY_GRACE = 1.03
_TICK = 0.05
_AGAIN = 1.0
"""Seconds after which work that has swallowed the interrupt is interrupted once more."""
_PATIENCE = 4
"""Times that code of other packages is left alone: a callback of the garbage collector would swallow the interrupt."""
_LEFT_ALONE = ("weakref", "_weakrefset", "contextlib", __name__)
"""Modules of Python whose callbacks the garbage collector calls, too, and what ends a guard: work that is done stays done."""
_SIGNAL = getattr(signal, "SIGUSR2", None)


class LimitReached(KeyboardInterrupt):
    """Interrupt of work that has passed its limit; ``what`` is ``"time"`` or ``"memory"``."""

    def __init__(self, what: str | LimitReached) -> None:
        # clingo raises what a callback has raised once more, by calling its class with it
        self.what: str = what.what if isinstance(what, LimitReached) else what
        super().__init__(f"{self.what} limit")


def cause(ended: KeyboardInterrupt) -> str:
    """Return what an interrupt stands for: the limit that was passed, or ``"interrupt"``."""
    return ended.what if isinstance(ended, LimitReached) else "interrupt"


@dataclass(slots=True, eq=False, repr=False)
class Guard:
    """A watch over running work."""

    clock: Clock
    fired: str | None = None
    """``"time"`` or ``"memory"`` once that limit has been passed and the work interrupted."""
    armed: bool = True
    imports: int = 0
    """Imports that were going on when the work began."""
    left_alone: int = 0
    """How often the interrupt came within code of another package and was put off."""
    struck: float | None = None
    """When the work was last interrupted, by ``time.monotonic``."""


_guards: list[Guard] = []
_put_off: list[bool] = []
"""One entry for each call that must not be disturbed."""


@contextmanager
def guarded(clock: Clock) -> Iterator[Guard]:
    """Run the body of a ``with`` under the limits of a clock.

    Raises LimitReached: a limit was passed and the body did not deal with the interrupt.
    """
    guard = Guard(clock, imports=_imports(sys._getframe()))
    limits = clock.limits
    watchable = _SIGNAL is not None and threading.current_thread() is threading.main_thread()
    if not watchable or (limits.seconds is None and limits.memory_mb is None):
        yield guard
        return
    ended = threading.Event()
    before = signal.signal(_SIGNAL, _raise)  # type: ignore[arg-type]
    watcher = threading.Thread(target=_watch, args=(guard, ended), name="sokoasp-limits", daemon=True)
    _guards.append(guard)
    watcher.start()
    try:
        try:
            yield guard
        finally:
            guard.armed = False
    finally:  # an interrupt that comes at the very last moment still leaves everything as it was
        guard.armed = False
        ended.set()
        _guards.remove(guard)
        watcher.join()
        signal.signal(_SIGNAL, before if before is not None else signal.SIG_DFL)  # type: ignore[arg-type]


def fits(megabytes: float) -> bool:
    """Return whether this much memory may be taken at once under the limits this process is watched by."""
    return all(_fits(guard, megabytes) for guard in _guards)


def _fits(guard: Guard, megabytes: float) -> bool:
    limit = guard.clock.limits.memory_mb
    return limit is None or resident_mb() + megabytes <= limit


def need(megabytes: float, most: float = inf) -> None:
    """Say that this much memory will be taken at once; more than ``most`` is never worth it, whatever the limits.

    Raises:
        LimitReached: Together with what this process holds that is more than the limit it runs under, or more than ``most``.
    """
    over = [guard for guard in _guards if megabytes > most or not _fits(guard, megabytes)]
    for guard in over:
        guard.fired = "memory"
    if over or megabytes > most:
        raise LimitReached("memory")


@contextmanager
def undisturbed() -> Iterator[None]:
    """Put limits off until the body has ended: for a short call into C that calls Python back and cannot pass on its faults."""
    _put_off.append(True)
    try:
        yield
    finally:
        _put_off.pop()
    _raise()


def done() -> None:
    """Say that the work has stopped at its limit with all it has found: what is left is to hand it in."""
    for guard in _guards:
        guard.armed = guard.armed and guard.clock.over() is None


def _raise(number: int = 0, frame: FrameType | None = None) -> None:
    """Interrupt the main thread for a guard that has fired (a signal that comes late is nobody's)."""
    if _put_off:
        return
    foreign = frame is not None and _foreign(frame)
    for guard in _guards:
        if guard.fired is not None and guard.armed:
            if _imports(frame) > guard.imports:
                return
            if foreign and guard.left_alone < _PATIENCE:
                guard.left_alone += 1
                return
            guard.struck = time.monotonic()
            raise LimitReached(guard.fired)


def _imports(frame: FrameType | None) -> int:
    """Count the frames that import a module: Python keeps one that is interrupted by half, and numba then fails for good."""
    found = 0
    while frame is not None:
        found += frame.f_code.co_filename == "<frozen importlib._bootstrap>"
        frame = frame.f_back
    return found


def _foreign(frame: FrameType) -> bool:
    """Return whether a frame runs code that may swallow an interrupt: another package's, or a callback of a weak reference."""
    name = str(frame.f_globals.get("__name__"))
    return name in _LEFT_ALONE or (name.partition(".")[0] != "sokoasp" and "-packages" in frame.f_code.co_filename)


def _watch(guard: Guard, ended: threading.Event) -> None:
    """Look at clock and memory until the work has ended, and interrupt it when a limit is passed."""
    limits = guard.clock.limits
    while not ended.wait(_TICK):
        late = limits.seconds is not None and guard.clock.elapsed >= limits.seconds + GRACE
        full = limits.memory_mb is not None and resident_mb() > _MEMORY_GRACE * limits.memory_mb
        if paused() or not (late or full) or (guard.struck is not None and time.monotonic() < guard.struck + _AGAIN):
            continue
        guard.fired = guard.fired or ("time" if late else "memory")
        ident = threading.main_thread().ident
        if ident is not None and not ended.is_set():
            signal.pthread_kill(ident, _SIGNAL)  # type: ignore[arg-type]
