"""The packing-order search: macro pushes, feature cells, advisors, guided by a packing order.

Source: Feature Space Search (FESS; Shoham and Schaeffer 2020). Feature cells are its cells. By the rules of
``macro_registers`` the search goes as its program Festival does, without them as our first reading of the paper did.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing.dead_ends import DeadEndTests
from sokoasp.sokoban.search.satisficing.feature_space import FeatureCell, FeatureSpace
from sokoasp.sokoban.search.satisficing.macro_registers import C, M
from sokoasp.sokoban.search.satisficing.macro_workspace import MacroWorkspace

if TYPE_CHECKING:
    import numpy.typing as npt

PROGRESS = (M.FILLED, M.ASTRAY, M.REGIONS, M.BROKEN)
DULL_TURNS = 16
"""Edges to states known or lost that are passed over in one turn."""


@dataclass(slots=True)
class Node:
    """A state of the search, how it was reached, and its edges not made yet."""

    boxes: tuple[int, ...]
    player: int
    parent: int
    move: tuple[int, int, int]
    """The box's cell before and after, and the player's cell beside it."""
    weight: int
    better: int
    """Its best ancestor, itself included: the node whose feature cell it goes to."""
    progress: tuple[int, ...]
    edges: npt.NDArray[np.int64]
    """(edges, 6): from, to, stand, weight, hash, rank; best first."""
    next: int = 0


@dataclass(slots=True)
class FeatureSpaceSearch:
    """A forward search for a plan; ``solution`` is the solved node's number once there is one."""

    branching: MacroWorkspace
    dead_ends: DeadEndTests
    nodes: list[Node] = field(default_factory=list)
    feature_space: FeatureSpace = field(default_factory=FeatureSpace)
    expanded: int = 0
    dead: int = 0
    turns: int = 0
    best: int = 0
    """The node that has come farthest."""
    solution: int | None = None
    exhausted: bool = False

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
        b, count, oracle = self.branching, -1, self.dead_ends.oracle
        # Step 1. Its hash is entered before it is judged: a dead state is not listed twice
        if key is not None:
            b.enter(key)
        self.expanded += 1
        # Step 2. Children, unless a test proves the state lost; then those that boxes' costs prove lost go
        if not self._lost(boxes, player, move[:2], key):
            count = b.children(boxes, player)
            if key is None:
                b.enter(int(b.r[M.KEY]))
        if count >= 0:
            count = oracle.sift(boxes, player, count, b)
        if count < 0:
            self.dead += 1
            return False
        b.advise(boxes, count)
        # Step 3. An advisor that named a lost child names another
        while b.rules & at.ALIVE and (lost := self._lost_advice(boxes, count)):
            count -= b.drop(lost, count)
            b.advise(boxes, count)
        filled, astray, regions, broken = (int(b.r[f + at.PARENT]) for f in PROGRESS)
        # Step 4. Features are compared in this order: cells of the packing order first, boxes astray last
        progress = (-filled, regions, broken, astray)
        # Step 5. No better than its best ancestor: it waits in that ancestor's cell
        number = better = len(self.nodes)
        if parent >= 0 and b.rules & at.RISING and progress >= self.nodes[self.nodes[parent].better].progress:
            better = self.nodes[parent].better
        self.nodes.append(Node(boxes, player, parent, move, weight, better, progress, _edges(b, count)))
        if progress < self.nodes[self.best].progress:
            self.best = number
        if all(b.target[c] for c in boxes):
            self.solution = number
        self._shelve(number)
        return True

    def _lost(self, boxes: tuple[int, ...], player: int, push: tuple[int, int], key: int | None) -> bool:
        """Return whether a state is proved lost, by this search or another one; the start has no key yet."""
        if key is None:
            return self.dead_ends.lost(boxes, player)
        return self.dead_ends.doomed(boxes, player, push, key)

    def _lost_advice(self, boxes: tuple[int, ...], count: int) -> list[int]:
        """Return the numbers of the children that advisors name and that are proved lost."""
        b = self.branching
        # only advised children are tested here: they cost nothing, so they would be tried first of all
        named = np.flatnonzero(b.out[:count, C.ADVISED]).tolist()
        lost = []
        for i in named:
            box, to, stand = b.out[i, :3].tolist()
            child = tuple(sorted([c for c in boxes if c != box] + [to]))
            if self.dead_ends.doomed(child, stand, (box, to), int(b.keys[i, 0])):
                lost.append(i)
        return lost

    def _shelve(self, number: int) -> None:
        node = self.nodes[number]
        # a node waits with the weight of its next child: 0 if an advisor names it, else 1
        if node.next < len(node.edges):
            edge = node.edges[node.next]
            feature_cell: FeatureCell = self.nodes[node.better].progress
            self.feature_space.put(feature_cell, node.weight + int(edge[3]), int(edge[5]), number)

    def advance(self, turns: int) -> None:
        """Take so many turns, fewer when a solution is found or nothing is left."""
        for _ in range(turns):
            if self.solution is not None:
                return
            self.turns += 1
            # Step 1. Which cell is served: in turn, or the one that has come farthest
            often = self.turns % 2 == 0 and self.branching.rules & at.BEST and self.nodes
            number = self.feature_space.take(self.nodes[self.nodes[self.best].better].progress if often else None)
            if number is None:
                self.exhausted = True
                return
            # Step 2. Its next children, until one is new and alive: dull ones cost no turn of their own
            node = self.nodes[number]
            for _ in range(DULL_TURNS):
                box, to, stand, weight, key, _rank = node.edges[node.next].tolist()
                node.next += 1
                if not self.branching.knows(key):
                    boxes = tuple(sorted([b for b in node.boxes if b != box] + [to]))
                    alive = self._add(boxes, stand, number, (box, to, stand), node.weight + weight, key)
                    if alive:
                        break
                if node.next >= len(node.edges):
                    break
            self._shelve(number)

    def path(self, number: int) -> list[int]:
        """Return the numbers of the nodes from the start to a node."""
        found = []
        while number >= 0:
            found.append(number)
            number = self.nodes[number].parent
        return found[::-1]

    def states(self, number: int) -> list[tuple[int, ...]]:
        """Return the box sets from the start to a node, one push apart."""
        found = [self.nodes[0].boxes]
        for here in self.path(number)[1:]:
            node = self.nodes[here]
            before = self.nodes[node.parent]
            found += self.branching.pushed(before.boxes, before.player, node.move)
        return found


def _edges(b: MacroWorkspace, count: int) -> npt.NDArray[np.int64]:
    """Return the children listed last, those that advisors name first, then by rank."""
    out, keys = b.out[:count], b.keys[:count]
    edges = np.empty((count, 6), dtype=np.int64)
    edges[:, :3] = out[:, [C.FROM, C.TO, C.STAND]]
    edges[:, 3] = 1 - out[:, C.ADVISED]
    edges[:, 4:] = keys
    return edges[np.lexsort((keys[:, 1], edges[:, 3]))]
