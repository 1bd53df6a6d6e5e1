import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoasp.core.errors import NotationError
from sokoasp.domain.klotski import plan_json
from sokoasp.klotski import slide_plan
from sokoasp.klotski.board import BoardCell
from sokoasp.klotski.slide_plan import Slide
from tests.commands import rows, run

cells = st.builds(BoardCell, st.integers(0, 30), st.integers(0, 30))
slides = st.builds(Slide, st.sampled_from("Abz9"), cells, cells, st.text(alphabet="udlr", max_size=4))


@given(st.lists(slides, max_size=6))
def test_written_plans_read_back(some: list[Slide]) -> None:
    assert slide_plan.read(slide_plan.write(some)) == tuple(some)


def test_numbers_arrows_and_comments_are_passed_over() -> None:
    text = "  1. A 0,1 > 1,1 d\n\n% remark\n 12. b 4 , 0 -> 3,1  % why\n"
    assert slide_plan.read(text) == (
        Slide("A", BoardCell(0, 1), BoardCell(1, 1), "d"),
        Slide("b", BoardCell(4, 0), BoardCell(3, 1)),
    )


def test_what_solve_prints_is_read() -> None:
    plan = (Slide("A", BoardCell(0, 1), BoardCell(1, 1), "d"), Slide("b", BoardCell(4, 0), BoardCell(3, 1), "ru"))
    answer = "x:2 (3. It's): optimal, 2 slides (3 units)\n  proof: search\n  1. A 0,1 > 1,1 d\n  2. b 4,0 > 3,1 ru\n"
    assert slide_plan.read(answer) == plan
    row = json.dumps({"plan": plan_json(plan)})
    assert slide_plan.read(row) == plan
    for text, message in (
        (answer + answer, "slide 1 stands where slide 3 belongs"),
        (answer.replace("1. A", "1. AA"), "is no slide"),
        (row.replace(" 2, ", " 3, "), "action 2 is said to be step 3"),
    ):
        with pytest.raises(NotationError, match=message):
            slide_plan.read(text)


@pytest.mark.parametrize("text", ["A 0,1", "A 0,1 > 1", "A 0,1 > 1,1 x", "AB 0,1 > 1,1", "push(a,b,c,1)"])
def test_faults_are_placed(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        slide_plan.read(f"A 0,0 > 0,1\n{text}\n", "x.plan")
    assert (caught.value.source, caught.value.line) == ("x.plan", 2)


ATOMS = 'slide("B",1,4,2) slide("A",0,2,3) slide("C",3,6,1)'
OUTPUTS = {
    "facts": ATOMS.replace(") ", ").\n") + ".\n",
    "text": f"clingo version 5.4.1\nReading from k.lp\nSolving...\nAnswer: 1\n{ATOMS}\nSATISFIABLE\n\nModels: 1+\n",
    "json": json.dumps(
        {"Solver": "clingo version 5.4.1", "Call": [{"Witnesses": [{"Value": ATOMS.split()}]}]}, indent=2
    ),
}


@pytest.mark.parametrize("form", OUTPUTS)
def test_the_answer_of_an_exported_program_is_refereed(form: str, tmp_path: Path) -> None:
    (tmp_path / "k.klotski").write_text("goal: A 0,2\n\nAB.\nC..\n...\n")
    (tmp_path / "p.txt").write_text(OUTPUTS[form])
    (row,) = rows(run("check", str(tmp_path / "k.klotski"), str(tmp_path / "p.txt"), "--json"))
    assert (row["valid"], row["slides"], row["units"]) == (True, 3, 4)


def test_faults_of_atoms_are_told(tmp_path: Path) -> None:
    (tmp_path / "k.klotski").write_text("goal: A 0,2\n\nA..\n")
    for text, said in (
        ('slide("A",1,2,1).', "no piece of class 'A' stands at cell 1"),
        ('slide("A",0,2).', "is no plan atom"),
        ("UNSATISFIABLE\n", "holds no plan, only UNSATISFIABLE"),
        ("UNKNOWN\n", "holds no plan, only UNKNOWN"),
        ("clingo version 5.8\nReading from -\nSolving...\nUNSATISFIABLE\n", "holds no plan, only UNSATISFIABLE"),
    ):
        (tmp_path / "p.txt").write_text(text)
        done = run("check", str(tmp_path / "k.klotski"), str(tmp_path / "p.txt"))
        assert done.returncode == 30 and said in done.stderr and "p.txt" in done.stderr, done.stderr


def test_a_row_over_several_lines_is_read() -> None:
    row = {"status": "optimal", "plan": {"actions": [["A", [0, 0], [0, 1], 1, "r"]]}}
    for text in (json.dumps(row), json.dumps(row, indent=1), f'{{"status": "error"}}\n{json.dumps(row)}'):
        assert slide_plan.read(text) == (Slide("A", BoardCell(0, 0), BoardCell(0, 1), "r"),)
