"""The bound of one state, compiled: a matching, boxes that never move again, and what patterns cost beyond their boxes."""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4x2
from sokoasp.sokoban.search.bounds.cost_covering import cover_items
from sokoasp.sokoban.search.bounds.cost_partitioning import (
    NONE,
    collect_moved,
    collect_others,
    list_patterns,
    pack_items,
)
from sokoasp.sokoban.search.bounds.frozen_walls import walled
from sokoasp.sokoban.search.bounds.pattern_index import recall
from sokoasp.sokoban.search.kernels.primitives import INF, matching, rematching
from sokoasp.sokoban.search.model.records import Augmenting, Bound, Matching, Registers, Scratch, W


@kernel("i8(Registers, i4[:,::1], i8, i4[:,::1], i4[:,::1])")
def match_state(r: Registers, w: I4x2, player: int, side: I4x2, dist: I4x2) -> int:
    """Match the boxes in the scratch from scratch, as a parent's that ``bound`` goes on from; return the cost, INF for none."""
    boxes, state = w[W.BOXES], w[W.STATE]
    for i in range(r.boxes):
        state[i] = side[boxes[i], player]
    match, path = Matching(state, w[W.U], w[W.V], w[W.ROW]), Augmenting(w[W.LEAST], w[W.WAY], w[W.USED])
    return matching(r.boxes, dist, match, path)


@kernel("i8(Registers, Bound, Scratch, i8, i8)")
def bound(r: Registers, b: Bound, scratch: Scratch, player: int, needed: int) -> int:
    """Return a lower bound for the child whose boxes stand in the scratch, from its parent's matching; INF if it is dead.

    More than ``needed`` need not be proved. ``r.moved``: the box that moved since ``list_patterns``, or -1. The key is packed.
    """
    k, w = r.boxes, scratch.w
    boxes, state2 = w[W.BOXES], w[W.STATE2]
    path = Augmenting(w[W.LEAST], w[W.WAY], w[W.USED])
    matched = total = 0
    # Step 1. Match again only the boxes whose cell or player's side is another than in the parent
    if r.matching:
        for i in range(k):
            state2[i] = b.side[boxes[i], player]
        parents, childs = Matching(w[W.STATE], w[W.U], w[W.V], w[W.ROW]), Matching(state2, w[W.U2], w[W.V2], w[W.ROW2])
        matched = total = rematching(k, b.dist, parents, childs, path)
        # Step 2. Boxes that never move again as walls: the matching among them may be dearer
        if r.walls and total < min(needed, INF):
            total = walled(r, b, scratch, childs, path, matched)
    # Step 3. Single costs less all potentials: equal to the matching at the start by linear programming duality
    if r.patterns and total < min(needed, INF):
        base = -r.paid
        for i in range(k):
            base += b.patterns.alone[state2[i]]
        # Step 4. Patterns of the parent without the moved box stay; only those with its new cell are looked up
        if r.moved >= 0:
            found = collect_moved(r, player, boxes, scratch.key, b, path.way, path.least)
        else:
            listed = list_patterns(k, r.patterns, boxes, scratch.key, b, path.way, path.least)
            found = collect_others(NONE, listed, player, b)
        if found >= 0:
            found = recall(k, boxes, player, scratch.key, found, b)
        if found < 0:
            return INF
        # Step 5. Penalties of disjoint patterns on top; elsewhere than at the start the matching may be better
        total = max(total, base + pack_items(k, found, needed - base, b.items, path.way))
        # Step 6. All penalties at once, where patterns share boxes
        if r.unit and found > 1:
            total = base + cover_items(found, total - base, needed - base, r.unit, b.items)
    # Step 7. Chessboard colours fix the parity of a solution's cost, and the matching has it
    if r.parity and total < INF and (total - matched) & 1:
        total += 1
    return min(total, INF)
