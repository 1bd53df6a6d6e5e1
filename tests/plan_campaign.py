"""Engines, objectives and tie-breaks against brute force on small random levels: ``python -m tests.plan_campaign 0 99``.

Each seed gives one level, one in three of them without a plan. The oracle is Dijkstra's algorithm over single moves with tuples
of costs, which bounds and prunes nothing. ``native`` and ``any``, an improved plan, and two tie-breaks are compared with it.
"""

import heapq
import sys
from collections import Counter
from itertools import count, permutations
from operator import add

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import rules, validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import OBJECTIVES
from sokoasp.sokoban.search import solve
from sokoasp.sokoban.search.exact import lexicographic
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.rosters import improve
from tests.levels import random_level, scrambled_level

ORDERS = [*permutations(OBJECTIVES), *((first, then) for first in OBJECTIVES for then in OBJECTIVES if first != then)]
ALONE = Options()


class Graph:
    """The states of a level met so far, numbered, and the moves from them; the questions about one level share it."""

    def __init__(self, level: Level) -> None:
        """Put the start in."""
        self.level = level
        self.states = [rules.initial(level)]
        self._number = {self.states[0]: 0}
        self._moves: dict[int, list[tuple[str, int]]] = {}

    def moves(self, state: int) -> list[tuple[str, int]]:
        """Return the moves from a state: letter, state after it."""
        if state not in self._moves:
            found = []
            for letter, after in rules.moves(self.level, self.states[state]):
                if after not in self._number:
                    self._number[after] = len(self.states)
                    self.states.append(after)
                found.append((letter, self._number[after]))
            self._moves[state] = found
        return self._moves[state]


def brute_force(graph: Graph, objectives: tuple[str, ...]) -> tuple[int, ...] | None:
    """Return the least costs of a plan, compared entry by entry, None if there is none; nothing is bounded or pruned."""
    number = count()
    zero = tuple(0 for _ in objectives)
    heap = [(zero, next(number), 0, "")]
    best: dict[tuple[int, str], tuple[int, ...]] = {(0, ""): zero}
    potentials = {
        (pushes, turns): tuple({"moves": 1, "pushes": pushes, "lines": turns}[name] for name in objectives)
        for pushes, turns in ((0, 0), (1, 0), (1, 1))
    }
    while heap:
        cost, _, state, last = heapq.heappop(heap)
        if best[state, last] < cost:
            continue
        if rules.solved(graph.level, graph.states[state].boxes):
            return cost
        for letter, after in graph.moves(state):
            pushes = int(letter.isupper())
            step = potentials[pushes, int(pushes and letter != last)]
            price = tuple(map(add, cost, step))
            key = (after, letter if pushes else "")
            if key not in best or price < best[key]:
                best[key] = price
                heapq.heappush(heap, (price, next(number), *key))
    return None


def level_of(seed: int) -> Level:
    """Return the level of this seed: strewn or scrambled, of two or three boxes, every tenth with a spare box."""
    if seed % 3 == 2:
        return scrambled_level(seed, width=4 + seed % 2, height=5, boxes=2 + seed % 2, pulls=60)
    if seed % 10 == 0:
        return random_level(seed, width=4, height=4, boxes=2, spare=1)
    return random_level(seed, width=4 + seed % 2, height=4, boxes=2 + seed % 2)


def check(seed: int) -> Counter[str]:
    """Compare everything on the level of this seed, and count the comparisons; AssertionError if somebody is wrong."""
    level, reported = level_of(seed), Counter[str]()
    graph = Graph(level)
    objective = OBJECTIVES[seed % 3]
    others = [name for name in OBJECTIVES if name != objective]
    truth = brute_force(graph, (objective, *others))
    for engine in ("native", "any"):
        result = solve(level, objective, Limits(seconds=60), engine=engine, options=ALONE)
        reported[engine] += 1
        if truth is None:
            assert result.plan is None, f"seed {seed}: {engine} has a plan where there is none"
            assert result.status is Status.UNSOLVABLE or engine == "any", f"seed {seed}: {engine} says {result.status}"
            continue
        assert result.plan is not None, f"seed {seed}: {engine} says {result.status}, yet there is a plan"
        validate.validate(level, result.plan)
        assert result.lower_bound <= truth[0] <= (result.value or 0), f"seed {seed}: {engine} bounds {truth[0]} wrongly"
        if engine == "native" or result.status is Status.OPTIMAL:
            assert (result.status, result.value) == (Status.OPTIMAL, truth[0]), f"seed {seed}: {engine}, {objective}"
    if truth is not None and not level.solved:
        # the best plan for another objective is often none of the best for this one
        given = solve(level, others[0], Limits(seconds=60), engine="native", options=ALONE).plan
        assert given is not None
        better = improve(level, given, objective, Limits(seconds=60), ALONE)
        reported["improve"] += 1
        reported["shorter"] += given.cost(objective) > truth[0]
        assert (better.status, better.value) == (Status.OPTIMAL, truth[0]), f"seed {seed}: improve, {objective}"
    for order in (ORDERS[seed % len(ORDERS)], ORDERS[(7 * seed + 5) % len(ORDERS)]):
        least = truth if order == (objective, *others) else brute_force(graph, order)
        tied = lexicographic.break_ties(level, order, Limits(seconds=60))
        reported["then"] += 1
        found = None if tied.plan is None else tuple(tied.plan.cost(name) for name in order)
        assert found == least, f"seed {seed}: {order} cost {least}, not {found}"
        assert tied.status is (Status.UNSOLVABLE if least is None else Status.OPTIMAL), f"seed {seed}: {tied.status}"
    reported["unsolvable" if truth is None else "solvable"] += 1
    return reported


def main(first: int, end: int) -> None:
    """Check the seeds from ``first`` to before ``end``, and print the sums."""
    reported = Counter[str]()
    for seed in range(first, end):
        reported += check(seed)
    print(
        f"seeds {first} to {end - 1}, no disagreement: "
        + ", ".join(f"{n} {what}" for what, n in sorted(reported.items()))
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
