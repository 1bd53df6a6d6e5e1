"""The compiled search loop: best-first over packed states, one loop for pushes and pulls, lines, pushes and moves.

Costs are exact, the bound may be inconsistent: a state found cheaper is opened again, and a child inherits its parent's f
(path-max).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.jit import kernel
from sokoasp.sokoban.search.compiled.corral import corral
from sokoasp.sokoban.search.compiled.kernels import INF, flood, frozen, pack, unpack
from sokoasp.sokoban.search.compiled.open_list import enter, link, match_state, unlink
from sokoasp.sokoban.search.compiled.packing import list_groups
from sokoasp.sokoban.search.compiled.registers import (
    BOUNDING,
    BOXES,
    BUCKET,
    BY_CELL,
    CELLS,
    CORRAL,
    COUNT,
    CUTOFF,
    DONE,
    EXACT,
    EXPANDED,
    FREEZE,
    GENERATED,
    GOALS,
    GROUPS,
    GROW,
    LINES,
    LIVE,
    MATCHING,
    MOVED,
    PARENTS,
    PAUSE_AT,
    PAUSED,
    QUOTA,
    REVERSE,
    ROOM,
    STAMP,
    STORE,
    W_ALLOWED,
    W_AREA,
    W_BOXES,
    W_CHOSEN,
    W_LEAST,
    W_MARK,
    W_MARK2,
    W_MASKS,
    W_MEMBER,
    W_QUEUE,
    W_STEPS,
    W_STEPS2,
    W_WAY,
    WANTED,
    WIDEN,
    WORDS,
)

if TYPE_CHECKING:
    from sokoasp.sokoban.search.compiled.registers import I1, I2, I4, I8, U1, U8


@kernel("i8(i8[::1], i4[:,::1], i8, i4[:,::1], u1[::1], u1[::1], i4[:,::1], i4[:,::1])")
def open_state(r: I8, w: I4, player: int, neighbour: I4, occ: U1, target: U1, side: I4, dist: I4) -> int:
    """Prepare the expansion of the state in the scratch: region, matching, allowed pushes; -1 if it is dead."""
    k, n = r[BOXES], r[CELLS]
    boxes, allowed = w[W_BOXES], w[W_ALLOWED]
    r[STAMP] += 1
    flood(neighbour, occ, player, w[W_MARK], r[STAMP], w[W_STEPS], w[W_QUEUE])
    if r[MATCHING] and match_state(r, w, player, side, dist) >= INF:
        return -1
    if r[CORRAL]:
        return corral(
            k,
            boxes,
            n,
            r[LIVE],
            k - r[GOALS],
            neighbour,
            occ,
            target,
            w[W_MARK],
            r[STAMP],
            w[W_AREA],
            w[W_QUEUE],
            w[W_CHOSEN],
            w[W_MEMBER],
            w[W_MASKS],
            allowed,
        )
    for i in range(k):
        allowed[i] = 15
    return 0


@kernel(f"i8(i8[::1], i4[:,::1], u8[::1], i4[:,::1], u1[::1], u1[::1], u1[::1], {BOUNDING}, {STORE})")
def run(
    r: I8,
    w: I4,
    key: U8,
    neighbour: I4,
    target: U1,
    occ: U1,
    flag: U1,
    side: I4,
    dist: I4,
    alone: I4,
    binomial: I4,
    flat: I8,
    row_of: I4,
    first: I4,
    rows: U1,
    gain: I1,
    bits: U8,
    items: I8,
    facts: I4,
    masks: U8,
    heads: I4,
    keys: U8,
    spent: I2,
    ahead: I2,
    came: I4,
    bucket_of: I4,
    following: I4,
    previous: I4,
    slots: I4,
    head: I4,
) -> int:
    """Expand up to ``r[QUOTA]`` states; return PAUSED, DONE, GROW (state arrays full) or WIDEN (buckets too few)."""
    k, live, reverse = r[BOXES], r[LIVE], r[REVERSE]
    boxes, steps, allowed, mark = w[W_BOXES], w[W_STEPS], w[W_ALLOWED], w[W_MARK]
    while r[QUOTA] > 0 and r[GENERATED] < r[PAUSE_AT]:
        if r[COUNT] + r[ROOM] > len(spent) or 2 * (r[COUNT] + r[ROOM]) > len(slots):
            return GROW
        while r[BUCKET] < len(head) and head[r[BUCKET]] < 0:
            r[BUCKET] += 1
        if r[BUCKET] >= len(head) or (r[EXACT] and r[BUCKET] >= r[CUTOFF]):
            return DONE
        index = int(head[r[BUCKET]])
        f = r[BUCKET]
        unlink(index, bucket_of, following, previous, head)
        if spent[index] + ahead[index] >= r[CUTOFF]:
            continue
        r[QUOTA] -= 1
        r[EXPANDED] += 1
        player = unpack(keys, index, live, r[WORDS], boxes)
        filled = 0
        for i in range(k):
            occ[boxes[i]] = 1
            filled += target[boxes[i]]
        dead = open_state(r, w, player, neighbour, occ, target, side, dist) < 0
        stamp, narrow = r[STAMP], False
        if r[GROUPS] and not dead:
            pack(boxes, k, 0, r[WORDS], key)
            words = bits.shape[1]
            r[PARENTS] = list_groups(k, r[GROUPS], boxes, key, words, binomial, flat, bits, items, w[W_WAY], w[W_LEAST])
        for i in range(0 if dead else k):
            c = int(boxes[i])
            for d in range(4):
                # forward: the player stands behind the box; reverse: before it, and steps back
                stand = int(neighbour[c, d if reverse else d ^ 1])
                if mark[stand] != stamp or not (allowed[i] >> d) & 1:
                    continue
                to = int(neighbour[c, d])
                while to < live and not occ[to] and not narrow:
                    beyond = int(neighbour[to, d])
                    if reverse and occ[beyond]:
                        break
                    r[GENERATED] += 1
                    occ[c] = 0
                    occ[to] = 1
                    boxes[i] = to
                    r[MOVED] = i
                    now = beyond if reverse else int(neighbour[to, d ^ 1])
                    if not r[FREEZE] or frozen(k, boxes, to, neighbour, live, target, flag) <= k - r[GOALS]:
                        if not r[BY_CELL]:
                            r[STAMP] += 1
                            now = flood(neighbour, occ, now, w[W_MARK2], r[STAMP], w[W_STEPS2], w[W_QUEUE])
                        full = filled - target[c] + target[to] == r[GOALS] and (r[WANTED] < 0 or now == r[WANTED])
                        cost = spent[index] + (steps[stand] + 1 if r[BY_CELL] else 1)
                        narrow = (
                            enter(
                                r,
                                w,
                                index,
                                now,
                                cost,
                                1 if full else 0,
                                key,
                                side,
                                dist,
                                alone,
                                binomial,
                                flat,
                                row_of,
                                first,
                                rows,
                                gain,
                                bits,
                                items,
                                facts,
                                masks,
                                heads,
                                keys,
                                spent,
                                ahead,
                                came,
                                bucket_of,
                                following,
                                previous,
                                slots,
                                head,
                            )
                            == 1
                        )
                    occ[to] = 0
                    occ[c] = 1
                    boxes[i] = c
                    if not r[LINES]:
                        break
                    to = beyond
        for i in range(k):
            occ[boxes[i]] = 0
        if narrow:
            link(index, f, bucket_of, following, previous, head)
            return WIDEN
    return PAUSED
