"""One race: a schedule of the searches for one level, with what is known of the level."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from sokoasp.core.schedule import Role, Schedule, TimeShares
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import move_layers
from sokoasp.sokoban.search.exact.breadth_first import SMALL, BreadthFirstSearch
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options

FORWARD_BEAM = "forward-beam"
"""The name of the beam search from the start."""
RESTARTED = "restarted"
"""The name of the search from other starts."""
SECOND = "second_"
"""Before the name of a search on another choice of cells where spare boxes end."""
USUAL = TimeShares(lesser={FORWARD_BEAM: 0.3})
"""What most levels lack is found from the goals; what is found from the start is found at once."""
ON_SMALL_BOARDS = TimeShares(beam=2.0, eager=1_500_000, lesser={FORWARD_BEAM: 0.5})
"""Where boxes hardly find room a beam search from the goals mostly finds a plan, within a second or two."""
NEXT_TO_GOALS = TimeShares(
    lesser={FORWARD_BEAM: 0.5, "packing-order": 0.15, RESTARTED: 0.15}, eager=1_000_000_000, stage=0.6
)
"""Where the first plan is looked for and boxes stand next to their goals, packing orders find it at once or hardly ever."""


FEW = 2
"""Boxes up to which a level has few states, however large its board is."""


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """The facts of one level and objective."""

    two_sided: bool
    """The reverse search takes it."""
    spare: bool
    """There are more boxes than goals."""
    small: bool
    """There are so few live cells or boxes that proving searches from both ends find plans soonest."""
    moves_in_layers: bool
    """Moves are counted, and the search in layers from both ends takes it."""


def facts_of(level: Level, objective: str) -> BoardFacts:
    """Look at a level."""
    board, both = push_board.build(level), push_board.two_sided(level, objective)
    spare, few = len(level.boxes) > len(level.goals), board.live <= SMALL or len(board.boxes) <= FEW
    return BoardFacts(
        two_sided=both,
        spare=spare,
        small=both and not board.dead_start and few,
        moves_in_layers=objective == "moves" and not (spare or board.dead_start) and move_layers.fits(board),
    )


@dataclass(slots=True, kw_only=True)
class Race(Schedule):
    """A schedule of the searches of this folder; ``entrants`` says how each is set up."""

    options: Options
    shares: TimeShares = USUAL
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

    def clear(self, *roles: Role) -> None:
        """Let all searches of some roles go; of all, if none is named."""
        for solver in self.of(*roles) if roles else list(self.solvers):
            self.leave(solver)
