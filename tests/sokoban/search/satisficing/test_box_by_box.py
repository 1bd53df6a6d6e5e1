"""Large maps: what is easy is solved without tables; tables that no search could use are not made."""

from __future__ import annotations

import random
from collections.abc import Callable, Set
from dataclasses import replace
from heapq import nsmallest
from typing import Any

import pytest

from sokoasp import Limits, Status, solve
from sokoasp.sokoban import rules, search, validate
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level
from sokoasp.sokoban.plan import OBJECTIVES
from sokoasp.sokoban.search import rosters
from sokoasp.sokoban.search.bounds import pattern_learning, search_tables
from sokoasp.sokoban.search.exact import astar, reference
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.satisficing import box_by_box
from tests.levels import some_now
from tests.studies.samples import random_level

pytestmark = pytest.mark.usefixtures("native")


def hall(size: int, boxes: dict[Cell, Cell], player: Cell) -> Level:
    """A bare hall with boxes and the goals beside them."""
    floor = frozenset(Cell(r, c) for r in range(1, size + 1) for c in range(1, size + 1))
    return Level(floor, frozenset(boxes), frozenset(boxes.values()), player)


LARGE = hall(197, {Cell(100, 100): Cell(100, 101)}, Cell(3, 3))


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("engine", [None, "native", "any"])
def test_one_push_in_a_large_hall_needs_no_tables(
    engine: str | None, objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("tables of a large map")

    monkeypatch.setattr(push_board, "build", refuse)
    found = solve(LARGE, objective=objective, engine=engine, limits=Limits(seconds=60), cross_check=False)
    assert (found.status, found.value) == (Status.OPTIMAL, {"lines": 1, "pushes": 1, "moves": 194}[objective])


def test_a_plan_of_more_than_the_bound_is_kept_when_the_tables_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box_by_box, "LARGE", 10)
    monkeypatch.setattr(push_board, "MOST_MB", 0.0)
    level = hall(5, {Cell(2, 2): Cell(3, 3)}, Cell(1, 1))  # two lines, of which one is known to be needed
    found = search.solve(level, "lines", Limits(seconds=60), engine="forward")
    assert (found.status, found.stopped_by, found.value, found.lower_bound) == (Status.SOLVED, "memory", 2, 1)
    monkeypatch.undo()
    monkeypatch.setattr(box_by_box, "LARGE", 10)
    proved = search.solve(level, "lines", Limits(seconds=60), engine="forward")
    assert (proved.status, proved.value) == (Status.OPTIMAL, 2)


def test_tables_that_are_too_large_are_refused_without_a_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push_board, "MOST_MB", 1e-4)
    for engine in ("forward", "native", "any"):
        level = hall(6, {Cell(2, 2): Cell(3, 3), Cell(3, 5): Cell(4, 2)}, Cell(1, 1))
        found = search.solve(level, "pushes", Limits(seconds=60), engine=engine)
        assert (found.status, found.stopped_by) == (Status.MEMORY_OUT, "memory")


def test_no_pairs_are_kept_where_no_groups_are() -> None:
    small, large = (pattern_learning.none(500, 600, read=read, used=False) for read in (True, False))
    assert small.heads.shape == (500, 500) and large.heads.shape == (1, 1)


def test_many_boxes_begin_with_a_short_slice() -> None:
    """The first slice of a search of 480 boxes took a minute: 200 states, each with a matching of all boxes."""
    rates = []
    for boxes in (3, 120):
        cells = [Cell(2 + 2 * (i // 11), 2 + 2 * (i % 11)) for i in range(boxes)]
        level = hall(26, {cell: Cell(cell.row, cell.col + 1) for cell in cells}, Cell(1, 1))
        board = push_board.build(level)
        options = Options(patterns=False, learned_patterns=False)
        rates.append(astar.begin(level, search_tables.build(level, board, "pushes", options), options).rate)
    assert rates[0] == astar.FIRST_RATE and rates[1] < rates[0] / 20


def test_preparation_that_looks_at_no_clock_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Any:
        while True:
            pass

    monkeypatch.setattr(rosters, "solve_by", never)
    found = search.solve(hall(4, {Cell(2, 2): Cell(2, 3)}, Cell(1, 1)), "lines", Limits(seconds=0.1), engine="forward")
    assert (found.status, found.stopped_by) == (Status.TIME_OUT, "time")


@pytest.mark.parametrize("block", some_now(3, 1))
def test_plans_are_legal_and_the_bound_is_one(block: int) -> None:
    rng, solved = random.Random(3 + block), 0
    for level in (random_level(rng, spare=number % 4 == 0) for number in range(20)):
        if level is None or level.solved or (plan := box_by_box.plan(level)) is None:
            continue
        validate.validate(level, plan)
        solved += 1
        for objective in OBJECTIVES:
            best = reference.solve(level, objective, Limits(states=2_000))
            found = box_by_box.result(level, objective, "native")
            assert found is not None and found.value is not None
            if best.value is not None:
                assert found.lower_bound <= best.value <= found.value
                assert found.status is not Status.OPTIMAL or found.value == best.value
    assert solved > 3


def test_the_way_to_the_first_push_is_the_shortest() -> None:
    rng = random.Random(8)
    for level in (random_level(rng) for _ in range(60)):
        if level is not None:
            beside = {box.step(d) for box in level.boxes for d in DIRECTIONS}
            passable = level.floor - level.boxes
            walks = [rules.walk(passable, level.player, cell) for cell in beside & passable]
            assert box_by_box.way_to_first_push(level) == min((len(w) for w in walks if w is not None), default=0)


def test_the_better_of_two_answers() -> None:
    level = hall(5, {Cell(2, 2): Cell(3, 3)}, Cell(1, 1))
    first = box_by_box.result(level, "lines", "native")
    assert first is not None and (first.value, first.lower_bound) == (2, 1)
    timed = replace(
        first, status=Status.TIME_OUT, value=None, plan=None, stopped_by="time", proof="bound 2 by a search"
    )
    joined = box_by_box.better(replace(timed, lower_bound=2), first)
    assert (joined.status, joined.value, joined.lower_bound) == (Status.OPTIMAL, 2, 2)
    assert box_by_box.better(timed, first).stopped_by == "time"


def test_with_many_boxes_the_nearest_goals_are_found_once_and_that_is_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 1,600 boxes that asked again for every box, a map took minutes before any search began."""
    asked = []

    def nearest(count: int, goals: Set[Cell], key: Callable[[Cell], object]) -> list[Cell]:
        asked.append(len(goals))
        return nsmallest(count, goals, key)

    monkeypatch.setattr(box_by_box, "nsmallest", nearest)
    room = frozenset(Cell(row, col) for row in range(1, 81) for col in range(1, 81))
    boxes = frozenset(Cell(row, col) for row in range(2, 81, 2) for col in range(2, 81, 2))
    few = frozenset(sorted(boxes)[:40])
    goals = frozenset(Cell(cell.row + 1, cell.col) for cell in few)
    assert box_by_box.plan(Level(room, few, goals, Cell(1, 1))) is not None
    assert 40 <= len(asked) <= 120
    asked.clear()
    spare = frozenset(sorted(room - boxes - {Cell(1, 1)})[: len(boxes)])
    assert box_by_box.plan(Level(room, boxes, spare, Cell(1, 1))) is None
    assert sum(asked) <= box_by_box.PAIRS * box_by_box.WORK
