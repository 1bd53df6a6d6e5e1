"""What the proving search's tables say about a search's states: matchings, pattern databases, and sets learnt to be lost."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.bounds import pattern_learning, search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.exact.astar import Search
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.push_board import PushBoard
from sokoasp.sokoban.search.model.registers import W
from sokoasp.sokoban.search.satisficing.macro_workspace import MacroWorkspace

if TYPE_CHECKING:
    import numpy.typing as npt

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

    def goal_distance(self) -> npt.NDArray[np.int32]:
        """Return by cell (the sentinel last) the pushes of a lone box to the nearest goal, 0 on cells that are not live."""
        found = np.zeros(self.board.size + 1, dtype=np.int32)
        least = self.search.tables.dist.min(axis=1)
        for cell, states in enumerate(self.board.side[: self.board.live].tolist()):
            found[cell] = min(least[state] for state in set(states) if state >= 0)
        return found

    def short_way(self, pushes: int) -> bool:
        """Return whether the boxes have at most so many pushes each to go, on the average, by the bound at the start."""
        board = self.board
        return int(self.search.bound(board.boxes, board.player)) <= pushes * len(board.boxes)

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

        Raises:
            ValueError: No box stands on ``moved``: what is learnt of it would say nothing about this state.
        """
        if moved not in boxes:
            raise ValueError(f"no box stands on cell {moved}")
        self.asked += 1
        learner = self.search.learner
        if learner is None or learner.expanded > STUDY * self.asked:
            return False
        spare, seeds = pattern_learning.BUCKETS, (moved, self.rng.choice(boxes))
        return any(learner.grow(seed, boxes, player, self.search.bounding(), spare, dead=True) for seed in seeds)
