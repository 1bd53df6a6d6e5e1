"""Uses of push/4 with an open end are said by near_end/3 and far_end/3: the plans are those of the program with push/4."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sokoasp import EncodingError, solve
from sokoasp.asp import constraints
from sokoasp.asp.catalogue import named
from sokoasp.engine import Task
from sokoasp.sokoban.facts import write
from sokoasp.sokoban.level import Level
from tests.instances import level
from tests.levels import random_level

STEP, CHECK = "#program step(t).\n", "#program check(t).\n"
NARROW = {
    "never up": STEP + ":- push(_,up,_,t).",
    "no box comes to rest where one started": STEP + ":- push(_,_,L,t), box(L).",
    "starts": STEP + ":- push(L,D,_,t), push(L2,D,_,t-1), adjacent(_,L,L2).",
    "negated": STEP + ":- t = 1, not push(_,left,_,t), not push(_,(down;up),_,t).",
    "counted": CHECK + ":- query(t), #count { T : push(_,left,_,T), T = 1..t } > 1.",
    "in a condition": CHECK + ":- query(t), not push(L,_,_,T) : T = 1..t; box(L).",
    "a rule of one's own": STEP + "up_or_down(t) :- push(_,(up;down),_,t).\n:- up_or_down(t), up_or_down(t-1).",
    "a pool of atoms": STEP + ":- push(_,up,_,t;_,left,_,t).",
    "both ends apart": STEP + ":- push(L,_,_,t), solution(L).\n:- push(_,left,L,t), not solution(L).",
}
WHOLE = STEP + ":- push(L1,_,L2,t), not adjacent(_,L1,L2).\n:- push(_,up,_,t)."
ROOM = level("""
    #######
    #     #
    # $$  #
    #@..  #
    #######
""")


def wishes(text: str, folder: Path, encoding: str = "lines-forward", board: Level = ROOM) -> constraints.Wishes:
    path = folder / "mine.lp"
    path.write_text(text + "\n")
    return constraints.check((path,), named(encoding), write(board))


def bridges(found: constraints.Wishes) -> set[str]:
    return {path.name for path in found.encoding.files if path.parent.name == "bridge"}


def plans(board: Level, encoding: str, path: Path, steps: int) -> list[str]:
    """Return all plans of one length under the constraint, so that every question ends."""
    asked = Task(objective=encoding.split("-")[0], encoding=encoding, steps=steps, cross_check=False)
    found = solve(board, replace(asked, constraints=(path,), models=0))
    assert found.stopped_by is None
    return sorted(str(plan.actions) for plan in found.plans)


@cache
def least(board: Level, objective: str) -> int | None:
    return solve(board, objective=objective, engine="asp", cross_check=False).value


@pytest.mark.parametrize("text", NARROW.values(), ids=NARROW)
def test_no_bridge_is_added_and_the_plans_are_the_same(text: str, tmp_path: Path) -> None:
    assert not bridges(wishes(text, tmp_path))
    seen = 0
    for seed in (0, 2):
        board = random_level(seed, width=4, height=4, boxes=2)
        for objective in ("lines", "pushes"):
            best = least(board, objective)
            for steps in () if best is None else (best + 1, best + 3):
                whole, fast = (
                    plans(board, name, tmp_path / "mine.lp", steps) for name in (objective, f"{objective}-forward")
                )
                assert whole == fast, (seed, objective, steps)
                seen += len(whole)
    assert seen


def test_a_use_with_both_ends_keeps_the_bridge_for_all(tmp_path: Path) -> None:
    assert bridges(wishes(WHOLE, tmp_path)) == {"push_of_line.lp"}
    found = plans(ROOM, "lines-forward", tmp_path / "mine.lp", 5)
    assert found and found == plans(ROOM, "lines", tmp_path / "mine.lp", 5)


def test_programs_that_have_the_predicate_are_left_alone(tmp_path: Path) -> None:
    assert wishes(NARROW["never up"], tmp_path, "lines").narrows == ()
    assert wishes(NARROW["never up"], tmp_path, "moves-forward").narrows == ()


def test_faults_are_told_where_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "mine.lp"
    path.write_text(STEP + ":- push(_,up,_,t).\n:- push(_,up,_,t), L < 3.\n")
    with pytest.raises(EncodingError, match=r"mine\.lp:3:1.*unsafe"):
        solve(ROOM, constraints=(path,))
