"""Wooden-box classics: our proved minima are those known."""

from __future__ import annotations

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


def test_the_known_minima_are_proved() -> None:
    boards = shipped("classics.klotski")
    assert {board.title for board in boards} == set(KNOWN)
    for board in boards:
        for objective, known in zip(("slides", "units"), KNOWN[board.title], strict=True):
            found = solve(board, objective)
            assert found.plan is not None and found.value == known == validate(board, found.plan).cost(objective)
