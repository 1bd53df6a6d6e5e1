"""One race: a schedule of the searches for one level, with what is known of the level, and how each search enters it.

Satisficing searches are imported when one enters: an easy level is answered before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sokoasp.core.schedule import Role, Schedule, TimeShares
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact import bitboard, member, move_layers
from sokoasp.sokoban.search.exact.breadth_first import SMALL, BreadthFirstSearch
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options

PACKING, RESTARTED = "packing-order", "restarted"
"""The names of the packing-order search and of the search from other starts."""
USUAL = TimeShares()
ON_SMALL_BOARDS = TimeShares(beam=2.0, eager=1_500_000)
"""Shares for boards where boxes hardly find room: a beam search from the goals mostly finds a plan, within a second or two."""
NEXT_TO_GOALS = TimeShares(lesser={PACKING: 0.15, RESTARTED: 0.15}, eager=1_000_000_000, stage=0.6)
"""Shares for a first plan where boxes stand next to their goals: packing orders find it at once or hardly ever."""

FEW = 2
"""Boxes up to which a level has few states, however large its board is."""
SHORT_WAY = 4
"""Pushes a box, at most, by the bound at the start, where boxes stand next to their goals."""


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


@dataclass(slots=True, kw_only=True)
class Race(Schedule):
    """A schedule of the searches of this folder; :func:`enter` sets each up."""

    options: Options
    shares: TimeShares = USUAL
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
            level, objective, board = self.level, self.bounds.objective, push_board.build(self.level)
            both, spare = push_board.two_sided(level, objective), len(level.boxes) > len(level.goals)
            self._facts = BoardFacts(
                two_sided=both,
                spare=spare,
                small=both and not board.dead_start and (board.live <= SMALL or len(board.boxes) <= FEW),
                moves_in_layers=objective == "moves" and not (spare or board.dead_start) and move_layers.fits(board),
            )
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


def enter(race: Race, *names: str) -> None:
    """Let searches enter, by their names in :data:`ENTRANTS`."""
    for name in names:
        ENTRANTS[name](race)


def a_star(race: Race, name: str, *, reverse: bool = False, beam: bool = False, objective: str | None = None) -> None:
    """Add A* unless all is proved already; one for another objective only looks for a plan."""
    if race.bounds.closed():
        return
    counted = objective or race.bounds.objective
    # the packing-order search has the same tables, if it is there
    packing = [one for one in race.solvers if one.name == PACKING]
    same = packing and counted == "pushes" and not reverse
    filled = packing[0].dead_ends.oracle.search.tables if same else None
    search = member.prepare(
        race.level, counted, race.options, race.bounds, reverse=reverse, seconds=race.seconds, beam=beam, filled=filled
    )
    if search is not None:
        one = member.Member(name, search, lambda: race.of("exact", "beam"))
        race.solvers.insert(len(race.of("exact", "beam")), one)


def beam(race: Race) -> None:
    """Add the beam search for an early plan, once: from the goals, or from the start where there are spare boxes."""
    if not (race.options.greedy and race.options.uses("beam")) or race.entered("beam"):
        return
    if race.facts.small:
        race.shares = ON_SMALL_BOARDS
    a_star(race, "beam", reverse=not race.facts.spare, beam=True, objective=counted_by_beams(race))


def counted_by_beams(race: Race) -> str:
    """Return what beam searches count."""
    return "pushes" if race.bounds.objective == "moves" and not race.facts.spare else race.bounds.objective


def layers(race: Race) -> None:
    """Add the plain search from both ends, once: it leaves by itself where its fronts grow too fast."""
    if race.bounds.closed() or race.entered(BreadthFirstSearch.name):
        return
    board, objective = push_board.build(race.level), race.bounds.objective
    kind = move_layers.MoveLayersSearch if objective == "moves" else BreadthFirstSearch
    if objective == "moves" or bitboard.fits(board):
        race.solvers.insert(len(race.of("exact", "beam")), kind(race.level, board, objective, race.options))


def packing_order(race: Race) -> None:
    """Add the packing-order search, and the one that waits for it, if the level has a goal for each box."""
    board = push_board.build(race.level)
    if race.level.solved or board.dead_start or race.facts.spare:
        return
    from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch, RestartedSearch

    packing = PackingOrderSearch(race.level, board, race.options)
    race.solvers.append(packing)
    if race.first_plan and race.options.uses("other_starts"):
        race.solvers.append(RestartedSearch(packing))
    bound = packing.dead_ends.oracle.search.bound
    few = SHORT_WAY * len(board.boxes)
    if race.first_plan and not race.facts.small and bound(board.boxes, board.player) <= few:
        race.shares = NEXT_TO_GOALS


def plan_searches(race: Race) -> None:
    """Add satisficing searches and the plan improver beside proving searches; once, and only where ``greedy`` is on."""
    if not race.options.greedy or race.entered("shortening") or race.bounds.closed():
        return
    from sokoasp.sokoban.search.satisficing.macro_workspace import load

    load()
    enter(race, *(() if race.bounds.plan is not None else (PACKING,)), "improvement")


def improvement(race: Race) -> None:
    """Add the plan improver."""
    from sokoasp.sokoban.search.improvement import PlanImprover

    race.solvers.append(PlanImprover(race.level, (race.bounds.objective,), race.options))


ENTRANTS: dict[str, Callable[[Race], None]] = {
    "forward": lambda race: a_star(race, "forward"),
    "reverse": lambda race: a_star(race, "reverse", reverse=True),
    "beam": beam,
    "layers": layers,
    PACKING: packing_order,
    "plan-searches": plan_searches,
    "improvement": improvement,
}
"""By name what enters a race; what does not fit the level stays out."""
