"""The campaign of forged folders: nothing false is accepted, both checkers say the same, and planted faults are seen."""

from pathlib import Path

import pytest

from sokoasp.proof import group_bounds
from tests.proof import campaign, verified


@pytest.mark.parametrize(
    ("honest", "forged", "seed"),
    [(12, 60, 0), pytest.param(1000, 1200, 1, marks=[pytest.mark.slow, pytest.mark.timeout(3000)])],
)
def test_no_forgery_passes(honest: int, forged: int, seed: int, tmp_path: Path) -> None:
    """With the checker proved in Coq where OCaml is installed."""
    outcome = campaign.run(forged, tmp_path, seed, honest=honest)
    print("\n".join(outcome.report()))
    assert outcome.false == [] == outcome.differ
    kinds = [name for name in outcome.tried if name.startswith("honest")]
    assert all(outcome.refused[kind] == 0 for kind in kinds) and len(kinds) > 1
    spoilt = outcome.tried.total() - sum(outcome.tried[kind] for kind in kinds)
    assert outcome.refused.total() > spoilt // 2  # the others are true all the same, such as an entry lowered


@pytest.mark.skipif(bool(verified.missing()), reason="no OCaml: nobody notices that the checkers differ")
def test_a_checker_without_its_inequalities_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: the package passes over the local inequalities of tables."""
    monkeypatch.setattr(group_bounds._Making, "_lower", lambda *_: 0)
    outcome = campaign.run(24, tmp_path, seed=9)
    assert outcome.false and outcome.differ
