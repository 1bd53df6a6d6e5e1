"""Certificates of the table's rows before all checkers: honest ones pass, and a refusal is told with the row's name."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("numba")

from tests.proof import table_campaign
from tests.proof.campaign import IN_PYTHON

LEVEL = Path(__file__).resolve().parents[2] / "instances" / "tutorial" / "first.xsb"


def test_rows_pass_and_a_checker_that_refuses_is_told(tmp_path: Path) -> None:
    """Planted faults: a checker refuses everything; a kept folder has been changed, so it is not the row's."""
    rows = table_campaign.certified_rows([LEVEL])
    assert rows
    honest, kept, spoilt = table_campaign.Rows(), table_campaign.Rows(), table_campaign.Rows()
    for row in rows:
        honest.look(row, tmp_path / "made", IN_PYTHON)
        claim = tmp_path / "made" / row[1].board / row[1].objective / "claim.json"
        kept.look(row, tmp_path / "again", IN_PYTHON, tmp_path / "made")
        claim.write_text(claim.read_text() + " ")
        spoilt.look(
            row,
            tmp_path / "spoilt",
            {**IN_PYTHON, "naysayer": lambda _: ["INVALID"], "idle": lambda _: ["not checked: its kind"]},
            tmp_path / "made",
        )
    assert honest.faults == kept.faults == []
    assert honest.came == spoilt.came == {"same hash": len(rows)} and kept.came == {"kept": len(rows)}
    assert sum(kind.accepted["check_proof.py"] for kind in kept.kinds.values()) == len(rows)
    for row, fault in zip(rows, spoilt.faults, strict=True):
        assert row[1].board in fault and fault.endswith("{'naysayer': 'INVALID'}")
    assert sum(kind.left_out["idle"] for kind in spoilt.kinds.values()) == len(rows)
    refused = [f"REFUSED {fault}" for fault in spoilt.faults]
    assert list(spoilt.report())[-1 - len(rows) :] == [f"{len(rows)} rows ({len(rows)} same hash)", *refused]


def test_the_command_says_where_to_go_on(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It begins at the second row, has no time, and names the checkers that are not there."""
    monkeypatch.setattr(table_campaign, "others", lambda build: {})
    assert table_campaign.main([str(LEVEL), "--rows", "1:", "--cpu", "0"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "not asked, for its tools are not installed: check_proof.js",
        "not asked, for its tools are not installed: Coq",
        "stopped before row 1: go on with --rows 1:",
        "0 rows ()",
    ]
