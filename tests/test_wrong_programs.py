"""Thirty wrong programs of a user's: ``solve`` and ``grade`` say the same of each, and never that it is right."""

import re
from pathlib import Path

import pytest

from sokoasp.core.errors import EncodingError, WrongPlan
from sokoasp.core.limits import Limits
from sokoasp.engine import solve
from sokoasp.engine.grading import grade
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from tests.commands import run as run_command
from tests.conftest import ROOT
from tests.instances import levels
from tests.levels import random_level, scrambled_level

SLIDE = "can(B,D,N,t) :- can(B,D,M,t), adjacent(D,M,N), not at(N,t-1).\n"
WALK = "walk(M,t)    :- walk(L,t), adjacent(_,L,M), not at(M,t-1).\n"
CAN = "can(B,D,M,t) :- at(B,t-1), walk(L,t), adjacent(D,L,B), adjacent(D,B,M), not at(M,t-1).\n"
PUSH = "{ push(B,D,M,t) : can(B,D,M,t) } = 1.\n"
GONE = "gone(B,t)   :- push(B,_,_,t).\n"
LAND = "at(M,t)     :- push(_,_,M,t).\n"
STAY = "at(B,t)     :- at(B,t-1), not gone(B,t).\n"
PLAYER = "player(L,t) :- push(_,D,M,t), adjacent(D,L,M).\n"
GOAL = ":- query(t), solution(L), not at(L,t).\n"
SHOW = "#show push/4.\n"
IDLE = "acts(t) :- push(_,_,_,t).\nplayer(L,t) :- player(L,t-1), not acts(t).\n"

WRONG: dict[str, tuple[str, str]] = {
    # a rule left out, or half of one
    "no slide": (SLIDE, ""),
    "no walk": (WALK, ""),
    "boxes vanish when others move": (STAY, ""),
    "boxes never leave": (GONE, "gone(B,t) :- push(B,_,_,t), t > 9.\n"),
    "boxes vanish when pushed": (LAND, ""),
    "no way up": ("adjacent(up,A,B)    :- top(A,B).\n", ""),
    "no way left": ("adjacent(left,B,A)  :- right(A,B).\n", ""),
    "walks through boxes": (WALK, WALK.replace(", not at(M,t-1)", "")),
    "pushes onto boxes": (CAN, CAN.replace(", not at(M,t-1)", "")),
    "no slide to the right": (SLIDE, SLIDE.replace("not at(N,t-1)", "not at(N,t-1), D != right")),
    "pushes from afar": (CAN, CAN.replace("walk(L,t), ", "")),
    "player stays behind": (PLAYER, "player(L,t) :- player(L,t-1).\n"),
    "player on the box": (PLAYER, "player(M,t) :- push(_,_,M,t).\n"),
    "player too far back": (PLAYER, "player(K,t) :- push(B,D,_,t), adjacent(D,L,B), adjacent(D,K,L).\n"),
    "up and down exchanged": ("adjacent(up,A,B)    :- top(A,B).\nadjacent(down,B,A)  :- top(A,B).\n",
                              "adjacent(down,A,B) :- top(A,B).\nadjacent(up,B,A) :- top(A,B).\n"),
    "one goal is enough": (GOAL, "done(t) :- solution(L), at(L,t).\n:- query(t), not done(t).\n"),
    "the goal is the first state": (GOAL, ":- query(t), solution(L), not at(L,0).\n"),
    "no goal": (GOAL, ":- query(t), t < 1.\n"),
    # a bound off by one
    "goal one step early": (GOAL, ":- query(t), solution(L), not at(L,t-1).\n"),
    "never fewer than nine": (GOAL, GOAL + ":- query(t), t < 9.\n"),
    "no first action": (GOAL, GOAL + "#program step(t).\n:- push(_,_,_,t), t = 1.\n"),
    # a wrong order
    "numbered from the end": (SHOW, "#show. #show push(B,D,M,20-t) : push(B,D,M,t).\n"),
    "the first push is not shown": (SHOW, "#show. #show push(B,D,M,t) : push(B,D,M,t), t > 1.\n"),
    # several actions a step, or none
    "two actions a step": (PUSH, "1 { push(B,D,M,t) : can(B,D,M,t) } 2.\n"),
    "must idle first": (PUSH, "{ push(B,D,M,t) : can(B,D,M,t) } 1.\n:- push(_,_,_,1).\n" + IDLE),
    "idles every other step": (PUSH, "{ push(B,D,M,t) : can(B,D,M,t) } 1.\n:- push(_,_,_,t), t \\ 2 = 1.\n" + IDLE),
    # prunes too much
    "not the same box twice": (PUSH, PUSH + ":- push(_,_,M,t-1), push(M,_,_,t).\n#defined push/4.\n"),
    "never off a goal": (PUSH, PUSH + ":- push(B,_,_,t), solution(B).\n"),
    "never up": (PUSH, PUSH + ":- push(_,up,_,t).\n"),
    "no cell twice": (PUSH, PUSH + ":- player(L,t), player(L,t-1).\n"),
}  # fmt: skip


def suite() -> list[Level]:
    """Return levels on which each of the programs is wrong at least once."""
    crowded = [random_level(50, width=4, height=4, boxes=3), scrambled_level(45, width=4, height=4, boxes=3, pulls=8)]
    return [*levels("tutorial/first.xsb"), *levels("regression/regression.xsb"), *crowded]


def complete_program() -> str:
    """Return the whole program that encodings/README.md shows."""
    text = (ROOT / "encodings" / "README.md").read_text(encoding="utf-8")
    (block,) = (one for one in re.findall(r"```prolog\n(.*?)```", text, re.DOTALL) if "#external query(t)." in one)
    return block


def written(folder: Path, name: str) -> Path:
    """Write a wrong program, or the right one, and return its file."""
    text = complete_program()
    if name != "right":
        old, new = WRONG[name]
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{name.replace(' ', '-')}.lp"
    path.write_text(text, encoding="utf-8")
    return path


def by_solve(problem: Level, program: Path) -> str:
    """Return what ``solve`` makes of it: ``right`` or ``wrong``, or its status where it is neither."""
    try:
        found = solve(problem, encoding=str(program), limits=Limits(seconds=60))
    except WrongPlan as error:
        assert error.exit_code == 1
        return "wrong"
    if found.cross_check is None or found.cross_check.agrees is None:
        return f"{found.status} without a comparison"
    return "right" if found.exit_code in (0, 11) and found.cross_check.agrees else str(found.status)


@pytest.mark.slow
def test_thirty_wrong_programs_are_told_apart_alike(tmp_path: Path) -> None:
    assert len(WRONG) == 30
    given = suite()
    programs = {name: written(tmp_path, name) for name in ("right", *WRONG)}
    differing, told = [], dict.fromkeys(programs, 0)
    for name, path in programs.items():
        marks = [mark.verdict for mark in grade(str(path), given)]
        for number, problem in enumerate(given):
            mark = "right" if marks[number] == "right" else "wrong"
            said = (by_solve(problem, path), mark)
            told[name] += said == ("wrong", "wrong")
            if said not in (("wrong", "wrong"), ("right", "right")) or marks[number] == "time out":
                differing.append((name, number, said, marks[number]))
    assert differing == []
    assert told.pop("right") == 0
    assert [name for name, count in told.items() if count == 0] == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no slide", "though its own plan has 1: its 2 actions are 1 line: one box pushed on in one direction"),
        ("two actions a step", "gave an illegal plan: two actions at step 1: push("),
        ("never fewer than nine", "claims an optimum of 9 lines, but there is one of "),
        ("no way up", "claims that there is no plan, but there is one of "),
        ("walks through boxes", "gave an illegal plan"),
    ],
)
def test_a_wrong_program_ends_with_1_and_never_agrees(name: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, name)
    (tmp_path / "levels.xsb").write_text(formats.write(suite(), "xsb"))
    done = run_command("solve", str(tmp_path / "levels.xsb"), "--encoding", str(path), "--json")
    assert done.returncode == 1 and said in done.stderr
    marks = grade(str(path), suite()) if name == "no slide" else ()
    assert not marks or any(said in mark.reason for mark in marks)
    assert '"status": "wrong_claim"' in done.stdout or '"status": "wrong_plan"' in done.stdout


def test_a_program_of_another_objective_counts_something_else(tmp_path: Path) -> None:
    path = written(tmp_path, "right")
    (mark,) = grade(str(path), levels("tutorial/first.xsb"), objective="pushes")
    assert mark.verdict == "counts something else"
    assert mark.reason == "its plan at bound 1 has 2 pushes"


def test_the_pages_own_program_is_not_accused_for_what_a_tie_break_or_constraint_lacks(tmp_path: Path) -> None:
    mine, limit = tmp_path / "mine.lp", tmp_path / "limit.lp"
    text = complete_program().replace("#external query(t).", "#include <incmode>.").replace("adjacent", "near")
    mine.write_text(text)
    limit.write_text("#program check(t).\n:- query(t), t > 2.\n")
    asked = {"encoding": str(mine), "limits": Limits(seconds=30)}
    for then, needs in ("moves", "adjacent/3, .*player_at/2"), ("pushes", "adjacent/3"):
        with pytest.raises(EncodingError, match=f"--then needs {needs}, which .*mine.lp' does not derive"):
            solve(levels("tutorial/first.xsb")[0], then=(then,), **asked)  # type: ignore[arg-type]
    assert solve(levels("tutorial/first.xsb")[0], constraints=(limit,), **asked).value == 1  # type: ignore[arg-type]
    for atom, said in (
        ("adjacent(up,c4r2,c5r2)", "derives adjacent/3, which an encoding of your own has to derive under this name"),
        ("passes(c5r2,t)", "derives passes/2, nor adjacent/3, from which it follows"),
    ):
        limit.write_text(f"#program step(t).\n:- {atom}.\n")
        with pytest.raises(EncodingError, match=said):
            solve(levels("tutorial/first.xsb")[0], constraints=(limit,), **asked)  # type: ignore[arg-type]
    mine.write_text(re.sub(r"\bat\(", "on(box,", complete_program()))  # a word that our own programs have otherwise
    assert solve(levels("tutorial/first.xsb")[0], constraints=(limit,), **asked).plan is None  # type: ignore[arg-type]
