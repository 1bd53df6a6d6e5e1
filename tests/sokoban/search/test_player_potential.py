"""The potential of the player's cell: admissible on the way of every plan, near its linear program, faults noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sokoasp.core import dual_simplex
from sokoasp.core.limits import Limits
from sokoasp.sokoban import formats, rules
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search import Options, solve
from sokoasp.sokoban.search.bounds import player_potential
from sokoasp.sokoban.search.bounds.player_potential import UNIT, PlayerPotential, Prices
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.search.model import push_board
from tests.levels import random_level, scrambled_level, some_now

np = pytest.importorskip("numpy")
pytest.importorskip("numba")


def rests(level: Level, spoil: int = 0) -> list[tuple[int, int]]:
    """Return, after each push of a best plan but the last, the bound and what the plan still costs."""
    board = push_board.build(level)
    truth = reference.solve(level, "moves", Limits(states=20_000))
    if truth.plan is None or level.solved or board.dead_start:
        return []
    found = player_potential.find(board)
    assert found is not None
    prices, number = player_potential.prices(found), {cell: i for i, cell in enumerate(board.cells)}
    state, pairs = rules.initial(level), []
    for done, letter in enumerate(truth.plan.lurd):
        player, boxes = number[state.player], [number[box] for box in state.boxes]
        units = sum(int(prices.boxes[board.side[box, player]]) for box in boxes) + int(prices.player[player])
        pairs.append((-(-(units - prices.owed + spoil) // UNIT), len(truth.plan.lurd) - done))
        state = next(after for step, after in rules.moves(level, state) if str(step).lower() == letter.lower())
    assert spoil or max(0, pairs[0][0]) == prices.start
    return pairs


@pytest.mark.parametrize("block", some_now(4, 1))
def test_no_state_of_a_plan_is_bounded_too_high(block: int) -> None:
    pairs = [pair for seed in range(25 * block, 25 * block + 25) for pair in rests(random_level(seed))]
    assert len(pairs) > 80
    assert all(bound <= rest for bound, rest in pairs)
    assert any(bound == rest for bound, rest in pairs)


def test_an_end_that_is_too_low_is_noticed() -> None:
    assert any(bound > rest for seed in range(60) for bound, rest in rests(random_level(seed), spoil=UNIT))


def test_ways_back_are_counted() -> None:
    """Two boxes through one corridor: six and four pushes, and once the way back of the player."""
    rows = ["############", "#@$     .  #", "### ########", "#   $   .  #", "############"]
    (level,) = formats.read("\n".join(rows))
    board = push_board.build(level)
    prices = player_potential.prices(player_potential.find(board))
    best = solve(level, "moves", engine="reference").value
    pushes = solve(level, "pushes", engine="reference").value
    assert best is not None
    assert pushes is not None
    assert pushes + 2 < prices.start <= best


def test_potentials_of_neighbours_differ_by_a_move_at_most() -> None:
    for seed in range(10):
        board = push_board.build(scrambled_level(seed, boxes=4))
        found = player_potential.find(board)
        assert found is not None
        wild = player_potential.rounded(board, np.random.default_rng(seed).random(board.size) * 50)
        for potential in (found.potential, wild):
            assert potential.min() >= 0
            for cell in range(board.size):
                near = [to for to in board.neighbour[cell].tolist() if to < board.size]
                assert all(abs(int(potential[cell]) - int(potential[to])) <= UNIT for to in near)


def test_ways_are_those_of_single_boxes_where_the_potential_is_flat() -> None:
    level = scrambled_level(4, boxes=4)
    board = push_board.build(level)
    ways = PlayerPotential(board, np.zeros(board.size, np.int64)).ways
    dist = push_board.distances(level, board, lines=False, reverse=False)
    # what no box reaches from its start may go by cells on which no box is of use
    assert (ways >= UNIT * np.minimum(dist, 1 << 20)).all()
    starts = [board.side[box, board.player] for box in board.boxes]
    assert (ways[starts] == UNIT * dist[starts]).all()


def test_where_there_is_none() -> None:
    level = scrambled_level(5, boxes=4)
    spare = push_board.build(replace(level, goals=frozenset(list(level.goals)[:2])))
    assert player_potential.find(spare) is None
    assert player_potential.prices(None) == player_potential.NONE == Prices(*player_potential.NONE)


@pytest.mark.usefixtures("native")
@pytest.mark.parametrize("block", some_now(4, 1))
def test_answers_agree_with_the_oracle(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        level = random_level(seed, spare=seed % 5 == 0)
        truth = reference.solve(level, "moves", Limits(states=5_000))
        if truth.stopped_by:
            continue
        for switches in (("matching", "potential"), ("potential",)):
            found = solve(level, "moves", engine="forward", options=Options(), switches=switches)
            assert (found.status, found.value) == (truth.status, truth.value), f"seed {seed} {switches}\n{level}"


def test_duals_of_a_cheapest_way() -> None:
    """From 0 to 3 by arcs of known costs: the difference of the duals is the length of the way, and no arc is beaten."""
    arcs = [(0, 1, 2.0), (0, 2, 5.0), (1, 2, 1.0), (2, 3, 4.0), (1, 3, 9.0), (3, 0, 1.0)]
    table, wanted = np.zeros((4, len(arcs))), np.array([-1.0, 0, 0, 1])
    for column, (a, b, _) in enumerate(arcs):
        table[a, column], table[b, column] = -1, 1
    costs = np.array([cost for *_, cost in arcs])
    found = dual_simplex.duals(costs, table, wanted, 50)
    assert found is not None
    assert found @ wanted == pytest.approx(7, abs=0.01)
    assert (found @ table <= costs + 0.01).all()
    assert dual_simplex.duals(costs, table, wanted, 1) is None
    assert dual_simplex.duals(costs, table, np.array([0.0, 1, -1, 1]), 50) is None
