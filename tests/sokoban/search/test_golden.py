"""Expanded states pinned: a change of order, bound or pruning shows here first. Change the numbers only knowingly."""

import pytest

from sokoasp.sokoban.search import solve
from tests.levels import scrambled_level

GOLDEN: dict[tuple[int, str, str], tuple[int | None, int]] = {
    (3, "lines", "forward"): (10, 32),
    (3, "lines", "reverse"): (10, 34),
    (3, "pushes", "forward"): (17, 46),
    (3, "pushes", "reverse"): (17, 58),
    (5, "lines", "reverse"): (8, 122),
    (5, "pushes", "forward"): (18, 234),
    (5, "pushes", "reverse"): (18, 371),
    (8, "lines", "reverse"): (8, 85),
    (8, "pushes", "forward"): (18, 216),
    (8, "pushes", "reverse"): (18, 2194),
    (8, "moves", "forward"): (41, 25025),
    (10, "moves", "forward"): (34, 6453),
    (12, "pushes", "reverse"): (11, 51),
    (12, "moves", "forward"): (25, 817),
    (15, "moves", "forward"): (31, 20030),
}


def measure(seed: int, objective: str, engine: str) -> tuple[int | None, int]:
    found = solve(scrambled_level(seed, boxes=6, pulls=2000), objective, engine=engine)
    return found.value, found.counters["expanded"]


@pytest.mark.parametrize(("seed", "objective", "engine"), GOLDEN)
def test_expanded_states(seed: int, objective: str, engine: str) -> None:
    assert measure(seed, objective, engine) == GOLDEN[seed, objective, engine]
