"""Engines, objectives and tie-breaks against brute force on small random levels: ``python -m tests.plan_campaign 0 99``.

Each seed gives one level, one in three of them without a plan. The oracle is Dijkstra's algorithm over single moves with tuples
of costs, which bounds and prunes nothing. ``native`` and ``any``, an improved plan, and two tie-breaks are compared with it.
"""

from __future__ import annotations

import heapq
import sys
from collections import Counter
from itertools import count, permutations

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import rules, validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import OBJECTIVES
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search import solve, ties
from sokoasp.sokoban.search.anyplan import improve
from sokoasp.sokoban.search.options import Options
from tests.levels import random_level, scrambled_level

ORDERS = [
    *permutations(OBJECTIVES),
    *((first, then) for first in OBJECTIVES for then in OBJECTIVES if first != then),
]
ALONE = Options(workers=1)


def brute_force(level: Level, objectives: tuple[str, ...]) -> tuple[int, ...] | None:
    """Return the least costs of a plan, compared entry by entry, None if there is none; nothing is bounded or pruned."""
    number = count()
    start = (rules.initial(level), "")
    zero = tuple(0 for _ in objectives)
    heap = [(zero, next(number), start)]
    best: dict[tuple[State, str], tuple[int, ...]] = {start: zero}
    while heap:
        cost, _, (state, last) = heapq.heappop(heap)
        if best[state, last] < cost:
            continue
        if rules.solved(level, state.boxes):
            return cost
        for letter, after in rules.moves(level, state):
            pushes = letter.isupper()
            step = {"moves": 1, "pushes": int(pushes), "lines": int(pushes and letter != last)}
            price = tuple(c + step[name] for c, name in zip(cost, objectives, strict=True))
            key = (after, letter if pushes else "")
            if key not in best or price < best[key]:
                best[key] = price
                heapq.heappush(heap, (price, next(number), key))
    return None


def level_of(seed: int) -> Level:
    """Return the level of this seed: strewn or scrambled, of two or three boxes, every tenth with a spare box."""
    if seed % 3 == 2:
        return scrambled_level(seed, width=4 + seed % 2, height=5, boxes=2 + seed % 2, pulls=60)
    if seed % 10 == 0:
        return random_level(seed, width=4, height=4, boxes=2, spare=1)
    return random_level(seed, width=4 + seed % 2, height=4, boxes=2 + seed % 2)


def check(seed: int) -> Counter[str]:
    """Compare everything on the level of this seed, and count the comparisons.

    Raises:
        AssertionError: Somebody is wrong.
    """
    level, told = level_of(seed), Counter[str]()
    objective = OBJECTIVES[seed % 3]
    others = [name for name in OBJECTIVES if name != objective]
    truth = brute_force(level, (objective, *others))
    for engine in ("native", "any"):
        result = solve(level, objective, Limits(seconds=60), engine=engine, options=ALONE)
        told[engine] += 1
        if truth is None:
            assert result.plan is None, f"seed {seed}: {engine} has a plan where there is none"
            assert result.status is Status.UNSOLVABLE or engine == "any", f"seed {seed}: {engine} says {result.status}"
            continue
        assert result.plan is not None, f"seed {seed}: {engine} says {result.status}, yet there is a plan"
        validate.validate(level, result.plan)
        assert result.lower_bound <= truth[0] <= (result.value or 0), f"seed {seed}: {engine} bounds {truth[0]} wrongly"
        if engine == "native" or result.status is Status.OPTIMAL:
            assert (result.status, result.value) == (Status.OPTIMAL, truth[0]), f"seed {seed}: {engine}, {objective}"
        elif not level.solved:
            better = improve(level, result.plan, objective, Limits(seconds=60), ALONE)
            told["improve"] += 1
            assert (better.status, better.value) == (Status.OPTIMAL, truth[0]), f"seed {seed}: improve, {objective}"
    for order in (ORDERS[seed % len(ORDERS)], ORDERS[(7 * seed + 5) % len(ORDERS)]):
        least = truth if order == (objective, *others) else brute_force(level, order)
        tied = ties.break_ties(level, order, Limits(seconds=60))
        told["then"] += 1
        found = None if tied.plan is None else tuple(tied.plan.cost(name) for name in order)
        assert found == least, f"seed {seed}: {order} cost {least}, not {found}"
        assert tied.status is (Status.UNSOLVABLE if least is None else Status.OPTIMAL), f"seed {seed}: {tied.status}"
    told["unsolvable" if truth is None else "solvable"] += 1
    return told


def main(first: int, end: int) -> None:
    """Check the seeds from ``first`` to before ``end``, and print the sums."""
    told = Counter[str]()
    for seed in range(first, end):
        told += check(seed)
    print(
        f"seeds {first} to {end - 1}, no disagreement: " + ", ".join(f"{n} {what}" for what, n in sorted(told.items()))
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
