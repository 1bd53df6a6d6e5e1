"""Several searches on one level in turns: bounds and plans of each serve all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from sokoasp.core import progress
from sokoasp.core.bounds import Bounds
from sokoasp.core.limits import Clock
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.exact import astar, unidirectional
from sokoasp.sokoban.search.model import workspace
from sokoasp.sokoban.search.model.options import Options

GREEDY: tuple[tuple[int, int], ...] = ((1, 5), (1, 3), (1, 2))
"""Weights of cost and bound in the search for early plans, one after the other as each has found one."""
SHORTEST, LONGEST, RISE = 0.1, 3.0, 1.5
"""Seconds of the first turn, of the longest, and the factor between rounds."""
GREEDY_SHARE, ONCE_FOUND = 0.5, 0.15
"""Share of a turn that a greedy search gets, and when there is a plan already: the bound is what is missing then."""
EAGER, FADED = 500_000, 0.1
"""States a greedy search has generated when its share falls, where the first plan ends the race, and to what: it finds soon or
late."""
BEHIND = 0.5
"""Share of a turn for a search whose bound is not the best."""
EXCHANGE = 0.3
"""Seconds between two looks at what others have found."""


@dataclass(slots=True)
class Member:
    """One search in the race."""

    name: str
    search: astar.Search
    seen: int = 0
    """States already looked up in the opposite search ..."""
    round: int = 1
    """... in this round of its own."""
    weights: tuple[int, int] = (1, 1)


class SatisficingSearch(Protocol):
    """A search that looks for a plan; its end proves nothing."""

    name: str
    seconds: float

    @property
    def finished(self) -> bool:
        """Return whether it has nothing left to do."""
        ...

    @property
    def counters(self) -> dict[str, int]:
        """Return expanded, generated and stored states."""
        ...

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Search for so long at most; return the limit that stops it, else None."""
        ...

    @property
    def idle(self) -> bool:
        """Return whether it waits for a plan of others."""
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


@runtime_checkable
class Exhaustive(Proving, Protocol):
    """A proving search without a bound, whose share of the time depends on how fast its fronts grow."""

    exhausted: bool
    """Whether it has seen all states and found no plan."""

    @property
    def share(self) -> float:
        """Return which part of all time it should get, less than 1."""
        ...


@dataclass(slots=True)
class Schedule:
    """What the entrants share."""

    proofs: Bounds
    options: Options
    clock: Clock
    exchange: Callable[[], None] | None = None
    """Called between slices: takes in and hands out certificates (other processes)."""
    members: list[Member] = field(default_factory=list)
    planners: list[SatisficingSearch] = field(default_factory=list)
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
        search = unidirectional.prepare(
            self.proofs.problem,
            objective or self.proofs.objective,
            self.options,
            self.proofs,
            None,
            reverse=reverse,
            seconds=self.seconds,
            weights=weights,
        )
        if search is not None:
            self.members.append(Member(name, search, weights=weights))

    def run(self, seconds: float | None = None) -> str | None:
        """Give every entrant its turn, longer each round, until all is proved, a limit is reached or the time is up."""
        turn, end = SHORTEST, None if seconds is None else self.clock.elapsed + seconds
        try:
            while not self.over() and (end is None or self.clock.elapsed < end):
                for member in list(self.members):
                    stopped = self._turn(member, turn * self._share(member))
                    if stopped and not self._do_without(member, stopped):
                        return stopped
                    if self.over():
                        break
                for planner in list(self.planners):
                    if not self.over() and (stopped := self._seek(planner, turn * self._part(planner))) == "time":
                        return stopped
                if not self.members and all(planner.idle for planner in self.planners):
                    return None if self.proofs.closed() else "steps"
                turn = min(LONGEST, turn * RISE)
        finally:
            self.tally()
            self.members = [] if self.proofs.closed() else self.members
        return None

    def over(self) -> bool:
        """Return whether nothing is left to do."""
        return self.proofs.closed() or (self.first_plan and self.proofs.plan is not None)

    def _seek(self, planner: SatisficingSearch, seconds: float) -> str | None:
        """Give a seeker its turn: it leaves when it is finished or lacks memory."""
        progress.note(stage=f"searching ({planner.name})")
        planner.take(self.proofs.plan)
        before = planner.counters["expanded"]
        left, stopped = seconds, None
        while left > 0 and not (stopped or self.over() or planner.finished or planner.idle):
            try:
                stopped = planner.advance(self.clock, min(EXCHANGE, left))
            finally:
                by = f"the {planner.name} {'search' if isinstance(planner, Exhaustive) else 'seeker'}"
                now = planner.counters["expanded"]
                progress.note(expanded=now - before)
                before = now
                if (plan := planner.plan()) is not None:
                    self.proofs.offer(plan, by)
                if isinstance(planner, Proving):
                    self.proofs.raise_lower(planner.lower, by)
                if isinstance(planner, Exhaustive) and planner.exhausted:
                    self.proofs.exhausted(f"{by} saw all states")
            if self.exchange is not None:
                self.exchange()
            left -= EXCHANGE
        if stopped == "memory" or planner.finished:
            self._count(planner.name, planner.counters, planner.seconds)
            self.planners = [other for other in self.planners if other is not planner]
        for member in self.members:
            if self.proofs.upper is not None and member.search.tables.objective == self.proofs.objective:
                member.search.cut(self.proofs.upper)
        return stopped

    def _share(self, member: Member | None) -> float:
        """Return the part of a turn an entrant gets: all for the search that has proved most, half for one that is behind."""
        if member is None:
            return 1.0 if self.proofs.upper is None or self.shortening else ONCE_FOUND
        if member.weights != (1, 1):
            if self.first_plan and self.planners and member.search.counters["generated"] > EAGER:
                return FADED
            return GREEDY_SHARE if self.proofs.upper is None else ONCE_FOUND
        return 1.0 if member.search.lower >= self.proofs.lower else BEHIND

    def _part(self, planner: SatisficingSearch) -> float:
        """Return the part of a turn a planner gets; one that states its share of all time gets it beside the others' turns."""
        if not isinstance(planner, Exhaustive):
            return self._share(None)
        others = [other for other in self.planners if other is not planner and not other.idle]
        turns = sum(self._share(member) for member in self.members) + len(others) * self._share(None)
        return planner.share / (1 - planner.share) * max(turns, 1.0)

    def _turn(self, member: Member, seconds: float) -> str | None:
        progress.note(stage=f"searching ({member.name.replace('_', ' ')})")
        stopped: str | None = None
        left = seconds
        while left > 0 and not (stopped or self.over() or member.search.finished):
            try:
                stopped = member.search.advance(self.clock, min(EXCHANGE, left))
            finally:
                unidirectional.harvest(member.search, self.proofs, member.name)
            self._meet(member)
            if self.exchange is not None:
                self.exchange()
            for other in self.members:
                if self.proofs.upper is not None and other.search.tables.objective == self.proofs.objective:
                    other.search.cut(self.proofs.upper)
            if member.weights != (1, 1) and member.search.plan() is not None:
                self._calmer(member)
                return None
            left -= EXCHANGE
        if member.search.finished:
            self._leave(member)
        return stopped

    def _meet(self, member: Member) -> None:
        """Join a path of the forward search with one of the reverse search where they meet."""
        search = member.search
        count = search.counters["states"]
        if member.round != search.rounds:
            member.round, member.seen = search.rounds, 0
        for other in self.members:
            against = other.search
            objectives = {against.tables.objective, search.tables.objective}
            if against.tables.reverse == search.tables.reverse or objectives != {self.proofs.objective}:
                continue
            found = np.zeros(2, dtype=np.int64)
            ours, theirs = search.store, against.store
            key, meet = np.zeros(ours.words, np.uint64), search.code.hash_set.meet
            cost = meet(member.seen, count, ours.words, ours.states(), theirs.states(), key, found)
            if cost < (self.proofs.upper or workspace.UNBOUNDED):
                there, back = search.path(int(found[0])), against.path(int(found[1]))
                if search.tables.reverse:
                    there, back = back, there
                plan = astar.plan_of(self.proofs.problem, search.tables.board, there + back[-2::-1])
                self.proofs.offer(plan, "the meeting of forward and reverse search")
        member.seen = count

    def _calmer(self, member: Member) -> None:
        """Replace a greedy search that has found a plan by a less greedy one."""
        self._leave(member)
        at = GREEDY.index(member.weights) + 1 if member.weights in GREEDY else len(GREEDY)
        if at < len(GREEDY):
            tables = member.search.tables
            self.enter(member.name, reverse=tables.reverse, weights=GREEDY[at], objective=tables.objective)

    def enter_greedy(self) -> None:
        """Add searches for early plans: from the goals where that is possible (by pushes, if moves count), and from the start."""
        if self.options.greedy:
            self.enter_greedy_reverse()
            self.enter("greedy", weights=GREEDY[0])

    def enter_greedy_reverse(self) -> None:
        """Add the search for an early plan from the goals, once and where that is possible."""
        level, objective = self.proofs.problem, self.proofs.objective
        there = any(member.name == "greedy_reverse" for member in self.members)
        if self.options.greedy and not there and len(level.boxes) == len(level.goals):
            scout = "pushes" if objective == "moves" else objective
            self.enter("greedy_reverse", reverse=True, weights=GREEDY[0], objective=scout)

    def _do_without(self, member: Member, stopped: str) -> bool:
        """Go on without a search that has its fill of states, or without the least useful one when memory is short."""
        if stopped not in ("memory", "states") or len(self.members) < 2:
            return False
        least = min(self.members, key=lambda e: (e.search.lower, e is not member))
        self._leave(member if stopped == "states" else least)
        return True

    def _leave(self, member: Member) -> None:
        self._count(member.name, member.search.counters, member.search.seconds)
        self.members = [e for e in self.members if e is not member]

    def _count(self, name: str, counters: dict[str, int], seconds: float) -> None:
        for key, value in counters.items():
            self.counters[f"{name}_{key}"] = value
        self.seconds[name] = seconds

    def clear(self) -> None:
        """Let all searches leave."""
        for member in list(self.members):
            self._leave(member)

    def tally(self) -> dict[str, int]:
        """Return the counters of every search so far, and their sums."""
        for member in self.members:
            self._count(member.name, member.search.counters, member.search.seconds)
        for planner in self.planners:
            self._count(planner.name, planner.counters, planner.seconds)
        single = {key: value for key, value in self.counters.items() if "_" in key}
        sums = {
            what: sum(value for key, value in single.items() if key.endswith(f"_{what}"))
            for what in ("expanded", "generated", "states")
        }
        self.counters = single | sums
        return self.counters
