"""Certificates of the table's rows before all checkers: honest ones pass, and a refusal is told with the row's name."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
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
    second = table_campaign.name_of(table_campaign.certified_rows([LEVEL])[1])
    assert (f"interrupted at {second}" in said) == (error is KeyboardInterrupt)
    *counts, rows, by = said[-5:]
    assert rows == "1 rows (1 same hash)"
    assert by == "of 3 rows 1 accepted by all: 1 by check-proof, 1 by check_proof.py, 1 by breaks"
    assert all(line.endswith(": 1 accepted, 0 refused, 0 not of its kinds, 0 not answered") for line in counts)
    assert [line.split()[2] for line in counts] == ["breaks:", "check-proof:", "check_proof.py:"]
    first = table_campaign.certified_rows([LEVEL])[0][1]
    assert table_campaign.main([*arguments, "--only", f"{first.board}/{first.objective}"]) == 0
    assert capsys.readouterr().out.splitlines()[-2] == "1 rows (1 kept)"


def test_the_command_says_before_which_row_it_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is asked for one row, has no time, and names the checkers that are not there."""
    monkeypatch.setattr(table_campaign, "others", lambda build: {})
    row = table_campaign.certified_rows([LEVEL])[1]
    assert table_campaign.main([str(LEVEL), "--only", f"{row[1].board}/{row[1].objective}", "--cpu", "0"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "not asked, for its tools are not installed: check_proof.js",
        "not asked, for its tools are not installed: Coq",
        f"stopped before {table_campaign.name_of(row)}",
        "0 rows ()",
        "of 3 rows 0 accepted by all: 0 by check-proof, 0 by check_proof.py",
    ]


def test_a_campaign_goes_on_with_what_is_not_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Meanwhile the table gets a small row, one row's hash is taken over into it and another's changes.

    Planted faults: counting rows would take the small one for one that was shown; names without hashes would let the changed
    one pass; a refusal that is noted as an answer would be believed the next time.
    """
    shown: list[tuple[str, Path]] = []

    def checker(name: str, refuses: str = "") -> Callable[[Sequence[Path]], Sequence[str | None]]:
        def says(folders: Sequence[Path]) -> Sequence[str | None]:
            shown.extend((name, folder) for folder in folders)
            return ["INVALID" if folder.name == refuses else None for folder in folders]

        return says

    def campaign(*rows: table_campaign.Row, refuses: str = "") -> tuple[int, list[tuple[str, str]], str]:
        checkers = {"one": checker("one"), "two": checker("two", refuses)}
        monkeypatch.setattr(table_campaign, "certified_rows", lambda files: list(rows))
        monkeypatch.setattr(table_campaign, "IN_PYTHON", checkers)
        shown.clear()
        code = table_campaign.main([str(LEVEL), "--kept", str(tmp_path), "--accepted", str(tmp_path / "accepted.csv")])
        return code, [(name, folder.name) for name, folder in shown], capsys.readouterr().out.splitlines()[-1]

    monkeypatch.setattr(table_campaign, "others", lambda build: {})
    small, first, second = table_campaign.certified_rows([LEVEL])
    _, (level, row, came), (_, other, _) = small, first, second
    elsewhere = (level, replace(row, certificate="0" * 64), came)
    both = [(name, row.objective) for name in ("one", "two")]
    refused = campaign(elsewhere, second, refuses=other.objective)
    assert refused == (
        1,
        [*both, ("one", other.objective), ("two", other.objective)],
        "of 2 rows 0 accepted by all: 1 by one, 0 by two",
    )
    noted = (tmp_path / "accepted.csv").read_text().splitlines()
    assert noted == [
        "board,objective,certificate,kind,accepted",
        f"{row.board},{row.objective},{row.certificate[:16]},states,one two",
        f"{other.board},{other.objective},{other.certificate[:16]},states,one",
    ]
    new = [(name, small[1].objective) for name in ("one", "two")]
    assert campaign(small, first, second) == (
        0,
        [*new, ("two", other.objective)],
        "of 3 rows 3 accepted by all: 3 by one, 3 by two",
    )
    assert campaign(small, first, second)[:2] == (0, [])
    assert campaign(small, elsewhere, second)[:2] == (0, both)


def test_one_checker_alone_may_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = Counter[str]()

    def counting(name: str) -> Callable[[Sequence[Path]], Sequence[str | None]]:
        def says(folders: Sequence[Path]) -> Sequence[str | None]:
            calls[name] += 1
            return [None] * len(folders)

        return says

    monkeypatch.setattr(table_campaign, "IN_PYTHON", {"check_proof.py": counting("check_proof.py")})
    monkeypatch.setattr(table_campaign, "others", lambda build: {"Coq": counting("Coq")})
    noted = tmp_path / "accepted.csv"
    arguments = [str(LEVEL), "--kept", str(tmp_path), "--accepted", str(noted)]
    assert table_campaign.main([*arguments, "--ask", "Coq"]) == 0
    first = calls["Coq"]
    assert first and calls == {"Coq": first}
    assert table_campaign.main(arguments) == 0
    assert calls == {"Coq": first, "check_proof.py": first}, "who has accepted a row is not asked again"
    with pytest.raises(SystemExit):
        table_campaign.main([*arguments, "--ask", "nobody"])
    assert "invalid choice: 'nobody'" in capsys.readouterr().err
