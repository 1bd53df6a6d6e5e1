"""No sum, way or potential is large enough to be read as "never": a level that is long is not a level without a plan."""

import copy
import random

import numpy as np
import pytest

from sokoasp.core.guard import LimitReached
from sokoasp.sokoban import formats
from sokoasp.sokoban.grid import assign
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.search import Options
from sokoasp.sokoban.search.bounds import pattern_databases, search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board, workspace
from sokoasp.sokoban.search.model.records import Matching
from tests.levels import random_level


def test_many_long_ways_are_a_sum_and_not_an_impossible_matching(code: workspace.Kernels) -> None:
    """Sixty boxes that travel some 9,000 and 17,500 cells each: 540,000 and 1,050,000 in all."""
    rng, k = random.Random(2), 60
    for far in (9_000, 17_500, 87_000):
        dist = np.array([[far + rng.randrange(500) for _ in range(k)] for _ in range(k + 4)], np.int32)
        parents, path = workspace.empty_matching(k)
        parents.state[:] = range(k)
        assert code.primitives.matching(k, dist, parents, path) == _plain(dist[:k])
        childs = Matching(*(np.zeros_like(part) for part in parents))
        childs.state[:] = parents.state
        childs.state[[3, 7]] = k, k + 1
        assert code.primitives.rematching(k, dist, parents, childs, path) == _plain(dist[childs.state])
        dist[:, 5] = push_board.INFINITE
        assert code.primitives.matching(k, dist, parents, path) == code.primitives.INF


def _plain(dist: "np.ndarray") -> int:
    found = assign(dist.tolist())
    return found.total


def test_a_way_among_walls_that_is_longer_than_its_table_can_say_is_a_way() -> None:
    """A corridor of 40,000 cells, its target at the left end, the last cells closed off by a box that never moves."""
    level = formats.read("#####\n#@$.#\n#####\n")[0]
    search = astar.begin(level, search_tables.build(level, push_board.build(level), "pushes", Options()), Options())
    n, (left, right), frozen_walls = 40_000, (0, 1), search.code.frozen_walls
    near = np.full((n + 1, 4), n, np.int32)
    line = np.arange(n, dtype=np.int32)
    near[1:n, left], near[: n - 1, right] = line[:-1], line[1:]
    places = np.full((workspace.PLACES, 4 * (n + 1)), -1, np.int32)
    for d in (left, right):
        places[frozen_walls.SIDES, 4 * line + d] = 4 * line + d
    detours = np.full((1, n), frozen_walls.FAR, np.int16)
    bound = search.bounding()
    frozen = bound.frozen._replace(neighbour=near, places=places, detours=detours, goals=np.zeros(1, np.int32))
    r = copy.copy(search.r)
    r.live, r.boxes = n, 1
    walls = np.zeros(n + 1, np.uint8)
    walls[[n, n - 5]] = 1
    frozen_walls.reach_back(r, bound._replace(frozen=frozen), walls, 0, 0)
    far = frozen_walls.FAR
    assert detours[0, [0, 1, far - 2, far - 1, far, n - 8]].tolist() == [0, 1, far - 2, far - 1, far - 1, far - 1]
    assert (detours[0, n - 6 :] == far).all(), "behind the wall there is no way"


@pytest.mark.parametrize("potential", [10_922, 16_383, 32_767, 65_536])
def test_patterns_at_dear_targets_are_dear_and_not_dead(potential: int, code: workspace.Kernels) -> None:
    """With one potential on every target penalties are those without, unless they cannot be said; none is newly DEAD."""
    for seed in range(6):
        level = random_level(seed, width=4, height=4, boxes=3)
        numbers = push_board.build(level)
        if numbers.dead_start:
            continue
        dist = push_board.distances(level, numbers, lines=False, reverse=False)
        cheap, dear = (
            pattern_databases.build(
                code.database_kernels, numbers, dist, np.full(3, each, np.int32), 3, lines=False, reverse=False
            )
            for each in (0, potential)
        )
        little, much = cheap.arrays.penalty, dear.arrays.penalty
        known = little != code.database_kernels.DEAD
        assert (known == (much != code.database_kernels.DEAD)).all()
        assert (np.maximum(much, -1 - much)[known] <= np.maximum(little, -1 - little)[known]).all()


def test_levels_whose_numbers_do_not_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A packed state has 16 bits for the player: the player on cell 65,536 would be read as the player on cell 0."""
    hall = frozenset(Cell(r, c) for r in range(1, 258) for c in range(1, 257))
    level = Level(hall, frozenset({Cell(5, 5)}), frozenset({Cell(5, 6)}), Cell(200, 3))
    with pytest.raises(LimitReached, match="memory"):
        push_board.build(level)
    small = random_level(4, width=4, height=4, boxes=3)
    numbers = push_board.build(small)
    monkeypatch.setattr(push_board, "INFINITE", 16)
    with pytest.raises(LimitReached, match="memory"):
        push_board.distances(small, numbers, lines=False, reverse=False)
