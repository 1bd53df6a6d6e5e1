"""Competition facts both ways, and push atoms as plans and solvers write them."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoasp.core.atoms import parse_atoms
from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban import facts, formats
from sokoasp.sokoban.level import Cell, Direction, Level
from sokoasp.sokoban.plan import Push
from tests.sokoban.strategies import game, levels

LEVEL = formats.read("First\n\n######\n#@$. #\n######\n")[0]
PUSH = Push(Cell(1, 2), Direction.right, Cell(1, 3))

WRITTEN = """\
% First
% ######
% #@$. #
% ######
right(c2r2,c3r2).
right(c3r2,c4r2).
right(c4r2,c5r2).
box(c3r2).
solution(c4r2).
sokoban(c2r2).
step(1).
step(2).
next(1,2).
"""


def test_written() -> None:
    assert facts.write(LEVEL, steps=2) == WRITTEN
    assert facts.write(LEVEL, picture=False).startswith("right(")


def test_top_means_above() -> None:
    level = formats.read("###\n#@#\n#$#\n#.#\n###\n")[0]
    assert "top(c2r3,c2r2)." in facts.write(level)


@given(level=levels(), steps=st.one_of(st.none(), st.integers(1, 5)))
def test_own_facts_come_back_in_place(level: Level, steps: int | None) -> None:
    again = facts.read(facts.write(level, steps=steps))
    assert (again.floor, again.boxes, again.goals, again.player) == (
        level.floor,
        level.boxes,
        level.goals,
        level.player,
    )
    assert again.steps == steps
    assert facts.write(again, picture=False) == facts.write(level, steps=steps, picture=False)


@given(
    level=levels(),
    seed=st.integers(0, 2**32),
    style=st.sampled_from(["n{0}", "{0}", '"cell {0}"', "loc({0},f(a))", "({0},b)"]),
)
def test_any_names_and_order_come_back(level: Level, seed: int, style: str) -> None:
    rng = random.Random(seed)
    numbers = list(range(len(level.floor)))
    rng.shuffle(numbers)
    renamed = {cell: style.format(n) for cell, n in zip(sorted(level.floor), numbers, strict=True)}
    own = facts.name_of(level)
    lines = facts.write(level, steps=3, picture=False).splitlines()
    for cell, name in sorted(renamed.items(), key=lambda pair: -len(own[pair[0]])):
        lines = [line.replace(f"({own[cell]},", f"(@{name}@,").replace(f",{own[cell]})", f",@{name}@)")
                 .replace(f"({own[cell]})", f"( @{name}@ )") for line in lines]  # fmt: skip
    rng.shuffle(lines)
    text = "".join(line.replace("@", "") + rng.choice((" ", "\n", " % remark\n", "%* more\n *%")) for line in lines)
    again = facts.read(text)
    assert game(again) == game(level)
    assert set(dict(again.names).values()) == set(renamed.values())
    assert again.steps == 3
    assert game(facts.read(facts.write(again))) == game(level)
    assert formats.read(formats.write([again], "xsb"))[0] == again


def test_more_boxes_than_goals_are_legal() -> None:
    level = facts.read("right(a,b). right(b,c). right(c,d). sokoban(a). box(b). box(d). solution(c).")
    assert (len(level.boxes), len(level.goals)) == (2, 1)
    assert str(level) == "######\n#@$.$#\n######"


@pytest.mark.parametrize(
    "text", ["step(1). step(2). next(1,2).", "next(1,2).", "step(2). step(1).", "step(1..2). next(1,2)."]
)
def test_steps(text: str) -> None:
    level = facts.read(f"right(a,b). right(b,c). sokoban(a). box(b). solution(c). {text}")
    assert (level.steps, level.step_names) == (2, ())


def test_named_steps_order_the_plan() -> None:
    level = facts.read(
        "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(a). box(b). solution(d). next(z,y). next(y,x)."
    )
    assert (level.steps, level.step_names) == (3, ("z", "y", "x"))
    pushes = facts.read_pushes(level, "push(c,right,d,y). push(b,right,c,z).")
    assert [push.to.col for push in pushes] == [3, 4]
    assert facts.push_atoms(level, pushes) == "push(b,right,c,z).\npush(c,right,d,y).\n"
    with pytest.raises(SokoaspError, match="no push at step z"):
        facts.read_pushes(level, "push(c,right,d,y).")


GOOD = "right(a,b). right(b,c). sokoban(a). box(b). solution(c)."


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("", "E-NOLEVEL", "no facts"),
        ("% nothing\n", "E-NOLEVEL", "no facts"),
        (GOOD.replace("sokoban(a).", ""), "E-NOPLAYER", "no sokoban/1"),
        (GOOD + "sokoban(c).", "E-PLAYERS", r"sokoban\(a\) and sokoban\(c\)"),
        (GOOD + "box(a).", "E-PLAYERS", "both on a"),
        (GOOD + "solution(a).", "E-COUNT", "1 box, 2 storage"),
        (GOOD.replace("solution(c).", ""), "E-NOBOX", "storage location"),
        (GOOD + "top(a,c).", "E-GRID", "contradicts"),
        (GOOD + "right(a,d).", "E-GRID", "same place as b"),
        (GOOD + "right(c,a).", "E-GRID", "contradicts"),
        (GOOD + "right(x,y).", "E-GRID", "x is not connected with a"),
        (GOOD + "box(x).", "E-GRID", "x is not connected"),
        (GOOD + "top(a,d). top(b,e). ", "E-GRID", r"right\(d,e\) is missing"),
        (GOOD + "movedir(a,b,right).", "E-2013", "movedir/3 belongs to the competition of 2013"),
        (GOOD + "pushtogoal(a,b,c,d,e,f,g).", "E-2013", "pushtogoal/7"),
        (GOOD + "isgoal(a).", "E-2013", "isgoal/1"),
        (GOOD + "boxx(a).", "E-FACTS", "boxx/1 is not one of"),
        (GOOD + "box(a,b).", "E-FACTS", "has 2 arguments, box takes 1"),
        (GOOD + "box(X).", "E-FACTS", "variable X"),
        (GOOD + "box(_).", "E-FACTS", "variable _"),
        (GOOD + "box(a) :- box(b).", "E-FACTS", "a rule"),
        (GOOD + ":- box(b).", "E-FACTS", "a rule"),
        (GOOD + "#show box/1.", "E-FACTS", "directive #show"),
        (GOOD + "not box(b).", "E-FACTS", "a rule"),
        (GOOD + "box((a;b)).", "E-FACTS", "';'"),
        (GOOD + "box(b)", "E-FACTS", "full stop"),
        (GOOD + 'box("a).', "E-FACTS", "'\"'"),
        (GOOD + "%* open", "E-COMMENT", "never closed"),
        (GOOD + "step(1..999999999).", "E-SIZE", "range"),
        (GOOD + "step(a..b).", "E-FACTS", "not a range"),
        (GOOD + "box(" + "f(" * 60 + "a" + ")" * 60 + ").", "E-SIZE", "nested"),
        (GOOD + "step(x). step(y).", "E-STEPS", "no next/2"),
        (GOOD + "next(1,2). next(1,3).", "E-STEPS", "two successors"),
        (GOOD + "next(1,2). next(2,1).", "E-STEPS", "one line"),
        (GOOD + "next(1,2). next(3,4). next(4,3).", "E-STEPS", "one line"),
        (GOOD + "step(1). next(1,2).", "E-STEPS", "no step/1 declares"),
        (GOOD + "step(1). step(2). step(3). next(1,2).", "E-STEPS", "one line"),
    ],
)
def test_refused(text: str, code: str, message: str) -> None:
    with pytest.raises(SokoaspError, match=message) as caught:
        facts.read(text, source="f.lp")
    assert caught.value.code == code
    assert caught.value.place.startswith("f.lp:1")


def test_places_of_errors() -> None:
    with pytest.raises(SokoaspError) as caught:
        facts.read(GOOD + "\n%* two\nlines *%  box(b). boxx(b).\n", source="f.lp")
    assert caught.value.place == "f.lp:3:19"


def test_a_long_staircase_is_refused_before_it_is_drawn() -> None:
    stair = "".join(f"right({n},{n + 1}). top({n + 2},{n + 1})." for n in range(0, 1000, 2))
    with pytest.raises(SokoaspError) as caught:
        facts.read(stair + "sokoban(0). box(1). solution(2).")
    assert caught.value.code == "E-SIZE"


def test_parse_atoms() -> None:
    atoms = parse_atoms('p(a, -3,"x y",f(g,(1,2)))  q\n{r(b)}')
    assert [str(atom) for atom in atoms] == ['p(a,-3,"x y",f(g,(1,2)))', "q", "r(b)"]
    assert [(atom.line, atom.column) for atom in atoms] == [(1, 1), (1, 28), (2, 2)]


@pytest.mark.parametrize(
    "text",
    [
        "push(c3r2,right,c4r2,1).",
        "push(c3r2, right, c4r2, 1)",
        "% plan\n push(c3r2,right,c4r2,1). done.",
        "push(c3r2,right,c4r2,0)",
    ],
)
def test_atoms_without_a_solver(text: str) -> None:
    """What solvers print is read in ``test_answers``."""
    assert facts.read_pushes(LEVEL, text) == (PUSH,)


def test_constants_in_quotes() -> None:
    level = facts.read('right("a","b c"). right("b c","d"). sokoban("a"). box("b c"). solution("d").')
    assert facts.read_pushes(level, '{push("b c",right,"d",1)}') == (PUSH,)


def test_an_answer_without_pushes_is_the_empty_plan() -> None:
    assert facts.read_pushes(LEVEL, "Answer: 1\n\nSATISFIABLE\n") == ()
    assert facts.read_pushes(LEVEL, "{}") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no push atoms"),
        ("box(a).", "no push atoms"),
        ("clingo version 5\nSolving...\nUNSATISFIABLE\n", "holds no plan, only UNSATISFIABLE"),
        ('{"Call": [{}], "Result": "UNSATISFIABLE"}', r"no answer of clingo \(UNSATISFIABLE\)"),
        ('{"Call": ', "not valid JSON"),
        ("push(c3r2,right,c4r2,1). push(c4r2,left,c3r2,1).", "two pushes at step 1"),
        ("push(c3r2,right,c4r2,1). push(c4r2,left,c3r2,3).", "no push at step 2"),
        ("push(c3r2,right,c4r2,2).", "no push at step 1"),
        ("push(c3r2,right,c4r2).", "push/3"),
        ("push(c3r2,east,c4r2,1).", "east is no direction"),
        ("push(c3r2,right,zz,1).", "no cell zz"),
        ("push(c3r2,right,c4r2,one).", "step one is not a number"),
        ("push(c3r2,right,X,1).", "variable X"),
        ("What a plan!", "variable What"),
    ],
)
def test_refused_plans(text: str, message: str) -> None:
    with pytest.raises(SokoaspError, match=message) as caught:
        facts.read_pushes(LEVEL, text, source="p.txt")
    assert caught.value.source == "p.txt"
    assert caught.value.exit_code == 30


@given(level=levels(), seed=st.integers(0, 2**32), length=st.integers(1, 30))
def test_push_atoms_come_back_in_any_order(level: Level, seed: int, length: int) -> None:
    rng = random.Random(seed)
    cells = sorted(level.floor)
    pushes = tuple(Push(rng.choice(cells), rng.choice(list(Direction)), rng.choice(cells)) for _ in range(length))
    lines = facts.push_atoms(level, pushes).splitlines()
    rng.shuffle(lines)
    assert facts.read_pushes(level, "\n".join(lines)) == pushes


def test_the_competition_files(shared: Path) -> None:
    files = sorted((shared / "data" / "asp-competition-2009-optimize").glob("*.asp"))
    assert len(files) == 28
    for path in files:
        (level,) = formats.read(path.read_bytes(), source=str(path))
        assert level.steps == int(path.name.split(".steps.")[1].split(".")[0])
        assert facts.read(facts.write(level)) == level
        (drawn,) = formats.read(formats.write([level], "xsb"))
        assert game(facts.read(facts.write(drawn))) == game(level)
