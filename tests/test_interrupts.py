"""Ctrl-C ends a run at once, wherever it is, and what was found by then is kept."""

import json
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sokoasp import Limits, Status, solve
from sokoasp.asp import clingo_api
from sokoasp.cli import root, run
from sokoasp.core.guard import LimitReached, cause
from sokoasp.core.limits import CpuLimits, ThreadLimits
from sokoasp.core.result import Result
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.engine import grading
from sokoasp.engine.by_asp import PROBES, SolvabilityProbe
from sokoasp.engine.certificates import certify_result, make_certificate
from sokoasp.engine.proving import Request, certify
from sokoasp.engine.task import Task
from sokoasp.klotski import space_counts
from sokoasp.sokoban import search
from sokoasp.sokoban.level import Level
from tests.commands import python
from tests.instances import FOLDER, levels, written

LEVEL = levels("tutorial/tutorial.xsb")[1]
BEST = search.solve(LEVEL, "pushes", engine="reference").value


def _raises(*_: Any, **__: Any) -> Any:
    raise KeyboardInterrupt


def _ends(level: Level, objective: str, *_: Any) -> Result:
    return Result(Status.INTERRUPTED, objective, "forward", stopped_by="interrupt")


def _put(monkeypatch: pytest.MonkeyPatch, second: Any) -> None:
    """Have the game's second engine answer like this."""
    changed = DOMAIN._replace(search=DOMAIN.search._replace(second=second))
    monkeypatch.setattr("sokoasp.engine.domain_of", lambda problem: changed)


def nothing_said(**asked: Any) -> None:
    """Solve; it was interrupted before there was a plan to look at."""
    found = solve(LEVEL, **asked)
    assert (found.status, found.stopped_by, found.exit_code) == (Status.INTERRUPTED, "interrupt", 130)
    assert found.plan is None and found.cross_check is None


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
    nothing_said(encoding="lines", limits=Limits(seconds=20))


def test_the_patience_of_doubts_is_counted_in_cpu_seconds() -> None:
    """A machine with other things to do may take minutes of the clock for a short answer."""
    asked: list[Limits] = []

    def second(limits: Limits) -> Result:
        asked.append(limits)
        return Result(Status.TIME_OUT, "lines", "reference", stopped_by="time")

    wall, spent = Limits().start(), CpuLimits().start()
    wall.began -= 1000.0
    probe = SolvabilityProbe(second, wall, spent, list(PROBES))
    spent.began = time.process_time() + 1000.0
    assert probe.check() is None and asked == []
    spent.began -= 2000.0
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
    monkeypatch.setitem(DOMAIN.search.native, "reference", _raises)  # type: ignore[attr-defined]
    nothing_said(engine="reference", cross_check=True)


def test_the_portfolio_before_it_has_anything_to_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoasp.engine.portfolio.by_asp", _raises)
    nothing_said(engine="portfolio")


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("looks", [0, 60])
def test_while_clingo_begins_to_look_ahead(looks: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A call that Ctrl-C has taken from its caller goes on: nothing of the program may be changed then."""
    made, seen = clingo_api.control, [0]

    def control(*given: Any) -> Any:
        found = made(*given)
        begin = found.solve

        def begun(*, on_model: Any = None, **how: Any) -> Any:
            handle = begin(on_model=on_model, **how)
            seen[0] += on_model is None
            if seen[0] > looks:
                signal.raise_signal(signal.SIGINT)
            return handle

        found.solve = begun
        return found

    monkeypatch.setattr(clingo_api, "control", control)
    never = written(tmp_path, "#program step(t).\n:- player_at(c4r4,t).\n")
    found = solve(levels("tutorial/tutorial.xsb")[8], objective="moves", constraints=(never,))
    assert (found.status, found.stopped_by) == (Status.INTERRUPTED, "interrupt") and found.lower_bound > looks


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
        list(grading.grade(program, [LEVEL], objective="lines", limits=Limits(seconds=20)))


def _knows_a_plan(level: Level, objective: str, *_: Any) -> Result:
    found = search.solve(level, objective, engine="reference")
    return replace(found, status=Status.SOLVED, lower_bound=0, stopped_by="interrupt")


@pytest.mark.parametrize(("native", "value"), [(_ends, None), (_raises, None), (_knows_a_plan, BEST)])
def test_no_certificate_is_made_of_it(native: Any, value: int | None, monkeypatch: Any, tmp_path: Path) -> None:
    """It once said that no plan was found within the limits, of which there were none."""
    monkeypatch.setitem(DOMAIN.search.native, "native", native)
    made = certify(LEVEL, tmp_path / "new", Request("pushes"))
    assert (made.claim, made.value, made.reported) == (None, value, "interrupted")
    assert (made.stopped_by, made.exit_code) == ("interrupt", 130)
    assert not (tmp_path / "new").exists()
    with pytest.raises(KeyboardInterrupt):
        make_certificate(LEVEL, tmp_path, Request("pushes"))


@pytest.mark.parametrize("reached", [KeyboardInterrupt(), LimitReached("time")])
def test_the_plan_of_a_certificate_that_is_not_finished_is_still_known(
    reached: KeyboardInterrupt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def close(*_: Any) -> None:
        raise reached

    monkeypatch.setattr("sokoasp.engine.closed_lists.LevelCertifier._close", close)
    made = certify(LEVEL, tmp_path, Request("pushes", known=search.solve(LEVEL, "pushes", engine="reference").plan))
    assert (made.claim, made.value, made.stopped_by) == (None, BEST, cause(reached))
    if cause(reached) != "interrupt":
        found = solve(LEVEL, objective="pushes", engine="reference")
        row = certify_result(LEVEL, found, tmp_path / "none", Limits())
        assert row == {"folder": None, "checked": False, "note": "the time limit was reached"}


@pytest.mark.parametrize("words", [["--json"], []])
def test_certify_prints_its_row(words: list[str], monkeypatch: Any, tmp_path: Path) -> None:
    """Of the level it was at; the next one is not begun."""
    monkeypatch.setitem(DOMAIN.search.native, "native", _knows_a_plan)
    command = ["certify", "instances/tutorial/tutorial.xsb", "--objective", "pushes", "-o", str(tmp_path), *words]
    done = CliRunner().invoke(root, command)
    (line,) = done.stdout.splitlines()
    assert done.exit_code == 130
    if words:
        row = json.loads(line)
        assert (row["level"], row["value"], row["certified"], row["stopped_by"]) == (1, 1, False, "interrupt")
    else:
        assert line.startswith("instances/tutorial/tutorial.xsb:1: no certificate for the plan of 1 push: interrupted")


@pytest.mark.parametrize(
    ("where", "level", "words", "known"),
    [
        ("sokoasp.sokoban.examine.find_deadlock", 3, [], "none_found"),
        ("sokoasp.sokoban.examine.least", 3, [], "dead"),
        ("sokoasp.sokoban.examine.search.solve", 1, ["--exhaustive"], "none_found"),
    ],
)
def test_deadlock_prints_its_row(where: str, level: int, words: list[str], known: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(where, _raises)
    file = "instances/unsolvable/unsolvable.xsb" if known == "dead" else "instances/tutorial/tutorial.xsb"
    done = CliRunner().invoke(root, ["deadlock", file, "--json", *words, *(["--level", "3"] * (level == 3))])
    row = json.loads(done.stdout)
    assert (done.exit_code, row["level"], row["verdict"], row["stopped_by"]) == (130, level, known, "interrupt")


def test_stats_print_what_was_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoasp.sokoban.state_space.count", _raises)
    done = CliRunner().invoke(root, ["stats", "instances/tutorial/tutorial.xsb", "--json"])
    row = json.loads(done.stdout)
    assert (done.exit_code, row["level"], row["lower_bound_pushes"], row["stopped_by"]) == (130, 1, 1, "interrupt")
    shown = CliRunner().invoke(root, ["stats", "instances/tutorial/first.xsb"]).stdout.splitlines()
    assert shown[-2:] == [
        f"  {'reachable positions':<28} interrupted before it was counted",
        f"  {'stopped by':<28} interrupt",
    ]


def test_stats_of_a_board_print_what_was_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes when the positions by slides are counted, and those by units are not."""
    explore = space_counts.explore

    def interrupted(space: Any, *more: Any, **how: Any) -> Any:
        return explore(space, *more, **how) if space.sliding else _raises()

    monkeypatch.setattr(space_counts, "explore", interrupted)
    done = CliRunner().invoke(root, ["stats", "instances/klotski/hua-rong-dao.klotski", "--level", "1", "--json"])
    row = json.loads(done.stdout)
    assert (done.exit_code, row["reachable"] > 20_000, row["complete"]) == (130, True, False)
    assert (row["stopped_by"], row["greatest_units"]) == ("interrupt", 0)


def test_a_picture_is_not_drawn_of_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = tmp_path / "x.svg"
    command = ["render", "instances/tutorial/first.xsb", "--deadlock", "-o", str(out)]
    monkeypatch.setattr("sokoasp.sokoban.examine.find_deadlock", _raises)
    assert (run(command), out.exists()) == (130, False)


def test_a_picture_says_that_a_limit_has_ended_the_examination(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def late(*_: Any, **__: Any) -> Any:
        raise LimitReached("time")

    monkeypatch.setattr("sokoasp.sokoban.examine.find_deadlock", late)
    done = CliRunner().invoke(
        root, ["render", "instances/tutorial/first.xsb", "--deadlock", "-o", str(tmp_path / "x.svg")]
    )
    assert (done.exit_code, done.stderr) == (
        0,
        "note: instances/tutorial/first.xsb:1: no deadlock is marked: the examination was stopped by: time\n",
    )


def test_while_a_class_is_made(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Python 3.11 makes a RuntimeError of it there, as imports on the way may: an internal error, exit code 1."""

    def imports(**_: Any) -> None:
        raise RuntimeError("Error calling __set_name__ on 'Field' instance 'notes' in 'Notes'") from KeyboardInterrupt()

    monkeypatch.setattr(root, "main", imports)
    assert run([]) == 130
    assert capsys.readouterr().err.split() == ["interrupted"]


ENDED = """
import os, signal, sys
from sokoasp.cli import run
import sokoasp.engine as engine
rightly = engine.by_asp
def by_asp(domain, problem, task, on_step, watch):
    found = rightly(domain, problem, task, on_step, watch)
    {end}
    return found
engine.by_asp = by_asp
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests themselves may run under nohup
code = run(["solve", sys.argv[1], "--level", "2", "--engine", "asp", "--json"])
sys.stdout.flush()
os._exit(code)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGXCPU"), reason="no such signals here")
@pytest.mark.parametrize(
    "end",
    [
        "os.kill(os.getpid(), signal.SIGHUP)",
        "os.kill(os.getpid(), signal.SIGXCPU)",
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 60))\n    while True: pass",
    ],
)
def test_a_closed_terminal_and_the_end_of_the_cpu_time_are_as_ctrl_c(end: str) -> None:
    """What ended ``solve`` by a signal before, with its bound lost, prints a row."""
    file = str(FOLDER / "tutorial" / "tutorial.xsb")
    done = python(ENDED.format(end=end), file)
    row = json.loads(done.stdout)
    assert (done.returncode, row["status"], row["lower_bound"] > 0) == (130, "interrupted", True), done.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGXCPU"), reason="no such signals here")
def test_a_hard_limit_on_cpu_time_strikes_a_second_early() -> None:
    """``ulimit -t`` sets both limits, and at the hard one the system kills."""
    code = (
        "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (50, 50))\nfrom sokoasp.cli import run\n"
        "run(['--version'])\nprint(*resource.getrlimit(resource.RLIMIT_CPU))"
    )
    done = python(code, check=True)
    assert done.stdout.splitlines()[-1] == "49 50"


def test_nohup_still_holds() -> None:
    code = "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\nfrom sokoasp.cli import run\n"
    code += "run(['--version'])\nprint(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"
    done = python(code, check=True)
    assert done.stdout.splitlines()[-1] == "True"
