"""Tests as data of the fast programs: every file with facts it is given and exactly the answer sets it must have."""

from __future__ import annotations

import clingo
import pytest

from tests.encodings import test_models
from tests.encodings.test_models import CORRIDOR, ENCODINGS, START, models, sets

FORWARD = ["geometry.lp", "start.lp", "forward_reach.lp", "forward_anywhere.lp"]
REMAINING = ["geometry.lp", "remaining_goal.lp", "remaining_reach.lp", "remaining_anywhere.lp"]
SHORT = "right(a,b). right(b,c). sokoban(a). box(b). solution(c). room((a;b;c),1)."
BASE = [("base", list[int]())]
BOXES = "{ box_at((a;b;c),1) }."
TWO = "box(x). box(y). { box_at((a;b),1) }."
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
FROM_TO = "from/3 to/3 box_at/2"
NUMBERED = {
    "forward_goal_windows": ("goal_at(a,2). goal_after(a,right,3).", "2 3"),
    "forward_goal_pairs": ("goal_pair(a,b,2). goal_pair_after(a,right,b,3).", "2 3"),
    "forward_goal_prices": ("goal_limit(1,1). goal_price(1,a,2). goal_price(1,b,1). box((x;y)).", "3"),
    "forward_moves_windows": ("goal_at(a,2). goal_with(a,b,3).", "2 3"),
    "forward_moves_pairs": ("goal_pair(a,b,2). goal_pair_after(a,right,b,3).", "2 3"),
    "remaining_start_windows": ("start_at(a,2). start_before(a,right,3).", "2 3"),
    "remaining_start_pairs": ("start_pair(a,b,2). start_pair_before(a,right,b,3).", "2 3"),
    "remaining_start_prices": ("start_limit(1,1). start_price(1,a,2). start_price(1,b,1). box((x;y)).", "3"),
    "remaining_moves_windows": ("start_at(a,2). start_with(a,b,3).", "2 3"),
    "remaining_moves_pairs": ("start_pair(a,b,2). start_pair_before(a,right,b,3).", "2 3"),
}
"""Files that ask for reached/1, facts, and the numbers they must declare: one forgotten made false optima once."""
BESIDE = "box_at(a,1). { box_at((b;c;d;e;f;g;h),1) } = 1. { player_at((p;q),1) } = 1. adjacent(right,p,a)."
NOT_BESIDE = sets(
    *(f"box_at(a,1) box_at({other},1) player_at(q,1)" for other in "efgh"), "box_at(a,1) box_at(h,1) player_at(p,1)"
)

CASES = {
    "forward_anywhere": (
        ["geometry.lp", "forward_anywhere.lp"],
        CORRIDOR,
        "room/2 begin/3",
        START,
        sets(
            "room(a,1) room(b,1) room(c,1) room(d,1) begin(b,right,1) begin(c,right,1) begin(b,left,1) begin(c,left,1)"
        ),
    ),
    "remaining_anywhere": (
        ["geometry.lp", "remaining_anywhere.lp"],
        CORRIDOR,
        "room/2 end/3",
        START,
        sets("room(a,1) room(b,1) room(c,1) room(d,1) end(c,right,1) end(d,right,1) end(b,left,1) end(a,left,1)"),
    ),
    "forward_reach: from behind the box that was pushed": (
        ["geometry.lp", "start.lp", "forward_reach.lp"],
        CORRIDOR + "to(d,right,1). box_at(d,1).",
        "reach/2",
        START,
        sets("reach(a,0) reach(c,1) reach(b,1) reach(a,1)"),
    ),
    "remaining_reach: behind the box that will be pushed": (
        ["geometry.lp", "remaining_reach.lp"],
        CORRIDOR + "from(c,right,1). box_at(c,1).",
        "reach/2",
        START,
        sets("reach(b,1) reach(a,1)"),
    ),
    "remaining_reach: a box behind it": (
        ["geometry.lp", "remaining_reach.lp"],
        CORRIDOR + "from(c,right,1). box_at(c,1). box_at(b,1).",
        "reach/2",
        START,
        set(),
    ),
    "forward_lines": (
        [*FORWARD, "forward_lines.lp"],
        CORRIDOR,
        "from/3 to/3 box_at/2",
        START,
        sets(
            "from(b,right,1) to(c,right,1) box_at(b,0) box_at(c,1)",
            "from(b,right,1) to(d,right,1) box_at(b,0) box_at(d,1)",
        ),
    ),
    "forward_pushes": (
        [*FORWARD, "forward_pushes.lp"],
        CORRIDOR,
        "from/3 to/3 box_at/2",
        START,
        sets("from(b,right,1) to(c,right,1) box_at(b,0) box_at(c,1)"),
    ),
    "remaining_lines": (
        [*REMAINING, "remaining_lines.lp"],
        CORRIDOR,
        "from/3 to/3 box_at/2",
        START,
        sets(
            "from(c,right,1) to(d,right,1) box_at(d,0) box_at(c,1)",
            "from(b,right,1) to(d,right,1) box_at(d,0) box_at(b,1)",
        ),
    ),
    "forward_lines: other boxes stay and are in the way": (
        [*FORWARD, "forward_lines.lp"],
        OTHERS,
        FROM_TO,
        START,
        sets(
            "from(b,right,1) to(c,right,1) box_at(b,0) box_at(e,0) box_at(c,1) box_at(e,1)",
            "from(b,right,1) to(d,right,1) box_at(b,0) box_at(e,0) box_at(d,1) box_at(e,1)",
        ),
    ),
    "forward_lines: only where a box is": (
        [*FORWARD, "forward_lines.lp"],
        STEP_OFF,
        FROM_TO,
        START,
        sets("from(d,right,1) to(e,right,1) box_at(d,0) box_at(e,1)"),
    ),
    "forward_lines: only where there is room": (
        ["geometry.lp", "start.lp", "forward_reach.lp", "forward_lines.lp"],
        CORRIDOR + "begin(b,right,1). room(d,1).",
        "to/3",
        START,
        sets("to(d,right,1)"),
    ),
    "forward_pushes: other boxes stay": (
        [*FORWARD, "forward_pushes.lp"],
        OTHERS,
        FROM_TO,
        START,
        sets("from(b,right,1) to(c,right,1) box_at(b,0) box_at(e,0) box_at(c,1) box_at(e,1)"),
    ),
    "forward_pushes: not two boxes": (
        [*FORWARD, "forward_pushes.lp"],
        CORRIDOR + "box(c).",
        FROM_TO,
        START,
        set(),
    ),
    "forward_pushes: only where a box is": (
        [*FORWARD, "forward_pushes.lp"],
        STEP_OFF,
        FROM_TO,
        START,
        sets("from(d,right,1) to(e,right,1) box_at(d,0) box_at(e,1)"),
    ),
    "forward_pushes: only where there is room": (
        ["geometry.lp", "start.lp", "forward_reach.lp", "forward_pushes.lp"],
        CORRIDOR + "begin(b,right,1). room(d,1).",
        "to/3",
        START,
        set(),
    ),
    "remaining_lines: other boxes stay and are in the way": (
        [*REMAINING, "remaining_lines.lp"],
        "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(c). box(c). box(b). solution(a). solution(e).",
        "from/3 to/3 box_at/2",
        START,
        sets(
            "from(d,right,1) to(e,right,1) box_at(a,0) box_at(e,0) box_at(a,1) box_at(d,1)",
            "from(c,right,1) to(e,right,1) box_at(a,0) box_at(e,0) box_at(a,1) box_at(c,1)",
            "from(b,left,1) to(a,left,1) box_at(a,0) box_at(e,0) box_at(e,1) box_at(b,1)",
            "from(c,left,1) to(a,left,1) box_at(a,0) box_at(e,0) box_at(e,1) box_at(c,1)",
        ),
    ),
    "remaining_lines: not through another box": (
        [*REMAINING, "remaining_lines.lp"],
        "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(b). box(c). box(d). solution(c). solution(e).",
        "from/3 to/3",
        START,
        sets("from(b,right,1) to(c,right,1)"),
    ),
    "remaining_lines: only where there is room": (
        ["geometry.lp", "remaining_goal.lp", "remaining_reach.lp", "remaining_lines.lp"],
        CORRIDOR + "end(d,right,1). room(b,1).",
        "from/3",
        START,
        sets("from(b,right,1)"),
    ),
    "remaining_lines: the player gets from one push to the next": (
        [*REMAINING, "remaining_lines.lp"],
        LONGER,
        "to/3",
        [*START, ("step", [2])],
        sets("to(d,right,1) to(c,right,2)"),
    ),
    "remaining_pushes: other boxes stay": (
        [*REMAINING, "remaining_pushes.lp"],
        "right(a,b). right(b,c). right(c,d). right(d,e). sokoban(c). box(c). box(b). solution(a). solution(e).",
        "from/3 to/3 box_at/2",
        START,
        sets(
            "from(d,right,1) to(e,right,1) box_at(a,0) box_at(e,0) box_at(a,1) box_at(d,1)",
            "from(b,left,1) to(a,left,1) box_at(a,0) box_at(e,0) box_at(e,1) box_at(b,1)",
        ),
    ),
    "remaining_pushes: not out of another box": (
        [*REMAINING, "remaining_pushes.lp"],
        "right(a,b). right(b,c). right(c,d). sokoban(a). box(c). box(d). solution(c). solution(d).",
        "from/3",
        START,
        sets("from(b,right,1)"),
    ),
    "remaining_pushes: only where there is room": (
        ["geometry.lp", "remaining_goal.lp", "remaining_reach.lp", "remaining_pushes.lp"],
        CORRIDOR + "end(d,right,1). room(b,1).",
        "from/3",
        START,
        set(),
    ),
    "remaining_pushes: the player gets from one push to the next": (
        [*REMAINING, "remaining_pushes.lp"],
        LONGER,
        "to/3",
        [*START, ("step", [2])],
        sets("to(d,right,1) to(c,right,2)"),
    ),
    "remaining_moves: only a box is pushed": (
        ["geometry.lp", "remaining_goal.lp", "remaining_moves.lp"],
        CORRIDOR + "room((a;b;c;d),1).",
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
    "remaining_moves: only where there is room": (
        ["geometry.lp", "remaining_goal.lp", "remaining_moves.lp"],
        SHORT.replace("room((a;b;c),1)", "room(b,1)"),
        "move/2 box_at/2",
        START,
        sets("move(right,1) box_at(c,0) box_at(b,1)"),
    ),
    "explain_boxes: a box that takes part has to be stored": (
        ["explain_boxes.lp"],
        CORRIDOR,
        "serve/1",
        [*BASE, ("check", [0])],
        sets(""),
    ),
    "explain_goals: every location may be asked for": (
        ["explain_goals.lp"],
        CORRIDOR,
        "serve/1",
        BASE,
        sets("", "serve(d)"),
    ),
    "explain_lines: where the boxes are": (
        ["geometry.lp", "explain_goals.lp", "reach.lp", "explain_lines.lp"],
        OTHERS,
        "box_at/2",
        START,
        sets(*(f"box_at(b,0) box_at(e,0) box_at({cell},1) box_at(e,1)" for cell in "bcd")),
    ),
    "explain_lines: idle actions last": (
        ["geometry.lp", "explain_goals.lp", "reach.lp", "explain_lines.lp"],
        CORRIDOR,
        "acts/1",
        [*START, ("step", [2])],
        sets("", "acts(1)", "acts(1) acts(2)"),
    ),
    "forward_reach: at the start": (
        ["geometry.lp", "start.lp", "forward_reach.lp"],
        STEP_OFF,
        "reach/2",
        BASE,
        sets("reach(a,0) reach(b,0) reach(c,0)"),
    ),
    "geometry: goals and the player are on cells": (
        ["geometry.lp"],
        "sokoban(a). solution(b).",
        "cell/1",
        BASE,
        sets("cell(a) cell(b)"),
    ),
    "passes_of_push: over more than one cell": (
        ["geometry.lp", "bridge/passes_of_push.lp"],
        "right(a,b). right(b,c). right(c,d). right(d,e). push(b,right,e,1).",
        "passes/2",
        START,
        sets("passes(c,1) passes(d,1) passes(e,1)"),
    ),
    **{
        f"{name}: the numbers it asks for": (
            [f"{name}.lp"],
            facts,
            "number/1",
            BASE,
            sets(" ".join(f"number({number})" for number in numbers.split())),
        )
        for name, (facts, numbers) in NUMBERED.items()
    },
    "heuristic_start_first: the same answers": (
        [*REMAINING, "remaining_lines.lp", "heuristic_start_first.lp"],
        CORRIDOR,
        "from/3 to/3",
        START,
        sets("from(c,right,1) to(d,right,1)", "from(b,right,1) to(d,right,1)"),
    ),
    "remaining_pushes": (
        [*REMAINING, "remaining_pushes.lp"],
        CORRIDOR,
        "from/3 to/3 box_at/2",
        START,
        sets("from(c,right,1) to(d,right,1) box_at(d,0) box_at(c,1)"),
    ),
    "remaining_goal: spare boxes anywhere": (
        ["remaining_goal.lp"],
        "box(a). box(b). solution(b). cell((a;b;c)).",
        "box_at/2",
        BASE,
        sets("box_at(b,0) box_at(a,0)", "box_at(b,0) box_at(c,0)"),
    ),
    "remaining_start": (
        ["remaining_start.lp"],
        "box(b). sokoban(a). { box_at((b;c),1) }. { reach(a,1) }.",
        "box_at/2 reach/2",
        [*BASE, ("check", [1])],
        sets("box_at(b,1) reach(a,1)"),
    ),
    "remaining_moves_start": (
        ["remaining_moves_start.lp"],
        "box(b). sokoban(a). { box_at((b;c),1) }. { player_at((a;d),1) } = 1.",
        "box_at/2 player_at/2",
        [*BASE, ("check", [1])],
        sets("box_at(b,1) player_at(a,1)"),
    ),
    "remaining_moves": (
        ["geometry.lp", "remaining_goal.lp", "remaining_moves.lp"],
        SHORT,
        "move/2 player_at/2 box_at/2",
        START,
        LAST_MOVE,
    ),
    "heuristic_moves_start_first: the same answers": (
        ["geometry.lp", "remaining_goal.lp", "remaining_moves.lp", "heuristic_moves_start_first.lp"],
        SHORT,
        "move/2 player_at/2 box_at/2",
        START,
        LAST_MOVE,
    ),
    "one_player": (
        ["one_player.lp"],
        "cell((a;b)). { player_at((a;b),1) }.",
        "player_at/2",
        START,
        sets("", "player_at(a,1)", "player_at(b,1)"),
    ),
    "reached: the steps there are, and no others": (
        ["reached.lp"],
        "number(2).",
        "reached/1",
        START,
        sets("reached(1)"),
    ),
    "forward_windows": (
        ["geometry.lp", "forward_windows.lp"],
        CORRIDOR + "start_at(b,0). start_at(c,1). start_at(d,2). start_before(b,right,0). start_before(c,right,1).",
        "room/2 begin/3",
        START,
        sets("room(b,1) room(c,1) begin(b,right,1)"),
    ),
    "remaining_windows": (
        ["remaining_windows.lp"],
        "goal_at(c,0). goal_at(b,1). goal_at(a,2). goal_after(c,right,0). goal_after(b,left,1).",
        "room/2 end/3",
        START,
        sets("room(c,1) room(b,1) end(c,right,1)"),
    ),
    "forward_goal_windows: near enough to a goal": (
        ["reached.lp", "forward_goal_windows.lp"],
        "goal_at(a,2). goal_at(b,1). goal_at(c,0)." + BOXES,
        "box_at/2",
        START,
        sets("", "box_at(c,1)"),
    ),
    "forward_goal_windows: with the player behind it": (
        ["reached.lp", "forward_goal_windows.lp"],
        "goal_at(c,0). goal_after(c,right,0). goal_after(c,up,1). { to(c,(left;right;up),1) } = 1.",
        "to/3",
        START,
        sets("to(c,right,1)"),
    ),
    "remaining_start_windows": (
        ["reached.lp", "remaining_start_windows.lp"],
        "start_at(b,0). start_at(c,1). start_before(b,right,0). start_before(b,up,1)."
        "{ box_at((b;c),1) }. { from(b,(right;left;up),1) }.",
        "box_at/2 from/3",
        START,
        sets("", "box_at(b,1)", "from(b,right,1)", "box_at(b,1) from(b,right,1)"),
    ),
    "forward_pairs: two boxes": (
        ["forward_pairs.lp"],
        "never_pair(a,b). start_pair(b,c,2). start_pair(a,c,1)." + BOXES,
        "box_at/2",
        START,
        sets("", "box_at(a,1)", "box_at(b,1)", "box_at(c,1)", "box_at(a,1) box_at(c,1)"),
    ),
    "forward_pairs: two boxes and the player": (
        ["forward_pairs.lp"],
        "never_pair_before(a,right,d). start_pair_before(b,right,d,1). start_pair_before(c,right,d,0)."
        "box_at(d,0). { from((a;b;c),right,1) } = 1.",
        "from/3",
        START,
        sets("from(c,right,1)"),
    ),
    "remaining_pairs: two boxes": (
        ["remaining_pairs.lp"],
        "never_pair(a,b). goal_pair(b,c,2). goal_pair(a,c,1)." + BOXES,
        "box_at/2",
        START,
        sets("", "box_at(a,1)", "box_at(b,1)", "box_at(c,1)", "box_at(a,1) box_at(c,1)"),
    ),
    "remaining_pairs: two boxes and the player": (
        ["remaining_pairs.lp"],
        "never_pair_after(a,right,d). goal_pair_after(b,right,d,1). goal_pair_after(c,right,d,0)."
        "box_at(d,0). { to((a;b;c),right,1) } = 1.",
        "to/3",
        START,
        sets("to(c,right,1)"),
    ),
    "forward_goal_pairs": (
        ["reached.lp", "forward_goal_pairs.lp"],
        "goal_pair(a,b,1). never_pair_after(c,right,a). goal_pair_after(c,right,b,1)."
        "{ box_at((a;b),1) }. { to(c,right,1) }.",
        "box_at/2 to/3",
        START,
        sets("", "box_at(a,1)", "box_at(b,1)", "to(c,right,1)"),
    ),
    "remaining_start_pairs": (
        ["reached.lp", "remaining_start_pairs.lp"],
        "start_pair(a,b,1). never_pair_before(c,right,a). start_pair_before(c,right,b,1)."
        "{ box_at((a;b),1) }. { from(c,right,1) }.",
        "box_at/2 from/3",
        START,
        sets("", "box_at(a,1)", "box_at(b,1)", "from(c,right,1)"),
    ),
    "forward_prices": (
        ["forward_prices.lp"],
        "start_price(1,a,2). start_price(1,b,1). start_limit(1,1)." + TWO,
        "box_at/2",
        START,
        sets("", "box_at(a,1)", "box_at(b,1)"),
    ),
    "remaining_prices": (
        ["remaining_prices.lp"],
        "goal_price(1,a,2). goal_price(1,b,1). goal_limit(1,1)." + TWO,
        "box_at/2",
        START,
        sets("", "box_at(a,1)", "box_at(b,1)"),
    ),
    "forward_goal_prices": (
        ["reached.lp", "forward_goal_prices.lp"],
        "goal_price(1,a,2). goal_price(1,b,1). goal_limit(1,1)." + TWO,
        "box_at/2",
        START,
        sets("", "box_at(b,1)"),
    ),
    "remaining_start_prices": (
        ["reached.lp", "remaining_start_prices.lp"],
        "start_price(1,a,2). start_price(1,b,1). start_limit(1,1)." + TWO,
        "box_at/2",
        START,
        sets("", "box_at(b,1)"),
    ),
    "forward_moves_windows": (
        ["reached.lp", "forward_moves_windows.lp"],
        "goal_at(a,0). goal_at(b,0). goal_at(c,1). start_at(a,0). start_at(b,2). start_at(c,1)."
        "never_with(a,p). goal_with(a,q,1). start_with(a,r,2)."
        "{ box_at((a;b;c;z),1) } = 1. { player_at((p;q;r;s),1) } = 1.",
        "box_at/2 player_at/2",
        START,
        sets("box_at(a,1) player_at(s,1)"),
    ),
    "remaining_moves_windows": (
        ["reached.lp", "remaining_moves_windows.lp"],
        "goal_at(a,0). goal_at(b,2). start_at(a,0). start_at(c,1)."
        "never_with(a,p). goal_with(a,q,2). start_with(a,r,1)."
        "{ box_at((a;c),1) } = 1. { player_at((p;q;r;s),1) } = 1.",
        "room/2 box_at/2 player_at/2",
        START,
        sets("room(a,1) box_at(a,1) player_at(s,1)"),
    ),
    "forward_moves_pairs": (
        ["reached.lp", "forward_moves_pairs.lp"],
        "never_pair(a,b). start_pair(a,c,2). goal_pair(a,d,1). never_pair_after(a,right,e)."
        "start_pair_before(a,right,f,2). goal_pair_after(a,right,g,1)." + BESIDE,
        "box_at/2 player_at/2",
        START,
        NOT_BESIDE,
    ),
    "remaining_moves_pairs": (
        ["reached.lp", "remaining_moves_pairs.lp"],
        "never_pair(a,b). goal_pair(a,c,2). start_pair(a,d,1). never_pair_after(a,right,e)."
        "goal_pair_after(a,right,f,2). start_pair_before(a,right,g,1)." + BESIDE,
        "box_at/2 player_at/2",
        START,
        NOT_BESIDE,
    ),
    "explain_goals: a location that is asked for": (
        ["explain_goals.lp"],
        CORRIDOR,
        "serve/1 box_at/2 player_at/2",
        [*BASE, ("check", [0])],
        sets("box_at(b,0) player_at(a,0)"),
    ),
    "explain_boxes: a box that takes part": (
        ["explain_boxes.lp"],
        CORRIDOR,
        "serve/1 box_at/2 player_at/2",
        BASE,
        sets("player_at(a,0)", "player_at(a,0) serve(b) box_at(b,0)"),
    ),
    "explain_lines: one push or none": (
        ["geometry.lp", "explain_goals.lp", "reach.lp", "explain_lines.lp"],
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
        ["geometry.lp", "bridge/behind_of_line.lp"],
        CORRIDOR + "from(b,right,1).",
        "behind/2",
        START,
        sets("behind(a,1)"),
    ),
    "behind_of_push": (
        ["geometry.lp", "bridge/behind_of_push.lp"],
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
    "left_of_line": (["bridge/left_of_line.lp"], "from(b,right,1).", "left/2", START, sets("left(b,1)")),
    "left_of_push": (["bridge/left_of_push.lp"], "push(b,right,d,1).", "left/2", START, sets("left(b,1)")),
    "passes_of_line": (
        ["bridge/passes_of_line.lp"],
        "on(c,right,1). on(d,right,1).",
        "passes/2",
        START,
        sets("passes(c,1) passes(d,1)"),
    ),
    "passes_of_push": (
        ["geometry.lp", "bridge/passes_of_push.lp"],
        CORRIDOR + "push(b,right,d,1).",
        "passes/2",
        START,
        sets("passes(c,1) passes(d,1)"),
    ),
    "placed_of_line": (["bridge/placed_of_line.lp"], "to(d,right,1).", "placed/2", START, sets("placed(d,1)")),
    "placed_of_push": (["bridge/placed_of_push.lp"], "push(b,right,d,1).", "placed/2", START, sets("placed(d,1)")),
    "player_after_line": (
        ["geometry.lp", "bridge/player_after_line.lp"],
        CORRIDOR + "to(d,right,1).",
        "player_at/2",
        START,
        sets("player_at(c,1)"),
    ),
    "push_of_line": (
        ["geometry.lp", "bridge/push_of_line.lp"],
        CORRIDOR + "from(b,right,1). to(d,right,1).",
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
CASES |= {f"klotski {name}": case for name, case in KLOTSKI.items()}

COSTS = {
    "prefer/fewest_pushes.lp": ("passes(c,1). passes(d,1).", 2),
    "prefer/fewest_lines.lp": ("push(a,right,b,1). push(b,right,c,2).", 1),
    "prefer/fewest_moves.lp": (CORRIDOR + "player_at(a,0). box_at(d,0). behind(c,1). passes(e,1).", 3),
}
"""A tie-break, a plan of one or two actions, and what it costs."""

SHOWN = {
    "show_line.lp": ("from(b,right,1). to(d,right,1). box_at(d,1).", "push(b,right,d,1)"),
    "show_move.lp": ("move(up,1). box_at(d,1).", "move(up,1)"),
    "show_push.lp": ("push(b,right,d,1). box_at(d,1).", "push(b,right,d,1)"),
    "../klotski/show_slide.lp": ('slide("a",1,2,1). at("a",2,1).', 'slide("a",1,2,1)'),
    "show_serve.lp": ("serve(d). push(b,right,d,1). box_at(d,1).", "serve(d) push(b,right,d,1)"),
}


@pytest.mark.parametrize("name", CASES)
def test_expected_answer_sets(name: str) -> None:
    files, facts, show, parts, expected = CASES[name]
    assert models(files, facts, show, parts) == expected


def test_what_is_not_reached_yet_is_so_later() -> None:
    """Every number that is asked for stands open until its step is grounded."""
    control = clingo.Control(["0"])
    late = "#program base. late(3) :- not reached(3). #program step(t). late(t+3) :- not reached(t+3). #show late/1."
    control.add("base", [], "number(3). #program step(t). #program base." + late)
    control.load(str(ENCODINGS / "reached.lp"))
    control.ground([("base", [])])
    for step in range(1, 5):
        control.ground([("step", [clingo.Number(step)])])
    found: list[set[str]] = []
    control.solve(on_model=lambda model: found.append(set(map(str, model.symbols(shown=True)))))
    assert found == [{"late(5)", "late(6)", "late(7)"}]


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
    assert solved(["geometry.lp", name], facts)[0] == [cost]


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_shown(name: str) -> None:
    facts, shown = SHOWN[name]
    assert solved([name], facts)[1] == set(shown.split())


def test_every_file_has_expected_answer_sets() -> None:
    """The examples have tests of their own, against brute force."""
    cases = {name for given in (CASES, test_models.CASES) for files, *_ in given.values() for name in files}
    tested = {*cases, *COSTS, *SHOWN, "competition_fewest.lp"}
    ours = ENCODINGS.parent
    there = {str(path.relative_to(ours)) for path in ours.rglob("*.lp") if path.parent.name != "examples"}
    assert {str((ENCODINGS / name).resolve().relative_to(ours.resolve())) for name in tested} == there
