"""One level made ready for the satisficing searches: tables, scratch and the calls of the compiled parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from sokoasp.core import kernels
from sokoasp.core.kernels.arrays import I4, I8, U1, Array
from sokoasp.sokoban.search.model import workspace
from sokoasp.sokoban.search.model.options import MODULES, PATTERN_MODULES
from sokoasp.sokoban.search.model.push_board import PushBoard, numbered
from sokoasp.sokoban.search.model.records import Ground
from sokoasp.sokoban.search.model.workspace import Kernels
from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing.macro_registers import Bench, Children, Entered, Guides, MacroRegisters, V, W

PLAN_MODULES = tuple(
    f"sokoasp.sokoban.search.satisficing.{name}"
    for name in (
        "macro_registers",
        "macro_moves",
        "advisor_tables",
        "successors",
        "advisors",
        "dead_end_kernels",
        "bound_filter",
    )
)
"""The modules with compiled parts of these searches, in the order they are loaded; after those of the proving search."""

MOST_HOTSPOTS = 10_000_000
"""Pairs of live cells times goals up to which hotspots are looked for: about a second; XSokoban has 700,000 at most."""
MOST_OUT_OF_PLAN = 40_000_000
"""Pairs of steps times live cells up to which it is looked for where boxes are out of plan: about a second too."""
State = tuple[tuple[int, ...], int]
"""Box cells in ascending order, and the player's cell."""


def load() -> Kernels:
    """Load the compiled parts of the satisficing searches, and of what learns, which they ask from the first state on."""
    workspace.compiled()
    kernels.load(PATTERN_MODULES)
    return Kernels(**kernels.named((*MODULES, *PLAN_MODULES)))


@dataclass(frozen=True, slots=True)
class PackingOrder:
    """A packing order: step i brings a box from ``rows[i, 0]`` (-1: from anywhere) to ``rows[i, 1]``.

    ``rows[i, 2]`` is the later step that takes it away again, the number of steps if none does. The first ``unordered`` steps
    may be done in any order.
    """

    rows: I4
    unordered: int = 0
    waiting: int = 0
    """The first steps that are boxes which wait where they start: each that does not is one filled cell less."""
    complete: bool = False
    """Whether reverse play brought every box back to where boxes start."""

    @property
    def steps(self) -> int:
        """Return the number of steps."""
        return len(self.rows)


def any_order(board: PushBoard) -> PackingOrder:
    """Return the order that only counts boxes on goals."""
    k = len(board.goals)
    return PackingOrder(np.array([(-1, goal, k) for goal in board.goals], dtype=np.int32).reshape(k, 3), unordered=k)


Tables = dict[str, Array]
"""Tables that depend on the board alone, by name: workspaces of one board that are given the same one fill them once."""


@dataclass(slots=True)
class MacroWorkspace:
    """What the compiled parts need to list the children of a state."""

    board: PushBoard
    compiled: Kernels
    order: PackingOrder
    goal_distance: I4 | None = None
    """How far the nearest goal is by cell: ties go to boxes far from goals.

    None: it does not look at boxes out of plan or in others' way.
    """
    corral: bool = True
    """Whether corrals decide which pushes are listed."""
    reverse: bool = False
    shared: Tables = field(default_factory=dict)
    r: MacroRegisters = field(init=False)
    ground: Ground = field(init=False)
    bench: Bench = field(init=False)
    guides: Guides = field(init=False)
    entered: Entered = field(init=False)
    kids: Children = field(init=False)
    states: int = 0
    """States entered."""
    listed: int = 0
    """Children listed in all."""

    def __post_init__(self) -> None:
        """Allocate the scratch and the table of states."""
        board, n, most = self.board, self.board.size, 4 * self.board.live * len(self.board.boxes) + 1
        self.r = MacroRegisters(live=board.live, reverse=self.reverse, corral=self.corral)
        bits, target = np.zeros((2, n + 1), dtype=np.uint8), np.zeros(n + 1, dtype=np.uint8)
        bits[:, n] = 1
        target[list(board.goals)] = 1
        self.ground = Ground(board.neighbour, target)
        self.bench = Bench(
            bits, np.zeros((len(W), 4 * (n + 1)), dtype=np.int32), np.zeros((len(V), n + 1), dtype=np.int32)
        )
        random = np.random.default_rng(2009)
        zobrist = random.integers(1, 1 << 62, size=(2, n + 1), dtype=np.int64)
        self.entered = Entered(zobrist, np.zeros(1 << 12, dtype=np.int64))
        pairs = np.zeros(len(board.boxes) ** 2, dtype=np.int32)
        self.kids = Children(np.zeros((most, at.COLUMNS), dtype=np.int32), np.zeros((most, 2), dtype=np.int64), pairs)
        self.guides = self._guides()
        self.follow(self.order)

    def _guides(self) -> Guides:
        """Return the tables that guide the search, but for those of the packing order."""
        n, words = self.board.size, self.board.size // at.BITS + 1
        rooms, links = layout(self.board)
        away = self.goal_distance
        return Guides(
            order=self.order.rows,
            basin=np.ones((1, n + 1), dtype=np.uint8),
            hotspots=self._hotspots() if away is not None else np.zeros((n + 1, words), dtype=np.int64),
            others=np.zeros(words, dtype=np.int64),
            rooms=rooms,
            links=links,
            apart=np.zeros((1, n + 1), dtype=np.int32),
            lone=self._lone_ways() if away is not None else np.zeros((n + 1, n + 1), np.uint8),
            goal_distance=np.zeros(n + 1, dtype=np.int32) if away is None else away,
        )

    def follow(self, order: PackingOrder) -> None:
        """Take another packing order."""
        self.order = order
        self.r.steps, self.r.unordered, self.r.waiting = order.steps, order.unordered, order.waiting
        basin = np.ones((order.steps + 1, self.board.size + 1), dtype=np.uint8)
        apart = np.zeros((order.steps + 1, self.board.size + 1), dtype=np.int32)
        # without these tables no box counts as out of plan
        if self.goal_distance is not None and order.steps**2 * self.board.live <= MOST_OUT_OF_PLAN:
            basin = self._basins(order, basin, apart)
        self.guides = self.guides._replace(order=order.rows, basin=basin, apart=apart)

    def _basins(self, order: PackingOrder, basin: U1, apart: I4) -> U1:
        """Fill the tables of where boxes are out of plan, and of how far it is from there; return the first."""
        reach = np.zeros(self.board.size + 1, dtype=np.int64)
        near, live = self.board.neighbour, self.board.live
        walls, tables = self.bench.bits[0], self.compiled.advisor_tables
        self.r.stamp = tables.basins(near, walls, live, order.rows, self.r.stamp + 1, self.bench.w, reach, basin)
        basin = ahead(order, basin)
        for p in range(order.steps):
            held = [cell for _came, cell, until in order.rows[:p].tolist() if until >= p]
            walls[held] = 1
            tables.apart(near, walls, live, basin[p], apart[p], self.bench.v[V.QUEUE])
            walls[held] = 0
        return basin

    def _hotspots(self) -> I8:
        """Return which boxes stand in the way of which cells; none where filling that would take more than about a second."""
        goals, n, live = np.array(self.board.goals, dtype=np.int32), self.board.size, self.board.live
        spots: I8 | None = self.shared.get("hotspots")
        if spots is None:
            spots = self.shared["hotspots"] = np.zeros((n + 1, n // at.BITS + 1), dtype=np.int64)
            if live * live * len(goals) <= MOST_HOTSPOTS:
                both = np.zeros((2, len(goals) // at.BITS + 1, n + 1), dtype=np.int64)
                find, bench = self.compiled.advisor_tables.hotspots, self.bench
                self.r.stamp = find(
                    self.board.neighbour, bench.bits[0], live, goals, self.r.stamp + 1, bench.w, both, spots
                )
            # boxes on goals are neither in the way nor in need of way
            spots[goals] = 0
            for goal in self.board.goals:
                spots[:, goal // at.BITS] &= ~(1 << goal % at.BITS)
        return spots

    def _lone_ways(self) -> U1:
        """Return between which cells a lone box can be pushed."""
        n, near, tables = self.board.size, self.board.neighbour, self.compiled.advisor_tables
        lone: U1 | None = self.shared.get("lone")
        if lone is None:
            lone = self.shared["lone"] = np.zeros((n + 1, n + 1), dtype=np.uint8)
            reach, bench = np.zeros(n + 1, dtype=np.int64), self.bench
            self.r.stamp = tables.lone_ways(
                near, bench.bits[0], self.board.live, self.r.stamp + 1, bench.w, reach, lone
            )
        return lone

    def children(self, boxes: tuple[int, ...], player: int) -> int:
        """List the children of a state in ``kids``; return how many there are, -1 if the state is dead."""
        self._rest()
        self.r.boxes, self.r.player = len(boxes), player
        cells = np.array(boxes, dtype=np.int32)
        count: int = self.compiled.successors.expand(
            self.r, self.ground, cells, self.guides, self.bench, self.entered, self.kids
        )
        self.listed += max(0, count)
        return count

    def advise(self, count: int) -> None:
        """Mark the children just listed that advisors name."""
        self.compiled.advisors.advise(count, self.r, self.ground.neighbour, self.guides, self.bench, self.kids)

    def knows(self, key: int) -> bool:
        """Return whether a state was entered."""
        return bool(self.compiled.hash_set.known(self.entered.table, key))

    def enter(self, key: int) -> None:
        """Enter a state."""
        self.states += 1
        table = self.entered.table
        if 2 * self.states > len(table):
            self.entered = self.entered._replace(table=np.zeros(2 * len(table), dtype=np.int64))
            self.compiled.hash_set.refill(table, self.entered.table)
        self.compiled.hash_set.remember(self.entered.table, key)

    def pushed(self, boxes: tuple[int, ...], player: int, move: tuple[int, int, int]) -> list[tuple[int, ...]]:
        """Return the box sets after each push (pull) of a macro push: the box's cell before and after, the player's beside it."""
        rest = [b for b in boxes if b != move[0]]
        return [tuple(sorted([*rest, cell])) for cell in self.route(boxes, player, *move)[1:]]

    def _rest(self) -> None:
        """Begin the stamps anew before they overflow."""
        if self.r.stamp > 1 << 30:
            self.r.stamp, self.bench.w[:], self.bench.v[:] = 0, 0, 0

    def journey(self, player: int, box: int) -> I4:
        """Push (pull) a box of those in ``bits`` as the player can; return the places it gets to, by fewest pushes (pulls)."""
        near, moves = self.board.neighbour, self.compiled.macro_moves
        occ, mark = self.bench.bits[0], self.bench.v[V.MARK]
        self._rest()
        self.r.stamp += 1
        stamp = self.r.stamp
        self.compiled.region_kernel.region(near, occ, player, mark, stamp, self.bench.v[V.QUEUE])
        beside = [d for d, cell in enumerate(near[box].tolist()) if mark[cell] == stamp]
        count = 0
        if beside:
            occ[box] = 0
            moves.blocks(near, occ, box, self.bench.w)
            start = moves.place(self.bench.w, box, int(self.bench.w[W.LABEL, 4 * box + beside[0]]))
            count = moves.journeys(near, occ, self.board.live, start, 15, int(self.reverse), stamp, self.bench.w)
            occ[box] = 1
        return self.bench.w[W.QUEUE, :count]

    def route(self, boxes: tuple[int, ...], player: int, box: int, to: int, stand: int) -> list[int]:
        """Return the cells of a box on its way to ``to`` with the player beside it on ``stand``, by fewest pushes (pulls).

        Raises ValueError: there is no such way.
        """
        occ, around = self.bench.bits[0], self.board.neighbour[to].tolist()
        occ[list(boxes)] = 1
        cells: list[int] = []
        if len(self.journey(player, box)) and stand in around:
            place = self.compiled.macro_moves.place(
                self.bench.w, to, int(self.bench.w[W.LABEL, 4 * to + around.index(stand)])
            )
            while place >= 0 and self.bench.w[W.SEEN, place] == self.r.stamp:
                cells.append(place >> 2)
                place = int(self.bench.w[W.CAME, place])
        occ[list(boxes)] = 0
        if not cells or cells[-1] != box:
            raise ValueError("no such macro push")
        return cells[::-1]


def ahead(order: PackingOrder, basin: U1) -> U1:
    """Return the basins in which boxes are out of plan early: as of the next step that makes the basin smaller.

    So they can be brought out in time (FESS, Shoham and Schaeffer 2020: "out of plan").

    Args:
        order: The packing order.
        basin: (steps+1, cells): as of ``advisor_tables.basins``.
    """
    steps = order.steps
    after = basin.copy()
    for p in range(steps + 1):
        after[p, [cell for _came, cell, until in order.rows[:p].tolist() if until >= steps]] = 1
    after[steps] = 1
    changes = [p for p in range(1, steps) if (after[p] != (after[p - 1] if p > 1 else 1)).any()]
    found = np.ones_like(basin)
    for first, change in zip([0, *(p - 1 for p in changes)], [*changes, changes[-1] if changes else 0], strict=True):
        if change:
            found[first : steps - 1] = after[change]
    return found


def layout(board: PushBoard) -> tuple[I4, I4]:
    """Return the rooms and passages of the floor (two rows by cell), and the links, as ``Guides`` has them."""
    room = _rooms(board)
    passage = numbered(board, {c for c in range(board.size) if room[c] == 0})
    doors: dict[int, set[int]] = {}
    for c in range(board.size):
        if passage[c]:
            doors.setdefault(int(passage[c]), set()).update(int(room[to]) for to in board.neighbour[c] if room[to])
    links = [(way, a, b, 1, 1) for way, beside in sorted(doors.items()) for a, b in combinations(sorted(beside), 2)]
    return np.stack([room, passage]), np.array(links, dtype=np.int32).reshape(-1, 5)


def _rooms(board: PushBoard) -> I4:
    """Number the rooms, connected areas of 2 by 3 floor cells, from 1; 0 elsewhere."""
    n, neighbour = board.size, board.neighbour
    inside: set[int] = set()
    for c in range(n):
        for d, e in ((1, 3), (3, 1)):
            block = {c, beside := int(neighbour[c, d])}
            for start in (c, beside):
                one = int(neighbour[start, e])
                block |= {one, int(neighbour[one, e])}
            if n not in block:
                inside |= block
    return numbered(board, inside)
