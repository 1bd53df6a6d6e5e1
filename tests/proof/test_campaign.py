"""The campaign of forged folders: nothing false is accepted, both checkers say the same, and planted faults are seen."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("numba")

from sokoasp import sat
from sokoasp.proof import group_bounds
from tests.proof import campaign
from tests.proof.forging import standalone


def _holds(outcome: campaign.Outcome) -> None:
    assert outcome.false == []
    assert outcome.differ == []
    kinds = ["honest", "honest (board)", *["honest (refutation)"] * sat.available()]
    assert all(outcome.refused[kind] == 0 < outcome.tried[kind] for kind in kinds)
    spoilt = outcome.tried.total() - sum(outcome.tried[kind] for kind in kinds)
    assert outcome.refused.total() > spoilt // 2  # the others are true all the same, such as an entry lowered


def test_no_forgery_passes(tmp_path: Path) -> None:
    _holds(campaign.run(110, tmp_path))


@pytest.mark.parametrize(
    ("seed", "most"), [(1, 24), pytest.param(2, 4000, marks=[pytest.mark.slow, pytest.mark.timeout(3000)])]
)
def test_a_text_is_spelt_in_one_way_for_all(seed: int, most: int, tmp_path: Path) -> None:
    """A sign more or less: no checker may read past what another stumbles over."""
    others = campaign.others(tmp_path / "verified") if most > 100 else {}
    outcome = campaign.run(most, tmp_path, seed, others=others, only="texts")
    assert outcome.false == [] and outcome.differ == []
    assert most // 2 < outcome.refused["spelling"] < most


@pytest.mark.parametrize(
    ("seed", "most"), [(1, 160), pytest.param(2, 6000, marks=[pytest.mark.slow, pytest.mark.timeout(3000)])]
)
def test_a_container_is_read_in_one_way_by_all(seed: int, most: int, tmp_path: Path) -> None:
    """The claim spelt otherwise, files packed otherwise or exchanged: sound or not, it is read in one way."""
    others = campaign.others(tmp_path / "verified") if most > 1000 else {}
    outcome = campaign.run(most, tmp_path, seed, others=others, only="containers")
    assert outcome.false == [] and outcome.differ == []
    assert most // 4 < outcome.refused.total() < most


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_all_checkers_say_the_same_of_thousands_of_folders(tmp_path: Path) -> None:
    """With the one proved in Coq where Coq is installed."""
    outcome = campaign.run(1200, tmp_path, seed=1, honest=1000, others=campaign.others(tmp_path / "verified"))
    print("\n".join(campaign.report(outcome)))
    _holds(outcome)
    assert all(
        any(outcome.refused[name + kind] for kind in ("", " (refutation)", " (corrals)", " (tie)"))
        for name in campaign.WAYS
        if name not in ("honest", "lower an entry", "swap records", "no area")
    )


def test_a_checker_without_its_inequalities_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted faults: each checker in turn passes over the local inequalities, or over a duplicate key."""
    alone = standalone()
    with monkeypatch.context() as patch:
        patch.setattr(alone.Tables, "holds", lambda *_: None)
        outcome = campaign.run(150, tmp_path, seed=6)
        assert outcome.false
        assert outcome.differ
    with monkeypatch.context() as patch:
        patch.setattr(group_bounds._Making, "_lower", lambda *_: 0)
        outcome = campaign.run(150, tmp_path, seed=6)
        assert outcome.false
        assert outcome.differ
