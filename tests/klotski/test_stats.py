import pytest

from sokoasp.core.limits import Limits
from sokoasp.klotski import notation
from sokoasp.klotski.board import BoardCell
from sokoasp.klotski.search import explore
from sokoasp.klotski.space import Space
from sokoasp.klotski.space_counts import stats
from tests.klotski import claims

from .boards import shipped


@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_the_papers_boards_lie_in_state_spaces_of_five_sizes(stride: int) -> None:
    """The five sizes are those found by exhaustive search before this code was written."""
    sizes = set()
    for claim in claims.claims()[::stride]:
        seen = explore(Space(claim.board, sliding=True), Limits().start(), to_the_end=True)
        both_hands = len(seen.parents)
        assert both_hands == claim.reachable, claim.name
        sizes.add(both_hands)
    assert sizes == {25955, 81340, 81462, 28832, 7888}


def test_all_counts_of_one_board() -> None:
    board = next(b for b in shipped("hua-rong-dao.klotski") if b.title == "調兵遣將")
    found = stats(board)
    assert (found["reachable"], found["complete"]) == (7888, True)
    assert (found["width"], found["height"], found["pieces"], found["blanks"], found["classes"]) == (4, 5, 10, 2, 3)
    assert found["key_bits"] == 44  # ten digits in base 20


def test_counts_that_can_be_worked_out_by_hand() -> None:
    board = notation.read("goal: a 1,1\na..\n...\n")[0]
    found = stats(board)
    assert (found["reachable"], found["goal"]) == (6, 1)
    assert (found["greatest_slides"], found["greatest_units"]) == (1, 3)


def test_a_limit_makes_the_counts_incomplete() -> None:
    board = shipped("hua-rong-dao.klotski")[4]
    found = stats(board, Limits(states=500))
    assert (found["complete"], found["stopped_by"]) == (False, "states")


def test_one_board_lies_in_the_upside_down_image_of_another_space() -> None:
    """左右佈兵 has the pieces of 橫刀立馬, yet its space is the other one turned over: same size, other goals."""
    boards = {board.title: board for board in shipped("hua-rong-dao.klotski")}

    def reached(title: str, upside_down: bool = False) -> set[int]:
        board = boards[title]
        if upside_down:
            corners = {
                p.name: BoardCell(5 - p.corner.row - (max(c.row for c in p.shape) + 1), p.corner.col)
                for p in board.pieces
            }
            board = board.with_pieces(corners)
        space = Space(board, sliding=False)
        return set(explore(space, Limits().start(), to_the_end=True).parents)

    start = Space(boards["左右佈兵"], sliding=False).start
    assert start not in reached("橫刀立馬")
    assert start in reached("橫刀立馬", upside_down=True)
