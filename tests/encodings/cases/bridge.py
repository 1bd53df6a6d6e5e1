"""Cases of ``encodings/sokoban/bridge``: the public predicates, derived from what a program has."""

from __future__ import annotations

from tests.encodings.models import CORRIDOR, START, Case, sets

CASES: dict[str, Case] = {
    "bridge/passes_of_push: over more than one cell": (
        ["rules/geometry.lp", "bridge/passes_of_push.lp"],
        "right(a,b). right(b,c). right(c,d). right(d,e). push(b,right,e,1).",
        "passes/2",
        START,
        sets("passes(c,1) passes(d,1) passes(e,1)"),
    ),
    "bridge/behind_of_line": (
        ["rules/geometry.lp", "bridge/behind_of_line.lp"],
        CORRIDOR + "near_end(b,right,1).",
        "behind/2",
        START,
        sets("behind(a,1)"),
    ),
    "bridge/behind_of_push": (
        ["rules/geometry.lp", "bridge/behind_of_push.lp"],
        CORRIDOR + "push(b,right,d,1).",
        "behind/2",
        START,
        sets("behind(a,1)"),
    ),
    "bridge/box_at": (
        ["bridge/box_at.lp"],
        "box(b). box(x). moved_from(b,1). placed(c,1).",
        "box_at/3 pushed/2",
        START,
        sets("box_at(b,b,0) box_at(x,x,0) pushed(b,1) box_at(b,c,1) box_at(x,x,1)"),
    ),
    "bridge/first_box": (
        ["bridge/first_box.lp"],
        "box(b). placed(c,1). placed(b,2).",
        "first_box/2 used/2",
        [*START, ("step", [2])],
        sets("first_box(b,0) used(b,0) first_box(c,1) used(c,1) used(b,1) used(b,2) used(c,2)"),
    ),
    "bridge/last_box": (
        ["bridge/last_box.lp"],
        "box(b). box_at(c,1).",
        "last_box/3",
        START,
        sets("last_box(b,0,0) last_box(c,1,1) last_box(b,0,1)"),
    ),
    "bridge/left: the old name": (["bridge/left.lp"], "moved_from(b,1).", "left/2", START, sets("left(b,1)")),
    "bridge/box_is: the old name": (
        ["bridge/box_is.lp"],
        "box_at(b,b,0). box_at(b,c,1).",
        "box_is/3",
        START,
        sets("box_is(b,b,0) box_is(b,c,1)"),
    ),
    "bridge/moved_from_of_push": (
        ["bridge/moved_from_of_push.lp"],
        "push(b,right,d,1).",
        "moved_from/2",
        START,
        sets("moved_from(b,1)"),
    ),
    "bridge/passes_of_line": (
        ["bridge/passes_of_line.lp"],
        "on(c,right,1). on(d,right,1).",
        "passes/2",
        START,
        sets("passes(c,1) passes(d,1)"),
    ),
    "bridge/passes_of_push": (
        ["rules/geometry.lp", "bridge/passes_of_push.lp"],
        CORRIDOR + "push(b,right,d,1).",
        "passes/2",
        START,
        sets("passes(c,1) passes(d,1)"),
    ),
    "bridge/placed_of_line": (
        ["bridge/placed_of_line.lp"],
        "far_end(d,right,1).",
        "placed/2",
        START,
        sets("placed(d,1)"),
    ),
    "bridge/placed_of_push": (
        ["bridge/placed_of_push.lp"],
        "push(b,right,d,1).",
        "placed/2",
        START,
        sets("placed(d,1)"),
    ),
    "bridge/player_after_line": (
        ["rules/geometry.lp", "bridge/player_after_line.lp"],
        CORRIDOR + "far_end(d,right,1).",
        "player_at/2",
        START,
        sets("player_at(c,1)"),
    ),
    "bridge/push_of_line": (
        ["rules/geometry.lp", "bridge/push_of_line.lp"],
        CORRIDOR + "near_end(b,right,1). far_end(d,right,1).",
        "push/4",
        START,
        sets("push(b,right,d,1)"),
    ),
    "bridge/pushes_of": (
        ["bridge/pushes_of.lp"],
        "box(b). box(x). pushed(b,1).",
        "pushes_of/3",
        START,
        sets("pushes_of(b,0,0) pushes_of(x,0,0) pushes_of(b,1,1) pushes_of(x,0,1)"),
    ),
}
