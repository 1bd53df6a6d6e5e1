"""The packing order by reverse play: boxes pulled from the goals leave the board where boxes come from.

The space shrinks with every box that leaves; the moves read backwards say which cell is filled after which. It is a relaxation
(boxes that left block nothing), so the order guides a search and never prunes.

Source: the packing plan of FESS (Shoham and Schaeffer 2020); the sink found anew in every state, the choice of the box that
leaves and of the one that is parked, and boxes that wait on start cells are those of its program Festival.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from sokoasp.core.kernels.arrays import B1, I4, I8
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.bounds.search_tables import solved_states
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.push_board import INFINITE, PushBoard
from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing.macro_registers import C
from sokoasp.sokoban.search.satisficing.macro_search import E, MacroSearch, Node, listed, moved
from sokoasp.sokoban.search.satisficing.macro_workspace import MacroWorkspace, PackingOrder, any_order

LAST = 100
"""What a pull weighs that takes no box off the board where another could leave."""
FAR = 6
"""Pulls after which a box may leave the board though it is still in the room where it began."""


@dataclass(slots=True)
class Pulled(Node):
    """A state of the reverse play; ``move`` has the player's cell as -1 where the box left the board."""

    used: int
    """Bits of the start cells on which boxes left."""


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the boxes of a level come from, for all its reverse plays."""

    kinds: tuple[int, ...]
    """The start cells: the bits of those to which a lone box can be pulled back from the same cells."""
    homes: tuple[int, ...]
    """By cell: where a lone box can be pulled back to from there, a bit for each of the kinds."""


@dataclass(slots=True)
class ReversePlay(MacroSearch[Pulled]):
    """The search for a packing order; ``finished`` is the number of a node that ends it, once there is one."""

    origins: Origins
    finished: int | None = None
    rooms: I4 = field(init=False)
    holes: B1 = field(init=False)
    _sides: I8 = field(init=False)

    def __post_init__(self) -> None:
        """Find where boxes come from, and put the solved boards on their feature cells."""
        b = self.branching
        self.rooms = b.guides.rooms[0]
        self.holes = _holes(b)
        self._sides = np.zeros((len(b.board.boxes) // at.BITS + 1, b.board.size + 1), dtype=np.int64)
        # the solved boards, one for each region the player may end in
        for boxes, player in solved_states(b.board):
            self._add(boxes, player, -1, (b.board.size, 0, 0), 0, 0)

    def _add(
        self, boxes: tuple[int, ...], player: int, parent: int, move: tuple[int, int, int], weight: int, used: int
    ) -> None:
        b = self.branching
        # boxes left must fit the start cells left: otherwise this play cannot be completed
        if not self._matchable(boxes, used):
            return
        count = b.children(boxes, player)
        self.expanded += 1
        key = b.r.key
        if b.knows(key):
            return
        b.enter(key)
        # features of a reverse play: boxes left, boxes on goals, regions, broken links of rooms
        away, regions = b.r.parent_filled, b.r.parent_regions
        number = len(self.nodes)
        edges = self._edges(boxes, count, regions, used)
        self.nodes.append(Pulled(boxes, player, parent, move, weight, edges, used))
        self._wait((len(boxes), len(boxes) - away, regions, b.r.parent_broken), number, range(len(edges)))
        starts = {c for i, c in enumerate(b.board.boxes) if not used >> i & 1}
        # the rest may wait on start cells: the order is complete when no box need leave any more
        if starts.issuperset(boxes):
            self.finished = number

    def _edges(self, boxes: tuple[int, ...], count: int, regions: int, used: int) -> I8:
        """Return the pulls after which a box leaves, the best of each box, else all pulls, the advised one first."""
        b = self.branching
        out = b.kids.out[:count]
        start, to = out[:, C.FROM], out[:, C.TO]
        edges = listed(b, count)
        # Step 1. Which pulls take a box away: far enough or into another room, and the player can come back
        elsewhere = (self.rooms[start] != self.rooms[to]) & (self.rooms[start] > 0) & (self.rooms[to] > 0)
        gone = (out[:, C.BACK] > 0) & ((out[:, C.PUSHES] >= FAR) | elsewhere)
        # Step 2. Of these, which end where a box may leave the board
        leaves = gone & self._alike(boxes, used)[to] if boxes else gone
        edges[:, E.WEIGHT] = 1
        # Step 3. If any box leaves, only that is tried first: a removal never makes the rest harder to pull
        if leaves.any():
            first = self._freed(edges[leaves], out[leaves])
            edges[:, E.WEIGHT] = LAST
            rest = edges[~leaves]
            return np.concatenate([first, rest[np.argsort(rest[:, E.RANK], kind="stable")]])
        # Step 4. None leaves: park a box off its goal, where it costs no region and the player can come back
        goals = b.ground.target[start].astype(bool) & (out[:, C.REGIONS] <= regions) & (out[:, C.BACK] > 0)
        goals &= out[:, C.BROKEN] <= b.r.parent_broken
        if (which := np.flatnonzero(goals)).size:
            rows = out[which]
            near, holes = -rows[:, C.PUSHES], self.holes[rows[:, C.FROM]]
            parked = np.lexsort((near, rows[:, C.BROKEN], rows[:, C.REGIONS], holes))
            edges[which[parked[0]], E.WEIGHT] = 0
        return edges[np.lexsort((edges[:, E.RANK], edges[:, E.WEIGHT]))]

    def _alike(self, boxes: tuple[int, ...], used: int) -> B1:
        """Return, by cell, the sink of a state (Festival's rule, Shoham and Schaeffer 2020).

        The largest set of start cells not used yet between which a lone box can be pushed, the boxes on the board as walls; of
        several the first.
        """
        b = self.branching
        starts = [c for i, c in enumerate(b.board.boxes) if not used >> i & 1]
        found, walls, live = np.zeros(b.board.size + 1, dtype=np.bool_), b.bench.bits[0], b.board.live
        cells, near, stamp = np.array(starts, dtype=np.int32), b.board.neighbour, b.r.stamp + 1
        walls[list(boxes)] = 1
        b.r.stamp = b.compiled.advisor_tables.goal_reach(near, walls, live, cells, stamp, b.bench.w, self._sides)
        walls[list(boxes)] = 0
        number = np.arange(len(starts))
        # ways[i, j]: a lone box gets from i to j; mutual are those with ways both ways
        ways = (self._sides[:, cells][number // at.BITS].T >> (number % at.BITS) & 1).astype(np.bool_)
        mutual = (ways & ways.T) | np.eye(len(starts), dtype=np.bool_)
        sizes = mutual.sum(axis=1)
        found[cells[mutual[sizes.argmax()]]] = True
        return found

    def _freed(self, edges: I8, out: I4) -> I8:
        """Return the best pull of each box that leaves by it, the best box first (Festival's order)."""
        edges = edges.copy()
        floats = self.branching.ground.target[out[:, C.FROM]]
        order = np.lexsort((edges[:, E.RANK], -out[:, C.PUSHES], out[:, C.REGIONS], self.holes[out[:, C.FROM]], floats))
        # the best pull of each box, in the order in which their best pulls stand
        _, first = np.unique(edges[order, E.FROM], return_index=True)
        chosen = edges[order[np.sort(first)]]
        chosen[:, E.WEIGHT :] = [1, 0, 0]
        chosen[:, E.RANK] = np.arange(len(chosen))
        chosen[0, E.WEIGHT] = 0
        return chosen

    def _matchable(self, boxes: tuple[int, ...], used: int) -> bool:
        """Return whether the boxes left can be brought back to the start cells left, each alone on the board."""
        room = [(bits & ~used).bit_count() for bits in self.origins.kinds]
        return fits(Counter(self.origins.homes[c] for c in boxes), room)

    def advance(self, turns: int) -> None:
        """Take ``turns`` turns, fewer when an order is found or nothing is left."""
        for _ in range(turns):
            if self.finished is not None or self.exhausted:
                return
            self._serve()

    def _take(self, number: int, edge: int) -> bool:
        node = self.nodes[number]
        box, to, stand, weight, key, _rank = node.edges[edge].tolist()
        if key and self.branching.knows(key):
            return False
        boxes, move, used = moved(node.boxes, box, to), (box, to, stand), node.used
        if not key:
            boxes, move = tuple(c for c in node.boxes if c != box), (box, to, -1)
            used |= 1 << self.branching.board.boxes.index(to)
        self._add(boxes, stand, number, move, node.weight + weight, used)
        return True

    def orders(self) -> list[PackingOrder]:
        """Return the orders read out of the best node: all of it if finished, else what holds for the last steps.

        Where boxes were left on start cells at the end and may wait there, both ways: waiting first, then not.
        """
        if not self.nodes:
            return [any_order(self.branching.board)]
        number = self.finished
        if number is None:
            number = min(range(len(self.nodes)), key=lambda i: (len(self.nodes[i].boxes), i))
        complete = self.finished is not None
        found = [self._read(number, complete=complete, waiting=False)]
        if complete and self.nodes[number].boxes:
            found.insert(0, self._read(number, complete=True, waiting=True))
        return found

    def _read(self, number: int, *, complete: bool, waiting: bool) -> PackingOrder:
        left = self.nodes[number].boxes
        moves = [
            (box, to, stand < 0) for box, to, stand in (self.nodes[here].move for here in self.path(number)[:0:-1])
        ]
        goals, starts = set(self.branching.board.goals), set(self.branching.board.boxes)
        moved = {to for _box, to, leaves in moves if not leaves}
        # boxes parked at the end of an incomplete play may stand anywhere: only those still on goals come first
        first = [c for c in left if c in goals and c not in moved and (c in starts or not complete)]
        if waiting:
            first = list(left)
        steps = [[-1, c, -1] for c in first]
        for box, to, leaves in moves:
            start = -1
            if not leaves:
                start = to
                parked = next((s for s in reversed(steps) if s[1] == to and s[2] < 0), None)
                if parked is not None:
                    parked[2] = len(steps)
            steps.append([start, box, -1])
        rows = np.array([(a, c, len(steps) if u < 0 else u) for a, c, u in steps], dtype=np.int32).reshape(-1, 3)
        return PackingOrder(
            rows, unordered=0 if complete else len(first), waiting=len(first) if waiting else 0, complete=complete
        )


def origins(level: Level, board: PushBoard) -> Origins:
    """Find where the boxes of a level come from."""
    back = push_board.distances(level, board, lines=False, reverse=True) < INFINITE
    kinds: dict[bytes, int] = {}
    reached = np.zeros((board.live, len(board.boxes)), dtype=np.bool_)
    for cell in range(board.live):
        reached[cell] = back[[s for s in set(board.side[cell].tolist()) if s >= 0]].any(axis=0)
    for i in range(len(board.boxes)):
        column = reached[:, i].tobytes()
        kinds[column] = kinds.get(column, 0) | 1 << i
    homes = np.zeros(board.live, dtype=object)
    for number, column in enumerate(kinds):
        homes |= np.frombuffer(column, dtype=np.bool_).astype(object) * (1 << number)
    return Origins(tuple(kinds.values()), tuple(int(home) for home in homes))


def _holes(b: MacroWorkspace) -> B1:
    """Return by cell whether it is a goal with walls, or other such goals, on three sides."""
    found, n = np.zeros(b.board.size + 1, dtype=np.bool_), b.board.size
    changed = True
    while changed:
        changed = False
        for goal in b.board.goals:
            if not found[goal] and sum(c == n or found[c] for c in b.board.neighbour[goal].tolist()) == 3:
                found[goal] = changed = True
    return found


def fits(wanted: Mapping[int, int], room: Sequence[int]) -> bool:
    """Return whether things, counted by the bits of the places they may go to, fit into places with so much room each.

    Source: augmenting paths (Ford and Fulkerson), alike things together.
    """
    placed: list[Counter[int]] = [Counter() for _ in room]
    spare = list(room)
    for bits, count in wanted.items():
        left = count
        while left:
            path = _path(bits, placed, spare)
            if not path:
                return False
            step = min(left, spare[path[-1][0]], *(placed[p][b] for (p, _), (_, b) in pairwise(path)))
            spare[path[-1][0]] -= step
            left -= step
            for place, came in path:
                placed[place][came] += step
            for (place, _), (_, came) in pairwise(path):
                placed[place][came] -= step
    return True


def _path(bits: int, placed: Sequence[Counter[int]], spare: Sequence[int]) -> list[tuple[int, int]]:
    """Return how room is made for one thing: place by place, and the bits of what moves there; empty if it cannot be."""
    paths = {p: [(p, bits)] for p in range(len(spare)) if bits >> p & 1}
    queue = list(paths)
    for p in queue:
        if spare[p]:
            return paths[p]
        for other in [b for b, n in placed[p].items() if n]:
            for q in range(len(spare)):
                if other >> q & 1 and q not in paths:
                    paths[q] = [*paths[p], (q, other)]
                    queue.append(q)
    return []
