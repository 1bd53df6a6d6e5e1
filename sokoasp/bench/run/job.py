"""One run: an instance, a system, a question. What is asked, and what comes back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from random import Random

from sokoasp.bench.define.instances import Instance
from sokoasp.bench.define.suite import RunLimits, Suite
from sokoasp.bench.define.suite_keys import LISTS
from sokoasp.bench.define.systems import System
from sokoasp.domain import Problem, domains

KEY_VERSION = 2
"""Part of each run's key: it changes when a run of the same question would be another run."""


@dataclass(frozen=True, slots=True)
class Job:
    """All that a worker needs for one run; it is sent to other machines."""

    key: str
    """Hash of everything below, as JSON: the row's primary key."""
    instance: str
    """Id of the instance."""
    problem: Problem
    system: System
    objective: str
    seed: int
    repetition: int
    limits: RunLimits

    @property
    def by_runexec(self) -> bool:
        """Whether BenchExec limits and measures it, as it may a command, instead of the worker."""
        return self.system.kind == "external" and self.limits.by == "runexec"

    @property
    def question(self) -> tuple[str, str, int, int]:
        """Return what all systems are asked alike: instance, objective, seed, repetition."""
        return self.instance, self.objective, self.seed, self.repetition

    def pushes_in(self, counts: Mapping[str, int]) -> dict[str, float]:
        """Return the pushes of a plan of lines as a counter: its lines can be cut into so many."""
        return {"pushes": float(counts["pushes"])} if self.objective == "lines" else {}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system said, after the referee: filled in by the run's own process."""

    status: str
    """A ``Status``, or ``unknown`` (a command that said nothing), ``wrong_plan``, ``wrong_claim``, ``crash``, ``no_space``."""
    value: int | None = None
    """Cost of the refereed plan."""
    lower_bound: int | None = None
    """Claimed lower bound, None if it claims none."""
    plan: str | None = None
    message: str = ""
    stopped_by: str | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    counters: dict[str, float] = field(default_factory=dict)
    steps: tuple[tuple[int, str, float, int], ...] = ()
    """Bound, verdict, seconds, conflicts of each bound tried."""
    decided: bool = False
    """Whether the question is answered for good: proved best, proved impossible, or exactly what was asked for."""
    encoding: str | None = None

    def too_late(self) -> Answer:
        """Return what counts of it where more CPU seconds were used than the limit: a legal plan, and what was wrong."""
        if self.status not in ("optimal", "solved", "unsolvable", "no_plan", "crash", "unknown"):
            return self
        status = "time_out" if self.plan is None else "solved"
        return replace(self, status=status, lower_bound=None, stopped_by="time", decided=False, message="CPU limit")


@dataclass(frozen=True, slots=True)
class Report:
    """What the worker saw of a run's process."""

    answer: Answer | None
    wall: float
    """Seconds from fork to exit."""
    cpu: float
    """User and system seconds, children included."""
    peak_mb: float
    exit_code: int
    """Negative: the signal."""
    killed_by: str | None = None
    """``time`` or ``memory`` when the worker ended it."""
    stderr: str = ""
    load: float | None = None
    """Processes that wanted a processor in the minute before, on the average."""


def expand(suite: Suite, instances: Iterable[Instance]) -> list[Job]:
    """Return every job of a suite in the order they are to be run.

    Instances come in random order against drift; the systems that are compared on one instance follow each other directly, in
    random order too. The order depends on the suite's title only, so that a resumed campaign goes on as it began.
    """
    rng = Random(suite.title)
    games = domains()
    names = sorted({objective for game in games.values() for objective in game.objectives})
    _check_objectives(suite, names)
    blocks: list[tuple[Instance, str, int, int]] = []
    for instance in instances:
        known = games[instance.game].objectives
        wanted = [name for name in suite.objectives or known[:1] if set(name.split("+")) <= set(known)]
        blocks += product([instance], wanted, suite.seeds, range(suite.repetitions))
    rng.shuffle(blocks)
    jobs = []
    for instance, objective, seed, repetition in blocks:
        asked = [s for s in suite.systems if s.objectives is None or objective in s.objectives]
        asked = [s for s in asked if "+" not in objective or s.kind == "native"]
        rng.shuffle(asked)
        jobs += [_job(suite, instance, system, objective, seed, repetition) for system in asked]
    return jobs


def _check_objectives(suite: Suite, names: list[str]) -> None:
    for path, given in [(("objectives",), suite.objectives)] + [
        (("systems", one.index, "objectives"), one.objectives) for one in suite.systems
    ]:
        odd = [name for name in given or () if not set(name.split("+")) <= set(names)]
        if odd:
            said = f"there is no objective {odd[0]!r}, only {', '.join(names)}" + LISTS * ("," in odd[0])
            suite.source.fail(path, said)


def _job(suite: Suite, instance: Instance, system: System, objective: str, seed: int, repetition: int) -> Job:
    limits = {key: float(value) if isinstance(value, int) else value for key, value in asdict(suite.limits).items()}
    if suite.limits.by == "sokoasp":
        del limits["by"]  # keys of before there was a choice stay
    asked = {
        "version": KEY_VERSION,
        "instance": instance.id,
        "system": system.digest,
        "objective": objective,
        "seed": seed,
        "repetition": repetition,
        "limits": limits,
    }
    key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:24]
    return Job(key, instance.id, instance.problem, system, objective, seed, repetition, suite.limits)


@dataclass(frozen=True, slots=True)
class Ran:
    """A job that is over, wherever it ran."""

    job: Job
    report: Report | None
    """None: the worker died under it twice."""
    attempts: int
    worker: str
    machine: tuple[str, str]
    """Name and description, see ``host.describe``."""
