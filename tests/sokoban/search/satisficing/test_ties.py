"""Tie-breaks against brute force: Dijkstra's algorithm over single moves with tuples of costs."""

from collections import Counter
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from sokoasp.core.guard import need
from sokoasp.core.limits import Limits
from sokoasp.core.progress import watched
from sokoasp.core.result import Cost, Status
from sokoasp.engine import solve
from sokoasp.engine.proving import Request, certify
from sokoasp.proof.folder import TIES
from sokoasp.sokoban import validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import lexicographic
from tests.levels import random_level, scrambled_level, some_now
from tests.plan_campaign import Graph, brute_force, check

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
    with watched() as board:
        lexicographic.break_ties(scrambled_level(3, boxes=3, pulls=200), ("pushes", "moves"), Limits(seconds=1))
    assert board.stage == "tie-breaks" and board.expanded > 0


_break_ties = lexicographic.break_ties
_ENDS = {"time": lambda one, order, limits: _break_ties(one, order, Limits(seconds=0)), "memory": lambda *_: need(1, 0)}


@pytest.mark.parametrize(("what", "ended"), _ENDS.items())  # with what it has, and by an interrupt in its preparations
def test_a_limit_keeps_the_plan_and_the_bound_of_the_first_objective(
    monkeypatch: Any, tmp_path: Path, what: str, ended: Any
) -> None:
    monkeypatch.setattr("sokoasp.domain.sokoban._best_of_best", ended)
    one = scrambled_level(1, width=5, height=5, boxes=2, pulls=40)
    best, found = (solve(one, objective="pushes", engine="native", then=then) for then in ((), ("moves",)))
    assert (found.status, found.value, found.lower_bound) == (Status.SOLVED, best.value, best.value)
    assert (found.cost, found.stopped_by, found.exit_code) == (Cost((), ("moves",), proved=False), what, 10)
    assert found.counts["pushes"] == found.value != 0
    made = certify(one, tmp_path, Request(TIES))
    assert (made.claim, made.value, made.stopped_by, made.exit_code) == (None, best.value, what, 10)


def test_no_objective_counts_twice() -> None:
    with pytest.raises(ValueError, match="at most once"):
        lexicographic.break_ties(random_level(1), ("pushes", "pushes"))


@pytest.mark.parametrize("block", some_now(2, 1))
def test_a_piece_of_the_campaign_agrees(block: int) -> None:
    """The whole is run by ``python -m tests.plan_campaign``."""
    reported = sum((check(seed) for seed in range(10 * block, 10 * block + 10)), Counter[str]())
    assert min(reported[what] for what in ("native", "any", "improve", "shorter", "then", "solvable", "unsolvable")) > 0
