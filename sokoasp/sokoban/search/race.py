"""The schedule of one level: which searches may enter it, and how each is set up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sokoasp.core.schedule import Role, Schedule, TimeShares
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.exact import member, move_layers
from sokoasp.sokoban.search.exact.breadth_first import SMALL, BreadthFirstSearch
from sokoasp.sokoban.search.improvement.plan_segments import PlanImprover
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.satisficing.bidirectional_macro import BidirectionalMacroSearch
from sokoasp.sokoban.search.satisficing.endgames import EndgameSearch
from sokoasp.sokoban.search.satisficing.macro_workspace import load
from sokoasp.sokoban.search.satisficing.other_starts import RestartedSearch
from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch
from sokoasp.sokoban.search.satisficing.spare_boxes import with_goals_for_all

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
SHORT_WAY = 4
"""Pushes a box, at most, by the bound at the start, where boxes stand next to their goals."""
FEW = 2
"""Boxes up to which a level has few states, however large its board is."""


@dataclass(slots=True, kw_only=True)
class Race(Schedule):
    """A schedule of the searches of this folder."""

    options: Options
    shares: TimeShares = USUAL
    packing: list[PackingOrderSearch] = field(default_factory=list)
    """The packing-order searches that entered, also when they have left."""

    @property
    def level(self) -> Level:
        """Return the level."""
        level: Level = self.bounds.problem
        return level

    @property
    def spare(self) -> bool:
        """Return whether there are more boxes than goals."""
        return len(self.level.boxes) > len(self.level.goals)

    def enter(self, name: str, *, reverse: bool = False, beam: bool = False, objective: str | None = None) -> None:
        """Add A* unless all is proved already; one for another objective only looks for a plan."""
        if self.bounds.closed():
            return
        counted = objective or self.bounds.objective
        # the packing-order search has the same tables, if it is there
        packing = [one for one in self.solvers if isinstance(one, PackingOrderSearch) and one.level == self.level]
        same = packing and counted == "pushes" and not reverse
        filled = packing[0].dead_ends.oracle.search.tables if same else None
        search = member.prepare(
            self.level,
            counted,
            self.options,
            self.bounds,
            reverse=reverse,
            seconds=self.seconds,
            beam=beam,
            filled=filled,
        )
        if search is not None:
            one = member.Member(name, search, lambda: self.of("exact", "beam"))
            self.solvers.insert(len(self.of("exact", "beam")), one)

    def enter_beam(self) -> None:
        """Add the beam search for an early plan, once: from the goals, or from the start where there are spare boxes."""
        if not (self.options.greedy and self.options.uses("beam")) or self._entered("beam"):
            return
        if self.small:
            self.shares = ON_SMALL_BOARDS
        self.enter("beam", reverse=not self.spare, beam=True, objective=self._of_beams)

    def enter_forward_beam(self) -> None:
        """Add the beam search from the start beside the one from the goals, once, where the first plan is looked for."""
        uses = self.options.greedy and self.options.uses("forward_beam")
        if uses and self.first_plan and not (self.spare or self._entered(FORWARD_BEAM)):
            self.enter(FORWARD_BEAM, beam=True, objective=self._of_beams)

    @property
    def _of_beams(self) -> str:
        """Return what beam searches count."""
        return "pushes" if self.bounds.objective == "moves" and not self.spare else self.bounds.objective

    def enter_breadth_first(self) -> None:
        """Add the plain search from both ends, once: it leaves by itself where its fronts grow too fast."""
        if not (self.bounds.closed() or self._entered(BreadthFirstSearch.name)):
            board, moves = push_board.build(self.level), self.bounds.objective == "moves"
            plain = (
                move_layers.MoveLayersSearch(self.level, board, self.options)
                if moves
                else BreadthFirstSearch(self.level, board, self.bounds.objective, self.options)
            )
            self.solvers.insert(len(self.of("exact", "beam")), plain)

    @property
    def moves_in_layers(self) -> bool:
        """Return whether moves are counted and the search from both ends takes the level."""
        if self.bounds.objective != "moves" or self.spare:
            return False
        board = push_board.build(self.level)
        return not board.dead_start and move_layers.fits(board)

    def _entered(self, name: str) -> bool:
        """Return whether a search is or was in the schedule."""
        return f"{name}_expanded" in self.counters or any(solver.name == name for solver in self.solvers)

    @property
    def small(self) -> bool:
        """Return whether there are so few live cells or boxes that proving searches from both ends find plans soonest."""
        board = push_board.build(self.level)
        both = push_board.two_sided(self.level, self.bounds.objective)
        return both and not board.dead_start and (board.live <= SMALL or len(board.boxes) <= FEW)

    def enter_both_ways(self) -> None:
        """Add the forward search and the beam search."""
        self.enter("forward")
        self.enter_beam()

    def enter_from_goals(self) -> None:
        """Add the beam search and the plain one from both ends."""
        self.enter_beam()
        self.enter_breadth_first()

    def enter_packing_order(self) -> bool:
        """Add the packing-order search, and the one that waits for it, if they take this level; return whether they do.

        A level with spare boxes has one of each for each choice of cells where these may end.
        """
        entered = 0
        for level in () if self.level.solved else with_goals_for_all(self.level):
            board = push_board.build(level)
            if board.dead_start:
                continue
            packing = PackingOrderSearch(level, board, self.options)
            self.packing.append(packing)
            # where no box finds room aside packing orders come to nothing: nobody waits for them there
            target = BidirectionalMacroSearch(level, board, packing, patient=not self.small)
            restarted, endgame = RestartedSearch(packing), EndgameSearch(packing)
            if entered:
                for one in (packing, target, restarted, endgame):
                    one.name = SECOND + one.name
            self.solvers += [packing, target] if self.options.uses("target_board") else [packing]
            if self.first_plan and self.options.uses("other_starts"):
                self.solvers.append(restarted)
            if self.first_plan and self.options.uses("endgames"):
                self.solvers.append(endgame)
            entered += 1
            if self.first_plan and not self.spare and not self.small and packing.dead_ends.oracle.short_way(SHORT_WAY):
                self.shares, target.patient = NEXT_TO_GOALS, False
        return entered > 0

    def enter_all(self) -> None:
        """Add the packing-order search, all that begins at the goals, and a beam search from the start."""
        self.enter_packing_order()
        self.enter_from_goals()
        self.enter_forward_beam()

    def enter_satisficing(self) -> None:
        """Add satisficing searches and the plan improver beside proving searches; once, and only where ``greedy`` is on."""
        if not self.options.greedy or self._entered("shortening") or self.bounds.closed():
            return
        began = time.perf_counter()
        load(self.options)
        self.clock.began += time.perf_counter() - began  # compiling, if it must be, does not count against the limits
        if self.bounds.plan is None:
            self.enter_packing_order()
        self.enter_improvement()

    def enter_improvement(self) -> None:
        """Add the plan improver, with the tables that the searches which prove have filled; they learn together."""
        improver = PlanImprover(self.level, (self.bounds.objective,), self.options)
        for one in self.of("exact"):
            improver.learn_with(one.search)
        self.solvers.append(improver)

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
