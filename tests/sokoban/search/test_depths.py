"""Changes of depth in a layer that does not end: which state comes first, and what that is good for."""

import random
from collections import Counter

import numpy as np

from sokoasp.core.limits import Limits
from sokoasp.sokoban.search import Options
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model.options import Proving, Tuning
from tests.levels import scrambled_level
from tests.sokoban.search.test_learned_patterns import begun

ONE_DEPTH = Options(learned_patterns=False, tuning=Tuning(proving=Proving(stretch=0)))


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
    search = begun(scrambled_level(8, boxes=6, pulls=2000), "pushes", options=ONE_DEPTH)
    assert search.advance(Limits().start(), 60, most_expanded=40) is None
    row = search.r.bucket
    states, rng = sorted(listed(search, row)), random.Random(3)
    depth = {index: int(search.store.states.spent[index]) for index in states}
    firsts: Counter[int] = Counter()
    for _ in range(3000):
        a, b = rng.randrange(1 << 30), rng.randrange(1 << 30)
        search.code.open_list.diversify(search.r, search.store.states, search.scratch, a, b)
        now = listed(search, row)
        assert sorted(now) == states
        firsts[now[0]] += 1
    depths = Counter(depth.values())
    assert len(depths) > 3 and max(depths.values()) > 2, depths
    for index in states:
        expected = 3000 / len(depths) / depths[depth[index]]
        assert expected / 3 < firsts[index] < 3 * expected + 10, (index, depth[index], firsts[index], expected)


def test_open_states_of_a_layer_are_counted_while_they_come_and_go() -> None:
    rng, changed = random.Random(4), 0
    for seed in range(20, 26):
        search = begun(scrambled_level(seed, boxes=4, pulls=500), "moves", options=ONE_DEPTH)
        r, counts = search.r, search.scratch.depths
        while not search.finished and r.expanded < 600:
            s, r.counted = search.store.states, rng.choice(np.flatnonzero(search.store.states.head >= 0).tolist())
            before = np.bincount(s.spent[listed(search, r.counted)], minlength=len(counts))
            counts[:] = before
            assert search.advance(Limits().start(), 60, most_expanded=r.expanded + 20) is None
            after = np.bincount(search.store.states.spent[listed(search, r.counted)], minlength=len(counts))
            assert (counts == after).all()
            changed += (after != before).any()
    assert changed > 50
