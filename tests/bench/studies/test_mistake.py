"""A table keyed by the board alone gives the paper's wrong numbers; the numbers here are the paper's (table 6)."""

from __future__ import annotations

import pytest

from sokoasp.bench.studies import claims, mistake
from sokoasp.klotski import search

CLAIMS = {claim.name: claim for claim in claims.claims()}
REPRODUCED = {"四將聯防": 40, "四路進兵": 65, "調兵遣將": 52}


def reproduced(name: str) -> int | None:
    return mistake.claimed_slides(CLAIMS[name].board, at_least=CLAIMS[name].proved_slides)


@pytest.mark.parametrize(("name", "paper"), REPRODUCED.items())
def test_the_mistake_gives_the_papers_number(name: str, paper: int) -> None:
    assert CLAIMS[name].paper_slides == paper
    assert reproduced(name) == paper
    assert search.solve(CLAIMS[name].board).value == paper - 1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "paper", "least"), [("屯兵東路", 74, 71), ("水洩不通", 80, 79)])
def test_the_mistake_gives_the_papers_number_on_larger_boards(name: str, paper: int, least: int) -> None:
    assert (CLAIMS[name].paper_slides, CLAIMS[name].proved_slides) == (paper, least)
    assert reproduced(name) == paper


@pytest.mark.parametrize("name", ["將擋後路", "前呼後擁", "巧過五關", "比翼橫空", "左右佈兵"])
def test_where_the_paper_is_right_the_mistake_does_no_harm(name: str) -> None:
    assert reproduced(name) == CLAIMS[name].paper_slides == CLAIMS[name].proved_slides


def test_the_mistake_never_finds_too_few() -> None:
    assert mistake.claimed_slides(CLAIMS["將擋後路"].board, at_most=20) is None
