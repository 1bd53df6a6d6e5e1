"""Tests as data of the fast programs: every file with facts it is given and exactly the answer sets it must have.

What prunes is in ``test_models_prune``.
"""

from __future__ import annotations

import clingo
import pytest

from tests.encodings import test_models, test_models_prune
from tests.encodings.test_models import CORRIDOR, ENCODINGS, START, models, sets

FORWARD = ["rules/geometry.lp", "rules/start.lp", "forward/reach.lp", "prune/near_anywhere.lp"]
REMAINING = ["rules/geometry.lp", "remaining/goal.lp", "remaining/reach.lp", "prune/near_anywhere.lp"]
SHORT = "right(a,b). right(b,c). sokoban(a). box(b). solution(c)."
BASE = [("base", list[int]())]
LAST_MOVE = sets(
    "move(right,1) player_at(b,0) player_at(a,1) box_at(c,0) box_at(c,1)",
    "move(right,1) player_at(b,0) player_at(a,1) box_at(c,0) box_at(b,1)",
    "move(left,1) player_at(a,0) player_at(b,1) box_at(c,0) box_at(c,1)",
)
"""With one move to go: a step to the right, the same with a push, a step to the left."""
OTHERS = "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(a). box(b). box(e). solution(c). solution(e)."
"""A box at the end of the corridor, which stays there and is in the way."""
STEP_OFF = "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(a). box(d). solution(e)."
"""Two cells free between the player and the box: nothing is pushed from there."""
LONGER = "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(a). box(b). solution(d)."
ENDS = "near_end/3 far_end/3 box_at/2"
CASES = {
    "forward/reach: from behind the box that was pushed": (
        ["rules/geometry.lp", "rules/start.lp", "forward/reach.lp"],
        CORRIDOR + "far_end(d,right,1). box_at(d,1).",
        "reach/2",
        START,
        sets("reach(a,0) reach(c,1) reach(b,1) reach(a,1)"),
    ),
    "remaining/reach: behind the box that will be pushed": (
        ["rules/geometry.lp", "remaining/reach.lp"],
        CORRIDOR + "far_end(c,right,1). box_at(c,1).",
        "reach/2",
        START,
        sets("reach(b,1) reach(a,1)"),
    ),
    "remaining/reach: a box behind it": (
        ["rules/geometry.lp", "remaining/reach.lp"],
        CORRIDOR + "far_end(c,right,1). box_at(c,1). box_at(b,1).",
        "reach/2",
        START,
        set(),
    ),
    "forward/lines": (
        [*FORWARD, "forward/lines.lp"],
        CORRIDOR,
        "near_end/3 far_end/3 box_at/2",
        START,
        sets(
            "near_end(b,right,1) far_end(c,right,1) box_at(b,0) box_at(c,1)",
            "near_end(b,right,1) far_end(d,right,1) box_at(b,0) box_at(d,1)",
        ),
    ),
    "forward/pushes": (
        [*FORWARD, "forward/pushes.lp"],
        CORRIDOR,
        "near_end/3 far_end/3 box_at/2",
        START,
        sets("near_end(b,right,1) far_end(c,right,1) box_at(b,0) box_at(c,1)"),
    ),
    "remaining/lines": (
        [*REMAINING, "remaining/lines.lp"],
        CORRIDOR,
        "far_end/3 near_end/3 box_at/2",
        START,
        sets(
            "far_end(c,right,1) near_end(d,right,1) box_at(d,0) box_at(c,1)",
            "far_end(b,right,1) near_end(d,right,1) box_at(d,0) box_at(b,1)",
        ),
    ),
    "forward/lines: other boxes stay and are in the way": (
        [*FORWARD, "forward/lines.lp"],
        OTHERS,
        ENDS,
        START,
        sets(
            "near_end(b,right,1) far_end(c,right,1) box_at(b,0) box_at(e,0) box_at(c,1) box_at(e,1)",
            "near_end(b,right,1) far_end(d,right,1) box_at(b,0) box_at(e,0) box_at(d,1) box_at(e,1)",
        ),
    ),
    "forward/lines: only where a box is": (
        [*FORWARD, "forward/lines.lp"],
        STEP_OFF,
        ENDS,
        START,
        sets("near_end(d,right,1) far_end(e,right,1) box_at(d,0) box_at(e,1)"),
    ),
    "forward/lines: only where there is room": (
        ["rules/geometry.lp", "rules/start.lp", "forward/reach.lp", "forward/lines.lp"],
        CORRIDOR + "near_room(b,right,1). room(d,1).",
        "far_end/3",
        START,
        sets("far_end(d,right,1)"),
    ),
    "forward/pushes: other boxes stay": (
        [*FORWARD, "forward/pushes.lp"],
        OTHERS,
        ENDS,
        START,
        sets("near_end(b,right,1) far_end(c,right,1) box_at(b,0) box_at(e,0) box_at(c,1) box_at(e,1)"),
    ),
    "forward/pushes: not two boxes": (
        [*FORWARD, "forward/pushes.lp"],
        CORRIDOR + "box(c).",
        ENDS,
        START,
        set(),
    ),
    "forward/pushes: only where a box is": (
        [*FORWARD, "forward/pushes.lp"],
        STEP_OFF,
        ENDS,
        START,
        sets("near_end(d,right,1) far_end(e,right,1) box_at(d,0) box_at(e,1)"),
    ),
    "forward/pushes: only where there is room": (
        ["rules/geometry.lp", "rules/start.lp", "forward/reach.lp", "forward/pushes.lp"],
        CORRIDOR + "near_room(b,right,1). room(d,1).",
        "far_end/3",
        START,
        set(),
    ),
    "remaining/lines: other boxes stay and are in the way": (
        [*REMAINING, "remaining/lines.lp"],
        "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(c). box(c). box(b). solution(a). solution(e).",
        "far_end/3 near_end/3 box_at/2",
        START,
        sets(
            "far_end(d,right,1) near_end(e,right,1) box_at(a,0) box_at(e,0) box_at(a,1) box_at(d,1)",
            "far_end(c,right,1) near_end(e,right,1) box_at(a,0) box_at(e,0) box_at(a,1) box_at(c,1)",
            "far_end(b,left,1) near_end(a,left,1) box_at(a,0) box_at(e,0) box_at(e,1) box_at(b,1)",
            "far_end(c,left,1) near_end(a,left,1) box_at(a,0) box_at(e,0) box_at(e,1) box_at(c,1)",
        ),
    ),
    "remaining/lines: not through another box": (
        [*REMAINING, "remaining/lines.lp"],
        "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(b). box(c). box(d). solution(c). solution(e).",
        "far_end/3 near_end/3",
        START,
        sets("far_end(b,right,1) near_end(c,right,1)"),
    ),
    "remaining/lines: only where there is room": (
        ["rules/geometry.lp", "remaining/goal.lp", "remaining/reach.lp", "remaining/lines.lp"],
        CORRIDOR + "near_room(d,right,1). room(b,1).",
        "far_end/3",
        START,
        sets("far_end(b,right,1)"),
    ),
    "remaining/lines: the player gets from one push to the next": (
        [*REMAINING, "remaining/lines.lp"],
        LONGER,
        "near_end/3",
        [*START, ("step", [2])],
        sets("near_end(d,right,1) near_end(c,right,2)"),
    ),
    "remaining/pushes: other boxes stay": (
        [*REMAINING, "remaining/pushes.lp"],
        "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(c). box(c). box(b). solution(a). solution(e).",
        "far_end/3 near_end/3 box_at/2",
        START,
        sets(
            "far_end(d,right,1) near_end(e,right,1) box_at(a,0) box_at(e,0) box_at(a,1) box_at(d,1)",
            "far_end(b,left,1) near_end(a,left,1) box_at(a,0) box_at(e,0) box_at(e,1) box_at(b,1)",
        ),
    ),
    "remaining/pushes: not out of another box": (
        [*REMAINING, "remaining/pushes.lp"],
        "right(a,b). right(b,c). right(c,d). sokoban(a). box(c). box(d). solution(c). solution(d).",
        "far_end/3",
        START,
        sets("far_end(b,right,1)"),
    ),
    "remaining/pushes: only where there is room": (
        ["rules/geometry.lp", "remaining/goal.lp", "remaining/reach.lp", "remaining/pushes.lp"],
        CORRIDOR + "near_room(d,right,1). room(b,1).",
        "far_end/3",
        START,
        set(),
    ),
    "remaining/pushes: the player gets from one push to the next": (
        [*REMAINING, "remaining/pushes.lp"],
        LONGER,
        "near_end/3",
        [*START, ("step", [2])],
        sets("near_end(d,right,1) near_end(c,right,2)"),
    ),
    "remaining/moves: only a box is pushed": (
        ["rules/geometry.lp", "remaining/goal.lp", "remaining/moves.lp"],
        CORRIDOR,
        "move/2 player_at/2 box_at/2",
        START,
        sets(
            "box_at(d,0) move(right,1) player_at(a,1) player_at(b,0) box_at(d,1)",
            "box_at(d,0) move(right,1) player_at(b,1) player_at(c,0) box_at(d,1)",
            "box_at(d,0) move(right,1) player_at(b,1) player_at(c,0) box_at(c,1)",
            "box_at(d,0) move(left,1) player_at(b,1) player_at(a,0) box_at(d,1)",
            "box_at(d,0) move(left,1) player_at(c,1) player_at(b,0) box_at(d,1)",
        ),
    ),
    "explain/boxes: a box that takes part has to be stored": (
        ["explain/boxes.lp"],
        CORRIDOR,
        "serve/1",
        [*BASE, ("check", [0])],
        sets(""),
    ),
    "explain/goals: every location may be asked for": (
        ["explain/goals.lp"],
        CORRIDOR,
        "serve/1",
        BASE,
        sets("", "serve(d)"),
    ),
    "explain/lines: where the boxes are": (
        ["rules/geometry.lp", "explain/goals.lp", "rules/reach.lp", "explain/lines.lp"],
        OTHERS,
        "box_at/2",
        START,
        sets(*(f"box_at(b,0) box_at(e,0) box_at({cell},1) box_at(e,1)" for cell in "bcd")),
    ),
    "explain/lines: idle actions last": (
        ["rules/geometry.lp", "explain/goals.lp", "rules/reach.lp", "explain/lines.lp"],
        CORRIDOR,
        "acts/1",
        [*START, ("step", [2])],
        sets("", "acts(1)", "acts(1) acts(2)"),
    ),
    "forward/reach: at the start": (
        ["rules/geometry.lp", "rules/start.lp", "forward/reach.lp"],
        STEP_OFF,
        "reach/2",
        BASE,
        sets("reach(a,0) reach(b,0) reach(c,0)"),
    ),
    "rules/geometry: goals and the player are on cells": (
        ["rules/geometry.lp"],
        "sokoban(a). solution(b).",
        "cell/1",
        BASE,
        sets("cell(a) cell(b)"),
    ),
    "passes_of_push: over more than one cell": (
        ["rules/geometry.lp", "bridge/passes_of_push.lp"],
        "right(a,b). right(b,c). right(c,d). right(d,e). push(b,right,e,1).",
        "passes/2",
        START,
        sets("passes(c,1) passes(d,1) passes(e,1)"),
    ),
    "remaining/start_first: the same answers": (
        [*REMAINING, "remaining/lines.lp", "remaining/start_first.lp"],
        CORRIDOR,
        "far_end/3 near_end/3",
        START,
        sets("far_end(c,right,1) near_end(d,right,1)", "far_end(b,right,1) near_end(d,right,1)"),
    ),
    "remaining/pushes": (
        [*REMAINING, "remaining/pushes.lp"],
        CORRIDOR,
        "far_end/3 near_end/3 box_at/2",
        START,
        sets("far_end(c,right,1) near_end(d,right,1) box_at(d,0) box_at(c,1)"),
    ),
    "remaining/goal: spare boxes anywhere": (
        ["remaining/goal.lp"],
        "box(a). box(b). solution(b). cell((a;b;c)).",
        "box_at/2",
        BASE,
        sets("box_at(b,0) box_at(a,0)", "box_at(b,0) box_at(c,0)"),
    ),
    "remaining/start": (
        ["remaining/start.lp"],
        "box(b). sokoban(a). { box_at((b;c),1) }. { reach(a,1) }.",
        "box_at/2 reach/2",
        [*BASE, ("check", [1])],
        sets("box_at(b,1) reach(a,1)"),
    ),
    "remaining/moves_start": (
        ["remaining/moves_start.lp"],
        "box(b). sokoban(a). { box_at((b;c),1) }. { player_at((a;d),1) } = 1.",
        "box_at/2 player_at/2",
        [*BASE, ("check", [1])],
        sets("box_at(b,1) player_at(a,1)"),
    ),
    "remaining/moves": (
        ["rules/geometry.lp", "remaining/goal.lp", "remaining/moves.lp"],
        SHORT,
        "move/2 player_at/2 box_at/2",
        START,
        LAST_MOVE,
    ),
    "remaining/moves_start_first: the same answers": (
        ["rules/geometry.lp", "remaining/goal.lp", "remaining/moves.lp", "remaining/moves_start_first.lp"],
        SHORT,
        "move/2 player_at/2 box_at/2",
        START,
        LAST_MOVE,
    ),
    "explain/goals: a location that is asked for": (
        ["explain/goals.lp"],
        CORRIDOR,
        "serve/1 box_at/2 player_at/2",
        [*BASE, ("check", [0])],
        sets("box_at(b,0) player_at(a,0)"),
    ),
    "explain/boxes: a box that takes part": (
        ["explain/boxes.lp"],
        CORRIDOR,
        "serve/1 box_at/2 player_at/2",
        BASE,
        sets("player_at(a,0)", "player_at(a,0) serve(b) box_at(b,0)"),
    ),
    "explain/lines: one push or none": (
        ["rules/geometry.lp", "explain/goals.lp", "rules/reach.lp", "explain/lines.lp"],
        CORRIDOR,
        "push/4 acts/1 player_at/2",
        START,
        sets(
            "player_at(a,0) player_at(a,1)",
            "player_at(a,0) push(b,right,c,1) acts(1) player_at(b,1)",
            "player_at(a,0) push(b,right,d,1) acts(1) player_at(c,1)",
        ),
    ),
    "behind_of_line": (
        ["rules/geometry.lp", "bridge/behind_of_line.lp"],
        CORRIDOR + "near_end(b,right,1).",
        "behind/2",
        START,
        sets("behind(a,1)"),
    ),
    "behind_of_push": (
        ["rules/geometry.lp", "bridge/behind_of_push.lp"],
        CORRIDOR + "push(b,right,d,1).",
        "behind/2",
        START,
        sets("behind(a,1)"),
    ),
    "box_is": (
        ["bridge/box_is.lp"],
        "box(b). box(x). left(b,1). placed(c,1).",
        "box_is/3 pushed/2",
        START,
        sets("box_is(b,b,0) box_is(x,x,0) pushed(b,1) box_is(b,c,1) box_is(x,x,1)"),
    ),
    "first_box": (
        ["bridge/first_box.lp"],
        "box(b). placed(c,1). placed(b,2).",
        "first_box/2 used/2",
        [*START, ("step", [2])],
        sets("first_box(b,0) used(b,0) first_box(c,1) used(c,1) used(b,1) used(b,2) used(c,2)"),
    ),
    "last_box": (
        ["bridge/last_box.lp"],
        "box(b). box_at(c,1).",
        "last_box/3",
        START,
        sets("last_box(b,0,0) last_box(c,1,1) last_box(b,0,1)"),
    ),
    "left_of_line": (["bridge/left_of_line.lp"], "near_end(b,right,1).", "left/2", START, sets("left(b,1)")),
    "left_of_push": (["bridge/left_of_push.lp"], "push(b,right,d,1).", "left/2", START, sets("left(b,1)")),
    "passes_of_line": (
        ["bridge/passes_of_line.lp"],
        "on(c,right,1). on(d,right,1).",
        "passes/2",
        START,
        sets("passes(c,1) passes(d,1)"),
    ),
    "passes_of_push": (
        ["rules/geometry.lp", "bridge/passes_of_push.lp"],
        CORRIDOR + "push(b,right,d,1).",
        "passes/2",
        START,
        sets("passes(c,1) passes(d,1)"),
    ),
    "placed_of_line": (["bridge/placed_of_line.lp"], "far_end(d,right,1).", "placed/2", START, sets("placed(d,1)")),
    "placed_of_push": (["bridge/placed_of_push.lp"], "push(b,right,d,1).", "placed/2", START, sets("placed(d,1)")),
    "player_after_line": (
        ["rules/geometry.lp", "bridge/player_after_line.lp"],
        CORRIDOR + "far_end(d,right,1).",
        "player_at/2",
        START,
        sets("player_at(c,1)"),
    ),
    "push_of_line": (
        ["rules/geometry.lp", "bridge/push_of_line.lp"],
        CORRIDOR + "near_end(b,right,1). far_end(d,right,1).",
        "push/4",
        START,
        sets("push(b,right,d,1)"),
    ),
    "pushes_of": (
        ["bridge/pushes_of.lp"],
        "box(b). box(x). pushed(b,1).",
        "pushes_of/3",
        START,
        sets("pushes_of(b,0,0) pushes_of(x,0,0) pushes_of(b,1,1) pushes_of(x,0,1)"),
    ),
}

ROW = """
cell(1..3). blanks(2). pieces("a",1). init("a",1). place("a",1..3). covers("a",P,P) :- place("a",P).
shift("a",1,2). shift("a",2,1). shift("a",2,3). shift("a",3,2).
"""
"""Three cells in a row, a piece of one cell on the first."""
NEIGHBOUR = """
init("b",2). place("b",1..3). covers("b",P,P) :- place("b",P). shift("b",P,Q) :- shift("a",P,Q).
"""
MOVED = ["../klotski/start.lp", "../klotski/state.lp"]
SLID, ONE_ON = [*MOVED, "../klotski/slide.lp"], [*MOVED, "../klotski/unit.lp"]
SECOND = [*START, ("step", [2])]
KLOTSKI = {
    "start": (MOVED[:1], ROW, "at/3 blank/2", BASE, sets('at("a",1,0) blank(2,0) blank(3,0)')),
    "state: one piece moves": (
        MOVED,
        ROW,
        "at/3 blank/2 from/3 to/3",
        START,
        sets(
            *(
                f'at("a",1,0) blank(2,0) blank(3,0) at("a",{to},1) blank(1,1) blank({5 - to},1)'
                f' from("a",1,1) to("a",{to},1)'
                for to in (2, 3)
            )
        ),
    ),
    "state: of the same class": (
        MOVED,
        ROW + NEIGHBOUR,
        "at/3",
        START,
        sets('at("a",1,0) at("b",2,0) at("a",3,1) at("b",2,1)', 'at("a",1,0) at("b",2,0) at("a",1,1) at("b",3,1)'),
    ),
    "unit": (ONE_ON, ROW, "slide/4", START, sets('slide("a",1,2,1)')),
    "slide: as far as it goes": (SLID, ROW, "slide/4", START, sets('slide("a",1,2,1)', 'slide("a",1,3,1)')),
    "slide: not through another piece": (SLID, ROW + NEIGHBOUR, "slide/4", START, sets('slide("b",2,3,1)')),
    "slide: over cells of its own": (
        SLID,
        'cell(1..3). blanks(1). init("d",1). place("d",1..2). covers("d",P,P..P+1) :- place("d",P). shift("d",1,2).',
        "slide/4",
        START,
        sets('slide("d",1,2,1)'),
    ),
    "no_piece_twice": ([*SLID, "../klotski/no_piece_twice.lp"], ROW, "slide/4", SECOND, set()),
    "no_way_back": (
        [*ONE_ON, "../klotski/no_way_back.lp"],
        ROW,
        "slide/4",
        SECOND,
        sets('slide("a",1,2,1) slide("a",2,3,2)'),
    ),
    "prune/counts": (
        ["../klotski/counts.lp"],
        'blanks(1). pieces("a",1). cell(1..2). place("a",1..2). { blank(1..2,1) }. { at("a",1..2,1) }.',
        "blank/2 at/3",
        START,
        sets(*(f'blank({x},1) at("a",{p},1)' for x in (1, 2) for p in (1, 2))),
    ),
    "goal: a place and a blank": (
        ["../klotski/goal.lp"],
        'goal_at("a",2). goal_blank(1). { at("a",1..2,1) } = 1. { blank(1,1) }.',
        "at/3 blank/2",
        [*BASE, ("check", [1])],
        sets('at("a",2,1) blank(1,1)'),
    ),
    "goal: a cell to be covered": (
        ["../klotski/goal.lp"],
        'goal_cover("a",2). covers("a",1,1). covers("a",1,2). covers("a",3,3). { at("a",(1;3),1) } = 1.',
        "at/3",
        [*BASE, ("check", [1])],
        sets('at("a",1,1)'),
    ),
}
CASES |= {f"klotski {name}": case for name, case in KLOTSKI.items()}

COSTS = {
    "prefer/fewest_pushes.lp": ("passes(c,1). passes(d,1).", 2),
    "prefer/fewest_lines.lp": ("push(a,right,b,1). push(b,right,c,2).", 1),
    "prefer/fewest_moves.lp": (CORRIDOR + "player_at(a,0). box_at(d,0). behind(c,1). passes(e,1).", 3),
}
"""A tie-break, a plan of one or two actions, and what it costs."""

SHOWN = {
    "show/forward.lp": ("near_end(b,right,1). far_end(d,right,1). box_at(d,1).", "push(b,right,d,1)"),
    "show/remaining.lp": ("far_end(b,right,1). near_end(d,right,1). box_at(d,1).", "push(b,right,d,1)"),
    "show/move.lp": ("move(up,1). box_at(d,1).", "move(up,1)"),
    "show/push.lp": ("push(b,right,d,1). box_at(d,1).", "push(b,right,d,1)"),
    "../klotski/show_slide.lp": ('slide("a",1,2,1). at("a",2,1).', 'slide("a",1,2,1)'),
    "show/serve.lp": ("serve(d). push(b,right,d,1). box_at(d,1).", "serve(d) push(b,right,d,1)"),
}


@pytest.mark.parametrize("name", CASES)
def test_expected_answer_sets(name: str) -> None:
    files, facts, show, parts, expected = CASES[name]
    assert models(files, facts, show, parts) == expected


def solved(files: list[str], facts: str) -> tuple[list[int], set[str]]:
    """Return the cost and the shown atoms of the best answer set with actions 1 and 2."""
    control = clingo.Control()
    control.add("base", [], facts)
    for name in files:
        control.load(str(ENCODINGS / name))
    control.ground([("base", []), *(("step", [clingo.Number(t)]) for t in (1, 2))])
    found: list[tuple[list[int], set[str]]] = []
    control.solve(on_model=lambda model: found.append((list(model.cost), set(map(str, model.symbols(shown=True))))))
    return found[-1]


@pytest.mark.parametrize("name", COSTS)
def test_what_a_tie_break_costs(name: str) -> None:
    facts, cost = COSTS[name]
    assert solved(["rules/geometry.lp", name], facts)[0] == [cost]


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_shown(name: str) -> None:
    facts, shown = SHOWN[name]
    assert solved([name], facts)[1] == set(shown.split())


def test_every_file_has_expected_answer_sets() -> None:
    """The examples have tests of their own, against brute force."""
    cases = {
        name
        for given in (CASES, test_models.CASES, test_models_prune.CASES)
        for files, *_ in given.values()
        for name in files
    }
    tested = {*cases, *COSTS, *SHOWN, "rules/competition_fewest.lp"}
    ours = ENCODINGS.parent
    there = {str(path.relative_to(ours)) for path in ours.rglob("*.lp") if path.parent.name != "examples"}
    assert {str((ENCODINGS / name).resolve().relative_to(ours.resolve())) for name in tested} == there
