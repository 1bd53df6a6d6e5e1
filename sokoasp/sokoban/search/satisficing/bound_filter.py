"""Which children are lost by what boxes cost together, compiled: matching, pattern databases and learned patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.jit import kernel
from sokoasp.sokoban.search.bounds.cost_partitioning import collect_moved
from sokoasp.sokoban.search.bounds.pattern_index import kept_pairs, recalled_dead
from sokoasp.sokoban.search.exact.open_list import match_state
from sokoasp.sokoban.search.kernels.primitives import INF, pack, rematching
from sokoasp.sokoban.search.model.records import Augmenting, Matching
from sokoasp.sokoban.search.model.registers import R, W
from sokoasp.sokoban.search.satisficing.macro_registers import COLUMNS, C

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.records import Bound, Scratch
    from sokoasp.sokoban.search.satisficing.macro_registers import I8, Children


@kernel("i8(i8, i8, i8[::1], Bound, Scratch, Children)")
def sift(count: int, player: int, r: I8, b: Bound, scratch: Scratch, children: Children) -> int:
    """Drop the children that are lost, move the others up.

    Patterns without the pushed box are not looked at again: they were when the state itself was popped.

    ``player`` is any cell of the player's region; registers, tables and scratch are those of the proving search, and the boxes
    of the state stand in ``W.BOXES``, ascending.

    Returns:
        How many children are left, -1 if the state itself is lost.
    """
    k, w, boxes = r[R.BOXES], scratch.w, scratch.w[W.BOXES]
    out, keys = children.out, children.keys
    if match_state(r, w, player, b.side, b.dist) >= INF:
        return -1
    parents = Matching(w[W.STATE], w[W.U], w[W.V], w[W.ROW])
    childs = Matching(w[W.STATE2], w[W.U2], w[W.V2], w[W.ROW2])
    path = Augmenting(w[W.LEAST], w[W.WAY], w[W.USED])
    goal_of = w[W.QUEUE]
    for j in range(k):
        goal_of[parents.row_of[j]] = j
    r[R.PARENTS] = 0
    learned = kept_pairs(k, boxes, b, children.pairs) if r[R.PATTERNS] else 0
    kept = 0
    for i in range(count):
        x, low = 0, int(out[i, C.LOW])
        while boxes[x] != out[i, C.FROM]:
            x += 1
        boxes[x] = out[i, C.TO]
        r[R.MOVED] = x
        # each box may keep its goal, or another matching has to be found: the cost does not matter here
        matched = True
        for j in range(k):
            childs.state[j] = b.side[boxes[j], low]
            matched = matched and b.dist[childs.state[j], goal_of[j]] < INF >> 1
        found = -1
        if matched or rematching(k, b.dist, parents, childs, path) < INF:
            found = 0
            if r[R.PATTERNS]:
                pack(boxes, k, 0, r[R.WORDS], scratch.key)
                found = collect_moved(r, low, boxes, scratch.key, b, path.way, path.least)
                if found >= 0 and recalled_dead(k, x, boxes, low, scratch.key, b, children.pairs, learned):
                    found = -1
        boxes[x] = out[i, C.FROM]
        if found >= 0:
            for c in range(COLUMNS):
                out[kept, c] = out[i, c]
            keys[kept, 0], keys[kept, 1] = keys[i, 0], keys[i, 1]
            kept += 1
    return kept
