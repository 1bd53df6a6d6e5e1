"""Learning in the middle of a search: from closed states of a layer that does not end, for the states it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoasp.sokoban.search.model.registers import R

if TYPE_CHECKING:
    import numpy.typing as npt

    from sokoasp.core.limits import Clock
    from sokoasp.sokoban.search.bounds.pattern_learning import PatternLearner
    from sokoasp.sokoban.search.exact.astar import Search


def study(search: Search, learner: PatternLearner, budget: int, clock: Clock) -> tuple[int, int]:
    """Learn from random closed states of the current f-layer, with ``budget`` expansions of sets at most.

    Returns:
        How many states are bounded higher now, and how many sets were expanded.
    """
    r, s, tuned = search.r, search.store, search.options.tuned.proving
    layer, cutoff, k, count = int(r[R.BUCKET]), int(r[R.CUTOFF]), int(r[R.BOXES]), int(r[R.COUNT])
    # Step 1. Which pairs of cells are rare among the states: patterns are looked up by their rarest pair
    boxes = np.zeros(k + 1, np.int32)
    for index in learner.rng.choices(range(count), k=min(count, tuned.sample)):
        search.code.primitives.unpack(s.states.keys, index, r[R.LIVE], s.words, boxes)
        search.learned.often[np.ix_(boxes[:k], boxes[:k])] += 1
    # what another search has learned in the meantime (``PlanImprover.learn_with``) lifts these states, too
    lifted, began = lift(search, search.known) if search.known < search.learned.count else 0, learner.expanded
    among, end = closed(search), began + budget
    # Step 2. Random closed states of the layer, half of them with open successors: what lifts these saves work at once
    while learner.expanded < end and len(among[1]) and clock.over() is None:
        some = among[learner.rng.randrange(2)]
        index = int(some[learner.rng.randrange(len(some))])
        player = search.code.primitives.unpack(s.states.keys, index, r[R.LIVE], s.words, boxes)
        state, spent, before = tuple(boxes[:k].tolist()), int(s.states.spent[index]), search.learned.count
        learner.expanded += 1
        # Step 3. A set grows from each box until its cost exceeds that of its parts, or the state is lifted
        for seed in learner.rng.sample(state, k):
            if (
                learner.grow(seed, state, player, search.bounding(), cutoff - layer)
                and spent + search.bound(state, player, layer + 1 - spent) > layer
            ):
                break
            if search.learned.count >= learner.tuning.most or learner.expanded >= end:
                break
        # Step 4. What was learned holds in other states, too
        if search.learned.count > before:
            lifted += lift(search, before)
            among = closed(search)
    search.known = search.learned.count
    return lifted, learner.expanded - began


def closed(search: Search) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the closed states of the lowest layer, all of them and those from which open states of it were reached."""
    count, layer, s = int(search.r[R.COUNT]), int(search.r[R.BUCKET]), search.store.states
    mark = np.zeros(count, np.uint8)
    search.code.open_list.mark_open(count, s, layer, mark)
    found = (s.previous[:count] == -2) & (s.bucket_of[:count] == layer)
    return np.flatnonzero(found), np.flatnonzero(found & (mark > 0))


def lift(search: Search, first: int) -> int:
    """Bound all states anew by the patterns learned from number ``first`` on, and what was reached through these states.

    Returns:
        How many states are bounded higher now.
    """
    at, r, s, last = 0, search.r, search.store, search.learned.count
    floor = np.zeros(int(r[R.COUNT]) + 1, np.int32)
    while at >= 0:
        at = search.code.open_list.lift(r, search.bounding(), s.states, search.scratch, first, last, at, floor)
        if at >= 0:
            s.widen()
    return int(floor[-1])
