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
from sokoasp.sokoban.search.plans.branching import Branching, Order, any_order
from sokoasp.sokoban.search.plans.filling import ReversePlay
from sokoasp.sokoban.search.plans.prover import Prover
from sokoasp.sokoban.search.plans.seek import Seeker
from sokoasp.sokoban.search.plans.verdicts import Verdicts
from sokoasp.sokoban.search.push_board import PushBoard

TURNS = 10
"""Turns between two looks at the clock."""
PLAYING = 1000
"""Expansions of the first reverse play, at most; as many more for each further one."""
FOLLOWING = 4000
"""Expansions of the forward searches before the second order is looked for; twice as many for each further one."""
ORDERS = 6
"""Orders that are tried at most."""
STYLES = ((True, True), (False, False))
"""The forward searches by each order: whether they look at filled cells and regions only, whether their shelves rise."""


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
    verdicts: Verdicts = field(init=False)
    play: ReversePlay = field(init=False)
    """The reverse play now on or last done."""
    played: int = 0
    """Reverse plays begun."""
    seekers: list[Seeker] = field(default_factory=list)
    """Forward searches by all orders found so far, in turns."""
    found: Plan | None = None
    _spent: int = 0
    """Expansions of the plays done before."""
    _orders: list[list[list[int]]] = field(default_factory=list)
    _turn: int = 0

    def __post_init__(self) -> None:
        """Set the first reverse play up."""
        compiled = branching.load(self.options)
        scratch = Branching(self.board, compiled, any_order(self.board), plain=True)
        self.verdicts = Verdicts(scratch, Prover(self.level, self.board, self.options))
        self._play()

    def _play(self) -> None:
        """Begin another reverse play: the first by mobility alone, later ones keep to connected goals or to chance.

        In every other one boxes leave where they started, too: some levels need it, others fall without it only.
        """
        code, number = self.verdicts.branching.compiled, self.played + self.options.first_order
        b = Branching(self.board, code, any_order(self.board), reverse=True)
        self.play = ReversePlay(self.level, b, noise=number // 2 * 2, steady=number % 2 == 1, exits=number % 2 == 1)
        self.played += 1

    @property
    def forward(self) -> int:
        """Return the expansions of the forward searches."""
        return sum(seeker.expanded for seeker in self.seekers)

    @property
    def counters(self) -> dict[str, int]:
        """Return how many states were expanded, generated and kept, by reverse play and forward searches together."""
        parts = [self.play.branching, *(seeker.branching for seeker in self.seekers)]
        return {
            "expanded": self._spent + self.play.expanded + self.forward,
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
        if len(self._orders) < self.played:
            self.play.advance(TURNS)
            over = self.play.finished is not None or self.play.exhausted
            if over or self.play.expanded >= PLAYING * self.played:
                self._follow(self.play.order())
            return
        seeker = self.seekers[self._turn % len(self.seekers)]
        self._turn += 1
        seeker.advance(TURNS)
        if seeker.solution is not None:
            self.found = plan_of(self.level, self.board, seeker.states(seeker.solution))
            self.finished = True
        elif seeker.exhausted:
            self.finished = True
        elif self.played < ORDERS and self.forward >= FOLLOWING << self.played - 1:
            self._spent += self.play.expanded
            self._play()

    def _follow(self, order: Order) -> None:
        """Start forward searches by an order, unless it is known already."""
        rows = order.rows.tolist()
        known = rows in self._orders
        self._orders.append(rows)
        for plain, rising in () if known else STYLES:
            b = Branching(self.board, self.verdicts.branching.compiled, order, plain=plain)
            self.seekers.append(Seeker(b, self.verdicts, rising))
