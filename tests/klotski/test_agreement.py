"""Three hundred random small boards: packed search, plain oracle and answer set programming say the same."""

from functools import cache

import pytest

from sokoasp.asp import catalogue
from sokoasp.core.limits import Limits
from sokoasp.core.result import Horizon, Status
from sokoasp.klotski import board_facts, search
from sokoasp.klotski.board import OBJECTIVES, Board
from sokoasp.klotski.referee import validate
from tests.asp import alone
from tests.klotski import oracle
from tests.levels import some_now

from .boards import random_board

COUNT, BLOCKS = 25, 12
"""Boards of a block, and blocks."""
DEEPEST = {"slides": 10, "units": 12}
"""Boards on which the oracle has to look further, or at more than 1,000 positions, are left out for the sake of time."""
Answers = dict[str, tuple[int | None, int, int]]


@cache
def sample(block: int) -> tuple[tuple[int, Board, Answers], ...]:
    """Return seed, board and the oracle's answers for the boards of a block that are not too deep."""
    chosen: list[tuple[int, Board, Answers]] = []
    seed = sample(block - 1)[-1][0] + 1 if block else 0
    while len(chosen) < COUNT:
        board = random_board(seed)
        answers: Answers = {}
        for objective in OBJECTIVES:
            try:
                answers[objective] = oracle.distances(board, objective, most=1000)
            except OverflowError:
                break
            if answers[objective][2] > DEEPEST[objective]:
                break
        else:
            chosen.append((seed, board, answers))
        seed += 1
    return tuple(chosen)


def by_asp(board: Board, objective: str, last: int) -> int | None:
    """Return the least bound with an answer, None if there is none up to ``last``; the referee replays the plan."""
    outcome = alone.run(
        catalogue.encodings()[objective],
        board_facts.write(board),
        bounds=Horizon(0, 1, last),
        clock=Limits().start(),
    )
    if outcome.verdict == "unsat":
        assert outcome.exhausted or outcome.refuted == last
        return None
    plan = board_facts.decode(board, [(atom.name, atom.args) for atom in outcome.answers[-1]])
    validate(board, plan, objective=objective, claim=outcome.bound)
    return outcome.bound


@pytest.mark.parametrize("block", some_now(BLOCKS, 2))
def test_search_and_oracle_agree(block: int) -> None:
    for seed, board, answers in sample(block):
        for objective, (least, states, _) in answers.items():
            result = search.solve(board, objective)
            assert result.value == least, (seed, objective)
            assert result.status is (Status.UNSOLVABLE if least is None else Status.OPTIMAL)
            if least is None:
                assert result.counters["states"] == states
            else:
                assert validate(board, result.plan, objective=objective, claim=least).cost(objective) == least


@pytest.mark.parametrize("block", some_now(BLOCKS, 1))
def test_asp_and_oracle_agree(block: int) -> None:
    """An unsolvable board is refuted up to its greatest distance, beyond which there is nothing new."""
    for seed, board, answers in sample(block):
        objective = OBJECTIVES[seed % 2]
        least, _, farthest = answers[objective]
        assert by_asp(board, objective, farthest) == least, (seed, objective)


@pytest.mark.parametrize("block", some_now(BLOCKS, 2))
def test_the_boards_are_a_fair_sample(block: int) -> None:
    least = [answers["slides"][0] for _, _, answers in sample(block)]
    assert 5 <= least.count(None) <= 20 and sum(value is not None and value >= 3 for value in least) >= 2
