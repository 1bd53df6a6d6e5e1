"""A* as a member of a schedule: forward by pushes, reverse by pulls (thesis 2.3), exact, or as a beam search for early plans."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sokoasp.core import kernels, progress
from sokoasp.core.bounds import Bounds
from sokoasp.core.limits import Clock
from sokoasp.core.schedule import Role
from sokoasp.sokoban.grid import UNASSIGNABLE
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.bounds.search_tables import SearchTables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board, referee, workspace
from sokoasp.sokoban.search.model.options import Options


@dataclass(slots=True, eq=False)
class Member:
    """One search; a beam search that has found a plan goes on with cheaper ones."""

    name: str
    search: astar.Search
    others: Callable[[], list[Any]]
    """Returns the members of the schedule, to meet those of the other direction."""
    idle: bool = False
    _seen: int = 0
    """States already looked up in the opposite search."""
    _offered: int = workspace.UNBOUNDED
    """Cost of the best plan that it has handed in: each is replayed once, which takes as long as many states."""

    @property
    def role(self) -> Role:
        """Return ``exact`` or ``beam``."""
        return "beam" if self.search.beam else "exact"

    @property
    def seconds(self) -> float:
        """Return the seconds it has searched."""
        return self.search.seconds

    @property
    def finished(self) -> bool:
        """Return whether it has seen all it may see."""
        return self.search.finished

    @property
    def lower(self) -> int:
        """Return the bound it has proved."""
        return self.search.lower

    @property
    def counters(self) -> Mapping[str, int]:
        """Return expanded, generated, reopened and stored states."""
        return self.search.counters

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Search for ``seconds`` at most; return the limit that stops it, else None."""
        return self.search.advance(clock, seconds)

    def exchange(self, bounds: Bounds) -> None:
        """Hand in bound and plan, also one through a state that a search of the other direction knows; take the cutoff."""
        search, by = self.search, f"the {self.name} search"
        best, spent = search.r.best, search.store.states.spent
        if best >= 0 and spent[best] < self._offered:
            self._offered = int(spent[best])
            if (plan := plan_found(search)) is not None:
                bounds.offer(plan, by)
        # one for another objective only looks for a plan
        if search.tables.objective != bounds.objective:
            return
        if search.finished and bounds.upper is None and not search.r.clipped:
            bounds.exhausted(f"{by} saw all states")
        else:
            bounds.raise_lower(min(search.lower, workspace.UNBOUNDED), by)
        self._meet(bounds)
        if bounds.upper is not None:
            search.cut(bounds.upper)

    def _meet(self, bounds: Bounds) -> None:
        """Join a path of the forward search with one of the reverse search where they meet."""
        search = self.search
        count = search.counters["states"]
        for other in self.others():
            against = other.search
            if against.tables.reverse == search.tables.reverse or against.tables.objective != bounds.objective:
                continue
            found = np.zeros(2, dtype=np.int64)
            ours, theirs = search.store, against.store
            key, meet = np.zeros(ours.words, np.uint64), search.code.hash_set.meet
            # states stored since the last turn are looked up among all of the other search
            cost = meet(self._seen, count, ours.words, ours.states, theirs.states, key, found)
            if cost < (bounds.upper or workspace.UNBOUNDED):
                there, back = search.path(int(found[0])), against.path(int(found[1]))
                if search.tables.reverse:
                    there, back = back, there
                # the way back is read from its end, without the state in which both meet
                plan = referee.plan_of(bounds.problem, search.tables.board, there + back[-2::-1])
                bounds.offer(plan, "the meeting of forward and reverse search")
        self._seen = count


def prepare(
    level: Level,
    objective: str,
    options: Options,
    bounds: Bounds,
    *,
    reverse: bool,
    seconds: dict[str, float] | None = None,
    beam: bool = False,
    filled: SearchTables | None = None,
) -> astar.Search | None:
    """Set a search up and note what the tables alone prove; None if that settles the level already.

    Tables that are ``filled`` already, of this objective and direction and with these options, are taken as they are.
    """
    if level.solved:
        bounds.offer(Plan((), ""), "the start")
        return None
    began = time.perf_counter()
    progress.note(stage="preparing")
    numbers = push_board.build(level)
    if numbers.dead_start:
        bounds.exhausted(UNASSIGNABLE)
        return None
    tabled = filled or search_tables.build(level, numbers, objective, options, reverse=reverse)
    search = astar.begin(level, tabled, options, beam=beam)
    if bounds.upper is not None and objective == bounds.objective:
        search.cut(bounds.upper)
    if seconds is not None:
        seconds["kernels"] = kernels.load_seconds()
        seconds["tables"] = time.perf_counter() - began
    return search


def plan_found(search: astar.Search) -> Plan | None:
    """Return the best plan that a search has found, None if there is none yet."""
    if search.r.best < 0:
        return None
    steps = search.path(search.r.best)
    return referee.plan_of(search.level, search.tables.board, steps[::-1] if search.tables.reverse else steps)
