"""Limits and interrupts leave the best proved bound and the best plan behind."""

import dataclasses
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sokoasp.core.errors import IllegalPlan
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Status
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import ENGINES, Options, rosters, solve
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.model import push_board
from tests.commands import python
from tests.levels import random_level, warehouse

ONE = Options(walls=False)


@pytest.mark.parametrize(
    ("engine", "objective", "looks"), [("forward", "pushes", 15), ("forward", "lines", 15), ("native", "moves", 60)]
)
def test_time(engine: str, objective: str, looks: int, run_out: Callable[[int], None]) -> None:
    run_out(looks)
    result = solve(warehouse(), objective, Limits(seconds=3600), engine=engine, options=ONE)
    assert result.stopped_by == "time"
    assert result.status in (Status.TIME_OUT, Status.SOLVED)
    assert result.lower_bound > 40
    if result.plan is not None:
        assert result.lower_bound < result.value == result.plan.cost(objective)


@pytest.mark.parametrize("engine", ["forward", "reverse", "bidirectional"])
def test_states(engine: str) -> None:
    result = solve(warehouse(), "pushes", Limits(states=1000), engine=engine)
    assert (result.status, result.stopped_by) == (Status.MEMORY_OUT, "states")
    assert 150 < result.lower_bound <= 179


MEMORY = """
from sokoasp.core.limits import Limits, resident_mb
from sokoasp.sokoban.search import Options, solve
from tests.levels import random_level, warehouse

solve(random_level(1), "moves", engine="forward")  # numba and the kernels are loaded before the memory is looked at
limit = resident_mb() + 20
plain = Options(walls=False)
result = solve(warehouse(), "moves", Limits(memory_mb=limit, seconds=100), engine="forward", options=plain)
print(result.status, result.stopped_by, resident_mb() < 1.1 * limit, result.counters["states"] > 50_000)
"""


def test_memory_is_kept_within_ten_percent(root: Path) -> None:
    """In a process of its own: what other tests have left in memory would count too."""
    done = python(MEMORY, cwd=root)
    assert done.stdout.split() == ["memory_out", "memory", "True", "True"], done.stderr


@pytest.mark.usefixtures("ctrl_c")
def test_interrupt_keeps_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = iter(range(40))

    def press(clock: Clock) -> None:
        if next(looks, None) is None:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Clock, "over", press)
    result = solve(warehouse(), "pushes", engine="forward")
    assert (result.status, result.stopped_by, result.exit_code) == (Status.INTERRUPTED, "interrupt", 130)
    assert result.lower_bound > 0


def solvable() -> Level:
    return next(
        level for level in (random_level(s, boxes=3) for s in range(99)) if (solve(level, "pushes").value or 0) > 6
    )


def test_a_known_plan_is_proved_optimal_or_improved() -> None:
    level = solvable()
    best = solve(level, "pushes", engine="forward")
    assert isinstance(best.plan, Plan) and best.value is not None
    again = solve(level, "pushes", engine="reverse", upper=best.plan)
    assert (again.status, again.value) == (Status.OPTIMAL, best.value)
    assert again.proof == f"lower bound {best.value} (the reverse search) = plan of {best.value} (given)"
    # a detour: the same plan after a few steps to and fro
    first = best.plan.lurd[0]
    back = {"l": "r", "r": "l", "u": "d", "d": "u"}
    if first.islower():
        worse = Plan(best.plan.actions, first + back[first] + best.plan.lurd)
        moves = solve(level, "moves", upper=worse, options=ONE)
        assert moves.status is Status.OPTIMAL and moves.value is not None and moves.value < worse.moves


def test_a_false_plan_is_refused() -> None:
    level = solvable()
    with pytest.raises(IllegalPlan):
        solve(level, "pushes", engine="forward", upper=Plan((), ""))


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "reference"])
def test_solved_levels_need_no_search(engine: str) -> None:
    level = solvable()
    done = dataclasses.replace(level, boxes=level.goals, player=min(level.floor - level.goals))
    result = solve(done, "pushes", engine=engine)
    assert (result.status, result.value, result.counters["expanded"]) == (Status.OPTIMAL, 0, 0)


def test_what_an_engine_does_not_take_it_refuses() -> None:
    level = random_level(3, boxes=3, spare=1)
    for engine in ("reverse", "bidirectional"):
        with pytest.raises(ValueError, match="as many goals as boxes"):
            solve(level, "pushes", engine=engine)
        with pytest.raises(ValueError, match="moves"):
            solve(random_level(3), "moves", engine=engine)
    for wrong in ({"engine": "backward"}, {"objective": "steps"}, {"switches": ["magic"]}):
        with pytest.raises(ValueError, match=r"backward|steps|magic"):
            solve(level, **wrong)  # type: ignore[arg-type]


def hall(size: int, boxes: dict[Cell, Cell]) -> Level:
    """A bare hall with boxes and their goals."""
    floor = frozenset(Cell(r, c) for r in range(1, size + 1) for c in range(1, size + 1))
    return Level(floor, frozenset(boxes), frozenset(boxes.values()), Cell(1, 1))


def test_tables_that_are_too_large_are_refused_without_a_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push_board, "MOST_MB", 1e-4)
    for engine in ("forward", "native", "any"):
        level = hall(6, {Cell(2, 2): Cell(3, 3), Cell(3, 5): Cell(4, 2)})
        found = solve(level, "pushes", Limits(seconds=60), engine=engine)
        assert (found.status, found.stopped_by) == (Status.MEMORY_OUT, "memory")


def test_many_boxes_begin_with_a_short_slice() -> None:
    """The first slice of a search of 480 boxes took a minute: 200 states, each with a matching of all boxes."""
    rates = []
    for boxes in (3, 120):
        cells = [Cell(2 + 2 * (i // 11), 2 + 2 * (i % 11)) for i in range(boxes)]
        level = hall(26, {cell: Cell(cell.row, cell.col + 1) for cell in cells})
        board = push_board.build(level)
        options = Options(patterns=False, learned_patterns=False)
        rates.append(astar.begin(level, search_tables.build(level, board, "pushes", options), options).rate)
    assert rates[0] == astar.FIRST_RATE and rates[1] < rates[0] / 20


def test_preparation_that_looks_at_no_clock_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Any:
        while True:
            pass

    monkeypatch.setattr(rosters, "solve_by", never)
    found = solve(hall(4, {Cell(2, 2): Cell(2, 3)}), "lines", Limits(seconds=0.1), engine="forward")
    assert (found.status, found.stopped_by) == (Status.TIME_OUT, "time")
