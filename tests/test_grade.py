"""Marks of encodings: a right one, and one for every way to be wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.cli import root as cli
from sokoasp.core.limits import Limits
from sokoasp.engine.grading import grade, suite_levels
from sokoasp.sokoban import formats
from tests.conftest import ROOT
from tests.encodings.test_known_mistakes import RIGHT_PLACE, SAME_CELL, TOO_FAR_BACK, WHOLE_LINES
from tests.instances import FOLDER as INSTANCES
from tests.instances import levels as grading_levels


def _program(*names: str) -> str:
    from sokoasp.asp.catalogue import encodings

    (name,) = names
    return "\n".join(path.read_text(encoding="utf-8") for path in encodings()[name].files)


LINES = _program("lines")
EXACT = _program("competition")
PROGRAMS = {
    "lines": (LINES, {"right": 19}),
    "competition, by steps": (EXACT, {"right": 19}),
    "player too far back": (LINES.replace(RIGHT_PLACE, TOO_FAR_BACK), {"wrong plan", "missed plan", "right"}),
    "never twice on a cell": (LINES + SAME_CELL + WHOLE_LINES, {"wrong optimum", "missed plan", "right"}),
    "no plan ever": (LINES + "#program base.\n:- box(_).\n", {"missed plan", "right"}),
}


def _marks(tmp_path: Path, text: str, suite: Path | None = None) -> list[tuple[str, str, str]]:
    program = tmp_path / "mine.lp"
    program.write_text(text, encoding="utf-8")
    found = grade(str(program), suite_levels(suite), limits=Limits(seconds=60.0))
    return [(mark.title, mark.verdict, mark.reason) for mark in found]


@pytest.mark.parametrize("name", ["lines", "competition, by steps"])
def test_right_programs_are_right_everywhere(tmp_path: Path, name: str) -> None:
    marks = _marks(tmp_path, PROGRAMS[name][0])
    assert len(marks) == 19
    assert {verdict for _, verdict, _ in marks} == {"right"}, marks


@pytest.mark.parametrize("name", ["player too far back", "never twice on a cell", "no plan ever"])
def test_every_way_to_be_wrong_is_told(tmp_path: Path, name: str) -> None:
    marks = _marks(tmp_path, PROGRAMS[name][0])
    verdicts = {verdict for _, verdict, _ in marks}
    assert verdicts == PROGRAMS[name][1] or (verdicts < set(PROGRAMS[name][1]) and len(verdicts) > 1), marks
    reported = {title: reason for title, verdict, reason in marks if verdict != "right"}
    assert all(reported.values())
    if name == "player too far back":
        assert "push(c4r3,down,c4r4,2): the player at c7r3 cannot reach c4r2" in reported["Boxed in"]
    if name == "no plan ever":
        assert reported["Three in a hall"] == "no plan at all, though 7 lines are enough"


def test_a_program_that_ignores_the_player_is_told_where_its_plan_breaks(tmp_path: Path) -> None:
    walk = "reach(L2,0) :- reach(L1,0), adjacent(_,L1,L2), not box_at(L2,0)."
    assert walk in LINES
    everywhere = LINES.replace(walk, "reach(L2,0) :- adjacent(_,_,L2), not box_at(L2,0).")
    marks = {title: (verdict, reason) for title, verdict, reason in _marks(tmp_path, everywhere)}
    assert marks["Boxed in"][0] == "wrong plan"


def test_a_level_that_was_not_decided_is_not_called_unsolvable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sokoasp.engine.grading.TRUTH_SECONDS", 1e-9)
    suite = tmp_path / "one.xsb"
    suite.write_text(formats.write(grading_levels("tutorial/tutorial.xsb")[7:8], "xsb"))
    done = CliRunner().invoke(cli, ["grade", "lines", "--suite", str(suite)])
    assert "unknown  no truth: " in done.output and "unsolvable" not in done.output


@pytest.mark.parametrize("atom", ["push(a,left,b,c)", "move(left,c)", "push(a,left,b,1)"])
def test_atoms_that_are_no_plan_are_named(tmp_path: Path, atom: str) -> None:
    (tmp_path / "mine.lp").write_text(f"#show push/4. #show move/2. {atom}. push(x,y,z,1) :- not right(_,_).")
    (mark,) = grade(str(tmp_path / "mine.lp"), [next(suite_levels(INSTANCES / "tutorial" / "first.xsb"))])
    what = "a" if atom.endswith("1)") else "c"
    assert mark.reason == f"the shown atoms are not a plan: '{what}' is no cell, direction or step of this level"


def test_one_is_enough(tmp_path: Path) -> None:
    (tmp_path / "mine.lp").write_text(PROGRAMS["no plan ever"][0])
    (mark,) = grade(str(tmp_path / "mine.lp"), [next(suite_levels(INSTANCES / "tutorial" / "first.xsb"))])
    assert mark.reason == "no plan at all, though 1 line is enough"


def test_levels_of_ones_own_and_json(tmp_path: Path) -> None:
    program, suite = tmp_path / "mine.lp", tmp_path / "hidden.xsb"
    program.write_text(LINES)
    suite.write_text("#####\n#@$.#\n#####\n\nTitle: hidden\n")
    done = CliRunner().invoke(cli, ["grade", str(program), "--suite", str(suite), "--json"])
    assert done.exit_code == 0
    row = json.loads(done.output)
    assert (row["number"], row["verdict"], row["optimum"], row["value"]) == (1, "right", 1, 1)


def test_the_command_ends_with_13_when_something_is_wrong(tmp_path: Path) -> None:
    program, suite = tmp_path / "mine.lp", tmp_path / "two.xsb"
    program.write_text(LINES.replace(RIGHT_PLACE, TOO_FAR_BACK))
    chosen = [one for _, one in suite_levels() if one.title in ("Boxed in", "One line")]
    suite.write_text(formats.write(chosen, "xsb"))
    done = CliRunner().invoke(cli, ["grade", str(program), "--suite", str(suite)])
    assert done.exit_code == 13
    assert done.output.splitlines()[-1] == "1 of 2 right"


def test_a_program_that_is_none_is_refused_with_its_place(tmp_path: Path) -> None:
    from sokoasp.core.errors import EncodingError

    with pytest.raises(EncodingError, match=r"mine\.lp:1:"):
        _marks(tmp_path, "push(X :- .\n")


def test_the_program_of_the_readme_is_right_everywhere(tmp_path: Path) -> None:
    text = (ROOT / "encodings" / "README.md").read_text(encoding="utf-8")
    (block,) = (one for one in re.findall(r"```prolog\n(.*?)```", text, re.DOTALL) if "#external query(t)." in one)
    assert sum(1 for line in block.splitlines() if line and not line.startswith("%")) <= 25
    assert {verdict for _, verdict, _ in _marks(tmp_path, block)} == {"right"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("#external query(t).", "", r"mine\.lp:\d+:1: .*declares no '#external query\(t\)\.'"),
        (":- query(t), solution(L)", ":- solution(L)", r"mine\.lp:\d+:1: .*says nothing under query\(t\)"),
        (
            ":- query(t), solution(L)",
            ":- query(t), solutoin(L)",
            r"mine\.lp:\d+:14: nothing derives solutoin/1; did you mean",
        ),
        (
            "push(L1,D,L2,t) : can_push",
            "shove(L1,D,L2,t) : can_push",
            r"mine\.lp: nothing derives push/4.*did you mean",
        ),
        ("= 1.", "= 1", r"mine\.lp:\d+:.*syntax error"),
        (
            "box_at(L,t)     :- box_at(L,t-1), not moved_from(L,t).",
            "box_at(L,t+1) :- box_at(L,t), not moved_from(L,t+1).",
            r"mine\.lp:\d+:1: redefinition of an atom, .*should derive atoms of t alone, this one derives box_at/2 of \(t\+1\)",
        ),
    ],
)
def test_what_could_never_work_is_refused_with_its_place(old: str, new: str, said: str, tmp_path: Path) -> None:
    """It was "illegal plan: after action 0 ... goals are empty" on every level."""
    from sokoasp.core.errors import EncodingError

    assert old in LINES
    with pytest.raises(EncodingError, match=said):
        _marks(tmp_path, LINES.replace(old, new))


def test_an_atom_that_is_meant_to_be_empty_is_declared(tmp_path: Path) -> None:
    suite = tmp_path / "one.xsb"
    suite.write_text("#####\n#@$.#\n#####\n")
    text = LINES + "#program step(t).\n:- wall(L), box_at(L,t).\n"
    assert {verdict for _, verdict, _ in _marks(tmp_path, "#defined wall/1.\n" + text, suite)} == {"right"}


def test_idle_pushes_are_explained(tmp_path: Path) -> None:
    """As ``check`` does: the competition's encoding of 2011 fills the steps after the last push so."""
    suite = tmp_path / "one.xsb"
    suite.write_text("#####\n#@$.#\n#####\n")
    idle = EXACT.replace(
        "{ push(L1,D,L2,S) : can_push(L1,D,L2,S) } = 1 :- next(S,_).",
        "{ push(L1,D,L2,S) : can_push(L1,D,L2,S) } = 1 :- next(S,_). push(L,right,L,2) :- solution(L), first(S).",
    )
    assert idle != EXACT
    ((_, verdict, reason),) = _marks(tmp_path, idle, suite)
    assert verdict == "wrong plan" and "idle push" in reason


def test_grade_stands_under_encodings_too(tmp_path: Path) -> None:
    suite = tmp_path / "one.xsb"
    suite.write_text("#####\n#@$.#\n#####\n")
    done = CliRunner().invoke(cli, ["encodings", "grade", "lines", "--suite", str(suite)])
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "1 of 1 right")
