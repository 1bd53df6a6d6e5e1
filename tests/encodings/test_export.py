"""Catalogued programs as files for plain clingo: Debian's finds the same optima, and the root files are the catalogue's."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sokoasp.asp.catalogue import encodings, folder
from sokoasp.asp.export import for_plain_clingo, root, whole
from sokoasp.asp.steps_unrolled import unrolled
from sokoasp.cli import run
from sokoasp.domain import load
from sokoasp.engine.by_asp import facts_of
from tests.encodings import roots
from tests.instances import level

CORNER = level("""
    ######
    #  . #
    # $$ #
    #@ . #
    ######
""")
BEST = {"lines": 3, "pushes": 3, "moves": 13}
PLAN = [name for name, one in encodings().items() if one.game == "sokoban"]
plain_clingo = pytest.mark.skipif(shutil.which("clingo") is None, reason="no clingo on the PATH")


@pytest.fixture
def corner(tmp_path: Path) -> str:
    """Return the name of a file of that level."""
    path = tmp_path / "corner.xsb"
    path.write_text("\n".join(CORNER.rows()) + "\n")
    return str(path)


def clingo(*arguments: object, timeout: float = 60) -> str:
    found = subprocess.run(
        ["clingo", *map(str, arguments)], capture_output=True, text=True, timeout=timeout, check=False
    )
    assert not found.stderr, f"clingo has warnings: {found.stderr}"
    return found.stdout


def cost(text: str, objective: str) -> int:
    """Return what the referee counts of the plan in clingo's output, its actions in the order of their numbers."""
    domain = load("sokoban")
    moves = sorted((int(time), way) for way, time in re.findall(r"move\((\w+),(\d+)\)", text))
    plan = "".join(way[0] for _, way in moves) if moves else text
    return domain.validate(CORNER, domain.texts.read_plan(CORNER, plan, "clingo"), None)[objective]


def test_the_root_files_are_those_of_the_catalogue() -> None:
    """``python -m tests.encodings.roots`` writes them anew."""
    for path, text in roots.roots().items():
        assert path.read_text(encoding="utf-8") == text, path


@plain_clingo
@pytest.mark.parametrize("name", PLAN)
def test_an_exported_program_finds_the_optimum_in_plain_clingo(name: str, tmp_path: Path) -> None:
    encoding = encodings()[name]
    steps = BEST[encoding.objective] + (1 if name == "competition" else 2)
    file = tmp_path / "program.lp"
    file.write_text(whole(encoding, facts_of(CORNER, encoding, steps)))
    text = clingo(*encoding.options, *(["-n0"] if "fewest" in name else []), file)
    assert "UNSATISFIABLE" not in text and cost(text, encoding.objective) == BEST[encoding.objective]


INCREMENTAL = [name for name in PLAN if encodings()[name].mode == "incremental"]


def answers(text: str) -> str:
    """Return the first answer of a program that has neither parts nor inclusions, empty if there is none."""
    import clingo

    assert not re.search(r"^#(program|include|external)", text, re.MULTILINE)
    control, found = clingo.Control(["--warn=none"]), []
    control.add("base", [], text)
    control.ground([("base", [])])
    control.solve(on_model=lambda model: found.append(" ".join(map(str, model.symbols(shown=True)))))
    return found[0] if found else ""


@pytest.mark.parametrize("name", INCREMENTAL)
def test_an_unrolled_program_has_the_plans_of_that_length(name: str) -> None:
    encoding = encodings()[name]
    best, facts = BEST[encoding.objective], facts_of(CORNER, encoding.exact)
    assert answers(unrolled(encoding, facts, best - 1)) == ""
    for actions in (best, best + 2):
        assert cost(answers(unrolled(encoding, facts, actions)), encoding.objective) == actions


@pytest.mark.skipif(not (shutil.which("gringo") and shutil.which("clasp")), reason="no gringo and clasp on the PATH")
@pytest.mark.parametrize("name", ["competition", "lines-forward"])
def test_a_program_that_is_solved_once_is_solved_as_aspif(name: str, corner: str, tmp_path: Path) -> None:
    """gringo writes the ground program, clasp alone reads it; incmode's loop is clingo's."""
    file = tmp_path / "program.lp"
    assert run(["encodings", "export", name, corner, "--steps", "4", "-o", str(file)]) == 0
    ground = subprocess.run(["gringo", file], capture_output=True, text=True, timeout=60, check=True).stdout
    assert ground.startswith("asp 1 0 0")
    text = subprocess.run(["clasp"], input=ground, capture_output=True, text=True, timeout=60, check=False).stdout
    assert cost(text, "lines") == BEST["lines"]


@pytest.mark.parametrize(("name", "form"), [("lines", "text"), ("lines", "json"), ("competition-fewest", "text")])
def test_a_clingo_without_incmode_or_steps_shows_it_and_check_says_so(
    name: str, form: str, corner: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The clingo that pip brings passes over ``#include <incmode>`` and calls what is left satisfiable, as without steps."""
    file, answer = tmp_path / "program.lp", tmp_path / "answer.txt"
    file.write_text(f"{whole(encodings()[name])}#program base.\n{facts_of(CORNER, encodings()['lines'])}")
    command = [sys.executable, "-m", "clingo", str(file), *(["--outf=2"] if form == "json" else [])]
    answer.write_text(subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout)
    what = "incmode" if name == "lines" else "steps"
    assert run(["check", corner, str(answer)]) == 30
    assert f"this is no plan: clingo ran without {what} (" in capsys.readouterr().err
    assert "python -m clingo knows no incmode" in root(encodings()["lines"])


@pytest.mark.parametrize("name", INCREMENTAL)
def test_a_solved_level_has_the_empty_plan(name: str, tmp_path: Path) -> None:
    """incmode grounds the parts base and check(0) at once."""
    from clingo import Control, Function, Number

    rows, file, answer = (tmp_path / one for one in ("done.xsb", "program.lp", "answer.txt"))
    rows.write_text("######\n#@   #\n#  * #\n#    #\n######\n")
    file.write_text(whole(encodings()[name], facts_of(level(rows.read_text()), encodings()[name])))
    control, shown = Control(["--warn=none"]), []
    control.load(str(file))
    control.ground([("check", [Number(0)]), ("base", [])])
    control.assign_external(Function("query", [Number(0)]), True)
    control.solve(on_model=lambda model: shown.append(list(model.symbols(shown=True))))
    assert shown == [[]]
    if shutil.which("clingo"):
        answer.write_text(clingo(*encodings()[name].options, file))
        assert run(["check", str(rows), str(answer)]) == 0


@plain_clingo
@pytest.mark.parametrize("name", ["lines", "lines-remaining-dom", "moves-remaining", "pushes-forward"])
def test_a_root_file_runs_beside_facts(name: str, tmp_path: Path) -> None:
    encoding = encodings()[name]
    facts = tmp_path / "level.lp"
    facts.write_text(facts_of(CORNER, encoding))
    text = clingo(folder() / "sokoban" / f"{name}.lp", facts)
    assert cost(text, encoding.objective) == BEST[encoding.objective]


@plain_clingo
@pytest.mark.parametrize("name", [name for name in PLAN if encodings()[name].tables])
def test_without_tables_no_bound_has_a_plan(name: str, tmp_path: Path) -> None:
    said = "Without its tables the program has no plan at any bound"
    assert said in root(encodings()[name]) and said not in whole(encodings()[name], "box(a).")
    facts = tmp_path / "level.lp"
    facts.write_text(load("sokoban").asp.facts(CORNER, None))
    last = BEST[encodings()[name].objective] + 3
    assert "UNSATISFIABLE" in clingo(folder() / "sokoban" / f"{name}.lp", facts, "--warn=none", f"-cimax={last}")


def test_what_is_missing_is_said_at_the_head(corner: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "windows, pairs, prices" in root(encodings()["lines-forward"])
    assert "with: clingo --heuristic=Domain" in root(encodings()["lines-remaining-dom"])
    assert "sokoasp encodings export" not in whole(
        encodings()["lines-forward"], facts_of(CORNER, encodings()["lines-forward"])
    )
    assert for_plain_clingo(encodings()["lines-remaining"]).files[-1].stem == "remaining_in_order"
    assert run(["encodings", "export", "competition", corner]) == 30 and "give --steps N" in capsys.readouterr().err
    assert run(["encodings", "export", "slides", corner]) == 30
    assert "'slides' is for klotski, this is sokoban" in capsys.readouterr().err
    out = tmp_path / "program.lp"
    assert run(["encodings", "export", "competition", corner, "--steps", "5", "-o", str(out)]) == 0
    assert f"run it by clingo {out}" in capsys.readouterr().err
    assert "step(5)." in out.read_text() and "step(6)." not in out.read_text()


def test_tables_stop_at_a_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They would take many seconds: an interrupt that some callback of the garbage collector swallows comes once more."""
    drawn, made = tmp_path / "wide.xsb", tmp_path / "made.lp"
    rows = ["#" * 60, "#@" + " " * 57 + "#", *(["#" + " $ " * 19 + " #", "#" + " . " * 19 + " #"] * 15), "#" * 60]
    drawn.write_text("\n".join(rows), encoding="utf-8")
    for what, limit, code in (("time", "0.01", 20), ("memory", "1", 21)):
        asked = ["encodings", "export", "pushes-forward", str(drawn), f"--{what}-limit", limit, "-o", str(made)]
        assert (run(asked), made.exists()) == (code, False)
        said = f"the tables of pushes-forward for this level take more {what}: nothing was written (--{what}-limit)"
        assert capsys.readouterr().err == f"error: {said}\n"
