"""The logic programs: expected models, the same optimum with and without each idea, and boards of the paper."""

import pytest

from sokoasp.asp import catalogue
from sokoasp.asp.multishot import ClingoOptions
from sokoasp.core.limits import Limits
from sokoasp.core.result import Horizon
from sokoasp.klotski import board_facts, notation
from sokoasp.klotski.board import OBJECTIVES, Board
from sokoasp.klotski.referee import validate
from tests.asp import alone
from tests.klotski import claims, oracle

from .boards import distances, random_board, shipped
from .test_agreement import by_asp

IDEAS = {name: tuple(idea.name for idea in catalogue.encodings()[name].ideas) for name in OBJECTIVES}


def answers(board: Board, objective: str, bound: int) -> set[str]:
    """Return all plans of exactly that bound, as text."""
    encoding = catalogue.encodings()[objective]
    outcome = alone.run(
        encoding,
        board_facts.write(board),
        bounds=Horizon(bound, 1, bound),
        clock=Limits().start(),
        options=ClingoOptions(models=0),
    )
    return {" ".join(sorted(f"{a.name}({','.join(a.args)})" for a in answer)) for answer in outcome.answers}


def test_one_slide_round_the_corner() -> None:
    board = notation.read("goal: a 2,1\na..\n#..\n...\n")[0]
    assert answers(board, "slides", 1) == {'slide("a",0,7,1)'} and answers(board, "slides", 0) == set()
    assert answers(board, "units", 3) == {'slide("a",0,1,1) slide("a",1,4,2) slide("a",4,7,3)'}


def test_only_the_moving_piece_makes_way_for_itself() -> None:
    """The wide piece may pass over its own cells, not over those another piece leaves in the same step."""
    board = notation.read("goal: A 0,2\nAAb.\n")[0]
    assert answers(board, "slides", 1) == set() and answers(board, "slides", 2) == set()
    assert answers(notation.read("goal: A 0,2\nAA..\n")[0], "slides", 1) == {'slide("A",0,2,1)'}


def test_all_shortest_plans_are_answers() -> None:
    """a and b leave by their own doors in either order; equal pieces are interchangeable."""
    board = notation.read("goal: a 1,0; b 1,2\na#b\n.#.\n")[0]
    assert len(answers(board, "slides", 2)) == 2
    alike = notation.read("mask: ??/b.\nsame: ab\nab\n..\n")[0]
    assert answers(alike, "slides", 1) == {'slide("a",0,2,1)', 'slide("a",1,2,1)'}


def test_directions_walls_covers_and_blanks_count() -> None:
    down = notation.read("goal: a 0,0\nmoves: a d\n..\na.\n")[0]
    assert by_asp(down, "units", 4) is None
    mask = notation.read("mask: ?A/?.\nAA.\n...\n".replace("?A/?.", "??A/??."))[0]
    assert by_asp(mask, "slides", 3) == 1


@pytest.mark.parametrize(("objective", "idea"), [(o, idea) for o in OBJECTIVES for idea in IDEAS[o]])
def test_the_same_optimum_with_and_without_each_idea(objective: str, idea: str) -> None:
    encoding = catalogue.encodings()[objective]
    bare = encoding.without(idea)
    assert len(bare.files) == len(encoding.files) - 1
    tried, seed = 0, 0
    while tried < 8:
        board, seed = random_board(seed), seed + 1
        least, _, _ = distances(board, objective)
        if least is None or not 1 <= least <= 5:
            continue
        outcome = alone.run(bare, board_facts.write(board), bounds=Horizon(0, 1, least), clock=Limits().start())
        assert (outcome.verdict, outcome.bound) == ("sat", least), seed
        tried += 1


def test_a_board_of_hooks() -> None:
    board = notation.read("goal: B 0,0; C 0,2\nB.AE/BBCC/D..C\n")[0]
    for objective in OBJECTIVES:
        least = oracle.distances(board, objective)[0]
        assert least >= 7 and by_asp(board, objective, least) == least


@pytest.mark.slow
@pytest.mark.parametrize("name", ["將擋後路", "前呼後擁", "比翼橫空"])
def test_the_papers_boards_of_up_to_28_slides(name: str) -> None:
    claim = next(claim for claim in claims.claims() if claim.name == name)
    assert claim.proved_slides <= 28 and by_asp(claim.board, "slides", claim.proved_slides + 1) == claim.proved_slides


def test_the_catalogue_names_what_is_there() -> None:
    for objective in OBJECTIVES:
        encoding = catalogue.encodings()[objective]
        assert (encoding.game, encoding.objective, encoding.mode) == ("klotski", objective, "incremental")
        assert encoding.output == "slide/4"


def test_decoded_plans_of_own_boards_pass_the_referee() -> None:
    board = next(board for board in shipped("own.klotski") if board.title == "Any two")
    least = by_asp(board, "slides", 12)
    assert least == oracle.distances(board, "slides")[0]
    plan = board_facts.decode(board, [])
    assert plan == ()
    with pytest.raises(Exception, match="goal is not reached"):
        validate(board, plan)
