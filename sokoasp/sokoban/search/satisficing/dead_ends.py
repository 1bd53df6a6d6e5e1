"""Is this state lost? Cheap tests first; what depends on a part of the state only is remembered by that part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.sokoban.search.satisficing.bound_oracle import BoundOracle
from sokoasp.sokoban.search.satisficing.macro_registers import BITS
from sokoasp.sokoban.search.satisficing.macro_workspace import MacroWorkspace

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(slots=True)
class Still:
    """What follows from boxes that never move again: goals the others reach by cell, and goals that must be filled already."""

    reach: npt.NDArray[np.int64]
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
    goals: npt.NDArray[np.int32] = field(init=False)

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

    def _still(self, still: npt.NDArray[np.uint8]) -> Still:
        b = self.branching
        n, live, guides = b.board.neighbour, b.board.live, b.compiled.advisor_tables
        reach = np.zeros((len(self.goals) // BITS + 1, b.board.size + 1), dtype=np.int64)
        b.r.stamp = guides.goal_reach(n, still, live, self.goals, b.r.stamp + 1, b.bench.w, reach)
        stays = np.zeros(b.board.size + 1, dtype=np.uint8)
        stays[-1] = 1
        b.compiled.freeze.peel(n, still, live, self.goals, stays)
        return Still(reach, tuple(g for g in b.board.goals if stays[g]))
