"""The packing-order search as a member of a portfolio: reverse play for an order and forward search by it, in slices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.push_board import PushBoard, plan_of
from sokoasp.sokoban.search.model.tuning import PackingOrders
from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing import macro_workspace
from sokoasp.sokoban.search.satisficing.dead_ends import BoundOracle, DeadEndTests
from sokoasp.sokoban.search.satisficing.feature_search import FeatureSpaceSearch
from sokoasp.sokoban.search.satisficing.macro_workspace import (
    Guidance,
    MacroWorkspace,
    PackingOrder,
    Tables,
    any_order,
    goal_steps,
)
from sokoasp.sokoban.search.satisficing.packing_order import Origins, ReversePlay, origins
from sokoasp.sokoban.search.satisficing.search import SatisficingSearch

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

TURNS = 10
"""Turns of a step."""
LEAVING = {"leaving_anew": False, "leaving_mobile": True}
"""The rules of the reverse plays, in turn: ``mobile`` of ``ReversePlay``."""
FESS = at.RISING | at.FAR | at.ASIDE | at.ZONES | at.BEST
"""The rules of FESS (Shoham and Schaeffer 2020)."""


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
    plays: list[ReversePlay] = field(default_factory=list)
    """Reverse plays begun whose order is not followed yet."""
    played: int = 0
    """Reverse plays begun."""
    planners: list[FeatureSpaceSearch] = field(default_factory=list)
    """Forward searches by all orders found so far, in turns."""
    ended: list[FeatureSpaceSearch] = field(default_factory=list)
    """Those that have found a plan or have nothing left."""
    _origins: Origins = field(init=False)
    _done: list[ReversePlay] = field(default_factory=list)
    """Reverse plays whose order is followed, or was known already."""
    _orders: list[list[list[int]]] = field(default_factory=list)
    _restarted: bool = False
    """The first order was found again, and is followed afresh."""
    _stopgap: int | None = None
    """Expansions of the reverse plays when the best incomplete order began to be followed for want of a complete one."""
    _goal_distance: npt.NDArray[np.int32] = field(init=False)
    _leaving: list[bool] = field(init=False)
    """What is used of ``LEAVING``."""
    _rules: int = field(init=False)
    """What is used of ``FESS``."""
    _muted_advisors: int = field(init=False)
    """Advisors that are not used, as ``MacroRegisters.muted``."""
    _shared: Tables = field(default_factory=dict)
    """Tables of the board for all forward searches."""

    def __post_init__(self) -> None:
        """Load what is compiled and fill the tables; choose what it goes by."""
        uses = self.options.uses
        compiled = macro_workspace.load(self.options)
        if self.shares_tables_with is None:
            scratch = MacroWorkspace(self.board, compiled, any_order(self.board), Guidance(at.PLAIN))
            self.dead_ends = DeadEndTests(scratch, BoundOracle(self.level, self.board, self.options))
        else:
            self.dead_ends, self._shared = self.shares_tables_with.dead_ends, self.shares_tables_with._shared
        self._goal_distance = self.dead_ends.oracle.goal_distance()
        self._origins = origins(self.level, self.board)
        self._leaving = [rule for name, rule in LEAVING.items() if uses(name)]
        self._rules = FESS & ~sum(bit for name, bit in at.RULES.items() if not uses(name))
        self._muted_advisors = sum(1 << i for i, name in enumerate(at.ADVISORS) if not uses(name))

    @property
    def tuned(self) -> PackingOrders:
        """Return the constants it goes by."""
        return self.options.tuned.packing

    def _play(self) -> None:
        """Begin another reverse play: the first of each rule by mobility alone, later ones partly by chance."""
        ways = len(self._leaving)
        code, number = self.dead_ends.branching.compiled, self.played
        b = MacroWorkspace(self.board, code, any_order(self.board), reverse=True)
        # rules in turn; when all have been used, again with more chance
        mobile, noise = self._leaving[number % ways], 2 * (number // ways)
        self.plays.append(ReversePlay(b, self._origins, noise=noise, mobile=mobile))
        self.played += 1

    @property
    def playing(self) -> int:
        """Return the expansions of the reverse plays."""
        return sum(play.expanded for play in (*self._done, *self.plays))

    @property
    def forward(self) -> int:
        """Return the effort of the forward searches, in expansions."""
        return sum(planner.effort for planner in (*self.planners, *self.ended))

    @property
    def effort(self) -> int:
        """Return the effort of reverse plays and forward searches, in expansions."""
        return self.playing + self.forward

    @property
    def counters(self) -> dict[str, int]:
        """Return how many states were expanded, generated and kept, by reverse play and forward searches together."""
        plays, planners = [*self._done, *self.plays], [*self.planners, *self.ended]
        parts = [play.branching for play in plays] + [planner.branching for planner in planners]
        return {
            "expanded": self.playing + sum(planner.expanded for planner in planners),
            "generated": sum(part.listed for part in parts),
            "states": sum(len(play.nodes) for play in plays) + sum(len(planner.nodes) for planner in planners),
        }

    def step(self) -> None:
        """Take some turns: the reverse plays' while another order is due, else one of the forward searches'."""
        # Step 1. Another order is due after the expansions `_due` counts
        if self.played - len(self.plays) < self.tuned.orders and self.forward >= self._due():
            self._look_for_order()
            return
        # Step 2. Every forward search has ended, which proves nothing
        if not self.planners:
            self.finished = True
            return
        # Step 3. The next forward search, some turns
        planner = self._next()
        planner.advance(TURNS)
        if planner.solution is not None:
            self.found = plan_of(self.level, self.board, [*self.prefix[:-1], *planner.states(planner.solution)])
            self.finished = True
        elif planner.exhausted:
            self.finished = True
        if planner.solution is not None or planner.exhausted:
            self.planners = [other for other in self.planners if other is not planner]
            self.ended.append(planner)

    def _next(self) -> FeatureSpaceSearch:
        """Return the search whose turn it is: the first alone at first, then the first complete order has half of the effort.

        The others have the rest, where a new one has a head start.
        """
        if self.planners[0].expanded < self.tuned.head:
            return self.planners[0]
        lead = next((one for one in self.planners if one.branching.order.complete), self.planners[0])
        others = [one for one in self.planners if one is not lead]
        if not others or lead.effort <= sum(one.effort for one in others):
            return lead
        young = (one for one in others if one.expanded < self.tuned.head)
        return next(young, None) or min(others, key=lambda one: one.effort)

    def _due(self) -> int:
        """Return the expansions of forward searches after which plays go on: as many as theirs, while no order is complete."""
        if self._stopgap is not None:
            return self.playing - self._stopgap
        return int(self.tuned.following * 1.5 ** (len(self._orders) - 1)) if self._orders else 0

    def _look_for_order(self) -> None:
        """Go on with the reverse plays in turns; the first that brings all boxes back gives the order, else the best of them."""
        # Step 1. Keep some plays going, more of them while no order brings all boxes back
        most = self.tuned.at_once if self._complete() else 2 * self.tuned.at_once
        while (
            len(self.plays) < most
            and self.played < self.tuned.orders
            and sum(not self._spent(play) for play in self.plays) < self.tuned.at_once
        ):
            self._play()
        # Step 2. Each goes on in turn
        for play in self.plays:
            if play.finished is None and not self._spent(play):
                play.advance(TURNS)
        # Step 3. The first complete one gives the order; if all are spent, the one that came farthest
        done = [play for play in self.plays if play.finished is not None]
        if done or all(map(self._spent, self.plays)):
            play = done[0] if done else min(self.plays, key=_farthest)
            if not done and self._worth_longer(play):
                play.advance(TURNS)
                return
            self.plays = [other for other in self.plays if other is not play]
            self._done.append(play)
            self._stopgap = None
            self._follow(play.orders())
        # Step 4. None is complete yet: meanwhile forward searches go by the best there is, in equal turns
        elif self._stopgap is None and not self._orders and self.playing * len(self.board.boxes) >= self.tuned.stopgap:
            self._stopgap = self.playing
            self._follow(min(self.plays, key=_farthest).orders())

    def _worth_longer(self, play: ReversePlay) -> bool:
        """Return whether a play goes on: as long as there is no complete order, for fewer expansions the more boxes there are."""
        return (
            not self._complete() and not play.exhausted and play.expanded * len(self.board.boxes) < self.tuned.longest
        )

    def _spent(self, play: ReversePlay) -> bool:
        """Return whether a play has had its expansions, or has nothing left."""
        return play.exhausted or play.expanded >= self.tuned.playing

    def _complete(self) -> bool:
        """Return whether some order that is or was followed is complete."""
        return any(planner.branching.order.complete for planner in (*self.planners, *self.ended))

    def _follow(self, orders: list[PackingOrder]) -> None:
        """Start forward searches by an order.

        The first order that is found again is followed once more, afresh with what was learnt of lost states, and with ties by
        steps on foot.
        """
        rows = orders[-1].rows.tolist()
        if rows not in self._orders:
            self._orders.append(rows)
            for order in orders:
                self._seek(order, self._rules, self._goal_distance)
        elif not self._restarted:
            self._restarted = True
            self._seek(orders[0], self._rules, goal_steps(self.board))

    def _seek(self, order: PackingOrder, rules: int, goal_distance: npt.NDArray[np.int32]) -> None:
        # lost states and tables are shared: what one search proves lost no other enters
        by = Guidance(rules, goal_distance, self._muted_advisors, self.options.corral)
        b = MacroWorkspace(self.board, self.dead_ends.branching.compiled, order, by, shared=self._shared)
        self.planners.append(FeatureSpaceSearch(b, self.dead_ends))


def _farthest(play: ReversePlay) -> int:
    """Return what is least for the play that came farthest."""
    return play.left
