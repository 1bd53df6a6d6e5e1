"""The formulas: satisfiable at the optimum, refuted one below, the same in every process."""

import hashlib

import pytest

from sokoasp.core.errors import LevelError
from sokoasp.proof import level_text
from sokoasp.sat.formulas import formula_of
from tests.commands import python
from tests.instances import levels
from tests.proof.makers import optimum, solvable, unsolvable
from tests.sat.solver import satisfiable

MOST = {"lines": 9, "pushes": 10}


@pytest.mark.parametrize("count", [10, pytest.param(25, marks=pytest.mark.slow)])
@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_the_optimum_is_the_least_satisfiable_bound(objective: str, count: int) -> None:
    for level, value, _ in solvable(count, objective, MOST[objective]):
        for spare in (0, 2):
            formula = formula_of(level, objective, value + spare)
            assert satisfiable(formula, (-formula.number["act", spare],) if spare else (1,))
            assert not satisfiable(formula, (-formula.number["act", spare + 1],)), level


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_without_a_plan_no_bound_is_satisfiable(objective: str) -> None:
    for level in unsolvable(8):
        assert not satisfiable(formula_of(level, objective, 8)), level


def test_known_levels() -> None:
    for level in levels("tutorial/tutorial.xsb"):
        found = optimum(level, "lines")
        if found is None or not found[0]:
            continue
        formula = formula_of(level, "lines", found[0])
        assert satisfiable(formula)
        assert not satisfiable(formula, (-formula.number["act", 1],))


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
        "import hashlib;from sokoasp.proof import level_text;from sokoasp.sat.pushes_formula import pushes_formula as f;"
        "l=level_text.read('#######\\n#@$  .#\\n# $.  #\\n#######\\n');"
        "print(hashlib.sha256(repr(f(l,3,lines=True).clauses).encode()).hexdigest())"
    )
    sums = {python(code, check=True, PYTHONHASHSEED=seed).stdout for seed in ("0", "1", "77")}
    assert len(sums) == 1
    assert len(sums.pop().strip()) == hashlib.sha256().digest_size * 2
