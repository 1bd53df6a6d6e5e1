"""Plain breadth-first search from both ends: no bound, no tables, layer by layer (retrograde analysis).

A level whose boxes hardly find room has few states that can be *pulled* out of the solved ones; forwards most states are dead.
So the smaller of the two fronts goes one layer further, whichever it is, and it is mostly the reverse one.
"""

from __future__ import annotations

import bisect
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from sokoasp.core import progress
from sokoasp.core.bounds import Bounds
from sokoasp.core.limits import Clock
from sokoasp.core.schedule import Role
from sokoasp.sokoban.level import Level, reachable
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import bitboard
from sokoasp.sokoban.search.exact.state_store import LayerStore
from sokoasp.sokoban.search.model import referee, workspace
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.push_board import PushBoard
from sokoasp.sokoban.search.model.records import SideRegisters

SLICE = 20_000
"""States expanded between two looks at the clock: some tens of milliseconds."""
TRIAL, TRIAL_SHARE = 1_000_000, 0.5
"""States generated before the growth of the fronts decides on the search's part of all time, and its part until then."""
SMALL, SMALL_SHARE = 60, 0.7
"""Its part until then on boards of at most SMALL live cells: there this search often comes to its end, packing orders do not."""
WINDOW = 8
"""Layers over which growth is averaged."""
SLOW, SLOW_SHARE, HOPELESS = 1.25, 0.8, 1e12
"""Its part of all time if the slower front grows by less than SLOW from layer to layer. This holds unless HOPELESS states or more
are ahead until the best bound is reached: growth falls on crowded boards, seldom elsewhere."""
NEAR, NEAR_SHARE, LATELY = 200_000_000, 0.8, 4
"""Its part if the fronts, growing as in the LATELY layers before, will have NEAR states at most when the best bound is reached; a
tenth of that is more likely, for they grow less and less. Without a plan it keeps the part of the trial."""
FAIR, FAIR_STATES, FAIR_SHARE = 1.3, 2_000_000, 0.4
"""Its part if the slower front grows by less than FAIR, until FAIR_STATES are generated; otherwise the search gives up."""
MOST = 30_000_000
"""States stored."""


@dataclass(slots=True)
class Side:
    """The search from one end: its layers lie one after the other in the store."""

    number: int
    """0 from the start, 1 from the goals."""
    r: Any
    """Its ``SideRegisters``; in a search for moves the ``LayerRegisters`` of both sides."""
    layers: list[int]
    """Number of the first state of each layer, and of the layer in the making."""

    @property
    def depth(self) -> int:
        """Return how many layers are complete beyond the first."""
        return len(self.layers) - 2

    @property
    def front(self) -> int:
        """Return the number of states in the last complete layer."""
        return self.layers[-1] - self.layers[-2]

    def growth(self, window: int) -> float:
        """Return by what factor a layer has grown on average lately, infinity until there are enough layers."""
        if self.depth <= window:
            return float("inf")
        sizes = np.diff(self.layers)
        return float((sizes[-1] / sizes[-1 - window]) ** (1 / window))


class BreadthFirstSearch:
    """A search from both ends in layers, in slices; takes lines and pushes, as many goals as boxes, and boards that fit."""

    name = "breadth-first"
    role: Role = "exhaustive"
    idle = False

    gated = True
    """Whether it gives up where the fronts grow too fast."""

    def __init__(self, level: Level, board: PushBoard, objective: str, options: Options) -> None:
        """Set both ends up."""
        self.level, self.board = level, board
        self.code = workspace.compiled()
        self.seconds = 0.0
        self.exhausted = False
        """Whether one side has seen all its states: there is no plan."""
        self.options = options
        self.target: int | None = None
        """The best bound, whoever proved it."""
        self.upper: int | None = None
        """What the best plan costs, whoever found it."""
        self.plan: Plan | None = None
        """The optimal plan, once the sides have met."""
        self.cutoff: int | None = None
        """The cost of the best plan: what cannot be part of a cheaper one is left out."""
        self.parity = (
            sum(map(sum, (board.cells[c] for c in board.boxes + board.goals))) & 1 if objective == "pushes" else None
        )
        """In pushes all plans are even, or all odd: each push turns the colour of a box's cell."""
        self.sides = self._begin(objective)
        self._turns: tuple[Side, ...] = self.sides
        """The sides that go on in turns."""
        self._side = self.sides[1]
        self.gave_up = False
        """Whether memory or states did not suffice, or the fronts grow too fast."""

    def _begin(self, objective: str) -> tuple[Side, Side]:
        """Enter the states of both ends."""
        board, lines = self.board, objective == "lines"
        self.kernels = self.code.breadth_first_kernels
        self.potentials = [0, 0]
        """Of each side: what is taken off the prices of a state's cells."""
        self.words = (board.live + 16 + 63) // 64
        self.bits, self.span = bitboard.build(board, self.words)
        room = self.kernels.BATCH * 4 * len(board.boxes) * (workspace.longest(board) if lines else 1)
        self.out, self.slots = np.zeros((room, self.words), np.uint64), np.zeros(room, np.int64)
        """Keys of the children of a batch of states, and where the table is asked for them."""
        self.key = np.zeros(self.words, np.uint64)
        self.store = LayerStore(self.words, room)
        starts = ((board.boxes, board.reach),)
        return self._end(starts, lines, 0), self._end(search_tables.solved_states(board), lines, 1)

    def _end(self, ends: tuple[tuple[tuple[int, ...], int], ...], lines: bool, reverse: int) -> Side:
        words = self.words
        r = SideRegisters(
            count=len(ends),
            end=len(ends),
            meet=-1,
            span=self.span,
            reverse=reverse,
            lines=lines,
            words=words,
            room=len(self.out),
            freeze=self.options.freeze,
        )
        keys = self.store.keys[reverse]
        for number, (boxes, player) in enumerate(ends):
            name = self._name_of_region(boxes, player)
            self.code.primitives.pack(np.array(boxes, np.int32), len(boxes), name, words, keys[number])
        self.store.enter(self.kernels, reverse, len(ends))
        return Side(reverse, r, [0, len(ends)])

    def _name_of_region(self, boxes: tuple[int, ...], player: int) -> int:
        """Return the cell of the lowest bit of the player's region."""
        cells, place = self.board.cells, self.bits.place
        number = {cell: i for i, cell in enumerate(cells)}
        area = reachable(cells[player], set(cells) - {cells[box] for box in boxes})
        return min((number[cell] for cell in area), key=lambda one: (place[one], one))

    @property
    def growth(self) -> float:
        """Return by what factor a layer of the slower front has grown lately, infinity until a side has enough layers."""
        return min(side.growth(WINDOW) for side in self.sides)

    @property
    def ahead(self) -> float:
        """Return how many states are expected in the layers from here to the best bound."""
        return float("inf") if self.target is None else self._until(self.target)

    def _until(self, target: int) -> float:
        """Return how many states are expected in the layers from here to a bound."""
        fronts, growth = [float(side.front) for side in self.sides], [side.growth(LATELY) for side in self.sides]
        total = 0.0
        for _ in range(self.lower, target):
            side = fronts.index(min(fronts))
            fronts[side] *= growth[side]
            total += fronts[side]
            if total > HOPELESS:
                break
        return total

    @property
    def share(self) -> float:
        """Return its share of the time: most where the fronts grow slowly, 0 where it is hopeless."""
        generated = self.counters["generated"]
        # nothing is known of the growth yet: small boards are taken to grow slowly
        if generated < TRIAL:
            return SMALL_SHARE if self.board.live <= SMALL else TRIAL_SHARE
        growth, ahead = self.growth, self.ahead
        if growth < SLOW and (self.target is None or ahead < HOPELESS):
            return SLOW_SHARE
        if ahead <= NEAR:
            return TRIAL_SHARE if self.upper is None else NEAR_SHARE
        return FAIR_SHARE if growth < FAIR and generated < FAIR_STATES else 0.0

    @property
    def finished(self) -> bool:
        """Return whether nothing is left to do."""
        return self.exhausted or self.gave_up or self.plan is not None

    @property
    def lower(self) -> int:
        """Return the proved bound: no state is in complete layers of both sides, so a plan is longer than both together."""
        least = 1 + sum(side.depth for side in self.sides)
        return least if self.parity is None else least + ((least ^ self.parity) & 1)

    @property
    def counts(self) -> tuple[int, int]:
        """Return how many states each side has stored."""
        forward, reverse = (side.r.count for side in self.sides)
        return forward, reverse

    @property
    def counters(self) -> dict[str, int]:
        """Return expanded, generated and stored states of both sides, and the layers."""
        expanded, generated = sum(side.r.next for side in self.sides), sum(side.r.generated for side in self.sides)
        return {"expanded": expanded, "generated": generated, "states": sum(self.counts)}

    def exchange(self, bounds: Bounds) -> None:
        """Hand in plan, bound, or that there is no plan."""
        by = f"the {self.name} search"
        if self.plan is not None:
            bounds.offer(self.plan, by)
        bounds.raise_lower(self.lower, by)
        self.target, self.upper = bounds.lower, bounds.upper
        if bounds.upper is not None and self.options.matching:
            self.cut(bounds.upper)
        if self.exhausted:
            bounds.exhausted(f"{by} saw all states")

    def cut(self, cutoff: int) -> None:
        """From now on leave out what cannot be part of a plan cheaper than this."""
        if self.cutoff is None:
            for side in self.sides:
                objective = "lines" if self.parity is None else "pushes"
                found = search_tables.cell_prices(
                    self.level, self.board, objective, self.options, reverse=side.number == 1
                )
                if found is None:
                    return
                self.store.prices[side.number], self.potentials[side.number] = found
        self.cutoff = cutoff

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Search for ``seconds`` at most; return the limit that stops it, else None."""
        began, before = time.perf_counter(), self.counters["expanded"]
        try:
            while not self.finished:
                if stopped := clock.over():
                    return stopped
                if not self._step(clock):
                    self.gave_up = True
                if time.perf_counter() - began >= seconds:
                    break
        finally:
            self.seconds += time.perf_counter() - began
            progress.note(expanded=self.counters["expanded"] - before)
        return None

    def _step(self, clock: Clock) -> bool:
        """Expand some states of the layer in hand, and see to what follows when it is done; False where there is no room."""
        side = self._side
        limits, r, store = clock.limits, side.r, self.store
        counts = self.counts
        if sum(counts) >= (limits.states or MOST):
            return False
        # Step 1. Children of the layer in hand; full arrays grow by half at least
        r.most = counts[side.number] + store.room(counts)
        if self.cutoff is not None:
            r.cutoff = max(1, self.cutoff - side.depth - 1 + self.potentials[side.number])
        if self.kernels.deepen(r, self.bits, store.layers(side.number), self.key, self.out, self.slots, SLICE):
            return store.grow(self.kernels, self.counts, side.number, len(self.out) + 1, clock.spare_bytes)
        # Step 2. The first state that both sides know lies on a cheapest plan
        if r.meet >= 0:
            self.plan = self._joined(side)
        # Step 3. A whole layer without such a state raises the bound by one; the side with the smaller front goes on
        elif r.next == r.end:
            side.layers.append(r.count)
            r.end = r.count
            self.exhausted = side.front == 0
            self._side = min(self._turns, key=lambda one: one.front)
        # the growth may be known in the middle of a layer: without a share it would never come to the end of that
        return self.share > 0 or not self.gated

    def _joined(self, side: Side) -> Plan:
        """Return the plan through the state that both sides know: it is in the last complete layer of the other side."""
        kernels, other = self.kernels, self.sides[1 - side.number]
        meet = side.r.meet
        here, there = self.store.keys[side.number], self.store.keys[other.number]
        met = kernels.among(there, here[meet : meet + 1], 1, self.words, *other.layers[-2:])
        assert met >= 0, "a state that both sides know is in the last layer of the other"
        ends = (meet, met) if side.number == 0 else (met, meet)
        forth, back = (self._path(one, end) for one, end in zip(self.sides, ends, strict=True))
        return referee.plan_of(self.level, self.board, forth[::-1] + back[1:])

    def state(self, side: Side, index: int) -> tuple[tuple[int, ...], int]:
        """Return the boxes of a stored state and a cell of the player's region."""
        boxes = np.zeros(len(self.board.boxes) + 1, np.int32)
        player = self.code.primitives.unpack(self.store.keys[side.number], index, self.board.live, self.words, boxes)
        return tuple(boxes[:-1].tolist()), int(player)

    def _path(self, side: Side, index: int) -> list[tuple[int, ...]]:
        """Return the box sets from a stored state back to the end from which its side began."""
        found, layer = [], bisect.bisect_right(side.layers, index) - 1
        while True:
            found.append(self.state(side, index)[0])
            if layer == 0:
                return found
            # no parents are stored: a step taken back from a state leads to some state of the layer before
            first, last = side.layers[layer - 1 : layer + 1]
            layer -= 1
            side.r.meet = index
            index = self.kernels.before(side.r, self.bits, self.store.keys[side.number], first, last, self.out)
            assert index >= 0, "a state of a layer comes from the layer before"
