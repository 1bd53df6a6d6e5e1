"""The packing-order search as a member of a portfolio, and packing orders from other starts."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from sokoasp.core.kernels.arrays import I4
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.model.options import Options, OtherStarts, PackingOrders
from sokoasp.sokoban.search.model.push_board import PushBoard, begun_at
from sokoasp.sokoban.search.model.referee import plan_of
from sokoasp.sokoban.search.satisficing import macro_workspace
from sokoasp.sokoban.search.satisficing.dead_ends import BoundOracle, DeadEndTests
from sokoasp.sokoban.search.satisficing.feature_search import FeatureSpaceSearch
from sokoasp.sokoban.search.satisficing.macro_search import MacroSearch
from sokoasp.sokoban.search.satisficing.packing_order import ReversePlay, origins
from sokoasp.sokoban.search.satisficing.search import SatisficingSearch

TURNS = 10
"""Turns of a step."""
SEED = 2023
"""Decides which states are drawn to begin anew at."""


@dataclass(slots=True)
class PackingOrderSearch(SatisficingSearch):
    """Looks for a plan on a level with as many boxes as goals by reverse play and forward searches; proves nothing."""

    level: Level
    board: PushBoard
    options: Options
    name: str = field(default="packing-order", kw_only=True)
    shares_tables_with: PackingOrderSearch | None = None
    """The search from another start on the same board, whose tables and lost states this one takes."""
    prefix: list[tuple[int, ...]] = field(default_factory=list)
    """The box sets from the start of the level to another start, both included."""
    dead_ends: DeadEndTests = field(init=False)
    play: ReversePlay = field(init=False)
    """The reverse play for the order."""
    planners: list[FeatureSpaceSearch] = field(default_factory=list)
    """Forward searches, in turns."""
    ended: list[FeatureSpaceSearch] = field(default_factory=list)
    """Those that have found a plan or have nothing left."""
    settled: bool = False
    """The reverse play is over, and forward searches go by its order."""
    _stopgap: int | None = None
    """Expansions of the reverse play when its best incomplete order began to be followed."""
    _goal_distance: I4 = field(init=False)
    _shared: macro_workspace.Tables = field(default_factory=dict)
    """Tables of the board for all forward searches."""

    def __post_init__(self) -> None:
        """Load what is compiled and fill the tables; choose what it goes by."""
        compiled, order = macro_workspace.load(), macro_workspace.any_order(self.board)
        if self.shares_tables_with is None:
            scratch = macro_workspace.MacroWorkspace(self.board, compiled, order)
            self.dead_ends = DeadEndTests(scratch, BoundOracle(self.level, self.board, self.options))
        else:
            self.dead_ends, self._shared = self.shares_tables_with.dead_ends, self.shares_tables_with._shared
        self._goal_distance = self.dead_ends.oracle.goal_distance()
        pulls = macro_workspace.MacroWorkspace(self.board, compiled, order, reverse=True)
        self.play = ReversePlay(pulls, origins(self.level, self.board))

    @property
    def tuned(self) -> PackingOrders:
        """Return the constants it goes by."""
        return self.options.tuning.packing

    @property
    def forward(self) -> int:
        """Return the effort of the forward searches, in expansions."""
        return sum(planner.effort for planner in (*self.planners, *self.ended))

    @property
    def effort(self) -> int:
        """Return the effort of reverse play and forward searches, in expansions."""
        return self.play.expanded + self.forward

    @property
    def counters(self) -> dict[str, int]:
        """Return how many states were expanded, generated and kept, by reverse play and forward searches together."""
        parts: tuple[MacroSearch[Any], ...] = (self.play, *self.planners, *self.ended)
        return {
            "expanded": sum(part.expanded for part in parts),
            "generated": sum(part.branching.listed for part in parts),
            "states": sum(len(part.nodes) for part in parts),
        }

    def step(self) -> None:
        """Take some turns: the reverse play's until its order is settled, else one of the forward searches'."""
        # Step 1. A long reverse play has equal turns with forward searches by the best order there is
        if not self.settled and (self._stopgap is None or self.forward >= self.play.expanded - self._stopgap):
            self._look_for_order()
            return
        # Step 2. Every forward search has ended, which proves nothing
        if not self.planners:
            self.finished = True
            return
        # Step 3. The forward search that has had least, some turns
        planner = min(self.planners, key=lambda one: one.effort)
        planner.advance(TURNS)
        if planner.solution is not None:
            self.found = plan_of(self.level, self.board, [*self.prefix[:-1], *planner.states(planner.solution)])
        if planner.solution is not None or planner.exhausted:
            self.finished = True
            self.planners = [other for other in self.planners if other is not planner]
            self.ended.append(planner)

    def _look_for_order(self) -> None:
        """Go on with the reverse play; follow its order when it is over, its best one so far when it has lasted long."""
        play = self.play
        play.advance(TURNS)
        # the fewer boxes, the longer it may go on
        work = play.expanded * len(self.board.boxes)
        self.settled = play.finished is not None or play.exhausted or work >= self.tuned.longest
        first = self._stopgap is None and work >= self.tuned.stopgap
        if first:
            self._stopgap = play.expanded
        if first or self.settled:
            self._follow(play.orders())

    def _follow(self, orders: list[macro_workspace.PackingOrder]) -> None:
        """Start a forward search by each order, unless they are followed already."""
        compiled = self.dead_ends.branching.compiled
        followed = [one.branching.order.rows.tolist() for one in (*self.planners, *self.ended)]
        if orders[-1].rows.tolist() in followed:
            return
        for order in orders:
            # lost states and tables are shared: what one search proves lost no other enters
            b = macro_workspace.MacroWorkspace(
                self.board, compiled, order, self._goal_distance, self.options.corral, shared=self._shared
            )
            self.planners.append(FeatureSpaceSearch(b, self.dead_ends))


@dataclass(slots=True)
class RestartedSearch(SatisficingSearch):
    """Looks for a plan from states of another search; proves nothing.

    Reverse play takes boxes off the board where boxes stand at the start, and only where it can bring them all back. Where the
    start is a bad place to come back to, no order is complete, or all are as bad; a few pushes later most are good. So fresh
    packing-order searches begin at states that the first one has met, briefly and again and again.
    """

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
