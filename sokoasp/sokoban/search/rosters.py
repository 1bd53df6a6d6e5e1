"""Which satisficing searches enter a schedule."""

from __future__ import annotations

import time

from sokoasp.sokoban.search.exact.breadth_first import SMALL, BreadthFirstSearch
from sokoasp.sokoban.search.improvement.plan_segments import PlanImprover
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.satisficing.bidirectional_macro import BidirectionalMacroSearch
from sokoasp.sokoban.search.satisficing.macro_workspace import load
from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch
from sokoasp.sokoban.search.schedule import Schedule


def enter_breadth_first(race: Schedule) -> None:
    """Add the plain search from both ends: it leaves by itself where its fronts grow too fast."""
    if not race.proofs.closed():
        level, objective = race.proofs.problem, race.proofs.objective
        race.planners.insert(0, BreadthFirstSearch(level, push_board.build(level), objective, race.options))


def small(race: Schedule) -> bool:
    """Return whether the board is so small, and has two ends, that proving searches find plans sooner than packing orders do."""
    level, objective = race.proofs.problem, race.proofs.objective
    board = push_board.build(level)
    return push_board.two_sided(level, objective) and not board.dead_start and board.live <= SMALL


def enter_packing_order(race: Schedule) -> bool:
    """Add the packing-order search, and the one that waits for it, if they take this level; return whether they do."""
    level = race.proofs.problem
    if len(level.boxes) != len(level.goals) or level.solved:
        return False
    board = push_board.build(level)
    if board.dead_start:
        return False
    filling = PackingOrderSearch(level, board, race.options)
    race.planners += [filling, BidirectionalMacroSearch(level, board, filling)]
    return True


def enter_satisficing(race: Schedule) -> None:
    """Add satisficing searches and the plan improver to a schedule of proving searches; once, and only where ``greedy`` is on."""
    if not race.options.greedy or race.planners or race.proofs.closed():
        return
    began = time.perf_counter()
    load(race.options)
    race.clock.began += time.perf_counter() - began  # compiling, if it must be, does not count against the limits
    if race.proofs.plan is None:
        enter_packing_order(race)
    race.planners.append(PlanImprover(race.proofs.problem, (race.proofs.objective,), race.options))
