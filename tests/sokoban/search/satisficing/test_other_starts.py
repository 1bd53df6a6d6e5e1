"""Packing orders from other starts: the plans are legal from the level's own start, and whose turn it is goes by counts."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from sokoasp.core.errors import WrongPlan
from sokoasp.core.limits import Limits
from sokoasp.sokoban import validate
from sokoasp.sokoban.level import Level, reachable
from sokoasp.sokoban.search.model import push_board, referee
from sokoasp.sokoban.search.model.options import Options, OtherStarts, Tuning
from tests.levels import scrambled_level, warehouse
from tests.sokoban.search.racing import raced

if TYPE_CHECKING:
    from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch


AT_ONCE = OtherStarts(wait=1, unit=40, first=1, last=4)


def begun(level: Level, tuning: Tuning, nodes: int) -> PackingOrderSearch:
    """Return a packing-order search that has met so many states, if it can in 500 steps; it goes on whatever it has found."""
    from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch

    search = PackingOrderSearch(level, push_board.build(level), Options(tuning=tuning))
    for _ in range(500):
        if sum(len(one.nodes) for one in (*search.planners, *search.ended)) < nodes:
            search.finished = False
            search.step()
    # what it has found itself is of no concern to these tests: its forward searches go on
    search.finished, search.found = False, None
    for one in search.ended:
        one.solution = None
    search.planners, search.ended = [*search.ended, *search.planners], []
    return search


def search_of(level: Level, tuned: OtherStarts = AT_ONCE, *, nodes: int = 60):  # type: ignore[no-untyped-def]
    """Return a restarted search beside a packing-order search that has met some states."""
    from sokoasp.sokoban.search.satisficing.packing_order_search import RestartedSearch

    return RestartedSearch(begun(level, Tuning(restarts=tuned), nodes))


def test_plans_begin_at_the_start_of_the_level() -> None:
    leads = set()
    for level in (warehouse(), *(scrambled_level(seed, boxes=5, pulls=150) for seed in (1, 2, 5, 8))):
        search = search_of(level)
        search.advance(Limits().start(), 60)
        assert search.found is not None
        validate.validate(level, search.found)
        leads.add(len(search.here.prefix))
    assert max(leads) > 3, "it began several pushes from the start"


def test_a_plan_without_its_beginning_is_noticed() -> None:
    """The fault: the pushes to where the search began are forgotten."""
    level = warehouse()
    search = search_of(level)
    while search.found is None:
        search.step()
    planner = search.here.ended[-1]
    solved = planner.states(planner.solution)
    pushes = [*search.here.prefix[:-1], *solved]
    assert validate.validate(level, referee.plan_of(level, search.beside.board, pushes)) is not None
    with pytest.raises(WrongPlan):
        validate.validate(level, referee.plan_of(level, search.beside.board, solved))


def test_another_start_keeps_the_numbers_of_the_board() -> None:
    level = warehouse()
    search = search_of(level, nodes=200)
    for _ in range(8):
        search._begin()
        here = search.here
        there, cells = here.board, search.beside.board.cells
        assert (there.cells, there.live, there.goals) == (cells, search.beside.board.live, search.beside.board.goals)
        boxes = {cells[box] for box in there.boxes}
        area = reachable(cells[there.player], level.floor - boxes)
        assert cells[there.reach] in area and there.reach == min(cells.index(cell) for cell in area)
        assert here.dead_ends is search.beside.dead_ends and here._shared is search.beside._shared
        assert here.prefix[-1] == there.boxes != search.beside.board.boxes == here.prefix[0]
    assert len(search._seen) == search.begun == 8, "no start is drawn twice"


def test_a_path_that_is_shorter_than_wished_is_taken_to_its_end() -> None:
    search = search_of(warehouse(), OtherStarts(wait=1, first=900, last=900), nodes=200)
    planner = max((*search.beside.planners, *search.beside.ended), key=lambda one: len(one.nodes))
    drawn = [search._choose(planner, early=True) for _ in range(20)]
    assert set(drawn) <= set(range(len(planner.nodes)))


def test_the_region_of_another_start_is_named_by_its_least_cell() -> None:
    """Of each region that boxes leave; the fault: that of a region beside it."""
    level = warehouse()
    board = push_board.build(level)
    rng, regions = random.Random(3), 0
    for _ in range(30):
        boxes = tuple(sorted(rng.sample(range(board.live), len(board.boxes))))
        free, found = set(range(board.size)) - set(boxes), set()
        for player in sorted(free):
            area = reachable(board.cells[player], level.floor - {board.cells[box] for box in boxes})
            least = min(board.cells.index(cell) for cell in area)
            assert push_board.begun_at(board, boxes, player).reach == least
            found.add(least)
        regions = max(regions, len(found))
    assert regions > 2


def test_it_waits_goes_on_in_short_turns_and_ends_with_the_other_search() -> None:
    search = search_of(warehouse(), OtherStarts(wait=1_000_000))
    assert search.idle
    search = search_of(warehouse(), OtherStarts(wait=1, unit=1))
    assert not search.idle
    before, begun = search.counters["expanded"], []
    for _ in range(12):
        search.step()
        begun.append(search.begun)
    assert begun == sorted(begun) and begun[-1] > 3 and search.counters["expanded"] > before
    search.beside.finished = True
    search.step()
    assert search.finished and not search.idle


def test_lengths_are_those_of_luby() -> None:
    from sokoasp.sokoban.search.satisficing.packing_order_search import luby

    assert [luby(number) for number in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_it_enters_where_a_first_plan_is_looked_for() -> None:
    for first in (True, False):
        race = raced(warehouse(), "packing-order", first_plan=first)
        assert any(one.name == "restarted" for one in race.solvers) == first
