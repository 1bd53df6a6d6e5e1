"""Children measured by the way that is left to given cells, and states that two searches have both listed, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.kernels import kernel
from sokoasp.sokoban.search.kernels.hash_set import known, remember
from sokoasp.sokoban.search.kernels.primitives import INF, matching, rematching
from sokoasp.sokoban.search.satisficing.macro_registers import COLUMNS, C

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.records import Augmenting, Matching
    from sokoasp.sokoban.search.satisficing.macro_registers import I4, I8, Children, I4x2, I8x2


@kernel("i8(i4[::1], i4[:,::1], i4[:,::1], Matching, Augmenting, i8)")
def matching_cost(boxes: I4, side: I4x2, dist: I4x2, match: Matching, path: Augmenting, player: int) -> int:
    """Match the boxes of a state to the targets; return the cost, INF for none. ``player`` is any cell of its region."""
    for j in range(len(boxes)):
        match.state[j] = side[boxes[j], player]
    return matching(len(boxes), dist, match, path)


@kernel("i8(i8, i4[::1], i4[:,::1], i4[:,::1], Matching, Matching, Augmenting, Children)")
def measure(
    count: int,
    boxes: I4,
    side: I4x2,
    dist: I4x2,
    parents: Matching,
    childs: Matching,
    path: Augmenting,
    children: Children,
) -> int:
    """Write the cost of every child's least matching in the place of its rank; drop the children without one.

    ``parents`` is the matching of the state itself, as :func:`matching_cost` leaves it.

    Returns:
        How many children are left.
    """
    k, out, keys = len(boxes), children.out, children.keys
    kept = 0
    for i in range(count):
        x, low = 0, int(out[i, C.LOW])
        while boxes[x] != out[i, C.FROM]:
            x += 1
        boxes[x] = out[i, C.TO]
        for j in range(k):
            childs.state[j] = side[boxes[j], low]
        matched = rematching(k, dist, parents, childs, path)
        boxes[x] = out[i, C.FROM]
        if matched < INF:
            for c in range(COLUMNS):
                out[kept, c] = out[i, c]
            keys[kept, 0], keys[kept, 1] = keys[i, 0], matched
            kept += 1
    return kept


@kernel("i8(i8, i8[:,::1], i8[::1])")
def common(count: int, keys: I8x2, table: I8) -> int:
    """Return the first child whose hash is in a table, -1 if there is none."""
    for i in range(count):
        if known(table, keys[i, 0]):
            return i
    return -1


@kernel("void(i8, i8[:,::1], i8[::1])")
def note(count: int, keys: I8x2, table: I8) -> None:
    """Enter the hashes of children; the caller keeps the table at most half full."""
    for i in range(count):
        remember(table, keys[i, 0])
