"""What a search knows is reported while it runs: stage, bound, and plans that the referee has passed."""

import threading
from typing import Any

import pytest

from sokoasp.core import progress
from sokoasp.sokoban import rules
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.web import progress_feed
from tests.processes import wait_for

LEVEL = level_from_rows(["#######", "#@ $ .#", "#     #", "#######"])


def test_bounds_and_plans_are_said_while_the_search_goes_on_and_no_other_question_is_told() -> None:
    said: list[dict[str, Any]] = []
    plan, detour = (rules.plan_from_lurd(LEVEL, moves) for moves in ("rRR", "drlurRR"))
    with progress_feed.reported(LEVEL, "moves", said.append):
        with progress.unwatched("asking whether there is a plan at all"):
            progress.note(bound=99)
        progress.note(stage="searching", bound=1)
        wait_for(lambda: said)
        progress.note(plan=detour.moves, best=detour)
        wait_for(lambda: len(said) > 1)
        progress.note(plan=plan.moves, best=plan, bound=2)
        wait_for(lambda: len(said) > 2)
    assert [event.get("lower_bound") for event in said] == [1, 1, 2]
    assert [event.get("value") for event in said] == [None, detour.moves, 3]
    assert said[0]["stage"] == "searching" and said[2]["plan"]["lurd"] == "rRR"
    assert len(said[2]["timeline"]["moves"]) == 3


def test_a_plan_that_is_none_never_reaches_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    errors: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", errors.append)
    said: list[dict[str, Any]] = []
    wrong = rules.plan_from_lurd(LEVEL, "rR")
    with progress_feed.reported(LEVEL, "moves", said.append):
        progress.note(plan=2, best=wrong)
        wait_for(lambda: errors)
    assert not any("plan" in event for event in said)
