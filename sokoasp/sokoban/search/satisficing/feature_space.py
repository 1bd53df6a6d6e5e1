"""Feature cells: the open nodes of a search by feature tuple, served in turn so that effort is even over all progress."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

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
