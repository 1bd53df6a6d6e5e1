"""The packing-order search as a member of a portfolio: reverse play for an order and forward searches by it, in slices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.model.options import Options, PackingOrders
from sokoasp.sokoban.search.model.push_board import PushBoard
from sokoasp.sokoban.search.model.referee import plan_of
from sokoasp.sokoban.search.satisficing import macro_workspace
from sokoasp.sokoban.search.satisficing.dead_ends import BoundOracle, DeadEndTests
from sokoasp.sokoban.search.satisficing.feature_search import FeatureSpaceSearch
from sokoasp.sokoban.search.satisficing.macro_search import MacroSearch
from sokoasp.sokoban.search.satisficing.macro_workspace import (
    MacroWorkspace,
    PackingOrder,
    Tables,
    any_order,
)
from sokoasp.sokoban.search.satisficing.packing_order import ReversePlay, origins
from sokoasp.sokoban.search.satisficing.search import SatisficingSearch

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

TURNS = 10
"""Turns of a step."""


@dataclass(slots=True)
class PackingOrderSearch(SatisficingSearch):
    """Looks for a plan on a level with as many boxes as goals; proves nothing."""

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
    _goal_distance: npt.NDArray[np.int32] = field(init=False)
    _shared: Tables = field(default_factory=dict)
    """Tables of the board for all forward searches."""

    def __post_init__(self) -> None:
        """Load what is compiled and fill the tables; choose what it goes by."""
        compiled = macro_workspace.load()
        if self.shares_tables_with is None:
            scratch = MacroWorkspace(self.board, compiled, any_order(self.board))
            self.dead_ends = DeadEndTests(scratch, BoundOracle(self.level, self.board, self.options))
        else:
            self.dead_ends, self._shared = self.shares_tables_with.dead_ends, self.shares_tables_with._shared
        self._goal_distance = self.dead_ends.oracle.goal_distance()
        pulls = MacroWorkspace(self.board, compiled, any_order(self.board), reverse=True)
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

    def _follow(self, orders: list[PackingOrder]) -> None:
        """Start a forward search by each order, unless they are followed already."""
        compiled = self.dead_ends.branching.compiled
        followed = [one.branching.order.rows.tolist() for one in (*self.planners, *self.ended)]
        if orders[-1].rows.tolist() in followed:
            return
        for order in orders:
            # lost states and tables are shared: what one search proves lost no other enters
            b = MacroWorkspace(
                self.board, compiled, order, self._goal_distance, self.options.corral, shared=self._shared
            )
            self.planners.append(FeatureSpaceSearch(b, self.dead_ends))
