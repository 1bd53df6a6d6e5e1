"""The filling seeker as an entrant of a race: reverse play for an order and forward search by it, in slices."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from sokoasp.core.limits import Clock
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.astar import plan_of
from sokoasp.sokoban.search.options import Options
from sokoasp.sokoban.search.plans import branching
from sokoasp.sokoban.search.plans.branching import Branching, any_order
from sokoasp.sokoban.search.plans.filling import ReversePlay
from sokoasp.sokoban.search.plans.seek import Seeker
from sokoasp.sokoban.search.push_board import PushBoard

TURNS = 10
"""Turns between two looks at the clock."""
FIRST_ORDER = 400
"""Expansions of the reverse play before the first forward search; doubled every round while no order is complete."""
FORWARD = 2
"""Expansions of a forward search for each of the reverse play's."""


@dataclass(slots=True)
class FillingSeeker:
    """Looks for a plan on a level with as many boxes as goals; proves nothing."""

    level: Level
    board: PushBoard
    options: Options
    name: str = "filling"
    finished: bool = False
    """Nothing is left to look at; that proves nothing."""
    seconds: float = 0.0
    play: ReversePlay = field(init=False)
    seeker: Seeker | None = None
    found: Plan | None = None
    _spent: int = 0
    """Expansions of forward searches given up."""
    _reach: int = FIRST_ORDER
    _until: int = 0
    """Expansions of the forward search at which the reverse play goes on; 0 while that is on."""

    def __post_init__(self) -> None:
        """Set the reverse play up."""
        compiled = branching.load(self.options)
        self.play = ReversePlay(self.level, Branching(self.board, compiled, any_order(self.board), reverse=True))

    @property
    def counters(self) -> dict[str, int]:
        """Return how many states were expanded and generated, by reverse play and forward search together."""
        forward = self.seeker.expanded if self.seeker is not None else 0
        return {
            "expanded": self.play.expanded + self._spent + forward,
            "generated": self.play.branching.listed + (self.seeker.branching.listed if self.seeker is not None else 0),
            "states": len(self.play.nodes) + (len(self.seeker.nodes) if self.seeker is not None else 0),
        }

    def plan(self) -> Plan | None:
        """Return the plan, None if there is none yet."""
        return self.found

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Search for so long at most; return the limit that stops it, None when paused, finished or successful."""
        began = time.perf_counter()
        try:
            while not self.finished and self.found is None:
                if (stopped := clock.over()) or time.perf_counter() - began >= seconds:
                    return stopped
                self._slice()
        finally:
            self.seconds += time.perf_counter() - began
        return None

    def _slice(self) -> None:
        """Take some turns: the reverse play's while it is its time, else the forward search's."""
        if not self._until:
            self.play.advance(TURNS)
            over = self.play.finished is not None or self.play.exhausted
            if over or self.play.expanded >= self._reach:
                self._follow(for_good=over)
            return
        assert self.seeker is not None
        self.seeker.advance(TURNS)
        if self.seeker.solution is not None:
            self.found = plan_of(self.level, self.board, self.seeker.states(self.seeker.solution))
        elif self.seeker.exhausted:
            self.finished = True
        elif self.seeker.expanded >= self._until:
            self._reach *= 2
            self._until = 0

    def _follow(self, *, for_good: bool) -> None:
        """Start a forward search by the order found so far; go on with the one at hand if the order is still the same."""
        order = self.play.order()
        if self.seeker is None or order.rows.tolist() != self.seeker.branching.order.rows.tolist():
            self._spent += self.seeker.expanded if self.seeker is not None else 0
            self.seeker = Seeker(Branching(self.board, self.play.branching.compiled, order))
        self._until = 1 << 62 if for_good else self.seeker.expanded + FORWARD * self._reach
