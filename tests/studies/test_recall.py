"""Soundness above all: no state that can be solved is ever called dead. The suite ``deadlocks`` has the recall."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from sokoasp.sokoban.deadlock import PRUNING, SIMPLE_RULES, THOROUGH, Budget
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import DETECTORS
from tests.levels import some_now
from tests.studies.samples import labelled_states


@dataclass(frozen=True, slots=True)
class Recall:
    """What the detectors say of one seeded sample."""

    found: dict[str, set[int]]
    """The numbers of the dead states that each detector calls dead."""
    dead: int
    alive: int
    alarms: list[tuple[str, Level, State]]
    """Living states that a detector called dead."""


def recall(seed: int, count: int, *, spare: bool = False, budget: Budget = PRUNING) -> Recall:
    """Draw labelled states with this seed and try every detector on each of them."""
    found: dict[str, set[int]] = {name: set() for name in DETECTORS}
    alarms, dead = [], 0
    for number, (level, state, alive) in enumerate(labelled_states(seed, count, spare=spare, per_level=80)):
        at = scene(level, state)
        dead += not alive
        for name in [name for name, detector in DETECTORS.items() if detector(at, budget) is not None]:
            if alive:
                alarms.append((name, level, state))
            else:
                found[name].add(number)
    return Recall(found, dead, count - dead, alarms)


@pytest.mark.parametrize("count", [1_500, pytest.param(5_000, marks=pytest.mark.slow)])
def test_thousands_of_states_without_a_false_alarm(count: int) -> None:
    seen = recall(1, count)
    assert min(seen.dead, seen.alive) > 0.3 * count
    assert seen.alarms == []
    assert all(seen.found.values())
    simple = set().union(*(seen.found[name] for name in SIMPLE_RULES))
    thesis = set().union(*(seen.found[n] for n in DETECTORS if n not in (*SIMPLE_RULES, "units", "alone")))
    together = set().union(*seen.found.values())
    for name in ("corner_pair", "doorway", "region", "units"):
        assert seen.found[name] - simple, f"{name} finds nothing that the simple rules miss"
    assert len(together) > max(len(thesis), len(simple))
    assert len(together) >= 0.99 * seen.dead


@pytest.mark.parametrize(
    ("spare", "budget"), some_now([(True, PRUNING), (False, THOROUGH), (False, Budget(3, 3, 1))], 1)
)
def test_nor_with_spare_boxes_or_other_budgets(spare: bool, budget: Budget) -> None:
    seen = recall(2, 400, spare=spare, budget=budget)
    assert seen.alive > 60
    assert seen.alarms == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_more_states(seed: int) -> None:
    assert recall(seed, 5_000, spare=seed % 2 == 1).alarms == []
