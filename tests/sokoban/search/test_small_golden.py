"""Expanded states of small levels pinned: quick enough to run without compiling too, where a fault in a kernel shows first."""

import pytest

from sokoasp.sokoban.search import solve
from tests.levels import scrambled_level

pytestmark = pytest.mark.usefixtures("native")

ALL = "matching groups corral freeze"
PINNED: dict[tuple[int, str, str, str], tuple[int, int]] = {
    (3, "lines", "forward", "corral"): (4, 65),
    (3, "lines", "forward", "freeze"): (4, 66),
    (3, "lines", "reverse", "freeze"): (4, 55),
    (3, "moves", "forward", ALL): (21, 109),
    (5, "lines", "forward", "corral"): (4, 96),
    (5, "lines", "forward", "freeze"): (4, 75),
    (5, "lines", "reverse", "freeze"): (4, 60),
    (5, "pushes", "forward", "matching corral"): (8, 16),
    (5, "pushes", "reverse", "freeze"): (8, 104),
    (5, "moves", "forward", ALL): (22, 57),
    (10, "pushes", "reverse", "freeze"): (3, 22),
}


@pytest.mark.parametrize(("seed", "objective", "engine", "switches"), PINNED)
def test_expanded_states(seed: int, objective: str, engine: str, switches: str) -> None:
    level = scrambled_level(seed, width=5, height=5, boxes=3, pulls=60)
    found = solve(level, objective, engine=engine, switches=switches.split())
    assert (found.value, found.counters["expanded"]) == PINNED[seed, objective, engine, switches]
