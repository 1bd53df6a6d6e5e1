"""The command line as a process, as scripts use it: exit codes, JSON lines, one clear sentence for every fault."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

from sokoasp.cli import root, solve
from sokoasp.cli.common import known_of
from sokoasp.cli.files import Found, Source
from sokoasp.cli.rows import each
from sokoasp.core.result import STOPPED, Result, Status
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.sokoban import formats, rules
from tests.commands import FIRST, TUTORIAL, UNSOLVABLE, rows, run
from tests.instances import FOLDER, written


def test_solve_text() -> None:
    done = run("solve", FIRST)
    assert done.returncode == 0 and "optimal, 1 line (2 pushes, 3 moves)" in done.stdout
    assert "rRR" in done.stdout and done.stderr == ""


@pytest.mark.parametrize(("output", "expected"), [("lurd", "rRR\n"), ("push", "push(c4r2,right,c6r2,1).\n")])
def test_solve_output_for_scripts(output: str, expected: str) -> None:
    assert run("solve", FIRST, "--output", output).stdout == expected


def test_solve_from_stdin_and_facts() -> None:
    facts = run("translate", FIRST, "--to", "facts").stdout
    done = run("solve", "-", "--json", "--objective", "pushes", stdin=facts)
    assert rows(done)[0]["value"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["solve", "no-such-file.xsb"], 2, "does not exist"),
        (["solve", FIRST, "--engine", "magic"], 2, "asp"),
        (["solve", FIRST, "--time-limit", "0"], 2, "--time-limit"),
        (["solve", FIRST, "--steps", "0"], 2, "--steps"),
        (["solve", FIRST, "--encoding", "competition"], 30, "--steps N"),
        (["solve", FIRST, "--level", "2"], 30, "the file has 1 level"),
        (["translate", FIRST, "--to", "morse"], 2, "xsb"),
        ([], 2, "Usage"),
    ],
)
def test_faults_are_one_sentence_with_the_right_code(arguments: list[str], code: int, words: str) -> None:
    done = run(*arguments)
    assert done.returncode == code and words in done.stderr + done.stdout


@pytest.mark.parametrize(
    "text", ["", "hello\n", "#####\n#@$ #\n#####\n", "####\n#@$.\n####\n", "box(a). sokoban(b).", "\x00\x01\x02"]
)
def test_nonsense_input_is_exit_code_30_with_a_place(text: str) -> None:
    for command in (["solve", "-"], ["stats", "-"], ["translate", "-", "--to", "facts"]):
        done = run(*command, stdin=text)
        assert done.returncode == 30 and "error: <stdin>" in done.stderr


def test_competition_question() -> None:
    assert run("solve", FIRST, "--steps", "3").returncode == 0 and run("solve", FIRST, "--steps", "2").returncode == 0
    assert run("solve", FIRST, "--steps", "1").returncode == 12


def test_round_trip_through_facts() -> None:
    facts = run("translate", TUTORIAL, "--level", "8", "--to", "facts", "--steps", "4").stdout
    back = run("translate", "-", "--to", "xsb", stdin=facts).stdout
    direct = run("translate", TUTORIAL, "--level", "8", "--to", "xsb").stdout
    picture = [line for line in back.splitlines() if "#" in line]
    assert picture == [line for line in direct.splitlines() if "#" in line]
    assert "next(3,4)." in facts


@pytest.mark.parametrize(
    ("plan", "code", "words"),
    [
        ("rRR", 0, "valid: 1 line, 2 pushes, 3 moves"),
        ("r2R", 0, "valid"),
        ("rrr", 0, "valid"),
        ("push(c4r2,right,c6r2,1).", 0, "valid"),
        ("clingo version 5.8\nAnswer: 1\npush(c4r2,right,c6r2,1)\nSATISFIABLE\n", 0, "valid"),
        ('{"Call": [{"Witnesses": [{"Value": ["push(c4r2,right,c6r2,1)"]}]}], "Result": "SATISFIABLE"}', 0, "valid"),
        ("rR", 30, "1 goal is empty"),
        ("rRRR", 30, "move 4"),
        ("l", 30, "walks into a wall at row 1, column 0"),
        ("push(c4r2,right,c5r2,1).", 30, "1 goal is empty"),
        ("push(c4r2,up,c4r1,1).", 30, "c4r1"),
        ("push(c2r2,right,c6r2,1).", 30, "no box stands there"),
        ("what is this", 30, "<stdin>"),
    ],
)
def test_check(plan: str, code: int, words: str) -> None:
    done = run("check", FIRST, "-", stdin=plan)
    assert done.returncode == code and words in done.stdout + done.stderr


def test_check_with_steps_is_exact() -> None:
    assert run("check", FIRST, "-", "--steps", "2", stdin="rRR").returncode == 0
    done = run("check", FIRST, "-", "--steps", "3", stdin="rRR")
    assert done.returncode == 30 and "exactly 2" in done.stderr


def test_stats() -> None:
    row = rows(run("stats", TUTORIAL, "--level", "8", "--json"))[0]
    assert (row["floor_cells"], row["width"], row["height"]) == (22, 8, 6)
    assert (row["box_placements"], row["placements_with_one_more"]) == (1540, 7315)
    done = run("stats", FIRST).stdout
    assert "boxes" in done and "none" not in done
    cut, dead = (run("stats", *asked, "--time-limit", "0").stdout for asked in ((FIRST,), (UNSOLVABLE, "--level", "1")))
    assert "regions                      not counted within the time limit" in cut
    assert "lower bound pushes           none, as there is no plan" in dead


def test_stats_of_a_board_that_was_not_counted_in_time_are_least_counts() -> None:
    board = FOLDER / "klotski" / "hua-rong-dao.klotski"
    done = run("stats", str(board), "--level", "1", "--time-limit", "0").stdout
    assert "complete                     no" in done and "greatest slides from here    at least 0" in done


def test_shown_program_runs_in_plain_clingo() -> None:
    import clingo

    control = clingo.Control()
    control.add("base", [], run("encodings", "show", "competition").stdout)
    control.add("base", [], run("translate", FIRST, "--to", "facts", "--steps", "2").stdout)
    control.ground([("base", [])])
    shown: list[str] = []
    control.solve(on_model=lambda model: shown.extend(map(str, model.symbols(shown=True))))
    assert shown == ["push(c4r2,right,c6r2,1)"]


@pytest.mark.parametrize(("name", "last"), [("lines", 1), ("pushes", 3), ("moves", 5)])
def test_shown_incremental_program_runs_in_plain_clingo(name: str, last: int, tmp_path: Path) -> None:
    clingo = shutil.which("clingo")
    if clingo is None:
        pytest.skip("no clingo program (Debian package gringo)")
    (tmp_path / "p.lp").write_text(run("encodings", "show", name).stdout)
    (tmp_path / "f.lp").write_text(run("translate", TUTORIAL, "--level", "3", "--to", "facts").stdout)
    done = subprocess.run(
        [clingo, "p.lp", "f.lp"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert f"Calls        : {last + 1}" in done.stdout, done.stdout
    assert "#include <incmode>" not in run("encodings", "show", "lines-forward").stdout


HARD = "\n".join(["#" * 16, "#@" + " " * 13 + "#", *["#" + " " * 14 + "#", "# $ $ $  . . . #"] * 6, "#" * 16, ""])
"""Eighteen boxes in an empty hall: clingo does not even settle the first bound."""


def _wait_for_clingo(pid: int) -> None:
    """Wait until the process has loaded clingo, and two seconds more so that it is solving."""
    maps = Path(f"/proc/{pid}/maps")
    if not maps.exists():
        pytest.skip("no /proc to see how far the process is")
    for _ in range(300):
        if "clingo" in maps.read_text():
            break
        time.sleep(0.1)
    time.sleep(2)


def _hear_interrupts() -> None:
    """Undo what a shell does to the background jobs of a script, which the tests may be: it has them ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_interrupt_prints_what_is_known_and_leaves_with_130() -> None:
    command = [sys.executable, "-m", "sokoasp", "solve", "-", "--json", "--no-cross-check", "--encoding", "lines"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=_hear_interrupts
    ) as process:
        process.stdin.write(HARD.encode())
        process.stdin.close()
        process.stdin = None
        try:
            _wait_for_clingo(process.pid)
            os.kill(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()  # one that has not heard it would solve on for hours
    assert b"Traceback" not in err and process.returncode == 130
    row = json.loads(out)
    assert row["stopped_by"] == "interrupt" and row["lower_bound"] > 0


def test_an_interrupt_that_a_level_survives_begins_no_other() -> None:
    """An engine that takes it for the end of its own work may settle its level by what it has."""
    seen = []

    def act(level: Found) -> int:
        seen.append(level.number)
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return 0

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with click.Context(root):
        assert each(Source((TUTORIAL,)).levels(), act) == 130 and seen == [1]
    signal.signal(signal.SIGINT, before)


def test_time_limit_keeps_the_bound() -> None:
    done = run("solve", "-", "--json", "--no-cross-check", "--time-limit", "1", "--encoding", "lines", stdin=HARD)
    assert done.returncode == 20
    row = rows(done)[0]
    assert (row["status"], row["stopped_by"]) == ("time_out", "time") and row["lower_bound"] > 0


@pytest.mark.parametrize(
    ("suffix", "flags", "start"),
    [
        ("svg", [], b"<svg"),
        ("svg", ["--deadlock"], b"<svg"),
        ("svg", ["--units"], b"<svg"),
        ("svg", ["--after", "r"], b"<svg"),
        ("html", [], b"<!doctype html>"),
    ],
)
def test_render(tmp_path: Path, suffix: str, flags: list[str], start: bytes) -> None:
    path = tmp_path / f"picture.{suffix}"
    level = ["3"] if flags else ["1"]
    file = UNSOLVABLE if flags else TUTORIAL
    assert run("render", file, "--level", *level, "-o", str(path), *flags).returncode == 0
    assert start in path.read_bytes()[:200]
    plain = tmp_path / "plain.svg"
    if flags:
        run("render", file, "--level", *level, "-o", str(plain))
        assert plain.read_bytes() != path.read_bytes()


def test_deadlock_and_walk() -> None:
    done = run("deadlock", UNSOLVABLE, "--json")
    assert done.returncode == 11 and [row["verdict"] for row in rows(done)] == ["dead"] * 5
    assert {"kind", "cells", "boxes", "reason", "source"} <= set(rows(done)[0])
    region = run("deadlock", str(FOLDER / "deadlocks" / "region.xsb"), "--level", "1").stdout
    pulled = str(FOLDER / "deadlocks" / "pulled-region.xsb")
    assert run("deadlock", pulled, "--level", "2", "--reverse", "1").returncode == 11
    assert run("deadlock", pulled, "--level", "3", "--reverse", "1").returncode == 0
    assert run("deadlock", pulled, "--level", "2", "--reverse", "1", "--exhaustive").returncode == 2
    assert "##!###!##" in region and "##~~~~~##" in region
    assert run("deadlock", TUTORIAL, "--level", "2").returncode == 0
    alive = rows(run("deadlock", TUTORIAL, "--level", "2", "--exhaustive", "--json", "--time-limit", "3600"))[0]
    assert alive["verdict"] == "alive"
    assert run("check", TUTORIAL, "-", "--level", "2", stdin=str(alive["plan"])).returncode == 0
    assert run("deadlock", TUTORIAL, "--level", "2", "--after", "xyz").returncode == 30
    impossible = run("deadlock", FIRST, "--after", "rl" + "l")
    assert impossible.returncode == 30
    assert f"{FIRST}:1 --after: move 3 ('l') walks into a wall at row 1, column 0" in impossible.stderr
    for command in (["deadlock", FIRST], ["render", FIRST, "--format", "svg", "-o", "-"]):
        done = run(*command, "--after", str(FOLDER / "tutorial" / "first.lurd"))
        assert done.stdout == run(*command, "--after", "rRR").stdout != "" == done.stderr
    walk = run("deadlock", FIRST, "--after", "R")
    assert (walk.returncode, walk.stderr) == (30, f"error: {FIRST}:1 --after: move 1 (R): it does not push a box\n")
    one = run("walk", TUTORIAL, "--level", "2", "--to", "1,1", "--method", "touch")
    assert one.returncode == 0 and one.stdout.startswith("touch ") and len(one.stdout.splitlines()) == 1


def test_klotski_by_the_same_commands(tmp_path: Path) -> None:
    board = written(tmp_path, "goal: a 0,1\n\na.\n..\n", "small.klotski")
    assert rows(run("solve", str(board), "--json"))[0]["value"] == 1 and "reachable" in run("stats", str(board)).stdout
    plan = run("solve", str(board), "--output", "push").stdout
    assert run("check", str(board), "-", stdin=plan).returncode == 0
    again = run("translate", str(board), "--to", "line").stdout
    assert rows(run("solve", "-", "--json", "--engine", "native", stdin=again))[0]["value"] == 1


@pytest.mark.parametrize("text", ["hello\n", "99999999#\n"])
def test_a_bare_word_is_no_board(text: str) -> None:
    done = run("solve", "-", stdin=text)
    assert done.returncode == 30 and "goal" not in done.stderr


@pytest.mark.parametrize(("stopped", "known"), [("time", True), ("interrupt", True), (None, False)])
def test_what_the_table_knows_is_printed_beside_an_answer_that_is_open(stopped: str | None, known: bool) -> None:
    (level,) = formats.read(Path(FIRST).read_text())
    status = Status.OPTIMAL if stopped is None else STOPPED[stopped]
    result = Result(status, "lines", "asp", stopped_by=stopped)
    assert (
        "known optimum 1 line (" in solve._report(Found(FIRST, 1, level, DOMAIN, "first", alone=True), result)
    ) is known


def test_improve_tells_what_the_table_knows() -> None:
    words = ["improve", TUTORIAL, "lluurDldRRRUruLLL", "--level", "9", "--objective", "moves", "--time-limit", "1e-6"]
    assert "\n  known optimum 13 moves (tutorial/tutorial.xsb 9; " in run(*words).stdout


@pytest.mark.parametrize(("value", "lower", "told"), [(None, 4, 1), (None, 5, 0), (9, 5, 1)])
def test_an_open_row_of_the_table_is_told_if_it_says_more(value: int | None, lower: int, told: int) -> None:
    row = {"status": "open", "value": value, "bound": 5, "origin": "set 1", "version": "0"}
    game = SimpleNamespace(known=SimpleNamespace(optimum=lambda *_: row))  # no level of ours has such a row
    found = known_of(
        Found(FIRST, 1, None, game, "first", alone=True), Result(Status.TIME_OUT, "lines", "asp", lower_bound=lower)
    )
    assert len(found) == told


def test_an_answer_says_what_was_not_counted_and_no_bound_of_nothing() -> None:
    (level,) = formats.read(Path(FIRST).read_text())
    found = Result(Status.SOLVED, "lines", "asp", value=1, plan=rules.plan_from_lurd(level, "rRR"), count=1_234)
    assert solve._answers(found) == ["  plans: 1,234"]
    assert solve._answers(replace(found, stopped_by="time")) == ["  plans: 1,234 or more"]
    heads = [
        solve._headline(Found(FIRST, 1, level, DOMAIN, "first", alone=True), replace(found, lower_bound=bound, value=3))
        for bound in (0, 2, 3)
    ]
    assert ["needed" in head for head in heads] == [False, True, False]


def test_stats_leaves_the_longest_number_that_is_read_as_it_was() -> None:
    before = sys.get_int_max_str_digits()
    assert CliRunner().invoke(root, ["stats", FIRST]).exit_code == 0 and sys.get_int_max_str_digits() == before > 0


def test_several_levels_by_their_numbers() -> None:
    def numbers(levels: str) -> list[int]:
        return [row["level"] for row in rows(run("stats", TUTORIAL, "--level", 8, "--level", levels, "--json"))][:-1]

    assert (numbers("2-3,5"), numbers("4,1,1-2"), numbers("3-3")) == ([2, 3, 5], [1, 2, 4], [3])
    for wrong in ("3-1", "1-2-3", "a", "1-", "0-2", "1,,2"):
        done = run("stats", TUTORIAL, "--level", wrong)
        assert done.returncode == 2 and "--level" in done.stderr, wrong
    done = run("stats", TUTORIAL, "--level", "1,98-99", "--json")
    assert done.returncode == 30 and "there is no level 98" in done.stdout + done.stderr
