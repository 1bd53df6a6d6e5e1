"""Cases of ``encodings/sokoban/forward``: actions counted from the start."""

from tests.encodings.models import BASE, CORRIDOR, OTHERS, START, Case, sets

FORWARD = ["rules/geometry.lp", "rules/start.lp", "forward/reach.lp", "prune/near_anywhere.lp"]
STEP_OFF = "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(a). box(d). solution(e)."
"""Two cells free between the player and the box: nothing is pushed from there."""
ENDS = "near_end/3 far_end/3 box_at/2"

CASES: dict[str, Case] = {
    "forward/reach: from behind the box that was pushed": (
        ["rules/geometry.lp", "rules/start.lp", "forward/reach.lp"],
        CORRIDOR + "far_end(d,right,1). box_at(d,1).",
        "reach/2",
        START,
        sets("reach(a,0) reach(c,1) reach(b,1) reach(a,1)"),
    ),
    **{
        f"forward/{unit}{more}": (
            [*FORWARD, f"forward/{unit}.lp"],
            scene,
            ENDS,
            START,
            sets(*(f"near_end(b,right,1) far_end({to},right,1) box_at(b,0) box_at({to},1) {rest}" for to in cells)),
        )
        for unit, cells in {"lines": "cd", "pushes": "c"}.items()
        for more, scene, rest in (
            ("", CORRIDOR, ""),
            (": other boxes stay and are in the way", OTHERS, "box_at(e,0) box_at(e,1)"),
        )
    },
    **{
        f"forward/{unit}: only where a box is": (
            [*FORWARD, f"forward/{unit}.lp"],
            STEP_OFF,
            ENDS,
            START,
            sets("near_end(d,right,1) far_end(e,right,1) box_at(d,0) box_at(e,1)"),
        )
        for unit in ("lines", "pushes")
    },
    **{
        f"forward/{unit}: only where there is room": (
            [*FORWARD[:3], f"forward/{unit}.lp"],
            CORRIDOR + "near_room(b,right,1). box_allowed(d,1).",
            "far_end/3",
            START,
            answers,
        )
        for unit, answers in {"lines": sets("far_end(d,right,1)"), "pushes": set[frozenset[str]]()}.items()
    },
    "forward/pushes: not two boxes": ([*FORWARD, "forward/pushes.lp"], CORRIDOR + "box(c).", ENDS, START, set()),
    **{
        f"forward/{name}: not into a wall": (
            ["rules/geometry.lp", "rules/start.lp", "forward/reach.lp", f"forward/{name}.lp"],
            CORRIDOR.replace("box(b)", "box(d)") + "near_room(d,right,1). box_allowed((a;b;c;d),1).",
            "near_end/3",
            START,
            set(),
        )
        for name in ("lines", "pushes")
    },
    "forward/reach: at the start": (
        ["rules/geometry.lp", "rules/start.lp", "forward/reach.lp"],
        STEP_OFF,
        "reach/2",
        BASE,
        sets("reach(a,0) reach(b,0) reach(c,0)"),
    ),
}
