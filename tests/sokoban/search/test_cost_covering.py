"""Penalties of patterns that share boxes: against all ways to pay them, and along plans."""

import random
from types import ModuleType

import numpy as np
import pytest

from sokoasp.sokoban.search import Options
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board, workspace
from tests.levels import scrambled_level
from tests.sokoban.search.test_learned_patterns import begun, exact_costs, two_bounds

Patterns = list[tuple[set[int], int]]


@pytest.fixture(scope="module")
def kernels() -> tuple[ModuleType, ModuleType]:
    code = workspace.compiled()
    return code.cost_partitioning, code.cost_covering


def bounds_of(kernels: tuple[ModuleType, ModuleType], patterns: Patterns, unit: int) -> tuple[int, int]:
    """Return what the best disjoint patterns bring, and what all together do."""
    packing, covering = kernels
    items, share = np.zeros((packing.PACKING, packing.ITEMS), np.int64), np.zeros(64, np.int32)
    for i, (boxes, penalty) in enumerate(patterns):
        items[:3, i] = sum(1 << b for b in boxes), penalty, penalty * packing.SHARES // len(boxes)
    packed = packing.pack_items(8, len(patterns), 1000, items, share)
    return packed, covering.cover_items(len(patterns), packed, 1000, unit, items)


def least_payment(patterns: Patterns, boxes: int, unit: int) -> int:
    """Try all ways in which the boxes can pay, by their sum."""

    def pays(paid: list[int], left: int) -> bool:
        if len(paid) == boxes:
            return all(sum(paid[b] for b in some) >= penalty for some, penalty in patterns)
        return any(pays([*paid, amount], left - amount) for amount in range(0, left + 1, unit))

    total = 0
    while not pays([], total):
        total += unit
    return total


def test_coverings_against_all_payments(kernels: tuple[ModuleType, ModuleType]) -> None:
    rng, more = random.Random(1), 0
    for _ in range(50):
        unit, patterns = rng.choice((1, 2)), []
        for _ in range(rng.randint(1, 8)):
            some = set(rng.sample(range(5), rng.randint(2, 4)))
            patterns.append((some, rng.randint(1, 3) * unit - (unit == 2 and rng.random() < 0.1)))
        packed, covered = bounds_of(kernels, patterns, unit)
        assert covered == least_payment(patterns, 5, unit), patterns
        more += covered > packed
    assert more > 4


def test_five_pairs_in_a_ring(kernels: tuple[ModuleType, ModuleType]) -> None:
    """The example of ``cost_covering``: 4 by disjoint pairs; 5 in whole numbers, 6 in even ones."""
    ring: Patterns = [({i, (i + 1) % 5}, 2) for i in range(5)]
    assert [bounds_of(kernels, ring, unit) for unit in (1, 2)] == [(4, 5), (4, 6)]


def test_a_search_that_is_stopped_claims_nothing(kernels: tuple[ModuleType, ModuleType]) -> None:
    rng = random.Random(5)
    many: Patterns = [(set(rng.sample(range(40), 3)), 2) for _ in range(300)]
    packed, covered = bounds_of(kernels, many, 2)
    assert packed <= covered <= 80, "each box pays 2"


@pytest.mark.parametrize(("objective", "reverse"), [("pushes", False), ("pushes", True), ("lines", False)])
def test_units_are_those_of_all_penalties(objective: str, reverse: bool) -> None:
    aligned = 0
    for seed in range(12):
        level = scrambled_level(seed, boxes=6, pulls=2000)
        board = push_board.build(level)
        aware, plain = (
            search_tables.build(level, board, objective, Options(covering=on), reverse=reverse) for on in (True, False)
        )
        assert aware.unit == (1 if objective == "lines" else 2)
        found = aware.patterns.arrays.penalty.astype(np.int64)
        assert objective == "lines" or not (found[(found > 0) & (found < 127)] & 1).any()
        start = [
            astar.begin(level, one, Options(covering=False)).bound(one.starts[0][0], one.starts[0][1])
            for one in (aware, plain)
        ]
        assert start[0] == start[1], "other potentials, as good at the start"
        aligned += plain.unit == 1
    assert aligned > 0


def over_all_states(objective: str, spoilt: int = 1) -> int:
    """Bound all solvable states of small levels, ``spoilt`` some too high; return how often coverings say more."""
    more = 0
    for seed in (3, 12):
        level = scrambled_level(seed, boxes=5, width=5, height=5)
        search, rng = begun(level, objective, largest=2), random.Random(seed)
        paid, unit = search.tables.patterns.total, search.r.unit
        exact = exact_costs(search, (5,))
        assert unit and search.learner is not None
        for cells, player in rng.sample(sorted((sorted(b), p) for b, p in exact), 30):
            for box in cells:
                search.learner.grow(box, tuple(cells), player, search.bounding(), 2)
        for (boxes, player), price in exact.items():
            packed, covered = two_bounds(search, sorted(boxes), player, spoilt * unit)
            assert packed <= covered <= price - paid, f"{covered} said, {price - paid} needed\n{level}"
            more += covered > packed
    return more


@pytest.mark.parametrize("objective", ["pushes", "lines"])
def test_no_state_is_bounded_too_high(objective: str) -> None:
    assert over_all_states(objective) > 5


@pytest.mark.parametrize("objective", ["pushes", "lines"])
def test_a_wrong_unit_is_noticed(objective: str) -> None:
    with pytest.raises(AssertionError, match="said"):
        over_all_states(objective, spoilt=2)
