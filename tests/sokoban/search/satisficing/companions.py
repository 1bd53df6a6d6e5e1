"""A packing-order search for the tests of what works with its states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.tuning import Tuning

if TYPE_CHECKING:
    from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch


def begun(level: Level, tuning: Tuning, nodes: int) -> PackingOrderSearch:
    """Return a packing-order search that has met so many states, if it can in 500 steps; it goes on whatever it has found."""
    from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch

    search = PackingOrderSearch(level, push_board.build(level), Options(tuning=tuning))
    for _ in range(500):
        if sum(len(one.nodes) for one in (*search.planners, *search.ended)) < nodes:
            search._plan_of_a_step()
    # what it has found itself is of no concern to these tests: its forward searches go on
    search.finished, search.found = False, None
    for one in search.ended:
        one.solution = None
    search.planners, search.ended = [*search.ended, *search.planners], []
    return search
