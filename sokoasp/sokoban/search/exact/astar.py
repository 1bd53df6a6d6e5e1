"""One resumable best-first search: a slice at a time, bound and best plan at hand after every slice."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from sokoasp.core import progress
from sokoasp.core.limits import Clock, resident_mb
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.bounds import pattern_databases, pattern_learning, search_tables
from sokoasp.sokoban.search.bounds.search_tables import SearchTables
from sokoasp.sokoban.search.exact import learning
from sokoasp.sokoban.search.exact.state_store import StateStore
from sokoasp.sokoban.search.model import push_board, workspace
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.records import Bound, Ground, Scratch
from sokoasp.sokoban.search.model.registers import R, RunStatus, W
from sokoasp.sokoban.search.model.workspace import NEVER, UNBOUNDED, Kernels

if TYPE_CHECKING:
    import numpy.typing as npt

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
class Search:
    """The state of one search; build it with :func:`begin`."""

    level: Level
    tables: SearchTables
    options: Options
    store: StateStore
    code: Kernels
    r: npt.NDArray[np.int64]
    """Registers (``registers.R``)."""
    scratch: Scratch
    items: npt.NDArray[np.int64]
    """Scratch of the pattern bound."""
    learned: pattern_learning.LearnedPatterns
    walls: tuple[npt.NDArray[Any], ...]
    """What follows from boxes that never move again (``workspace.frozen_walls``)."""
    known: int = 0
    """Learned patterns by which the stored states have been bounded anew."""
    learns: bool = False
    learning: Options | None = None
    """The prunings of what learns; None: those of the search."""
    finished: bool = False
    seconds: float = 0.0
    rounds: int = 1
    """Stretches of the search, with learning between them."""
    without: str | None = None
    """The limit that kept larger tables from being filled, where the search must not go on without (``Proving.dearest`` 0)."""
    _rate: float = field(default=FIRST_RATE)
    _learned_from: int = -1
    """The f-layer that was learned from last."""
    _since: int = 0
    _patience: int = 0
    _hope: tuple[float, float] = (1.0, 1.0)
    """States that learning lifted, and sets it expanded; earlier rounds count less."""
    _climb_at: int = NEVER
    _learn_at: int = NEVER
    _vary_at: int = NEVER
    """Expansions after which the search goes on at another depth, if ``_layer`` is still the lowest."""
    _layer: int = -1
    _rng: random.Random = field(default_factory=lambda: random.Random(1))
    _learner: pattern_learning.PatternLearner | None = None

    @property
    def learner(self) -> pattern_learning.PatternLearner | None:
        """Return what learns, made when it is first asked for; None where nothing is to be learned."""
        if self.learns and self._learner is None:
            by = self.learning or self.options
            self._learner = pattern_learning.PatternLearner(self.code, self.tables, self.learned, by)
        if self._learner is not None:
            # one that came from another search may know tables of larger patterns than the arrays of this one's bound
            self._learner.tables = self.tables
        return self._learner

    @property
    def beam(self) -> bool:
        """Return whether it is a beam search."""
        return bool(self.r[R.STRIDE])

    @property
    def lower(self) -> int:
        """Return the proved lower bound (the cutoff once everything below it is exhausted); 0 for a beam or vicinity search."""
        cutoff = int(self.r[R.CUTOFF])
        if len(self.store.states.plan):
            return 0
        if self.finished:
            return cutoff
        return 0 if self.beam else min(int(self.r[R.BUCKET]), cutoff)

    @property
    def effort(self) -> int:
        """Return the expansions so far, of states and of sets to learn from (all that its learner ever made)."""
        return int(self.r[R.EXPANDED]) + (0 if self._learner is None else self._learner.expanded)

    @property
    def clipped(self) -> bool:
        """Return whether states were dropped only for costing the cutoff or more."""
        return bool(self.r[R.CLIPPED])

    @property
    def counters(self) -> dict[str, int]:
        """Return expanded, generated, reopened and stored states, and the size of the largest patterns in the bound."""
        return {
            "expanded": int(self.r[R.EXPANDED]),
            "generated": int(self.r[R.GENERATED]),
            "reopened": int(self.r[R.REOPENED]),
            "states": int(self.r[R.COUNT]),
            "group_size": self.tables.patterns.largest,
            "lessons": self.learned.count,  # its name until version 0.2
            "learned_patterns": self.learned.count,
            "rounds": self.rounds,
        }

    def cut(self, cost: int) -> None:
        """Look only for plans cheaper than this."""
        # with a cutoff the search has to exhaust all below it, so learning pays sooner than without a plan
        if self.learns and self.r[R.CUTOFF] == UNBOUNDED and self._learn_at == self.options.tuned.proving.unaided:
            tuned, generated = self.options.tuned.proving, int(self.r[R.GENERATED])
            self._patience = tuned.first_round
            # where it has lasted for a while already it is given as long again
            self._learn_at = min(self._learn_at, 2 * generated + max(1, tuned.first_round // tuned.looks))
            self.r[R.PAUSE_AT] = min(self._climb_at, self._learn_at)
        self.r[R.CUTOFF] = min(int(self.r[R.CUTOFF]), cost)

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
            quota = max(1, int(self._rate * min(SLICE, left)))
            quota = min(quota, self._vary_at - int(self.r[R.EXPANDED]))
            if most_expanded is not None:
                quota = min(quota, most_expanded - int(self.r[R.EXPANDED]))
                if quota <= 0:
                    return None
            limit = clock.limits.states
            if limit is not None and self.r[R.COUNT] >= limit:
                return "states"
            # full arrays grow here; if memory forbids that, the search ends with what it has proved
            if not self._slice(quota) and not self._enlarge(clock):
                return "memory"
            if not self.finished and int(self.r[R.GENERATED]) >= self._climb_at:
                self._climb(clock)
            if not self.finished and int(self.r[R.GENERATED]) >= self._learn_at:
                self._learn(clock)
            self.r[R.PAUSE_AT] = min(self._climb_at, self._learn_at)
            if not self.finished and int(self.r[R.EXPANDED]) >= self._vary_at:
                self._vary()
        return None

    def _vary(self) -> None:
        """Go on at another depth of a layer that does not end: depth first alone a plan may be missed for ever."""
        began, layer, tuned = time.perf_counter(), int(self.r[R.BUCKET]), self.options.tuned.proving
        if layer > self._layer:
            pause = tuned.lasting
        else:
            depth, which = self._rng.randrange(1 << 30), self._rng.randrange(1 << 30)
            self.code.open_list.diversify(self.r, self.store.states, depth, which, np.zeros(layer + 1, np.int32))
            pause = max(tuned.stretch, int(self.r[R.COUNT]) // tuned.stretches)
        self._layer, self._vary_at = layer, int(self.r[R.EXPANDED]) + pause
        self.seconds += time.perf_counter() - began

    def _learn(self, clock: Clock) -> None:
        """Learn from closed states of an f-layer that does not end."""
        assert self.learner is not None
        began, tuned = time.perf_counter(), self.options.tuned.proving
        layer, generated = int(self.r[R.BUCKET]), int(self.r[R.GENERATED])
        patience = max(self._patience, int(self.r[R.COUNT]) // tuned.passes)
        # Step 1. A layer that has moved on is no obstacle: wait again, a little less
        if layer > self._learned_from:
            self._learned_from, self._since = layer, generated
            self._patience = max(tuned.first_round, int(self._patience / tuned.longer))
        # Step 2. A layer that stays: learn what its closed states cost (Junghanns and Schaeffer's pattern search)
        elif generated - self._since >= patience:
            with progress.at("learning"):
                lifted, spent = learning.study(self, self.learner, int(patience * tuned.learning), clock)
            self.rounds += 1
            self._since = generated
            # Step 3. Where that was mostly in vain the search goes on for longer
            self._hope = tuned.memory * self._hope[0] + lifted, tuned.memory * self._hope[1] + spent
            if self._hope[0] < tuned.hope * self._hope[1]:
                self._patience = int(self._patience * tuned.longer) + 1
                self._since += tuned.hopeless * self._patience
            else:
                self._patience = max(tuned.first_round, int(self._patience / tuned.longer))
        self._learn_at = generated + max(1, self._patience // tuned.looks)
        self.seconds += time.perf_counter() - began

    def bound(self, boxes: Sequence[int], player: int, enough: int = UNBOUNDED) -> int:
        """Return the lower bound of a state; more than ``enough`` need not be proved.

        Args:
            boxes: Numbers of the box cells, ascending.
            player: Any cell of the player's region.
            enough: See above.
        """
        s, t, code = self.scratch, self.tables, self.code
        # no parent to go on from: match from scratch, list all patterns
        s.w[W.BOXES, : len(boxes)] = boxes
        self.r[R.MOVED] = -1
        if code.open_list.match_state(self.r, s.w, player, t.board.side, t.dist) >= push_board.INFINITE:
            return push_board.INFINITE
        code.primitives.pack(s.w[W.BOXES], len(boxes), player, self.store.words, s.key)
        return int(code.open_list.bound(self.r, self.bounding(), s, player, enough))

    def _climb(self, clock: Clock) -> None:
        """Take patterns of one box more into the bound, if time and memory suffice for their tables."""
        t, now = self.tables, self.tables.patterns.largest
        took, megabytes = pattern_databases.estimate(t.board, now + 1)
        megabytes += ROWS_GROW * t.patterns.rows.nbytes / 1e6
        limit, held = clock.limits.memory_mb, resident_mb()
        self._climb_at = NEVER
        # tables that would take much of what is left do not pay any more, and other searches would wait for them
        dearest = self.options.tuned.proving.dearest
        if clock.remaining is not None and clock.remaining < dearest * took:
            return
        if limit is not None and held + megabytes > limit:
            self.without = None if dearest else "memory"
            return

        def going(taking: float) -> bool:
            return clock.over() is None and (limit is None or held + taking <= limit)

        began = time.perf_counter()
        self.tables = search_tables.enlarged(t, self.options, now + 1, going)
        if self.tables is not t:
            self._bound_anew(clock)
            self._climb_at = _next_climb(self.tables, self.options)
        elif not dearest:
            self.without = clock.over() or "memory"
        self.seconds += time.perf_counter() - began

    def _bound_anew(self, clock: Clock) -> None:
        """Bound the open states anew after the tables have grown, as many as time allows: old bounds hold as well."""
        self.r[R.PATTERNS], self.r[R.PAID] = self.tables.patterns.largest, self.tables.patterns.total
        count, bound, bound_anew = int(self.r[R.COUNT]), self.bounding(), self.code.open_list.bound_anew
        # a bound may only rise: old priorities stay admissible where time does not suffice
        for start in range(0, count, REBOUNDED):
            if clock.over() == "time":
                break
            at, stop = start, min(count, start + REBOUNDED)
            while (at := bound_anew(self.r, bound, self.store.states, self.scratch, at, stop)) >= 0:
                self.store.widen()

    def bounding(self) -> Bound:
        """Return what the kernels need for the bound of a state; it is another after tables or learned patterns have grown."""
        t, g = self.tables, self.tables.patterns
        of_patterns = (g.alone, g.binomial, g.flat, g.row_of, g.first, g.rows, g.penalty, g.bits)
        rest: tuple[Any, ...] = (*self.learned.arrays(), *self.walls, *t.prices.arrays)
        return Bound(t.board.side, t.dist, *of_patterns, self.items, *rest)

    def _slice(self, quota: int) -> bool:
        """Run the kernel once; False if the state arrays are full."""
        # marks are compared with a stamp that only grows; before it overflows all are cleared
        if self.r[R.STAMP] > 1 << 29:
            self.scratch.w[W.MARK] = self.scratch.w[W.MARK2] = 0
            self.r[R.STAMP] = 0
        self.r[R.QUOTA] = quota
        before, began = int(self.r[R.EXPANDED]), time.perf_counter()
        ground = Ground(self.tables.board.neighbour, self.tables.target)
        status = self.code.expand.run(self.r, ground, self.bounding(), self.store.states, self.scratch)
        took = time.perf_counter() - began
        self.seconds += took
        progress.note(expanded=int(self.r[R.EXPANDED]) - before)
        if took > 1e-3:
            rate = (int(self.r[R.EXPANDED]) - before) / took
            self._rate = min(max(rate, 1.0), 4 * self._rate)
        self.finished = status == RunStatus.DONE
        if status == RunStatus.WIDEN:
            self.store.widen()
        return bool(status != RunStatus.GROW)

    def _enlarge(self, clock: Clock) -> bool:
        return self.store.grow(self.code.hash_set, int(self.r[R.COUNT]), int(self.r[R.ROOM]) + 1, clock.spare_bytes)

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

    def plan(self) -> Plan | None:
        """Return the best plan found, None if there is none yet."""
        best = int(self.r[R.BEST])
        if best < 0:
            return None
        steps = self.path(best)
        return push_board.plan_of(self.level, self.tables.board, steps[::-1] if self.tables.reverse else steps)


def _next_climb(tables: SearchTables, options: Options) -> int:
    """Return after how many generated states larger patterns are worth their tables."""
    now = tables.patterns.largest
    if not now or now >= pattern_databases.fits(tables.board, options.largest_pattern):
        return NEVER
    tuned = options.tuned.proving
    return int(tuned.climb * pattern_databases.estimate(tables.board, now + 1)[0] / tuned.generation)


def begin(level: Level, tables: SearchTables, options: Options, *, beam: bool = False) -> Search:
    """Set up a search; a ``beam`` search finds plans but proves no bound on the way."""
    code, store = workspace.compiled(options), StateStore(words=(tables.board.live + 16 + 63) // 64)
    r = workspace.registers(tables, options, words=store.words)
    learns = bool(options.learned_patterns and r[R.PATTERNS] and not beam)
    items = np.zeros((code.cost_partitioning.PACKING, code.cost_partitioning.ITEMS), dtype=np.int64)
    learned = pattern_learning.none(tables.board.live, tables.board.size, read=bool(r[R.PATTERNS]), used=learns)
    scratch = workspace.scratch(tables.board, store.words)
    walls = workspace.frozen_walls(tables.board, used=bool(r[R.WALLS]))
    search = Search(level, tables, options, store, code, r, scratch, items, learned, walls)
    # the matching is cubic in the boxes: the first slice must not last for minutes
    search._rate *= min(1.0, USUAL_BOXES / len(tables.board.boxes)) ** 3
    if not beam:
        search._climb_at = _next_climb(tables, options)
        search._vary_at = options.tuned.proving.lasting if options.tuned.proving.stretch else NEVER
    if learns:
        search.learns = True
        tuned = options.tuned.proving
        search._patience, search._learn_at = max(tuned.first_round, tuned.unaided // 4), tuned.unaided
    r[R.PAUSE_AT] = min(search._climb_at, search._learn_at)
    if beam:
        bounds = [search.bound(*start) for start in tables.starts]
        least = min((one for one in bounds if one < push_board.INFINITE), default=0)
        r[R.HORIZON], r[R.STRIDE] = least + SLACK, 2 << (2 * least + SPARE_BUCKETS).bit_length()
        if options.uses("novelty"):
            store.states = store.states._replace(pairs=workspace.pairs(tables.board, int(r[R.STRIDE])))
    for boxes, player in tables.starts:
        _seed(search, boxes, player)
    return search


def _seed(search: Search, boxes: tuple[int, ...], player: int) -> None:
    """Put a start state into the store, its bound as if it were its own child."""
    s, t, r, open_list = search.store, search.tables, search.r, search.code.open_list
    w = search.scratch.w
    w[W.BOXES, : len(boxes)] = boxes
    r[R.MOVED] = -1
    if r[R.MATCHING] and open_list.match_state(r, w, player, t.board.side, t.dist) >= push_board.INFINITE:
        return
    first = r[R.BUCKET] if r[R.COUNT] else None
    r[R.BUCKET] = 0
    while open_list.enter(r, search.bounding(), s.states, search.scratch, -1, player, 0, 0):
        s.widen()
    if r[R.COUNT] and first is None:
        r[R.BUCKET] = int(s.states.bucket_of[0])
    elif first is not None:
        r[R.BUCKET] = min(int(first), int(s.states.bucket_of[int(r[R.COUNT]) - 1]))
