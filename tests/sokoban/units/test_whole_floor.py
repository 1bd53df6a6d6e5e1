"""Boxes searched together over the whole floor: against brute force, and with the planted fault that must be seen."""

from functools import cache

import pytest

from sokoasp.sokoban.deadlock import Budget
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.deadlock.local import dead_alone
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import whole_floor
from tests.studies.samples import labelled_states

BUDGET = Budget(states=60, searches=8)


@cache
def sample(spare: bool) -> list[tuple[Level, State, bool]]:
    return list(labelled_states(61, 600, spare=spare))


def answers(*, spare: bool = False) -> list[tuple[bool, bool]]:
    """Pairs of (alive by exhaustive search, called dead)."""
    return [
        (alive, whole_floor.examine(scene(level, state), BUDGET) is not None) for level, state, alive in sample(spare)
    ]


@pytest.mark.parametrize("spare", [False, True])
def test_no_living_state_is_called_dead(spare: bool) -> None:
    found = answers(spare=spare)
    assert not any(alive and dead for alive, dead in found)
    assert sum(dead for _, dead in found) > 0.5 * sum(not alive for alive, _ in found)


def test_taking_undecided_for_dead_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_floor, "dead_alone", lambda *given, **how: dead_alone(*given, **how) is not False)
    assert any(alive and dead for alive, dead in answers())
