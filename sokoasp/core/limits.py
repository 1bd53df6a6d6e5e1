"""Limits a search works under, and the clock that enforces them."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

CLASP_MOST = (1 << 32) - 1
"""The largest number that clasp's options take."""
RESERVE_MB = 2.0
"""Kept free under a memory limit."""
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Limits(NamedTuple):
    """How long a search may take (wall seconds), how big it may get (resident MB), and what it may keep; None is no limit.

    ``states`` is of native searches; ``steps``, the actions of a plan, of the search of boards alone.
    """

    seconds: float | None = None
    memory_mb: float | None = None
    steps: int | None = None
    states: int | None = None

    def start(self) -> Clock:
        """Start the clock for these limits now."""
        return CLOCKS[type(self)](self)

    def of_this_machine(self) -> Limits:
        """Return these limits; where memory has none, what the machine has free is it."""
        memory = free_mb() if self.memory_mb is None else self.memory_mb
        return type(self)(self.seconds, memory, self.steps, self.states)


class Clock:
    """A running clock: says how long it has run and which limit, if any, is used up."""

    now = staticmethod(time.perf_counter)
    """What tells the time."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.began = self.now()
        self._left_out = _uncounted(self.now)

    @property
    def elapsed(self) -> float:
        """Return the seconds since the clock was started, compilations left out."""
        return self.now() - self.began - (_uncounted(self.now) - self._left_out)

    @property
    def remaining(self) -> float | None:
        """Return the seconds left, None without a limit."""
        return None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.elapsed)

    @property
    def spare_bytes(self) -> float:
        """Return how much more memory this process may use but for a reserve, infinity without a limit."""
        most = self.limits.memory_mb
        return float("inf") if most is None else (most - resident_mb() - RESERVE_MB) * 1e6

    def under(self, limits: Limits) -> Clock:
        """Return a clock that has run as long as this one, under other limits."""
        other = copy.copy(self)
        other.limits = limits
        return other

    def over(self, states: int = 0) -> str | None:
        """Return ``"states"`` (given their number), ``"time"`` or ``"memory"`` if that limit is used up, else None."""
        if self.limits.states is not None and states > self.limits.states:
            return "states"
        if self.limits.seconds is not None and self.elapsed >= self.limits.seconds:
            return "time"
        if self.limits.memory_mb is not None and resident_mb() >= self.limits.memory_mb:
            return "memory"
        return None


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


class CpuClock(Clock):
    """A clock that counts the CPU seconds of this process, so that what else the machine does costs nothing."""

    now = staticmethod(time.process_time)


class CpuLimits(Limits):
    """Limits whose seconds are CPU seconds of this process."""


class ThreadClock(Clock):
    """A clock that counts the CPU seconds of the thread that starts it, but at least half of the time on the wall.

    So work beside a solver's thread takes no more of the machine than it may, and is done in twice its time at the latest.
    """

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self.spent = time.thread_time()

    @property
    def elapsed(self) -> float:
        """Return the seconds since the clock was started; to be asked by the same thread."""
        return max(time.thread_time() - self.spent, super().elapsed / 2)


class ThreadLimits(Limits):
    """Limits whose seconds are those of a ``ThreadClock``."""


CLOCKS: dict[type[Limits], type[Clock]] = {Limits: Clock, CpuLimits: CpuClock, ThreadLimits: ThreadClock}
_left_out = {time.perf_counter: 0.0, time.process_time: 0.0}
"""By what tells the time: the seconds so far that count against no limit."""
_pause: dict[Callable[[], float], float] = {}
"""By the same: when the pause that is going on began; empty without one."""


@contextmanager
def not_counted() -> Iterator[None]:
    """Stop all clocks for what is done once for a machine, such as compiling."""
    if _pause:
        yield
        return
    _pause.update((now, now()) for now in _left_out)
    try:
        yield
    finally:
        for now in _left_out:
            _left_out[now] += now() - _pause.pop(now)


def paused() -> bool:
    """Return whether the clocks stand still."""
    return bool(_pause)


def _uncounted(now: Callable[[], float]) -> float:
    """Return the seconds so far that count against no limit, those of a pause that is going on included."""
    at = now()
    return _left_out[now] + at - _pause.get(now, at)


def resident_mb() -> float:
    """Return the resident memory of this process in MB (on systems without /proc: its peak so far)."""
    return held_mb("self") or peak_mb()


def held_mb(process: int | str) -> float:
    """Return the resident memory of a process in MB, 0 if it is gone or the system does not say (without /proc)."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE / 1e6
    except (OSError, IndexError, ValueError):
        return 0.0


def peak_mb() -> float:
    """Return the peak resident memory of this process in MB, 0 where the system does not say (Windows)."""
    try:
        import resource
    except ImportError:
        return 0.0
    import sys

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


def free_mb() -> float | None:
    """Return four fifths of the machine's free memory plus what this process holds already, None where unknown."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration, ValueError, IndexError):
        return None
    return 0.8 * free * 1024 / 1e6 + resident_mb()
