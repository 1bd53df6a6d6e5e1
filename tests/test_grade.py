"""Marks of encodings: a right one, and one for every way to be wrong."""

import csv
import io
import json
import re
from dataclasses import replace
from functools import cache
from html import escape
from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.asp.catalogue import encodings
from sokoasp.cli import root as cli
from sokoasp.core.errors import EncodingError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.engine import class_grading, grading
from sokoasp.engine.grading import grade, marking_levels
from sokoasp.sokoban import formats
from tests import sleeper
from tests.commands import FIRST, run
from tests.conftest import ROOT
from tests.encodings.test_known_mistakes import RIGHT_PLACE, SAME_CELL, TOO_FAR_BACK, WHOLE_LINES
from tests.instances import FOLDER as INSTANCES
from tests.instances import levels as grading_levels
from tests.instances import written
from tests.test_wrong_programs import GOAL, PLAYER, PUSH, SLIDE, complete_program


def _program(name: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in encodings()[name].files)


LINES = _program("lines")
EXACT = _program("competition")
RAY = "ray(B,D,M,t) :- can(B,D,M,t).\nray(B,D,N,t) :- ray(B,D,M,t), adjacent(D,M,N).\n"
CORNERED = """#program base.
way(D,L) :- adjacent(D,L,_).
stuck(L) :- way(_,L), not solution(L), not way(V,L), not way(H,L), V = (up;down), H = (left;right).
#program step(t).
:- at(L,t), stuck(L).
"""
OVER = {"Never over a box", "Never onto a box", "Down to the start", "A long way"}
NEAR = "near(D,A,B,1,t) :- adjacent(D,A,B).\nnear(D,A,C,K+1,t) :- near(D,A,B,K,t), adjacent(D,B,C), K < 4.\n"
PROGRAMS = {
    "lines": (LINES, {"right"}),
    "competition, by steps": (EXACT, {"right"}),
    "player too far back": (LINES.replace(RIGHT_PLACE, TOO_FAR_BACK), {"wrong plan", "missed plan", "right"}),
    "never twice on a cell": (LINES + SAME_CELL + WHOLE_LINES, {"wrong optimum", "missed plan", "right"}),
    "no plan ever": (LINES + "#program base.\n:- box(_).\n", {"missed plan", "right"}),
}


@cache
def _truths(suite: Path | None, objective: str) -> tuple[grading.Truth, ...]:
    return tuple(grading.truths(marking_levels(*filter(None, [suite])), objective))


def _marks(
    tmp_path: Path, text: str, suite: Path | None = None, titles: tuple[str, ...] = (), objective: str = "lines"
) -> list[tuple[str, ...]]:
    """Mark a program on the levels of a suite, or on those of these titles alone."""
    program = written(tmp_path, text)
    asked = [truth for truth in _truths(suite, objective) if not titles or truth.problem.title in titles]
    found = [grading.mark(str(program), truth, Limits(seconds=60.0)) for truth in asked]
    return [(mark.title, mark.verdict, mark.reason) for mark in found]


@pytest.mark.parametrize("name", ["lines", "competition, by steps"])
def test_right_programs_are_right_everywhere(tmp_path: Path, name: str) -> None:
    marks = _marks(tmp_path, PROGRAMS[name][0])
    assert [verdict for _, verdict, _ in marks] == ["right"] * 27, marks


@pytest.mark.parametrize("name", ["player too far back", "never twice on a cell", "no plan ever"])
def test_every_way_to_be_wrong_is_told(tmp_path: Path, name: str) -> None:
    titles = ("End twice on the same cell", "Boxed in", "Three in a hall", "Along the wall", "One line")
    marks = _marks(tmp_path, PROGRAMS[name][0], titles=titles)
    verdicts = {verdict for _, verdict, _ in marks}
    assert verdicts == PROGRAMS[name][1] or (verdicts < set(PROGRAMS[name][1]) and len(verdicts) > 1), marks
    reported = {title: reason for title, verdict, reason in marks if verdict != "right"}
    assert all(reported.values())
    if name == "player too far back":
        assert "push(c4r3,down,c4r4,2): the player at c7r3 cannot reach c4r2" in reported["Boxed in"]
    if name == "no plan ever":
        said = "no plan at all, though 1 line is enough, beginning with push(c4r2,right,c6r2,1)"
        assert reported["One line"] == said
        assert reported["Three in a hall"].startswith(
            "no plan at all, though 7 lines are enough, beginning with push(c"
        )


HINTS = {
    "lines": "push(c3r2,right,c5r2,1)",
    "pushes": "push(c3r2,right,c4r2,1)",
    "moves": "move(right,1)",
    "slides": 'slide("A",0,3,1)',
    "units": 'slide("A",0,1,1)',
}
BOARD = "goal: A 1,1\nA.\n#.\n"


@pytest.mark.parametrize(("objective", "first"), HINTS.items())
def test_the_hint_is_an_action_of_the_objective(tmp_path: Path, objective: str, first: str) -> None:
    picture = BOARD if first.startswith("slide") else "######\n#@$ .#\n######\n"
    text = _program(objective) + "#program base.\n:- cell(_).\n"
    ((_, verdict, reason),) = _marks(tmp_path, text, written(tmp_path, picture, "one.txt"), objective=objective)
    assert verdict == "missed plan" and reason.endswith(f" enough, beginning with {first}")


def test_klotski_programs_are_marked_on_boards(tmp_path: Path) -> None:
    program, board = written(tmp_path, _program("slides")), written(tmp_path, BOARD, "one.klotski")
    done = run("encodings", "grade", program, "--levels", board)
    assert done.stdout.endswith(" 1 slide  right\n1 of 1 right on these levels\n"), done.stderr
    done = run("encodings", "grade", program)
    said = "a Klotski program is marked on Klotski boards: give them with --levels FILE"
    assert (done.returncode, done.stderr) == (30, f"error: {program}: {said}\n")
    done = run("encodings", "grade", program, "--levels", board, "--levels", FIRST)
    assert "mark the programs of one game at a time" in done.stderr and done.returncode == 2


def test_a_plan_that_stops_short_is_told_by_actions_and_cells_of_the_facts(tmp_path: Path) -> None:
    one = complete_program().replace(GOAL, "ok(t) :- solution(L), at(L,t).\n:- query(t), not ok(t).\n")
    ((_, _, reason),) = _marks(tmp_path, one, titles=("Boxed in",))
    assert reason == "after action 1 (the last) 1 goal is empty: c4r4"


def test_a_level_that_was_not_decided_is_not_called_unsolvable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoasp.engine.grading.TRUTH_SECONDS", 1e-9)
    suite = written(tmp_path, formats.write(grading_levels("tutorial/tutorial.xsb")[7:8], "xsb"), "one.xsb")
    done = CliRunner().invoke(cli, ["encodings", "grade", "lines", "--levels", str(suite)])
    assert "unknown  no truth: " in done.output and "unsolvable" not in done.output
    assert (done.exit_code, done.output.splitlines()[-1]) == (13, "0 of 0 right on these levels")


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (LINES, ""),
        (EXACT + ":~ push(_,_,_,S). [2,S]\n", "the program minimises something else"),
        (re.sub(r"(push\(.,.,.),t", r"\1,t-1", complete_program()), "the actions of its plan are numbered 0:"),
    ],
)
def test_a_level_that_was_not_decided_is_not_marked(tmp_path: Path, text: str, note: str) -> None:
    written(tmp_path, text)
    (known,) = grading.truths([next(marking_levels(INSTANCES / "tutorial" / "first.xsb"))])
    both = (replace(known, decided=False), known)
    (marks,) = class_grading.grade_folder(tmp_path, both, Limits(seconds=60.0))
    assert (marks.mark, marks.right, marks.levels, len(marks.grades)) == (100, 1, 1, 2)
    assert marks.mistake.startswith(note and f"note on tutorial/first.xsb:1 (One line): {note}")
    assert bool(note) == bool(marks.mistake)


ODD = "push(c3r2,left,c2r2,c) 4|move(left,c) 2|push(a,left,b,1) 1|push(c3r2,c2r2,left,1) 2|push(c3r2,left,left,1) 3"


@pytest.mark.parametrize("odd", ODD.split("|"))
def test_atoms_that_are_no_plan_are_named(tmp_path: Path, odd: str) -> None:
    atom, at = odd.split()
    place = "a direction (left, right, up, down)" if at == "2" else "a cell of the level"
    kind = "a step (a number)" if ",c)" in atom else place
    (tmp_path / "mine.lp").write_text(f"#show push/4. #show move/2. {atom}. push(x,y,z,1) :- not step(_).")
    (mark,) = grade(str(tmp_path / "mine.lp"), [next(marking_levels(INSTANCES / "tutorial" / "first.xsb"))])
    shape = "move(Direction,Step)" if "move" in atom else "push(From,Direction,To,Step)"
    assert mark.reason == f"the shown atoms are not a plan: {atom}: argument {at} must be {kind}; {shape} is expected"


MOVES = """
near(up,A,B) :- top(A,B). near(down,B,A) :- top(A,B). near(right,A,B) :- right(A,B). near(left,B,A) :- right(A,B).
way(D) :- near(D,_,_). at(B,0) :- box(B). player(L,0) :- sokoban(L).
#program step(t).
{ move(D,t) : way(D) } = 1.
player(M,t) :- move(D,t), player(L,t-1), near(D,L,M).
:- not player(_,t).
pushed(M,D,t) :- move(D,t), player(M,t), at(M,t-1).
at(N,t) :- pushed(M,D,t), near(D,M,N).
at(B,t) :- at(B,t-1), not player(B,t).
:- pushed(M,D,t), near(D,M,N), at(N,t-1).
:- pushed(M,D,t), not near(D,M,_).
#program check(t).
#external query(t).
:- query(t), solution(L), not at(L,t).
#show move/2.
"""


def test_a_program_of_single_moves_counts_moves_and_its_mistakes_name_atoms(tmp_path: Path) -> None:
    assert {verdict for _, verdict, _ in _marks(tmp_path, MOVES, objective="moves")} == {"right"}
    with pytest.raises(EncodingError, match=r"derives move/2 and no push/4, so it counts moves \(--objective moves\)"):
        _marks(tmp_path, MOVES)
    for line, title, said in (
        (
            ":- pushed(M,D,t), not near(D,M,_).",
            "Into the wall",
            "move(right,1): the box cannot go to c4r2: a wall is there",
        ),
        (":- pushed(M,D,t), near(D,M,N), at(N,t-1).", "Never onto a box", "the box cannot go to c5r2: a box is there"),
        (":- query(t), solution(L), not at(L,t).", "One line", "1 goal is empty: c6r2"),
    ):
        ((_, verdict, reason),) = _marks(
            tmp_path, MOVES.replace(line, ":- query(t), t < 1."), titles=(title,), objective="moves"
        )
        assert verdict == "wrong plan" and said in reason, reason


def test_levels_of_ones_own_and_json(tmp_path: Path) -> None:
    program, suite = tmp_path / "mine.lp", tmp_path / "hidden.xsb"
    program.write_text(LINES)
    suite.write_text("#####\n#@$.#\n#####\n\nTitle: hidden\n")
    done = run("encodings", "grade", program, "--levels", suite, "--levels", suite, "--json")
    assert run("encodings", "grade", program, "--levels", tmp_path).stdout.count(f"{suite}:1 ") == 1
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["level"], row["verdict"], row["optimum"]) for row in rows] == [(1, "right", 1), (2, "right", 1)]
    suite.write_text("#####\n# $.#\n#####\n\n#####\n#@$.#\n#####\n\n#####\n#@$ #\n#####\n")
    done = run("encodings", "grade", program, "--levels", suite)
    assert [line.split()[2] for line in done.stderr.splitlines()] == ["E-NOPLAYER", "E-COUNT"]


def test_the_command_ends_with_13_when_something_is_wrong(tmp_path: Path) -> None:
    program, suite = tmp_path / "mine.lp", tmp_path / "two.xsb"
    program.write_text(LINES.replace(RIGHT_PLACE, TOO_FAR_BACK))
    chosen = [one for one in marking_levels() if one.title in ("Boxed in", "One line")]
    suite.write_text(formats.write(chosen, "xsb"))
    done = CliRunner().invoke(cli, ["encodings", "grade", str(program), "--levels", str(suite)])
    assert done.exit_code == 13 and done.output.endswith("\n1 of 2 right on these levels\n")


def test_the_program_of_the_readme_is_right_everywhere(tmp_path: Path) -> None:
    block = complete_program()
    assert sum(1 for line in block.splitlines() if line and not line.startswith("%")) <= 25
    assert {verdict for _, verdict, _ in _marks(tmp_path, block)} == {"right"}


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        (SLIDE, SLIDE.replace("can(B,D,M,t)", "ray(B,D,M,t)") + RAY, OVER),
        (SLIDE, SLIDE.replace(", not at(N,t-1)", ""), OVER),
        (
            PLAYER,
            "player(L,t) :- player(L,t-1).\n",
            {"The player goes along", "One by one", "Swap the corner"},
        ),
        (GOAL, ":- query(t), at(L,t), not solution(L).\n", {"A box to spare"}),
        (SLIDE, SLIDE.replace("at(N,t-1)", "at(N,t-1), near(D,B,N,_,t)") + NEAR, {"A long way"}),
        (SLIDE, SLIDE.replace("not at(N,t-1)", "not at(N,t-1), not solution(M)"), {"A long way"}),
        (GOAL, GOAL + CORNERED, {"A box to spare"}),
        (SLIDE, "", {"One by one"}),
        (SLIDE, SLIDE.replace("not at(N,t-1)", "not at(N,t-1), D != down"), {"Down to the start"}),
        (PLAYER, PLAYER + ":- player(L,t), sokoban(L).\n", {"Down to the start"}),
    ],
)
def test_the_levels_for_careless_encodings_mark_them_down(tmp_path: Path, old: str, new: str, shown: set[str]) -> None:
    """Each was marked 100 % before these levels came."""
    assert old in complete_program()
    pushes = not new  # a push program, in which no box may go where one has just left
    text = complete_program().replace(old, new).replace(PUSH, PUSH + ":- push(_,_,M,t), gone(M,t-1).\n" * pushes)
    marks = _marks(tmp_path, text, objective="pushes" if pushes else "lines")
    assert {title for title, verdict, _ in marks if verdict != "right"} == shown


def test_a_program_that_reads_steps_is_asked_for_as_many_actions_as_is_said(tmp_path: Path) -> None:
    pushes = " ".join(f"push(c{n + 2}r2,right,c{n + 3}r2,{n})." for n in (1, 2, 3))
    ((_, verdict, _),) = _marks(tmp_path, f"{pushes} :- not step(4). #show push/4.", titles=("Never onto a box",))
    assert verdict == "wrong plan"
    written(tmp_path, "goal: a 0,1\na.\n", "one.klotski")
    written(tmp_path, "slide(A,C,D,S) :- init(A,C), init(_,D), next(S,_). #show slide/4.")
    done = run("encodings", "grade", tmp_path / "mine.lp", "--levels", tmp_path / "one.klotski")
    assert done.returncode == 30 and "has no part step(t), which a Klotski program needs: " in done.stderr


def test_single_pushes_counted_as_lines_are_explained(tmp_path: Path) -> None:
    single = complete_program().replace(SLIDE, "")
    ((_, verdict, reason),) = _marks(tmp_path, single, titles=("End twice on the same cell",))
    said = "claims 3 lines, the referee counts 2: one box pushed on in one direction is one line"
    assert (verdict, reason) == ("wrong optimum", said)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("#external query(t).", "", r"mine\.lp:\d+:1: .*declares no '#external query\(t\)\.'"),
        ("#program check(t).", "", r"mine\.lp:\d+:4: part step\(t\) is not asked at bound 0"),
        (":- query(t), solution(L)", ":- solution(L)", r"mine\.lp:\d+:1: this goal is demanded at every bound"),
        (":- query(t), solution(L)", ":- query(t), solutoin(L)", r":\d+:14: nothing derives solutoin/1; did you mean"),
        (
            "not moved_from(L,t)",
            "-moved_from(L,t)",
            r":\d+:\d+: nothing derives -moved_from/2; did you mean 'not moved_from/2'",
        ),
        (
            "#program step(t).",
            "a :- push(_,_,_,1).\n#program step(t).",
            r":\d+:6: nothing in part base derives push/4: this rule",
        ),
        ("push(L1,D,L2,t) : can_push", "shove(L1,D,L2,t) : can_push", r"mine\.lp: nothing derives push/4.*did you"),
        ("#show push/4.", "#show.", r"mine\.lp:\d+:1: the #show lines leave out push/4, from which the plan is read"),
        ("#show push/4.", "#show reach/2.", r"mine\.lp:\d+:1: the #show lines leave out push/4"),
        ("#show push/4.", "#show. #show push(B,D,M) : push(B,D,M,_).", r"\.lp:\d+:1: the #show lines leave out"),
        ("= 1.", "= 1", r"mine\.lp:48:.*syntax error, .* \(does line 46 lack its full stop\?\)$"),
        (
            "#program step(t).",
            "#program step(k).",
            r"mine\.lp:\d+:1: part step\(k\) calls its number k, and this rule says t",
        ),
        ("#program step(t).", "#const t=9.", r"mine\.lp' has no part step\(t\) and reads neither step/1 nor next/2"),
        ("#program check(t).", "#program chek(t).", r"part chek/1 is never grounded: there are base, step"),
        ("#program step(t).", "box(c3r3).\n#program step(t).", r"mine\.lp:\d+:1: box/1 comes with each level: leave"),
        ("#program step(t).", "step(1). #const t=9.", r"derives step/1 or next/2, .*: leave its own out"),
        ("moved_from(L1,t) :- push(L1,_,_,t).", "moved_from(N,t) :- push(_,_,_,t).", "unsafe variable N: no positive"),
        (
            ":- query(t)",
            ":- near_at(L,_), query(t)",
            r"mine\.lp:\d+:4: near_at/2 is a table that is made for one level: .*export",
        ),
        (
            "box_at(L,t)     :- box_at(L,t-1), not moved_from(L,t).",
            "box_at(L,t+1) :- box_at(L,t), not moved_from(L,t+1).",
            r"mine\.lp:\d+:1: redefinition of an atom, .*should derive atoms of t alone, this one derives box_at/2 of \(t\+1\)",
        ),
    ],
)
def test_what_could_never_work_is_refused_with_its_place(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert old in LINES
    with pytest.raises(EncodingError, match=said):
        _marks(tmp_path, LINES.replace(old, new))
    if "neither" in said:
        assert run("solve", FIRST, "--encoding", tmp_path / "mine.lp", "--steps", "2").returncode == 30


def test_incmode_declares_the_query_and_an_empty_plan_is_told_by_the_cells_of_the_facts(tmp_path: Path) -> None:
    suite = written(tmp_path, "#####\n#@$.#\n#####\n", "one.xsb")
    text = LINES.replace("#external query(t).", "")
    written(tmp_path, "#include <incmode>.\ncommon.\n", "common.lp")
    for more in ("#include <incmode>.\n", '#include "common.lp".\n'):
        assert {verdict for _, verdict, _ in _marks(tmp_path, more + text, suite)} == {"right"}
    loose = more + text + "#program step(t).\n{ other(1..2,t) }.\n#show other/2.\n"
    assert "\n  plans: 1\n" in run("solve", FIRST, "--encoding", written(tmp_path, loose), "--count").stdout
    blind = LINES.replace("solution(L), not box_at(L,t)", "solution(L), box_at(L,t)")
    assert _marks(tmp_path, blind, suite)[0][2] == "the plan has no action, and 1 goal is empty: c4r2"


@pytest.mark.parametrize(
    "more",
    [
        "#defined wall/1.\n#program step(t).\n:- wall(L), box_at(L,t).\n",  # it is declared that it may be empty
        "#program step(t).\n#show push(L,D,M,t) : push(L,D,M,t).\n",  # clingo names each push twice
        "#program check(t).\n#show t : query(t).\n#show -push(L,up,L,t) : solution(L).\n",
    ],
)
def test_what_may_stand_in_a_right_program(more: str, tmp_path: Path) -> None:
    suite = written(tmp_path, "#####\n#@$.#\n#####\n", "one.xsb")
    assert {verdict for _, verdict, _ in _marks(tmp_path, LINES + more, suite)} == {"right"}


def test_idle_pushes_are_explained(tmp_path: Path) -> None:
    suite = written(tmp_path, "#####\n#@$.#\n#####\n", "one.xsb")
    idle = EXACT.replace(
        "{ push(L1,D,L2,S) : can_push(L1,D,L2,S) } = 1 :- next(S,_).",
        "{ push(L1,D,L2,S) : can_push(L1,D,L2,S) } = 1 :- next(S,_). push(L,right,L,2) :- solution(L), first(S).",
    )
    assert idle != EXACT
    ((_, verdict, reason),) = _marks(tmp_path, idle, suite)
    assert verdict == "wrong plan" and "idle push" in reason
    ((_, verdict, reason),) = _marks(tmp_path, EXACT + ":~ push(_,_,_,S). [2,S]\n", suite)
    assert verdict == "right" and reason.startswith("the program minimises something else than lines: its best")
    ((*_, many),) = _marks(tmp_path, EXACT + ":~ push(_,_,_,S). [2,S]\n", titles=("Three in a hall",))
    assert many.startswith("the program minimises something else"), "of more plans than are replayed"
    late = LINES.replace("} = 1.", "} = 1 :- t > 1. player_at(L,t) :- t = 1, player_at(L,t-1).")
    ((_, verdict, reason),) = _marks(tmp_path, late, suite)
    assert reason.endswith("an optimum of 2 lines, though its own plan has 1: at bound 2 it shows 1 action")
    board = written(tmp_path, BOARD, "one.klotski")
    lame = (
        "at(C,P,0) :- init(C,P).\n#program step(t).\n{ slide(C,P,P,t) : at(C,P,t-1) } = 1.\nat(C,P,t) :- at(C,P,t-1).\n"
    )
    lame += "#program check(t).\n#external query(t).\n:- query(t), t < 2.\n"
    ((_, _, reason),) = _marks(tmp_path, lame, board, objective="slides")
    assert reason == "action 1, slide(\"A\",0,0,1): piece 'A' cannot slide from cell 0 to 0: it stays where it is"
    ((_, verdict, reason),) = _marks(tmp_path, _program("units"), board, objective="slides")
    said = "claims an optimum of 2 slides, though its own plan has 1: its 2 actions are 1 slide: one piece that goes on is one"
    assert verdict == "wrong optimum" and said in reason


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Pupils' files as they come: right, wrong, not parsed, empty, running for ever while grounding, in folders, with blanks."""
    folder = tmp_path / "course"
    (folder / "team two").mkdir(parents=True)
    programs = {
        "anna.lp": LINES,
        "ben b.lp": LINES.replace(RIGHT_PLACE, TOO_FAR_BACK),
        "carl.lp": "push(X :- .\n",
        "dora.lp": "",
        "ina.lp": '#include "carl.lp".\n',
        "emil.lp": "push(a,left,b,1). p(0). p(X+1) :- p(X), step(_). #show push/4.\n",
        "ida.lp": '#include "anna.lp".\n',
        "team two/fred.lp": LINES + "#program base.\n:- box(_).\n",
    }
    for name, text in programs.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("karl", "k2", "k3", "k4", "k5", "k6"):
        (folder / f"{name}.txt").write_text(LINES)
    (folder / "lea.lp").symlink_to("nowhere.lp")
    return folder


def test_a_folder_of_pupils_becomes_a_table_of_marks(course: Path, tmp_path: Path) -> None:
    chosen = [one for one in marking_levels() if one.title in ("Boxed in", "One line")]
    (tmp_path / "two.xsb").write_text(formats.write(chosen, "xsb"))
    options = (course, "--levels", tmp_path / "two.xsb", "--time-limit", "2")
    done = run("encodings", "grade", *options, "--csv", "--html", tmp_path / "marks.html")
    unmarked = "k2.txt, k3.txt, k4.txt, k5.txt, k6.txt and 1 more"
    assert done.stderr == f"note: not marked, for an encoding's file ends in .lp: {unmarked}\n"
    assert done.returncode == 13
    found = {row["pupil"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    assert list(found) == ["anna", "ben b", "carl", "dora", "emil", "ida", "ina", "lea", "team two/fred"]
    assert [(row["mark"], row["right"], row["levels"]) for row in found.values()] == [
        ("100", "2", "2"),
        ("50", "1", "2"),
        *[("0", "0", "2")] * 3,
        ("100", "2", "2"),
        *[("0", "0", "2")] * 3,
    ]
    mistakes = [row["mistake"] for row in found.values()]
    assert mistakes[0] == ""
    assert mistakes[1] == (
        f"{tmp_path / 'two.xsb'}:1 (Boxed in): wrong plan, action 2, push(c4r3,down,c4r4,2): the player at c7r3 cannot reach c4r2"
    )
    assert mistakes[2].startswith("carl.lp:1:8-10: error: syntax error")
    assert mistakes[3] == "dora.lp: there are no rules in it"
    assert mistakes[4] == f"{tmp_path / 'two.xsb'}:1 (Boxed in): time out, grounding did not end within the limit"
    assert mistakes.pop(5) == "includes anna.lp"
    assert mistakes[5].startswith("ina.lp: in what it includes: ") and "carl.lp:1:8-10: error: " in mistakes[5]
    assert mistakes[6] == "there is no file 'lea.lp'"
    assert (
        mistakes[7].startswith(f"{tmp_path / 'two.xsb'}:1 (Boxed in): missed plan, ")
        and "beginning with push(" in mistakes[7]
    )
    page = (tmp_path / "marks.html").read_text()
    assert all(escape(one) in page for one in (*found, *mistakes, "includes anna.lp"))


def test_a_pupil_whose_encoding_never_answers_is_not_asked_on_every_level(course: Path, tmp_path: Path) -> None:
    for name in ("anna", "ben b", "carl", "dora", "ida", "ina", "lea", "team two/fred"):
        (course / f"{name}.lp").unlink()
    (tmp_path / "four.xsb").write_text("#####\n#@$.#\n#####\n\n" * 4)
    words = ["--levels", tmp_path / "four.xsb", "--time-limit", "0.5", "--json", "--html", f"{tmp_path}/back/"]
    row = json.loads(run("encodings", "grade", course, *words).stdout)
    assert "1 level not asked" in (tmp_path / "back" / "emil.html").read_text()
    assert (row["pupil"], row["mark"], len(row["grades"])) == ("emil", 0, class_grading.PATIENCE)
    assert row["mistake"].endswith("; 3 levels in a row without an answer, 1 level not asked")
    marks = [
        grading.Grade("four.xsb", n, "", said, 1, 1, "", 0) for n, said in enumerate(("time out", "wrong plan"), 1)
    ]
    assert class_grading.Marks("emil", 2, 2, tuple(marks)).mistake == "four.xsb:2: wrong plan, ", "a wrong answer first"
    done = run("encodings", "grade", course / "emil.lp", "--levels", tmp_path / "four.xsb", "--time-limit", "0.5")
    assert done.returncode == 13 and done.stdout.endswith("0 of 3 right on these levels\n")
    assert done.stderr == "note: 3 levels in a row without an answer, 1 level not asked\n"
    late = Result(Status.TIME_OUT, "lines", "asp", stopped_by="time", seconds={"ground": 0.1, "total": 5.0})
    assert grading._out(late) == "no answer within the limit", "it came while one of many bounds was grounded"
    counts = complete_program().replace("player(L,t-1).", "player(L,t-1).\nsteps(0,t). steps(N+1,t) :- steps(N,t).", 1)
    done = run(
        "encodings", "grade", written(tmp_path, counts), "--levels", tmp_path / "four.xsb", "--time-limit", "0.5"
    )
    assert "time out: grounding did not end within the limit\n" in done.stdout


def test_the_place_of_each_level_is_its_file_and_its_number_there() -> None:
    known = _truths(None, "lines")
    files = {file: grading_levels(file) for file in grading.FILES.split()}
    there = {f"{file}:{n}": level for file, found in files.items() for n, level in enumerate(found, 1)}
    assert {truth.place: truth.problem for truth in known} == there and len(known) == 27
    assert "five files in `instances/`, 27 in all" in (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")


def test_a_process_that_gives_no_answer_or_breaks_off_is_one_pupils_row(
    monkeypatch: pytest.MonkeyPatch, course: Path
) -> None:
    """Planted: a process that sleeps, and one that ends itself; two of the pupils are enough."""
    monkeypatch.setattr(class_grading, "GRACE", 0.0)
    for name in ("carl", "dora", "emil", "ida", "ina", "lea", "team two/fred"):
        (course / f"{name}.lp").unlink()
    known = list(grading.truths([next(marking_levels(INSTANCES / "tutorial" / "first.xsb"))]))
    for work, words, seconds in ((sleeper.sleep, "process was ended", 1), (sleeper.fail, "its process break off", 60)):
        monkeypatch.setattr(class_grading, "_work", work)
        (marks, *_) = class_grading.grade_folder(course, known, Limits(seconds=seconds))
        assert (marks.mark, marks.mistake.startswith("tutorial/first.xsb:1: ")) == (0, True) and words in marks.mistake


def test_a_folder_without_encodings_and_a_page_of_one_are_refused(tmp_path: Path) -> None:
    done = run("encodings", "grade", tmp_path)
    assert (done.returncode, done.stderr) == (30, f"error: {tmp_path}: there is no .lp file in this folder\n")
    done = run("encodings", "grade", "lines", "--html", tmp_path / "x.html")
    assert done.returncode == 2 and "--html is the table of a FOLDER" in done.stderr
