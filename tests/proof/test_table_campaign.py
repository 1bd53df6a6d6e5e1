"""Certificates of the table's rows before all checkers: honest ones pass, and a refusal is told with the row's name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
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
    saying = {**IN_PYTHON, "naysayer": lambda _: ["INVALID"], "idle": lambda _: ["not checked: its kind"]}
    for row in rows:
        honest.look(row, tmp_path, IN_PYTHON)
        claim = tmp_path / row[1].board / row[1].objective / "claim.json"
        kept.look(row, tmp_path, IN_PYTHON)
        claim.write_text(claim.read_text() + " ")
        spoilt.look(row, tmp_path, saying)
    assert honest.faults == kept.faults == []
    assert honest.came == spoilt.came == {"same hash": len(rows)} and kept.came == {"kept": len(rows)}
    assert sum(kind.accepted["check_proof.py"] for kind in kept.kinds.values()) == len(rows)
    for row, fault in zip(rows, spoilt.faults, strict=True):
        assert row[1].board in fault and fault.endswith("{'naysayer': 'INVALID'}")
    assert sum(kind.left_out["idle"] for kind in spoilt.kinds.values()) == len(rows)
    refused = [f"REFUSED {fault}" for fault in spoilt.faults]
    assert list(spoilt.report())[-1 - len(rows) :] == [f"{len(rows)} rows ({len(rows)} same hash)", *refused]


def test_other_hashes_and_late_checkers_are_named_and_no_refusal(tmp_path: Path) -> None:
    """One checker is a process that sleeps, one has a limit of its own; a row of another hash and a wrong one are named, too."""

    def sleeper(_: Sequence[Path]) -> Sequence[str | None]:
        return [subprocess.run([sys.executable, "-c", "import time; time.sleep(60)"], check=True).args[0]]

    def slow(_: Sequence[Path]) -> Sequence[str | None]:
        raise subprocess.TimeoutExpired("slow", 7)

    (level, row, came), *_ = table_campaign.certified_rows([LEVEL])
    made, name = table_campaign.Rows(), f"{row.collection} {row.number} {row.objective} ({row.board})"
    late = {"sleeper": sleeper, "slow": slow, "quick": lambda _: [None]}
    made.look((level, replace(row, certificate="0"), came), tmp_path, late, 0.1)
    made.look((level, replace(row, value="9", certificate="0"), came), tmp_path, late, 0.1)
    fault = f"{name}: the certificate shows 1 line, not 9 lines"
    assert list(made.report()) == [
        f"{row.objective}, states: quick: 1 accepted, 0 refused, 0 not of its kinds, 0 not answered",
        f"{row.objective}, states: sleeper: 0 accepted, 0 refused, 0 not of its kinds, 1 not answered",
        f"{row.objective}, states: slow: 0 accepted, 0 refused, 0 not of its kinds, 1 not answered",
        "2 rows (1 another hash, 1 not made (refused))",
        f"{name}: {{'sleeper': 'no answer in 0.1 seconds', 'slow': 'no answer in 7 seconds'}}",
        f"another hash: {name}: {row.certificate}",
        f"REFUSED {fault}",
    ]
    assert not any(kind.differ for kind in made.kinds.values())


@pytest.mark.parametrize("error", [KeyboardInterrupt, AssertionError])
def test_what_was_done_is_told_whatever_ends_it(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C, or a checker that breaks down, comes at the second row; the first one's certificate is kept."""
    calls = []

    def breaks(folders: Sequence[Path]) -> Sequence[str | None]:
        calls.append(folders)
        if len(calls) == 2:
            raise error
        return [None]

    monkeypatch.setattr(table_campaign, "others", lambda build: {"breaks": breaks})
    arguments = [str(LEVEL), "--kept", str(tmp_path)]
    if error is KeyboardInterrupt:
        assert table_campaign.main(arguments) == 130
    else:
        with pytest.raises(error):
            table_campaign.main(arguments)
    said = capsys.readouterr().out.splitlines()
    assert ("interrupted at row 1: go on with --rows 1:" in said) == (error is KeyboardInterrupt)
    *counts, rows = said[-4:]
    assert rows == "1 rows (1 same hash)"
    assert all(line.endswith(": 1 accepted, 0 refused, 0 not of its kinds, 0 not answered") for line in counts)
    assert [line.split()[2] for line in counts] == ["breaks:", "check-proof:", "check_proof.py:"]
    assert table_campaign.main([*arguments, "--rows", ":1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 rows (1 kept)"


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
