"""How each search enters a race: one function for each name that a roster may use."""

from __future__ import annotations

import time
from collections.abc import Callable

from sokoasp.sokoban.search.exact import bitboard, member, move_layers
from sokoasp.sokoban.search.exact.breadth_first import BreadthFirstSearch
from sokoasp.sokoban.search.improvement.plan_segments import PlanImprover
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.race import FORWARD_BEAM, NEXT_TO_GOALS, ON_SMALL_BOARDS, SECOND, Race
from sokoasp.sokoban.search.satisficing.macro_workspace import load
from sokoasp.sokoban.search.satisficing.other_starts import RestartedSearch
from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch
from sokoasp.sokoban.search.satisficing.spare_boxes import with_goals_for_all

SHORT_WAY = 4
"""Pushes a box, at most, by the bound at the start, where boxes stand next to their goals."""


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
    packing = [one for one in race.solvers if isinstance(one, PackingOrderSearch) and one.level == race.level]
    same = packing and counted == "pushes" and not reverse
    filled = packing[0].dead_ends.oracle.search.tables if same else None
    search = member.prepare(
        race.level,
        counted,
        race.options,
        race.bounds,
        reverse=reverse,
        seconds=race.seconds,
        beam=beam,
        filled=filled,
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


def forward_beam(race: Race) -> None:
    """Add the beam search from the start beside the one from the goals, once, where the first plan is looked for."""
    uses = race.options.greedy and race.options.uses("forward_beam")
    if uses and race.first_plan and not (race.facts.spare or race.entered(FORWARD_BEAM)):
        a_star(race, FORWARD_BEAM, beam=True, objective=counted_by_beams(race))


def counted_by_beams(race: Race) -> str:
    """Return what beam searches count."""
    return "pushes" if race.bounds.objective == "moves" and not race.facts.spare else race.bounds.objective


def layers(race: Race) -> None:
    """Add the plain search from both ends, once: it leaves by itself where its fronts grow too fast."""
    if race.bounds.closed() or race.entered(BreadthFirstSearch.name):
        return
    board, objective = push_board.build(race.level), race.bounds.objective
    if objective == "moves":
        plain: BreadthFirstSearch = move_layers.MoveLayersSearch(race.level, board, race.options)
    elif bitboard.fits(board):
        plain = BreadthFirstSearch(race.level, board, objective, race.options)
    else:
        return
    race.solvers.insert(len(race.of("exact", "beam")), plain)


def packing_order(race: Race) -> None:
    """Add the packing-order search, and those that wait for it, if they take this level.

    A level with spare boxes has one of each for each choice of cells where these may end.
    """
    for level in () if race.level.solved else with_goals_for_all(race.level):
        board = push_board.build(level)
        if board.dead_start:
            continue
        packing = PackingOrderSearch(level, board, race.options)
        beside = []
        if race.first_plan and race.options.uses("other_starts"):
            beside.append(RestartedSearch(packing))
        if race.entered(packing.name):
            for one in (packing, *beside):
                one.name = SECOND + one.name
        race.solvers += [packing, *beside]
        crowded = race.facts.spare or race.facts.small
        if race.first_plan and not crowded and packing.dead_ends.oracle.short_way(SHORT_WAY):
            race.shares = NEXT_TO_GOALS


def plan_searches(race: Race) -> None:
    """Add satisficing searches and the plan improver beside proving searches; once, and only where ``greedy`` is on."""
    if not race.options.greedy or race.entered("shortening") or race.bounds.closed():
        return
    began = time.perf_counter()
    load(race.options)
    race.clock.began += time.perf_counter() - began  # compiling, if it must be, does not count against the limits
    enter(race, *(() if race.bounds.plan is not None else ("packing-order",)), "improvement")


def improvement(race: Race) -> None:
    """Add the plan improver, with the tables that the searches which prove have filled; they learn together."""
    improver = PlanImprover(race.level, (race.bounds.objective,), race.options)
    for one in race.of("exact"):
        improver.learn_with(one.search)
    race.solvers.append(improver)


ENTRANTS: dict[str, Callable[[Race], None]] = {
    "forward": lambda race: a_star(race, "forward"),
    "reverse": lambda race: a_star(race, "reverse", reverse=True),
    "beam": beam,
    "forward-beam": forward_beam,
    "layers": layers,
    "packing-order": packing_order,
    "plan-searches": plan_searches,
    "improvement": improvement,
}
"""By name what enters a race; what does not fit the level stays out."""
