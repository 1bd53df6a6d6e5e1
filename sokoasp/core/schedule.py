"""One schedule of searches that take turns: bounds and plans of each serve all (``core.bounds``).

A solver that has its fill of memory leaves, so that others may go on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from sokoasp.core import progress
from sokoasp.core.bounds import Bounds
from sokoasp.core.limits import Clock

Role = Literal["exact", "beam", "satisficing", "exhaustive"]
"""``exact`` proves a bound; ``beam`` is the same search in another order, for an early plan; ``satisficing`` looks for a plan and
proves nothing by its end; ``exhaustive`` has no bound and states its own share of the time."""


class Solver(Protocol):
    """What takes turns; all times are seconds."""

    name: str
    role: Role
    """By what rule it gets its time."""
    seconds: float
    """The time it has worked."""
    finished: bool
    """Whether it has nothing left to do."""
    idle: bool
    """Whether it waits for what others find."""
    counters: Mapping[str, int]
    """Expanded, generated and stored states."""

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Work for ``seconds`` at most; return the limit that stops it (``time``, ``memory``, ``states``), else None."""
        ...

    def exchange(self, bounds: Bounds) -> None:
        """Hand in plan and bound, and take what others have found."""
        ...


SHORTEST, LONGEST, RISE = 0.1, 3.0, 1.5
"""Seconds of the first turn, and of the longest; how many times as long the turns of the next round are."""
LOOK = 0.3
"""Seconds between two looks at what others have found."""
ONCE_FOUND = 0.15
"""The part of a beam search once there is a plan: the bound is what is missing then."""
FADED = 0.3
"""The part of a beam search that is late, and of an exact search beside satisficing ones where the first plan ends the run."""
LAYERS = 0.5
"""The most of all time that an exhaustive search has where the first plan ends the run: what it proves is not asked there."""
BEHIND = 0.5
"""The part of an exact search whose bound is not the best."""
GAINING, GAP = 4.0, 0.05
"""Turns of a search that makes the plan cheaper, where the bound is this part of the plan's cost below it; fewer where less."""
EARLY, PERSISTENCE = 3.0, 3.0
"""Times as long as for its last gain that such a search works before it has one turn at most, and the seconds from which on this
holds."""


@dataclass(frozen=True, slots=True)
class TimeShares:
    """What differs from level to level in how the time is shared."""

    beam: float = 1.0
    """The part of a turn that a beam search has while there is no plan."""
    eager: int = 1_000_000
    """States a beam search generates before it is late, where the first plan ends the run."""
    lesser: Mapping[str, float] = field(default_factory=dict)
    """By name the parts of satisficing and beam searches that seldom find a plan, while there is none; the others have all."""
    stage: float | None = None
    """Seconds before the next searches enter, if not those of the roster."""


@dataclass(slots=True)
class Schedule:
    """Solvers of one problem and what is proved about it."""

    bounds: Bounds
    clock: Clock
    solvers: list[Any] = field(default_factory=list)
    """In the order of their turns (``Solver``)."""
    first_plan: bool = False
    """Stop when there is a plan, whatever it costs."""
    shortening: bool = False
    """Give satisficing searches full turns when there is a plan, too: what makes it cheaper does not dry up."""
    shares: TimeShares = field(default_factory=TimeShares)
    counters: dict[str, int] = field(default_factory=dict)
    """By solver and count, and the sums of all."""
    seconds: dict[str, float] = field(default_factory=dict)
    gained: dict[str, float] = field(default_factory=dict)
    """How long each solver had worked when it last made the plan cheaper."""

    def run(self, seconds: float | None = None) -> str | None:
        """Give every solver its turn, longer each round, until all is proved, a limit is reached or the time is up.

        Returns the limit; ``steps`` if no solver can go on; None if nothing is left to do or the time is up.
        """
        turn, end = SHORTEST, None if seconds is None else self.clock.elapsed + seconds
        full: str | None = None
        try:
            while not self.over() and (end is None or self.clock.elapsed < end):
                for solver in list(self.solvers):
                    if self.over():
                        break
                    if all(other is not solver for other in self.solvers):
                        continue  # another one's want of memory has cost it its place
                    stopped = self._turn(solver, turn * self.part(solver))
                    if stopped and not self._does_without(solver, stopped):
                        return stopped
                    full = stopped or full
                if all(self._waits(solver) for solver in self.solvers):
                    return None if self.bounds.closed() else full or "steps"
                turn = min(LONGEST, turn * RISE)
        finally:
            self.tally()
            self.solvers = [] if self.bounds.closed() else self.solvers
        return None

    def over(self) -> bool:
        """Return whether nothing is left to do."""
        return self.bounds.closed() or (self.first_plan and self.bounds.plan is not None)

    def of(self, *roles: Role) -> list[Any]:
        """Return the solvers with one of these roles."""
        return [solver for solver in self.solvers if solver.role in roles]

    def part(self, solver: Solver) -> float:
        """Return the part of a turn a solver gets, by its role."""
        return PARTS[solver.role](self, solver)

    def _exact(self, solver: Any) -> float:
        if self.first_plan and self.of("satisficing"):
            return FADED
        return 1.0 if solver.lower >= self.bounds.lower else BEHIND

    def _beam(self, solver: Any) -> float:
        """A lesser beam search has less of the time in which it is eager, and of the share after it, too."""
        shares = self.shares
        least = shares.lesser.get(solver.name, 1.0)
        late = solver.counters["generated"] > shares.eager * least
        if self.first_plan and late and self.of("satisficing", "exhaustive"):
            return FADED * least
        return shares.beam * least if self.bounds.upper is None else ONCE_FOUND

    def _satisficing(self, solver: Any) -> float:
        """More turns where much lies above the bound, and while they make the plan cheaper."""
        shares, upper = self.shares, self.bounds.upper
        if upper is None:
            return shares.lesser.get(solver.name, 1.0)
        least = shares.lesser.get(solver.name, 1.0) if self.shortening else ONCE_FOUND
        lasting = max(EARLY, PERSISTENCE * self.gained.get(solver.name, 0.0))
        turns = GAINING if self.shortening or solver.seconds < lasting else 1.0
        return max(least, turns * min((upper - self.bounds.lower) / max(GAP * upper, 1.0), 1.0))

    def _exhaustive(self, solver: Any) -> float:
        """Its share of all time, beside the turns of the others that may get time."""
        share: float = min(solver.share, LAYERS) if self.first_plan else solver.share
        others = [other for other in self.solvers if other is not solver and not other.idle]
        turns = sum(self.part(other) for other in others if getattr(other, "share", 1.0) > 0)
        return share / (1 - share) * max(turns, 1.0)

    def _waits(self, solver: Solver) -> bool:
        """Return whether a solver waits for something that nobody has found yet, or gets no time."""
        if solver.idle:
            solver.exchange(self.bounds)
        return solver.idle or self.part(solver) == 0

    def _turn(self, solver: Solver, seconds: float) -> str | None:
        if solver.name:
            progress.note(stage=f"searching ({solver.name.replace('_', ' ')})")
        solver.exchange(self.bounds)
        stopped: str | None = None
        left = seconds
        while left > 0 and not (stopped or self.over() or solver.finished or solver.idle):
            try:
                stopped = solver.advance(self.clock, min(LOOK, left))
            finally:
                before = self.bounds.upper
                solver.exchange(self.bounds)
                if self.bounds.upper != before:
                    self.gained[solver.name] = solver.seconds
            left -= LOOK
        if solver.finished:
            self.leave(solver)
        return stopped

    def _does_without(self, solver: Solver, stopped: str) -> bool:
        """Go on without a solver that has its fill, or without the least useful one when memory is short."""
        exact = self.of("exact", "beam")
        if stopped not in ("memory", "states"):
            return False
        if solver not in exact:
            if stopped == "memory":
                self.leave(solver)
            return True
        if len(exact) < 2:
            return False
        least = min(exact, key=lambda one: (one.lower, one is not solver))
        self.leave(solver if stopped == "states" else least)
        return True

    def leave(self, solver: Solver) -> None:
        """Let a solver go; its counters stay."""
        self._count(solver)
        self.solvers = [other for other in self.solvers if other is not solver]

    def _count(self, solver: Solver) -> None:
        self.counters |= {f"{solver.name}_{key}": value for key, value in solver.counters.items()}
        self.seconds[solver.name] = solver.seconds

    def tally(self) -> dict[str, int]:
        """Return the counters of every solver so far, and their sums."""
        for solver in self.solvers:
            self._count(solver)
        single = {key: value for key, value in self.counters.items() if "_" in key}
        sums = {
            what: sum(value for key, value in single.items() if key.endswith(f"_{what}"))
            for what in ("expanded", "generated", "states")
        }
        self.counters = single | sums
        return self.counters


PARTS: Mapping[Role, Callable[[Schedule, Any], float]] = {
    "exact": Schedule._exact,
    "beam": Schedule._beam,
    "satisficing": Schedule._satisficing,
    "exhaustive": Schedule._exhaustive,
}
"""What part of a turn a solver gets, by its role."""
