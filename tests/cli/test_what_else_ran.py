"""`solve` without options where ASP alone does not finish: plan, bound, gap, and one line about what ran."""

from __future__ import annotations

from typing import Any

import pytest

from sokoasp.cli import run
from sokoasp.core.result import Result, Status
from sokoasp.engine import fallback, race
from sokoasp.sokoban import rules, validate
from tests import native
from tests.instances import FOLDER

native.needed()

LEVEL = str(FOLDER / "tutorial" / "tutorial.xsb")
LONGER = "rrDRurrdLulD"
SAID = "so the native search ran beside it (--engine asp asks ASP alone)"


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASP has no time for itself, whatever the machine."""
    monkeypatch.setattr(fallback, "FEW", 0.0)
    monkeypatch.setattr(fallback, "WORTH", 0.0)


def solve(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(["solve", LEVEL, "--level", "5", "--time-limit", "60", *arguments])
    return code, capsys.readouterr().out


def test_who_ran_is_told_beside_a_proof(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = solve(capsys)
    assert code == 0
    assert "optimal, 2 lines" in text
    assert SAID in text


def test_plan_bound_and_gap_are_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The searches side by side end with a plan of four lines of which two are proved needed."""

    def cut_short(game: Any, level: Any, task: Any) -> Result:
        plan = rules.plan_from_lurd(level, LONGER)
        validate.validate(level, plan)
        return Result(
            Status.SOLVED, "lines", "portfolio", plan.lines, 2, plan, proof="plan by the seeker", stopped_by="time"
        )

    monkeypatch.setattr(race, "race", cut_short)
    code, text = solve(capsys)
    assert code == 10
    assert "solved, 4 lines" in text
    assert "at least 2 needed" in text
    assert "plan by the seeker" in text
    assert SAID in text
    assert LONGER in text


def test_asp_alone_is_not_helped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(race, "race", lambda *arguments: pytest.fail("asked"))
    code, text = solve(capsys, "--engine", "asp")
    assert code == 0
    assert SAID not in text
