"""Searches in layers from both ends, against the oracle's answer."""

from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.exact.breadth_first import BreadthFirstSearch
from sokoasp.sokoban.search.exact.move_layers import MoveLayersSearch
from sokoasp.sokoban.validate import validate

SHAPES: list[dict[str, int]] = [{}, {"width": 7, "height": 3, "boxes": 3}, {"width": 4, "height": 4, "boxes": 4}]


def follow(search: BreadthFirstSearch | MoveLayersSearch, level: Level, truth: Result, where: str) -> Status:
    """Compare the answer, and the bound after every slice; return what the oracle says."""
    clock = Limits(seconds=60).start()
    while not search.finished:
        assert truth.value is None or search.lower <= truth.value, where
        assert search.advance(clock, 1e-9) is None, where
    plan = search.plan
    assert search.exhausted == (truth.status is Status.UNSOLVABLE), where
    if plan is not None:
        assert search.lower == truth.value == plan.cost(truth.objective), where
        assert getattr(validate(level, plan), truth.objective) == truth.value, where
    return truth.status
