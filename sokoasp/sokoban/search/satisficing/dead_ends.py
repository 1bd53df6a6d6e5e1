"""Is this state lost? Cheap tests first; what depends on a part of the state only is remembered by that part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.sokoban.search.satisficing.bound_oracle import BoundOracle
from sokoasp.sokoban.search.satisficing.macro_registers import BITS, Entered, M, V
from sokoasp.sokoban.search.satisficing.macro_workspace import MacroWorkspace

if TYPE_CHECKING:
    import numpy.typing as npt

FIRST_LIMIT, LAST_LIMIT = 60, 2000
"""States looked at for a closed area when it is met first, and at most; four times as many each time it is met again."""


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
    areas: dict[tuple[int, ...], int] = field(default_factory=dict)
    """By boxes around an area, the player's smallest cell and the area's: 1 lost, 0 not, -n not known with n states."""
    counts: dict[str, int] = field(default_factory=lambda: {"patterns": 0, "still": 0, "area": 0})
    reported: dict[int, bool] = field(default_factory=dict)
    """By hash of a state that some search has asked about: whether it is lost. The others need not ask again."""
    goals: npt.NDArray[np.int32] = field(init=False)

    def __post_init__(self) -> None:
        """Note the goals."""
        self.goals = np.array(self.branching.board.goals, dtype=np.int32)

    def lost(self, boxes: tuple[int, ...], player: int, push: tuple[int, int] | None = None) -> bool:
        """Return whether a state is proved lost.

        ``push`` is where the box just pushed came from and stands, if the state before was asked about: then only the areas that
        the push has changed are looked at.
        """
        uses = self.oracle.options.uses
        # cheap to dear; each takes boxes away or asks less, so what it calls lost is lost
        if self.oracle.lost(boxes, player):
            name = "patterns"
        elif uses("frozen_boxes") and self._stuck(boxes):
            name = "still"
        elif uses("closed_areas") and self._shut(boxes, player, push):
            name = "area"
        else:
            return False
        self.counts[name] += 1
        return True

    def child_lost(self, boxes: tuple[int, ...], player: int, push: tuple[int, int], key: int) -> bool:
        """Return whether a state is proved lost; the answer is kept. ``push``: where the box just pushed came from and stands."""
        if key not in self.reported:
            self.reported[key] = self.lost(boxes, player, push) or self.oracle.study(boxes, player, push[1])
        return self.reported[key]

    def _stuck(self, boxes: tuple[int, ...]) -> bool:
        """Return whether boxes that never move again keep the others from their goals."""
        b, cells = self.branching, np.array(boxes, dtype=np.int32)
        flag, kernels = b.bits[1], b.compiled.dead_end_kernels
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
        b.r[M.STAMP] = guides.goal_reach(n, still, live, self.goals, int(b.r[M.STAMP]) + 1, b.w, reach)
        stays = np.zeros(b.board.size + 1, dtype=np.uint8)
        stays[-1] = 1
        b.compiled.freeze.peel(n, still, live, self.goals, stays)
        return Still(reach, tuple(g for g in b.board.goals if stays[g]))

    def _shut(self, boxes: tuple[int, ...], player: int, push: tuple[int, int] | None) -> bool:
        """Return whether an area the player cannot reach can neither be opened nor stay closed with its boxes on goals."""
        b, near = self.branching, self.branching.board.neighbour
        occ, labels, cells = b.bits[0], b.v[V.COMP], list(boxes)
        occ[cells] = 1
        count = b.compiled.successors.components(near, occ, labels, b.v[V.QUEUE])
        occ[cells] = 0
        labels[b.board.size] = 0
        areas = set(range(1, count + 1))
        if push is not None:
            # the same boxes around the same area, and the player on the same side of them: that was asked before the push
            areas = {int(labels[push[0]]), *labels[near[push[1]]].tolist()} - {0}
        areas.discard(int(labels[player]))
        if not areas:
            return False
        beside = labels[near[cells]].tolist()
        for area in sorted(areas):
            around = tuple(c for c, row in zip(boxes, beside, strict=True) if area in row)
            if around and self._area(around, player, (labels == area).astype(np.uint8)):
                return True
        return False

    def _area(self, around: tuple[int, ...], player: int, inside: npt.NDArray[np.uint8]) -> bool:
        b = self.branching
        occ = b.bits[0]
        occ[list(around)] = 1
        b.r[M.STAMP] += 1
        low = b.compiled.region_kernel.region(
            b.board.neighbour, occ, player, b.v[V.MARK], int(b.r[M.STAMP]), b.v[V.QUEUE]
        )
        occ[list(around)] = 0
        key = (*around, low, -1 - int(np.argmax(inside)))
        # an area not decided within a limit is searched again with four times as much when it is met again
        known = self.areas.get(key, -FIRST_LIMIT)
        if known >= 0 or known <= -LAST_LIMIT:
            return known == 1
        self.areas[key] = verdict = self._search(around, player, inside, -known)
        return verdict == 1

    def _search(self, around: tuple[int, ...], player: int, inside: npt.NDArray[np.uint8], limit: int) -> int:
        b = self.branching
        states = np.zeros((limit + 1, len(around) + 1), dtype=np.int32)
        states[0] = (*around, player)
        table = np.zeros(1 << (4 * limit).bit_length(), dtype=np.int64)
        kernels = b.compiled.dead_end_kernels
        said = np.zeros(4, dtype=np.int64)
        said[[kernels.STAMP, kernels.LIVE]] = [b.r[M.STAMP], b.board.live]
        area = kernels.Enclosed(states, np.zeros(len(around), dtype=np.int32), inside)
        verdict: int = kernels.closed(said, b.ground, area, b.bench, Entered(b.zobrist, table))
        b.r[M.STAMP] = said[kernels.STAMP]
        return -4 * limit if verdict < 0 else verdict
