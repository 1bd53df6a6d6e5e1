"""``python -m sokoasp.asp PROGRAM LEVEL``: clingo's options and output, our levels, tables and bounds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sokoasp.asp.catalogue import folder
from sokoasp.domain import load
from sokoasp.engine import application
from sokoasp.sokoban import facts
from tests.commands import TUTORIAL
from tests.encodings.test_export import BEST, CORNER, cost


def run(*arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "sokoasp.asp", *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def corner(tmp_path: Path) -> str:
    path = tmp_path / "corner.lp"
    path.write_text(facts.write(CORNER))
    return str(path)


@pytest.mark.parametrize("name", ["lines-forward", "lines-remaining-dom", "moves", "pushes-forward"])
def test_a_program_gets_its_tables_and_starts_at_the_first_bound(
    name: str, corner: str, capfd: pytest.CaptureFixture[str]
) -> None:
    objective = name.partition("-")[0]
    root = str(folder() / "sokoban" / f"{name}.lp") if name != "lines-forward" else name
    assert application.main([root, corner, "--warn=none"]) == 10
    text = capfd.readouterr().out
    assert cost(text, objective) == BEST[objective]
    bounds = load("sokoban").known.estimate(CORNER, objective).bounds
    assert text.count("Solving...") == (BEST[objective] - bounds.first) // bounds.stride + 1


def test_options_and_level_files_are_as_usual(corner: str) -> None:
    code, out, _ = run("lines", corner, "-n", "0", "--outf=2", "--stats", "--warn=none")
    assert code == 30 and '"Conflicts"' in out and out.count('"Value"') >= 1


def test_faults_are_one_sentence(corner: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "own.lp"
    own.write_text("#program step(t). a( .")
    for arguments, sentence in (
        (["lines"], "two files are wanted, not 1"),
        (["nix", corner], "no encoding or file 'nix'"),
        (["lines", str(tmp_path)], "cannot be read: Is a directory"),
        ([str(own), corner], "own.lp:1:"),
        (["slides", corner], "encoding 'slides' is for klotski, this is sokoban"),
        (["competition", corner], "give --steps N or facts with step/1"),
    ):
        assert application.main(arguments) == 30
        said = re.findall(r"^error: .*$", capfd.readouterr().err, flags=re.MULTILINE)
        assert len(said) == 1 and sentence in said[0]


def test_of_a_collection_it_says_which_level_it_is_about(corner: str) -> None:
    assert "note: " + TUTORIAL + " has more levels, this is about the first" in run("lines", TUTORIAL)[2]
    assert "note" not in run("lines", corner)[2]
