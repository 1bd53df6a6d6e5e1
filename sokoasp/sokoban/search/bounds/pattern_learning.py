"""Learned patterns: what small sets of boxes cost together, learned where a search is stuck.

From a random closed state of the f-layer that the search cannot finish, a set of boxes is grown: a plan for the set alone is
replayed among all boxes, and the first box in its way joins, until the set costs more than its parts. What is learned is one
more item for the packing in the bound of every state. Everything is counted, nothing timed: the same search learns the same
(docs/native-patterns.md, "Learned patterns").
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core.kernels.arrays import I4, U1, U8
from sokoasp.sokoban.search.model.records import LARGEST_SET, Bound, Ground, Learned, N, SetRegisters, SetSearch, V

if TYPE_CHECKING:
    from sokoasp.sokoban.search.bounds.search_tables import SearchTables
    from sokoasp.sokoban.search.model.options import Learning, Options
    from sokoasp.sokoban.search.model.workspace import Kernels

FIRST = 256
"""Rows of the arrays in the beginning."""
BUCKETS = 64
ENDLESS = 1 << 20
"""A cost that no set has."""
LONGEST = 2000
"""Most pushes of a plan that is replayed."""


@dataclass(slots=True)
class LearnedPatterns:
    """The learned patterns of one search, in arrays that the kernels read (``pattern_index``)."""

    facts: I4
    masks: U8
    heads: I4
    often: I4
    """(live, live): how often pairs of cells are seen in states; a learned pattern is kept under its rarest pair."""
    count: int = 0

    def arrays(self) -> Learned:
        """Return what a bound reads."""
        return Learned(self.facts, self.masks, self.heads)

    def room(self, harvest: int, most: int) -> int:
        """Make place for ``harvest`` more, but ``most`` in all; return how many learned patterns there may be then."""
        need = min(self.count + harvest, most)
        if need > len(self.facts):
            rows = min(max(need, 2 * len(self.facts)), most)
            for name in ("facts", "masks"):
                old = getattr(self, name)
                new = np.zeros((rows, old.shape[1]), old.dtype)
                new[: len(old)] = old
                setattr(self, name, new)
        return need


def none(live: int, cells: int, *, read: bool, used: bool) -> LearnedPatterns:
    """Return empty arrays, with room for patterns if they are going to be ``used``; ``read``: the bound looks patterns up."""
    rows, side, read_side = FIRST if used else 1, max(live * used, 1), max(live * read, 1)
    words = (live + 63) // 64 + (cells + 63) // 64
    pairs = np.full((read_side, read_side), -1, np.int32)
    often = np.zeros((side, side), np.int32)
    return LearnedPatterns(np.zeros((rows, 3), np.int32), np.zeros((rows, max(words, 1)), np.uint64), pairs, often)


@dataclass(frozen=True, slots=True)
class LearnedPattern:
    """One learned pattern as a claim that can be checked by itself: to serve these boxes costs at least ``cost``."""

    boxes: tuple[int, ...]
    """Numbers of their cells, ascending."""
    player: tuple[int, ...]
    """Numbers of the cells of the player's region around them."""
    cost: int | None
    """Lower bound on pushes (line pushes) and potentials of the goals they end on, alone on the board; None: no way."""


@dataclass(frozen=True, slots=True)
class Solved:
    """What a search of a set found."""

    status: int
    cost: int
    root: int
    path: I4
    """Three numbers a push, empty without a plan."""


@dataclass(slots=True)
class PatternLearner:
    """Solves sets of boxes and writes learned patterns down."""

    code: Kernels
    tables: SearchTables
    learned: LearnedPatterns
    options: Options
    expanded: int = 0
    """Nodes of all searches of sets so far: the learner's clock."""
    rng: random.Random = field(default_factory=lambda: random.Random(17))
    cache: dict[tuple[tuple[int, ...], int], Solved] = field(default_factory=dict)
    kernels: ModuleType = field(init=False)
    """The compiled module ``pattern_search``."""
    q: SetRegisters = field(init=False)
    sets: SetSearch = field(init=False)
    _other: U1 = field(init=False)
    _path: I4 = field(init=False)

    def __post_init__(self) -> None:
        """Allocate the scratch."""
        self.kernels = self.code.pattern_search
        t, nodes = self.tables, self.tuning.nodes
        n = t.board.size
        self.sets = SetSearch(
            v=np.zeros((len(V), n + LARGEST_SET), np.int32),
            occ=t.board.no_boxes(),
            flag=t.board.no_boxes(),
            key=np.zeros((t.board.live + 16 + 63) // 64, np.uint64),
            potential=t.patterns.potential,
            nodes=np.zeros((nodes, LARGEST_SET + len(N)), np.int32),
            links=np.zeros((3, nodes), np.int32),
            slots=np.zeros(1 << (2 * nodes - 1).bit_length(), np.int32),
            head=np.zeros(BUCKETS, np.int32),
            often=self.learned.often,
        )
        self._other, self._path = t.board.no_boxes(), np.zeros(3 * LONGEST, np.int32)
        self.q = SetRegisters(
            limit=self.tuning.expansions,
            live=t.board.live,
            lines=t.objective == "lines",
            reverse=t.reverse,
            freeze=self.options.freeze and not t.reverse,
            corral=self.options.corral and not t.reverse,
            wanted=t.board.player if t.reverse else -1,
        )

    @property
    def tuning(self) -> Learning:
        """Return how long sets are searched and how much is kept."""
        return self.options.tuning.learning

    def ground(self) -> Ground:
        """Return the board as the kernels take it."""
        return Ground(self.tables.board.neighbour, self.tables.target)

    def solve(
        self, cells: tuple[int, ...], player: int, bounding: Bound, spare: int = BUCKETS, needed: int = ENDLESS
    ) -> tuple[int, int, int]:
        """Search for the least cost of a set alone on the board.

        Args:
            cells: Ascending.
            player: Any cell of the player's region.
            bounding: Arrays of the bound.
            spare: The search may stop as soon as the cost is known to exceed the parts' by this ...
            needed: ... or to be this much.

        Returns status (EXACT, AT_LEAST, IMPOSSIBLE), the cost or the bound on it, what the parts were known to cost.
        """
        k, t, q = self.kernels, self.tables, self.q
        s = self.sets = self.sets._replace(potential=t.patterns.potential)
        if q.stamp > 1 << 29:
            s.v[[V.MARK, V.MARK2]] = 0
            q.stamp = 0
        start = np.array(cells, np.int32)
        q.size, q.patterns, q.needed = len(cells), t.patterns.largest, needed
        if spare < BUCKETS:
            # the estimate of the root is not known before the search: ask for it
            q.needed = min(k.estimate(q, bounding, s, start, player) + spare, needed)
        status = k.solve_set(q, self.ground(), bounding, s, start, player)
        self.expanded += q.expanded + 1
        return int(status), q.cost, q.root

    def harvest(self, status: int, bounding: Bound) -> int:
        """Note what the last search taught; return how many learned patterns that are."""
        learned, before, tuned = self.learned, self.learned.count, self.tuning
        most = learned.room(tuned.harvest, tuned.most)
        bounding = bounding._replace(learned=learned.arrays())
        take = self.kernels.harvest
        learned.count = take(self.q, self.ground(), bounding, self.sets, status, tuned.depth, before, most)
        return learned.count - before

    def path(self, size: int) -> I4:
        """Return the plan of the last search, empty without one."""
        k = self.kernels
        best = self.q.best
        near, path = self.tables.board.neighbour, self._path
        length = k.trace(size, best, near, self.sets.nodes, path) if best >= 0 else 0
        return path[: 3 * max(length, 0)].copy()

    def in_the_way(self, cells: tuple[int, ...], boxes: tuple[int, ...], player: int, path: I4) -> int:
        """Return the first box of a state that is in the way of a set's plan, -1 if none is."""
        k, other, v = self.kernels, self._other, self.sets.v
        others = [b for b in boxes if b not in cells]
        other[others] = 1
        v[V.SORTED, : len(cells)] = cells
        found = k.in_the_way(len(cells), player, path, len(path) // 3, v, self.q, self.tables.board.neighbour, other)
        other[others] = 0
        return int(found)

    def grow(
        self, seed: int, boxes: tuple[int, ...], player: int, bounding: Bound, spare: int, *, dead: bool = False
    ) -> bool:
        """Grow a set from one box of a state until it costs more than its parts; say whether something was learned.

        ``player`` is any cell of the player's region, ``spare`` as for ``solve``; ``dead``: learn only sets without a plan.
        """

        def teaches(known: Solved) -> bool:
            return known.status == self.kernels.IMPOSSIBLE or (not dead and known.cost > known.root)

        cells: tuple[int, ...] = (seed,)
        while True:
            # a set alone has larger regions than the state, so the cache hits often
            near = self.region(cells, player)
            known = self.cache.get((cells, near))
            if known is None:
                known = self._solved(cells, near, bounding, spare)
                # costs more than its parts: a new pattern; a single box is in the tables already
                if len(cells) > 1 and teaches(known):
                    small = dead or len(cells) < 3
                    status = known.status if small else self.shrunk(cells, near, known, bounding)
                    return self.harvest(status, bounding) > 0
            # learned before (or dropped for want of room): this seed teaches nothing more
            elif teaches(known):
                return False
            # without an exact plan nobody knows which box is in the way
            if known.status != self.kernels.EXACT or len(cells) == self.tuning.largest:
                return False
            # counterexample: the set's cheapest plan, replayed among all boxes, meets this one
            joins = self.in_the_way(cells, boxes, player, known.path)
            if joins < 0:
                return False
            cells = tuple(sorted((*cells, joins)))

    def shrunk(self, cells: tuple[int, ...], player: int, known: Solved, bounding: Bound) -> int:
        """Leave out boxes without which a set costs as much beyond its single costs; return the status of what is left.

        A smaller set holds in more states. That search is the last one then, for ``harvest``.

        Args:
            cells: The set, of more than two boxes.
            player: Smallest cell of the player's region.
            known: What the last search found, that of this set.
            bounding: Arrays of the bound.
        """
        alone, side, impossible = self.tables.patterns.arrays.alone, self.tables.board.side, self.kernels.IMPOSSIBLE
        single, status, last = {c: int(alone[side[c, player]]) for c in cells}, known.status, cells
        penalty = known.cost - sum(single.values())
        for box in cells:
            some = tuple(c for c in cells if c != box)
            if len(some) < 2:
                break
            # a set that is dead must stay dead; of others the cost needed may be passed before the search ends
            need = ENDLESS if status == impossible else sum(single[c] for c in some) + penalty
            near = self.region(some, player)
            less = self.cache.get((some, near))
            if less is None or (less.status == self.kernels.AT_LEAST and less.cost < need < ENDLESS):
                less, last = self._solved(some, near, bounding, needed=need), some
            if less.status == impossible or less.cost >= need:
                cells, player, status = some, near, less.status
        # the nodes at hand are those of the last search
        return status if last == cells else self.solve(cells, player, bounding)[0]

    def _solved(
        self, cells: tuple[int, ...], player: int, bounding: Bound, spare: int = BUCKETS, needed: int = ENDLESS
    ) -> Solved:
        """Search as ``solve`` does, and remember what was found: what a set costs alone does not change."""
        known = Solved(*self.solve(cells, player, bounding, spare, needed), self.path(len(cells)))
        if len(self.cache) < self.tuning.cached:
            self.cache[cells, player] = known
        return known

    def region(self, cells: tuple[int, ...], player: int) -> int:
        """Return the smallest cell of the player's region around a set alone."""
        v, occ = self.sets.v, self.sets.occ
        occ[list(cells)] = 1
        self.q.stamp += 1
        near, stamp = self.tables.board.neighbour, self.q.stamp
        # the smallest cell names the region, as in the states of the main search
        low = self.code.region_kernel.region(near, occ, player, v[V.MARK], stamp, v[V.QUEUE])
        occ[list(cells)] = 0
        return int(low)

    def listed(self) -> Iterator[LearnedPattern]:
        """Yield the learned patterns as claims, in the order in which they were learned."""
        board, learned, k = self.tables.board, self.learned, self.kernels
        words = (board.live + 63) // 64
        for at in range(learned.count):
            row = learned.masks[at]
            # box cells come first in a mask, then the cells of the player
            boxes = tuple(c for c in range(board.live) if int(row[c >> 6]) >> (c & 63) & 1)
            player = tuple(c for c in range(board.size) if int(row[words + (c >> 6)]) >> (c & 63) & 1)
            penalty = int(learned.facts[at, 0])
            single = sum(int(self.tables.patterns.arrays.alone[board.side[b, player[0]]]) for b in boxes)
            yield LearnedPattern(boxes, player, None if penalty == k.DEAD else single + penalty)
