"""The target-board search: backwards without removal to a calm board near the start, forwards to that board, and so on by turns.

Unlike the packing order, which comes from a play in which boxes leave the board, a target board is a promise kept: it was reached
from the solved board by legal pulls, so whoever gets there has a plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from sokoasp.sokoban.level import Cell, Level, reachable
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.bounds.search_tables import solved_states
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.push_board import PushBoard, plan_of
from sokoasp.sokoban.search.model.tuning import TargetBoards
from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing.frontier import Frontier, Stop, joined
from sokoasp.sokoban.search.satisficing.macro_search import E
from sokoasp.sokoban.search.satisficing.macro_workspace import Guidance, MacroWorkspace, PackingOrder, State, any_order
from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch
from sokoasp.sokoban.search.satisficing.search import SatisficingSearch

TURNS = 10
"""Turns between two looks at the clock."""
CHILDREN = 40
"""Children listed that count like one state expanded: the time of both is the effort."""
CALM = (12, 4, 30)
"""Pushes that a target board may be farther away for having a region less, in turns."""


@dataclass(slots=True)
class BidirectionalMacroSearch(SatisficingSearch):
    """Looks for a plan on a level with as many boxes as goals; proves nothing."""

    level: Level
    board: PushBoard
    beside: PackingOrderSearch
    """The search it waits for, whose lost states it shares."""
    patient: bool = True
    """Wait for it at all."""
    name: str = field(default="target-board", kw_only=True)
    back: list[Frontier] = field(default_factory=list)
    """Searches from the solved board that are on: towards the start, and towards a board reached forwards."""
    forth: list[Frontier] = field(default_factory=list)
    """Searches from the start that are on."""
    rounds: int = 0
    _gone: dict[str, int] = field(default_factory=lambda: {"expanded": 0, "generated": 0, "states": 0})
    _aims: set[tuple[int, ...]] = field(default_factory=set)
    _course: Iterator[None] | None = None

    @property
    def counters(self) -> dict[str, int]:
        """Return how many states were expanded, generated and kept."""
        total = dict(self._gone)
        for frontier in (*self.back, *self.forth):
            total["expanded"] += frontier.expanded
            total["generated"] += frontier.branching.listed
            total["states"] += len(frontier.nodes)
        return total

    @property
    def tuned(self) -> TargetBoards:
        """Return the constants it goes by."""
        return self.beside.options.tuned.target

    @property
    def idle(self) -> bool:
        """Return whether it still gives the packing-order search its chance: by counts, so that two runs do the same."""
        if self.beside.finished or not self.patient:
            return False
        waited = effort(self.beside.counters)
        return waited < self.tuned.wait or (waited < self.tuned.later and effort(self.counters) >= self.tuned.prelude)

    def step(self) -> None:
        """Take some turns."""
        if self._course is None:
            self._course = self._search()
        if next(self._course, self) is self:
            self.finished = True

    def _search(self) -> Iterator[None]:
        """Search by rounds, pausing after every few turns, until the halves have met or the main one has seen all it may see."""
        # Step 1. One backward search goes on through all rounds
        main = self._backward(None)
        size = self.tuned.first
        while not main.exhausted and main.expanded < self.tuned.most:
            calm = CALM[self.rounds % len(CALM)]
            yield from self._run(main, size)
            if main.exhausted or self._ended():
                return
            # Step 2. A calm board near the start is the target; its neighbourhood makes it easier to hit
            target = self._choose(main, calm)
            main.around(target, self.tuned.around)
            yield from self._check(main)
            # Step 3. From the start towards that board
            forward = self._forward(main.nodes[target])
            yield from self._run(forward, size // 2)
            if self._ended():
                return
            # Step 4. A fresh backward search towards what the forward one has reached
            aim = forward.nodes[self._choose(forward, calm)]
            nearest = min(range(len(forward.nodes)), key=lambda i: (forward.nodes[i].far, i))
            forward.around(nearest, self.tuned.around)
            yield from self._check(forward)
            backward = self._backward((aim.boxes, aim.player))
            yield from self._run(backward, size)
            # Step 5. Longer rounds: some levels only need more of the same
            size = int(size * self.tuned.growth)
            self.rounds += 1

    def _ended(self) -> bool:
        return self.finished

    def _run(self, frontier: Frontier, expansions: int) -> Iterator[None]:
        end = frontier.expanded + expansions
        while not self.finished and frontier.expanded < end and not frontier.exhausted:
            frontier.advance(TURNS)
            yield from self._check(frontier)

    def _check(self, frontier: Frontier) -> Iterator[None]:
        """Make a plan of it if the search has met one of the other direction."""
        if frontier.met is not None and not self.finished:
            self.found = self._joined(frontier, *frontier.met)
            self.finished = self.found is not None
            frontier.met = None
        yield

    def _joined(self, frontier: Frontier, number: int, edge: int) -> Plan | None:
        """Return the plan through a state that two searches have listed; None if only its hash is that of another."""
        boxes, player = frontier.child(number, edge)
        key = int(frontier.nodes[number].edges[edge, E.HASH])
        for other in frontier.others:
            # equal hashes are a hint: boxes and region decide
            place = other.find(key)
            if place is None:
                continue
            there = other.nodes[place[0]]
            twin = (there.boxes, there.player) if place[1] < 0 else other.child(*place)
            if twin[0] != boxes or self._region(*twin) != self._region(boxes, player):
                continue
            ours, theirs = frontier.states_to(number, edge), other.states_to(*place)
            steps = joined(theirs, ours) if frontier.branching.reverse else joined(ours, theirs)
            return plan_of(self.level, self.board, steps)
        return None

    def _region(self, boxes: tuple[int, ...], player: int) -> frozenset[Cell]:
        """Return the cells to which the player can walk."""
        cells = self.board.cells
        return frozenset(reachable(cells[player], self.level.floor - {cells[box] for box in boxes}))

    def _choose(self, frontier: Frontier, calm: int) -> int:
        """Return the node that serves best as a target: near what the search aims at, with few regions, and not chosen before."""

        def worth(number: int) -> tuple[bool, int, int]:
            node: Stop = frontier.nodes[number]
            return node.boxes in self._aims, node.far + calm * node.regions, number

        chosen = min(range(len(frontier.nodes)), key=worth)
        self._aims.add(frontier.nodes[chosen].boxes)
        return chosen

    def _backward(self, aim: State | None) -> Frontier:
        """Begin a search from the solved board, towards the start or another board."""
        code = self.beside.dead_ends.branching.compiled
        dist = push_board.distances(self.level, self.board, lines=False, reverse=True, aim=aim)
        b = MacroWorkspace(self.board, code, any_order(self.board), reverse=True)
        if aim is None:  # the start itself must be met, too
            self.forth.append(self._forward_half(self.board.goals))
        frontier = Frontier(b, dist, solved_states(self.board), list(self.forth))
        self._retire(self.back)
        self.back.append(frontier)
        return frontier

    def _forward(self, target: Stop) -> Frontier:
        """Begin a search from the start towards a target board."""
        self._retire(self.forth)
        frontier = self._forward_half(target.boxes)
        frontier.others = list(self.back)
        self.forth.append(frontier)
        for other in self.back:
            other.others = list(self.forth)
        return frontier

    def _forward_half(self, cells: tuple[int, ...]) -> Frontier:
        k = len(cells)
        rows = np.array([(-1, c, k) for c in cells], dtype=np.int32).reshape(k, 3)
        b = MacroWorkspace(
            self.board,
            self.beside.dead_ends.branching.compiled,
            PackingOrder(rows, unordered=k),
            Guidance(at.PLAIN, corral=self.beside.options.corral),
        )
        dist = push_board.distances(self.level, self.board, lines=False, reverse=False, aim=(cells, self.board.player))
        return Frontier(b, dist, [(self.board.boxes, self.board.player)], [], self.beside.dead_ends)

    def _retire(self, frontiers: list[Frontier]) -> None:
        """Let all searches but the first go; what they have found is forgotten, but for their counts."""
        for frontier in frontiers[1:]:
            self._gone["expanded"] += frontier.expanded
            self._gone["generated"] += frontier.branching.listed
            self._gone["states"] += len(frontier.nodes)
        del frontiers[1:]


def effort(counters: dict[str, int]) -> int:
    """Return what a search has cost, counted: the same in every run."""
    return counters["expanded"] + counters["generated"] // CHILDREN
