"""A name that is wrong: one sentence, the nearest name there is, the exit code; own encodings wherever a catalogued one goes."""

from pathlib import Path

import pytest

from sokoasp.asp.catalogue import encodings
from tests.commands import FIRST, run

SUITE = ("bench", "run", "smoke", "-o", "none")


@pytest.mark.parametrize(
    ("arguments", "code", "near"),
    [
        (("solve", FIRST, "--encoding", "lines-foward"), 30, "'lines-forward'"),
        (("encodings", "show", "lnes"), 30, "'lines'"),
        (("encodings", "diff", "lines", "pushs"), 30, "'pushes'"),
        (("encodings", "grade", "lnes"), 30, "'lines'"),
        (("solve", FIRST, "--objective", "pishes"), 2, "'pushes'"),
        (("encodings", "grade", "lines", "--objective", "mvoes"), 2, "'moves'"),
        (("solve", FIRST, "--engine", "natve"), 2, "'native'"),
        (("solve", FIRST, "--engine", "clingo"), 2, "'asp'"),
        (("translate", FIRST, "--to", "lp"), 2, "'facts'"),
        (("translate", FIRST, "--to", "xbs"), 2, "'xsb'"),
        (("solve", FIRST, "--timeout", "5"), 2, "'--time-limit'"),
        (("solve", FIRST, "-t", "5"), 2, "'--time-limit'"),
        (("solve", FIRST, "--search", "astar"), 2, "'--engine'"),
        (("solve", FIRST, "--quiet"), 2, "'--progress'"),
        (("solve", FIRST, "--objectiv", "lines"), 2, "'--objective'"),
        ((*SUITE, "-j", "2"), 2, "'--workers'"),
        ((*SUITE, "--set", "secnds=3"), 2, "'seconds'"),
        (("bench", "run", "smke", "-o", "none"), 30, "'smoke'"),
        ((*SUITE, "--retry", "crashed"), 2, "'crash'"),
        (("slove", FIRST), 2, "'solve'"),
        (("verify", FIRST), 2, "'check'"),
        (("play", FIRST), 2, "'serve'"),
        (("help",), 2, "'--help'"),
        (("encodings", "compare", "lines", "pushes"), 2, "'diff'"),
        (("bench", "start", "smoke"), 2, "'run'"),
        (("solve", FIRST, "--jobs", "2"), 2, "'--threads'"),
        (("bench", "reprot"), 2, "'report'"),
    ],
)
def test_the_nearest_name_is_offered_in_one_sentence(arguments: tuple[str, ...], code: int, near: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("error: ")
    assert done.stderr.endswith(f"; did you mean {near}?\n")
    assert done.stderr.count("\n") == 1


def test_where_nothing_is_near_the_names_are_listed() -> None:
    assert "; there are lines, pushes, moves\n" in run("solve", FIRST, "--objective", "xyzzy").stderr
    assert run("solve", FIRST, "--xyzzy").stderr == "error: sokoasp solve: there is no option --xyzzy; see --help\n"
    assert run("solve").stderr == "error: sokoasp solve: FILES is missing\n"
    assert "the option --format is missing: facts, xsb, sok," in run("translate", FIRST).stderr


@pytest.fixture
def mine(tmp_path: Path) -> str:
    rules = "\n".join(path.read_text("utf-8") for path in encodings()["lines"].files)
    file = tmp_path / "mine.lp"
    file.write_text(rules + "\n#program step(t).\nslide(L,t) :- push(L,_,_,t).\n:- slide(L,t), slide(L,t-1).\n")
    return str(file)


def test_an_own_encoding_is_shown_compared_and_marked_like_a_catalogued_one(mine: str) -> None:
    assert "slide(L,t-1)" in run("encodings", "show", mine).stdout
    lines = run("encodings", "diff", "lines", mine).stdout.splitlines()
    (shown := Path(mine).with_name("shown.lp")).write_text(run("encodings", "show", "lines").stdout)
    assert run("encodings", "diff", "lines", shown).stdout.endswith(
        f"rules\nonly lines: 0 rules\nonly {shown}: 0 rules\n"
    )
    assert lines[:3] == ["both: 27 rules", "only lines: 0 rules", f"only {mine}: 2 rules"]
    assert lines[4].startswith("step: #false :- slide(L,t); slide(L,(t-1)).  % mine.lp:")
    assert run("encodings", "grade", mine, "--levels", FIRST).stdout.endswith("1 of 1 right on these levels\n")
    refused = run("encodings", "export", mine, FIRST)
    assert refused.returncode == 2 and "mine.lp is a file already" in refused.stderr


def test_a_klotski_encoding_of_ones_own_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "mine.lp"
    text = "\n".join(path.read_text("utf-8") for path in encodings()["slides"].files)
    file.write_text(f"{text}\n#program step(t).\npush(P,t) :- slide(P,_,_,t).\n")
    assert f"only {file}: 1 rule\n" in run("encodings", "diff", str(file), "slides").stdout


def test_a_message_about_an_atom_names_cells_as_the_atom_does() -> None:
    told = run("check", FIRST, "-", stdin="push(c4r2,left,c3r2,1).").stderr
    assert told == "error: <stdin>: action 1, push(c4r2,left,c3r2,1): the player at c2r2 cannot reach c5r2\n"
    short = run("check", FIRST, "-", stdin="push(c4r2,right,c5r2,1).").stderr
    assert "(the last) 1 goal is empty: c6r2\n" in short
    moves = run("check", FIRST, "-", stdin="rR").stderr
    assert "(the last) 1 goal is empty: row 1, column 5\n" in moves


def test_rules_that_differ_in_names_of_variables_alone_are_the_same(tmp_path: Path) -> None:
    for name, text in (
        ("a", "p(X) :- q(X,Y), Y > 0.\n"),
        ("b", "p(A) :- q(A,B), B > 0.\n"),
        ("c", "p(A) :- q(B,A), B > 0.\n"),
    ):
        (tmp_path / f"{name}.lp").write_text(f"{text}push(a,left,b,1).\nq(1,2).\n")
    files = [str(tmp_path / f"{name}.lp") for name in "abc"]
    assert run("encodings", "diff", files[0], files[1]).stdout.splitlines()[0] == "both: 3 rules"
    assert run("encodings", "diff", files[0], files[2]).stdout.splitlines()[0] == "both: 2 rules"
