"""Cases of ``encodings/sokoban/remaining``: actions counted from the end."""

from tests.encodings.models import BASE, CORRIDOR, START, Case, sets

REMAINING = ["rules/geometry.lp", "remaining/goal.lp", "remaining/reach.lp", "prune/near_anywhere.lp"]
SHORT = "right(a,b). right(b,c). sokoban(a). box(b). solution(c)."
LAST_MOVE = sets(
    "move(right,1) player_at(b,0) player_at(a,1) box_at(c,0) box_at(c,1)",
    "move(right,1) player_at(b,0) player_at(a,1) box_at(c,0) box_at(b,1)",
    "move(left,1) player_at(a,0) player_at(b,1) box_at(c,0) box_at(c,1)",
)
"""With one move to go: a step to the right, the same with a push, a step to the left."""
LONGER = "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(a). box(b). solution(d)."
ENDS = "near_end/3 far_end/3 box_at/2"

CASES: dict[str, Case] = {
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
    **{
        f"remaining/{unit}": (
            [*REMAINING, f"remaining/{unit}.lp"],
            CORRIDOR,
            ENDS,
            START,
            sets(*(f"far_end({cell},right,1) near_end(d,right,1) box_at(d,0) box_at({cell},1)" for cell in cells)),
        )
        for unit, cells in {"lines": "bc", "pushes": "c"}.items()
    },
    **{
        f"remaining/{unit}: other boxes stay and are in the way": (
            [*REMAINING, f"remaining/{unit}.lp"],
            "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(c). box(c). box(b). solution(a). solution(e).",
            ENDS,
            START,
            sets(
                *(
                    f"far_end({c},right,1) near_end(e,right,1) box_at(a,0) box_at(e,0) box_at(a,1) box_at({c},1)"
                    for c in right
                ),
                *(
                    f"far_end({c},left,1) near_end(a,left,1) box_at(a,0) box_at(e,0) box_at(e,1) box_at({c},1)"
                    for c in left
                ),
            ),
        )
        for unit, right, left in (("lines", "dc", "bc"), ("pushes", "d", "b"))
    },
    "remaining/lines: not through another box": (
        [*REMAINING, "remaining/lines.lp"],
        "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(b). box(c). box(d). solution(c). solution(e).",
        "far_end/3 near_end/3",
        START,
        sets("far_end(b,right,1) near_end(c,right,1)"),
    ),
    **{
        f"remaining/{unit}: not with the player in a wall": (
            [*REMAINING[:3], f"remaining/{unit}.lp"],
            "right(b,c). sokoban(b). box(c). solution(c). near_room(c,right,1). box_allowed((b;c),1).",
            "near_end/3",
            START,
            set(),
        )
        for unit in ("lines", "pushes")
    },
    **{
        f"remaining/{unit}: only where there is room": (
            [*REMAINING[:3], f"remaining/{unit}.lp"],
            CORRIDOR + "near_room(d,right,1). box_allowed(b,1).",
            "far_end/3",
            START,
            answers,
        )
        for unit, answers in {"lines": sets("far_end(b,right,1)"), "pushes": set[frozenset[str]]()}.items()
    },
    **{
        f"remaining/{unit}: the player gets from one push to the next": (
            [*REMAINING, f"remaining/{unit}.lp"],
            LONGER,
            "near_end/3",
            [*START, ("step", [2])],
            sets("near_end(d,right,1) near_end(c,right,2)"),
        )
        for unit in ("lines", "pushes")
    },
    "remaining/pushes: not out of another box": (
        [*REMAINING, "remaining/pushes.lp"],
        "right(a,b). right(b,c). right(c,d). sokoban(a). box(c). box(d). solution(c). solution(d).",
        "far_end/3",
        START,
        sets("far_end(b,right,1)"),
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
    "remaining/start_first: the same answers": (
        [*REMAINING, "remaining/lines.lp", "remaining/start_first.lp"],
        CORRIDOR,
        "far_end/3 near_end/3",
        START,
        sets("far_end(c,right,1) near_end(d,right,1)", "far_end(b,right,1) near_end(d,right,1)"),
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
}
