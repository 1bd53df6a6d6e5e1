"""A table keyed by the board alone gives the paper's wrong numbers; the numbers here are the paper's (tables 6 and 7)."""

from __future__ import annotations

import pytest

from sokoasp.klotski import slide_rules as rules
from sokoasp.klotski.board import Board
from sokoasp.klotski.space import Space
from tests import native
from tests.klotski import claims
from tests.klotski.boards import units
from tests.levels import some_now
from tests.studies import mistake

CLAIMS = {claim.name: claim for claim in claims.claims()}
SMALL = ("將擋後路", "巧過五關", "調兵遣將")
OTHERS = (name for name, claim in CLAIMS.items() if claim.paper_slides and name not in SMALL)


def slides(board: Board, most: int | None = None, order: str = mistake.ORDER) -> int | None:
    native.needed()
    found = mistake.claimed(board, most, order)
    return None if found is None else found.slides


@pytest.mark.parametrize("name", some_now([*SMALL, *OTHERS], 1))
def test_the_papers_search_gives_the_papers_number(name: str) -> None:
    assert slides(CLAIMS[name].board) == CLAIMS[name].paper_slides


@pytest.mark.slow
def test_the_order_of_moves_decides() -> None:
    claim = CLAIMS["調兵遣將"]
    assert slides(claim.board, order=mistake.TEXT) == claim.proved_slides == 51
    assert slides(claim.board) == claim.paper_slides == 52


def test_moves_are_the_rules_units() -> None:
    board = CLAIMS["將擋後路"].board
    moves, goals = mistake.tables(board)
    assert len(goals) == CLAIMS["將擋後路"].reachable
    space = Space(board, sliding=False)
    ends = {(kind, here, there) for after, kind, here, there in moves[0] if after >= 0}
    truth = set()
    for slide in units(board, rules.start(board)):
        (kind,) = [at for at, its in enumerate(space.kinds) if slide.piece in {piece.name for piece in its.members}]
        truth.add((kind, board.number(slide.from_cell), board.number(slide.to_cell)))
    assert ends == truth


def test_a_cut_short_search_claims_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mistake, "SLICE", 100)
    assert slides(CLAIMS["將擋後路"].board, most=1_000) is None
