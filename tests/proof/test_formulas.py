"""The formulas: satisfiable at the optimum, refuted one below, satisfied by every plan, the same in every process."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest

from sokoasp.core.errors import IllegalPlan, LevelError
from sokoasp.klotski import notation
from sokoasp.proof import level_text
from sokoasp.proof.formulas import field_formula
from sokoasp.proof.level_text import Field
from sokoasp.proof.pushes_formula import pushes_formula
from sokoasp.proof.slides_formula import kinds_of, slides_formula
from sokoasp.proof.trace import moves_trace, pushes_trace, slides_trace
from tests.instances import levels
from tests.proof.makers import best_slides, boards, optimum, satisfiable, solvable, unsolvable

MOST = {"lines": 9, "pushes": 10, "moves": 16}


def _trace(field: Field, objective: str, lurd: str, horizon: int) -> set[tuple[str | int, ...]]:
    if objective == "moves":
        return moves_trace(field, lurd, horizon)
    return pushes_trace(field, lurd, horizon, lines=objective == "lines")


@pytest.mark.parametrize("count", [10, pytest.param(25, marks=pytest.mark.slow)])
@pytest.mark.parametrize("objective", ["lines", "pushes", "moves"])
def test_the_optimum_is_the_least_satisfiable_bound(objective: str, count: int) -> None:
    for level, value, lurd in solvable(count, objective, MOST[objective]):
        field = level_text.read(level_text.write(level))
        for spare in (0, 2):
            formula = field_formula(field, objective, value + spare)
            assert formula.broken(_trace(field, objective, lurd, value + spare)) is None
            assert satisfiable(formula, (-formula.number["act", spare],) if spare else (1,))
            assert not satisfiable(formula, (-formula.number["act", spare + 1],)), level


@pytest.mark.parametrize("objective", ["lines", "pushes", "moves"])
def test_without_a_plan_no_bound_is_satisfiable(objective: str) -> None:
    for level in unsolvable(8):
        assert not satisfiable(field_formula(level_text.read(level_text.write(level)), objective, 8)), level


def test_known_levels() -> None:
    for level in levels("tutorial/tutorial.xsb"):
        found = optimum(level, "lines")
        if found is None or not found[0]:
            continue
        field = level_text.read(level_text.write(level))
        formula = pushes_formula(field, found[0], lines=True)
        assert formula.broken(pushes_trace(field, found[1], found[0], lines=True)) is None
        assert not satisfiable(formula, (-formula.number["act", 1],))


@pytest.mark.parametrize("objective", ["slides", "units"])
def test_klotski(objective: str) -> None:
    for board in boards():
        value, plan = best_slides(board, objective)
        for spare in (0, 2):
            formula = slides_formula(board, value + spare, units=objective == "units")
            true = slides_trace(board, plan, value + spare, units=objective == "units")
            assert formula.broken(true) is None
            assert satisfiable(formula)
            assert not satisfiable(formula, (-formula.number["act", spare + 1],)), board


def test_pieces_that_nothing_tells_apart_are_one_kind() -> None:
    assert {kind.names for kind in kinds_of(boards()[0])} == {"A", "B"}
    (unnamed,) = notation.read("goal: A 0,2\nAB.\nCD.\n")
    assert {kind.names for kind in kinds_of(unnamed)} == {"A", "BCD"}


def test_a_plan_too_long_or_illegal_has_no_trace() -> None:
    field = level_text.read("######\n#@$ .#\n######\n")
    with pytest.raises(IllegalPlan):
        pushes_trace(field, "RR", 1, lines=False)
    with pytest.raises(IllegalPlan):
        pushes_trace(field, "RRR", 3, lines=True)
    assert ("to", 1, 3, 1) in pushes_trace(field, "RR", 1, lines=True)


def test_a_missing_clause_kind_is_noticed() -> None:
    """Planted fault: a formula that forbids every push is false by mistake, and the plan's trace tells."""
    field = level_text.read("######\n#@$ .#\n######\n")
    formula = pushes_formula(field, 1, lines=True)
    formula.add(-formula.number["from", 1, 1, 1])
    assert "from" in str(formula.broken(pushes_trace(field, "RR", 1, lines=True)))


@pytest.mark.parametrize(
    "text",
    ["", "####\n#$.#\n####\n", "####\n#@ \n####\n", "#####\n#@#$#\n#####\n", "####\n#@x#\n####\n", "###\n#@@#\n###\n"],
)
def test_rows_that_are_no_level(text: str) -> None:
    with pytest.raises(LevelError):
        level_text.read(text)


def test_rows_come_back() -> None:
    for level in levels("tutorial/tutorial.xsb"):
        field = level_text.read(level_text.write(level))
        assert level_text.write(field.level()) == level_text.write(level)
        assert field.size == len(level.floor)


def test_every_process_writes_the_same_bytes() -> None:
    code = (
        "import hashlib;from sokoasp.proof import level_text;from sokoasp.proof.pushes_formula import pushes_formula as f;"
        "from sokoasp.proof.moves_formula import moves_formula as m;"
        "l=level_text.read('#######\\n#@$  .#\\n# $.  #\\n#######\\n');"
        "print(hashlib.sha256(''.join([*f(l,3,lines=True).dimacs(),*m(l,3).dimacs()]).encode()).hexdigest())"
    )
    sums = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(sums) == 1
    assert len(sums.pop().strip()) == hashlib.sha256().digest_size * 2
