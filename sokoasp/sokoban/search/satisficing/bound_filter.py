"""Which children are lost by what boxes cost together, compiled: matching, pattern databases and learned patterns."""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4
from sokoasp.sokoban.search.bounds.cost_partitioning import collect_moved
from sokoasp.sokoban.search.bounds.pattern_index import kept_pairs, recalled_dead
from sokoasp.sokoban.search.bounds.state_bound import match_state
from sokoasp.sokoban.search.kernels.primitives import INF, pack, rematching
from sokoasp.sokoban.search.model.records import Augmenting, Bound, Matching, Registers, Scratch, W
from sokoasp.sokoban.search.satisficing.macro_registers import COLUMNS, C, Children


@kernel("b1(i8, i8, Bound, Matching, Matching, Augmenting, i4[::1])")
def matchable(k: int, low: int, b: Bound, parents: Matching, childs: Matching, path: Augmenting, boxes: I4) -> bool:
    """Return whether a child's boxes can be matched to goals; ``low`` is a cell of the player's region.

    Each box may keep the goal that the parent's matching gives it, else another matching is looked for; the cost does not matter.
    """
    kept = True
    for i in range(k):
        childs.state[i] = b.side[boxes[i], low]
    for j in range(k):
        kept = kept and b.dist[childs.state[parents.row_of[j]], j] < INF >> 1
    return kept or rematching(k, b.dist, parents, childs, path) < INF


@kernel("i8(i8, i8, Registers, Bound, Scratch, Children)")
def sift(count: int, player: int, r: Registers, b: Bound, scratch: Scratch, children: Children) -> int:
    """Drop the children that are lost, move the others up.

    Patterns without the pushed box are not looked at again: they were when the state itself was popped.

    ``player`` is any cell of the player's region; registers, tables and scratch are those of the proving search, and the boxes
    of the state stand in ``W.BOXES``, ascending.

    Returns:
        How many children are left, -1 if the state itself is lost.
    """
    k, w, boxes = r.boxes, scratch.w, scratch.w[W.BOXES]
    out, keys = children.out, children.keys
    if match_state(r, w, player, b.side, b.dist) >= INF:
        return -1
    parents = Matching(w[W.STATE], w[W.U], w[W.V], w[W.ROW])
    childs = Matching(w[W.STATE2], w[W.U2], w[W.V2], w[W.ROW2])
    path = Augmenting(w[W.LEAST], w[W.WAY], w[W.USED])
    r.parents = 0
    learned = kept_pairs(k, boxes, b, children.pairs) if r.patterns else 0
    kept = 0
    for i in range(count):
        x, low = 0, int(out[i, C.LOW])
        while boxes[x] != out[i, C.FROM]:
            x += 1
        boxes[x] = out[i, C.TO]
        r.moved = x
        found = -1
        if matchable(k, low, b, parents, childs, path, boxes):
            found = 0
            if r.patterns:
                pack(boxes, k, 0, r.words, scratch.key)
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
