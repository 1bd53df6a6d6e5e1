"""Every question to every program, beside brute force."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sokoasp import EncodingError, Limits, Status, solve
from sokoasp.asp import vocabulary
from sokoasp.asp.catalogue import folder
from sokoasp.core.errors import counted
from sokoasp.klotski import notation
from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.level import Level
from tests.asp_questions import questions
from tests.commands import run as run_command
from tests.instances import FOLDER, LINE, ROOM, level, written
from tests.names import renamed

STEP, CHECK = "#program step(t).\n", "#program check(t).\n"


def _many(first: int, count: int) -> list[Any]:
    return [pytest.param(range(n, n + count // 10), marks=pytest.mark.slow) for n in range(first, count, count // 10)]


@pytest.mark.parametrize("seeds", [(26,), *_many(0, 80)])
def test_every_question_is_answered_as_by_brute_force(seeds: Sequence[int]) -> None:
    found = [verdict for seed in seeds for verdict in questions(seed)]
    assert len(found) > 20 * min(len(seeds), 15)
    assert [verdict for verdict in found if not verdict.right] == []


@pytest.mark.parametrize(("seed", "objective"), [(26, "moves"), (33, "lines"), (33, "pushes"), (38, "lines")])
def test_a_loss_at_one_priority_does_not_hide_a_gain_at_a_higher_one(seed: int, objective: str) -> None:
    found = list(questions(seed, (objective,), ranked=6))
    assert any(verdict.question.startswith("gained") for verdict in found)
    assert [verdict for verdict in found if not verdict.right] == []


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, 50))
def test_a_thousand_gains_by_several_priorities(first: int) -> None:
    found = [verdict for seed in range(first, first + 50) for verdict in questions(seed, ranked=6)]
    assert sum(verdict.question.startswith("gained") for verdict in found) >= 30
    assert [verdict for verdict in found if not verdict.right] == []


def test_the_cost_that_is_proved_is_the_least_by_every_priority(tmp_path: Path) -> None:
    text = f"{STEP}:~ push(_,_,c5r3,t), t = 1. [1@2,t]\n:~ push(_,up,_,t). [1@1,t]\n"
    room = level("""
        ######
        #    #
        #@$ .#
        #    #
        ######
    """)
    found = solve(room, constraints=(written(tmp_path, text),), at_most=3)
    assert found.cost is not None and found.cost.proved
    assert (found.value, found.cost.preferences) == (2, ((2, 0), (1, 0)))


@pytest.mark.parametrize(
    ("name", "seed", "old", "new"),
    [
        ("box_at.lp", 32, "box_at(B,L,t) :- box_at(B,L,t-1), not moved_from(L,t).", ""),
        ("player_after_line.lp", 30, "adjacent(D,L0,L)", "adjacent(D,L,L0)"),
        ("placed_of_line.lp", 27, "placed(L,t) :- far_end(L,_,t).", "placed(L,t) :- near_end(L,_,t)."),
    ],
)
def test_a_fault_in_a_bridge_shows(
    name: str, seed: int, old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The campaign would be worth nothing if it passed with broken bridges; not every level notices each fault."""
    broken = tmp_path / name
    text = (folder() / "sokoban" / "bridge" / name).read_text()
    assert old in text
    broken.write_text(text.replace(old, new))
    real = vocabulary.bridges

    def bridges(*args: object) -> tuple[Path, ...]:
        return tuple(broken if path.name == name else path for path in real(*args))  # type: ignore[arg-type]

    monkeypatch.setattr("sokoasp.asp.constraints.bridges", bridges)
    assert any(not verdict.right for verdict in questions(seed, ("lines",)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (STEP + ":- box_at(c99r2,t).", r"mine.lp:2:4: the level has no floor cell c99r2: a cell is called c.*r1?"),
        (STEP + ":- pushed(c4r4,t).", r"mine.lp:2:4: no box starts on c4r4; there are "),
        (STEP + ":- push((2,3),_,_,t).", r"mine.lp:2:4: .*no floor cell \(2,3\).*\(row 2, column 3\) is c4r3"),
        ("forbidden(c1r1).\n" + STEP + ":- box_at(L,t), forbidden(L).", r"mine.lp:1:11: the level has no .* c1r1"),
        (STEP + ":- push(L,_,_,t), L = c1r1.", r"mine.lp:2:\d+: the level has no floor cell c1r1"),
        (STEP + ":- push(_,u,_,t).", r"mine.lp:2:4: u is no direction: they are left, right, up, down"),
        (STEP + ":- push(_,D,_,t), D == north.", r"mine.lp:2:\d+: north is no direction"),
        (STEP + ":- push(_,(up;dwn),_,t).", r"mine.lp:2:4: dwn is no direction"),
        (STEP + ":- box_at(c4r4,t+1).", r"mine.lp:2:4: state t\+1 is not there yet in part step"),
        ("l(T) :- push(_,left,_,T).\n#preference(p,subset){l(1)}.", r"mine.lp:2:1-12: error: .* \(asprin's statements"),
        (":- box_at(c4r4,T), T > 2.", r"mine.lp:1:4: part base knows the start only .*belongs under '#program step"),
        (":- box_at(c4r4,3).", r"mine.lp:1:4: part base knows the start only"),
        (
            CHECK + ":- box_at(c4r4,t).",
            r"mine.lp:2:1: a constraint in part check holds at every bound .*add query\(t\)",
        ),
        (CHECK + ":~ box_at(c4r4,t). [1]", r"mine.lp:2:1: a preference in part check holds at every bound"),
        (CHECK + "bad(t) :- box_at(c4r4,t).\n:- bad(t).", r"mine.lp:3:1: a constraint in part check"),
        ("box(c4r4).", r"mine.lp:1:1: box/1 belongs to the program: constraints may use it, not derive it"),
        (STEP + "box_at(c4r4,t).", r"mine.lp:2:1: box_at/2 belongs to the program"),
        (STEP + ":- push(_,t,_,t).", r"mine.lp:2:4: t is the number of the action here, not a direction"),
        (STEP + ":- move(up,t).", r"mine.lp:2:4: nothing in 'lines-forward' derives move/2: it is for moves"),
        (STEP + ":- box_at(c99r2,t;c4r4,t).", r"mine.lp:2:4: the level has no floor cell c99r2"),
        (STEP + ":- last_box(L,t1,t).", r"mine.lp:2:4: t1 is a name, and last_box/3 has a number there"),
        (STEP + ":- pushes_of(_,t,t).", r"mine.lp:2:4: t is the number of the action here, not a number"),
        (
            STEP + "seen(L) :- player_at(L,t).\n" + CHECK + ":- query(t), not seen(c4r4).",
            r"mine.lp:2:1: redefinition of an atom, .* derives seen/1 of L",
        ),
    ],
)
def test_what_would_say_nothing_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(EncodingError, match=said):
        solve(ROOM, constraints=(written(tmp_path, text + "\n"),))


def test_a_program_that_is_solved_once_has_no_more_than_it_derives(tmp_path: Path) -> None:
    with pytest.raises(
        EncodingError, match="nothing in 'competition' derives pushed/2: it is added only to programs with"
    ):
        solve(ROOM, encoding="competition", steps=3, constraints=(written(tmp_path, ":~ pushed(B,S). [1,S]\n"),))


ONCE = """
near(right,A,B) :- right(A,B). near(left,B,A) :- right(A,B). near(up,A,B) :- top(A,B). near(down,B,A) :- top(A,B).
first(S) :- step(S), not step(S-1). at(B,S) :- box(B), first(S). player(L,S) :- sokoban(L), first(S).
walk(L,S) :- player(L,S). walk(M,S) :- walk(L,S), near(_,L,M), not at(M,S).
{ push(B,D,M,S) : at(B,S), near(D,B,M), not at(M,S), near(D,L,B), walk(L,S) } = 1 :- step(S), step(S+1).
at(M,S+1) :- push(_,_,M,S). at(B,S+1) :- at(B,S), step(S+1), not push(B,_,_,S). player(B,S+1) :- push(B,_,_,S).
:- solution(L), step(S), not step(S+1), not at(L,S).
#show push/4.
"""


def test_lines_are_counted_alike_whichever_way_pushes_are_asked_for(tmp_path: Path) -> None:
    found = solve(LINE, objective="pushes", encoding=str(written(tmp_path, ONCE)), steps=5)
    assert found.counts == {"lines": 1, "pushes": 4, "moves": 4}


def test_preferences_of_a_program_that_is_solved_once_prove_no_length(tmp_path: Path) -> None:
    """They are optimised among the plans of so many actions; a shorter plan may be there."""
    wish = (written(tmp_path, ":~ push(_,left,_,S). [1,S]\n"),)
    found = solve(LINE, encoding="competition", steps=3, constraints=wish)
    assert found.status is Status.SOLVED and found.lower_bound < 2 and found.cost.proved
    with pytest.raises(EncodingError, match=r":1:1: 'competition-fewest' minimises the number of actions itself"):
        solve(LINE, encoding="competition-fewest", steps=3, constraints=wish)


@pytest.mark.parametrize(
    "text",
    [
        CHECK + "bad(t) :- query(t), t < 0.\n:- bad(t).",
        CHECK + "home(L,t) :- player_at(L,t).\n:- query(t), not home(L,t) : cell(L).",
        STEP + ":- push(_,D,_,t), D == up, t < 0.",
        STEP + ":- box_at(L,T), T < t, T < 0.",
        "allowed(up).\n" + STEP + ":- push(_,D,_,t), allowed(D), t < 0.",
        ":- box_at(c2r2,0), box_at(c3r3,0).",
        "#const far = 99.\n" + STEP + ":- box_at(L,far), t == far.",
    ],
)
def test_what_says_something_is_taken(text: str, tmp_path: Path) -> None:
    assert solve(ROOM, constraints=(written(tmp_path, text + "\n"),)).value == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (':- slide("c",_,_,t).', 'mine.lp:2:4: there is no class "c": piece c is in class "b"'),
        ('seen(t) :- not slide("Z",_,_,t).', 'mine.lp:2:16: there is no class "Z": the classes are "A", "b"'),
        ("{ seen(t) : at(b,4,t) }.", 'mine.lp:2:13: there is no class b: the classes are "A", "b"'),
        (':- at(C,_,t), C = "d".', 'mine.lp:2:19: there is no class "d"'),
        (':- slide("b",_,99,t).', "mine.lp:2:4: the level has no cell 99"),
        (':- slide("b",_,_,t), t < 0.', ""),
    ],
)
def test_classes_of_pieces_are_called_as_the_facts_call_them(text: str, said: str, tmp_path: Path) -> None:
    (board,) = notation.read("goal: A 1,1\nAAb\nAAc\nd.e\n")
    asked = {"encoding": "slides", "constraints": (written(tmp_path, f"{STEP}{text}\n"),)}
    if not said:
        assert solve(board, **asked).status is Status.UNSOLVABLE
        return
    with pytest.raises(EncodingError, match=said):
        solve(board, **asked)


def test_cells_of_a_file_are_called_as_the_file_calls_them(tmp_path: Path) -> None:
    named = renamed(LINE, 1, "integers")
    cell = name_of(named)[sorted(named.floor)[3]]
    found = solve(named, constraints=(written(tmp_path, f"{STEP}:- placed({cell},t).\n"),))
    assert found.value == 1
    with pytest.raises(EncodingError, match=r"the level has no cell 99; its own file calls them 0, 1, 2"):
        solve(named, constraints=(written(tmp_path, f"{STEP}:- placed(99,t).\n"),))


def test_an_impossible_constraint_ends_or_says_why_not(tmp_path: Path) -> None:
    stuck = solve(ROOM, constraints=(written(tmp_path, STEP + ":- push(_,_,_,t).\n"),), limits=Limits(seconds=60))
    assert stuck.status is Status.UNSOLVABLE and "or more, and none of fewer solves" in str(stuck.proof)
    # every state may be met once at most, and there are few
    small = solve(LINE, constraints=(written(tmp_path, CHECK + ":- query(t), not player_at(c2r2,t).\n"),))
    assert small.status is Status.UNSOLVABLE and "under the given constraints" in str(small.proof)
    back = STEP + ":- box_at(c6r4,t).\n"  # a goal, and the pushes can go on for ever
    endless = solve(ROOM, constraints=(written(tmp_path, back),), limits=Limits(seconds=0.3))
    assert endless.status is Status.TIME_OUT and re.match("perhaps no plan .* it goes on until", str(endless.note))
    bounded = solve(ROOM, constraints=(written(tmp_path, back),), at_most=4)
    assert bounded.status is Status.NO_PLAN and bounded.question is not None and bounded.question.answer == "no"


def run(*arguments: str) -> tuple[int, str, str]:
    done = run_command(*arguments)
    return done.returncode, done.stdout, done.stderr


def facts(tmp_path: Path, one: Level, steps: int) -> str:
    from sokoasp.sokoban.facts import write

    path = written(tmp_path, write(one, steps=steps), f"asks{steps}.lp")
    return str(path)


@pytest.mark.parametrize(
    ("steps", "answer"), [(2, "no (every plan has at least 2)"), (3, "yes (the plan)"), (6, "yes (the plan")]
)
def test_a_file_with_steps_gets_its_own_question_answered(steps: int, answer: str, tmp_path: Path) -> None:
    code, out, _ = run("solve", facts(tmp_path, ROOM, steps))
    asked = counted(steps - 1, "actions")
    assert code == 0 and "optimal, 2 lines" in out and f"a plan of exactly {asked}: {answer}" in out


def test_a_long_line_is_told_as_several_or_a_program_is_asked(tmp_path: Path) -> None:
    from sokoasp import read

    for steps, answer in ((2, "yes"), (3, "yes"), (5, "yes"), (6, "no")):
        one = read((Path(facts(tmp_path, LINE, steps))).read_text())[0]
        found = solve(one)
        assert (found.status, found.value) == (Status.OPTIMAL, 1)
        assert (found.question.actions, found.question.answer) == (steps - 1, answer)
        if found.question.plan is not None:
            assert len(found.question.plan.actions) == steps - 1


def test_steps_and_at_most_do_not_go_together() -> None:
    code, _, err = run("solve", str(FOLDER / "tutorial" / "first.xsb"), "--steps", "2", "--at-most", "3")
    assert code == 2 and "give one of them" in err


def test_the_proof_names_all_that_it_stands_on() -> None:
    found = solve(ROOM, encoding="lines-forward", at_most=5)
    assert "matching of boxes to goals" in found.proof
    proof = str(solve(ROOM, encoding="lines").proof)
    assert "matching" not in proof or "table" not in proof


def test_a_cross_check_without_the_constraints_says_so(tmp_path: Path) -> None:
    room = written(tmp_path, "\n".join(ROOM.rows()) + "\n", "room.xsb")
    mine = written(tmp_path, STEP + ":- push(_,_,_,t).\n")
    code, out, _ = run("solve", str(room), "--constraints", str(mine))
    assert code == 11 and "no plan under the constraints" in out
    assert "reference not comparable: asked without the constraints (its optimum is 2)" in out
    written(tmp_path, STEP + ":- push(_,up,_,t).\n")
    words = ("--level", "9", "--constraints", str(mine), "--clingo-option=--solve-limit=0")
    code, out, _ = run("solve", str(FOLDER / "tutorial/tutorial.xsb"), *words)
    assert code == 20 and "known optimum 4 lines without the constraints (" in out


def test_cost_is_told_and_proved() -> None:
    code, out, _ = run(
        "solve", str(FOLDER / "tutorial" / "tutorial.xsb"), "--level", "8", "--then", "pushes,moves", "--json"
    )
    assert code == 0 and '"preferences": {"cost": [], "then": ["pushes", "moves"], "proved": true}' in out
    code, _, err = run("solve", str(FOLDER / "tutorial" / "first.xsb"), "--then", "lines")
    assert code == 2 and "no tie-break 'lines'; there are: pushes, moves" in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--clingo-option", "--foo"), "clingo does not take this option: unknown option: 'foo'"),
        (("--clingo-option", "--configuration=foo"), "clingo does not take this option"),
        (
            ("--clingo-option", "--const=N=3"),
            "a constant is NAME=VALUE, and the name begins with a small letter, not 'N=3'",
        ),
        (("--then", "foo"), "lines have no tie-break 'foo'; there are: pushes, moves"),
        (("--then", "moves,moves"), "the tie-break 'moves' is named twice"),
    ],
)
def test_a_wrong_option_value_is_a_wrong_usage(options: tuple[str, ...], said: str) -> None:
    code, _, err = run("solve", str(FOLDER / "tutorial" / "first.xsb"), *options)
    assert code == 2 and said in err


def test_programs_for_boards_break_no_ties() -> None:
    said = "the programs of klotski for slides break no ties"
    for options in (["--engine", "asp"], ["--encoding", "slides"], ["--clingo-option=--seed=3"]):
        code, _, err = run("solve", str(FOLDER / "klotski" / "classics.klotski"), *options, "--then", "units")
        assert code == 2 and said in err
