"""All plans of the least cost against plain enumeration by the rules, ties included."""

from __future__ import annotations

import pytest

from sokoasp import engine
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.klotski import slide_rules
from sokoasp.klotski.all_plans import all_plans, solve_all
from sokoasp.klotski.board import Board
from sokoasp.klotski.piece_classes import class_of
from sokoasp.klotski.referee import validate
from sokoasp.klotski.search import solve
from sokoasp.klotski.slide_plan import Slide
from tests.klotski.boards import random_board, shipped, slides, units
from tests.levels import some_now

TIES = [("slides", None), ("slides", "units"), ("units", None), ("units", "slides")]


def every_plan(board: Board, objective: str, depth: int) -> list[tuple[Slide, ...]]:
    """All sequences of moves of exactly this many to a goal, equal pieces distinguished by their places only."""
    step = slides if objective == "slides" else units
    kinds = class_of(board)
    plans: dict[object, tuple[Slide, ...]] = {(): ()}
    states = {(): slide_rules.start(board)}
    for _ in range(depth):
        following, after_states = {}, {}
        for name, plan in plans.items():
            for slide in step(board, states[name]):
                after = {**states[name], slide.piece: slide.to_cell}
                position = tuple(sorted((kinds[piece], corner) for piece, corner in after.items()))
                new = (*name, position)  # type: ignore[misc]
                following[new], after_states[new] = (*plan, slide), after
        plans, states = following, after_states
    return [plan for name, plan in plans.items() if slide_rules.solved(board, states[name])]


@pytest.mark.parametrize("block", some_now(4, 1))
@pytest.mark.parametrize(("objective", "then"), TIES)
def test_all_plans_of_random_boards(objective: str, then: str | None, block: int) -> None:
    compared = 0
    for seed in range(30 * block, 30 * block + 30):
        board = random_board(seed)
        value = solve(board, objective).value
        found = all_plans(board, objective, then=then)
        assert found.value == value
        if value is None or value > 4:
            continue
        brute = every_plan(board, objective, value)
        costs = [validate(board, plan).cost(then) for plan in brute] if then else []
        if then:
            assert found.tie == min(costs)
            brute = [plan for plan, cost in zip(brute, costs, strict=True) if cost == min(costs)]
        plans = list(found)
        assert len(set(plans)) == len(plans) == found.count == len(brute)
        for plan in plans:
            assert validate(board, plan).cost(objective) == value
            assert then is None or validate(board, plan).cost(then) == found.tie
        compared += 1
    assert compared > 2


def test_the_256_plans_of_the_best_known_board_and_its_ties() -> None:
    board = shipped("hua-rong-dao.klotski")[1]
    found = [all_plans(board, objective, then=then) for objective, then in TIES]
    assert [(one.value, one.tie, one.count) for one in found] == [
        (81, None, 256),
        (81, 118, 128),
        (116, None, 4_112_640_000),
        (116, 88, 240),
    ]
    plans = list(found[0])
    assert len(set(plans)) == 256 and all(validate(board, plan).slides == 81 for plan in plans)


def test_solve_gives_all_plans_of_a_board_without_a_program() -> None:
    board = shipped("hua-rong-dao.klotski")[16]
    result = engine.solve(board, models=0)
    assert (result.status, result.engine, result.value) == (Status.OPTIMAL, "native", 21)
    assert len(result.plans) == result.counters["plans"] > 1
    assert len(engine.solve(board, models=3).plans) == 3


def test_limits_and_no_plan() -> None:
    board = shipped("hua-rong-dao.klotski")[1]
    assert solve_all(board, limits=Limits(states=100)).status is Status.MEMORY_OUT
    with pytest.raises(ValueError, match="no objective"):
        all_plans(board, "slides", then="slides")


def test_the_proof_says_how_many_plans_are_given_where_it_is_not_all() -> None:
    board = shipped("hua-rong-dao.klotski")[16]
    every = engine.solve(board, models=0)
    said = f"there are {len(every.plans)} plans of 21 slides"
    assert str(every.proof).endswith(said)
    assert str(engine.solve(board, models=3).proof).endswith(f"{said}, 3 of them given")
