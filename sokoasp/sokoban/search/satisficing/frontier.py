"""One frontier of the target-board search: a search by macro pushes or pulls towards given cells, no box leaves the board."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.sokoban.search.model import push_board, workspace
from sokoasp.sokoban.search.model.records import Augmenting, Matching
from sokoasp.sokoban.search.satisficing.dead_ends import DeadEndTests
from sokoasp.sokoban.search.satisficing.macro_registers import C
from sokoasp.sokoban.search.satisficing.macro_search import E, MacroSearch, Node, listed, moved
from sokoasp.sokoban.search.satisficing.macro_workspace import State

if TYPE_CHECKING:
    import numpy.typing as npt

LIMIT = 1 << 15
"""More than there are regions, or boxes off the goals."""
FIRST_TABLE = 1 << 12
"""Slots of the table of listed states at the start, a power of two."""


@dataclass(slots=True)
class Stop(Node):
    """A state of a frontier; its edges have weight 0, the cost left as rank, and come nearest first."""

    key: int
    far: int
    """Cost of the least matching of its boxes to the cells aimed at."""
    regions: int


@dataclass(slots=True)
class Frontier(MacroSearch[Stop]):
    """A search from ``roots`` towards the cells that ``dist`` measures to.

    Turns go to the child nearest to the cells of all, and to the nearest of each feature cell: the children of a state are a
    batch for each. ``met`` becomes the state (node, edge) that a search in ``others`` has listed, too.
    """

    dist: npt.NDArray[np.int32]
    """(single-box states, boxes), as of ``push_board.distances``."""
    roots: Sequence[State]
    others: list[Frontier]
    """Searches of the other direction."""
    dead_ends: DeadEndTests | None = None
    met: tuple[int, int] | None = None
    table: npt.NDArray[np.int64] = field(init=False)
    """Hashes of all states listed (open addressing), more than were expanded."""
    listed: int = 0
    _near: list[tuple[int, int, int]] = field(default_factory=list)
    """Heap of (cost left, node, edge): of each node the nearest edge not looked at."""
    _turn: int = 0
    _parents: Matching = field(init=False)
    _childs: Matching = field(init=False)
    _path: Augmenting = field(init=False)

    def __post_init__(self) -> None:
        """Expand the roots."""
        k = len(self.branching.board.boxes)
        self._parents, self._path = workspace.empty_matching(k)
        self._childs, _ = workspace.empty_matching(k)
        self.table = np.zeros(FIRST_TABLE, dtype=np.int64)
        for boxes, player in self.roots:
            self._add(boxes, player, -1, (0, 0, 0), None)

    def _add(
        self, boxes: tuple[int, ...], player: int, parent: int, move: tuple[int, int, int], key: int | None
    ) -> None:
        """Expand a state unless it is lost; roots have no key yet."""
        b, frontier_kernels = self.branching, self.branching.compiled.frontier_kernels
        self.expanded += 1
        if key is not None:
            b.enter(key)
            if self.dead_ends is not None and self.dead_ends.child_lost(boxes, player, move[1], key):
                self.dead += 1
                return
        count = b.children(boxes, player)
        own, regions = b.r.key, b.r.parent_regions
        if count >= 0 and self.dead_ends is not None:
            count = self.dead_ends.oracle.sift(boxes, player, count, b)
        cells, side = np.array(boxes, dtype=np.int32), b.board.side
        far = int(frontier_kernels.matching_cost(cells, side, self.dist, self._parents, self._path, player))
        if count < 0 or far >= push_board.INFINITE:
            self.dead += 1
            return
        if key is None:
            b.enter(own)
            self._note(np.array([[own, 0]], dtype=np.int64))
        count = frontier_kernels.measure(count, cells, side, self.dist, self._parents, self._childs, self._path, b.kids)
        nearest = np.lexsort((b.kids.keys[:count, 0], b.kids.keys[:count, 1]))
        node = Stop(boxes, player, parent, move, 0, listed(b, count)[nearest], own, far, regions)
        # one number for both features: rows as such are sorted several times as slowly
        self._keep(node, (b.kids.out[:count, C.FILLED] * LIMIT + b.kids.out[:count, C.REGIONS])[nearest])

    def _keep(self, node: Stop, kinds: npt.NDArray[np.int32]) -> None:
        """Enter a state: note its children, look for those that others know, let them wait by their features."""
        b, number, count = self.branching, len(self.nodes), len(kinds)
        self.nodes.append(node)
        for other in self.others:
            hit = int(b.compiled.frontier_kernels.common(count, b.kids.keys, other.table))
            if hit >= 0:
                self.met = number, int(np.argmax(node.edges[:, E.HASH] == b.kids.keys[hit, 0]))
        self._note(b.kids.keys[:count])
        if count == 0:
            return
        self._near_edge(number, 0)
        order = np.argsort(kinds, kind="stable")
        ranked, edges, begin = kinds[order], order.tolist(), 0
        for end in [*(np.flatnonzero(ranked[1:] != ranked[:-1]) + 1).tolist(), count]:
            self._wait(divmod(int(ranked[begin]), LIMIT), number, edges[begin:end])
            begin = end

    def _near_edge(self, number: int, edge: int) -> None:
        if edge < len(self.nodes[number].edges):
            heapq.heappush(self._near, (int(self.nodes[number].edges[edge, E.RANK]), number, edge))

    def _note(self, keys: npt.NDArray[np.int64]) -> None:
        frontier_kernels = self.branching.compiled.frontier_kernels
        self.listed += len(keys)
        if 2 * self.listed > len(self.table):
            old, self.table = self.table, np.zeros(2 << (2 * self.listed).bit_length(), dtype=np.int64)
            self.branching.compiled.hash_set.refill(old, self.table)
        frontier_kernels.note(len(keys), np.ascontiguousarray(keys), self.table)

    def advance(self, turns: int) -> None:
        """Take ``turns`` turns, fewer when a state is met or nothing is left."""
        for _ in range(turns):
            if self.met is not None or self.exhausted:
                return
            self._turn += 1
            if not (self._turn % 2 and self._nearest()):
                self._serve()

    def _nearest(self) -> bool:
        """Expand the nearest child of all; return whether there was one."""
        while self._near:
            _cost, number, edge = heapq.heappop(self._near)
            self._near_edge(number, edge + 1)
            if self._take(number, edge):
                return True
        return False

    def _take(self, number: int, edge: int) -> bool:
        """Expand a child unless it was expanded already; return whether it was not."""
        node = self.nodes[number]
        box, to, stand, _weight, key, _cost = node.edges[edge].tolist()
        if self.branching.knows(key):
            return False
        self._add(moved(node.boxes, box, to), stand, number, (box, to, stand), key)
        return True

    def around(self, number: int, limit: int) -> None:
        """Expand the neighbourhood of a node breadth first, ``limit`` states of it at most."""
        queue, end = [number], self.expanded + limit
        for here in queue:
            for edge in range(len(self.nodes[here].edges)):
                if self.expanded >= end or self.met is not None:
                    return
                before = len(self.nodes)
                if self._take(here, edge) and len(self.nodes) > before:
                    queue.append(before)

    def find(self, key: int) -> tuple[int, int] | None:
        """Return the node and edge (-1: the node itself) by which a state was listed."""
        for number, node in enumerate(self.nodes):
            if node.key == key:
                return number, -1
            if (where := np.flatnonzero(node.edges[:, E.HASH] == key)).size:
                return number, int(where[0])
        return None

    def states_to(self, number: int, edge: int) -> list[tuple[int, ...]]:
        """Return the box sets from the root to a listed state (edge -1: the node itself), one push (pull) apart."""
        node, found = self.nodes[number], self.states(number)
        if edge >= 0:
            box, to, stand = node.edges[edge, : E.WEIGHT].tolist()
            found += self.branching.pushed(node.boxes, node.player, (box, to, stand))
        return found


def joined(there: list[tuple[int, ...]], back: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Join the box sets from the start to a state with those from the solved board to the same; drop what is entered twice."""
    steps = there + back[-2::-1]
    assert all(len(set(a) - set(b)) == 1 for a, b in pairwise(steps))
    return steps
