"""Tie-breaks with a proof: of all plans with the fewest pushes the one with the fewest moves, and so on, by one exact search.

A cost is a tuple, compared entry by entry (lexicographically); bounds are added entry by entry, so a state's bound is never
more than what any plan from it costs. States are box cells, the player's cell and the direction of the push just made:
a line goes on only if the next push follows in the same direction without a step between.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sokoasp.core import progress
from sokoasp.core.bounds import certified
from sokoasp.core.guard import cause
from sokoasp.core.kernels.arrays import I4
from sokoasp.core.limits import Limits
from sokoasp.core.result import Cost, Result
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import DIRECTIONS, Level
from sokoasp.sokoban.plan import OBJECTIVES, Plan
from sokoasp.sokoban.search.model import push_board, workspace
from sokoasp.sokoban.search.model.referee import replayed

Key = tuple[tuple[int, ...], int, int]
"""Box cells in ascending order, the player's cell, the direction of the push just made (-1: none)."""
Costs = tuple[int, ...]
LOOK = 64
"""States between two looks at the clock."""


@dataclass(slots=True)
class TieBreaker:
    """A* over single pushes with tuples of costs; the objectives are counted in their order of importance."""

    level: Level
    objectives: tuple[str, ...]
    board: push_board.PushBoard = field(init=False)
    kernels: Any = field(init=False)
    distances: dict[str, I4] = field(init=False)
    bounds: dict[tuple[tuple[int, ...], bytes], Costs | None] = field(default_factory=dict)
    near: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        """Tabulate what a lone box still has to travel."""
        self.board = push_board.build(self.level)
        self.kernels = workspace.compiled().primitives
        self.near = self.board.neighbour.tolist()
        self.distances = {}
        if not self.board.dead_start:
            for name in ("lines", "pushes"):
                self.distances[name] = push_board.distances(
                    self.level, self.board, lines=name == "lines", reverse=False
                )

    def bound(self, state: Key) -> Costs | None:
        """Return the least that each objective still costs, None if there are not goals for all.

        In the middle of a line one line fewer than the matching says: the line just begun is paid for and may go on.
        """
        boxes, player, last = state
        side = self.board.side[list(boxes), player]
        key = (boxes, side.tobytes())
        # the same boxes and sides have the same bound, whatever the last push was
        if key not in self.bounds:
            least: dict[str, int] = {}
            for name, table in self.distances.items():
                match, path = workspace.empty_matching(len(boxes))
                match.state[:] = side
                least[name] = int(self.kernels.matching(len(boxes), table, match, path))
            least["moves"] = least["pushes"]
            lost = least["pushes"] >= self.kernels.INF
            self.bounds[key] = None if lost else tuple(least[name] for name in self.objectives)
        found = self.bounds[key]
        if found is None or last < 0:
            return found
        return tuple(max(0, cost - (name == "lines")) for name, cost in zip(self.objectives, found, strict=True))

    def children(self, state: Key) -> Iterator[tuple[Key, dict[str, int]]]:
        """Yield the states one push further with what the push costs, the walk to it included."""
        boxes, player, last = state
        standing, near, wall = set(boxes), self.near, self.board.size
        steps = {player: 0}
        # Step 1. Walks, counted: for moves each push costs the steps to its box as well (``level.spread`` takes a tenth longer)
        queue = deque([player])
        while queue:
            cell = queue.popleft()
            for to in near[cell]:
                if to != wall and to not in standing and to not in steps:
                    steps[to] = steps[cell] + 1
                    queue.append(to)
        for place, box in enumerate(boxes):
            for d in range(4):
                to, stand = near[box][d], near[box][d ^ 1]
                if to >= self.board.live or to in standing or stand not in steps:
                    continue
                after = tuple(sorted((*boxes[:place], to, *boxes[place + 1 :])))
                # the line goes on only if the player pushes the same box on without a step between
                on = last == d and steps[stand] == 0
                yield (after, box, d), {"lines": 0 if on else 1, "pushes": 1, "moves": steps[stand] + 1}

    def search(self, clock: Any) -> tuple[Key | None, dict[Key, Key | None], Costs, str | None]:
        """Return the best solved state, where each state came from, its cost (or the bound reached), and what stopped it."""
        start: Key = (self.board.boxes, self.board.player, -1)
        zero = (0,) * len(self.objectives)
        first = None if self.board.dead_start else self.bound(start)
        came: dict[Key, Key | None] = {start: None}
        spent: dict[Key, Costs] = {start: zero}
        closed: set[Key] = set()
        heap: list[tuple[Costs, Costs, Key]] = [] if first is None else [(first, zero, start)]
        goals, reached, turn = set(self.board.goals), first or zero, 0
        try:
            while heap:
                total, cost, state = heapq.heappop(heap)
                if state in closed:
                    continue
                reached = max(reached, total)
                # admissible entry by entry, so the first solved state popped is best in lexicographic order
                if goals <= set(state[0]):
                    return state, came, cost, None
                if turn % LOOK == 0:
                    progress.note(stage="tie-breaks", expanded=LOOK * (turn > 0))
                    if stopped := clock.over():
                        return None, came, reached, stopped
                turn += 1
                closed.add(state)
                for child, step in self.children(state):
                    price = tuple(c + step[name] for c, name in zip(cost, self.objectives, strict=True))
                    if child in spent and spent[child] <= price:
                        continue
                    ahead = self.bound(child)
                    if ahead is None:
                        continue
                    spent[child], came[child] = price, state
                    # found cheaper after it was expanded: opened again
                    closed.discard(child)
                    heapq.heappush(heap, (tuple(map(sum, zip(price, ahead, strict=True))), price, child))
        except KeyboardInterrupt as ended:
            return None, came, reached, cause(ended)
        return None, came, reached, None

    def plan(self, state: Key, came: dict[Key, Key | None]) -> Plan:
        """Return the plan that leads to a state."""
        letters = []
        before = came[state]
        while before is not None:
            free = frozenset(self.level.floor - {self.board.cells[b] for b in before[0]})
            stand = self.near[state[1]][state[2] ^ 1]
            way = rules.walk(free, self.board.cells[before[1]], self.board.cells[stand])
            assert way is not None
            letters.append(way + DIRECTIONS[state[2]].letter.upper())
            state, before = before, came[before]
        return replayed(self.level, rules.plan_from_lurd(self.level, "".join(reversed(letters))))


def break_ties(level: Level, objectives: tuple[str, ...], limits: Limits | None = None) -> Result:
    """Find a plan best in the first objective, of those best in the second, and so on, with proof.

    Args:
        level: The level.
        objectives: Two or three of ``lines``, ``pushes``, ``moves``, each once.
        limits: Wall seconds and resident MB; when one is reached, the bound of the first objective is kept.

    Raises:
        ValueError: The objectives are not such.
        MissingExtra: numba is not installed.
    """
    if len(set(objectives)) != len(objectives) or not set(objectives) <= set(OBJECTIVES):
        raise ValueError(f"no tie-breaks {','.join(objectives)!r}: each of {', '.join(OBJECTIVES)} at most once")
    clock, breaker = (limits or Limits()).start(), TieBreaker(level, objectives)
    state, came, cost, stopped = breaker.search(clock)
    seconds, counters = {"total": clock.elapsed}, {"states": len(came)}
    first, said = objectives[0], ", then ".join(objectives)
    if state is None:
        proof = "every state was searched: no plan exists" if stopped is None else None
        bound, none = (0, True) if stopped is None else (cost[0], False)
        return certified(first, "native", None, bound, none=none, proof=proof, stopped_by=stopped, seconds=seconds)
    return certified(
        first,
        "native",
        cost[0],
        cost[0],
        plan=breaker.plan(state, came),
        proof=f"best-first search by {said}: every cheaper state was searched",
        seconds=seconds,
        counters=counters,
        cost=Cost((), objectives[1:], proved=True),
    )
