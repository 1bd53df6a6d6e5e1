"""Worker process of the portfolio: receives the level, returns bounds and plans, receives better plans."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

from sokoasp.core import progress
from sokoasp.core.bounds import Bounds
from sokoasp.core.child import Parent
from sokoasp.core.crew import Crew, Ended
from sokoasp.core.limits import Clock, Limits
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.rosters import enter_satisficing
from sokoasp.sokoban.search.schedule import Schedule

SMALLEST_MB = 800.0
"""A memory limit below this is not shared between two processes."""


def shared(options: Options, limits: Limits) -> bool:
    """Return whether there are cores and memory for a second process."""
    if options.workers is not None:
        cores = options.workers
    else:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > 1 and (limits.memory_mb is None or limits.memory_mb >= SMALLEST_MB)


def halved(race: Schedule, limits: Limits) -> Limits:
    """Give the race half of the memory on its running clock, and return the limits of a second process."""
    memory = None if limits.memory_mb is None else limits.memory_mb / 2
    part = replace(limits, seconds=race.clock.remaining, memory_mb=memory)
    clock = Clock(replace(race.clock.limits, memory_mb=memory))
    clock.began = race.clock.began
    race.clock = clock
    return part


@dataclass(frozen=True, slots=True)
class WorkerJob:
    """What the second process is asked."""

    level: Level
    objective: str
    limits: Limits
    options: Options
    reverse: bool
    """Whether the reverse search runs beside the greedy ones."""
    lurd: str | None
    """A plan."""
    lower: int


class WorkerProcess:
    """The parent's end; use it as a context manager, which ends the process."""

    def __init__(self, proofs: Bounds, limits: Limits, options: Options, *, reverse: bool) -> None:
        self.proofs = proofs
        self.counters: dict[str, int] = {}
        self._told = proofs.upper
        self._crew = Crew()
        plain = replace(options, progress=None, workers=1, first_order=options.first_order + 1)
        plan = proofs.plan.lurd if proofs.plan is not None else None
        job = WorkerJob(proofs.problem, proofs.objective, limits, plain, reverse, plan, proofs.lower)
        self._crew.start("helper", serve, job)

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._crew.stop("helper")

    @property
    def alive(self) -> bool:
        """Whether it has not ended, as far as was heard."""
        return "helper" in self._crew

    def wait(self, seconds: float) -> None:
        """Wait for a message so long at most."""
        if (heard := self._crew.hear(seconds)) is not None:
            self._take(heard[1])
        self.exchange()

    def exchange(self) -> None:
        """Take in what the helper found, tell it a better plan."""
        while (heard := self._crew.hear(0.0)) is not None:
            self._take(heard[1])
        upper = self.proofs.upper
        if self.alive and upper is not None and upper != self._told and self.proofs.plan is not None:
            self._told = upper
            self._crew.send("helper", self.proofs.plan.lurd)

    def _take(self, message: Any) -> None:
        if isinstance(message, Ended):
            return
        kind, value, by = message
        if kind == "lower":
            self.proofs.raise_lower(value, by)
        elif kind == "plan":
            self.proofs.offer(rules.plan_from_lurd(self.proofs.problem, value), by)
        elif kind == "exhausted":
            self.proofs.exhausted(by)
        elif kind == "counters":
            self.counters = value
            progress.note_other("helper", value["expanded"])


def serve(job: WorkerJob, parent: Parent) -> None:
    """Race the reverse search (or none) and greedy ones, and tell every improvement."""
    parent.follow()
    proofs = bounds_of(job.level, job.objective)
    if job.lurd is not None:
        proofs.offer(rules.plan_from_lurd(job.level, job.lurd), "the caller")
    proofs.raise_lower(job.lower, "the parent")
    said: dict[str, Any] = {"lower": job.lower, "plan": proofs.upper}

    def exchange() -> None:
        for lurd in parent.news():
            if proofs.offer(rules.plan_from_lurd(job.level, lurd), "the other process"):
                said["plan"] = proofs.upper
        if proofs.plan is not None and said["plan"] != proofs.upper:
            said["plan"] = proofs.upper
            parent.send(("plan", proofs.plan.lurd, proofs.plan_by))
        if proofs.lower > said["lower"]:
            said["lower"] = proofs.lower
            parent.send(("lower", proofs.lower, proofs.lower_by))
        parent.send(("counters", race.tally(), ""))

    race = Schedule(proofs, job.options, job.limits.start(), exchange)
    if job.reverse:
        race.enter("reverse", reverse=True)
    enter_satisficing(race)
    race.enter_greedy()
    race.run()
    exchange()
    if proofs.exhausted_by:
        parent.send(("exhausted", None, proofs.exhausted_by))
