"""Layers that leave out what cannot be part of a cheaper plan: no plan is lost, prices against matchings, faults are noticed."""

from collections.abc import Callable

import numpy as np
import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban.grid import assign
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search import Options, solve
from sokoasp.sokoban.search.exact.breadth_first import BreadthFirstSearch
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.referee import bounds_of
from tests.levels import random_level, scrambled_level, some_now, truth

SHAPES: list[dict[str, int]] = [
    {},
    {"width": 7, "height": 3, "boxes": 3},
    {"width": 4, "height": 4, "boxes": 4},
    {"width": 6, "height": 5, "boxes": 3},
]
Spoil = Callable[[BreadthFirstSearch], object]


def ended(level: Level, objective: str, cutoff: int | None, spoil: Spoil | None = None) -> BreadthFirstSearch:
    """Search with a cutoff to the end."""
    search = BreadthFirstSearch(level, push_board.build(level), objective, Options())
    search.gated = False
    if cutoff is not None:
        search.cut(cutoff)
    if spoil is not None:
        spoil(search)
    assert search.advance(Limits(seconds=60).start(), 60) is None
    return search


def agree(seed: int, objective: str, spoil: Spoil | None = None) -> int:
    """Compare with the oracle under cutoffs from the optimum on; return how many searches were compared."""
    level = random_level(seed, **SHAPES[seed % 4])
    best = truth(level, objective, Limits(states=5_000))
    if best.stopped_by or best.value is None or level.solved or push_board.build(level).dead_start:
        return 0
    step = 2 if objective == "pushes" else 1
    for slack in (0, 1, 2, 4):
        search = ended(level, objective, best.value + step * slack, spoil)
        where = f"seed {seed} {objective} {slack}\n{level}"
        plan = search.plan
        if slack:
            assert plan is not None and plan.cost(objective) == best.value == search.lower, where
        else:
            # nothing is cheaper than the plan that is known: all is seen, or layers show it
            assert plan is None or plan.cost(objective) == best.value, where
            assert search.exhausted or search.lower == best.value, where
    return 4


@pytest.mark.parametrize("block", some_now(3, 1))
@pytest.mark.parametrize("objective", ["pushes", "lines"])
def test_no_cheaper_plan_is_lost(objective: str, block: int) -> None:
    assert sum(agree(seed, objective) for seed in range(40 * block, 40 * block + 40)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("block", range(5))
def test_two_thousand_levels(block: int) -> None:
    for seed in range(1000 + 400 * block, 1400 + 400 * block):
        agree(seed, ("pushes", "lines")[seed % 2])


FAULTS: dict[str, Spoil] = {
    "all cells cost more": lambda search: [np.multiply(price, 2, out=price) for price in search.store.prices],
    "potentials are not taken off, and one more": lambda search: setattr(search, "potentials", [-2, -2]),
    "bounds have the wrong parity": lambda search: setattr(search, "parity", (search.parity or 0) ^ 1),
}


@pytest.mark.parametrize("spoil", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_noticed(spoil: Spoil) -> None:
    """Within the levels that agree without it."""
    with pytest.raises(AssertionError):
        sum(agree(seed, "pushes", spoil) for seed in range(40))


@pytest.mark.parametrize("boxes", [4, 2])
def test_prices_are_no_more_than_a_matching(boxes: int) -> None:
    """Of every state of a search, by keys of one word and of two; the kernel adds up what the cells cost."""
    shape = {"boxes": boxes} if boxes > 2 else {"boxes": boxes, "width": 13, "height": 9}
    for seed in (3, 5):
        level = scrambled_level(seed, **shape)
        board = push_board.build(level)
        search = ended(level, "pushes", 10_000)
        assert search.words == (1 if boxes > 2 else 2)
        bounds = set()
        for side, price, total in zip(search.sides, search.store.prices, search.potentials, strict=True):
            dist = push_board.distances(level, board, lines=False, reverse=side.number == 1)
            for index in range(0, search.counts[side.number], 5):
                at, player = search.state(side, index)
                lone = [
                    [None if d >= push_board.INFINITE else int(d) for d in dist[board.side[box, player]]] for box in at
                ]
                paid = sum(int(price[256 * (box // 8) + (1 << box % 8)]) for box in at)
                found = assign(lone)
                assert found is None or paid - total <= found.total, (seed, at)
                bounds.add(paid - total)
                for cutoff, kept in ((paid, 0), (paid + 1, 1)):
                    side.r.cutoff = max(1, cutoff)
                    search.out[0] = search.store.keys[side.number][index]
                    assert search.kernels.cheap(side.r, price, search.out, 1) == (kept or paid == 0), (seed, at)
        assert len(bounds) > 3


def test_a_plan_at_hand_is_proved_with_fewer_states() -> None:
    level = scrambled_level(5, boxes=5)
    known = solve(level, "pushes", engine="forward")
    bounds = bounds_of(level, "pushes")
    assert known.plan is not None and bounds.offer(known.plan, "given")
    search = BreadthFirstSearch(level, push_board.build(level), "pushes", Options())
    search.gated = False
    search.exchange(bounds)
    search.advance(Limits(seconds=60).start(), 60)
    search.exchange(bounds)
    found = bounds.result("native")
    assert (found.status, found.value) == (Status.OPTIMAL, known.value)
    assert 2 * sum(search.counts) < sum(ended(level, "pushes", None).counts)
