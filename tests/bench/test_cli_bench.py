import json
import signal
import sqlite3
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.commands import run

from .conftest import ASP, REFERENCE, SUITE

BOARD = "######\n#@ $.#\n######\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_campaign_that_was_interrupted_says_how_it_goes_on(tmp_path: Path) -> None:
    slow = '[[systems]]\nname = "slow"\nkind = "external"\ncommand = "sleep 60"\noutput = "lurd"\n'
    (tmp_path / "suite.toml").write_text(SUITE + slow)
    hearing = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a script's background jobs ignore it
    command = [sys.executable, "-m", "sokoasp", "bench", "run", "suite.toml", "-o", "out"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=hearing) as process:
        process.stderr.readline()  # it has begun
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=60)[1]
    assert "the runs made so far are in out: the same command goes on\n" in told and process.returncode == 130


def test_run_report_and_export(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE + REFERENCE + ASP)
    done = run("bench", "run", "suite.toml", "-o", "out")
    assert done.returncode == 0 and done.stderr.splitlines()[-1].startswith("test: 6 of 6 runs, ")
    assert "6 runs, 0 of them done before" in done.stdout and "optimal 6" in done.stdout
    done = run("bench", "report", "out", "--no-plots")
    assert done.returncode == 0 and not (tmp_path / "out" / "plots" / "cactus-lines.pdf").exists()
    assert "out/report.html" in done.stdout
    run("bench", "run", "suite.toml", "-o", "half", "--part", "0/2")
    run("bench", "report", "half", "--no-plots")
    assert "2 runs of the suite are still to be made." in (tmp_path / "half" / "report.md").read_text()
    done = run("bench", "export", "out", "--to", "jsonl")
    assert [json.loads(line)["outcome"] for line in done.stdout.splitlines()] == ["optimal"] * 6
    done = run("bench", "export", "out", "-o", "rows.csv")
    assert done.returncode == 0 and len((tmp_path / "rows.csv").read_text().splitlines()) == 7
    assert run("bench", "export", "out", "-o", "rows.jsonl").returncode == 0
    assert [json.loads(line)["value"] is None for line in (tmp_path / "rows.jsonl").open()] == [False] * 6
    done = run("bench", "export", "out", "-o", "rows.xyz")
    assert done.returncode == 2 and "rows.xyz ends in neither .csv nor .jsonl: give --format" in done.stderr
    assert not (tmp_path / "rows.xyz").exists()
    assert run("bench", "export", "out", "-o", "rows.xyz", "--to", "csv").returncode == 0


def test_a_board_that_comes_twice_is_told_and_the_plan_that_came_with_it_is_in_the_report(tmp_path: Path) -> None:
    suite = 'title = "t"\nobjectives = ["moves", "lines"]\ninstances = [{files = ["*.xsb"]}]\nsystems = ['
    suite += '{name = "d", kind = "deadlock"}, {name = "c", kind = "encoding", encoding = "competition", steps = 2}]'
    for name, text in {"a.xsb": BOARD, "b.xsb": BOARD, "a.sol": "rR\n", "t.toml": suite}.items():
        (tmp_path / name).write_text(text)
    done = run("bench", "run", "t.toml", "-o", "out")
    said = "t.toml:4: E-SUITE encoding 'competition' counts lines, not moves: give the system the key 'objectives'"
    assert done.returncode == 30 and f"error: {said}\n" in done.stderr
    (tmp_path / "t.toml").write_text(suite.replace("steps = 2", 'steps = 2, objectives = ["lines"]'))
    done = run("bench", "run", "t.toml", "-o", "out")
    assert "sokoasp: b.xsb:1 is the board of a.xsb:1: each board runs once\n" in done.stderr
    run("bench", "report", "out", "--no-plots")
    report = (tmp_path / "out" / "report.md").read_text()
    assert "| a.xsb:1 | 1 | 2 | 2 | unknown |" in report and "| a.xsb:1 | 1 | 1 | 1 | 0." in report


EXACT = """
[[systems]]
name = "exact"
kind = "encoding"
encoding = "mine.lp"
steps = 2
threads = 2
configuration = "trendy"
options = ["--heuristic=Domain"]
"""


def test_the_report_says_what_was_asked_of_whom_under_which_limits(tmp_path: Path) -> None:
    (tmp_path / "X").mkdir()
    run("encodings", "export", "competition", "-o", "X/mine.lp")
    sets = "".join(f"[[instances]]\nfiles = [{name!r}]\n" for name in ("t*b.[xs]*", "../tu.xsb"))
    systems = REFERENCE + EXACT + EXACT.replace("exact", "long").replace("steps = 2", "steps = 3")
    (tmp_path / "X/b.toml").write_text(f'title = "b"\n[limits]\ncores = 1\n{sets}{systems}')
    for n, name in enumerate(("X/tb", "X/twob", "tu")):
        (tmp_path / f"{name}.xsb").write_text(f"{'#' * (n + 5)}\n#@{' ' * n}$.#\n{'#' * (n + 5)}\n")
        (tmp_path / f"{name}.sol").write_text("r" * n + "R")
    done = run("bench", "run", "b.toml", "-o", "r", cwd=tmp_path / "X")
    assert done.stderr.count("left out: ") == 1 == done.stderr.count("sokoasp: left out: 2 .sol files of solutions\n")
    run("bench", "report", "r", "--no-plots", cwd=tmp_path / "X")
    report = (tmp_path / "X/r/report.md").read_text()
    assert f"\n| system | X | {tmp_path.name} |" in report and " | 2/2, " in report
    assert "Limits of a run: 60 s by the clock, 2048 MB, cores = 1. " in report
    questions = [part.partition("\n")[0] for part in report.split("\n## Objective: ")[1:]]
    assert questions == ["lines", "lines, steps = 2", "lines, steps = 3"]
    assert "\n| exact | 3 | 3 | 3 | " in report and "\n| long | 3 | 3 | 0 | " in report
    options = "encoding = mine.lp; options = --heuristic=Domain; configuration = trendy; threads = 2; steps = 2"
    assert f" | {options} |\n" in report and " | engine = reference |\n" in report
    assert options.replace("--", "-{}-") in (tmp_path / "X/r/tables/systems.tex").read_text()
    captions = (tmp_path / "X/r/tables/instances-lines.tex").read_text()
    assert "Level's plan: the cost of the one that came with it." in captions
    with sqlite3.connect(tmp_path / "X/r/runs.db") as db:  # each level's own plan has one line
        db.execute("UPDATE run SET value = 2, outcome = 'solved' WHERE value = 1")
    run("bench", "report", "r", "--no-plots", cwd=tmp_path / "X")
    assert "claims no plan with 2 lines; " in (tmp_path / "X/r/report.md").read_text()


def test_a_time_limit_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE + REFERENCE)
    assert run("bench", "run", "suite.toml", "-o", "out", "--time-limit", "7.5").returncode == 0
    assert run("bench", "report", "out", "--no-plots").returncode == 0
    assert "Limits of a run: 7.5 s by the clock" in (tmp_path / "out" / "report.md").read_text()


def test_a_bad_suite_or_program_is_one_sentence_before_any_run_and_errors_are_told_after_them(tmp_path: Path) -> None:
    (tmp_path / "mine.lp").write_text("psuh(1,1,1,1).\n")
    (tmp_path / "rule.lp").write_text(":- push(1,\n")
    mine = '[[systems]]\nname = "mine"\nkind = "encoding"\nencoding = "mine.lp"\n'
    ruled = mine.replace('encoding = "mine.lp"', 'constraints = ["rule.lp"]')
    unknown, faulty = "error: suite.toml:12: E-SUITE kind must be one of", f"error: {tmp_path}/mine.lp: nothing derives"
    syntax = f"error: {tmp_path}/rule.lp:2:1"
    for system, said in ((REFERENCE.replace("native", "naive"), unknown), (mine, faulty), (ruled, syntax)):
        (tmp_path / "suite.toml").write_text(SUITE + system)
        done = run("bench", "run", "suite.toml", "-o", "out")
        assert done.returncode == 30 and not (tmp_path / "out").exists()
        assert done.stderr.startswith(said) and done.stderr.count("\n") == 1
    both = SUITE.replace('["lines"]', '["moves", "moves"]') + REFERENCE + mine.replace("encoding", "sat", 1)
    idle = '[[systems]]\nname = "idle"\nkind = "sat"\nobjectives = ["lines"]\n'
    (tmp_path / "suite.toml").write_text(both.replace('encoding = "mine.lp"\n', idle))
    done = run("bench", "run", "suite.toml", "-o", "out")
    assert "error: mine, 3 runs: 01-box.sok:1" in done.stderr and "counts lines or pushes" in done.stderr
    assert done.stderr.count("\nwarning: system 'idle' has no runs: ") == 1
    assert done.returncode == 1 and done.stderr.endswith("\nerror: no run of mine came to anything\n")
    assert run("bench", "run", "suite.toml", "-o", "o", "--system", "ref*").returncode == 0


def test_a_folder_without_a_campaign_and_one_that_cannot_be_made_are_named(tmp_path: Path) -> None:
    for command in ("report", "export"):
        done = run("bench", command, ".")
        assert (done.returncode, done.stderr) == (30, "error: .: there is no campaign here (no runs.db)\n")
    (tmp_path / "file").touch()
    done = run("bench", "run", "smoke", "-o", "file/out")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: file/out: the output folder cannot be made: Not a directory\n"


def test_encodings_bench_goes_on_where_it_stopped(tmp_path: Path) -> None:
    (tmp_path / "a.xsb").write_text("#####\n#@$.#\n#####\n\n######\n#@ $.#\n######\n")
    words = ["encodings", "bench", "a.xsb", "--encoding", "lines", "-o", "out"]
    done = run(*words)
    assert done.returncode == 0 and "| lines | 2/2 |" in done.stdout and "| a:2 | lines | 1 |" in done.stdout
    again = run(*words)
    assert again.stdout == done.stdout and again.stderr == "programs: 2 of 2 runs, starting\n"
    assert run("bench", "view", "out").stdout == done.stdout
    (tmp_path / "bad.xsb").write_text("#####\n#@$ #\n#####\n")
    done = run("encodings", "bench", ".", "--encoding", "pushes", "--objective", "pushes")
    assert done.returncode == 0 and "| pushes | 2/2 |" in done.stdout
    assert "/bad.xsb:1: E-COUNT " in done.stderr


def test_encodings_bench_wants_programs_of_the_catalogue(tmp_path: Path) -> None:
    (tmp_path / "a.xsb").write_text("#####\n#@$.#\n#####\n")
    done = run("encodings", "bench", "a.xsb")
    assert done.returncode == 2 and "name encodings by --encoding or --leave-one-out" in done.stderr
    for option in ("--encoding", "--leave-one-out"):
        done = run("encodings", "bench", "a.xsb", option, "nonesuch")
        refusal = "error: there is no encoding 'nonesuch', nor is it a file that ends with .lp\n"
        assert (done.returncode, done.stderr) == (30, refusal)  # and no place in a suite that is ours
    for faulty in ("", "lines+", "./none.lp"):
        done = run("encodings", "bench", "a.xsb", "--encoding", faulty)
        assert done.returncode == 30 and "there is no encoding" in done.stderr


def test_wrong_answers_end_with_exit_code_1(tmp_path: Path) -> None:
    liar = '[[systems]]\nname = "liar"\nkind = "external"\ncommand = "echo L"\noutput = "lurd"\n'
    (tmp_path / "suite.toml").write_text(SUITE + liar)
    assert run("bench", "run", "suite.toml", "-o", "out").returncode == 1
    assert run("bench", "report", "out", "--no-plots").returncode == 1


@pytest.mark.slow
def test_the_examples_of_the_help_run_and_the_smoke_suite_has_nothing_to_complain_about(tmp_path: Path) -> None:
    from sokoasp.cli.bench import command

    for name in ("run", "report", "export"):
        epilog = command.commands[name].epilog or ""
        assert epilog.startswith("Example: sokoasp bench ")
        done = run(*epilog.removeprefix("Example: sokoasp ").split())
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "results" / "report.html").is_file() and (tmp_path / "runs.csv").is_file()
