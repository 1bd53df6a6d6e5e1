"""``solve`` without options asks the other engines too when ASP has not finished in a few seconds; other questions stay ASP's."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sokoasp import Status, solve
from sokoasp.core import kernels
from sokoasp.core.limits import Limits
from sokoasp.core.result import Cost, Result
from sokoasp.domain import domain_of
from sokoasp.engine import Task, checking, competition_question, engine_process, portfolio
from tests import sleeper
from tests.instances import level

ROOM = level("""
    ########
    #      #
    # $ .  #
    #@ $ . #
    ########
""")
FAR = level("""
    ############
    #@$       .#
    ############
""")
NEVER_HOME = "#program step(t).\n:- box_at(c5r3,t).\n"
"""A goal that stays empty, while pushes can go on for ever."""

pytestmark = pytest.mark.skipif(not kernels.status().there, reason="the fallback needs the native search")


class Fell(Exception):
    """The other engines were asked."""


@pytest.fixture
def fallen(monkeypatch: pytest.MonkeyPatch) -> None:
    def fall(*_: object) -> Result:
        raise Fell

    monkeypatch.setattr(portfolio, "asp_then_all", fall)


@pytest.mark.usefixtures("fallen")
@pytest.mark.parametrize(
    "asked",
    [
        {"steps": 3},
        {"at_most": 2},
        {"models": 0},
        {"count": True},
        {"encoding": "lines"},
        {"seed": 1},
        {"engine": "asp"},
        {"limits": Limits(seconds=portfolio.WORTH)},
    ],
    ids=str,
)
def test_what_only_asp_answers_never_falls_back(asked: dict[str, object]) -> None:
    with pytest.raises(Fell):
        solve(ROOM)
    assert solve(ROOM, Task(**asked)).value == 2  # type: ignore[arg-type]


@pytest.mark.usefixtures("fallen")
def test_what_cannot_end_under_constraints_ends_by_its_limit_in_asp(tmp_path: Path) -> None:
    never = tmp_path / "never.lp"
    never.write_text(NEVER_HOME)
    asked = Task(constraints=(never,), limits=Limits(seconds=portfolio.WORTH + 5))
    for more in ({}, {"count": True}, {"then": ("moves",)}):
        # stands for the clock: the watch, looked at as often, says after the third bound what the clock would say
        seen: list[int] = []
        found = solve(ROOM, replace(asked, **more), on_step=lambda s: seen.append(s.t), watch=lambda: _late(seen))  # noqa: B023
        assert found.status is Status.TIME_OUT and found.stopped_by == "time"
        assert found.lower_bound > 2 and found.plan is None and found.count is None


def _late(seen: list[int]) -> str | None:
    return "time" if len(seen) >= 3 else None


def test_a_level_that_asp_cannot_end_falls_to_the_others_and_its_file_is_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(portfolio, "FEW", 0.0)
    monkeypatch.setattr(portfolio, "by_asp", sleeper.undecided)
    asked = replace(ROOM, steps=4)
    found = solve(asked)
    assert (found.status, found.value) == (Status.OPTIMAL, 2)
    assert "the native search ran beside it" in str(found.proof)
    assert (found.question.actions, found.question.answer) == (3, "yes")


def test_what_had_no_time_to_begin_is_not_said_to_have_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FEW": 0.0, "WORTH": 0.0, "by_asp": sleeper.undecided}.items():
        monkeypatch.setattr(portfolio, name, value)
    monkeypatch.setattr(engine_process, "natively", sleeper.loading)
    assert portfolio.TOO_LATE in str(solve(FAR, limits=Limits(seconds=1)).proof)


def test_ties_fall_to_the_native_search_and_its_limit_proves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "FEW", 0.0)
    found = solve(ROOM, objective="pushes", then=("moves",))
    assert (found.status, found.engine, found.cost) == (Status.OPTIMAL, "native", Cost((), ("moves",), proved=True))
    assert "the native search ran after it" in str(found.proof)
    ended = Result(Status.TIME_OUT, "pushes", "ties", stopped_by="time")
    monkeypatch.setattr("sokoasp.domain.sokoban._best_of_best", lambda *_: ended)
    for _ in range(2):
        found = solve(ROOM, objective="pushes", then=("moves",))
        assert (found.status, found.value, found.lower_bound) == (Status.SOLVED, 4, 4)
        assert found.cost == Cost((), ("moves",), proved=False)
        # once more, with the plan of ASP and the bound of the search
        monkeypatch.setattr(
            "sokoasp.engine.ties.by_asp", lambda *_, plan=found: replace(plan, lower_bound=1, stopped_by="time")
        )
        monkeypatch.setitem(domain_of(ROOM).search.native, "native", lambda *_: replace(ended, lower_bound=4))  # type: ignore[arg-type]


def test_a_plan_handed_in_at_the_limit_is_refereed_in_peace(monkeypatch: pytest.MonkeyPatch) -> None:
    best, referee = solve(ROOM, objective="pushes", engine="native"), checking.refereed
    monkeypatch.setitem(domain_of(ROOM).search.native, "native", lambda *_: best)  # type: ignore[arg-type]
    monkeypatch.setattr(checking, "refereed", lambda *asked: (time.sleep(0.6), referee(*asked))[1])
    assert solve(ROOM, objective="pushes", engine="native", limits=Limits(seconds=0)).value == best.value


@pytest.mark.parametrize(("limit", "few"), [(None, 100.0), (150.0, 15.0), (portfolio.WORTH, None)])
def test_a_short_limit_is_shared_too(monkeypatch: pytest.MonkeyPatch, limit: float | None, few: float | None) -> None:
    given: list[float] = []

    def full(_domain: object, _problem: object, _task: object, _on_step: object, watch: Any) -> Result:
        given.append(watch.__self__.alone)
        return Result(Status.MEMORY_OUT, "lines", "asp", stopped_by="memory")

    monkeypatch.setattr(portfolio, "by_asp", full)
    monkeypatch.setattr(portfolio, "FEW", 100.0)
    asked = Task(limits=Limits(seconds=limit))
    found = solve(ROOM, asked)
    assert (found.status, found.value) == (Status.OPTIMAL, 2)
    assert given == ([] if few is None else [few])
    assert ("ASP had not finished in" in str(found.proof)) == (few is not None)


def test_the_files_question_does_not_hold_up_the_optimum_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float | None] = []

    def stuck(_domain: object, _problem: object, task: Task, *_: object) -> Result:
        given.append(task.limits.seconds)
        return Result(Status.TIME_OUT, "lines", "asp", stopped_by="time")

    monkeypatch.setattr(competition_question, "by_asp", stuck)
    asked = replace(FAR, steps=12)  # one line of eight pushes is eight actions at most
    found = solve(asked, engine="asp")
    assert (found.status, found.value, given) == (Status.OPTIMAL, 1, [competition_question.PATIENCE])
    assert found.question is not None and found.question.answer == "open"
    assert "--steps 12 asks it alone" in str(found.question.by)
    limited = solve(asked, engine="asp", limits=Limits(seconds=50))
    assert limited.question is not None and limited.question.answer == "open"
    assert given[1] is not None and 40 < given[1] <= 50
