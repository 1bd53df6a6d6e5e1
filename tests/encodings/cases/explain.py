"""Cases of ``encodings/sokoban/explain``: what cannot be served in time."""

from __future__ import annotations

from tests.encodings.models import BASE, CORRIDOR, OTHERS, START, Case, sets

LINES = ["rules/geometry.lp", "explain/goals.lp", "rules/reach.lp", "explain/lines.lp"]

CASES: dict[str, Case] = {
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
        LINES,
        OTHERS,
        "box_at/2",
        START,
        sets(*(f"box_at(b,0) box_at(e,0) box_at({cell},1) box_at(e,1)" for cell in "bcd")),
    ),
    "explain/lines: idle actions last": (
        LINES,
        CORRIDOR,
        "acts/1",
        [*START, ("step", [2])],
        sets("", "acts(1)", "acts(1) acts(2)"),
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
        LINES,
        CORRIDOR,
        "push/4 acts/1 player_at/2",
        START,
        sets(
            "player_at(a,0) player_at(a,1)",
            "player_at(a,0) push(b,right,c,1) acts(1) player_at(b,1)",
            "player_at(a,0) push(b,right,d,1) acts(1) player_at(c,1)",
        ),
    ),
}
