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
from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing.dead_ends import DeadEndTests
from sokoasp.sokoban.search.satisficing.feature_space import FeatureCell, FeatureSpace
from sokoasp.sokoban.search.satisficing.macro_registers import C, M
from sokoasp.sokoban.search.satisficing.macro_workspace import MacroWorkspace, State

if TYPE_CHECKING:
    import numpy.typing as npt

FIRST_TABLE = 1 << 12
"""Slots of the table of listed states at the start, a power of two."""


@dataclass(slots=True)
class Stop:
    """A state that was expanded."""

    boxes: tuple[int, ...]
    player: int
    parent: int
    move: tuple[int, int, int]
    """The box's cell before and after, and the player's cell beside it."""
    key: int
    far: int
    """Cost of the least matching of its boxes to the cells aimed at."""
    regions: int
    edges: npt.NDArray[np.int32]
    """(edges, 4): from, to, stand, cost left; nearest first."""
    keys: npt.NDArray[np.int64]
    """(edges): hashes of the children."""
    next: int = 0
    """The first edge that the nearest-first service has not looked at."""


@dataclass(slots=True)
class Group:
    """Children of a state that belong to one feature cell."""

    feature_cell: FeatureCell
    node: int
    members: npt.NDArray[np.int64]
    next: int = 0


@dataclass(slots=True)
class Frontier:
    """A search from ``roots`` towards the cells that ``dist`` measures to.

    Turns go to the child nearest to the cells of all, and to the nearest of each feature cell. ``met`` becomes the state
    (node, edge) that a search in ``others`` has listed, too.
    """

    branching: MacroWorkspace
    dist: npt.NDArray[np.int32]
    """(single-box states, boxes), as of ``push_board.distances``."""
    roots: Sequence[State]
    others: list[Frontier]
    """Searches of the other direction."""
    dead_ends: DeadEndTests | None = None
    nodes: list[Stop] = field(default_factory=list)
    expanded: int = 0
    dead: int = 0
    met: tuple[int, int] | None = None
    exhausted: bool = False
    table: npt.NDArray[np.int64] = field(init=False)
    """Hashes of all states listed (open addressing), more than were expanded."""
    listed: int = 0
    _shelves: FeatureSpace = field(default_factory=FeatureSpace)
    _groups: list[Group] = field(default_factory=list)
    _near: list[tuple[int, int]] = field(default_factory=list)
    """Heap of (cost left of its next edge, node)."""
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
            if self.dead_ends is not None and self.dead_ends.doomed(boxes, player, move[:2], key):
                self.dead += 1
                return
        count = b.children(boxes, player)
        own, regions = int(b.r[M.KEY]), int(b.r[M.REGIONS + at.PARENT])
        if count >= 0 and self.dead_ends is not None:
            count = self.dead_ends.oracle.sift(boxes, player, count, b)
        cells, side = np.array(boxes, dtype=np.int32), b.board.side
        far = int(frontier_kernels.price(cells, side, self.dist, self._parents, self._path, player))
        if count < 0 or far >= push_board.INFINITE:
            self.dead += 1
            return
        if key is None:
            b.enter(own)
            self._note(np.array([[own, 0]], dtype=np.int64))
        count = frontier_kernels.measure(count, cells, side, self.dist, self._parents, self._childs, self._path, b.kids)
        self._keep(Stop(boxes, player, parent, move, own, far, regions, *_edges(b, count)), count)

    def _keep(self, node: Stop, count: int) -> None:
        """Enter a state whose children are listed: note them, look for those that others know, file them by features."""
        b, number = self.branching, len(self.nodes)
        self.nodes.append(node)
        for other in self.others:
            hit = int(b.compiled.frontier_kernels.common(count, b.keys, other.table))
            if hit >= 0:
                self.met = number, int(np.argmax(node.keys == b.keys[hit, 0]))
        self._note(b.keys[:count])
        if count == 0:
            return
        heapq.heappush(self._near, (int(node.edges[0, 3]), number))
        order = np.lexsort((b.keys[:count, 0], b.keys[:count, 1]))
        features = b.out[order][:, [C.FILLED, C.REGIONS]]
        kinds, kind = np.unique(features, axis=0, return_inverse=True)
        for i, feature_cell in enumerate(kinds.tolist()):
            self._groups.append(Group(tuple(feature_cell), number, np.flatnonzero(kind.reshape(-1) == i)))
            self._shelve(len(self._groups) - 1)

    def _shelve(self, group: int) -> None:
        g = self._groups[group]
        if g.next < len(g.members):
            cost = int(self.nodes[g.node].edges[g.members[g.next], 3])
            self._shelves.put(g.feature_cell, cost, 0, group)

    def _note(self, keys: npt.NDArray[np.int64]) -> None:
        frontier_kernels = self.branching.compiled.frontier_kernels
        self.listed += len(keys)
        if 2 * self.listed > len(self.table):
            old, self.table = self.table, np.zeros(2 << (2 * self.listed).bit_length(), dtype=np.int64)
            self.branching.compiled.hash_set.refill(old, self.table)
        frontier_kernels.note(len(keys), np.ascontiguousarray(keys), self.table)

    def advance(self, turns: int) -> None:
        """Take so many turns, fewer when a state is met or nothing is left."""
        for _ in range(turns):
            if self.met is not None or self.exhausted:
                return
            self._turn += 1
            if not (self._turn % 2 and self._nearest()):
                self._next_shelf()

    def _nearest(self) -> bool:
        """Expand the nearest child of all; return whether there was one."""
        while self._near:
            _cost, number = heapq.heappop(self._near)
            node = self.nodes[number]
            edge = node.next
            node.next += 1
            if node.next < len(node.edges):
                heapq.heappush(self._near, (int(node.edges[node.next, 3]), number))
            if self._take(number, edge):
                return True
        return False

    def _next_shelf(self) -> None:
        """Expand the nearest child of the next feature cell."""
        group = self._shelves.take()
        if group is None:
            self.exhausted = True
            return
        g = self._groups[group]
        while g.next < len(g.members):
            g.next += 1
            if self._take(g.node, int(g.members[g.next - 1])):
                break
        self._shelve(group)

    def _take(self, number: int, edge: int) -> bool:
        """Expand a child unless it was expanded already; return whether it was not."""
        node = self.nodes[number]
        key = int(node.keys[edge])
        if self.branching.knows(key):
            return False
        boxes, stand = self.child(number, edge)
        box, to = node.edges[edge, :2].tolist()
        self._add(boxes, stand, number, (box, to, stand), key)
        return True

    def around(self, number: int, limit: int) -> None:
        """Expand the neighbourhood of a node breadth first, so many states of it."""
        queue, end = [number], self.expanded + limit
        for here in queue:
            for edge in range(len(self.nodes[here].edges)):
                if self.expanded >= end or self.met is not None:
                    return
                before = len(self.nodes)
                if self._take(here, edge) and len(self.nodes) > before:
                    queue.append(before)

    def child(self, number: int, edge: int) -> State:
        """Return a listed state."""
        node = self.nodes[number]
        box, to, stand = node.edges[edge, :3].tolist()
        return tuple(sorted([c for c in node.boxes if c != box] + [to])), stand

    def find(self, key: int) -> tuple[int, int] | None:
        """Return the node and edge (-1: the node itself) by which a state was listed."""
        for number, node in enumerate(self.nodes):
            if node.key == key:
                return number, -1
            if (where := np.flatnonzero(node.keys == key)).size:
                return number, int(where[0])
        return None

    def states(self, number: int, edge: int) -> list[tuple[int, ...]]:
        """Return the box sets from the root to a listed state, one push (pull) apart."""
        chain = [] if edge < 0 else [self.child(number, edge)]
        moves = [] if edge < 0 else [tuple(self.nodes[number].edges[edge, :3].tolist())]
        while number >= 0:
            node = self.nodes[number]
            chain.append((node.boxes, node.player))
            moves.append(node.move)
            number = node.parent
        found = [chain[-1][0]]
        for (before, player), move in zip(chain[:0:-1], moves[-2::-1], strict=True):
            found += self.branching.pushed(before, player, move)
        return found


def _edges(b: MacroWorkspace, count: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Return the children listed last, and their hashes, nearest first."""
    out, keys = b.out[:count], b.keys[:count]
    order = np.lexsort((keys[:, 0], keys[:, 1]))
    edges = np.empty((count, 4), dtype=np.int32)
    edges[:, :3] = out[order][:, [C.FROM, C.TO, C.STAND]]
    edges[:, 3] = keys[order, 1]
    return edges, keys[order, 0]


def joined(there: list[tuple[int, ...]], back: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Join the box sets from the start to a state with those from the solved board to the same; drop what is entered twice."""
    steps = there + back[-2::-1]
    assert all(len(set(a) - set(b)) == 1 for a, b in pairwise(steps))
    return steps
