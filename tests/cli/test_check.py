"""What players have: moves on the command line, files with metadata, several solutions, the level's own."""

import gzip
import os
from pathlib import Path
from threading import Thread

import pytest

from tests.commands import FIRST, rows, run
from tests.instances import written

LEVEL = "#######\n#@ $ .#\n#######\n"


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("Author: me\nDate: today\nSolution: rRR\n", 0, ["valid"]),
        ("Solution:\nrR\nR\n", 0, ["valid"]),
        ("Title: x\nSolution: rRR\nAuthor: y\nSolution (Ann): r2R\n", 0, ["solution 1: valid", "solution 2: valid"]),
        ("Moves: rRR\n\nsome words here\n\nSolution: rR\n", 30, ["solution 1: valid"]),
        ("hello\n", 30, []),
    ],
)
def test_files_with_metadata(text: str, code: int, said: list[str], tmp_path: Path) -> None:
    path = written(tmp_path, text, "plan.lurd")
    done = run("check", FIRST, str(path))
    assert done.returncode == code and "Traceback" not in done.stderr
    assert [line.split(": 1 line")[0] for line in done.stdout.splitlines()] == said
    assert run("solve", FIRST, "--plan", str(path)).returncode == (0 if said else 30)


def test_moves_on_the_command_line(tmp_path: Path) -> None:
    assert run("check", FIRST, "rRR").stdout == "valid: 1 line, 2 pushes, 3 moves\n"
    assert run("check", FIRST, "r2R").returncode == 0
    parts, own = "push(c4r2,right,c5r2,1). push(c5r2,right,c6r2,2).", tmp_path / "own.lp"
    own.write_text(run("translate", FIRST, "--format", "facts", "--steps", "3").stdout)
    assert run("check", own, "-", stdin=parts).stderr == "", "so many were asked for"
    done = run("check", FIRST, "-", stdin=parts)
    assert done.stderr == "warning: its 2 actions are 1 line: one box pushed on in one direction is one line\n"
    assert run("check", FIRST, "rR\nR ").returncode == 0
    assert run("check", FIRST, "rl" * 5_000 + "rRR").stdout == "valid: 1 line, 2 pushes, 10,003 moves\n"
    done = run("check", FIRST, "rRRR", "--json")
    assert (done.returncode, rows(done)[0]["at"]) == (30, 4)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_plan_that_a_shell_has_written(encoding: str, tmp_path: Path) -> None:
    """Some shells of Windows write UTF-16 with a byte order mark where output is redirected."""
    (tmp_path / "plan.txt").write_text("rRR\r\n", encoding=encoding)
    assert run("check", FIRST, str(tmp_path / "plan.txt")).stdout == "valid: 1 line, 2 pushes, 3 moves\n"
    level = tmp_path / "first.xsb"
    level.write_text(Path(FIRST).read_text(), encoding=encoding)
    level.with_suffix(".sol").write_text("rRR\r\n", encoding=encoding)
    assert run("check", str(level)).stdout == "valid: 1 line, 2 pushes, 3 moves\n"


def test_a_packed_plan_is_told_from_a_wrong_one(tmp_path: Path) -> None:
    (tmp_path / "plan.gz").write_bytes(gzip.compress(b"rRR"))
    assert (
        "plan.gz:1:1: E-ENCODING this file is packed by gzip" in run("check", FIRST, str(tmp_path / "plan.gz")).stderr
    )


def test_moves_in_capitals_alone_may_be_read_without_case(tmp_path: Path) -> None:
    (tmp_path / "plan").write_text("Author: Ann\nRRR\n")
    for plan in ("RRR", str(tmp_path / "plan")):
        done = run("check", FIRST, plan)
        assert (
            done.returncode == 30 and "letters are capitals: to read them without case, check --ignore" in done.stderr
        )
        assert run("check", FIRST, plan, "--ignore-case").stdout == "valid: 1 line, 2 pushes, 3 moves\n"
    assert not any("capitals" in run("check", FIRST, moves).stderr for moves in ("lRR", "RR", "LLL"))
    assert "walks into a wall" in run("check", FIRST, "LLL", "--ignore-case").stderr


def test_a_plan_through_a_named_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "plan"
    os.mkfifo(pipe)
    Thread(target=pipe.write_text, args=["rRR"], daemon=True).start()
    assert run("check", FIRST, str(pipe)).stdout == "valid: 1 line, 2 pushes, 3 moves\n"


def test_the_solutions_that_come_with_the_level(tmp_path: Path) -> None:
    path = written(tmp_path, LEVEL + "Solution: rRR\nSolution: rR\n", "own.sok")
    done = run("check", str(path))
    assert done.returncode == 30 and "solution 1: valid" in done.stdout and "solution 2" in done.stderr
    path.write_text(LEVEL)
    done = run("check", str(path))
    assert done.returncode == 30 and "no solution came with the level: give a PLAN" in done.stderr


def test_a_plan_that_stops_short_is_reported_at_its_own_file(tmp_path: Path) -> None:
    short = tmp_path / "short.lurd"
    out = str(tmp_path / "made")
    for moves in ("rR", "rr"):
        short.write_text(moves)
        for words in (["check"], ["improve"], ["solve", "--plan"], ["certify", "-o", out, "--plan"]):
            done = run(words[0], FIRST, *words[1:], str(short))
            assert done.returncode == 30 and done.stderr.startswith(f"error: {short}: after ")
            assert "1 goal is empty: row 1, column 5" in done.stderr
        done = run("render", FIRST, str(short), "-o", f"{out}.html")
        assert done.returncode == 30 and "1 goal is empty" in done.stderr and str(short) in done.stderr


def test_of_several_answers_it_is_said_that_the_last_is_refereed() -> None:
    text = "Answer: 1\npush(c4r2,right,c5r2,1)\nAnswer: 2\npush(c4r2,right,c6r2,1)\nSATISFIABLE\n"
    json = '{"Call": [{"Witnesses": [{"Value": []}, {"Value": ["push(c4r2,right,c6r2,1)"]}]}]}'
    for done in (run("check", FIRST, "-", stdin=one) for one in (text, json)):
        assert done.returncode == 0 and done.stderr == "note: <stdin> has 2 answers, of which the last is refereed\n"
