"""``--progress``: what a run reports while it goes on, by every engine."""

import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp import sat
from sokoasp.cli import root, rows
from sokoasp.cli.files import Found
from sokoasp.cli.rows import sentence
from sokoasp.core import kernels, progress
from sokoasp.core.limits import Limits
from sokoasp.core.progress import Moment
from sokoasp.engine import Task, solve
from sokoasp.klotski import notation
from sokoasp.sokoban import formats
from tests.commands import FIRST, TUTORIAL, run
from tests.instances import FOLDER


@pytest.mark.parametrize("engine", ["asp", "reference", "native", "any", "portfolio", "sat"])
def test_every_engine_notes_its_bound_and_its_plan(engine: str) -> None:
    if engine not in ("asp", "reference") and not kernels.status().there:
        pytest.skip("no compiled kernels")
    if engine == "sat" and not sat.available():
        pytest.skip("needs python-sat")
    level = formats.read(Path(TUTORIAL).read_text(encoding="utf-8"))[8]
    with progress.watched() as board:
        found = solve(level, Task(engine=engine, cross_check=False))
        last = board.now()
    assert last.plan == found.value or engine == "reference"
    assert last.bound is not None and last.bound <= 4 and last.memory_mb > 1


def test_nothing_is_told_where_nobody_looks() -> None:
    assert run("solve", FIRST).stderr == ""
    assert run("solve", FIRST, "--progress", "none").stderr == ""


@pytest.mark.parametrize("more", [[], ["--constraints", "cost.lp", "--at-most", "8", "--clingo-option=--conf=trendy"]])
def test_json_lines_tell_bound_and_plan_to_the_end(more: list[str], tmp_path: Path) -> None:
    (tmp_path / "cost.lp").write_text("#program step(t).\n:~ push(_,up,_,t). [1,t]\n")
    words = ["solve", TUTORIAL, "--level", "9", "--progress", "json", "--json", "--no-cross-check"]
    done = run(*words, *more, cwd=tmp_path)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert lines[-1].keys() == {"file", "level", "gap", *Moment._fields}
    last = {name: lines[-1][name] for name in ("file", "level", "bound", "plan", "gap")}
    assert last == {"file": TUTORIAL, "level": 9, "bound": 4, "plan": json.loads(done.stdout)["value"], "gap": 0}


def test_a_klotski_search_notes_its_bound() -> None:
    (board, *_) = notation.read((FOLDER / "klotski" / "hua-rong-dao.klotski").read_text(encoding="utf-8"))
    with progress.watched() as seen:
        found = solve(board)
        last = seen.now()
    assert last.expanded > 100 and last.bound == found.value == 34


def test_notes_only_get_better_and_others_note_nothing() -> None:
    progress.note(bound=3)  # nobody watches: nothing happens
    with progress.watched() as board:
        progress.note(stage="searching", bound=5, plan=9, expanded=10)
        progress.note(bound=4, plan=11, expanded=5)
        with progress.at("pattern databases of 4 boxes"):
            assert board.stage == "pattern databases of 4 boxes"
        with progress.unwatched("cross-check"):
            progress.note(stage="searching", bound=99, plan=1, expanded=1000)
            assert board.stage == "cross-check"
        progress.note_other("helper", 100)
        progress.note_other("helper", 120)
        moment = board.now()
    assert (moment.stage, moment.bound, moment.plan, moment.gap, moment.expanded) == ("searching", 5, 9, 4, 135)


def test_the_rate_is_that_of_late(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    with progress.watched() as board:
        board.now()
        for _ in range(10):
            now[0] += 1
            progress.note(expanded=50)
            moment = board.now()
    assert moment.rate == 50 and moment.seconds == 10


def test_the_line_on_a_terminal() -> None:
    moment = Moment("searching (forward)", 12.4, 21, 25, 153000, 12400.4, 350.2)
    assert sentence(moment) == (
        "searching (forward), 12 s, at least 21, plan 25 (gap 4), 153,000 expanded (12,400/s), 350 MB"
    )
    assert sentence(Moment("preparing", 0.0, 0, None, 0, 0.0, 30.0)) == "preparing, 0 s, 30 MB"


HALL = "\n".join(["#" * 16, "#@" + " " * 13 + "#", *["#" + " " * 14 + "#", "# $ $ $  . . . #"] * 6, "#" * 16, ""])


@pytest.mark.parametrize("words", [["solve", "-", "--engine", "reference"], ["certify", "-", "-o", "made"]])
def test_a_long_run_says_what_it_does_where_no_terminal_shows_it(
    words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """After ten seconds, then after twice as long each time; here a hundred times as fast."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rows, "FIRST_LINE", 0.1)
    monkeypatch.setattr(rows, "_BEAT", 0.05)
    done = CliRunner().invoke(root, [*words, "--time-limit", "0.7"], input=HALL)
    lines = [line for line in done.stderr.splitlines() if line.startswith("-:1: ")]
    assert len(lines) >= 2 and all(" s, " in line and line.endswith(" MB") for line in lines), done.stderr
    silent = CliRunner().invoke(root, [*words, "--time-limit", "0.3", "--progress", "none"], input=HALL)
    assert "-:1: " not in silent.stderr


class Hundred:
    """An event that is set after a hundred seconds, which take no time."""

    def __init__(self) -> None:
        self.now = 0.0

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        return self.now > 100


def test_lines_come_after_twice_as_long_and_the_first_says_how_to_limit_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = Hundred()
    monkeypatch.setattr(time, "perf_counter", lambda: ended.now)
    with progress.watched() as board:
        progress.note(stage="searching", bound=5, plan=9)
        rows._now_and_then(board, "a.xsb:1", "; ADVICE; if never met", ended)  # type: ignore[arg-type]
    lines = capsys.readouterr().err.splitlines()
    heads = [f"a.xsb:1: searching, {seconds} s, at least 5, plan 9 (gap 4)" for seconds in (10, 20, 40, 80)]
    assert [line.rsplit(",", 1)[0] for line in lines] == heads
    assert [line.endswith("; ADVICE") for line in lines] == [True, False, False, False]


def test_a_run_with_a_limit_gets_no_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []
    monkeypatch.setattr(rows, "_now_and_then", lambda board, name, advice, ended: heard.append(advice))
    for limits, endless in ((Limits(), True), (Limits(seconds=9), False)):
        with rows.shown("auto", Found("a.xsb", 1, None, None, "a", alone=True), limits, endless):
            pass
    endless_too = "; if the constraints can never be met, it may have no other end"
    assert heard == [f"; --time-limit S ends it with the best so far{endless_too}", ""]
