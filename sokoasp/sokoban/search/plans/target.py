"""The target-board seeker: backwards without removal to a calm board near the start, forwards to that board, and so on by turns.

Unlike the filling order, which comes from a play in which boxes leave the board, a target board is a promise kept: it was reached
from the solved board by legal pulls, so whoever gets there has a plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from sokoasp.sokoban.level import Cell, Level, reachable
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import push_board
from sokoasp.sokoban.search.astar import plan_of
from sokoasp.sokoban.search.plans.branching import Branching, Order, State, any_order
from sokoasp.sokoban.search.plans.entrant import FillingSeeker, Stepper
from sokoasp.sokoban.search.plans.half import Half, Stop, joined
from sokoasp.sokoban.search.push_board import PushBoard
from sokoasp.sokoban.search.search_tables import solved_states

TURNS = 10
"""Turns between two looks at the clock."""
WAIT, LATER = 2000, 9000
"""Effort of the filling seeker before this one begins, and before it goes on after its prelude (about 1,100 a second)."""
PRELUDE = 6500
"""Effort of this one in between, two seconds: about its first round. What it finds it often finds then."""
CHILDREN = 40
"""Children listed that count like one state expanded: the time of both is the effort."""
FIRST = 1500
"""Expansions of each backward search of the first round ..."""
GROWTH = 1.4
"""... and how many times as many in each round as in the one before; forward ones are slower and get half."""
CALM = (12, 4, 30)
"""Pushes that a target board may be farther away for having a region less, in turns."""
AROUND = 150
"""States around a target board that are expanded breadth first."""
MOST = 400_000
"""States expanded backwards towards the start at most."""


@dataclass(slots=True)
class TargetSeeker(Stepper):
    """Looks for a plan on a level with as many boxes as goals; proves nothing."""

    level: Level
    board: PushBoard
    beside: FillingSeeker
    """The seeker it waits for, whose lost states it shares."""
    patient: bool = True
    """Wait for it at all."""
    name: str = "target-board"
    back: list[Half] = field(default_factory=list)
    """Searches from the solved board that are on: towards the start, and towards a board reached forwards."""
    forth: list[Half] = field(default_factory=list)
    """Searches from the start that are on."""
    rounds: int = 0
    _gone: dict[str, int] = field(default_factory=lambda: {"expanded": 0, "generated": 0, "states": 0})
    _aims: set[tuple[int, ...]] = field(default_factory=set)
    _course: Iterator[None] | None = None

    @property
    def counters(self) -> dict[str, int]:
        """Return how many states were expanded, generated and kept."""
        total = dict(self._gone)
        for half in (*self.back, *self.forth):
            total["expanded"] += half.expanded
            total["generated"] += half.branching.listed
            total["states"] += len(half.nodes)
        return total

    @property
    def idle(self) -> bool:
        """Tell whether it waits for the filling seeker to have had its chance: by counts, so that two runs do the same."""
        if self.beside.finished or not self.patient:
            return False
        waited = effort(self.beside.counters)
        return waited < WAIT or (waited < LATER and effort(self.counters) >= PRELUDE)

    def step(self) -> None:
        """Take some turns."""
        if self._course is None:
            self._course = self._search()
        if next(self._course, self) is self:
            self.finished = True

    def _search(self) -> Iterator[None]:
        """Search by rounds, pausing after every few turns, until the halves have met or the main one has seen all it may see."""
        main = self._backward(None)
        size = FIRST
        while not main.exhausted and main.expanded < MOST:
            calm = CALM[self.rounds % len(CALM)]
            yield from self._run(main, size)
            if main.exhausted or self._ended():
                return
            target = self._choose(main, calm)
            main.around(target, AROUND)
            yield from self._check(main)
            forward = self._forward(main.nodes[target])
            yield from self._run(forward, size // 2)
            if self._ended():
                return
            aim = forward.nodes[self._choose(forward, calm)]
            nearest = min(range(len(forward.nodes)), key=lambda i: (forward.nodes[i].far, i))
            forward.around(nearest, AROUND)
            yield from self._check(forward)
            backward = self._backward((aim.boxes, aim.player))
            yield from self._run(backward, size)
            size = int(size * GROWTH)
            self.rounds += 1

    def _ended(self) -> bool:
        return self.finished

    def _run(self, half: Half, expansions: int) -> Iterator[None]:
        end = half.expanded + expansions
        while not self.finished and half.expanded < end and not half.exhausted:
            half.advance(TURNS)
            yield from self._check(half)

    def _check(self, half: Half) -> Iterator[None]:
        """Make a plan of it if the search has met one of the other direction."""
        if half.met is not None and not self.finished:
            self.found = self._joined(half, *half.met)
            self.finished = self.found is not None
            half.met = None
        yield

    def _joined(self, half: Half, number: int, edge: int) -> Plan | None:
        """Return the plan through a state that two searches have listed; None if only its hash is that of another."""
        boxes, player = half.child(number, edge)
        key = int(half.nodes[number].keys[edge])
        for other in half.others:
            place = other.find(key)
            if place is None:
                continue
            there = other.nodes[place[0]]
            twin = (there.boxes, there.player) if place[1] < 0 else other.child(*place)
            if twin[0] != boxes or self._region(*twin) != self._region(boxes, player):
                continue
            ours, theirs = half.states(number, edge), other.states(*place)
            steps = joined(theirs, ours) if half.branching.reverse else joined(ours, theirs)
            return plan_of(self.level, self.board, steps)
        return None

    def _region(self, boxes: tuple[int, ...], player: int) -> frozenset[Cell]:
        """Return the cells to which the player can walk."""
        cells = self.board.cells
        return frozenset(reachable(cells[player], self.level.floor - {cells[box] for box in boxes}))

    def _choose(self, half: Half, calm: int) -> int:
        """Return the node that serves best as a target: near what the search aims at, with few regions, and not chosen before."""

        def worth(number: int) -> tuple[bool, int, int]:
            node: Stop = half.nodes[number]
            return node.boxes in self._aims, node.far + calm * node.regions, number

        chosen = min(range(len(half.nodes)), key=worth)
        self._aims.add(half.nodes[chosen].boxes)
        return chosen

    def _backward(self, aim: State | None) -> Half:
        """Begin a search from the solved board, towards the start or another board."""
        code = self.beside.verdicts.branching.compiled
        dist = push_board.distances(self.level, self.board, lines=False, reverse=True, aim=aim)
        b = Branching(self.board, code, any_order(self.board), reverse=True)
        if aim is None:  # the start itself must be met, too
            self.forth.append(self._forward_half(self.board.goals))
        half = Half(b, dist, solved_states(self.board), list(self.forth))
        self._retire(self.back, 1)
        self.back.append(half)
        return half

    def _forward(self, target: Stop) -> Half:
        """Begin a search from the start towards a target board."""
        self._retire(self.forth, 1)
        half = self._forward_half(target.boxes)
        half.others = list(self.back)
        self.forth.append(half)
        for other in self.back:
            other.others = list(self.forth)
        return half

    def _forward_half(self, cells: tuple[int, ...]) -> Half:
        k = len(cells)
        rows = np.array([(-1, c, k) for c in cells], dtype=np.int32).reshape(k, 3)
        b = Branching(self.board, self.beside.verdicts.branching.compiled, Order(rows, unordered=k), plain=True)
        dist = push_board.distances(self.level, self.board, lines=False, reverse=False, aim=(cells, self.board.player))
        return Half(b, dist, [(self.board.boxes, self.board.player)], [], self.beside.verdicts)

    def _retire(self, halves: list[Half], keep: int) -> None:
        """Let all but the first searches go; what they have found is forgotten, but for their counts."""
        for half in halves[keep:]:
            self._gone["expanded"] += half.expanded
            self._gone["generated"] += half.branching.listed
            self._gone["states"] += len(half.nodes)
        del halves[keep:]


def effort(counters: dict[str, int]) -> int:
    """Return what a search has cost, counted: the same in every run."""
    return counters["expanded"] + counters["generated"] // CHILDREN
