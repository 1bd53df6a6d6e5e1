"""Tests as data: a list of program files and facts, and exactly the answer sets they must have."""

from __future__ import annotations

import clingo
import pytest

from tests.instances import FOLDER

ENCODINGS = FOLDER.parent / "encodings" / "sokoban"

CORRIDOR = "right(a,b). right(b,c). right(c,d). sokoban(a). box(b). solution(d)."
STEPS = "step(1..2). next(1,2)."
LONG = "step(1..3). next(1,2). next(2,3)."


def models(
    files: list[str], facts: str, show: str, parts: list[tuple[str, list[int]]] | None = None
) -> set[frozenset[str]]:
    """Return the answer sets of a program, restricted to ``#show`` of the given signatures."""
    control = clingo.Control(["0", "--project=show"])
    shows = "".join(f"#show {signature}." for signature in show.split())
    control.add("base", [], facts + shows)
    for name in files:
        if name.startswith("show/"):
            continue
        control.load(str(ENCODINGS / name))
    wanted = [(name, [clingo.Number(n) for n in numbers]) for name, numbers in parts or [("base", [])]]
    control.ground(wanted)
    for name, numbers in wanted:
        if name == "check":
            control.assign_external(clingo.Function("query", numbers), True)
    found: list[frozenset[str]] = []
    control.solve(on_model=lambda model: found.append(frozenset(map(str, model.symbols(shown=True)))))
    assert len(found) == len(set(found))
    return set(found)


def sets(*models: str) -> set[frozenset[str]]:
    return {frozenset(model.split()) for model in models}


START = [("base", []), ("step", [1])]
LINES = ["rules/geometry.lp", "rules/start.lp", "rules/reach.lp", "rules/lines.lp"]
PUSHES = ["rules/geometry.lp", "rules/start.lp", "rules/reach.lp", "rules/pushes.lp"]
MOVES = ["rules/geometry.lp", "rules/start.lp", "rules/moves.lp"]

HALVES = """
part_whole(0). part_most(0,3). part_halves(0,1,2).
part_most(1,2). part_halves(1,3,4). part_most(2,2). part_halves(2,5,6).
part_cell(3,a). part_cell(4,b). part_cell(5,c). part_cell(6,d). part_most((3;4;5;6),1).
box(a). box(b). box_at(a,0). box_at(b,0).
"""
"""Two boxes on four cells: a and b are one half, c and d the other."""
ANYWHERE = HALVES + "{ box_at(a,1); box_at(b,1); box_at(c,1); box_at(d,1) }. #show L : box_at(L,1)."

CASES = {
    "prune/counts: no box is lost or made": (
        ["prune/counts.lp"],
        ANYWHERE,
        "none/0",
        [("base", []), ("step", [1])],
        sets("a b", "a c", "a d", "b c", "b d", "c d"),
    ),
    "counts of every part": (
        ["prune/counts.lp"],
        HALVES + "box_at(b,1). box_at(c,1). #show (P,K) : part_holds(P,K,1), K > 0.",
        "none/0",
        [("base", []), ("step", [1])],
        sets("(0,1) (0,2) (1,1) (2,1) (4,1) (5,1)"),
    ),
    "prune/counts_change: not two boxes from half to half at once": (
        ["prune/counts.lp", "prune/counts_change.lp"],
        ANYWHERE,
        "none/0",
        [("base", []), ("step", [1])],
        sets("a b", "a c", "a d", "b c", "b d"),
    ),
    "rules/geometry: right both ways": (
        ["rules/geometry.lp"],
        "right(a,b).",
        "adjacent/3 cell/1",
        None,
        sets("adjacent(right,a,b) adjacent(left,b,a) cell(a) cell(b)"),
    ),
    "rules/geometry: top(a,b) means b is above a": (
        ["rules/geometry.lp"],
        "top(a,b).",
        "adjacent/3",
        None,
        sets("adjacent(up,a,b) adjacent(down,b,a)"),
    ),
    "rules/geometry: a cell with no neighbour": (["rules/geometry.lp"], "box(x).", "cell/1", None, sets("cell(x)")),
    "rules/competition_start": (
        ["rules/competition_start.lp"],
        CORRIDOR + STEPS,
        "first/1 last/1 box_at/2 player_at/2",
        None,
        sets("first(1) last(2) box_at(b,1) player_at(a,1)"),
    ),
    "competition, exactly one action": (
        ["rules/geometry.lp", "rules/competition_start.lp", "rules/line_push.lp", "rules/competition_exact.lp"],
        CORRIDOR + STEPS,
        "push/4",
        None,
        sets("push(b,right,d,1)"),
    ),
    "competition, exactly two actions": (
        ["rules/geometry.lp", "rules/competition_start.lp", "rules/line_push.lp", "rules/competition_exact.lp"],
        CORRIDOR + LONG,
        "push/4",
        None,
        sets("push(b,right,c,1) push(c,right,d,2)"),
    ),
    "competition, one step and boxes off goals": (
        ["rules/geometry.lp", "rules/competition_start.lp", "rules/line_push.lp", "rules/competition_exact.lp"],
        CORRIDOR + "step(1).",
        "push/4",
        None,
        set(),
    ),
    "competition, constants as step labels": (
        ["rules/geometry.lp", "rules/competition_start.lp", "rules/line_push.lp", "rules/competition_exact.lp"],
        CORRIDOR + "step(x). step(y). next(x,y).",
        "push/4",
        None,
        sets("push(b,right,d,x)"),
    ),
    "rules/line_push: where the player ends": (
        ["rules/geometry.lp", "rules/competition_start.lp", "rules/line_push.lp", "rules/competition_exact.lp"],
        CORRIDOR + STEPS,
        "player_at/2 box_at/2",
        None,
        sets("player_at(a,1) box_at(b,1) player_at(c,2) box_at(d,2)"),
    ),
    "start": (["rules/start.lp"], CORRIDOR, "box_at/2 player_at/2", None, sets("box_at(b,0) player_at(a,0)")),
    "rules/reach: boxes are in the way": (
        ["rules/geometry.lp", "rules/start.lp", "rules/reach.lp"],
        "right(a,b). right(b,c). right(c,d). sokoban(b). box(c). solution(d).",
        "reach/2",
        [("base", [])],
        sets("reach(b,0) reach(a,0)"),
    ),
    "rules/reach: in the last state too": (
        LINES,
        "right(a,b). right(b,c). right(c,d). sokoban(a). box(b). solution(d).",
        "reach/2",
        START,
        sets("reach(a,0) reach(a,1) reach(b,1)", "reach(a,0) reach(a,1) reach(b,1) reach(c,1)"),
    ),
    "rules/lines: one or more cells": (
        LINES,
        CORRIDOR,
        "push/4",
        START,
        sets("push(b,right,c,1)", "push(b,right,d,1)"),
    ),
    "rules/lines: a box in the way": (
        LINES,
        "right(a,b). right(b,c). right(c,d). sokoban(a). box(b). box(d). solution(d).",
        "push/4",
        START,
        sets("push(b,right,c,1)"),
    ),
    "rules/lines: player and boxes after the push": (
        LINES,
        CORRIDOR,
        "player_at/2 box_at/2",
        START,
        sets(
            "player_at(a,0) box_at(b,0) player_at(b,1) box_at(c,1)",
            "player_at(a,0) box_at(b,0) player_at(c,1) box_at(d,1)",
        ),
    ),
    "lines with goal": (
        [*LINES, "rules/goal.lp"],
        CORRIDOR,
        "push/4",
        [*START, ("check", [1])],
        sets("push(b,right,d,1)"),
    ),
    "rules/pushes: one cell only": (PUSHES, CORRIDOR, "push/4", START, sets("push(b,right,c,1)")),
    "pushes with goal, too short": ([*PUSHES, "rules/goal.lp"], CORRIDOR, "push/4", [*START, ("check", [1])], set()),
    "pushes up and down": (
        PUSHES,
        "top(a,b). top(b,c). sokoban(a). box(b). solution(c).",
        "push/4",
        START,
        sets("push(b,up,c,1)"),
    ),
    "rules/moves: push, but neither through a wall nor two boxes": (
        MOVES,
        CORRIDOR,
        "move/2",
        START,
        sets("move(right,1)"),
    ),
    "rules/moves: walk": (
        MOVES,
        "right(a,b). right(b,c). sokoban(b). box(c). solution(c).",
        "move/2 box_at/2",
        START,
        sets("move(left,1) box_at(c,0) box_at(c,1)"),
    ),
    "rules/moves: the box goes along": (
        MOVES,
        CORRIDOR,
        "player_at/2 box_at/2 push/4",
        START,
        sets("player_at(a,0) player_at(b,1) box_at(b,0) box_at(c,1) push(b,right,c,1)"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_expected_models(name: str) -> None:
    files, facts, show, parts, expected = CASES[name]
    assert models(files, facts, show, parts) == expected


def test_fewest_prefers_a_short_plan() -> None:
    control = clingo.Control(["0"])
    control.add("base", [], CORRIDOR + "step(1..4). next(S,S+1) :- step(S), S < 4.")
    for name in (
        "rules/geometry.lp",
        "rules/competition_start.lp",
        "rules/line_push.lp",
        "rules/competition_fewest.lp",
        "show/push.lp",
    ):
        control.load(str(ENCODINGS / name))
    control.ground([("base", [])])
    best: list[tuple[list[int], list[str]]] = []
    control.solve(on_model=lambda model: best.append((list(model.cost), sorted(map(str, model.symbols(shown=True))))))
    assert best[-1] == ([1], ["push(b,right,d,1)"])


def test_every_file_has_its_header() -> None:
    for path in sorted(ENCODINGS.parent.rglob("*.lp")):
        head = path.read_text(encoding="utf-8")
        assert head.startswith("% Purpose:"), path.name
        assert "% Input:" in head or "% Derived:" in head, path.name
