"""The portfolio: what runners know is put together, disagreement stops the line, and a runner that dies costs nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sokoasp import Limits, Result, Status, solve
from sokoasp.core import progress
from sokoasp.core.bounds import Bounds, joined
from sokoasp.core.child_processes import Ended
from sokoasp.core.errors import SokoaspError
from sokoasp.core.progress import Moment
from sokoasp.core.result import Step
from sokoasp.engine import engine_process, portfolio
from sokoasp.engine.task import Task
from sokoasp.sokoban import formats, rules
from sokoasp.sokoban.search import rosters
from tests import sleeper
from tests.instances import levels, written

LEVEL = levels("tutorial/tutorial.xsb")[1]
by_portfolio = partial(solve, engine="portfolio", cross_check=False, limits=Limits(seconds=120))

EMPTY = "#" + " " * 10 + "#"
FOUR_BOXES = "\n".join(["#" * 12, "#@         #", "# $ $ $ $  #", *[EMPTY] * 6, "# . . . .  #", EMPTY, "#" * 12])
"""A level with too many states for the plain search that answers before kernels are compiled."""


def answer(status: Status, engine: str, value: int | None, lower: int, **more: Any) -> Result:
    plan = None if value is None else ("plan", engine)
    return Result(status, "lines", engine, value, lower, plan, **more)


OPEN = answer(Status.TIME_OUT, "asp", None, 5, stopped_by="time")
OPEN_ASP = answer(Status.TIME_OUT, "asp", None, 1)
DEAD = SokoaspError("a member of the portfolio died")


@pytest.mark.parametrize(
    ("results", "stopped", "status", "engine", "value", "lower", "stopped_by"),
    [
        # one has the plan, the other the bound that it meets
        ([OPEN, answer(Status.SOLVED, "native", 5, 3, stopped_by="time")], None, Status.OPTIMAL, "native", 5, 5, None),
        ([OPEN, answer(Status.SOLVED, "native", 7, 3, stopped_by="time")], None, Status.SOLVED, "native", 7, 5, "time"),
        ([OPEN, answer(Status.TIME_OUT, "native", None, 6)], "interrupt", Status.TIME_OUT, "native", None, 6, "interrupt"),
        ([answer(Status.OPTIMAL, "asp", 4, 4), answer(Status.SOLVED, "native", 6, 2)], None, Status.OPTIMAL, "asp", 4, 4, None),
        ([answer(Status.SOLVED, "asp", 6, 2), answer(Status.SOLVED, "sat", 5, 3)], None, Status.SOLVED, "sat", 5, 3, None),
        ([OPEN, answer(Status.UNSOLVABLE, "native", None, 0)], None, Status.UNSOLVABLE, "native", None, 0, None),
        ([OPEN, answer(Status.NO_PLAN, "sat", None, 8)], None, Status.NO_PLAN, "sat", None, 8, None),
        ([DEAD, answer(Status.OPTIMAL, "native", 4, 4)], None, Status.OPTIMAL, "native", 4, 4, None),
        # Ctrl-C struck, but plan and bound meet
        ([OPEN, answer(Status.SOLVED, "native", 5, 3)], "interrupt", Status.OPTIMAL, "native", 5, 5, None),
        # of two plans of one cost the one that is proved best by whoever found it
        ([answer(Status.SOLVED, "native", 4, 2), answer(Status.OPTIMAL, "asp", 4, 4)], None, Status.OPTIMAL, "asp", 4, 4, None),
    ],
)  # fmt: skip
def test_the_best_plan_and_the_best_bound(
    results: list[Result | SokoaspError],
    stopped: str | None,
    status: Status,
    engine: str,
    value: int | None,
    lower: int,
    stopped_by: str | None,
) -> None:
    for order in (results, results[::-1]):
        found = joined("lines", order, stopped)
        assert (found.status, found.engine, found.value, found.lower_bound) == (status, engine, value, lower)
        assert found.stopped_by == stopped_by and (found.plan is None) == (value is None)


def test_the_proof_names_the_engine_whose_bound_it_is() -> None:
    planned, bounded = answer(Status.SOLVED, "native", 5, 2), answer(Status.TIME_OUT, "asp", None, 3)
    assert joined("lines", [planned, bounded], None).proof == "lower bound 3 (asp)"
    closed = joined("lines", [planned, answer(Status.TIME_OUT, "asp", None, 5)], None)
    assert closed.proof == "lower bound 5 (asp) = plan of 5 (native)"


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ([answer(Status.UNSOLVABLE, "native", None, 0), answer(Status.SOLVED, "asp", 4, 2)], "asp has a plan, native proved"),
        ([answer(Status.SOLVED, "native", 4, 2), answer(Status.TIME_OUT, "asp", None, 5)], "native has 4, asp proved 5"),
        ([DEAD, DEAD], "a member of the portfolio died"),
        ([], "no engine of the portfolio answered"),
    ],
)  # fmt: skip
def test_disagreement_and_silence_are_errors(results: list[Result | SokoaspError], words: str) -> None:
    with pytest.raises(SokoaspError, match=words):
        joined("lines", results, None)


def test_what_members_report() -> None:
    known = Bounds(LEVEL, "lines", lambda plan: (plan, len(plan)))
    answers: dict[str, Result | SokoaspError] = {}
    with engine_process.Engines(known, answers) as engines:
        for bound, plan in ((3, None), (None, None), (2, "four"), (None, "longer")):
            moment = Moment("solving", 1.0, bound, None, 0, 0.0, 1.0)
            engines.take("native", engine_process.Report(moment, plan))
        assert (known.lower, known.lower_by, known.plan, known.plan_by) == (3, "native", "four", "native")
        assert answers == {} and not known.closed()
        engines.take("sat", OPEN)
        engines.take("sat", Ended(0))
        engines.take("native", Ended(-9))
    assert answers["sat"] is OPEN and str(answers["native"]) == "a member of the portfolio died"


def _asp_says(monkeypatch: pytest.MonkeyPatch, said: Result, refuted: int | None = None) -> list[str | None]:
    """Have ASP refute a bound, then wait for the watch to end it; return the list of what the watch says."""
    received: list[str | None] = []

    def by_asp(_domain: Any, _problem: Any, task: Any, on_step: Any, watch: Any) -> Result:
        if refuted is not None:
            on_step(Step(refuted, "unsat", 0.0))
        clock = task.limits.start()
        while (word := watch()) is None and clock.over() is None:
            time.sleep(0.01)
        received.append(word)
        return replace(said, stopped_by=word or "time")

    monkeypatch.setattr(portfolio, "by_asp", by_asp)
    return received


def _members(monkeypatch: pytest.MonkeyPatch, act: Any, question: Any, **how: bool) -> None:
    """Have every member do this instead."""
    monkeypatch.setattr(engine_process, "start", lambda children, name, *_: children.start(name, act, question, **how))


def test_asp_ends_when_a_member_has_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    received = _asp_says(monkeypatch, OPEN_ASP)
    found = by_portfolio(LEVEL)
    assert received == [portfolio.DECIDED_ELSEWHERE]
    assert (found.status, found.engine, found.stopped_by) == (Status.OPTIMAL, "native", None)


def test_the_bound_of_asp_and_the_plan_of_another_make_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """The member that reports the plan never ends by itself."""
    best = solve(LEVEL, engine="reference", cross_check=False)
    assert best.value is not None
    received = _asp_says(monkeypatch, replace(OPEN_ASP, lower_bound=best.value), refuted=best.value - 1)
    _members(monkeypatch, sleeper.report_and_sleep, best.plan)
    monkeypatch.setattr(portfolio, "GRACE", 0.1)
    found = by_portfolio(LEVEL)
    assert received == [portfolio.DECIDED_ELSEWHERE]
    assert (found.status, found.value, found.stopped_by) == (Status.OPTIMAL, best.value, None)
    assert found.proof == f"lower bound {best.value} (clingo) = plan of {best.value} (native)"


def test_a_member_that_dies_leaves_the_answer_to_asp(monkeypatch: pytest.MonkeyPatch) -> None:
    _members(monkeypatch, sleeper.fail, None, quiet=True)
    found = by_portfolio(LEVEL)
    assert (found.status, found.engine) == (Status.OPTIMAL, "asp") and found.plan is not None


def test_members_go_on_when_asp_has_ended_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    full = replace(OPEN_ASP, status=Status.MEMORY_OUT, stopped_by="memory")
    monkeypatch.setattr(portfolio, "by_asp", lambda *_: full)
    found = by_portfolio(LEVEL)
    assert (found.status, found.engine) == (Status.OPTIMAL, "native")


def test_a_limit_on_sleeping_members_keeps_bound_and_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    level = levels("tutorial/tutorial.xsb")[4]
    longer = rules.plan_from_lurd(level, "rrDRurrdLulD")
    _asp_says(monkeypatch, OPEN_ASP)
    _members(monkeypatch, sleeper.report_and_sleep, longer)
    given: list[float] = []
    collect = portfolio._Portfolio.collect
    monkeypatch.setattr(
        portfolio._Portfolio, "collect", lambda run, seconds: (given.append(seconds), collect(run, seconds))[1]
    )
    found = solve(level, engine="portfolio", limits=Limits(seconds=3.0))
    assert given == [portfolio.LATE], "when the time is up members get less than when one has decided"
    assert (found.status, found.stopped_by, found.value) == (Status.SOLVED, "time", 4)
    assert found.lower_bound == 2


@pytest.mark.parametrize("engine", ["portfolio", None])
def test_a_member_that_compiles_beyond_the_limit_has_its_time_afterwards(
    engine: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = solve(LEVEL, engine="reference", cross_check=False)
    _asp_says(monkeypatch, OPEN_ASP)
    _members(monkeypatch, sleeper.compile_and_answer, best)
    found = solve(LEVEL, engine=engine, cross_check=False, limits=Limits(seconds=2.1))
    assert (found.status, found.value) == (Status.OPTIMAL, best.value)


def test_results_may_cross_processes() -> None:
    import pickle

    best = solve(LEVEL, engine="reference", cross_check=False)
    assert pickle.loads(pickle.dumps(best)) == best == replace(best)


def test_a_runner_that_must_compile_says_so_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("numba")
    said: list[str] = []
    monkeypatch.setattr(progress, "reporters", [said.append])
    task = Task(engine="forward", objective="lines", limits=Limits(seconds=60))
    place = {"SOKOASP_BACKEND": "jit", "SOKOASP_CACHE_DIR": str(tmp_path)}
    with engine_process.Engines(Bounds(LEVEL, "lines", lambda plan: (plan, 0)), {}) as children:
        children.start(
            "native", engine_process._run, (LEVEL, task, engine_process.natively), environment={**os.environ, **place}
        )
        while not said:
            message = children.receive(120)
            assert message is not None and not isinstance(message[1], Result | Ended), message
            children.take(*message)
        while not children.compiling.get("native"):
            children.hear(1)
        ended = list(children.collect(20))
    assert ended[-1] == ("native", Ended(-signal.SIGTERM)) and "Traceback" not in capfd.readouterr().err
    assert "compiling a part of the native search (once for this version): about" in said[0]
    assert said[0].endswith("no time limit counts it ...") and said[1] == "the other engines go on meanwhile"
    children.take("native", "compiling corral: 5% done")
    assert said[-1] == "compiling corral: 5% done"
    assert all(one.startswith("compil") for one in said[2:]), "it is said once"


@pytest.mark.parametrize("engine", ["native", "any"])
def test_easy_levels_are_answered_before_anything_is_compiled(engine: str, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    file = written(tmp_path, "#######\n#@ $ .#\n#######\n\n#####\n#@$ #\n#. ##\n####\n", "levels.xsb")
    cold = {**os.environ, "SOKOASP_BACKEND": "jit", "SOKOASP_CACHE_DIR": str(tmp_path / "cache")}
    for number, value, status in (1, 2, "optimal"), (2, None, "unsolvable"):
        command = ["solve", str(file), "--level", str(number), "--engine", engine, "--objective", "pushes", "--json"]
        done = subprocess.run(
            [sys.executable, "-m", "sokoasp", *command], env=cold, capture_output=True, text=True, check=False
        )
        found = json.loads(done.stdout)
        assert (found["status"], found["value"], found["engine"]) == (status, value, engine), done.stderr
        assert not (tmp_path / "cache").exists() and "compiling" not in done.stderr


def test_plain_search_before_compiling_leaves_what_is_not_easy() -> None:
    (level,) = formats.read(FOUR_BOXES)
    assert rosters._plain(level, "lines", Limits(states=1000)).plan is None, "then the kernels are compiled"
    (easy,) = formats.read("#######\n#@ $ .#\n#######\n")
    assert rosters._plain(easy, "lines", Limits(states=1000)).plan is not None


def test_bounds_of_a_program_of_ones_own_are_not_shared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = written(tmp_path, "#program step(t).\n", "own.lp")
    _asp_says(monkeypatch, OPEN_ASP, refuted=99)
    found = by_portfolio(LEVEL, encoding=str(program))
    assert (found.status, found.engine) == (Status.OPTIMAL, "native")


def test_members_share_the_memory_and_have_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that joins after a while has less time than the whole run."""
    given: list[Limits] = []

    def by_asp(_domain: Any, _problem: Any, task: Task, _on_step: Any, watch: Any) -> Result:
        given.append(task.limits)
        while len(given) < 2:
            watch()
        return replace(OPEN_ASP, stopped_by="time")

    monkeypatch.setattr(portfolio, "by_asp", by_asp)
    monkeypatch.setattr(portfolio, "FEW", 0.2)
    monkeypatch.setattr(
        engine_process, "start", lambda _children, _name, _problem, task, _ask: given.append(task.limits)
    )
    solve(LEVEL, cross_check=False, limits=Limits(seconds=100, memory_mb=2000))
    assert [limits.memory_mb for limits in given] == [1000, 1000]
    assert given[0].seconds == 100 and given[1].seconds is not None and 0 < given[1].seconds <= 99.8
