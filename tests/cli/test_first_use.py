"""What a newcomer does with files and own options: nothing given is ignored, no fault is reported as another."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import sokoasp
from sokoasp.cli import deadlock
from sokoasp.core.limits import Limits
from sokoasp.sokoban import formats
from sokoasp.sokoban.examine import examine
from tests.commands import FIRST, TUTORIAL, rows, run

BOARD = "goal: A 0,1\nA.\n"
OWN = "instances/klotski/own.klotski"
CORNER = "#####\n#$  #\n#@ .#\n#####\n"
HALL = "#########\n#@      #\n# $   $ #\n# .   . #\n#       #\n#  $ .  #\n#       #\n#########\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", FIRST, "--clingo-option=-n0"], "-n0: say which plans you want by --models N and --then"),
        (["solve", FIRST, "--clingo-option=5"], "--clingo-option=5: say which plans you want"),
        (["solve", FIRST, "--count", "--clingo-option=--enum-mode=cautious"], "--enum-mode=cautious: say which plans"),
        (["solve", FIRST, "--count", "--clingo-option=-ebrave"], "-ebrave: say which plans you want"),
        (["solve", FIRST, "--then", "moves", "--clingo-option=--opt-mode=enum,9"], "=enum,9: say which plans"),
        (["solve", FIRST, "--count", "--clingo-option=--supp-models"], "only answer sets are plans"),
        (["solve", FIRST, "--count", "--clingo-option=--no-ufs-check"], "only answer sets are plans"),
        (["solve", FIRST, "--count", "--clingo-option=--project"], "--project: say which plans you want"),
        (["solve", FIRST, "--seed", "5"], "there is no option --seed; did you mean '--clingo-option'?"),
        (["stats", FIRST, "-o", "x"], "there is no option -o; > FILE keeps what it prints"),
        (["solve", FIRST, "--engine", "native", "--steps", "3"], "no --steps: that is for --engine asp or sat\n"),
        (["solve", FIRST, "--engine", "sat", "--then", "moves"], "no --then: that is for --engine asp or native\n"),
        (["solve", FIRST, "--engine", "sat", "--count"], "no --count: that is for --engine asp\n"),
        (["solve", TUTORIAL, "--plan", FIRST], "--plan is for one level: name one file, and its level with --level"),
        (["solve", FIRST, "--format", "lurd", "-o", "q/"], "q/ is the name of a folder, and this is one file"),
        (["solve", FIRST, "-o", "q.xsb"], "q.xsb is the name of levels, which --format sok writes"),
        (["bench", "run", "smoke", "-o", "q", "--set", "options=--x"], "(clingo does not take this option: "),
        (["improve", FIRST, "-o", "q.sol"], "q.sol would hold a collection: call it q.sok"),
        (["walk", FIRST, "--to", "²,1"], "is not ROW,COL"),
        (["walk", FIRST, "--to", "99,1"], "the cell (99,1) is outside of the level of 3 rows and 7 columns"),
        (["walk", FIRST, "--to", "0,0"], "the cell (0,0) is a wall"),
        (["render", FIRST, "rRx", "-o", "x.html"], "'rRx' is neither a file nor moves such as rRR"),
        (["stats", FIRST, "--time-limit", "nan"], "is no number"),
        (["stats", FIRST, "--time-limit", "soon"], "'soon' is not a valid number"),
        (["stats", FIRST, "--level", "One line"], "'One line' is not a valid whole number"),
        (["translate", FIRST, "--to", "xsb", "--steps", "3"], "--steps is for --format facts"),
        (["translate", OWN, "--level", "1", "--to", "facts", "--steps", "3"], "facts of klotski knows no steps"),
        (["translate", FIRST, "--to", "xsb", "-o", ""], "the name is empty"),
        (["render", FIRST, "-o", "x.html", "--deadlock"], "(svg, png), without a PLAN"),
        (["render", FIRST, FIRST.replace(".xsb", ".lurd"), "-o", "x.svg", "--units"], "(svg, png), without a PLAN"),
        (["render", FIRST, "-o", "x.svg", "--units", "--deadlock"], "give one of them"),
        (["render", OWN, "--level", "1", "-o", "x.svg", "--units"], "this is klotski"),
        (["solve", FIRST, "--steps", "100001"], "not in the range"),
        (["solve", FIRST, "--engine", "native", "--threads", "2", "--clingo-option=-t2"], "no --threads, --clingo-"),
        (["bench", "run", "smoke", "-o", "x", "--retry", "lots"], "no run ends as 'lots'"),
        (["bench", "run", "smoke", "-o", "x", "--workers", "2", "--cluster", "tcp://x:1"], "give it or --cluster"),
        (["bench", "run", "smoke", "-o", "x", "--part", "2/2"], "is not K/N with K from 0 to N-1"),
        (["walk", TUTORIAL, "--to", "1,1", "--level", "1-2"], "this is about one level"),
        (["solve", FIRST, "--proof", "x"], "--proof is for --engine sat, without --steps"),
        (["solve", FIRST, "--engine", "sat", "--steps", "3", "--proof", "x"], "is for --engine sat, without --steps"),
        (["solve", FIRST, "--plan", "rRR", "--models", "0"], "--plan does not go with --models"),
        (["solve", FIRST, "--plan", "rRR", "--constraints", FIRST], "--plan does not go with --constraints"),
        (["optima", FIRST, "--time-limit", "3"], "--time-limit goes with --verify or --certify"),
        (["encodings", "export", "lines", "--level", "2"], "--level and --steps are about a FILE"),
        (["solve", TUTORIAL, "--engine", "sat", "--objective", "moves"], "the sat engine counts lines or pushes of"),
        (["solve", TUTORIAL, "--engine", "reverse", "--objective", "moves"], "counts lines and pushes, not moves"),
    ],
)
def test_an_option_is_refused_rather_than_ignored(arguments: list[str], words: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count(words)) == (2, "", 1), done.stderr


def test_dash_is_stdout() -> None:
    assert run("translate", FIRST, "--to", "xsb", "-o", "-").stdout == run("translate", FIRST, "--to", "xsb").stdout
    assert run("render", FIRST, "-o", "-", "--format", "svg").stdout.startswith("<svg")
    dead = run("render", "-", "-o", "-", "--format", "html", stdin="#####\n#$@.#\n#####\n")
    assert (dead.returncode, dead.stdout, dead.stderr) == (11, "", "error: -:1: no plan to show: unsolvable\n")
    assert not Path("-").exists()


@pytest.mark.parametrize("command", [["check", "-", "rRR"], ["stats", "-"]])
def test_a_faulty_level_has_its_row_in_one_level_commands_too(command: list[str]) -> None:
    for cells, fault in (("# $.#", "E-NOPLAYER"), ("#@$x#", ":2:4: E-CHAR 'x' is not an XSB character")):
        done = run(*command, "--json", stdin=f"#####\n{cells}\n#####\n")
        (row,) = rows(done)
        assert (done.returncode, row["level"], row["status"]) == (30, 1, "error") and fault in str(row["error"])


def test_a_valid_plan_of_another_length_than_the_facts_ask_for_is_said_to_be_that(tmp_path: Path) -> None:
    facts = tmp_path / "a.lp"
    facts.write_text(run("translate", FIRST, "--to", "facts", "--steps", "5").stdout)
    done = run("check", str(facts), "-", stdin="rRR")
    assert done.returncode == 30
    assert (
        "5 steps demand exactly 4 (the steps are the file's own; but for their number the plan is valid)" in done.stderr
    )
    assert "file's own" not in run("check", str(facts), "-", stdin="rR").stderr
    assert run("check", str(facts), "-", "--steps", "2", stdin="rRR").returncode == 0


def test_a_search_that_was_cut_short_says_so(tmp_path: Path) -> None:
    (tmp_path / "hall.xsb").write_text(HALL)
    arguments = ("deadlock", str(tmp_path / "hall.xsb"), "--exhaustive", "--time-limit", "0.000001")
    assert "did not end, stopped by: time" in run(*arguments).stdout
    assert rows(run(*arguments, "--json"))[0]["stopped_by"] == "time"
    assert "did not end" not in run("deadlock", str(tmp_path / "hall.xsb")).stdout


@pytest.mark.parametrize(
    ("text", "sentence"), [(CORNER, "is open, stopped by: time"), (HALL, "examination did not end, stopped by: time")]
)
def test_a_verdict_stands_where_what_follows_it_was_cut_short(text: str, sentence: str) -> None:
    (level,) = sokoasp.read(text)
    found = replace(examine(level, "", False, Limits()), stopped_by="time")
    assert sentence in deadlock._report(found, "a.xsb:1")


def test_a_faulty_board_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.klotski").write_text(f"{BOARD}\ngoal: A 0,1\nA?\n\n{BOARD}")
    done = run("solve", str(tmp_path / "a.klotski"), "--json")
    assert [row["status"] for row in rows(done)] == ["optimal", "error", "optimal"]
    assert done.returncode == 30


def test_a_program_is_not_told_to_be_utf_16() -> None:
    binary = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00>\x00\x01\x00\x00\x00" + bytes(6) + b"@\x00\x01" + bytes(20)
    assert [str(found) for found in formats.read_each(binary)] == ["1:1: E-ENCODING this file is binary, not text"]


@pytest.mark.parametrize(("pack", "name"), [(gzip.compress, "gzip"), (bz2.compress, "bzip2"), (lzma.compress, "xz")])
def test_a_packed_file_is_told_from_one_without_levels(pack: Callable[[bytes], bytes], name: str) -> None:
    packed = pack(b"#####\n#@$.#\n#####\n")
    assert [str(found) for found in formats.read_each(packed)] == [
        f"1:1: E-ENCODING this file is packed by {name}: unpack it first"
    ]


def test_text_that_begins_like_a_packed_file_is_text() -> None:
    (level,) = formats.read(b"BZh of mine\n\n#####\n#@$.#\n#####\n")
    assert level.title == "BZh of mine"


def test_help_into_a_closed_pipe_is_no_error() -> None:
    program = (
        "import os, sys\n"
        "read, write = os.pipe(); os.close(read); os.dup2(write, 1)\n"
        "from sokoasp.cli import main\n"
        "main(['--help'])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_nothing_is_said_to_be_needed_where_no_bound_is_known() -> None:
    done = run("solve", FIRST, "--steps", "3")
    assert "solved, 2 lines (" in done.stdout


def test_moves_after_the_end_are_warned_of() -> None:
    done = run("check", FIRST, "-", stdin="rRRl")
    assert (done.returncode, done.stdout) == (0, "valid: 1 line, 2 pushes, 4 moves\n")
    assert "warning: W-SOL the level is solved after move 3" in done.stderr
    assert run("check", FIRST, "-", stdin="rRR").stderr == ""


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("\ufeffA 0,0 > 0,1\r\n", "valid: 1 slide"),
        (
            '{"level": 1, "plan": {"actions": [["A", [0, 0], [0, 1], 1, "r"]]}}\n{"level": 2, "plan": null}',
            "valid: 1 slide",
        ),
        ('{"level": 1, "plan": null}', "0 plans in this JSON"),
        ('{"plan": {"actions": [["A", [0, 0, 0], [0, 1], 1, "r"]]}}', "an action is not"),
        ('{"plan"', "E-JSON"),
    ],
)
def test_plans_of_a_board(plan: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "a.klotski").write_text(BOARD)
    done = run("check", str(tmp_path / "a.klotski"), "-", stdin=plan)
    assert words in done.stdout + done.stderr
    assert done.returncode == (0 if words.startswith("valid") else 30)


def test_a_limit_of_clingos_own_is_named() -> None:
    """It once said "time out" where no time limit was given, and stopped by nothing."""
    asked = ("solve", TUTORIAL, "--level", "9", "--no-probe", "--clingo-option=--solve-limit=1")
    (row,) = rows(run(*asked, "--json"))
    assert "\n  stopped by: solve-limit; --engine native often finds one sooner\n" in run(*asked).stdout
    assert (row["status"], row["stopped_by"], row["lower_bound"]) == ("time_out", "solve-limit", 4)


def test_a_known_plan_may_be_the_moves_themselves(tmp_path: Path) -> None:
    for command in (["solve", FIRST], ["certify", FIRST, "-o", tmp_path / "made"]):
        done = run(*command, "--plan", "rRR", "--json")
        assert done.returncode == 0 and rows(done)[0]["value"] == 1
        refused = run(*command, "--plan", "nowhere.lurd")
        assert refused.returncode == 2 and "'nowhere.lurd' is neither a file nor moves such as rRR" in refused.stderr


def test_what_compiling_cannot_keep_is_said_before_it() -> None:
    """A cache folder that cannot be written: after a minute it said that kernels were kept there."""
    done = run("warm", SOKOASP_CACHE_DIR="/dev/null", SOKOASP_BACKEND="jit")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "error: /dev/null: File exists\n")


def test_numpy_is_loaded_with_one_thread() -> None:
    """OpenBLAS starts a thread a core when it is loaded, which no search of ours uses."""
    code = (
        "import os, sys\nimport sokoasp.cli\n"
        "def command():\n    print(os.environ['OPENBLAS_NUM_THREADS'], 'numpy' in sys.modules, flush=True)\n    os._exit(0)\n"
        "sokoasp.cli.main = command\nfrom sokoasp.__main__ import main\nmain()\n"
    )
    for given, expected in (None, "1 False\n"), ("3", "3 False\n"):
        environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
        environment |= {"OPENBLAS_NUM_THREADS": given} if given else {}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == expected


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no such users here")
def test_without_a_home_directory_levels_are_solved(tmp_path: Path) -> None:
    """A user without an entry, as containers have it, keeps compiled code in the temporary place."""
    code = (
        "import pwd\ndef getpwuid(number):\n    raise KeyError(number)\npwd.getpwuid = getpwuid\n"
        "from sokoasp.core import kernels\n"
        "print(kernels.cache_root() == kernels.temporary_root(), flush=True)\nfrom sokoasp.cli import main\n"
        f"main(['solve', {FIRST!r}, '--output', 'lurd'])"
    )
    environment = {name: value for name, value in os.environ.items() if name not in _PLACES}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.stdout, done.returncode) == ("True\nrRR\n", 0), done.stderr


_PLACES = ("HOME", "XDG_CACHE_HOME", "SOKOASP_CACHE_DIR")
