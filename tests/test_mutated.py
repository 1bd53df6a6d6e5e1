"""Commands on damaged files of every notation; ``tests/mutated.py`` says what is asked of them."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import mutated


def test_some_damaged_files() -> None:
    # a fresh process: what is forked from this one would begin with all the memory that the tests before have taken
    command = [sys.executable, "-m", "tests.mutated", "12", "1"]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    reported = re.fullmatch(r"exit codes (\{.*\}), 0 commands misbehaved\n", done.stdout)
    codes = ast.literal_eval(reported[1])
    assert codes[30] > 2 and len(codes) > 1 and sum(codes.values()) == 12


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_two_thousand_damaged_files() -> None:
    assert mutated.campaign(2000, seed=2)[0] == []


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        ((1, 0.1, 50.0, "internal error: KeyError"), "exit code 1"),
        ((30, 0.1, 50.0, ""), "without a word"),
        ((0, 50.0, 50.0, ""), "50.0 CPU"),
        ((0, 1.0, 400.0, ""), "400 MB"),
        ((-9, 1.0, 50.0, ""), "exit code -9"),
    ],
)
def test_what_misbehaves_is_told(ended: tuple[int, float, float, str], words: str) -> None:
    assert words in mutated._fault(*ended)
    assert mutated._fault(30, 0.1, 50.0, "error: x") == ""
