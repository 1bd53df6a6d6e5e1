"""Tie-breaks against brute force: Dijkstra's algorithm over single moves with tuples of costs."""

from collections import Counter
from functools import cache
from itertools import permutations

import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import lexicographic
from tests.levels import random_level, scrambled_level, some_now
from tests.plan_campaign import Graph, brute_force, check

pytestmark = pytest.mark.usefixtures("native")

ORDERS = [*permutations(("lines", "pushes", "moves")), ("pushes", "moves"), ("moves", "pushes"), ("lines", "pushes")]


graph = cache(Graph)
"""The states of a level, with their moves, once for all orders."""


def agree(level: Level, objectives: tuple[str, ...]) -> bool:
    """Compare one answer; return whether there is a plan."""
    truth = brute_force(graph(level), objectives)
    result = lexicographic.break_ties(level, objectives)
    if truth is None:
        assert result.status is Status.UNSOLVABLE
        return False
    assert result.status is Status.OPTIMAL
    assert result.plan is not None
    validate.validate(level, result.plan)
    assert tuple(result.plan.cost(name) for name in objectives) == truth
    return True


@pytest.mark.parametrize("objectives", ORDERS)
def test_ties_are_broken_as_by_brute_force(objectives: tuple[str, ...]) -> None:
    solvable = sum(agree(random_level(seed, width=4, height=4, boxes=2), objectives) for seed in range(12))
    solvable += sum(agree(scrambled_level(seed, width=5, height=5, boxes=2, pulls=40), objectives) for seed in range(4))
    assert solvable >= 4


def test_spare_boxes() -> None:
    for seed in range(6):
        agree(random_level(seed, width=4, height=4, boxes=2, spare=1), ("pushes", "moves"))


def test_a_limit_keeps_the_bound() -> None:
    result = lexicographic.break_ties(scrambled_level(3, boxes=6, pulls=2000), ("pushes", "moves"), Limits(seconds=0))
    assert result.stopped_by == "time"
    assert result.lower_bound > 0
    assert result.plan is None


def test_no_objective_counts_twice() -> None:
    with pytest.raises(ValueError, match="at most once"):
        lexicographic.break_ties(random_level(1), ("pushes", "pushes"))


@pytest.mark.parametrize("block", some_now(2, 1))
def test_a_piece_of_the_campaign_agrees(block: int) -> None:
    """The whole is run by ``python -m tests.plan_campaign``."""
    reported = sum((check(seed) for seed in range(10 * block, 10 * block + 10)), Counter[str]())
    assert min(reported[what] for what in ("native", "any", "improve", "shorter", "then", "solvable", "unsolvable")) > 0
