"""Is this state lost? Cheap tests first; what depends on a part of the state only is remembered by that part."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

import numpy as np

from sokoasp.core.kernels.arrays import I4, I8, U1
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.bounds import pattern_learning, search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.exact.astar import Search
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.push_board import PushBoard
from sokoasp.sokoban.search.model.records import W
from sokoasp.sokoban.search.satisficing.macro_registers import BITS
from sokoasp.sokoban.search.satisficing.macro_workspace import MacroWorkspace

STUDY = 20
"""States of small sets looked at for every state of the satisficing searches: a tenth to a third of the time."""


@dataclass(slots=True)
class BoundOracle:
    """The tables of one level and direction, with a search that is never run."""

    level: Level
    board: PushBoard
    options: Options
    reverse: bool = False
    search: Search = field(init=False)
    asked: int = 0
    """States studied."""
    rng: random.Random = field(default_factory=lambda: random.Random(2011))

    def __post_init__(self) -> None:
        """Fill the tables of distances and patterns."""
        tables = search_tables.build(self.level, self.board, "pushes", self.options, reverse=self.reverse)
        # frozen boxes have a test of their own among the dead ends
        self.search = astar.begin(self.level, tables, replace(self.options, walls=False))

    def goal_distance(self) -> I4:
        """Return by cell (the sentinel last) the pushes of a lone box to the nearest goal, 0 on cells that are not live."""
        found = np.zeros(self.board.size + 1, dtype=np.int32)
        least = self.search.tables.dist.min(axis=1)
        for cell, states in enumerate(self.board.side[: self.board.live].tolist()):
            found[cell] = min(least[state] for state in set(states) if state >= 0)
        return found

    def lost(self, boxes: tuple[int, ...], player: int) -> bool:
        """Return whether no assignment sends every box to a goal, or some box reaches no goal, the player's sides considered."""
        return self.search.bound(boxes, player) >= push_board.INFINITE

    def sift(self, boxes: tuple[int, ...], player: int, count: int, b: MacroWorkspace) -> int:
        """Drop the children of a state, listed in ``b``, that patterns with the moved box prove lost; return how many stay.

        -1 if the state itself is lost.
        """
        s = self.search
        s.scratch.w[W.BOXES, : len(boxes)] = boxes
        return int(b.compiled.bound_filter.sift(count, player, s.r, s.bounding(), s.scratch, b.kids))

    def study(self, boxes: tuple[int, ...], player: int, moved: int) -> bool:
        """Look for boxes that have no way to goals, from the box just moved and another one on; return whether there are any.

        Raises ValueError: no box stands on ``moved``: what is learnt of it would say nothing about this state.
        """
        if moved not in boxes:
            raise ValueError(f"no box stands on cell {moved}")
        self.asked += 1
        learner = self.search.learner
        if learner is None or learner.expanded > STUDY * self.asked:
            return False
        spare, seeds = pattern_learning.BUCKETS, (moved, self.rng.choice(boxes))
        return any(learner.grow(seed, boxes, player, self.search.bounding(), spare, dead=True) for seed in seeds)


@dataclass(slots=True)
class Still:
    """What follows from boxes that never move again: goals the others reach by cell, and goals that must be filled already."""

    reach: I8
    filled: tuple[int, ...]


@dataclass(slots=True)
class DeadEndTests:
    """The tests of one level with what they remember."""

    branching: MacroWorkspace
    """For its scratch only."""
    oracle: BoundOracle
    still: dict[bytes, Still] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=lambda: {"patterns": 0, "still": 0})
    reported: dict[int, bool] = field(default_factory=dict)
    """By hash of a state that some search has asked about: whether it is lost. The others need not ask again."""
    goals: I4 = field(init=False)

    def __post_init__(self) -> None:
        """Note the goals."""
        self.goals = np.array(self.branching.board.goals, dtype=np.int32)

    def lost(self, boxes: tuple[int, ...], player: int) -> bool:
        """Return whether a state is proved lost."""
        # cheap to dear; each takes boxes away or asks less, so what it calls lost is lost
        if self.oracle.lost(boxes, player):
            name = "patterns"
        elif self.oracle.options.uses("frozen_boxes") and self._stuck(boxes):
            name = "still"
        else:
            return False
        self.counts[name] += 1
        return True

    def child_lost(self, boxes: tuple[int, ...], player: int, moved: int, key: int) -> bool:
        """Return whether a state is proved lost, where the box just pushed stands on ``moved``; the answer is kept."""
        if key not in self.reported:
            self.reported[key] = self.lost(boxes, player) or self.oracle.study(boxes, player, moved)
        return self.reported[key]

    def _stuck(self, boxes: tuple[int, ...]) -> bool:
        """Return whether boxes that never move again keep the others from their goals."""
        b, cells = self.branching, np.array(boxes, dtype=np.int32)
        flag, kernels = b.bench.bits[1], b.compiled.dead_end_kernels
        count = b.compiled.freeze.settled(len(cells), cells, b.board.size, b.board.neighbour, b.board.live, flag)
        still = flag.copy()
        flag[cells] = 0
        if count == 0:
            return False
        known = self.still.get(still.tobytes())
        if known is None:
            known = self.still[still.tobytes()] = self._still(still)
        # such a goal is filled already or never
        if any(g not in boxes for g in known.filled):
            return True
        owner, line = np.zeros(len(boxes), dtype=np.int32), np.zeros(3 * len(boxes), dtype=np.int32)
        return not kernels.served(cells, still, known.reach, self.goals, owner, line)

    def _still(self, still: U1) -> Still:
        b = self.branching
        n, live, guides = b.board.neighbour, b.board.live, b.compiled.advisor_tables
        reach = np.zeros((len(self.goals) // BITS + 1, b.board.size + 1), dtype=np.int64)
        b.r.stamp = guides.goal_reach(n, still, live, self.goals, b.r.stamp + 1, b.bench.w, reach)
        stays = b.board.no_boxes()
        b.compiled.freeze.peel(n, still, live, self.goals, stays)
        return Still(reach, tuple(g for g in b.board.goals if stays[g]))
