from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoasp.core.errors import NotationError
from sokoasp.klotski import slide_plan
from sokoasp.klotski.board import BoardCell
from sokoasp.klotski.slide_plan import Slide, SlideCounts

cells = st.builds(BoardCell, st.integers(0, 30), st.integers(0, 30))
slides = st.builds(Slide, st.sampled_from("Abz9"), cells, cells, st.text(alphabet="udlr", max_size=4))


@given(st.lists(slides, max_size=6))
def test_written_plans_read_back(some: list[Slide]) -> None:
    assert slide_plan.read(slide_plan.write(some)) == tuple(some)


def test_numbers_arrows_and_comments_are_passed_over() -> None:
    text = "  1. A 0,1 > 1,1 d\n\n% remark\n 12. b 4 , 0 -> 3,1  % why\n"
    assert slide_plan.read(text) == (
        Slide("A", BoardCell(0, 1), BoardCell(1, 1), "d"),
        Slide("b", BoardCell(4, 0), BoardCell(3, 1)),
    )


@pytest.mark.parametrize("text", ["A 0,1", "A 0,1 > 1", "A 0,1 > 1,1 x", "AB 0,1 > 1,1", "push(a,b,c,1)"])
def test_faults_are_placed(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        slide_plan.read(f"A 0,0 > 0,1\n{text}\n", "x.plan")
    assert (caught.value.source, caught.value.line) == ("x.plan", 2)


def test_counts_know_their_objectives() -> None:
    assert (SlideCounts(3, 5).cost("slides"), SlideCounts(3, 5).cost("units")) == (3, 5)
