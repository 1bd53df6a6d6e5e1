"""Learning in the middle of a search: from closed states of a layer that does not end, for the states it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core import progress
from sokoasp.core.kernels.arrays import I8
from sokoasp.core.limits import Clock

if TYPE_CHECKING:
    from sokoasp.sokoban.search.bounds.pattern_learning import LearnedPatterns, PatternLearner
    from sokoasp.sokoban.search.exact.astar import Search
    from sokoasp.sokoban.search.model.options import Options


@dataclass(slots=True)
class LearningRounds:
    """What a search has learned, and how long it waits before it learns again (``options.Proving``)."""

    learned: LearnedPatterns
    active: bool = False
    """Whether the search learns at all."""
    options: Options | None = None
    """The prunings of what learns; None: those of the search."""
    learner: PatternLearner | None = None
    """What learns; made when it is first asked for."""
    rounds: int = 1
    """Stretches of the search, with learning between them."""
    patience: int = 0
    """Generated states that an f-layer may last before it is learned from."""
    layer: int = -1
    """The f-layer that was learned from last."""
    since: int = 0
    """Generated states when that layer was learned from, or when the search came to it."""
    hope: tuple[float, float] = (1.0, 1.0)
    """States that learning lifted, and sets it expanded; earlier rounds count less."""


def look(search: Search, clock: Clock) -> int:
    """Learn from closed states of the f-layer if it does not end; return the generated states at the next look."""
    learner, state, tuned = search.learner, search.learning, search.options.tuning.proving
    assert learner is not None
    layer, generated = search.r.bucket, search.r.generated
    patience = max(state.patience, search.r.count // tuned.passes)
    # Step 1. A layer that has moved on is no obstacle: wait again, a little less
    if layer > state.layer:
        state.layer, state.since = layer, generated
        state.patience = max(tuned.first_round, int(state.patience / tuned.longer))
    # Step 2. A layer that stays: learn what its closed states cost (Junghanns and Schaeffer's pattern search)
    elif generated - state.since >= patience:
        with progress.at("learning"):
            lifted, spent = study(search, learner, int(patience * tuned.learning), clock)
        state.rounds += 1
        state.since = generated
        # Step 3. Where that was mostly in vain the search goes on for longer
        state.hope = tuned.memory * state.hope[0] + lifted, tuned.memory * state.hope[1] + spent
        if state.hope[0] < tuned.hope * state.hope[1]:
            state.patience = int(state.patience * tuned.longer) + 1
            state.since += tuned.hopeless * state.patience
        else:
            state.patience = max(tuned.first_round, int(state.patience / tuned.longer))
    return generated + max(1, state.patience // tuned.looks)


def study(search: Search, learner: PatternLearner, budget: int, clock: Clock) -> tuple[int, int]:
    """Learn from random closed states of the current f-layer, with ``budget`` expansions of sets at most.

    Returns how many states are bounded higher now, and how many sets were expanded.
    """
    r, s, tuned = search.r, search.store, search.options.tuning.proving
    layer, cutoff, k, count = r.bucket, r.cutoff, r.boxes, r.count
    # Step 1. Which pairs of cells are rare among the states: patterns are looked up by their rarest pair
    boxes = np.zeros(k + 1, np.int32)
    for index in learner.rng.choices(range(count), k=min(count, tuned.sample)):
        search.code.primitives.unpack(s.states.keys, index, r.live, s.words, boxes)
        search.learned.often[np.ix_(boxes[:k], boxes[:k])] += 1
    lifted, began, among = 0, learner.expanded, closed(search)
    end = began + budget
    # Step 2. Random closed states of the layer, half of them with open successors: what lifts these saves work at once
    while learner.expanded < end and len(among[1]) and clock.over() is None:
        some = among[learner.rng.randrange(2)]
        index = int(some[learner.rng.randrange(len(some))])
        player = search.code.primitives.unpack(s.states.keys, index, r.live, s.words, boxes)
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
    return lifted, learner.expanded - began


def closed(search: Search) -> tuple[I8, I8]:
    """Return the closed states of the lowest layer, all of them and those from which open states of it were reached."""
    count, layer, s = search.r.count, search.r.bucket, search.store.states
    mark = np.zeros(count, np.uint8)
    search.code.open_list.mark_open(count, s, layer, mark)
    found = (s.previous[:count] == -2) & (s.bucket_of[:count] == layer)
    return np.flatnonzero(found), np.flatnonzero(found & (mark > 0))


def lift(search: Search, first: int) -> int:
    """Bound states anew by patterns from number ``first`` on, and what was reached; return how many are higher now."""
    at, r, s, last = 0, search.r, search.store, search.learned.count
    floor = np.zeros(r.count + 1, np.int32)
    while at >= 0:
        at = search.code.open_list.lift(r, search.bounding(), s.states, search.scratch, first, last, at, floor)
        if at >= 0:
            s.widen()
    return int(floor[-1])
