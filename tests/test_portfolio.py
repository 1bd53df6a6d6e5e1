"""The portfolio: what runners know is put together, disagreement stops the line, and a runner that dies costs nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sokoasp import Limits, Result, Status, solve
from sokoasp.core import jit
from sokoasp.core.bounds import joined
from sokoasp.core.child import Parent
from sokoasp.core.crew import Crew, Ended
from sokoasp.core.errors import SokoaspError
from sokoasp.core.progress import Moment
from sokoasp.engine import race
from sokoasp.engine.task import Task
from tests import sleeper
from tests.instances import levels

LEVEL = levels("tutorial/tutorial.xsb")[1]


def answer(status: Status, engine: str, value: int | None, lower: int, **more: Any) -> Result:
    plan = None if value is None else ("plan", engine)
    return Result(status, "lines", engine, value, lower, plan, **more)


OPEN = answer(Status.TIME_OUT, "asp", None, 5, stopped_by="time")
DEAD = SokoaspError("a runner of the portfolio died")


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
        assert found.stopped_by == stopped_by
        assert (found.plan is None) == (value is None)


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ([answer(Status.UNSOLVABLE, "native", None, 0), answer(Status.SOLVED, "asp", 4, 2)], "asp has a plan, native proved"),
        ([answer(Status.SOLVED, "native", 4, 2), answer(Status.TIME_OUT, "asp", None, 5)], "native has 4, asp proved 5"),
        ([DEAD, DEAD], "a runner of the portfolio died"),
        ([], "no engine of the portfolio answered"),
    ],
)  # fmt: skip
def test_disagreement_and_silence_are_errors(results: list[Result | SokoaspError], words: str) -> None:
    with pytest.raises(SokoaspError, match=words):
        joined("lines", results, None)


def test_what_is_heard_from_runners() -> None:
    with Crew() as crew:
        heard = race._Heard(crew)
        heard.take("asp", Moment("solving", 1.0, 3, None, 0, 0.0, 1.0))
        heard.take("asp", Moment("solving", 1.0, None, None, 0, 0.0, 1.0))
        assert (heard.bound, heard.answers, heard.decided) == (3, {}, False)
        heard.take("asp", OPEN)
        heard.take("asp", Ended(0))
        heard.take("native", Ended(-9))
        assert heard.answers["asp"] is OPEN and not heard.decided
        assert str(heard.answers["native"]) == "a runner of the portfolio died"
        heard.take("sat", answer(Status.OPTIMAL, "sat", 4, 4))
        assert heard.decided


@pytest.mark.parametrize("dies", ["asp", "native"])
def test_a_runner_that_dies_leaves_the_answer_to_the_other(dies: str, monkeypatch: pytest.MonkeyPatch) -> None:
    start = Crew.start

    def other(crew: Crew, name: str, work: Callable[[Any, Parent], None], question: Any, **options: Any) -> None:
        start(crew, name, sleeper.fail if name == dies else work, question, quiet=True, **options)

    monkeypatch.setattr(Crew, "start", other)
    found = solve(LEVEL, engine="portfolio", cross_check=False, limits=Limits(seconds=120))
    assert found.status is Status.OPTIMAL and found.plan is not None
    assert found.engine == ("native" if dies == "asp" else "asp")


def test_a_limit_on_a_sleeping_crew_tells_the_bound_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    start = Crew.start

    def asleep(crew: Crew, name: str, work: object, question: Any, **options: Any) -> None:
        start(crew, name, sleeper.sleep, None, **options)

    monkeypatch.setattr(Crew, "start", asleep)
    found = solve(LEVEL, engine="portfolio", limits=Limits(seconds=0.5))
    assert (found.status, found.stopped_by, found.plan) == (Status.TIME_OUT, "time", None)
    assert found.lower_bound >= 1


def test_results_may_cross_processes() -> None:
    import pickle

    best = solve(LEVEL, engine="reference", cross_check=False)
    assert pickle.loads(pickle.dumps(best)) == best == replace(best)


def test_a_runner_that_must_compile_says_so_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("numba")
    said: list[str] = []
    monkeypatch.setattr(jit, "reporters", [said.append])
    task = Task(engine="native", objective="lines", limits=Limits(seconds=60))
    place = {"SOKOASP_BACKEND": "jit", "SOKOASP_CACHE_DIR": str(tmp_path)}
    with Crew() as crew:
        heard = race._Heard(crew)
        crew.start("native", race._run, (LEVEL, task), environment={**os.environ, **place})
        while not said:
            told = crew.hear(120)
            assert told is not None and not isinstance(told[1], Result | Ended), told
            heard.take(*told)
    assert "compiling the native search (once for this version): about" in said[0]
    assert "no time limit counts" not in said[0], "the limit of the race is that of all"
    assert said[1:] == ["the other engines go on meanwhile, and the time limit holds for all"]
    heard.take("native", "compiling corral: 5% done")
    assert said[2:] == ["compiling corral: 5% done"], "it is said once"
