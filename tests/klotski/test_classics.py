"""Wooden-box classics: our proved minima are those known; and starts of our own for other boxes."""

from sokoasp.klotski.database import Positions, build
from sokoasp.klotski.referee import validate
from sokoasp.klotski.search import solve
from tests.klotski.boards import shipped

KNOWN = {
    "Pennant Puzzle": (59, 83),
    "Ma's Puzzle": (23, 36),
    "L'âne rouge": (81, 116),
    "Motor-Garage Puzzle": (17, 62),
    "Moving Day": (17, 17),
}


OURS = {"Pennant pieces, the hardest start": (78, 108), "Ma's pieces, the hardest start": (53, 80), "Jam": (13, 17)}


def test_starts_of_our_own() -> None:
    boards = shipped("sets.klotski")
    assert {board.title for board in boards} >= set(OURS)
    for board in boards:
        if board.title in OURS:
            assert tuple(solve(board, objective).value for objective in ("slides", "units")) == OURS[board.title]


def test_no_start_of_the_pennant_pieces_is_harder() -> None:
    known = build(shipped("classics.klotski")[0], reachable=True)
    assert isinstance(known, Positions) and len(known.keys) == 1398
    most, hardest = known.farthest()
    assert most == 78 and [board.rows() for board in hardest] == [shipped("sets.klotski")[0].rows()]


def test_the_known_minima_are_proved() -> None:
    boards = shipped("classics.klotski")
    assert {board.title for board in boards} == set(KNOWN)
    for board in boards:
        for objective, known in zip(("slides", "units"), KNOWN[board.title], strict=True):
            found = solve(board, objective)
            assert found.plan is not None and found.value == known == validate(board, found.plan).cost(objective)
