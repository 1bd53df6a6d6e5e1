"""Breadth-first search from both ends in layers of moves: of each box set the player's cells are bits that walk together."""

from __future__ import annotations

from sokoasp.core.limits import Clock
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.exact import bitboard, breadth_first
from sokoasp.sokoban.search.exact.breadth_first import BreadthFirstSearch, Side
from sokoasp.sokoban.search.exact.move_store import MoveStore, WayBack, bits_of
from sokoasp.sokoban.search.model import referee
from sokoasp.sokoban.search.model.push_board import PushBoard
from sokoasp.sokoban.search.model.records import LayerRegisters

SLICE = 10_000
"""Entries expanded between two looks at the clock: some tens of milliseconds."""
MOST = 20_000_000
"""Box sets stored: two gigabytes."""
FAR, FAR_SHARE = 1_000_000_000, 0.25
"""Entries ahead until the cost of the best plan is reached from which the search gets this part of all time."""


def fits(board: PushBoard) -> bool:
    """Return whether each cell of a board has a bit of its own."""
    span, place = bitboard.numbered_cells(board)
    return span > 0 and len(place) == board.size


class MoveLayersSearch(BreadthFirstSearch):
    """The same search for moves; it takes boards whose cells fit into 128 bits and as many goals as boxes."""

    def _begin(self, objective: str) -> tuple[Side, Side]:
        board = self.board
        self.kernels = self.code.move_layers_kernels
        self.bits, self.span = bitboard.build(board, (board.live + 16 + 63) // 64)
        self.move_store = MoveStore(self.kernels.BATCH * 4 * len(board.boxes))
        self.r = LayerRegisters(span=self.span, room=self.move_store.room, freeze=self.options.freeze)
        self.r.meet = -1
        self._expanded = 0
        self._arrived = [0, 0]
        """Arrivals of each side."""
        self._in_hand = 0
        # the player may be anywhere in the end
        free = [cell for cell in range(board.size) if cell not in board.goals]
        sides = (self._enter(0, board.boxes, [board.player]), self._enter(1, board.goals, free))
        self._take(sides[1])
        return sides

    def _enter(self, number: int, boxes: tuple[int, ...], players: list[int]) -> Side:
        """Return a side with the states of its end."""
        side, place = Side(number, self.r, [0]), self.bits.place
        self._take(side)
        bits = sum(1 << int(place[cell]) for cell in boxes)
        for cell in players:
            self.move_store.layers.out[0] = *bitboard.words_of(bits), int(place[cell])
            self.kernels.enter(self.r, self.bits, self.move_store.layers, 1)
        self._complete(side)
        return side

    def _take(self, side: Side) -> None:
        """Take a side in hand: its next layer is made."""
        r = self.r
        self._arrived[self._in_hand] = r.arrived
        self._in_hand = side.number
        self.move_store.turn(side.number)
        front = side.front if len(side.layers) > 1 else 0
        r.side, r.next, r.end, r.made = side.number, 0, front, 0
        r.arrived, r.depth = self._arrived[side.number], len(side.layers) - 1

    def _complete(self, side: Side) -> None:
        """Make the finished layer the front of its side."""
        self._expanded += self.r.end
        self.move_store.swap(side.number)
        side.layers.append(side.layers[-1] + self.r.made)
        self.r.next = self.r.end = 0

    @property
    def share(self) -> float:
        """Return its share of the time. Layers grow slowly, so it depends on how many states are still ahead."""
        if self.counters["generated"] < breadth_first.TRIAL:
            return breadth_first.SMALL_SHARE if self.board.live <= breadth_first.SMALL else breadth_first.TRIAL_SHARE
        if self.ahead > breadth_first.NEAR:
            return 0.0
        if self.upper is None:
            return breadth_first.TRIAL_SHARE
        return breadth_first.NEAR_SHARE if self._until(self.upper) < FAR else FAR_SHARE

    @property
    def counts(self) -> tuple[int, int]:
        """Return how many entries all layers of each side have had."""
        forward, reverse = (side.layers[-1] for side in self.sides)
        return forward, reverse

    @property
    def counters(self) -> dict[str, int]:
        """Return expanded entries of layers, box sets after pushes and pulls, and those stored."""
        r = self.r
        return {"expanded": self._expanded + r.next, "generated": r.generated, "states": r.sets}

    def cut(self, cutoff: int) -> None:
        """Do nothing: half way, no bound on moves is tight enough to put a state beyond the cutoff."""

    def _step(self, clock: Clock) -> bool:
        """Expand some entries of the front in hand, and see to what follows when all are; False where there is no room."""
        side, r, limits = self._side, self.r, clock.limits
        if r.sets >= (limits.states or MOST):
            return False
        # Step 1. One step of the layer in hand; full arrays grow by half at least
        if self.kernels.deepen(r, self.bits, self.move_store.layers, SLICE):
            counts = (r.sets, r.made, r.arrived)
            return self.move_store.grow(self.kernels, counts, clock.spare_bytes)
        # Step 2. The first state that both sides know lies on a cheapest plan
        if r.meet >= 0:
            self.plan = self._joined(side)
        # Step 3. A whole layer without such a state raises the bound by one; the side with the smaller front goes on
        elif r.next == r.end:
            self._complete(side)
            self.exhausted = side.front == 0
            self._side = min(self._turns, key=lambda one: one.front)
            self._take(self._side)
        return self.share > 0 or not self.gated

    def _joined(self, side: Side) -> Plan:
        """Return the plan through the state that both sides know."""
        self._arrived[side.number] = self.r.arrived
        index, at = self.r.meet, self.r.meet_at
        ways = [
            WayBack(self.move_store, self.kernels, (1, -1, self.span, -self.span), bits_of(self.bits.floor), number)
            for number in range(2)
        ]
        forth, back = (way.boxes(index, at) for way in ways)
        numbers = [int(cell) for cell in self.bits.number]
        sets = [
            tuple(sorted(numbers[bit] for bit in range(bitboard.BITS) if one >> bit & 1))
            for one in forth[::-1] + back[1:]
        ]
        return referee.plan_of(self.level, self.board, sets)
