"""Cases of ``encodings/klotski``: the Klotski programs."""

from tests.encodings.models import BASE, START, Case, sets

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

CASES: dict[str, Case] = {
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
    "counts": (
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
