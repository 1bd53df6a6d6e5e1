"""The clauses that only the solvers see: no optimum is lost by them, none is added, and a wrong table is noticed."""

from collections.abc import Iterator

import pytest

pytest.importorskip("pysat")

from sokoasp.sat import solver_costs as costs
from sokoasp.sat import solver_lemmas as lemmas
from sokoasp.sat.formulas import formula_of
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.tables import potentials
from sokoasp.sokoban.tables.relaxed import State
from tests.proof.makers import solvable
from tests.sat.solver import satisfiable

MOST = {"lines": 9, "pushes": 10}
SYMMETRIC = """
#######
#.   .#
# $ $ #
#  @  #
# $ $ #
#.   .#
#######
"""
BEHIND = """
#########
#    ####
#     $@#
#  #.####
#########
"""


def _level(text: str) -> Level:
    (level,) = formats.read(text.encode(), source="test")
    return level


def _faulty(objective: str) -> bool:
    """Return whether a level has another optimum with these clauses than without them."""
    for level, value, _ in solvable(12, objective, MOST[objective]):
        for horizon in (value, value + 2):
            if not satisfiable(formula_of(level, objective, horizon, quicker=True)):
                return True
        if satisfiable(formula_of(level, objective, value - 1, quicker=True)):
            return True
    return False


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_no_optimum_is_lost_or_added(objective: str) -> None:
    assert not _faulty(objective)


@pytest.mark.parametrize("objective", ["lines", "pushes"])
@pytest.mark.parametrize("side", [0, 1])
def test_a_table_one_too_high_is_noticed(objective: str, side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    right = lemmas._Seen._between
    monkeypatch.setattr(lemmas._Seen, "_between", lambda self, since, left: right(self, since + 1 - side, left + side))
    assert _faulty(objective)


@pytest.mark.parametrize("objective", ["lines", "pushes"])
@pytest.mark.parametrize("fault", ["a limit one too high", "costs one too high"])
def test_wrong_reduced_costs_are_noticed(objective: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = potentials.reduced_costs

    def wrong(level: Level, counted: str) -> Iterator[tuple[int, int, dict[potentials.Push, int]]]:
        for limit, unit, paid in right(level, counted):
            if fault == "a limit one too high":
                yield limit + 1, unit, paid
            else:
                yield limit, unit, {push: cost + 1 for push, cost in paid.items()}

    monkeypatch.setattr(costs, "reduced_costs", wrong)
    assert _faulty(objective)


def test_the_players_region_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The box passes the cell above the goal with the player on the wrong side: the least of both sides would forbid that."""
    level = _level(BEHIND)
    assert satisfiable(formula_of(level, "pushes", 5, quicker=True)) and not satisfiable(
        formula_of(level, "pushes", 4, quicker=True)
    )
    right, least = potentials.reduced_costs, potentials._least

    def whatever_the_region(tables: list[dict[State, int]], values: list[int]) -> dict[State, int]:
        found = least(tables, values)
        on_cell = {places: min(found[state] for state in found if state[0] == places) for places, _ in found}
        return {state: on_cell[state[0]] for state in found}

    def wrong(level: Level, counted: str) -> Iterator[tuple[int, int, dict[potentials.Push, int]]]:
        for limit, unit, paid in right(level, counted):
            yield limit, unit, {push: cost for push, cost in paid.items() if cost > 0}

    monkeypatch.setattr(potentials, "_least", whatever_the_region)
    monkeypatch.setattr(costs, "reduced_costs", wrong)
    assert not satisfiable(formula_of(level, "pushes", 5, quicker=True))


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_the_clauses_refute_more_by_themselves(objective: str) -> None:
    level = _level(SYMMETRIC)
    plain, more = formula_of(level, objective, 8), formula_of(level, objective, 8, quicker=True)
    assert list(more.number.items())[: len(plain.number)] == list(plain.number.items())
    assert more.clauses[: len(plain.clauses)] == plain.clauses
    assert len(more.clauses) > len(plain.clauses)
