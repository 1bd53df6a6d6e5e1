"""A vicinity search finds the cheapest plan whose states are all near those of a given one, and proves nothing of the rest."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from sokoasp.core.limits import Limits
from sokoasp.sokoban import rules, validate
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.model.options import Options
from tests.levels import scrambled_level
from tests.sokoban.search.improvement.test_shorten import planned

if TYPE_CHECKING:
    from sokoasp.sokoban.plan import Plan
    from sokoasp.sokoban.search.exact.astar import Search

pytestmark = pytest.mark.usefixtures("native")
LEVELS = [scrambled_level(seed, width=6, height=6, boxes=3, pulls=60) for seed in range(12)]


def searched(level: Level, plan: Plan, apart: int, options: Options) -> Search:
    from sokoasp.sokoban.search.improvement.prefixes_suffixes import PrefixOrSuffix
    from sokoasp.sokoban.search.improvement.vicinity import Vicinity
    from sokoasp.sokoban.search.improvement.windows import states
    from sokoasp.sokoban.search.model import workspace

    workspace.compiled(options)
    search = Vicinity(PrefixOrSuffix(level, "pushes", options, reverse=False), apart).search(
        plan, [*states(level, plan)]
    )
    assert search is not None
    search.cut(plan.pushes)
    assert search.advance(Limits().start(), math.inf) is None
    assert search.finished
    return search


def near_by_sets(level: Level, plan: Plan) -> list[frozenset[object]]:
    """Replay a plan by the rules and return its box sets."""
    return [frozenset(level.boxes), *(frozenset(after.boxes) for _, _, after in rules.replay(level, plan.lurd))]


def cheapest(level: Level, near: list[frozenset[object]], apart: int) -> int:
    """Return the pushes of the cheapest plan near these box sets, breadth first."""
    layer, cost = {rules.canonical(level, rules.initial(level))}, 0
    seen = set(layer)
    while not any(rules.solved(level, state.boxes) for state in layer):
        after = {rules.canonical(level, child) for state in layer for _, child in rules.unit_pushes(level, state)}
        layer = {one for one in after - seen if any(len(one.boxes - boxes) <= apart for boxes in near)}
        seen |= layer
        cost += 1
    return cost


def test_the_boxes_after_each_single_push() -> None:
    from sokoasp.sokoban.search.improvement.vicinity import box_sets
    from sokoasp.sokoban.search.improvement.windows import states

    for level in LEVELS:
        plan = planned(level)
        near = near_by_sets(level, plan)
        replayed = near[:1] + [after for before, after in pairwise(near) if after != before]
        assert list(box_sets(plan, [*states(level, plan)])) == replayed


@pytest.mark.parametrize("apart", [1, 2, 3])
def test_the_cheapest_plan_near_a_plan_against_brute_force(apart: int) -> None:
    shorter = 0
    for level in LEVELS:
        plan = planned(level)
        truth = cheapest(level, near_by_sets(level, plan), apart)
        found = searched(level, plan, apart, Options(corral=False)).plan()
        assert (plan if found is None else found).pushes == truth
        shorter += truth < plan.pushes
        # pushes into a corral first may lead away from the plan: no cheaper plan then, and each is legal
        other = searched(level, plan, apart, Options()).plan()
        for one in (found, other):
            assert one is None or (validate.validate(level, one) and truth <= one.pushes < plan.pushes)
    assert shorter


def test_a_vicinity_search_claims_no_bound_and_stays_near() -> None:
    import numpy as np

    for level in LEVELS:
        plan = planned(level)
        search = searched(level, plan, 1, Options())
        assert search.lower == 0
        near, cells = near_by_sets(level, plan), search.tables.board.cells
        boxes = np.zeros(len(level.boxes) + 1, np.int32)
        for index in range(search.r.count):
            search.code.primitives.unpack(
                search.store.states.keys, index, search.tables.board.live, search.store.words, boxes
            )
            state = {cells[box] for box in boxes[:-1]}
            assert any(len(state - one) <= 1 for one in near)


def test_a_neighbourhood_is_searched_on_in_the_next_round_unless_the_plan_has_changed() -> None:
    from sokoasp.sokoban.search.improvement.prefixes_suffixes import PrefixOrSuffix
    from sokoasp.sokoban.search.improvement.vicinity import MOST_APART, Vicinity
    from sokoasp.sokoban.search.improvement.windows import states

    level = LEVELS[0]
    plan, vicinity = planned(level), Vicinity(PrefixOrSuffix(level, "pushes", Options(), reverse=False))

    def round_() -> list[Search | None]:
        found = []
        for apart in range(1, MOST_APART + 1):
            found.append(vicinity.search(plan, [*states(level, plan)]))
            assert vicinity.farther(exhausted=False) == (apart < MOST_APART)
        return found

    first = round_()
    assert len({id(search) for search in first}) == MOST_APART
    assert all(one is other for one, other in zip(first, round_(), strict=True))
    vicinity.again()
    assert not any(one is other for one, other in zip(first, round_(), strict=True))


def test_the_improver_proves_nothing_by_a_neighbourhood() -> None:
    from sokoasp.sokoban.search.improvement.plan_segments import PlanImprover

    for level in LEVELS:
        improver = PlanImprover(level, ("pushes",), Options())
        improver.kinds = improver.kinds[:1]
        improver.take(planned(level))
        assert improver.advance(Limits().start(), math.inf) is None
        assert improver.finished
        assert improver.lower == 0
        assert not improver.tight
