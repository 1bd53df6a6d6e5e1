"""Several searches on one level in turns: bounds and plans of each serve all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from sokoasp.core import progress
from sokoasp.core.limits import Clock
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import astar, direct, machine
from sokoasp.sokoban.search.certificates import Certificates
from sokoasp.sokoban.search.options import Options

GREEDY: tuple[tuple[int, int], ...] = ((1, 5), (1, 3), (1, 2))
"""Weights of cost and bound in the search for early plans, one after the other as each has found one."""
SHORTEST, LONGEST, RISE = 0.1, 3.0, 1.5
"""Seconds of the first turn, of the longest, and the factor between rounds."""
SEEKING, ONCE_FOUND = 0.5, 0.15
"""Share of a turn that a greedy search gets, and when there is a plan already: the bound is what is missing then."""
EAGER, FADED = 500_000, 0.1
"""States a greedy search has generated when its share falls, where the first plan ends the race, and to what: it finds soon or
late."""
BEHIND = 0.5
"""Share of a turn for a search whose bound is not the best."""
EXCHANGE = 0.3
"""Seconds between two looks at what others have found."""


@dataclass(slots=True)
class Entrant:
    """One search in the race."""

    name: str
    search: astar.Search
    seen: int = 0
    """States already looked up in the opposite search ..."""
    round: int = 1
    """... in this round of its own."""
    weights: tuple[int, int] = (1, 1)


class PlanSeeker(Protocol):
    """A search that looks for a plan; its end proves nothing."""

    name: str
    finished: bool
    seconds: float

    @property
    def counters(self) -> dict[str, int]:
        """Return expanded, generated and stored states."""
        ...

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Search for so long at most; return the limit that stops it, else None."""
        ...

    @property
    def idle(self) -> bool:
        """Tell whether it waits for a plan of others."""
        ...

    def plan(self) -> Plan | None:
        """Return its plan, None while there is none."""
        ...

    def take(self, plan: Plan | None) -> None:
        """Hear of the best plan known."""
        ...


@runtime_checkable
class Proving(Protocol):
    """A seeker that may prove a bound on the way."""

    @property
    def lower(self) -> int:
        """Return what every plan costs at least, as far as it is proved."""
        ...


@dataclass(slots=True)
class Turns:
    """What the entrants share."""

    proofs: Certificates
    options: Options
    clock: Clock
    exchange: Callable[[], None] | None = None
    """Called between slices: takes in and hands out certificates (other processes)."""
    entrants: list[Entrant] = field(default_factory=list)
    seekers: list[PlanSeeker] = field(default_factory=list)
    first_plan: bool = False
    """Stop when there is a plan, whatever it costs."""
    shortening: bool = False
    """Give seekers full turns when there is a plan, too."""
    counters: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def enter(
        self, name: str, *, reverse: bool = False, weights: tuple[int, int] = (1, 1), objective: str | None = None
    ) -> None:
        """Add a search unless all is proved already; one for another objective only looks for a plan."""
        if self.proofs.closed():
            return
        search = direct.prepare(
            self.proofs.level,
            objective or self.proofs.objective,
            self.options,
            self.proofs,
            None,
            reverse=reverse,
            seconds=self.seconds,
            weights=weights,
        )
        if search is not None:
            self.entrants.append(Entrant(name, search, weights=weights))

    def run(self, seconds: float | None = None) -> str | None:
        """Give every entrant its turn, longer each round, until all is proved, a limit is reached or the time is up."""
        turn, end = SHORTEST, None if seconds is None else self.clock.elapsed + seconds
        try:
            while not self.over() and (end is None or self.clock.elapsed < end):
                for entrant in list(self.entrants):
                    stopped = self._turn(entrant, turn * self._share(entrant))
                    if stopped and not self._do_without(entrant, stopped):
                        return stopped
                    if self.over():
                        break
                for seeker in list(self.seekers):
                    if not self.over() and (stopped := self._seek(seeker, turn * self._share(None))) == "time":
                        return stopped
                if not self.entrants and all(seeker.idle for seeker in self.seekers):
                    return None if self.proofs.closed() else "steps"
                turn = min(LONGEST, turn * RISE)
        finally:
            self.tally()
            self.entrants = [] if self.proofs.closed() else self.entrants
        return None

    def over(self) -> bool:
        """Tell whether nothing is left to do."""
        return self.proofs.closed() or (self.first_plan and self.proofs.plan is not None)

    def _seek(self, seeker: PlanSeeker, seconds: float) -> str | None:
        """Give a seeker its turn: it leaves when it is finished or lacks memory."""
        progress.note(stage=f"searching ({seeker.name})")
        seeker.take(self.proofs.plan)
        before = seeker.counters["expanded"]
        left, stopped = seconds, None
        while left > 0 and not (stopped or self.over() or seeker.finished or seeker.idle):
            try:
                stopped = seeker.advance(self.clock, min(EXCHANGE, left))
            finally:
                now = seeker.counters["expanded"]
                progress.note(expanded=now - before)
                before = now
                if (plan := seeker.plan()) is not None:
                    self.proofs.offer(plan, f"the {seeker.name} seeker")
                if isinstance(seeker, Proving):
                    self.proofs.raise_lower(seeker.lower, f"the {seeker.name} seeker")
            if self.exchange is not None:
                self.exchange()
            left -= EXCHANGE
        if stopped == "memory" or seeker.finished:
            self._count(seeker.name, seeker.counters, seeker.seconds)
            self.seekers = [other for other in self.seekers if other is not seeker]
        for entrant in self.entrants:
            if self.proofs.upper is not None and entrant.search.tables.objective == self.proofs.objective:
                entrant.search.cut(self.proofs.upper)
        return stopped

    def _share(self, entrant: Entrant | None) -> float:
        """Return the part of a turn an entrant gets: all for the search that has proved most, half for one that is behind."""
        if entrant is None:
            return 1.0 if self.proofs.upper is None or self.shortening else ONCE_FOUND
        if entrant.weights != (1, 1):
            if self.first_plan and self.seekers and entrant.search.counters["generated"] > EAGER:
                return FADED
            return SEEKING if self.proofs.upper is None else ONCE_FOUND
        return 1.0 if entrant.search.lower >= self.proofs.lower else BEHIND

    def _turn(self, entrant: Entrant, seconds: float) -> str | None:
        progress.note(stage=f"searching ({entrant.name.replace('_', ' ')})")
        stopped: str | None = None
        left = seconds
        while left > 0 and not (stopped or self.over() or entrant.search.finished):
            try:
                stopped = entrant.search.advance(self.clock, min(EXCHANGE, left))
            finally:
                direct.harvest(entrant.search, self.proofs, entrant.name)
            self._meet(entrant)
            if self.exchange is not None:
                self.exchange()
            for other in self.entrants:
                if self.proofs.upper is not None and other.search.tables.objective == self.proofs.objective:
                    other.search.cut(self.proofs.upper)
            if entrant.weights != (1, 1) and entrant.search.plan() is not None:
                self._calmer(entrant)
                return None
            left -= EXCHANGE
        if entrant.search.finished:
            self._leave(entrant)
        return stopped

    def _meet(self, entrant: Entrant) -> None:
        """Join a path of the forward search with one of the reverse search where they meet."""
        search = entrant.search
        count = search.counters["states"]
        if entrant.round != search.rounds:
            entrant.round, entrant.seen = search.rounds, 0
        for other in self.entrants:
            against = other.search
            objectives = {against.tables.objective, search.tables.objective}
            if against.tables.reverse == search.tables.reverse or objectives != {self.proofs.objective}:
                continue
            found = np.zeros(2, dtype=np.int64)
            ours, theirs = search.store, against.store
            key, meet = np.zeros(ours.words, np.uint64), search.code.kernels.meet
            cost = meet(entrant.seen, count, ours.words, ours.states(), theirs.states(), key, found)
            if cost < (self.proofs.upper or machine.UNBOUNDED):
                there, back = search.path(int(found[0])), against.path(int(found[1]))
                if search.tables.reverse:
                    there, back = back, there
                plan = astar.plan_of(self.proofs.level, search.tables.board, there + back[-2::-1])
                self.proofs.offer(plan, "the meeting of forward and reverse search")
        entrant.seen = count

    def _calmer(self, entrant: Entrant) -> None:
        """Replace a greedy search that has found a plan by a less greedy one."""
        self._leave(entrant)
        at = GREEDY.index(entrant.weights) + 1 if entrant.weights in GREEDY else len(GREEDY)
        if at < len(GREEDY):
            tables = entrant.search.tables
            self.enter(entrant.name, reverse=tables.reverse, weights=GREEDY[at], objective=tables.objective)

    def enter_greedy(self) -> None:
        """Add searches for early plans: from the goals where that is possible (by pushes, if moves count), and from the start."""
        if not self.options.greedy:
            return
        level, objective = self.proofs.level, self.proofs.objective
        if len(level.boxes) == len(level.goals):
            scout = "pushes" if objective == "moves" else objective
            self.enter("greedy_reverse", reverse=True, weights=GREEDY[0], objective=scout)
        self.enter("greedy", weights=GREEDY[0])

    def _do_without(self, entrant: Entrant, stopped: str) -> bool:
        """Go on without a search that has its fill of states, or without the least useful one when memory is short."""
        if stopped not in ("memory", "states") or len(self.entrants) < 2:
            return False
        least = min(self.entrants, key=lambda e: (e.search.lower, e is not entrant))
        self._leave(entrant if stopped == "states" else least)
        return True

    def _leave(self, entrant: Entrant) -> None:
        self._count(entrant.name, entrant.search.counters, entrant.search.seconds)
        self.entrants = [e for e in self.entrants if e is not entrant]

    def _count(self, name: str, counters: dict[str, int], seconds: float) -> None:
        for key, value in counters.items():
            self.counters[f"{name}_{key}"] = value
        self.seconds[name] = seconds

    def clear(self) -> None:
        """Let all searches leave."""
        for entrant in list(self.entrants):
            self._leave(entrant)

    def tally(self) -> dict[str, int]:
        """Return the counters of every search so far, and their sums."""
        for entrant in self.entrants:
            self._count(entrant.name, entrant.search.counters, entrant.search.seconds)
        for seeker in self.seekers:
            self._count(seeker.name, seeker.counters, seeker.seconds)
        single = {key: value for key, value in self.counters.items() if "_" in key}
        sums = {
            what: sum(value for key, value in single.items() if key.endswith(f"_{what}"))
            for what in ("expanded", "generated", "states")
        }
        self.counters = single | sums
        return self.counters


def two_sided(level: Level, objective: str) -> bool:
    """Tell whether the reverse search takes this level and objective."""
    return objective != "moves" and len(level.boxes) == len(level.goals)
