"""One race: a schedule of the searches for one level, with what is known of the level."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from sokoasp.core.schedule import Role, Schedule, TimeShares
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.exact.breadth_first import BreadthFirstSearch
from sokoasp.sokoban.search.facts import BoardFacts, facts_of
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.satisficing.bidirectional_macro import BidirectionalMacroSearch
from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch

FORWARD_BEAM = "forward-beam"
"""The name of the beam search from the start."""
RESTARTED = "restarted"
"""The name of the search from other starts."""
ENDGAME = "endgame"
"""The name of the search of the farthest states."""
SECOND = "second_"
"""Before the name of a search on another choice of cells where spare boxes end."""
USUAL = TimeShares(lesser={FORWARD_BEAM: 0.3, ENDGAME: 0.5, SECOND + ENDGAME: 0.5})
"""What most levels lack is found from the goals; what is found from the start is found at once."""
ON_SMALL_BOARDS = TimeShares(beam=2.0, eager=1_500_000, lesser={FORWARD_BEAM: 0.5})
"""Where boxes hardly find room a beam search from the goals mostly finds a plan, within a second or two."""
NEXT_TO_GOALS = TimeShares(
    lesser={FORWARD_BEAM: 0.5, "packing-order": 0.15, RESTARTED: 0.15, ENDGAME: 0.15}, eager=1_000_000_000, stage=0.6
)
"""Where the first plan is looked for and boxes stand next to their goals, packing orders find it at once or hardly ever."""


@dataclass(slots=True, kw_only=True)
class Race(Schedule):
    """A schedule of the searches of this folder; ``entrants`` says how each is set up."""

    options: Options
    shares: TimeShares = USUAL
    packing: list[PackingOrderSearch] = field(default_factory=list)
    """The packing-order searches that entered, also when they have left."""
    children: ExitStack = field(default_factory=ExitStack)
    """Ends the second process."""
    _facts: BoardFacts | None = None

    @property
    def level(self) -> Level:
        """Return the level."""
        level: Level = self.bounds.problem
        return level

    @property
    def facts(self) -> BoardFacts:
        """Return what decides which searches take the level."""
        if self._facts is None:
            self._facts = facts_of(self.level, self.bounds.objective)
        return self._facts

    def entered(self, name: str) -> bool:
        """Return whether a search is or was in the schedule."""
        return f"{name}_expanded" in self.counters or any(solver.name == name for solver in self.solvers)

    def further_plans(self) -> Iterator[tuple[Plan, str]]:
        """Yield plans of the packing-order searches after a first one, and by whom, until all is proved.

        By other orders and rules they are unlike it: rewritten, some are much shorter.
        """
        for search in self.packing:
            if self.bounds.closed():
                break
            for plan in search.further(self.clock):
                yield plan, f"the {search.name.replace('_', ' ')} search"
                if self.bounds.closed():
                    break
            self._count(search)
        self.tally()

    def phase(self, seconds: float | None) -> str | None:
        """Run; exact searches that have their fill of memory or states leave, so that others may go on."""
        stopped = self.run(seconds)
        if stopped in ("memory", "states"):
            self.clear("exact", "beam")
        return None if stopped == "steps" else stopped

    def leave(self, solver: Any) -> None:
        """Let a solver go; where layers grow too fast on a small board, packing orders are worth as much as on a large one."""
        Schedule.leave(self, solver)
        if self.first_plan and isinstance(solver, BreadthFirstSearch) and solver.gave_up:
            self.shares = USUAL
            for target in self.of("satisficing"):
                if isinstance(target, BidirectionalMacroSearch):
                    target.patient = True

    def clear(self, *roles: Role) -> None:
        """Let all searches of some roles go; of all, if none is named."""
        for solver in self.of(*roles) if roles else list(self.solvers):
            self.leave(solver)
