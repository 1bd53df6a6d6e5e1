"""The campaign of forged folders: nothing false is accepted, both checkers say the same, and planted faults are seen."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("numba")

from sokoasp.proof import group_bounds
from tests.proof import campaign
from tests.proof.forging import standalone


def _holds(outcome: campaign.Outcome) -> None:
    assert outcome.false == []
    assert outcome.differ == []
    assert outcome.refused["honest"] == 0 < outcome.tried["honest"]
    assert outcome.refused["honest (board)"] == 0 < outcome.tried["honest (board)"]
    spoilt = outcome.tried.total() - outcome.tried["honest"] - outcome.tried["honest (board)"]
    assert outcome.refused.total() > spoilt // 2  # the others are true all the same, such as an entry lowered


def test_no_forgery_passes(tmp_path: Path) -> None:
    _holds(campaign.run(200, tmp_path))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_forgery_of_a_thousand_passes(tmp_path: Path) -> None:
    outcome = campaign.run(1200, tmp_path, seed=1)
    for name in sorted(outcome.tried):
        print(f"{name}: {outcome.tried[name]} tried, {outcome.refused[name]} refused")
    print(f"{outcome.tried.total()} folders, {outcome.refused.total()} refused by both")
    print("\n".join(outcome.false + outcome.differ))
    _holds(outcome)
    assert all(
        outcome.refused[name] for name in campaign.WAYS if name not in ("honest", "lower an entry", "swap records")
    )


def test_a_checker_without_its_inequalities_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted faults: each checker in turn passes over the local inequalities, or over a duplicate key."""
    alone = standalone()
    with monkeypatch.context() as patch:
        patch.setattr(alone.Tables, "holds", lambda *_: None)
        outcome = campaign.run(150, tmp_path, seed=2)
        assert outcome.false
        assert outcome.differ
    with monkeypatch.context() as patch:
        patch.setattr(group_bounds._Making, "_lower", lambda *_: 0)
        outcome = campaign.run(150, tmp_path, seed=2)
        assert outcome.false
        assert outcome.differ
