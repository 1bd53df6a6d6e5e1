"""Pipes, closed and doubled streams, and whose fault an error is said to be."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sokoasp.bench.define.instances import expand
from sokoasp.bench.define.suite import read_suite
from tests.commands import FIRST, python, run
from tests.instances import FOLDER, written


def test_a_reader_who_has_had_enough_is_no_error(tmp_path: Path) -> None:
    many = written(tmp_path, "#####\n#@$.#\n#####\n\n" * 3000, "many.xsb")
    command = [sys.executable, "-m", "sokoasp", "translate", str(many), "--to", "xsb"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == b"#####\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0


@pytest.mark.parametrize(("closed", "code"), [("", 0), (">&-", 0), ("2>&-", 0), ("<&-", 0)])
def test_closed_streams(closed: str, code: int) -> None:
    done = subprocess.run(
        f'"{sys.executable}" -m sokoasp solve "{FIRST}" --output lurd {closed}',
        shell=True,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert closed == ">&-" or done.stdout == b"rRR\n"


@pytest.mark.parametrize(
    ("raised", "code", "said"), [("KeyboardInterrupt()", 130, "interrupted\n"), ("LimitReached('time')", 0, "")]
)
def test_an_interrupt_that_comes_while_an_object_is_thrown_away_is_not_lost(raised: str, code: int, said: str) -> None:
    script = f"""
import time
from sokoasp import cli
from sokoasp.core.guard import LimitReached

class Thrown:
    def __del__(self):
        raise {raised}

def work(**_):
    Thrown()
    for _ in range(100 if {code} else 1):
        time.sleep(0.1)

cli.root.main = work
cli.main()
"""
    done = python(script)
    assert (done.returncode, done.stderr) == (code, said)


@pytest.mark.parametrize(
    "command", [["check", "-", "-"], ["solve", "-", "--plan", "-"], ["render", "-", "-", "-o", "x.svg"]]
)
def test_level_and_plan_cannot_both_be_stdin(command: list[str]) -> None:
    done = run(*command, stdin="#####\n#@$.#\n#####\n")
    assert done.returncode == 2
    assert "both" in done.stderr


def test_an_interrupt_during_an_import_leaves_with_130_too(tmp_path: Path) -> None:
    program = (
        "import sokoasp.cli as cli\n"
        "cli.root.main = lambda **_: exec('raise KeyboardInterrupt')\n"
        "cli.main(['solve', 'x'])\n"
    )
    (tmp_path / "trial.py").write_text(program)
    done = subprocess.run([sys.executable, "-m", "trial"], capture_output=True, timeout=60, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (130, b"interrupted\n")


@pytest.mark.parametrize(("ending", "code"), [("pass", 0), ("exec('raise KeyboardInterrupt')", 130)])
def test_the_interpreter_is_not_taken_down_but_what_is_due_is_done(ending: str, code: int) -> None:
    """Threads of libraries that come back to a half-gone interpreter end the process by a signal."""
    program = (
        "import atexit, os, sokoasp.cli as cli\n"
        "class Last:\n    def __del__(self): os.write(1, b'taken down')\n"
        "last = Last()\natexit.register(print, 'due')\n"
        f"def end(**_): {ending}\ncli.root.main = end\ncli.main([])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (code, b"due\n")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_no_text_leaves_rows_that_are_json(tmp_path: Path) -> None:
    """And a campaign over it runs: its store keeps text."""
    name = os.fsencode(tmp_path) + b"/b\xff.xsb"
    with open(name, "wb") as out:  # noqa: PTH123
        out.write(Path(FIRST).read_bytes())
    command = [sys.executable, "-m", "sokoasp", "solve", name, "--json"]
    done = subprocess.run(command, capture_output=True, timeout=60)
    for line in done.stdout.splitlines():
        assert os.fsencode(json.loads(line)["file"]) == name
    suite = tmp_path / "s.toml"
    system = '[[systems]]\nname = "n"\nkind = "native"\nengine = "native"\n'
    suite.write_text(
        f'title = "t"\nobjectives = ["lines"]\n[limits]\nseconds = 5\n[[instances]]\nfiles = ["*.xsb"]\n{system}'
    )
    (found,) = expand(read_suite(suite))
    assert found.file.encode().endswith(b"b\\xff.xsb")


def test_a_faulty_program_is_not_said_to_be_in_the_level(tmp_path: Path) -> None:
    (tmp_path / "course").mkdir()
    for name, near in ("no-such-program", ""), ("courses", "; did you mean 'course'?\n"):
        done = run("solve", FIRST, "--encoding", name, cwd=tmp_path)
        assert done.returncode == 30
        assert done.stderr.startswith(f"error: there is no encoding or file '{name}'{near}")


def test_a_title_has_nothing_to_say_to_the_terminal() -> None:
    done = run("stats", "-", "--time-limit", "0", stdin="; \x1b[31mred\n\n#####\n#@$.#\n#####\n")
    assert done.stdout.startswith("-:1 ([31mred)\n")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device without end on this machine")
@pytest.mark.parametrize(
    "words", [["stats", "/dev/zero"], ["check", FIRST, "/dev/zero"], ["solve", "--plan", "/dev/zero", FIRST]]
)
def test_a_file_without_end_is_too_large(words: list[str]) -> None:
    done = run(*words)
    assert done.returncode == 30 and "E-SIZE" in done.stderr and "more than 64000000" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "words",
    [
        ("translate", FIRST, "--to", "sok", "-o", "/dev/full"),
        ("render", FIRST, "--format", "svg", "-o", "/dev/full"),
        ("klotski-db", str(FOLDER / "klotski" / "own.klotski"), "--level", "6", "-o", "/dev/full"),
    ],
)
def test_a_full_disk_is_reported_with_the_file(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert (done.returncode, done.stderr) == (1, "error: /dev/full: No space left on device\n")


def _write_nothing() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize("words", [("certify", FIRST, "-o", "made"), ("site", "-o", "made", "--without-clingo")])
def test_what_cannot_be_written_into_a_folder_is_reported_with_it(words: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip("resource")
    command = [sys.executable, "-m", "sokoasp", *words]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, preexec_fn=_write_nothing, timeout=200
    )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "error: made: File too large")
