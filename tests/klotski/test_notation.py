from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.domain import domain_for, load
from sokoasp.klotski import notation
from sokoasp.klotski.board import BoardCell, Goal
from sokoasp.klotski.search import solve

from .boards import random_board, shipped


@given(st.integers(0, 10**6), st.sampled_from(("rows", "slash")))
@settings(max_examples=60, deadline=None)
def test_written_boards_read_back(seed: int, form: str) -> None:
    board = replace(random_board(seed), title="A title", notes=(("author", "B"), ("comment", "c: d/e")))
    back = notation.read(notation.write(board, form))
    assert back == [board] and (back[0].title, back[0].notes) == (board.title, board.notes)


def test_all_shipped_boards_read_back_together() -> None:
    for name in ("hua-rong-dao.klotski", "own.klotski"):
        boards = shipped(name)
        assert len(boards) == {"hua-rong-dao.klotski": 20, "own.klotski": 8}[name]
        for form, joint in (("rows", "\n"), ("slash", "")):
            assert notation.read(joint.join(notation.write(board, form) for board in boards)) == boards


def test_the_default_goal() -> None:
    assert notation.read("bAAc/dAAe/fggh/fijh/.ij.")[0].goal == Goal((("A", BoardCell(3, 1)),))


def test_lengthwise_and_single_limits() -> None:
    board = notation.read("goal: A 0,1\nmoves: lengthwise; s d; A lrud\nAA.c\ns..c\nbb..\n")[0]
    assert {p.name: p.directions for p in board.pieces} == {"A": "udlr", "s": "d", "b": "lr", "c": "ud"}
    still = notation.read("goal: A 0,1\nmoves: s -\nAA.\ns..\n")[0]
    assert still.piece("s").directions == ""


def test_masks_and_comments() -> None:
    board = notation.read("% a remark\nmask: ?a/.?\na.\n.b\n")[0]
    assert board.goal == Goal((), (("a", BoardCell(0, 1)),), (BoardCell(1, 0),))


BAD = [
    ("", "no board", 1, None),
    ("title: x\n", "without a board", 1, None),
    ("goal: a 0,0\nab\nc\n", "row 1 has 1 cell, row 0 has 2", 3, 1),
    ("goal: a 0,0\nab/c\n", "row 1 has 1 cell", 2, 4),
    ("goal: a 0,0\na.\n\nab\n.c\n", "no goal", 4, None),
    ("goal: a 0,0\na.a\n...\n", "more than one part", 2, 3),
    ("goal: a 0,0\na!\n..\n", "'!' is no piece", 2, 2),
    ("goal: a 0,0\na b\n...\n", "' ' is no piece", 2, 2),
    ("goal: z 0,0\na.\n", "no piece 'z'", 1, 7),
    ("goal: a 0,0; z 0,0\na.\n", "no piece 'z'", 1, 14),
    ("goal: a 5,5\na.\n", "does not fit", 1, 7),
    ("goal: a 1\na.\n", "not a piece and 'row,column'", 1, 7),
    ("goul: a 0,0\na.\n", "unknown key 'goul'", 1, 1),
    ("goal: a 0,0\ngoal: a 0,1\na.\n", "given twice", 2, 1),
    ("goal: a 0,1\nmoves: a x\na.\n", "moves: 'a x'", 2, 8),
    ("goal: a 0,1\nmoves: z l\na.\n", "no piece 'z'", 2, 8),
    ("mask: ??\na.\n..\n", "2 rows of 2 cells", 1, 7),
    ("mask: ?z/??\na.\n..\n", "no piece 'z'", 1, 8),
    ("goal: a 0,1\nsame: ab\na.\nbb\n", "differ in shape", 2, 7),
]


@pytest.mark.parametrize(("text", "words", "line", "column"), BAD)
def test_faults_are_placed(text: str, words: str, line: int, column: int | None) -> None:
    with pytest.raises(SokoaspError) as caught:
        notation.read(text, "x.klotski")
    assert words in caught.value.message
    assert (caught.value.source, caught.value.line, caught.value.column) == ("x.klotski", line, column)
    assert caught.value.exit_code == 30


@given(st.text(alphabet="abAH#[]O./ \n:;0123%?goalmsketivr,", max_size=80))
@settings(max_examples=100, deadline=None)
def test_any_text_is_a_board_or_a_clear_error(text: str) -> None:
    try:
        boards = notation.read(text, "x")
    except SokoaspError as error:
        assert error.line is not None
    else:
        assert boards == notation.read("\n".join(notation.write(board) for board in boards))


def test_recognises_boards_and_not_sokoban() -> None:
    assert notation.recognises("bAAc/dAAe/fggh/fijh/.ij.")
    assert notation.recognises("goal: A 3,1\nAA\nA\n")  # a faulty board is a board
    assert not notation.recognises("####\n#@$.#\n####\n")
    assert not notation.recognises("box(a). right(a,b).")


def test_notes_on_reconstructed_blanks_hold() -> None:
    """What instances/klotski says of the other ways to fill in the paper's lost blanks."""
    for row, slides, units in (("..ef", 62, 89), (".ef.", 64, 91), ("ef..", 64, 93)):
        board = notation.read(f"AAbc/AAdc/{row}/gghh/iijj")[0]
        assert (solve(board, "slides").value, solve(board, "units").value) == (slides, units)
    usual = notation.read("bAAc/dAAe/ffgg/hhii/.jj.")[0]
    assert (solve(usual, "slides").value, solve(usual, "units").value) == (34, 46)


def test_a_faulty_board_stands_in_its_place() -> None:
    text = "goal: A 0,1\nA.\n\ngoal: A 0,1\nA?\n\ngoal: A 0,1\n.A\n"
    found = list(notation.read_each(text, "k"))
    assert [str(one) if isinstance(one, Exception) else one.rows() for one in found] == [
        ("A.",),
        "k:5:2: '?' is no piece, blank or wall",
        (".A",),
    ]


def test_a_board_of_more_cells_than_anybody_plays_is_refused_at_its_place() -> None:
    rows = ["a" + "." * 99] * 101
    with pytest.raises(LevelError, match="more than 10,000 cells") as caught:
        notation.read("goal: a 0,0\n" + "\n".join(rows))
    assert (caught.value.code, caught.value.line) == ("E-SIZE", 2)
    assert notation.read("goal: a 0,0\n" + "\n".join(rows[:100]))[0].width == 100


def test_facts_are_for_programs_and_not_read() -> None:
    klotski = load("klotski")
    text = klotski.texts.write["facts"](shipped("own.klotski")[:1], None).encode()
    (found,) = domain_for(text, "a.lp").texts.read(text, "a.lp")
    assert str(found) == "a.lp:1: facts of a board are for programs and not read: give the board file"
