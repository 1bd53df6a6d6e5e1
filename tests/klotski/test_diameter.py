"""The greatest distance between any two positions: against a search from every position."""

from __future__ import annotations

import pytest

from sokoasp.core.limits import Limits
from sokoasp.klotski import notation
from sokoasp.klotski.diameter import Diameter, _distances, diameter
from sokoasp.klotski.graph import Graph, graph
from tests.klotski.boards import random_board, shipped
from tests.levels import some_now


@pytest.mark.parametrize("block", some_now(4, 1))
@pytest.mark.parametrize("objective", ["slides", "units"])
def test_against_a_search_from_every_position(objective: str, block: int) -> None:
    measured = 0
    for seed in range(100 * block, 100 * block + 100):
        board = random_board(seed)
        made = graph(board, objective, Limits(states=400))
        if not isinstance(made, Graph) or made.directed or len(made.rows) < 5:
            continue
        near = made.near
        found = diameter(board, objective)
        assert isinstance(found, Diameter)
        assert found.distance == max(max(_distances(near, at)[0]) for at in range(len(near)))
        one, two = (made.rows.index(rows) for rows in found.ends)
        assert _distances(near, one)[0][two] == found.distance
        measured += 1
    assert measured >= 4


def test_the_smallest_space_of_the_paper() -> None:
    board = next(board for board in shipped("hua-rong-dao.klotski") if board.title == "將擋後路")
    found = diameter(board)
    assert isinstance(found, Diameter)
    assert (found.distance, found.positions) == (112, 7_888)
    assert found.searches < 100
    made = graph(board)
    assert isinstance(made, Graph)
    one, two = (made.rows.index(rows) for rows in found.ends)
    assert _distances(made.near, one)[0][two] == 112


def test_limits_and_one_way_pieces() -> None:
    board = shipped("hua-rong-dao.klotski")[0]
    assert diameter(board, limits=Limits(states=100)) == "states"
    (one_way,) = notation.read("goal: A 0,2\nmoves: A r\nA..\n...\n")
    with pytest.raises(ValueError, match="may not go back"):
        diameter(one_way)
