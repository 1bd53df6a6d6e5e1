"""Cases of ``encodings/sokoban/rules``: the rules of the game and the plain programs."""

from tests.encodings.models import BASE, CORRIDOR, LONG, START, STEPS, Case, sets

COLUMN = "top(b4,b3). top(b3,b2). top(b2,b). "
"""b is at the top, b4 at the bottom."""
LINES = ["rules/geometry.lp", "rules/start.lp", "rules/reach.lp", "rules/lines.lp"]
PUSHES = ["rules/geometry.lp", "rules/start.lp", "rules/reach.lp", "rules/pushes.lp"]
MOVES = ["rules/geometry.lp", "rules/start.lp", "rules/moves.lp"]
COMPETITION = ["rules/geometry.lp", "rules/competition_start.lp", "rules/line_push.lp", "rules/competition_exact.lp"]

CASES: dict[str, Case] = {
    "rules/geometry: four directions": (
        ["rules/geometry.lp"],
        CORRIDOR,
        "direction/1",
        None,
        sets("direction(left) direction(right) direction(up) direction(down)"),
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
    "rules/competition_exact: exactly one action": (
        COMPETITION,
        CORRIDOR + STEPS,
        "push/4",
        None,
        sets("push(b,right,d,1)"),
    ),
    "rules/competition_exact: exactly two actions": (
        COMPETITION,
        CORRIDOR + LONG,
        "push/4",
        None,
        sets("push(b,right,c,1) push(c,right,d,2)"),
    ),
    "rules/competition_exact: one step and boxes off goals": (
        COMPETITION,
        CORRIDOR + "step(1).",
        "push/4",
        None,
        set(),
    ),
    "rules/competition_exact: constants as step labels": (
        COMPETITION,
        CORRIDOR + "step(x). step(y). next(x,y).",
        "push/4",
        None,
        sets("push(b,right,d,x)"),
    ),
    "rules/line_push: where the player ends": (
        COMPETITION,
        CORRIDOR + STEPS,
        "player_at/2 box_at/2",
        None,
        sets("player_at(a,1) box_at(b,1) player_at(c,2) box_at(d,2)"),
    ),
    "rules/line_push: after a walk, and the other box stays": (
        COMPETITION,
        COLUMN + "box(b2). box(x). solution(b). solution(x). sokoban(b4)." + STEPS,
        "push/4 box_at/2",
        None,
        sets("push(b2,up,b,1) box_at(b2,1) box_at(x,1) box_at(b,2) box_at(x,2)"),
    ),
    "rules/start": (["rules/start.lp"], CORRIDOR, "box_at/2 player_at/2", None, sets("box_at(b,0) player_at(a,0)")),
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
    "rules/lines: the other box stays": (
        LINES,
        CORRIDOR + "box(x).",
        "box_at/2",
        START,
        sets(*(f"box_at(b,0) box_at(x,0) box_at({cell},1) box_at(x,1)" for cell in "cd")),
    ),
    "rules/pushes: player and boxes after the push": (
        PUSHES,
        CORRIDOR + "box(x).",
        "player_at/2 box_at/2",
        START,
        sets("player_at(a,0) box_at(b,0) box_at(x,0) player_at(b,1) box_at(c,1) box_at(x,1)"),
    ),
    "rules/goal: of lines": (
        [*LINES, "rules/goal.lp"],
        CORRIDOR,
        "push/4",
        [*START, ("check", [1])],
        sets("push(b,right,d,1)"),
    ),
    "rules/pushes: one cell only": (PUSHES, CORRIDOR, "push/4", START, sets("push(b,right,c,1)")),
    "rules/goal: of pushes, too short": (
        [*PUSHES, "rules/goal.lp"],
        CORRIDOR,
        "push/4",
        [*START, ("check", [1])],
        set(),
    ),
    "rules/pushes: up and down": (
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
    "rules/geometry: goals and the player are on cells": (
        ["rules/geometry.lp"],
        "sokoban(a). solution(b).",
        "cell/1",
        BASE,
        sets("cell(a) cell(b)"),
    ),
}
