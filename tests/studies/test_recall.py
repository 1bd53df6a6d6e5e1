"""Soundness above all: no state that can be solved is ever called dead."""

import pytest

from sokoasp.sokoban.deadlock import PRUNING, THOROUGH, Budget
from tests.levels import some_now
from tests.studies.detector_recall import RecallTable, recall_table


def rows(table: RecallTable) -> dict[str, int]:
    return {row.name: row.found for row in table.rows}


@pytest.mark.parametrize("count", [1_500, pytest.param(5_000, marks=pytest.mark.slow)])
def test_thousands_of_states_without_a_false_alarm(count: int) -> None:
    table = recall_table(seed=1, count=count)
    assert table.dead + table.alive == count
    assert min(table.dead, table.alive) > 0.3 * count
    assert table.alarms == ()
    assert all(row.false_alarms == 0 for row in table.rows)
    found = rows(table)
    assert all(found.values())
    beyond = {row.name: row.beyond_simple for row in table.rows}
    for name in ("corner_pair", "doorway", "region", "settled", "units"):
        assert beyond[name] > 0, f"{name} finds nothing that the simple rules miss"
    assert found["all together"] > found["thesis types 1 to 6"]
    assert found["all together"] > found["simple rules"]
    assert found["all together"] >= 0.99 * table.dead


@pytest.mark.parametrize(
    ("spare", "budget"), some_now([(True, PRUNING), (False, THOROUGH), (False, Budget(3, 3, 1))], 1)
)
def test_nor_with_spare_boxes_or_other_budgets(spare: bool, budget: Budget) -> None:
    table = recall_table(seed=2, count=400, spare=spare, budget=budget)
    assert table.alive > 60
    assert table.alarms == ()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_more_states(seed: int) -> None:
    assert recall_table(seed=seed, count=5_000, spare=seed % 2 == 1).alarms == ()


def test_table_prints_every_detector() -> None:
    text = str(recall_table(seed=3, count=60))
    assert "simple rules" in text and "all together" in text
