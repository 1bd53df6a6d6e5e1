from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoasp.core.errors import IllegalPlan
from sokoasp.klotski import notation, search, slide_plan
from sokoasp.klotski.board import OBJECTIVES, BoardCell
from sokoasp.klotski.referee import validate
from sokoasp.klotski.slide_plan import Slide, SlideCounts

from .boards import random_board

# an L has its corner on a cell it does not cover; a and b must get round each other
BOARD = notation.read("goal: b 0,2\nmoves: c lr\n.a.\naab\n#.c\n..c\n")[0]


def test_a_slide_round_a_corner_is_one_slide_of_three_units() -> None:
    board = notation.read("goal: a 2,1\na..\n#..\n...\n")[0]
    assert validate(board, slide_plan.read("a 0,0 > 2,1")) == SlideCounts(1, 3)
    assert validate(board, slide_plan.read("a 0,0 > 2,1 rrddl")) == SlideCounts(1, 5)
    assert validate(board, slide_plan.read("a 0,0 > 0,1\na 0,1 > 1,1\na 1,1 > 2,1")) == SlideCounts(1, 3)


def test_runs_of_one_piece_count_once_and_units_add_up() -> None:
    board = notation.read("goal: a 0,2; b 0,0\na.b\n...\n")[0]
    text = "a 0,0 > 1,1 rd\nb 0,2 > 0,1 l\nb 0,1 > 0,0 l\na 1,1 > 0,2"
    assert validate(board, slide_plan.read(text), objective="units", claim=6) == SlideCounts(3, 6)


def test_any_piece_of_a_group_may_cover_the_cell_that_the_goal_names() -> None:
    board = notation.read("mask: ??a\nsame: ab\na.b\n")[0]
    assert validate(board, ()) == SlideCounts(0, 0)
    board = notation.read("goal: a 0,2\nmask: a??\nsame: ab\n.ab\n")[0]
    assert validate(board, slide_plan.read("a 0,1 > 0,0")) == SlideCounts(1, 1)


VALID = "b 1,2 > 0,2 u"


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("z 0,0 > 0,1", 1, "no piece 'z'"),
        ("b 0,0 > 0,1", 1, "is at 1,2, not at 0,0"),
        ("b 1,2 > 3,2", 1, "piece 'b' cannot slide from 1,2 to 3,2: piece 'c' is in the way there"),
        ("b 1,2 > 2,0", 1, "to 2,0: a wall is there"),
        ("b 1,2 > 2,1", 1, "to 2,1: no way leads there"),
        ("b 1,2 > 0,2 uu", 1, "cannot pass to -1,2"),
        ("b 1,2 > 0,1 u", 1, "ends at 0,2"),
        ("b 1,2 > 1,1 l", 1, "cannot pass to 1,1"),
        ("a 0,0 > 1,0 d", 1, "cannot pass"),  # the wall at 2,0
        ("c 2,2 > 1,2 u", 1, "may not move 'u'"),
        ("b 1,2 > 1,2", 1, "it stays where it is"),
        (f"{VALID}\nb 0,2 > 1,2 d", 2, "the goal is not reached"),
        (f"{VALID}\nb 1,2 > 0,2 u", 2, "is at 0,2"),
        ("", None, "the goal is not reached"),
    ],
)
def test_invalid_plans_are_told_at_which_slide(text: str, at: int | None, words: str) -> None:
    assert validate(BOARD, slide_plan.read(VALID)) == SlideCounts(1, 1)
    with pytest.raises(IllegalPlan) as caught:
        validate(BOARD, slide_plan.read(text))
    assert caught.value.at == at
    assert words in caught.value.message


def test_claims_and_objectives_are_checked() -> None:
    with pytest.raises(IllegalPlan, match="not 2 as claimed"):
        validate(BOARD, slide_plan.read(VALID), objective="units", claim=2)
    with pytest.raises(ValueError, match="no objective"):
        validate(BOARD, (), objective="pushes")


@given(st.integers(0, 5000), st.data())
@settings(max_examples=80, deadline=None)
def test_spoilt_plans_do_not_pass_unnoticed(seed: int, data: st.DataObject) -> None:
    """Whatever is done to a best plan, it never gets cheaper: the referee says no or counts at least as much."""
    board = random_board(seed)
    objective = data.draw(st.sampled_from(OBJECTIVES))
    result = search.solve(board, objective)
    if not result.value:
        return
    slides = list(result.plan)
    at = data.draw(st.integers(0, len(slides) - 1))
    cell = BoardCell(data.draw(st.integers(0, board.height - 1)), data.draw(st.integers(0, board.width - 1)))
    change = data.draw(st.sampled_from(("drop", "end", "piece", "swap")))
    if change == "drop":
        del slides[at]
    elif change == "end":
        slides[at] = replace(slides[at], to_cell=cell, path="")
    elif change == "piece":
        slides[at] = Slide(data.draw(st.sampled_from([p.name for p in board.pieces])), cell, slides[at].to_cell)
    else:
        slides[at - 1], slides[at] = slides[at], slides[at - 1]
    try:
        counts = validate(board, slides, objective=objective)
    except IllegalPlan as error:
        assert error.at is not None or not slides
    else:
        assert counts.cost(objective) >= result.value
