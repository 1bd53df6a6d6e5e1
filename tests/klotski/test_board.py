import pytest

from sokoasp.core.errors import LevelError
from sokoasp.klotski import notation
from sokoasp.klotski.board import Board, BoardCell, Goal, Piece
from sokoasp.klotski.piece_classes import classes, paper_key

from .boards import shipped

A = Piece("A", (BoardCell(0, 0), BoardCell(0, 1)))
GOAL = Goal((("A", BoardCell(1, 0)),))


def test_numbers_are_those_of_table_1() -> None:
    board = shipped("hua-rong-dao.klotski")[1]
    assert board.number(BoardCell(4, 3)) == 19 and board.cell(9) == BoardCell(2, 1)
    # table 4: the blanks of this board are 17 and 18
    assert [board.number(cell) for cell in board.blanks] == [17, 18]
    # the array of positions printed under figure 1, by class: 1 | 9 | 0 3 8 11 | 13 14 16 19
    corners = [sorted(board.number(p.corner) for p in kind.members) for kind in classes(board)]
    assert corners == [[1], [9], [0, 3, 8, 11], [13, 14, 16, 19]]


def test_paper_key_is_the_number_the_paper_works_out() -> None:
    board = next(b for b in shipped("hua-rong-dao.klotski") if b.title == "三軍聯防")
    assert paper_key(board) == 218438982339


@pytest.mark.parametrize(
    ("pieces", "goal", "same", "words"),
    [
        ((A, Piece("b", (BoardCell(0, 1),))), GOAL, (), "overlap at 0,1"),
        ((A, Piece("b", (BoardCell(1, 0), BoardCell(1, 2)))), GOAL, (), "more than one part"),
        ((A, Piece("b", (BoardCell(3, 0),))), GOAL, (), "off the board"),
        ((A, Piece("b", (BoardCell(1, 1),))), GOAL, (), "wall"),
        ((A, A), GOAL, (), "two pieces are called 'A'"),
        ((A, Piece("bb", (BoardCell(1, 0),))), GOAL, (), "one letter"),
        ((A, Piece("b", (BoardCell(1, 0),), "lx")), GOAL, (), "directions 'lx'"),
        ((), GOAL, (), "no piece"),
        ((A,), Goal(), (), "no goal"),
        ((A,), Goal((("B", BoardCell(0, 0)),)), (), "no piece 'B'"),
        ((A,), Goal((("A", BoardCell(0, 2)),)), (), "does not fit with its corner at 0,2"),
        ((A,), Goal((("A", BoardCell(1, 0)),)), (), None),
        ((A,), Goal((("A", BoardCell(0, 0)), ("A", BoardCell(0, 1)))), (), "2 places at once"),
        ((A,), Goal(covers=(("A", BoardCell(1, 1)),)), (), "wall or off"),
        ((A,), Goal(covers=(("A", BoardCell(0, 0)),), blanks=(BoardCell(0, 0),)), (), "two things are wanted at 0,0"),
        ((A,), Goal(blanks=(BoardCell(5, 5),)), (), "wall or off"),
        ((A, Piece("b", (BoardCell(1, 0),))), Goal((("b", BoardCell(0, 0)),)), ("Ab",), "differ in shape"),
    ],
)
def test_bad_boards_are_told_apart(
    pieces: tuple[Piece, ...], goal: Goal, same: tuple[str, ...], words: str | None
) -> None:
    walls = frozenset({BoardCell(1, 1)})
    with pytest.raises(LevelError) as caught:
        Board(3, 2, pieces, goal, walls, same)
    assert (words or "does not fit") in caught.value.message


def test_classes_keep_goal_pieces_apart_unless_told_otherwise() -> None:
    rows = "bcd/efg/..."
    apart = notation.read(f"goal: b 2,0; c 2,1\n{rows}\n")[0]
    together = notation.read(f"goal: b 2,0; c 2,1\nsame: bcd\n{rows}\n")[0]
    assert [[p.name for p in kind.members] for kind in classes(apart)] == [["b"], ["c"], ["d", "e", "f", "g"]]
    assert [[p.name for p in kind.members] for kind in classes(together)] == [["b", "c", "d"], ["e", "f", "g"]]


def test_a_group_that_the_goal_does_not_speak_of_is_left_out() -> None:
    """It changes nothing, so boards with and without it are equal: facts do not say it, and certificates name a board."""
    rows = "ab\ncd\n..\n"
    plain = notation.read(f"goal: b 2,0\n{rows}")[0]
    assert plain == notation.read(f"goal: b 2,0\nsame: cd a\n{rows}")[0] and plain.same == ()
    assert notation.read(f"goal: b 2,0\nsame: bcd\n{rows}")[0].same == ("bcd",)


def test_with_pieces_moves_the_same_game() -> None:
    board = notation.read("goal: A 1,0\nAA.\n...\n")[0]
    moved = board.with_pieces({"A": BoardCell(1, 1)})
    assert moved.rows() == ("...", ".AA") and moved.goal == board.goal
