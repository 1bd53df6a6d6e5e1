"""Packing orders from other starts: where none from the start leads to a plan, one from a state a little farther on may.

Reverse play takes boxes off the board where boxes stand at the start, and only where it can bring them all back. Where the
start is a bad place to come back to, no order is complete, or all are as bad; a few pushes later most are good. So fresh
packing-order searches begin at states that the first one has met, briefly and again and again.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from sokoasp.sokoban.search.model.options import OtherStarts
from sokoasp.sokoban.search.model.push_board import begun_at
from sokoasp.sokoban.search.satisficing.feature_search import FeatureSpaceSearch
from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch
from sokoasp.sokoban.search.satisficing.search import SatisficingSearch

SEED = 2023
"""Decides which states are drawn."""


@dataclass(slots=True)
class RestartedSearch(SatisficingSearch):
    """Looks for a plan on a level with as many boxes as goals, from states of another search; proves nothing."""

    beside: PackingOrderSearch
    """The search from whose states it begins anew."""
    name: str = field(default="restarted", kw_only=True)
    here: PackingOrderSearch | None = None
    """The search from one of these states that is on, None between two."""
    past: dict[str, int] = field(default_factory=lambda: {"expanded": 0, "generated": 0, "states": 0})
    """Counts of the searches that are over."""
    begun: int = 0
    """Searches begun."""
    _seen: set[tuple[int, ...]] = field(default_factory=set)
    _rng: random.Random = field(default_factory=lambda: random.Random(SEED))

    @property
    def tuned(self) -> OtherStarts:
        """Return the constants it goes by."""
        return self.beside.options.tuning.restarts

    @property
    def counters(self) -> dict[str, int]:
        """Return how many states were expanded, generated and kept."""
        if self.here is None:
            return self.past
        return {name: count + self.here.counters[name] for name, count in self.past.items()}

    @property
    def idle(self) -> bool:
        """Return whether it still gives the packing-order search its chance: by counts, so that two runs do the same."""
        beside = self.beside
        return not beside.finished and beside.effort < self.tuned.wait

    def step(self) -> None:
        """Take some turns from the start it is at; begin elsewhere when that has had its effort."""
        # it ends with the other search, whether that has a plan or nothing left to look at
        if self.beside.finished:
            self.finished = True
            return
        if self.here is None or self.here.finished or self.here.effort >= self.tuned.unit * luby(self.begun):
            self._begin()
        if self.here is None:
            self.finished = True
            return
        self.here.step()
        self.found = self.here.found
        self.finished = self.found is not None

    def _begin(self) -> None:
        """Begin at a state not begun at before; at none if chance finds none in many tries."""
        self.past, self.here = self.counters, None
        beside = self.beside
        searches = [one for one in (*beside.planners, *beside.ended) if one.nodes]
        for attempt in range(self.tuned.tries if searches else 0):
            search = self._rng.choice(searches)
            number = self._choose(search, early=(self.begun + attempt) % 2 == 0)
            node = search.nodes[number]
            if node.parent >= 0 and node.boxes not in self._seen:
                self._seen.add(node.boxes)
                self.begun += 1
                there, prefix = begun_at(beside.board, node.boxes, node.player), search.states(number)
                self.here = PackingOrderSearch(
                    beside.level, there, beside.options, shares_tables_with=beside, prefix=prefix
                )
                return

    def _choose(self, search: FeatureSpaceSearch, *, early: bool) -> int:
        """Draw a state from a feature cell that is drawn; or, where ``early``, one of the first on the way to it."""
        heaps = [heap for heap in search.feature_space.heaps.values() if heap]
        if not heaps:
            return 0
        number = search.batches[self._rng.choice(self._rng.choice(heaps))[2]].node
        if early:
            path = search.path(number)
            number = path[min(len(path) - 1, self._rng.randint(self.tuned.first, self.tuned.last))]
        return number


def luby(number: int) -> int:
    """Return a term of the sequence 1, 1, 2, 1, 1, 2, 4, 1, ... (Luby, Sinclair and Zuckerman 1993), from number 1 on.

    Restarts of these lengths are as good as those of the best single length, but for a logarithm.
    """
    whole = (1 << (number + 1).bit_length() - 1) - 1
    return (whole + 1) // 2 if number == whole else luby(number - whole)
