"""Which satisficing searches enter a schedule."""

from __future__ import annotations

import time

from sokoasp.sokoban.search.improvement.plan_segments import PlanImprover
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.satisficing.bidirectional_macro import BidirectionalMacroSearch
from sokoasp.sokoban.search.satisficing.macro_workspace import load
from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch
from sokoasp.sokoban.search.schedule import Schedule


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
