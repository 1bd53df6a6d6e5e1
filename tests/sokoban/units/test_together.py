"""Boxes searched together over the whole floor: against brute force, and with the planted fault that must be seen."""

from __future__ import annotations

import pytest

from sokoasp.sokoban.deadlock import Budget
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.deadlock.local import dead_alone
from sokoasp.sokoban.units import together
from tests.studies.samples import labelled_states

BUDGET = Budget(states=60, searches=8)


def answers(seed: int, *, spare: bool = False) -> list[tuple[bool, bool]]:
    """Pairs of (alive by exhaustive search, called dead)."""
    sample = labelled_states(seed, 600, spare=spare)
    return [(alive, together.examine(scene(level, state), BUDGET) is not None) for level, state, alive in sample]


@pytest.mark.parametrize("spare", [False, True])
def test_no_living_state_is_called_dead(spare: bool) -> None:
    found = answers(61, spare=spare)
    assert not any(alive and dead for alive, dead in found)
    assert sum(dead for _, dead in found) > 0.5 * sum(not alive for alive, _ in found)


def test_taking_undecided_for_dead_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "dead_alone", lambda *given, **how: dead_alone(*given, **how) is not False)
    assert any(alive and dead for alive, dead in answers(61))
