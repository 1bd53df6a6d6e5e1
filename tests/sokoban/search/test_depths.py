"""Changes of depth in a layer that does not end: which state comes first, and what that is good for."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

from sokoasp.core.limits import Limits
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search import Options
from sokoasp.sokoban.search.exact import astar, member
from sokoasp.sokoban.search.model.options import Proving, Tuning
from tests import native
from tests.levels import scrambled_level
from tests.sokoban.search.test_learned_patterns import begun

native.needed()


def varying(level: Level, **proving: int) -> astar.Search:
    """Begin a search that changes the depth as ``proving`` says, and does not learn."""
    return begun(level, "pushes", options=Options(learned_patterns=False, tuning=Tuning(proving=Proving(**proving))))


def listed(search: astar.Search, row: int) -> list[int]:
    """Return the states of a layer in their order, and see that the list is whole both ways."""
    s, found, before = search.store.states, [], -1
    index = int(s.head[row])
    while index >= 0:
        assert s.previous[index] == before and s.bucket_of[index] == row
        found.append(index)
        before, index = index, int(s.following[index])
    return found


def test_each_depth_is_as_likely_and_each_state_of_it() -> None:
    search = varying(scrambled_level(8, boxes=6, pulls=2000), stretch=0)
    assert search.advance(Limits().start(), 60, most_expanded=40) is None
    row = search.r.bucket
    states, rng = sorted(listed(search, row)), random.Random(3)
    depth = {index: int(search.store.states.spent[index]) for index in states}
    firsts: Counter[int] = Counter()
    for _ in range(3000):
        counts = np.zeros(row + 1, np.int32)
        a, b = rng.randrange(1 << 30), rng.randrange(1 << 30)
        search.code.open_list.diversify(search.r, search.store.states, a, b, counts)
        now = listed(search, row)
        assert sorted(now) == states
        firsts[now[0]] += 1
    depths = Counter(depth.values())
    assert len(depths) > 3 and max(depths.values()) > 2, depths
    for index in states:
        expected = 3000 / len(depths) / depths[depth[index]]
        assert expected / 3 < firsts[index] < 3 * expected + 10, (index, depth[index], firsts[index], expected)


def test_a_layer_is_searched_at_other_depths_once_it_lasts() -> None:
    """The same proof either way; not the same order."""
    counts = set()
    for changes in ({"stretch": 0}, {"lasting": 20, "stretch": 10}, {"lasting": 20, "stretch": 11}):
        search = varying(scrambled_level(8, boxes=6, pulls=2000), **changes)
        assert search.advance(Limits().start(), 60) is None
        plan = member.plan_found(search)
        assert plan is not None and search.finished and search.lower == plan.pushes
        counts.add((search.counters["expanded"], search.counters["states"]))
    assert len(counts) == 3
