"""`solve` without options where ASP alone does not finish: plan, bound, gap, and one line about what ran."""

from typing import Any

import pytest

from sokoasp.cli import run
from sokoasp.core.bounds import Bounds
from sokoasp.core.result import Result, Status
from sokoasp.engine import engine_process, portfolio
from sokoasp.sokoban import rules, validate
from tests import native, sleeper
from tests.instances import FOLDER

native.needed()

LEVEL = str(FOLDER / "tutorial" / "tutorial.xsb")
LONGER = "rrDRurrdLulD"
SAID = "so the native search ran beside it (--engine asp asks ASP alone)"


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """ASP has no time for itself, whatever the machine."""
    monkeypatch.setattr(portfolio, "FEW", 0.0)
    monkeypatch.setattr(portfolio, "WORTH", 0.0)


def solve(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(["solve", LEVEL, "--level", "5", "--time-limit", "60", *arguments])
    return code, capsys.readouterr().out


def test_who_ran_is_told_beside_a_proof(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(portfolio, "by_asp", sleeper.undecided)
    code, text = solve(capsys)
    assert code == 0
    assert "optimal, 2 lines" in text
    assert SAID in text


def test_plan_bound_and_gap_are_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The searches side by side end with a plan of four lines of which two are proved needed."""

    def cut_short(game: Any, level: Any, task: Any, on_step: Any, watch: Any) -> Result:
        watch.__self__.engines = stopped
        plan = rules.plan_from_lurd(level, LONGER)
        validate.validate(level, plan)
        proof = "plan by the packing-order search"
        return Result(Status.SOLVED, "lines", "native", plan.lines, 2, plan, proof=proof, stopped_by="time")

    stopped = engine_process.Engines(Bounds(None, "lines", lambda plan: (plan, 0)), {})
    monkeypatch.setattr(portfolio, "by_asp", cut_short)
    code, text = solve(capsys)
    assert code == 10
    assert "solved, 4 lines" in text
    assert "at least 2 needed" in text
    assert "plan by the packing-order search" in text
    assert SAID in text
    assert LONGER in text


def test_asp_alone_is_not_helped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(portfolio, "portfolio", lambda *arguments: pytest.fail("asked"))
    code, text = solve(capsys, "--engine", "asp")
    assert code == 0
    assert SAID not in text
