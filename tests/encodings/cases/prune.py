"""Cases of ``encodings/sokoban/prune``: what prunes.

State 0 is the near end of a plan, so action 1 has its near end in state 0 and its far end in state 1.
"""

from tests.encodings.models import BASE, START, Case, sets

HALVES = """
part_whole(0). part_most(0,3). part_halves(0,1,2).
part_most(1,2). part_halves(1,3,4). part_most(2,2). part_halves(2,5,6).
part_cell(3,a). part_cell(4,b). part_cell(5,c). part_cell(6,d). part_most((3;4;5;6),1).
box(a). box(b). box_at(a,0). box_at(b,0).
"""
"""Two boxes on four cells: a and b are one half, c and d the other."""
ANYWHERE = HALVES + "{ box_at(a,1); box_at(b,1); box_at(c,1); box_at(d,1) }. #show L : box_at(L,1)."
BOXES = "{ box_at((a;b;c),1) }."
TWO = "box(x). box(y). { box_at((a;b),1) }."
BESIDE = "box_at(a,1). { box_at((b;c;d;e;f),1) } = 1. { player_at((p;q),1) } = 1. adjacent(right,p,a)."
WITH_PLAYER = "{ box_at((a;b;c;z),1) } = 1. { player_at((p;q;r),1) } = 1."
LATER = [*START, ("step", [2])]
"""With bound 2 reached, one action lies between state 1 and the far end."""
NUMBERED = {
    "far_windows": ("far_at(a,2). far_behind(a,right,3).", "2 3"),
    "far_pairs": ("far_pair(a,b,2). far_pair_behind(a,right,b,3).", "2 3"),
    "far_prices": ("far_limit(1,1). far_price(1,a,2). far_price(1,b,1). box((x;y)).", "3"),
    "reduced_costs": ("reduced_limit(1,5,2).", " ".join(str(number) for number in range(7, 54, 2))),
    "far_moves_windows": ("far_at(a,2). far_with(a,b,3).", "2 3"),
    "far_moves_pairs": ("far_pair(a,b,2). far_pair_behind(a,right,b,3).", "2 3"),
}
"""Files that ask for horizon_at_least/1, facts, and the numbers they must declare: one forgotten made false optima once."""

CASES: dict[str, Case] = {
    "prune/counts: no box is lost or made": (
        ["prune/counts.lp"],
        ANYWHERE,
        "none/0",
        [("base", []), ("step", [1])],
        sets("a b", "a c", "a d", "b c", "b d", "c d"),
    ),
    "prune/counts: of every part": (
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
    "prune/counts_change: not up by two": (
        ["prune/counts_change.lp"],
        "part_most(p,2). part_holds(p,0,0). { part_holds(p,(1;2),1) }.",
        "part_holds/3",
        START,
        sets("part_holds(p,0,0)", "part_holds(p,0,0) part_holds(p,1,1)"),
    ),
    "prune/counts_change: not down by two": (
        ["prune/counts_change.lp"],
        "part_most(p,2). part_holds(p,(1;2),0). { part_holds(p,1,1) }.",
        "part_holds/3",
        START,
        sets("part_holds(p,1,0) part_holds(p,2,0) part_holds(p,1,1)"),
    ),
    "prune/near_anywhere": (
        ["rules/geometry.lp", "prune/near_anywhere.lp"],
        "right(a,b). right(b,c).",
        "box_allowed/2 near_room/3",
        START,
        sets(
            "box_allowed(a,1) box_allowed(b,1) box_allowed(c,1)"
            " near_room(b,right,1) near_room(c,right,1) near_room(b,left,1) near_room(a,left,1)"
        ),
    ),
    "prune/near_windows": (
        ["prune/near_windows.lp"],
        "near_at(c,0). near_at(b,1). near_at(a,2). near_behind(c,right,0). near_behind(b,left,1).",
        "box_allowed/2 near_room/3",
        START,
        sets("box_allowed(c,1) box_allowed(b,1) near_room(c,right,1)"),
    ),
    "prune/far_windows: near enough": (
        ["prune/horizon.lp", "prune/far_windows.lp"],
        "far_at(a,2). far_at(b,1). far_at(c,0)." + BOXES,
        "box_at/2",
        START,
        sets("", "box_at(c,1)"),
    ),
    "prune/far_windows: with the player behind it": (
        ["prune/horizon.lp", "prune/far_windows.lp"],
        "far_at(c,0). far_behind(c,right,0). far_behind(c,up,1). { far_end(c,(left;right;up),1) } = 1.",
        "far_end/3",
        START,
        sets("far_end(c,right,1)"),
    ),
    "prune/near_pairs: two boxes": (
        ["prune/near_pairs.lp"],
        "never_pair(a,b). near_pair(b,c,2). near_pair(a,c,1)." + BOXES,
        "box_at/2",
        START,
        sets("", "box_at(a,1)", "box_at(b,1)", "box_at(c,1)", "box_at(a,1) box_at(c,1)"),
    ),
    "prune/near_pairs: two boxes and the player": (
        ["prune/near_pairs.lp"],
        "never_pair_behind(a,right,d). near_pair_behind(b,right,d,1). near_pair_behind(c,right,d,0)."
        "box_at(d,0). { near_end((a;b;c),right,1) } = 1.",
        "near_end/3",
        START,
        sets("near_end(c,right,1)"),
    ),
    "prune/far_pairs": (
        ["prune/horizon.lp", "prune/far_pairs.lp"],
        "far_pair(a,b,1). never_pair_behind(c,right,a). far_pair_behind(c,right,b,1)."
        "{ box_at((a;b),1) }. { far_end(c,right,1) }.",
        "box_at/2 far_end/3",
        START,
        sets("", "box_at(a,1)", "box_at(b,1)", "far_end(c,right,1)"),
    ),
    "prune/near_prices": (
        ["prune/near_prices.lp"],
        "near_price(1,a,2). near_price(1,b,1). near_limit(1,1)." + TWO,
        "box_at/2",
        START,
        sets("", "box_at(a,1)", "box_at(b,1)"),
    ),
    "prune/far_prices": (
        ["prune/horizon.lp", "prune/far_prices.lp"],
        "far_price(1,a,2). far_price(1,b,1). far_limit(1,1)." + TWO,
        "box_at/2",
        START,
        sets("", "box_at(b,1)"),
    ),
    "prune/reduced_costs: what is paid adds up and stays": (
        ["prune/reduced_costs.lp"],
        "reduced_limit(1,0,1). near_reduced_cost(1,a,right,c,2). far_reduced_cost(1,e,up,d,1). horizon_at_least(1..24)."
        "near_end(a,right,1). far_end(c,right,1). near_end(c,up,2). far_end(d,up,2). near_end(d,up,3). far_end(e,up,3).",
        "paid/3",
        [*LATER, ("step", [3])],
        sets(
            "paid(1,0,0) paid(1,0,1) paid(1,1,1) paid(1,2,1) paid(1,0,2) paid(1,1,2) paid(1,2,2)"
            " paid(1,0,3) paid(1,1,3) paid(1,2,3) paid(1,3,3)"
        ),
    ),
    "prune/reduced_costs: no more than the bound leaves": (
        ["prune/horizon.lp", "prune/reduced_costs.lp"],
        "reduced_limit(1,0,1). reduced_limit(2,0,2). near_reduced_cost(1,(a;b),right,d,1). near_reduced_cost(1,c,right,d,2)."
        "near_reduced_cost(2,b,right,d,1). { near_end((a;b;c),right,1) } = 1. far_end(d,right,1).",
        "near_end/3",
        START,
        sets("near_end(a,right,1)"),
    ),
    "prune/near_moves_windows": (
        ["prune/near_moves_windows.lp"],
        "near_at(a,0). near_at(b,2). near_at(c,1). never_with(a,p). near_with(a,q,2). near_with(a,r,1). never_with(c,(p;q))."
        + WITH_PLAYER,
        "box_at/2 player_at/2",
        START,
        sets("box_at(a,1) player_at(r,1)", "box_at(c,1) player_at(r,1)"),
    ),
    "prune/far_moves_windows": (
        ["prune/horizon.lp", "prune/far_moves_windows.lp"],
        "far_at(a,0). far_at(b,0). far_at(c,1). far_at(z,2). far_with(a,q,1). far_with(b,(p;q;r),2)." + WITH_PLAYER,
        "box_at/2 player_at/2",
        START,
        sets("box_at(a,1) player_at(p,1)", "box_at(a,1) player_at(r,1)"),
    ),
    "prune/near_moves_pairs": (
        ["prune/near_moves_pairs.lp"],
        "never_pair(a,b). near_pair(a,c,2). near_pair(a,f,1). never_pair_behind(a,right,d). near_pair_behind(a,right,e,2)."
        "near_pair_behind(a,right,f,1)." + BESIDE,
        "box_at/2 player_at/2",
        START,
        sets(
            *(f"box_at(a,1) box_at({other},1) player_at(q,1)" for other in "def"),
            "box_at(a,1) box_at(f,1) player_at(p,1)",
        ),
    ),
    "prune/far_moves_pairs": (
        ["prune/horizon.lp", "prune/far_moves_pairs.lp"],
        "far_pair(a,(b;c;d),1). far_pair_behind(a,right,e,1)." + BESIDE,
        "box_at/2 player_at/2",
        START,
        sets(
            *(f"box_at(a,1) box_at({other},1) player_at(q,1)" for other in "ef"),
            "box_at(a,1) box_at(f,1) player_at(p,1)",
        ),
    ),
    "prune/far_windows: one action more": (
        ["prune/horizon.lp", "prune/far_windows.lp"],
        "far_at(a,2). far_at(b,1). far_at(c,0). far_behind(c,right,1). far_behind(c,up,2)."
        + BOXES
        + "{ far_end(c,(right;up),1) } 1.",
        "box_at/2 far_end/3",
        LATER,
        {
            frozenset([*boxes, *end])
            for boxes in ([], ["box_at(b,1)"], ["box_at(c,1)"], ["box_at(b,1)", "box_at(c,1)"])
            for end in ([], ["far_end(c,right,1)"])
        },
    ),
    "prune/far_pairs: one action more": (
        ["prune/horizon.lp", "prune/far_pairs.lp"],
        "far_pair(a,b,1). far_pair(a,c,2). far_pair_behind(c,right,b,1). far_pair_behind(c,up,b,2)."
        "box_at(b,1). { box_at((a;c),1) }. { far_end(c,(right;up),1) } 1.",
        "box_at/2 far_end/3",
        LATER,
        {
            frozenset(["box_at(b,1)", *boxes, *end])
            for boxes in ([], ["box_at(a,1)"], ["box_at(c,1)"])
            for end in ([], ["far_end(c,right,1)"])
        },
    ),
    "prune/far_moves_windows: one move more": (
        ["prune/horizon.lp", "prune/far_moves_windows.lp"],
        "far_at(a,0). far_at(b,1). far_at(c,2). far_at(z,2). far_with(a,q,1). far_with(a,r,2). far_with(b,(q;r),2)."
        + WITH_PLAYER,
        "box_at/2 player_at/2",
        LATER,
        sets("box_at(a,1) player_at(p,1)", "box_at(a,1) player_at(q,1)", "box_at(b,1) player_at(p,1)"),
    ),
    "prune/far_moves_pairs: one move more": (
        ["prune/horizon.lp", "prune/far_moves_pairs.lp"],
        "far_pair(a,b,1). far_pair(a,(c;d),2). far_pair_behind(a,right,e,1). far_pair_behind(a,right,f,2)." + BESIDE,
        "box_at/2 player_at/2",
        LATER,
        sets(
            *(f"box_at(a,1) box_at({other},1) player_at({player},1)" for other in "be" for player in "pq"),
            "box_at(a,1) box_at(f,1) player_at(q,1)",
        ),
    ),
    "prune/horizon: the steps there are, and no others": (
        ["prune/horizon.lp"],
        "number(2).",
        "horizon_at_least/1",
        START,
        sets("horizon_at_least(1)"),
    ),
    "prune/one_player": (
        ["prune/one_player.lp"],
        "cell((a;b)). { player_at((a;b),1) }.",
        "player_at/2",
        START,
        sets("", "player_at(a,1)", "player_at(b,1)"),
    ),
    **{
        f"prune/{name}: the numbers it asks for": (
            [f"prune/{name}.lp"],
            facts,
            "number/1",
            BASE,
            sets(" ".join(f"number({number})" for number in numbers.split())),
        )
        for name, (facts, numbers) in NUMBERED.items()
    },
}
