"""Plans as solvers print them: clingo, clasp and dlv in all their formats, other atoms beside, other people's encodings."""

import json
import random
import shutil
import subprocess
import sys
from itertools import product

import clingo
import pytest

from sokoasp import solve
from sokoasp.core.atoms import parse_atoms
from sokoasp.core.errors import IllegalPlan, NotationError
from sokoasp.domain import sokoban as domain
from sokoasp.sokoban import facts, formats
from sokoasp.sokoban.answers import answer_atoms
from tests.instances import LINE, level

TWO = "push(c3r2,right,c4r2,1) push(c4r2,right,c7r2,2)"
NEGATED = f"-push(c3r2,right,c5r2,1) {TWO} -push(c3r2,right,c6r2,1) -sokoban_step(c2r2,2) box_step(c3r2,1)"
INFO = "a.lp:7:26-36: info: atom does not occur in any rule head:\n  top(L1,L2)\n\n"

OTHER = "push(c3r2,up,c9r2,1)"
OUTPUTS = {
    "terse, several answers": f"push(c3r2,right,c6r2,1) push(c6r2,right,c7r2,2)\n{TWO}\nSATISFIABLE\n",
    "terse, only atoms": f"{TWO}\n",
    "competition format": "% clingo\n% Solving...\n% Answer: 1\nANSWER\n"
    + TWO.replace(") ", "). ")
    + ".\n% \n% Models : 1\n",
    "competition format, messages in front": INFO + "ANSWER\n" + TWO.replace(") ", "). ") + ".\nCOST 1\nOPTIMUM\n",
    "json, several calls": json.dumps(
        {"Call": [{"Witnesses": [{"Value": [OTHER]}]}, {"Witnesses": [{"Value": TWO.split()}]}, {"Witnesses": []}, {}]}
    ),
    "dlv": "DLV [build BEN/Dec 17 2012]\n\n{" + TWO.replace(") ", "), ") + ", -push(c3r2,right,c5r2,1)}\n",
    "dlv, weak constraints": "Best model: {" + TWO.replace(") ", "), ") + "}\nCost ([Weight:Level]): <[2:1]>\n",
    "strong negation, facts": ".\n".join(NEGATED.split()) + ".\n",
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
    "json behind remarks": f"*** Info : (clingo): started\n{INFO}"
    + json.dumps({"Call": [{"Witnesses": [{"Value": TWO.split()}]}]}, indent=1)
    + "\n*** Info : (clingo): INTERRUPTED by signal!\n",
    "indented": f"    {INFO}".replace("\n", "\n    ")
    + f"clingo version 5.8.0\n    Solving...\n    Answer: 1\n    {TWO}\n    SATISFIABLE\n",
    "terse, indented": f"  {OTHER}\n  Optimization: 9\n  {TWO}\n  OPTIMUM FOUND\n",
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


ERROR = "clingo version 5.8.0\na.lp:1:8-9: error: syntax error, unexpected .\n\n*** ERROR: (clingo): parsing failed\nUNKNOWN\n"
NONE = ["UNSATISFIABLE\n", f"{INFO}UNSATISFIABLE\n", "s UNSATISFIABLE\n", "UNKNOWN\n", "SATISFIABLE\n", ERROR]


@pytest.mark.parametrize("text", NONE)
def test_no_plan_is_said_to_be_none(text: str) -> None:
    said = r"\*\*\* ERROR" if text is ERROR else text.removeprefix(INFO).strip()
    with pytest.raises(NotationError, match=f"holds no (plan|answer), only {said}"):
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


TERMS = ["()", "(1,)", "(1)", "((1,),)", "(1,2,)", "f()", "-2147483648", "- 2147483648", "--3", "- 0", "(g,)", "-(1,)"]
POOLS = ["1;2", "a,b;b,c", "1..3,a;7", "(1,2);f(x);9..10"]


@pytest.mark.parametrize("terms", [*TERMS, *POOLS])
def test_terms_are_read_as_clingo_reads_them(terms: str) -> None:
    control = clingo.Control()
    control.add("base", [], f"a({terms}).")
    control.ground([("base", [])])
    found = map(str, parse_atoms(f"a({terms}).", full_stops=True))
    assert sorted(found) == sorted(str(atom.symbol) for atom in control.symbolic_atoms)


def test_a_one_tuple_is_a_cell_of_its_own() -> None:
    """``(1,)`` was read as ``1``, so plans named cells that the file does not have."""
    text = "right((1,),(2,)). right((2,),3). box((2,)). sokoban((1,)). solution(3)."
    level = facts.read(text)
    assert set(facts.name_of(level).values()) == {"(1,)", "(2,)", "3"}
    assert facts.push_atoms(level, solve(level).plan) == "push((2,),right,3,1).\n"


CLINGO = [[sys.executable, "-m", "clingo"], *([["clingo"]] if shutil.which("clingo") else [])]
FORMS_OF_CLINGO = ("-V0", "-V1", "-V2", "--verbose=2", "--outf=0", "--outf=1", "--outf=2")
OPTIONS = ("--out-ifs=\n", "--out-atomf=%s.", "-n0", "--quiet=1", "--stats", "--opt-mode=optN")
WIDE = level("""
    ###########
    #@$    .  #
    ###########
""")
BESIDE = ("-push(c2r2,right,c3r2,1)", "x", 't("push(a,b")', "f(push(c2r2,right,c3r2,1))")
AROUND = (
    str,
    lambda text: text.replace("\n", "\r\n"),
    lambda text: "".join(f"0.0{n % 10}/0.10\t{line}\n" for n, line in enumerate(text.splitlines())),
    lambda text: f"$ clingo a.lp\n{text}\nreal\t0m0.05s\n$ \n" if text[0] in "%{" else text,
)


def some_program(rng: random.Random) -> str:
    """One to three answers, each with pushes of its own in any order, perhaps with costs, other atoms and a projection."""
    count = rng.randint(1, 3)
    steps = [(one, step) for one in range(1, count + 1) for step in range(1, rng.randint(2, 9))]
    lines = [f"push(c{rng.randint(2, 9)}r2,right,c10r2,{step}) :- chosen({one})." for one, step in steps]
    lines += [f"1 {{ chosen(1..{count}) }} 1.", *(f"{atom}." for atom in rng.sample(BESIDE, rng.randint(0, 4)))]
    more = ["#minimize { (X*7)\\5 : chosen(X) }.", "#show push/4.", "#show e(S) : S = 1..3."]
    lines += rng.sample(more, rng.randint(0, 3))
    return "\n".join(rng.sample(lines, len(lines)))


def test_what_clingo_prints_is_read_under_any_options() -> None:
    """The pushes of the last witness in its own JSON are those read from what it prints otherwise, whatever stands around."""
    rng = random.Random(64)
    for form, around in product(FORMS_OF_CLINGO, AROUND):
        program, command, chosen = some_program(rng), rng.choice(CLINGO), rng.sample(OPTIONS, rng.randint(0, 3))
        printed, json_text = (
            subprocess.run([*command, *chosen, one], input=program, capture_output=True, text=True, timeout=60).stdout
            for one in (form, "--outf=2")
        )
        witnesses = [one for call in json.loads(json_text)["Call"] for one in call["Witnesses"] if "Value" in one]
        wanted = sorted(atom for atom in witnesses[-1]["Value"] if atom.startswith("push("))
        text = around(printed)
        plan = formats.read_plan(WIDE, text)
        found = [f"push(c{one.box.col + 1}r2,right,c10r2,{step})" for step, one in enumerate(plan, 1)]
        assert sorted(found) == wanted, (program, chosen, text)
