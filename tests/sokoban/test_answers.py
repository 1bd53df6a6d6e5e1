"""Plans as solvers print them: clingo, clasp and dlv in all their formats, other atoms beside, other people's encodings."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sokoasp import solve
from sokoasp.core.atoms import parse_atoms
from sokoasp.core.errors import IllegalPlan, NotationError
from sokoasp.domain import sokoban as domain
from sokoasp.sokoban import facts
from sokoasp.sokoban.answers import answer_atoms
from sokoasp.sokoban.level import Level
from tests.instances import FOLDER, level

LINE = level("""
    ########
    #@$   .#
    ########
""")
TWO = "push(c3r2,right,c4r2,1) push(c4r2,right,c7r2,2)"
NEGATED = f"-push(c3r2,right,c5r2,1) {TWO} -push(c3r2,right,c6r2,1) -sokoban_step(c2r2,2) box_step(c3r2,1)"
INFO = "a.lp:7:26-36: info: atom does not occur in any rule head:\n  top(L1,L2)\n\n"

OTHER = "push(c3r2,up,c9r2,1)"
OUTPUTS = {
    "clingo": f"clingo version 5.8.0\nReading from a.lp\nSolving...\nAnswer: 1\n{TWO}\nSATISFIABLE\n\nModels       : 1+\n",
    "clingo 5.8": f"clingo version 5.8.0\nReading from a.lp\nSolving...\nAnswer: 1 (Time: 0.001s)\n{TWO}\nSATISFIABLE\n",
    "clasp": f"clasp version 3.3.5\nReading from stdin\nSolving...\nAnswer: 1\n{TWO}\nSATISFIABLE\n\nModels       : 1+\n",
    "terse": f"{TWO}\nSATISFIABLE\n",
    "terse, messages in front": f"{INFO}{INFO}{TWO}\nSATISFIABLE\n",
    "terse, several answers": f"push(c3r2,right,c6r2,1) push(c6r2,right,c7r2,2)\n{TWO}\nSATISFIABLE\n",
    "terse, optimisation": f"{OTHER}\nOptimization: 9\n{TWO}\nOptimization: 2\nOPTIMUM FOUND\n",
    "terse, only atoms": f"{TWO}\n",
    "competition format": "% clingo\n% Solving...\n% Answer: 1\nANSWER\n"
    + TWO.replace(") ", "). ")
    + ".\n% \n% Models : 1\n",
    "competition format, messages in front": INFO + "ANSWER\n" + TWO.replace(") ", "). ") + ".\nCOST 1\nOPTIMUM\n",
    "json": json.dumps({"Call": [{"Witnesses": [{"Value": TWO.split()}]}], "Result": "SATISFIABLE"}),
    "json, several answers": json.dumps({"Call": [{"Witnesses": [{"Value": [OTHER]}, {"Value": TWO.split()}]}]}),
    "json, several calls": json.dumps(
        {"Call": [{"Witnesses": [{"Value": [OTHER]}]}, {"Witnesses": [{"Value": TWO.split()}]}, {"Witnesses": []}, {}]}
    ),
    "dlv": "DLV [build BEN/Dec 17 2012]\n\n{" + TWO.replace(") ", "), ") + ", -push(c3r2,right,c5r2,1)}\n",
    "dlv, weak constraints": "Best model: {" + TWO.replace(") ", "), ") + "}\nCost ([Weight:Level]): <[2:1]>\n",
    "strong negation": f"Answer: 1\n{NEGATED}\nSATISFIABLE\n",
    "strong negation, terse": f"{NEGATED}\nSATISFIABLE\n",
    "strong negation, facts": ".\n".join(NEGATED.split()) + ".\n",
    "strong negation, competition format": "ANSWER\n" + NEGATED.replace(") ", "). ") + ".\nCOST 1\n",
    "competition format, an atom a line": f"% Answer: 1\nANSWER\n{OTHER}.\nCOST 9\n% Answer: 2\n"
    + "".join(f"ANSWER\n{atom}.\n" for atom in TWO.split())
    + "COST 2\nOPTIMUM\n",
    "competition format, an atom a line, no word between": "".join(
        f"ANSWER\n{atom}.\n" for atom in ("push(c3r2,right,c6r2,1)", "push(c6r2,right,c7r2,2)", *TWO.split())
    )
    + "OPTIMUM\n",
    "competition format, the last has none of them": f"ANSWER\n{OTHER}.\nCOST 9\nANSWER\n"
    + TWO.replace(") ", "). ")
    + ".\n",
    "terse, an atom a line": f"{OTHER}\nOptimization: 9\n"
    + TWO.replace(" ", "\n")
    + "\nOptimization: 2\nOPTIMUM FOUND\n",
    "terse, an atom a line, no word between": f"{OTHER}\n" + TWO.replace(" ", "\n") + "\nx\nSATISFIABLE\n",
    "terse, wrapped": "\n".join((TWO[:30], TWO[30:])) + "\nSATISFIABLE\n",
    "clingo, wrapped": f"Answer: 1\n{TWO[:15]}\n{TWO[15:40]}\n{TWO[40:]}\nSATISFIABLE\n",
    "dlv, wrapped": "{" + f"{TWO[:15]}\n{TWO[15:]}".replace(") ", "), ") + "}\n",
    "smodels": f"smodels version 2.34. Reading...done\nAnswer: 1\nStable Model: {TWO} \nTrue\nDuration: 0.001\n",
    "cmodels": f"Answer: 1\nAnswer set: {TWO}\nSATISFIABLE\n",
    "runsolver": f"0.00/0.01\tclingo version 5.8.0\n0.00/0.02\tAnswer: 1\n0.00/0.02\t{TWO}\n0.00/0.02\tSATISFIABLE\n",
    "json behind remarks": f"*** Info : (clingo): started\n{INFO}"
    + json.dumps({"Call": [{"Witnesses": [{"Value": TWO.split()}]}]}, indent=1)
    + "\n*** Info : (clingo): INTERRUPTED by signal!\n",
    "indented": f"    {INFO}".replace("\n", "\n    ")
    + f"clingo version 5.8.0\n    Solving...\n    Answer: 1\n    {TWO}\n    SATISFIABLE\n",
    "terse, indented": f"  {OTHER}\n  Optimization: 9\n  {TWO}\n  OPTIMUM FOUND\n",
    "terse, with statistics": f"{TWO}\nSATISFIABLE\n\nChoices      : 8    (Domain: 8)\n  Deleted    : 0\n",
    "json, costs alone behind": json.dumps({"Call": [{"Witnesses": [{"Value": TWO.split()}, {"Costs": [2]}]}]}),
    "clingo, wrapped within a name": f"Answer: 1\n{TWO[:-20]}\n{TWO[-20:]}\nSATISFIABLE\n",
    "terse, wrapped within a name": TWO.replace(" push", " pu\nsh") + "\nSATISFIABLE\n",
    "terse, wrapped behind a name": TWO.replace(" push", " push\n") + "\nSATISFIABLE\n",
    "json, wrapped": json.dumps({"Call": [{"Witnesses": [{"Value": TWO.split()}]}]}).replace("right", "ri\nght"),
    "other terms beside": f'Answer: 1\n5 "a b" (1,2) -3 f(-x,#sup) {TWO} cost(-4)\nSATISFIABLE\n',
}


@pytest.mark.parametrize("kind", OUTPUTS)
def test_the_plan_is_found(kind: str) -> None:
    plan = domain.read_plan(LINE, OUTPUTS[kind], "out.txt")
    assert domain.counts(LINE, plan, None)["pushes"] == 4
    assert [push.length for push in plan.actions] == [1, 3]


@pytest.mark.parametrize("text", ["UNSATISFIABLE\n", f"{INFO}UNSATISFIABLE\n", "s UNSATISFIABLE\n", "UNKNOWN\n"])
def test_no_plan_is_said_to_be_none(text: str) -> None:
    with pytest.raises(NotationError, match="holds no plan, only"):
        answer_atoms(text, "push")


ATOMS = TWO.split()
FORMS = {
    "bars": f"Answer: 1\n{'|'.join(ATOMS)}\nSATISFIABLE\n",
    "constraints": "ANSWER\n" + "".join(f":- not {atom}.\n" for atom in ATOMS),
    "brackets": "Answer: 1\n" + " ".join(f"({atom})" for atom in ATOMS) + "\nSATISFIABLE\n",
    "arguments": "Answer: 1\n" + " ".join(f"holds({atom},1)" for atom in ATOMS) + "\nSATISFIABLE\n",
    "ASPIF": "asp 1 0 0\n1 0 1 1 0 0\n4 23 push(c3r2,right,c4r2,1) 0\n0\n",
    "smodels": "1 2 0 0\n1 3 0 0\n0\n2 push(c3r2,right,c4r2,1)\n0\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_that_is_not_read_is_named(form: str) -> None:
    """The plan is in each of them: none may be called wrong."""
    with pytest.raises(NotationError, match=r"give it to clasp|without --out-ifs and --out-atomf, or by --outf=2"):
        answer_atoms(FORMS[form], "push")


def test_only_negated_pushes_are_no_plan() -> None:
    with pytest.raises(IllegalPlan, match="1 goal is empty"):
        domain.read_plan(LINE, "-push(c3r2,right,c4r2,1)\nSATISFIABLE\n", "out.txt")


def test_idle_pushes_of_the_competition_encoding_are_named() -> None:
    text = f"Answer: 1\n{TWO} push(c7r2,right,c7r2,3) -push(c3r2,right,c5r2,1)\nSATISFIABLE\n"
    with pytest.raises(IllegalPlan, match=r"action 3.*idle push.*encoding of 2011"):
        domain.read_plan(LINE, text, "out.txt")


def test_integers_are_read_as_clingo_reads_them() -> None:
    assert parse_atoms("a(-0). b(-f(-1)). c(--x).", full_stops=True)[0].args == ("0",)
    with pytest.raises(NotationError, match="32 bits"):
        facts.read("right(1,4294967297). box(1). solution(1). sokoban(4294967297).")


@pytest.mark.parametrize(
    ("term", "same"),
    [
        *(("()", "()"), ("(1,)", "(1,)"), ("(1)", "1"), ("((1,),)", "((1,),)"), ("(1,2,)", "(1,2)"), ("f()", "f")),
        *(("-2147483648", "-2147483648"), ("- 2147483648", "-2147483648"), ("--3", "3"), ("- 0", "0")),
        *(("(g,)", "(g,)"), ("-(1,)", "-(1,)")),
    ],
)
def test_terms_are_read_as_clingo_reads_them(term: str, same: str) -> None:
    clingo = pytest.importorskip("clingo")
    assert parse_atoms(f"a({term}).", full_stops=True)[0].args == (same,)
    control = clingo.Control()
    control.add("base", [], f"a({term}).")
    control.ground([("base", [])])
    assert [str(atom.symbol) for atom in control.symbolic_atoms] == [f"a({same})"]


def test_a_one_tuple_is_a_cell_of_its_own() -> None:
    """``(1,)`` was read as ``1``, so plans named cells that the file does not have."""
    text = "right((1,),(2,)). right((2,),3). box((2,)). sokoban((1,)). solution(3)."
    level = facts.read(text)
    assert set(facts.name_of(level).values()) == {"(1,)", "(2,)", "3"}
    assert facts.push_atoms(level, solve(level).plan) == "push((2,),right,3,1).\n"


def run_clingo(given: Level, folder: Path, *options: str) -> str:
    names = ("rules/geometry", "rules/competition_start", "rules/line_push", "rules/competition_exact", "show/push")
    files = [str(FOLDER.parent / "encodings" / "sokoban" / f"{name}.lp") for name in names]
    path = folder / "facts.lp"
    path.write_text(facts.write(given, steps=3))
    done = subprocess.run(["clingo", *files, str(path), *options], capture_output=True, text=True, timeout=60)
    return done.stderr + done.stdout


@pytest.mark.skipif(shutil.which("clingo") is None, reason="no clingo on the PATH")
@pytest.mark.parametrize("option", ["-V0", "-V1", "-V2", "--outf=0", "--outf=1", "--outf=2"])
@pytest.mark.parametrize("number", ["-n1", "-n0"])
def test_what_clingo_really_prints(option: str, number: str, tmp_path: Path) -> None:
    plan = domain.read_plan(LINE, run_clingo(LINE, tmp_path, option, number), "out.txt")
    assert domain.counts(LINE, plan, 3)["lines"] == 2


PROGRAM = "push(c3r2,right,c4r2,1). push(c4r2,right,c7r2,2). {x}. :~ x. [1] :~ not x. [2] #show push/4."


@pytest.mark.parametrize("models", [(), ("--opt-mode=optN", "0")], ids=["best", "all"])
@pytest.mark.parametrize("separator", [" ", "\n"], ids=["blank", "line"])
@pytest.mark.parametrize("form", ["--outf=0", "--outf=1", "--outf=2", "-V0"])
@pytest.mark.parametrize("clingo", ["python", "clingo"])
def test_what_clingo_prints_is_read(
    clingo: str, form: str, separator: str, models: tuple[str, ...], tmp_path: Path
) -> None:
    if clingo == "clingo" and shutil.which("clingo") is None:
        pytest.skip("there is no clingo command here")
    (tmp_path / "a.lp").write_text(PROGRAM)
    command = [sys.executable, "-m", "clingo"] if clingo == "python" else ["clingo"]
    words = [*command, str(tmp_path / "a.lp"), form, f"--out-ifs={separator}", *models]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert [str(atom) for atom in answer_atoms(done.stdout, "push")] == TWO.split()
