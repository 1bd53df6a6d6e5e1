"""What the satisficing searches have in common: steps, slices of time, what they hand in."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

from sokoasp.core import progress
from sokoasp.core.bounds import Bounds
from sokoasp.core.limits import Clock
from sokoasp.core.schedule import Role
from sokoasp.sokoban.plan import Plan

LOOK = 0.01
"""Seconds between two looks at the limits."""


@dataclass(slots=True, kw_only=True)
class SatisficingSearch:
    """The base of the satisficing searches: they go on by steps until they are finished or wait, or the time is over."""

    name: str
    role: ClassVar[Role] = "satisficing"
    finished: bool = False
    """A plan is found, or nothing is left to look at; that proves nothing."""
    seconds: float = 0.0
    found: Plan | None = None

    @property
    def idle(self) -> bool:
        """Return whether it waits for others."""
        return False

    @property
    def counters(self) -> dict[str, int]:
        """Return how many states were expanded, generated and kept."""
        raise NotImplementedError

    def step(self) -> None:
        """Take some turns."""
        raise NotImplementedError

    def exchange(self, bounds: Bounds) -> None:
        """Hand in the plan; stop when there is one."""
        if self.found is not None:
            bounds.offer(self.found, f"the {self.name.replace('_', ' ')} search")
        self.finished = self.finished or bounds.plan is not None

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Search for ``seconds`` at most; return the limit that stops it, None when paused, waiting, finished or successful."""
        began, before = time.perf_counter(), self.counters["expanded"]
        now = look = began
        try:
            while not self.finished and not self.idle:
                if now >= look:  # a look at a clock of CPU seconds costs as much as some states
                    if stopped := clock.over():
                        return stopped
                    look = now + LOOK
                if now - began >= seconds:
                    return None
                self.step()
                now = time.perf_counter()
        finally:
            self.seconds += time.perf_counter() - began
            progress.note(expanded=self.counters["expanded"] - before)
        return None
