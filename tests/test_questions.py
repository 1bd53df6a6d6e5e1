"""Questions other than the one for a best plan: one length, further constraints, a plan in hand. None is answered by halves."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sokoasp import EncodingError, Status, read, solve, validate
from sokoasp.core.errors import OtherObjective, WrongOption
from sokoasp.core.limits import Limits
from sokoasp.klotski import notation
from sokoasp.klotski.board import Board
from sokoasp.sokoban.facts import name_of
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.search.exact import reference
from tests.instances import LINE, level, written

TWO = level("""
    #######
    # $  .#
    #@ $ .#
    #######
""")
NO_RIGHT = "#program step(t).\n:- push(_,right,_,t).\n"
SINGLE_CELLS = "#program step(t).\n:- push(L1,D,L2,t), not adjacent(D,L1,L2).\n"


def klotski(text: str) -> Board:
    return next(one for one in notation.read(text, "k.klotski") if not isinstance(one, Exception))


def test_units_of_one_length_may_go_back_and_forth() -> None:
    board = klotski("goal: A 0,1\n\nA..\n")
    assert solve(board, objective="units", engine="asp").value == 1
    found = solve(board, objective="units", steps=4)
    assert (found.status, found.value) == (Status.SOLVED, 3)
    assert solve(board, objective="units", steps=3).status is Status.NO_PLAN


def test_units_under_constraints_may_go_back(tmp_path: Path) -> None:
    board = klotski("goal: A 0,1\n\nA..\n")
    late = "#program check(t).\n:- query(t), t < 3.\n"
    assert solve(board, objective="units", constraints=(written(tmp_path, late),)).value == 3


def test_line_pushes_kept_apart_by_constraints_are_told_apart(tmp_path: Path) -> None:
    found = solve(LINE, constraints=(written(tmp_path, SINGLE_CELLS),))
    assert (found.status, found.value, len(found.plan.actions)) == (Status.OPTIMAL, 4, 4)


@pytest.mark.parametrize("encoding", ["lines-remaining", "lines-remaining-dom"])
def test_a_program_that_counts_from_the_end_is_refused(encoding: str, tmp_path: Path) -> None:
    with pytest.raises(EncodingError, match="counts actions from the end, constraints count from the start"):
        solve(LINE, encoding=encoding, constraints=(written(tmp_path, NO_RIGHT),))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            ":- push(_,right,_,_).\n",
            r"mine.lp:1:4: (nothing in part base|part base knows the start only).*: this rule belongs",
        ),
        (
            "#program step(t).\n:- psh(_,right,_,t).\n",
            r"mine.lp:2:4: nothing in 'lines-forward' derives psh/4; did you mean 'push/4'\?",
        ),
        (
            "#program steps(t).\n:- push(_,right,_,t).\n",
            r"mine.lp:1:1: part steps/1 is never grounded: 'lines-forward' has base",
        ),
        ("#program step.\n:- push(_,right,_,1).\n", r"mine.lp:1:1: part step/0 is never grounded"),
        ("", r"mine.lp: there is no constraint, preference or rule in it"),
        ("#program step(t).\n% :- push(_,right,_,t).\n#show push/4.\n", r"mine.lp: there is no constraint, pref"),
    ],
)
def test_constraints_that_would_say_nothing_are_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(EncodingError, match=said):
        solve(LINE, constraints=(written(tmp_path, text),))


def test_a_predicate_that_is_declared_may_be_empty(tmp_path: Path) -> None:
    text = "#defined forbidden/1.\n#program step(t).\n:- push(L,_,_,t), forbidden(L).\n"
    assert solve(LINE, constraints=(written(tmp_path, text),)).value == 1


@pytest.mark.parametrize(
    "text",
    [
        "{ mark(L) : goal(L) }.\ngoal(L) :- solution(L).\n#program step(t).\n:- push(L,_,_,t), mark(L).\n",
        "#count { L : mark(L) : solution(L) } = 1.\n#program step(t).\n:- push(L,_,_,t), mark(L).\n",
        "mark(L) ; other(L) :- solution(L).\n#program step(t).\n:- push(L,_,_,t), mark(L), other(L).\n",
        "#program step(t).\n#external wish(t).\n:- push(_,_,_,t), wish(t).\n",
        "#program check(t).\n:- query(t), #count { L : box_at(L,t) } > 1.\n:- query(t), not 1 { box_at(L,t) : solution(L) }.\n",
        "#program step(t).\n-far(L,t) :- cell(L), not box_at(L,t).\n:- -far(L,t), box_at(L,t).\n",
        "#program step(t).\n#minimize { 1,L : box_at(L,t), t < 0 }.\n",
    ],
)
def test_atoms_that_the_file_itself_derives_are_known(text: str, tmp_path: Path) -> None:
    assert solve(LINE, constraints=(written(tmp_path, text),)).value == 1


def test_constraints_hold_for_one_length_too(tmp_path: Path) -> None:
    path = (written(tmp_path, NO_RIGHT),)
    assert solve(LINE, steps=2).status is Status.SOLVED
    found = solve(LINE, steps=2, constraints=path)
    assert found.status is Status.NO_PLAN and "under the given constraints" in str(found.proof)
    with pytest.raises(EncodingError, match="step/1 is never grounded: 'competition' has base"):
        solve(LINE, steps=2, constraints=path, encoding="competition")


def test_all_plans_under_constraints_are_told_as_they_are(tmp_path: Path) -> None:
    one = level("""
        #######
        #     #
        #  *$@#
        #  .# #
        #######
    """)
    late = "#program check(t).\n:- query(t), t < 4.\n"
    found = solve(one, constraints=(written(tmp_path, late),), models=0)
    assert (found.status, found.value) == (Status.OPTIMAL, 4)
    assert {len(plan.actions) for plan in found.plans} == {4} and len(found.plans) > 1


def test_a_room_of_its_own_is_counted_too() -> None:
    """No reader makes such a level, a program that uses the library may."""
    floor = [(1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3), (1, 6), (1, 7), (2, 7)]
    boxes, goals = frozenset([Cell(3, 2), Cell(1, 6)]), frozenset([Cell(3, 1)])
    one = Level(frozenset(Cell(*cell) for cell in floor), boxes, goals, Cell(1, 1))
    truth = reference.solve(one, "lines")
    assert truth.value == 1
    for name in ("lines-remaining", "lines-remaining-dom", "lines-forward", "lines"):
        found = solve(one, encoding=name, limits=Limits(seconds=20))
        assert (found.status, found.value) == (Status.OPTIMAL, truth.value), name


def test_a_plan_in_hand_is_for_the_question_without_more(tmp_path: Path) -> None:
    known = solve(LINE).plan
    for asked in ({"steps": 3}, {"models": 0}, {"constraints": (written(tmp_path, NO_RIGHT),)}):
        with pytest.raises(WrongOption, match=f"known does not go with {next(iter(asked))}"):
            solve(LINE, known=known, **asked)  # type: ignore[arg-type]


def test_one_length_says_nothing_of_the_others() -> None:
    found = solve(LINE, steps=4)
    assert (found.status, found.value, found.lower_bound) == (Status.SOLVED, 3, 0)
    found = solve(LINE, steps=4, probes=False, watch=lambda: "time")
    assert (found.status, found.lower_bound) == (Status.TIME_OUT, 0)
    assert found.question is not None and found.question.answer == "open"


@pytest.mark.parametrize("engine", ["asp", "sat"])
def test_pushes_of_one_length_make_lines_as_long_as_they_can_be(engine: str) -> None:
    found = solve(LINE, objective="pushes", steps=5, engine=engine)
    assert found.counts == {"lines": 1, "pushes": 4, "moves": 4}
    assert solve(LINE, steps=4, engine=engine).counts == {"lines": 3, "pushes": 4, "moves": 4}


def test_lines_break_ties_of_pushes_of_one_length() -> None:
    found = solve(LINE, objective="pushes", steps=5, then=("lines",))
    assert found.counts["lines"] == 1 and found.cost is not None and found.cost.proved


@pytest.mark.parametrize("engine", ["asp", "sat"])
@pytest.mark.parametrize(
    ("asked", "answer"), [({"steps": 3}, "yes"), ({"steps": 9}, "no"), ({"at_most": 3}, "yes"), ({"at_most": 0}, "no")]
)
def test_every_engine_says_what_was_asked(engine: str, asked: dict[str, int], answer: str) -> None:
    question = solve(LINE, engine=engine, **asked).question  # type: ignore[arg-type]
    assert question is not None and question.answer == answer


@pytest.mark.parametrize("asked", [{"steps": 3}, {"at_most": 2}])
def test_a_level_without_any_plan_has_none_of_that_length(asked: dict[str, int]) -> None:
    dead = replace(LINE, player=Cell(1, 3), boxes=frozenset([Cell(1, 5)]), goals=frozenset([Cell(1, 2)]))
    question = solve(dead, **asked).question  # type: ignore[arg-type]
    assert question is not None and (question.answer, question.by) == ("no", "there is no plan of any length")


def test_an_own_program_of_other_steps_is_refused(tmp_path: Path) -> None:
    name = name_of(LINE)
    path = tmp_path / "own.lp"
    path.write_text(f"""
        #program step(t).
        said(t).
        #program check(t).
        #external query(t).
        :- query(t), t < 1.
        #program base.
        #show.
        #program step(t).
        #show push({name[Cell(1, 2)]},right,{name[Cell(1, 6)]},t) : said(t), t = 1.
    """)
    with pytest.raises(OtherObjective, match="counts something else than pushes: its plan at bound 1 has 4 pushes"):
        solve(LINE, encoding=str(path), objective="pushes")


def test_named_steps_of_the_competition() -> None:
    one = read("right(a,b). right(b,c). right(c,d). box(b). solution(c). sokoban(a). step(z). step(y). next(z,y).")[0]
    found = solve(one, encoding="competition")
    assert (found.status, found.value) == (Status.SOLVED, 1)
    assert solve(one).value == 1


def test_a_solved_level_with_steps_of_its_own() -> None:
    one = read("right(a,b). right(b,c). right(c,d). box(b). solution(b). sokoban(a). step(1..2). next(1,2).")[0]
    found = solve(one, encoding="competition")
    assert found.status is Status.NO_PLAN and found.cross_check is not None and found.cross_check.agrees


@pytest.mark.parametrize(("objective", "least"), [("moves", 1), ("pushes", 2), ("lines", 2)])
def test_a_solved_level_may_have_to_be_left_under_constraints(tmp_path: Path, objective: str, least: int) -> None:
    """The start is a goal, but the plan may not end there: a bound of 0 had been taken for the last."""
    one = level("""
        ######
        #@ * #
        # ## #
        #    #
        ######
    """)
    path = (written(tmp_path, "#program check(t).\n:- query(t), not player_at(c3r2,t).\n"),)
    found = solve(one, objective=objective, constraints=path, cross_check=False)
    assert (found.status, found.value) == (Status.OPTIMAL, least), found.proof
    assert solve(one, objective=objective, constraints=path, at_most=least, cross_check=False).value == least
    assert solve(one, objective=objective, constraints=path, at_most=0).status is Status.NO_PLAN
    never = (written(tmp_path, "#program check(t).\n:- query(t), not player_at(c2r3,t).\n"),)
    assert solve(one, objective="lines", constraints=never, cross_check=False).status is Status.UNSOLVABLE


@pytest.mark.parametrize(
    "wish",
    [
        {"steps": 0},
        {"steps": "3"},
        {"at_most": -1},
        {"models": None},
        {"models": 10**21},
        {"threads": 0},
        {"seed": -1},
        {"seed": 1 << 32},
        {"limits": 5},
        {"then": "pushes"},
        {"constraints": "mine.lp"},
        {"constraints": [5]},
    ],
)
def test_values_that_are_none_are_named(wish: dict[str, object]) -> None:
    ((name, value),) = wish.items()
    with pytest.raises(WrongOption, match=rf"{name}.* not {re.escape(repr(value))}"):
        solve(LINE, **wish)  # type: ignore[arg-type]


def test_numbers_are_named_with_what_clasp_takes() -> None:
    assert solve(LINE, seed=2**32 - 1).value == 1
    with pytest.raises(WrongOption, match=f"seed is a whole number from 0 to {2**32 - 1}, not {2**32}"):
        solve(LINE, seed=2**32)


def test_what_is_no_task_plan_or_text_is_named() -> None:
    for wrong in (
        lambda: solve(LINE, "pushes"),  # type: ignore[arg-type]
        lambda: solve(LINE, known="RRRR"),
        lambda: solve(LINE, time_limit=3),
        lambda: validate(LINE, "RRRR"),  # type: ignore[arg-type]
        lambda: read(Path("level.xsb")),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match=r" is | are | takes |no field 'time_limit'; did you mean 'limits'"):
            wrong()


def test_a_bound_that_answers_is_named_and_clingo_is_not() -> None:
    for asked, by in (({"at_most": 0}, "the lower bound"), ({"steps": 9}, "clingo, lines")):
        question = solve(LINE, engine="asp", **asked).question
        assert question is not None and (question.answer, question.by) == ("no", by)
