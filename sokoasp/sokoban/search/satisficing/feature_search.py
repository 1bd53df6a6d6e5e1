"""The packing-order search: macro pushes, feature cells, advisors, guided by a packing order.

Source: Feature Space Search (FESS; Shoham and Schaeffer 2020) as its program Festival has it. Feature cells are its cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sokoasp.core.kernels.arrays import I8
from sokoasp.sokoban.search.satisficing.dead_ends import DeadEndTests
from sokoasp.sokoban.search.satisficing.macro_registers import C
from sokoasp.sokoban.search.satisficing.macro_search import E, FeatureCell, MacroSearch, Node, listed, moved
from sokoasp.sokoban.search.satisficing.macro_workspace import MacroWorkspace

DULL_TURNS = 16
"""Edges to states known or lost that are passed over in one turn."""


@dataclass(slots=True)
class FeatureSpaceSearch(MacroSearch[Node]):
    """A forward search for a plan; ``solution`` is the solved node's number once there is one.

    The edges of a state are one batch of the same number.
    """

    dead_ends: DeadEndTests
    turns: int = 0
    best: int = 0
    """The node that has come farthest."""
    solution: int | None = None

    def __post_init__(self) -> None:
        """Put the start on its feature cell."""
        board = self.branching.board
        self._add(board.boxes, board.player, -1, (0, 0, 0), 0)

    @property
    def effort(self) -> int:
        """Return what it has cost, in expansions: a state found lost costs a fourth of one."""
        return self.expanded - 3 * self.dead // 4

    def _add(
        self,
        boxes: tuple[int, ...],
        player: int,
        parent: int,
        move: tuple[int, int, int],
        weight: int,
        key: int | None = None,
    ) -> bool:
        """Expand a state and put it on the feature cell it belongs to, unless it is dead; return whether it is not."""
        b, count, ends = self.branching, -1, self.dead_ends
        # Step 1. Its hash is entered before it is judged: a dead state is not listed twice
        if key is not None:
            b.enter(key)
        self.expanded += 1
        # Step 2. Children, unless a test proves the state lost; then those that boxes' costs prove lost go
        if not (ends.lost(boxes, player) if key is None else ends.child_lost(boxes, player, move[1], key)):
            count = b.children(boxes, player)
            if key is None:
                b.enter(b.r.key)
        if count >= 0:
            count = ends.oracle.sift(boxes, player, count, b)
        if count < 0:
            self.dead += 1
            return False
        b.advise(count)
        # Step 3. Features are compared in this order: cells of the packing order first, boxes out of plan last
        r = b.r
        feature_cell: FeatureCell = (-r.parent_filled, r.parent_regions, r.parent_broken, r.parent_out_of_plan)
        # Step 4. No better than its best ancestor: it waits in that ancestor's cell
        if parent >= 0:
            feature_cell = min(feature_cell, self.batches[parent].feature_cell)
        number = len(self.nodes)
        self.nodes.append(Node(boxes, player, parent, move, weight, _edges(b, count)))
        self._wait(feature_cell, number, range(count))
        if feature_cell < self.batches[self.best].feature_cell:
            self.best = number
        if all(b.ground.target[c] for c in boxes):
            self.solution = number
        return True

    def advance(self, turns: int) -> None:
        """Take ``turns`` turns, fewer when a solution is found or nothing is left."""
        for _ in range(turns):
            if self.solution is not None:
                return
            self.turns += 1
            # which cell is served: in turn, or the one that has come farthest
            often = self.turns % 2 == 0 and self.nodes
            self._serve(self.batches[self.best].feature_cell if often else None, DULL_TURNS)
            if self.exhausted:
                return

    def _take(self, number: int, edge: int) -> bool:
        """Expand a child that is new; return whether it is not dead either."""
        node = self.nodes[number]
        box, to, stand, weight, key, _rank = node.edges[edge].tolist()
        return not self.branching.knows(key) and self._add(
            moved(node.boxes, box, to), stand, number, (box, to, stand), node.weight + weight, key
        )


def _edges(b: MacroWorkspace, count: int) -> I8:
    """Return the children listed last, those that advisors name (weight 0, else 1) first, then by rank."""
    edges = listed(b, count)
    edges[:, E.WEIGHT] = 1 - b.kids.out[:count, C.ADVISED]
    return edges[np.lexsort((edges[:, E.RANK], edges[:, E.WEIGHT]))]
