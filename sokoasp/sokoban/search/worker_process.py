"""Worker process of the portfolio: receives the level, returns bounds and plans, receives better plans."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

from sokoasp.core import progress
from sokoasp.core.bounds import Bounds
from sokoasp.core.child import Parent
from sokoasp.core.child_processes import ChildProcesses, Ended
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.schedule import Role
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.entrants import enter
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.race import Race

SMALLEST_MB = 800.0
"""A memory limit below this is not shared between two processes."""


def shared(race: Race) -> bool:
    """Return whether there are cores and memory for a second process."""
    options, limits = race.options, race.clock.limits
    if options.workers is not None:
        cores = options.workers
    else:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > 1 and (limits.memory_mb is None or limits.memory_mb >= SMALLEST_MB)


def halved(race: Race) -> Limits:
    """Give the race half of the memory on its running clock, and return the limits of a second process."""
    limits = race.clock.limits
    memory = None if limits.memory_mb is None else limits.memory_mb / 2
    part = replace(limits, seconds=race.clock.remaining, memory_mb=memory)
    race.clock = race.clock.under(replace(limits, memory_mb=memory))
    return part


@dataclass(frozen=True, slots=True)
class WorkerJob:
    """What the second process is asked."""

    level: Level
    objective: str
    limits: Limits
    options: Options
    reverse: bool
    """Whether the reverse search runs beside the others."""
    lurd: str | None
    """A plan."""
    lower: int


class WorkerProcess(ChildProcesses):
    """The parent's end; use it as a context manager, which ends the process."""

    name = "helper"

    def __init__(self, bounds: Bounds, limits: Limits, options: Options, *, reverse: bool) -> None:
        super().__init__(self._take)
        self.bounds = bounds
        self._sent = bounds.upper
        # the child runs no children of its own, and begins with another packing order than the parent
        plain = replace(options, progress=None, workers=1, first_order=options.first_order + 1)
        plan = bounds.plan.lurd if bounds.plan is not None else None
        job = WorkerJob(bounds.problem, bounds.objective, limits, plain, reverse, plan, bounds.lower)
        self.start(self.name, serve, job)

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Wait for a message for ``seconds`` at most; memory of this process is the business of others."""
        super().advance(clock, seconds)
        return "time" if clock.over() == "time" else None

    def exchange(self, bounds: Bounds) -> None:
        """Take in what the process has sent, and send it a better plan."""
        super().exchange(bounds)
        # a plan that came from the child itself is sent back once; the child finds that it is no better than its own
        if not self.finished and bounds.plan is not None and bounds.upper != self._sent:
            self._sent = bounds.upper
            self.send(self.name, bounds.plan.lurd)

    def _take(self, name: str, message: Any) -> None:
        if isinstance(message, Ended):
            return
        lower, lower_by, lurd, plan_by, exhausted_by, self.counters = message
        self.bounds.raise_lower(lower, lower_by)
        if lurd is not None:
            self.bounds.offer(rules.plan_from_lurd(self.bounds.problem, lurd), plan_by)
        if exhausted_by:
            self.bounds.exhausted(exhausted_by)
        progress.note_other(self.name, self.counters["expanded"])


class ParentProcess:
    """The child's end, a remote solver that is always idle: it brings better plans and takes every improvement."""

    name = "parent"
    role: Role = "remote"
    idle = True
    finished = False
    seconds = 0.0

    def __init__(self, parent: Parent, race: Race) -> None:
        self.parent, self.race = parent, race
        self.counters: dict[str, int] = {}
        self._sent = race.bounds.upper

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Do nothing."""
        return None

    def exchange(self, bounds: Bounds) -> None:
        """Take in better plans, send bounds, counters and a plan that is better here."""
        for lurd in self.parent.news():
            if bounds.offer(rules.plan_from_lurd(bounds.problem, lurd), "the other process"):
                self._sent = bounds.upper
        lurd = bounds.plan.lurd if bounds.upper != self._sent else None
        self._sent = bounds.upper
        proved = bounds.lower, bounds.lower_by, lurd, bounds.plan_by, bounds.exhausted_by
        self.parent.send((*proved, self.race.tally()))


def serve(job: WorkerJob, parent: Parent) -> None:
    """Race the reverse search (or none), satisficing ones and a beam search, and send every improvement."""
    parent.follow()
    bounds = bounds_of(job.level, job.objective)
    if job.lurd is not None:
        bounds.offer(rules.plan_from_lurd(job.level, job.lurd), "given")
    bounds.raise_lower(job.lower, "the parent")
    race = Race(bounds, job.limits.start(), options=job.options)
    link = ParentProcess(parent, race)
    # both processes have plan searches; only one has the reverse search
    enter(race, *(("reverse",) if job.reverse else ()), "plan-searches", "beam")
    race.solvers.append(link)
    race.run()
    link.exchange(bounds)
