"""The ten worked examples of encodings/sokoban/examples, each against brute force over all plans of its level."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sokoasp import Limits, Status, read, solve
from sokoasp.asp.catalogue import folder
from sokoasp.sokoban.level import Cell, Direction, Level
from tests.brute import Brute, Trace

EXAMPLES = folder() / "sokoban" / "examples"


def cell(name: str) -> Cell:
    column, row = name.removeprefix("c").split("r")
    return Cell(int(row) - 1, int(column) - 1)


def corners(trace: Trace) -> int:
    last: dict[object, Direction] = {}
    found = 0
    for push, box in zip(trace.pushes, trace.pushed, strict=True):
        assert push is not None
        found += box in last and last[box] is not push.direction
        last[box] = push.direction
    return found


def symmetric(trace: Trace) -> bool:
    flip = {Direction.left: Direction.right, Direction.right: Direction.left}

    def image(at: Cell) -> Cell:
        return Cell(at.row, 8 - at.col)

    halves = zip(trace.pushes[::2], trace.pushes[1::2], strict=False)
    return len(trace.pushes) % 2 == 0 and all(
        one is not None
        and two is not None
        and (two.box, two.direction, two.to) == (image(one.box), flip.get(one.direction, one.direction), image(one.to))
        for one, two in halves
    )


def in_order(trace: Trace) -> bool:
    first, second = (
        next(n for n, state in enumerate(trace.states) if cell(goal) in state.boxes) for goal in ("c3r3", "c6r4")
    )
    return first < second


HOLDS: dict[str, Callable[[Trace], bool]] = {
    "never_up": lambda t: all(p is not None and p.direction is not Direction.up for p in t.pushes),
    "box_to_goal": lambda t: t.boxes[-1][cell("c3r4")] == cell("c3r3"),
    "each_twice": lambda t: all(t.pushed.count(box) <= 2 for box in t.level.boxes),
    "visit_cell": lambda t: any(state.player == cell("c5r4") for state in t.states[1:]),
    "forbidden_cells": lambda t: not any(cells & set(map(cell, ("c4r3", "c4r4", "c4r5"))) for cells in t.passes),
    "goals_in_order": in_order,
    "player_home": lambda t: t.level.player in t.reach[-1],
    "symmetric_plan": symmetric,
    "leave_alone": lambda t: cell("c6r2") not in t.pushed,
}
COSTS: dict[str, Callable[[Trace], int]] = {"fewest_corners": corners}


def level(name: str) -> Level:
    return read((EXAMPLES / f"{name}.xsb").read_text(encoding="utf-8"))[0]


def test_there_are_ten() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.lp")} == {*HOLDS, *COSTS} and len({*HOLDS, *COSTS}) == 10


@pytest.mark.parametrize("name", HOLDS)
def test_constraint(name: str) -> None:
    given, holds = level(name), HOLDS[name]
    brute = Brute(given, "lines")
    free = brute.optimum(6)
    assert free is not None
    value = next(n for n in range(free, free + 4) if any(map(holds, brute.traces(n, 200_000))))
    found = solve(given, constraints=(EXAMPLES / f"{name}.lp",), limits=Limits(seconds=120))
    assert (found.status, found.value) == (Status.OPTIMAL, value)
    assert not all(map(holds, brute.traces(free, 200_000))), "the constraint rules nothing out here"
    check = found.cross_check
    assert check is not None and check.agrees is not False
    assert check.agrees is None or value == free, "an optimum without the constraint says nothing of a higher one"
    plans = [t for t in brute.traces(value, 200_000) if holds(t)]
    assert found.plan is not None and tuple(found.plan.actions) in {t.actions for t in plans}
    counted = solve(given, constraints=(EXAMPLES / f"{name}.lp",), count=True, cross_check=False)
    assert counted.count == len(plans)


@pytest.mark.parametrize("name", COSTS)
def test_preference(name: str) -> None:
    given, cost = level(name), COSTS[name]
    brute = Brute(given, "lines")
    free = brute.optimum(6)
    assert free is not None
    best = min(map(cost, brute.traces(free)))
    found = solve(given, constraints=(EXAMPLES / f"{name}.lp",))
    assert found.cost is not None and found.cost.proved
    assert (found.value, found.cost.preferences) == (free, ((0, best),))
    assert max(map(cost, brute.traces(free))) > best or best == 0


def test_readme_shows_all_ten(root: Path) -> None:
    text = (root / "encodings" / "README.md").read_text(encoding="utf-8")
    assert all(f"examples/{name}.lp" in text for name in (*HOLDS, *COSTS))
