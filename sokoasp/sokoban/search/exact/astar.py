"""One resumable best-first search: a slice at a time, bound and best plan at hand after every slice."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sokoasp.core import progress
from sokoasp.core.limits import Clock, resident_mb
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.bounds import pattern_databases, pattern_learning, search_tables
from sokoasp.sokoban.search.exact import learning
from sokoasp.sokoban.search.exact.learning import LearningRounds
from sokoasp.sokoban.search.exact.state_store import StateStore
from sokoasp.sokoban.search.model import push_board, workspace
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.records import Bound, Ground, Registers, RunStatus, Scratch, W

FIRST_RATE, USUAL_BOXES = 2000.0, 40
"""States a second a search is taken to expand before it has been seen, with up to USUAL_BOXES boxes; matching more is cubic."""
SLICE = 0.1
"""Seconds a kernel runs before Python looks at clock, memory and Ctrl-C."""
REBOUNDED = 2000
"""States bounded anew between two looks at the clock."""
ROWS_GROW = 8
"""The rows of components of the next larger patterns take up to this many times as much memory while they are filled."""
SLACK = 10
"""How far above the least bound of the start states a beam search looks at first."""
SPARE_BUCKETS = 512
"""Buckets of each depth of a beam search beside those for bounds up to twice that of the start."""


@dataclass(slots=True)
class Agenda:
    """When a search breaks off, and for what. All is counted in states, so that two runs do the same."""

    climb: int = workspace.NEVER
    """Generated states after which the tables of larger patterns are filled."""
    learn: int = workspace.NEVER
    """Generated states after which the search looks whether the f-layer lasts, and learns from its states."""
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    """Draws depths."""

    @property
    def pause(self) -> int:
        """Return after how many generated states the kernel is to pause."""
        return min(self.climb, self.learn)


@dataclass(slots=True)
class Search:
    """The state of one search; build it with :func:`begin`."""

    level: Level
    tables: search_tables.SearchTables
    options: Options
    store: StateStore
    code: workspace.Kernels
    r: Registers
    scratch: Scratch
    first_bound: Bound
    """What the kernels need for a bound, before tables and learned patterns have grown."""
    learning: LearningRounds
    agenda: Agenda = field(default_factory=Agenda)
    finished: bool = False
    seconds: float = 0.0
    without: str | None = None
    """The limit that kept larger tables from being filled, where the search must not go on without (``Proving.dearest`` 0)."""
    rate: float = FIRST_RATE
    """States a second it is taken to expand."""

    @property
    def learned(self) -> pattern_learning.LearnedPatterns:
        """Return what it has learned."""
        return self.learning.learned

    @property
    def learner(self) -> pattern_learning.PatternLearner | None:
        """Return what learns, made when it is first asked for; None where nothing is to be learned."""
        own = self.learning
        if own.active and own.learner is None:
            by = own.options or self.options
            own.learner = pattern_learning.PatternLearner(self.code, self.tables, own.learned, by)
        if own.learner is not None:
            # they may have grown since
            own.learner.tables = self.tables
        return own.learner

    @property
    def beam(self) -> bool:
        """Return whether it is a beam search."""
        return bool(self.r.stride)

    @property
    def lower(self) -> int:
        """Return the proved lower bound (the cutoff once everything below it is exhausted); 0 for a beam search."""
        cutoff = self.r.cutoff
        if self.finished:
            return cutoff
        return 0 if self.beam else min(self.r.bucket, cutoff)

    @property
    def effort(self) -> int:
        """Return the expansions so far, of states and of sets to learn from (all that its learner ever made)."""
        return self.r.expanded + (0 if self.learning.learner is None else self.learning.learner.expanded)

    @property
    def counters(self) -> dict[str, int]:
        """Return expanded, generated, reopened and stored states, and the size of the largest patterns in the bound."""
        return {
            "expanded": self.r.expanded,
            "generated": self.r.generated,
            "reopened": self.r.reopened,
            "states": self.r.count,
            "group_size": self.tables.patterns.largest,
            "lessons": self.learned.count,  # its name until version 0.2
            "learned_patterns": self.learned.count,
            "rounds": self.learning.rounds,
        }

    def cut(self, cost: int) -> None:
        """Look only for plans cheaper than this."""
        # with a cutoff the search has to exhaust all below it, so learning pays sooner than without a plan
        tuned, agenda = self.options.tuning.proving, self.agenda
        if self.learning.active and self.r.cutoff == workspace.UNBOUNDED and agenda.learn == tuned.unaided:
            self.learning.patience = tuned.first_round
            # where it has lasted for a while already it is given as long again
            agenda.learn = min(agenda.learn, 2 * self.r.generated + max(1, tuned.first_round // tuned.looks))
            self.r.pause_at = agenda.pause
        self.r.cutoff = min(self.r.cutoff, cost)

    def advance(self, clock: Clock, seconds: float, most_expanded: int | None = None) -> str | None:
        """Search for ``seconds`` at most.

        Args:
            clock: Running limits: time, memory, states.
            seconds: Length of this slice.
            most_expanded: Pause when this number of states is expanded in all.

        Returns:
            None when paused or finished (see ``finished``), else the limit that stops it: ``"time"``, ``"memory"``, ``"states"``.
        """
        end = time.perf_counter() + seconds
        while not self.finished:
            left = end - time.perf_counter()
            if (stopped := clock.over() or self.without) or left <= 0:
                return stopped
            # the kernel looks at no clock: it gets as many expansions as fit into a slice at the rate seen so far
            quota = max(1, int(self.rate * min(SLICE, left)))
            if most_expanded is not None:
                quota = min(quota, most_expanded - self.r.expanded)
                if quota <= 0:
                    return None
            limit = clock.limits.states
            if limit is not None and self.r.count >= limit:
                return "states"
            # full arrays grow here; if memory forbids that, the search ends with what it has proved
            if not self._slice(quota) and not self._enlarge(clock):
                return "memory"
            if not self.finished:
                self._do_what_is_due(clock)
        return None

    def _do_what_is_due(self, clock: Clock) -> None:
        """Do what the agenda asks for; each task may change when the next ones are due."""
        began, agenda = time.perf_counter(), self.agenda
        if self.r.generated >= agenda.climb:
            self._climb(clock)
        if self.r.generated >= agenda.learn:
            agenda.learn = learning.look(self, clock)
        if self.r.expanded >= self.r.vary_at and self.r.drawn == workspace.DRAWS:
            self.scratch.draws[:] = [agenda.rng.randrange(1 << 30) for _ in self.scratch.draws]
            self.r.drawn = 0
        self.r.pause_at = agenda.pause
        self.seconds += time.perf_counter() - began

    def bound(self, boxes: Sequence[int], player: int, needed: int = workspace.UNBOUNDED) -> int:
        """Return the lower bound of a state, of ascending boxes and any cell of the player's region.

        More than is ``needed`` is not proved.
        """
        s, t, code = self.scratch, self.tables, self.code
        # no parent to go on from: match from scratch, list all patterns
        s.w[W.BOXES, : len(boxes)] = boxes
        self.r.moved = -1
        if code.state_bound.match_state(self.r, s.w, player, t.board.side, t.dist) >= push_board.INFINITE:
            return push_board.INFINITE
        code.primitives.pack(s.w[W.BOXES], len(boxes), player, self.store.words, s.key)
        return int(code.state_bound.bound(self.r, self.bounding(), s, player, needed))

    def _climb(self, clock: Clock) -> None:
        """Take patterns of one box more into the bound, if time and memory suffice for their tables."""
        t, now = self.tables, self.tables.patterns.largest
        took, megabytes = pattern_databases.estimate(t.board, now + 1)
        megabytes += ROWS_GROW * t.patterns.arrays.rows.nbytes / 1e6
        limit, held = clock.limits.memory_mb, resident_mb()
        self.agenda.climb = workspace.NEVER
        # tables that would take much of what is left do not pay any more, and other searches would wait for them
        dearest = self.options.tuning.proving.dearest
        if clock.remaining is not None and clock.remaining < dearest * took:
            return
        if limit is not None and held + megabytes > limit:
            self.without = None if dearest else "memory"
            return

        def within_limits(taking: float) -> bool:
            return clock.over() is None and (limit is None or held + taking <= limit)

        self.tables = search_tables.enlarged(t, self.options, now + 1, within_limits)
        if self.tables is not t:
            self._bound_anew(clock)
            self.agenda.climb = _next_climb(self.tables, self.options)
        elif not dearest:
            self.without = clock.over() or "memory"

    def _bound_anew(self, clock: Clock) -> None:
        """Bound the open states anew after the tables have grown, as many as time allows: old bounds hold as well."""
        self.r.patterns, self.r.paid = self.tables.patterns.largest, self.tables.patterns.total
        count, bound, bound_anew = self.r.count, self.bounding(), self.code.open_list.bound_anew
        # a bound may only rise: old priorities stay admissible where time does not suffice
        for start in range(0, count, REBOUNDED):
            if clock.over() == "time":
                break
            at, stop = start, min(count, start + REBOUNDED)
            while (at := bound_anew(self.r, bound, self.store.states, self.scratch, at, stop)) >= 0:
                self.store.widen()

    def bounding(self) -> Bound:
        """Return what the kernels need for the bound of a state; it is another after tables or learned patterns have grown."""
        return self.first_bound._replace(patterns=self.tables.patterns.arrays, learned=self.learned.arrays())

    def _slice(self, quota: int) -> bool:
        """Run the kernel once; False if the state arrays are full."""
        # marks are compared with a stamp that only grows; before it overflows all are cleared
        if self.r.stamp > 1 << 29:
            self.scratch.w[W.MARK] = self.scratch.w[W.MARK2] = 0
            self.r.stamp = 0
        self.r.quota = quota
        before, began = self.r.expanded, time.perf_counter()
        ground = Ground(self.tables.board.neighbour, self.tables.target)
        status = self.code.expand.run(self.r, ground, self.bounding(), self.store.states, self.scratch)
        took = time.perf_counter() - began
        self.seconds += took
        progress.note(expanded=self.r.expanded - before)
        if took > 1e-3:
            rate = (self.r.expanded - before) / took
            self.rate = min(max(rate, 1.0), 4 * self.rate)
        self.finished = status == RunStatus.DONE
        if status == RunStatus.WIDEN:
            self.store.widen()
        return bool(status != RunStatus.GROW)

    def _enlarge(self, clock: Clock) -> bool:
        return self.store.grow(self.code.hash_set, self.r.count, self.r.room + 1, clock.spare_bytes)

    def path(self, index: int) -> list[tuple[int, ...]]:
        """Return the box sets from the start state to a stored state."""
        found = []
        boxes = np.zeros(len(self.tables.board.boxes) + 1, dtype=np.int32)
        while index >= 0:
            self.code.primitives.unpack(self.store.states.keys, index, self.tables.board.live, self.store.words, boxes)
            found.append(tuple(boxes[:-1].tolist()))
            index = int(self.store.states.came[index])
        found.reverse()
        return found


def _next_climb(tables: search_tables.SearchTables, options: Options) -> int:
    """Return after how many generated states larger patterns are worth their tables."""
    now = tables.patterns.largest
    if not now or now >= pattern_databases.fits(tables.board, options.largest_pattern):
        return workspace.NEVER
    tuned = options.tuning.proving
    return int(tuned.climb * pattern_databases.estimate(tables.board, now + 1)[0] / tuned.generation)


def begin(level: Level, tables: search_tables.SearchTables, options: Options, *, beam: bool = False) -> Search:
    """Set up a search; a ``beam`` search finds plans but proves no bound on the way."""
    code, store = workspace.compiled(), StateStore(words=(tables.board.live + 16 + 63) // 64)
    r = workspace.registers(tables, options, words=store.words)
    learns = bool(options.learned_patterns and r.patterns and not beam)
    learned = pattern_learning.none(tables.board.live, tables.board.size, read=bool(r.patterns), used=learns)
    scratch = workspace.scratch(tables.board, store.words)
    frozen = workspace.frozen_walls(tables.board, used=bool(r.walls))
    items = np.zeros((code.cost_partitioning.PACKING, code.cost_partitioning.ITEMS), dtype=np.int64)
    bound = Bound(tables.board.side, tables.dist, tables.patterns.arrays, learned.arrays(), frozen, items)
    search = Search(level, tables, options, store, code, r, scratch, bound, LearningRounds(learned, learns))
    # the matching is cubic in the boxes: the first slice must not last for minutes
    search.rate *= min(1.0, USUAL_BOXES / len(tables.board.boxes)) ** 3
    tuned = options.tuning.proving
    if not beam:
        search.agenda.climb = _next_climb(tables, options)
        r.vary_at = tuned.lasting if tuned.stretch else workspace.NEVER
    if learns:
        search.learning.patience, search.agenda.learn = max(tuned.first_round, tuned.unaided // 4), tuned.unaided
    r.pause_at = search.agenda.pause
    if beam:
        least = min(
            (one for one in (search.bound(*at) for at in tables.starts) if one < push_board.INFINITE), default=0
        )
        r.horizon, r.stride = least + SLACK, 1 << (2 * least + SPARE_BUCKETS).bit_length()
    for boxes, player in tables.starts:
        _seed(search, boxes, player)
    return search


def _seed(search: Search, boxes: tuple[int, ...], player: int) -> None:
    """Put a start state into the store, its bound as if it were its own child."""
    s, t, r, open_list = search.store, search.tables, search.r, search.code.open_list
    w = search.scratch.w
    w[W.BOXES, : len(boxes)] = boxes
    r.moved = -1
    if r.matching and open_list.match_state(r, w, player, t.board.side, t.dist) >= push_board.INFINITE:
        return
    first = r.bucket if r.count else None
    r.bucket = 0
    while open_list.enter(r, search.bounding(), s.states, search.scratch, -1, player, 0, 0):
        s.widen()
    if r.count and first is None:
        r.bucket = int(s.states.bucket_of[0])
    elif first is not None:
        r.bucket = min(int(first), int(s.states.bucket_of[r.count - 1]))
