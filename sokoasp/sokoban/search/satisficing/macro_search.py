"""What searches by macro pushes (pulls) share: states with the children listed for them, and feature cells that take turns.

Source: Feature Space Search (FESS; Shoham and Schaeffer 2020).
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, unique
from typing import Generic, TypeVar

import numpy as np

from sokoasp.core.kernels.arrays import I8
from sokoasp.sokoban.search.satisficing.macro_registers import C
from sokoasp.sokoban.search.satisficing.macro_workspace import MacroWorkspace

FeatureCell = tuple[int, ...]


@dataclass(slots=True)
class FeatureSpace:
    """A heap of (weight, rank, node) for each feature tuple, and the cycle in which they are served."""

    heaps: dict[FeatureCell, list[tuple[int, int, int]]] = field(default_factory=dict)
    cycle: list[FeatureCell] = field(default_factory=list)
    cursor: int = 0

    def put(self, feature_cell: FeatureCell, weight: int, rank: int, node: int) -> None:
        """Put a node on its feature cell; a new feature cell is served next."""
        heap = self.heaps.get(feature_cell)
        if heap is None:
            heap = self.heaps[feature_cell] = []
            self.cycle.insert(self.cursor, feature_cell)
        heapq.heappush(heap, (weight, rank, node))

    def take(self, feature_cell: FeatureCell | None = None) -> int | None:
        """Take the best node of a feature cell, or of the next that has any if none is given or it is empty; else None."""
        if feature_cell is not None and (heap := self.heaps.get(feature_cell)):
            return heapq.heappop(heap)[2]
        for _ in range(len(self.cycle)):
            if self.cursor >= len(self.cycle):
                self.cursor = 0
            heap = self.heaps[self.cycle[self.cursor]]
            self.cursor += 1
            if heap:
                return heapq.heappop(heap)[2]
        return None


@unique
class E(IntEnum):
    """Columns of an edge, the way to a child."""

    FROM = 0
    """The box's cell before."""
    TO = 1
    """The box's cell after."""
    STAND = 2
    """The player's cell beside it."""
    WEIGHT = 3
    """What the edge adds to the weight of the state it leaves."""
    HASH = 4
    """Hash of the child; 0 where a box leaves the board, which makes another hash."""
    RANK = 5
    """Decides between edges of equal weight; less is better."""


@dataclass(slots=True)
class Node:
    """A state that was expanded."""

    boxes: tuple[int, ...]
    player: int
    parent: int
    """Number of the node before, -1 for a root."""
    move: tuple[int, int, int]
    """The edge that led to it: ``FROM``, ``TO``, ``STAND``."""
    weight: int
    """Sum of the weights of the edges that led to it."""
    edges: I8
    """(edges, len(E)), best first."""


@dataclass(slots=True)
class Batch:
    """Edges of a state that wait on one feature cell."""

    feature_cell: FeatureCell
    node: int
    edges: Sequence[int]
    """Their numbers, best first."""
    next: int = 0
    """How many were taken."""


N = TypeVar("N", bound=Node)


@dataclass(slots=True)
class MacroSearch(Generic[N]):
    """A search whose open edges wait on feature cells that are served in turn."""

    branching: MacroWorkspace
    nodes: list[N] = field(init=False, default_factory=list)
    feature_space: FeatureSpace = field(init=False, default_factory=FeatureSpace)
    """Numbers of batches, each by the weight and rank of its next edge."""
    batches: list[Batch] = field(init=False, default_factory=list)
    expanded: int = field(init=False, default=0)
    dead: int = field(init=False, default=0)
    """States expanded and found lost."""
    exhausted: bool = field(init=False, default=False)

    def _take(self, number: int, edge: int) -> bool:
        """Expand the child at the end of an edge; return whether that was a turn."""
        raise NotImplementedError

    def _wait(self, feature_cell: FeatureCell, node: int, edges: Sequence[int]) -> None:
        """Let edges of a state wait on a feature cell."""
        self.batches.append(Batch(feature_cell, node, edges))
        self._put(len(self.batches) - 1)

    def _put(self, number: int) -> None:
        batch = self.batches[number]
        if batch.next < len(batch.edges):
            node = self.nodes[batch.node]
            _, _, _, weight, _, rank = node.edges[batch.edges[batch.next]].tolist()
            self.feature_space.put(batch.feature_cell, node.weight + weight, rank, number)

    def _serve(self, feature_cell: FeatureCell | None = None, patience: int | None = None) -> None:
        """Take the next edges of a feature cell, or of the next one in turn, until one is a turn: ``patience`` at most."""
        number = self.feature_space.take(feature_cell)
        if number is None:
            self.exhausted = True
            return
        # edges to states met before are no turn and cost nothing; the batch waits again with what is left of it
        batch = self.batches[number]
        end = len(batch.edges) if patience is None else min(len(batch.edges), batch.next + patience)
        while batch.next < end:
            batch.next += 1
            if self._take(batch.node, batch.edges[batch.next - 1]):
                break
        self._put(number)

    def path(self, number: int) -> list[int]:
        """Return the numbers of the nodes from the root to a node."""
        found = []
        while number >= 0:
            found.append(number)
            number = self.nodes[number].parent
        return found[::-1]

    def states(self, number: int) -> list[tuple[int, ...]]:
        """Return the box sets from the root to a node, one push (pull) apart."""
        root, *rest = self.path(number)
        found = [self.nodes[root].boxes]
        for here in rest:
            node = self.nodes[here]
            before = self.nodes[node.parent]
            # a macro push is one edge: the states between are found by pushing again
            found += self.branching.pushed(before.boxes, before.player, node.move)
        return found


def moved(boxes: tuple[int, ...], box: int, to: int) -> tuple[int, ...]:
    """Return the boxes with one of them elsewhere."""
    here, there = bisect_left(boxes, box), bisect_left(boxes, to)
    if there <= here:
        return (*boxes[:there], to, *boxes[there:here], *boxes[here + 1 :])
    return (*boxes[:here], *boxes[here + 1 : there], to, *boxes[there:])


def listed(b: MacroWorkspace, count: int) -> I8:
    """Return the edges to the children listed last, all of weight 0 and in the order of the list."""
    edges = np.zeros((count, len(E)), dtype=np.int64)
    edges[:, : E.WEIGHT] = b.kids.out[:count, C.FROM : C.STAND + 1]  # both begin with the same three columns
    edges[:, E.HASH :] = b.kids.keys[:count]
    return edges
