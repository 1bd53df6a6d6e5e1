"""Ctrl-C ends a run at once, wherever it is, and what was found by then is kept."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sokoasp import Limits, Status, read, solve
from sokoasp.bench.studies import claims
from sokoasp.cli import root
from sokoasp.core.limits import CpuLimits, ThreadLimits
from sokoasp.core.result import Result
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.engine import grading
from sokoasp.engine.by_asp import PROBES, SolvabilityProbe
from sokoasp.engine.proving import Request, certify
from sokoasp.engine.task import Task
from sokoasp.sokoban.level import Level
from tests.instances import levels

LEVEL = levels("tutorial/tutorial.xsb")[1]


def _raises(*_: Any) -> Result:
    raise KeyboardInterrupt


def _ends(level: Level, objective: str, *_: Any) -> Result:
    return Result(Status.INTERRUPTED, objective, "forward", stopped_by="interrupt")


def _put(monkeypatch: pytest.MonkeyPatch, second: Any) -> None:
    """Have the game's second engine answer like this."""
    changed = replace(DOMAIN, second=second)
    monkeypatch.setattr("sokoasp.engine.domain_of", lambda problem: changed)


@pytest.mark.parametrize("second", [_raises, _ends])
def test_in_the_cross_check(monkeypatch: pytest.MonkeyPatch, second: Any) -> None:
    _put(monkeypatch, second)
    found = solve(LEVEL, probes=False)
    assert (found.status, found.stopped_by, found.exit_code) == (Status.OPTIMAL, "interrupt", 130)
    assert found.cross_check is not None and found.cross_check.agrees is None
    assert found.cross_check.note == "interrupted: skipped"


def test_while_the_search_is_asked_for_doubts(monkeypatch: pytest.MonkeyPatch) -> None:
    _put(monkeypatch, _ends)
    monkeypatch.setattr(sys.modules["sokoasp.engine.by_asp"], "PROBES", ((0.0, 0.5),))
    found = solve(LEVEL, encoding="lines", limits=Limits(seconds=20))
    assert (found.status, found.stopped_by, found.exit_code) == (Status.INTERRUPTED, "interrupt", 130)
    assert found.cross_check is None


def test_the_patience_of_doubts_is_counted_in_cpu_seconds() -> None:
    """A machine with other things to do may take minutes of the clock for a short answer."""
    asked: list[Limits] = []

    def second(level: Level, objective: str, limits: Limits, may_compile: bool) -> Result:
        asked.append(limits)
        return Result(Status.TIME_OUT, objective, "reference", stopped_by="time")

    wall, spent = Limits().start(), CpuLimits().start()
    wall.began -= 1000.0
    probe = SolvabilityProbe(replace(DOMAIN, second=second), LEVEL, "lines", wall, asked=True)
    probe.spent = spent
    spent.spent = time.process_time() + 1000.0  # type: ignore[attr-defined]
    assert probe.check() is None and asked == []
    spent.spent -= 2000.0  # type: ignore[attr-defined]
    assert probe.check() is None
    assert [limits.seconds for limits in asked] == [PROBES[0][1]] and probe.took > 0


def test_work_beside_a_solver_is_counted_in_cpu_seconds_of_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ThreadLimits(seconds=1.0).start()
    monkeypatch.setattr("time.thread_time", lambda: clock.spent + 0.9)  # type: ignore[attr-defined]
    clock.began += 1000.0
    assert clock.over() is None and clock.elapsed == pytest.approx(0.9)
    monkeypatch.setattr("time.thread_time", lambda: clock.spent + 1.1)  # type: ignore[attr-defined]
    assert clock.over() == "time"
    monkeypatch.setattr("time.thread_time", lambda: clock.spent)  # type: ignore[attr-defined]
    clock.began -= 1002.0  # it ends in twice its time by the wall whatever the machine does
    assert clock.over() == "time"


def test_in_an_engine_that_has_nothing_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DOMAIN.native, "reference", _raises)  # type: ignore[attr-defined]
    found = solve(LEVEL, engine="reference", cross_check=True)
    assert (found.status, found.stopped_by, found.exit_code) == (Status.INTERRUPTED, "interrupt", 130)
    assert found.plan is None and found.cross_check is None


def test_a_table_has_no_holes_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = Result(Status.INTERRUPTED, "slides", "native", stopped_by="interrupt")
    monkeypatch.setattr(claims, "solve", lambda *_: ended)
    with pytest.raises(KeyboardInterrupt):
        claims.rows(["將擋後路"])


def test_the_portfolio_before_it_has_anything_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoasp.engine.portfolio.by_asp", _raises)
    found = solve(LEVEL, engine="portfolio")
    assert (found.status, found.stopped_by, found.exit_code) == (Status.INTERRUPTED, "interrupt", 130)


@pytest.mark.parametrize("program", ["lines", "competition"])
@pytest.mark.parametrize("engine", ["reference", "asp"])
def test_a_program_gets_no_mark_from_it(engine: str, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is the next level looked at."""

    def ended(problem: Level, task: Task | None = None, **more: Any) -> Result:
        asked = more.get("engine") if task is None else task.engine
        found = solve(problem, task, **more)
        return replace(found, stopped_by="interrupt") if asked == engine else found

    monkeypatch.setattr("sokoasp.engine.grading.solve", ended)
    with pytest.raises(KeyboardInterrupt):
        list(grading.grade(program, [(1, LEVEL)], objective="lines", limits=Limits(seconds=20)))


def test_no_certificate_is_made_of_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It once said that no plan was found within the limits, of which there were none."""
    monkeypatch.setitem(DOMAIN.native, "native", _ends)  # type: ignore[attr-defined]
    with pytest.raises(KeyboardInterrupt):
        certify(LEVEL, tmp_path, Request("pushes"))


def test_generated_levels_are_written_all_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def some(*_: Any, **__: Any) -> Iterator[Level]:
        yield LEVEL
        raise KeyboardInterrupt

    monkeypatch.setattr("sokoasp.sokoban.generate.generator.generate", some)
    made = tmp_path / "made.sok"
    done = CliRunner().invoke(root, ["generate", "--count", "2", "-o", str(made)])
    assert done.exit_code == 130 and len(read(made.read_text())) == 1
