"""Runs that a limit has ended: nothing known is lost, and the limit is named."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sokoasp import Limits, Status, solve
from sokoasp.cli import root
from sokoasp.core.bounds import met, with_bound
from sokoasp.core.result import Result
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.engine import asp_result, engine_process, improve, portfolio
from sokoasp.sokoban import examine, search
from tests.instances import FOLDER, levels

LEVEL = levels("tutorial/tutorial.xsb")[1]
PLAN = DOMAIN.texts.read_plan(LEVEL, str(solve(LEVEL, cross_check=False).plan.lurd), "plan")  # type: ignore[union-attr]


def _never_ends(*_: Any) -> Result:
    while True:
        pass


def _takes_its_interrupt(level: Any, plan: Any, objective: str, *_: Any) -> Result:
    try:
        _never_ends()
    except KeyboardInterrupt:
        return Result(Status.SOLVED, objective, "improve", value=99, lower_bound=0, plan=plan, stopped_by="interrupt")


def _interrupted(*_: Any) -> Result:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("engine", "stopped"), [(_never_ends, "time"), (_takes_its_interrupt, "time"), (_interrupted, "interrupt")]
)
def test_improve_gives_the_plan_back_when_a_limit_strikes(engine: Callable[..., Result], stopped: str) -> None:
    domain = DOMAIN._replace(search=DOMAIN.search._replace(improve=engine))
    level = levels("tutorial/tutorial.xsb")[8]
    plan = DOMAIN.texts.read_plan(level, "lluurDldRRRUruLLL", "plan")
    result = improve(domain, level, plan, "moves", Limits(seconds=0.1))
    assert (result.status, result.plan, result.stopped_by) == (Status.SOLVED, plan, stopped)
    assert 0 < result.lower_bound < 17


def test_a_limit_does_not_take_what_asp_hands_in_after_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own, slow = tmp_path / "never.lp", asp_result.result_of
    monkeypatch.setattr(asp_result, "result_of", lambda run: (time.sleep(0.8), slow(run))[1])
    own.write_text("#program step(t).\n:- push(_,up,_,t).\n")
    asked = {"encoding": "lines", "constraints": (own,), "limits": Limits(seconds=0.7)}
    found = solve(levels("tutorial/tutorial.xsb")[8], cross_check=False, **asked)  # type: ignore[arg-type]
    assert (found.status, found.stopped_by) == (Status.TIME_OUT, "time") and found.lower_bound > 4


def test_a_plan_that_meets_the_bound_that_stats_shows_is_proved_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoasp.domain.sokoban._shortened", _interrupted)
    monkeypatch.setattr("sokoasp.domain.sokoban._require", str)
    file = str(FOLDER / "tutorial" / "tutorial.xsb")
    done = CliRunner().invoke(root, ["improve", file, "uRR", "--level", "2", "--objective", "moves"])
    assert "3 moves as before; proved best" in done.output


def test_a_bound_without_tables_is_told_for_what_is_open_alone() -> None:
    for status, value, before, lower, then in (
        (Status.TIME_OUT, None, 3, 7, Status.TIME_OUT),
        (Status.SOLVED, 9, 3, 7, Status.SOLVED),
        (Status.SOLVED, 7, 3, 7, Status.OPTIMAL),
        (Status.OPTIMAL, 9, 9, 9, Status.OPTIMAL),
        (Status.UNSOLVABLE, None, 0, 0, Status.UNSOLVABLE),
        (Status.NO_PLAN, None, 3, 3, Status.NO_PLAN),
    ):
        stale = "lower bound 3 (a search)"
        found = with_bound(Result(status, "pushes", "any", value=value, lower_bound=before, proof=stale), 7, "a table")
        assert (found.lower_bound, found.status) == (lower, then)
        raised = "lower bound 7 (a table)" if then is status else met(7, "a table", "any")
        assert found.proof == (raised if lower > before else stale), "the proof is of the bound that is told"


@pytest.mark.parametrize("engine", ["reference", "forward"])
def test_engines_that_stop_by_themselves_tell_it_too(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = Result(Status.TIME_OUT, "pushes", engine, stopped_by="time")
    monkeypatch.setitem(DOMAIN.search.native, engine, lambda *_: ended)  # type: ignore[attr-defined]
    found, least = solve(LEVEL, engine=engine, objective="pushes"), DOMAIN.known.least(LEVEL, "pushes")
    assert found.lower_bound == least > 0
    assert found.proof == f"lower bound {least} (known without a search)"


def test_a_late_portfolio_has_met_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A member that was asked to end says "interrupt", which is not what has ended the run."""

    def late(_domain: Any, _problem: Any, task: Any, *_: Any) -> Result:
        clock = task.limits.start()
        while clock.over() is None:
            pass
        return Result(Status.INTERRUPTED, "lines", "asp", lower_bound=0, stopped_by="late")

    monkeypatch.setattr(portfolio, "by_asp", late)
    reported = Result(Status.INTERRUPTED, "lines", "native", lower_bound=1, stopped_by="interrupt")
    monkeypatch.setattr(engine_process, "start", lambda engines, name, *_: engines.take(name, reported))
    found = solve(LEVEL, engine="portfolio", limits=Limits(seconds=0.2))
    assert (found.status, found.stopped_by, found.exit_code) == (Status.TIME_OUT, "time", 20)


@pytest.mark.parametrize("limits", [Limits(seconds=1e-4), Limits(memory_mb=1)])
@pytest.mark.parametrize("engine", DOMAIN.search.native)
def test_a_plan_that_is_given_is_not_lost_in_an_engine(engine: str, limits: Limits) -> None:
    found = solve(LEVEL, engine=engine, known=PLAN, limits=limits)
    assert found.value == PLAN.lines and found.status in (Status.SOLVED, Status.OPTIMAL)
    assert found.plan == PLAN and found.lower_bound <= PLAN.lines
    assert found.stopped_by == (None if found.status is Status.OPTIMAL else "time" if limits.seconds else "memory")


@pytest.mark.parametrize("limits", [Limits(seconds=1e-4), Limits(memory_mb=1)])
def test_nor_in_the_search_itself(limits: Limits) -> None:
    found = search.solve(LEVEL, "lines", limits, engine="any", upper=PLAN)
    assert found.value == PLAN.lines and found.status in (Status.SOLVED, Status.OPTIMAL)


def test_nor_where_an_engine_has_nothing_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DOMAIN.search.native, "native", _interrupted)
    found = solve(LEVEL, engine="native", known=PLAN, cross_check=False)
    assert (found.status, found.plan, found.exit_code) == (Status.OPTIMAL, PLAN, 130)
    assert "(known without a search) = plan of" in str(found.proof)


def test_a_search_of_all_states_has_the_time_that_detectors_have_left(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Limits] = []

    def decided(level: object, limits: Limits) -> Result:
        given.append(limits)
        return Result(Status.TIME_OUT, "pushes", "native", stopped_by="time")

    monkeypatch.setattr(examine, "find_deadlock", lambda *_: time.sleep(0.1))
    monkeypatch.setattr(examine, "_decide", decided)
    found = examine.examine(LEVEL, "", True, Limits(seconds=60))
    assert (found.verdict, found.stopped_by) == ("none_found", "time")
    assert given[0].seconds is not None and 0 < given[0].seconds <= 59.9
