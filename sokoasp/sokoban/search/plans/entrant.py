"""The filling seeker as an entrant of a race: reverse play for an order and forward search by it, in slices."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from sokoasp.core.limits import Clock
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import machine
from sokoasp.sokoban.search.astar import plan_of
from sokoasp.sokoban.search.options import Options
from sokoasp.sokoban.search.plans import branching
from sokoasp.sokoban.search.plans.branching import Branching, any_order
from sokoasp.sokoban.search.plans.filling import ReversePlay
from sokoasp.sokoban.search.plans.seek import Seeker
from sokoasp.sokoban.search.plans.verdicts import Verdicts
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
    seekers: list[Seeker] = field(default_factory=list)
    """Two forward searches by the same order in turns: one looks at all features, the other at filled cells and regions only."""
    found: Plan | None = None
    _spent: int = 0
    """Expansions of forward searches given up."""
    _reach: int = FIRST_ORDER
    _until: int = 0
    """Expansions of the forward searches at which the reverse play goes on; 0 while that is on."""
    _turn: int = 0

    def __post_init__(self) -> None:
        """Set the reverse play up."""
        compiled = branching.load(self.options)
        self.play = ReversePlay(self.level, Branching(self.board, compiled, any_order(self.board), reverse=True))

    @property
    def forward(self) -> int:
        """Return the expansions of the forward searches at hand."""
        return sum(seeker.expanded for seeker in self.seekers)

    @property
    def counters(self) -> dict[str, int]:
        """Return how many states were expanded, generated and kept, by reverse play and forward searches together."""
        parts = [self.play.branching, *(seeker.branching for seeker in self.seekers)]
        return {
            "expanded": self.play.expanded + self._spent + self.forward,
            "generated": sum(part.listed for part in parts),
            "states": len(self.play.nodes) + sum(len(seeker.nodes) for seeker in self.seekers),
        }

    @property
    def idle(self) -> bool:
        """Tell whether it waits for others: never."""
        return False

    def plan(self) -> Plan | None:
        """Return the plan, None if there is none yet."""
        return self.found

    def take(self, plan: Plan | None) -> None:
        """Stop when others have a plan."""
        self.finished = self.finished or plan is not None

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Search for so long at most; return the limit that stops it, None when paused, finished or successful."""
        began = time.perf_counter()
        try:
            while not self.finished:
                if (stopped := clock.over()) or time.perf_counter() - began >= seconds:
                    return stopped
                self.step()
        finally:
            self.seconds += time.perf_counter() - began
        return None

    def step(self) -> None:
        """Take some turns: the reverse play's while it is its time, else one of the forward searches'."""
        if not self._until:
            self.play.advance(TURNS)
            over = self.play.finished is not None or self.play.exhausted
            if over or self.play.expanded >= self._reach:
                self._follow(for_good=over)
            return
        seeker = self.seekers[self._turn % len(self.seekers)]
        self._turn += 1
        seeker.advance(TURNS)
        if seeker.solution is not None:
            self.found = plan_of(self.level, self.board, seeker.states(seeker.solution))
            self.finished = True
        elif seeker.exhausted:
            self.finished = True
        elif self.forward >= self._until:
            self._reach *= 2
            self._until = 0

    def _follow(self, *, for_good: bool) -> None:
        """Start forward searches by the order found so far; go on with those at hand if the order is still the same."""
        order = self.play.order()
        if not self.seekers or order.rows.tolist() != self.seekers[0].branching.order.rows.tolist():
            self._spent += self.forward
            self.seekers = []
            for plain in (False, True):
                b = Branching(self.board, self.play.branching.compiled, order, plain=plain)
                kernels = machine.compiled(self.options).kernels
                self.seekers.append(Seeker(b, Verdicts(self.level, b, kernels)))
        self._until = 1 << 62 if for_good else self.forward + FORWARD * self._reach
