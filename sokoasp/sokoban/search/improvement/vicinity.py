"""Vicinity search: the whole level solved anew near a plan, where few boxes stand elsewhere than in one of the plan's states.

Optimisers of plans search a level's vicinity breadth first (Damgaard's YASO, JSoko's optimizer); in planning this is plan
neighbourhood graph search (Nakhost and Müller 2010). Ours is A* with the bounds of the whole level, so that it ends with the
cheapest plan in the neighbourhood. More boxes may stand elsewhere after each neighbourhood that holds nothing cheaper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sokoasp.sokoban.level import Cell
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.improvement.prefixes_suffixes import PrefixOrSuffix

MOST_APART = 4
"""Boxes that may stand elsewhere at most."""


def box_sets(plan: Plan, states: Sequence[State]) -> Iterator[frozenset[Cell]]:
    """Yield the boxes at the start and after each single push, given the states that the actions begin at (and the last)."""
    for state, push in zip(states, plan.actions, strict=False):
        at = push.box
        while at != push.to:
            yield state.boxes - {push.box} | {at}
            at = at.step(push.direction)
    yield state.boxes - {push.box} | {push.to}


@dataclass(slots=True)
class Vicinity:
    """The neighbourhoods of a plan, from near to far."""

    suffixes: PrefixOrSuffix
    """The longest suffix is the level itself: the same tables serve, and what was learned."""
    apart: int = 1
    """Boxes of a state that may stand elsewhere than in the nearest state of the plan."""
    exhausted: int = 0
    """How far all near the plan at hand has been searched."""
    begun: dict[int, astar.Search] = field(default_factory=dict)
    """Searches near the plan at hand that had not found anything yet when their effort was spent, by ``apart``."""

    def search(self, plan: Plan, states: Sequence[State]) -> astar.Search | None:
        """Set up the search of the neighbourhood in hand, None after the last one, or if a box stands on a dead square."""
        if self.apart in self.begun:
            return self.begun[self.apart]
        search = None if self.apart > MOST_APART else self.suffixes.search(states[0])
        if search is not None:
            number = {cell: index for index, cell in enumerate(search.tables.board.cells)}
            near = dict.fromkeys(frozenset(number[cell] for cell in boxes) for boxes in box_sets(plan, states))
            keys = np.zeros((len(near), search.store.words), np.uint64)
            search.store.states = search.store.states._replace(plan=keys)
            for key, boxes in zip(keys, near, strict=True):
                search.code.primitives.pack(np.array([*boxes], np.int32), len(boxes), 0, len(key), key)
            search.r.apart = self.apart
            self.begun[self.apart] = search
        return search

    def again(self) -> None:
        """Begin anew, as the plan has changed: a gain is mostly followed by another one as near."""
        self.exhausted = 0
        self.begun.clear()
        self.apart = self.apart if self.apart <= MOST_APART else 1

    def farther(self, exhausted: bool) -> bool:
        """Take the next neighbourhood, as nothing was found in this one; return whether there is one in this round."""
        if exhausted:
            self.exhausted = self.apart
            del self.begun[self.apart]
        self.apart += 1
        if self.apart <= MOST_APART:
            return True
        self.apart = self.exhausted + 1
        return False
