"""Rules of the deeper ideas that are texts: see ``deep_ideas``."""

from __future__ import annotations

import re
from itertools import islice

from sokoasp.core.limits import Limits
from sokoasp.sokoban import facts
from sokoasp.sokoban.level import Cell, Level

ORDERED = """
% Two line pushes in a row, of A and then of B, B before A in the order of cells, if B then A leads to the same state and region:
% the cells from behind A's beginning to behind its far end are free afterwards, so the player ends in one region either way.
#program base.
before(L1,L2) :- cell(L1), cell(L2), L1 < L2.
#program step(t).
% where the player could walk after B alone, from behind B's far end: A still where it was, its far end (for safety) blocked too
apart(L,t)  :- far_end(L1,D,t), adjacent(D,L,L1), t > 1.
apart(L2,t) :- apart(L1,t), adjacent(_,L1,L2), not box_at(L2,t), not moved_from(L2,t-1).
over(L,t)   :- on(L,_,t).
back(t)     :- far_end(L,_,t), on(L,_,t-1), t > 1.
:- near_end(B,DB,t), near_end(A,DA,t-1), before(B,A), t > 1,
   not far_end(B,_,t-1), adjacent(DB,PB,B), reach(PB,t-2),
   not over(A,t), not back(t), adjacent(DA,PA,A), apart(PA,t).
"""
_SHARED = ("adjacent", "box", "cell", "direction", "horizon_at_least", "right", "sokoban", "solution", "top")
"""Predicates of the level, and the one that says how long the plan is."""
PATTERNS = 200
"""Learned patterns taken."""
ROUNDS = 20
"""Times the search is interrupted to learn."""


def renamed(text: str) -> str:
    """Return the program from the end with predicates and parts of its own, to stand beside the one from the start."""
    return re.sub(rf"\b(?!(?:{'|'.join(_SHARED)})\b)([a-z]\w*)(?=\(|/\d)", r"r_\1", text)


def meeting(half: int, rest: int) -> str:
    """Return the rule that both programs have the same boxes and one region of the player where they meet."""
    return f"""
#program meet(t).
:- box_at(L,{half}), not r_box_at(L,{rest}).
:- r_box_at(L,{rest}), not box_at(L,{half}).
met :- reach(L,{half}), r_reach(L,{rest}).
:- not met.
"""


def learned(level: Level) -> str:
    """Return constraints for the sets of three boxes and more that the native search has learned, in every state.

    A set without a way home, alone on the board with the player in that region, is in no state of any plan. A set that needs N
    line pushes, the prices of the dearest goals taken off, is in no state with fewer to go.
    """
    from sokoasp.core.limits import Clock
    from sokoasp.sokoban.search import Options
    from sokoasp.sokoban.search.bounds import search_tables
    from sokoasp.sokoban.search.exact import astar, learning
    from sokoasp.sokoban.search.model import push_board

    options = Options(largest_pattern=2)
    tables = search_tables.build(level, push_board.build(level), "lines", options, reverse=False)
    search = astar.begin(level, tables, options)
    clock = Clock(Limits(seconds=20, states=200_000))
    for _ in range(ROUNDS):
        if (
            search.advance(clock, 1.0, int(search.counters["expanded"]) + 200)
            or search.finished
            or search.learner is None
        ):
            break
        learning.study(search, search.learner, 20_000, clock)
    board = tables.board
    name = facts.name_of(level)
    called = [name[Cell(cell.row, cell.col)] for cell in board.cells]
    dearest = sorted((int(tables.patterns.potential[goal]) for goal in board.goals), reverse=True)
    found = search.learner.listed() if search.learner else ()
    base: list[str] = []
    step: list[str] = []
    regions: dict[tuple[int, ...], int] = {}
    for one in islice((one for one in found if len(one.boxes) > 2), PATTERNS):
        needs = None if one.cost is None else one.cost - sum(dearest[: len(one.boxes)])
        if needs is not None and needs <= 0:
            continue
        at = regions.setdefault(one.player, len(regions))
        boxes = ", ".join(f"box_at({called[box]},t)" for box in one.boxes)
        late = "" if needs is None else f", not horizon_at_least(t+{needs})"
        base += [] if needs is None else [f"number({needs})."]
        step.append(f":- {boxes}, player_in({at},t){late}.")
    base += [f"in_region({at},({';'.join(called[cell] for cell in cells)}))." for cells, at in regions.items()]
    there = "player_in(R,t) :- in_region(R,L), reach(L,t)." if regions else ""
    return "\n".join(["#program base.", *dict.fromkeys(base), "#program step(t).", there, *dict.fromkeys(step)]) + "\n"
