"""The compiled search loop: best-first over packed states, one loop for pushes and pulls, lines, pushes and moves.

The open list is an array of buckets by priority, each a doubly linked list through the state arrays (last in, first out), so
a state stands in it at most once. Costs are exact, the bound may be inconsistent: a state found cheaper is opened again, and
a child inherits its parent's f (path-max).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core.jit import kernel
from sokoasp.sokoban.search.corral import corral
from sokoasp.sokoban.search.kernels import INF, find, flood, frozen, matching, pack, rematching, unpack
from sokoasp.sokoban.search.packing import collect, pack_items

if TYPE_CHECKING:
    import numpy.typing as npt

    I1 = npt.NDArray[np.int8]
    I2 = npt.NDArray[np.int16]
    I4 = npt.NDArray[np.int32]
    I8 = npt.NDArray[np.int64]
    U1 = npt.NDArray[np.uint8]
    U8 = npt.NDArray[np.uint64]

# entries of the register array `r`
COUNT, BUCKET, QUOTA, EXPANDED, GENERATED, BEST, CUTOFF, STAMP, REOPENED = 0, 1, 2, 3, 4, 5, 6, 7, 8
WEIGHT_G, WEIGHT_H, EXACT, ROOM = 9, 10, 11, 12
REVERSE, LINES, BY_CELL, MATCHING, GROUPS, FREEZE, CORRAL = 13, 14, 15, 16, 17, 18, 19
BOXES, GOALS, LIVE, CELLS, WORDS, WANTED, CLIPPED = 20, 21, 22, 23, 24, 25, 26
PAID, PARITY = 27, 28
REGISTERS = 29

# rows of the scratch array `w`
W_BOXES, W_QUEUE, W_STEPS, W_MARK, W_MARK2, W_STEPS2, W_STATE, W_STATE2 = 0, 1, 2, 3, 4, 5, 6, 7
W_U, W_V, W_ROW, W_U2, W_V2, W_ROW2, W_LEAST, W_WAY, W_USED = 8, 9, 10, 11, 12, 13, 14, 15, 16
W_AREA, W_CHOSEN, W_MEMBER, W_MASKS, W_ALLOWED = 17, 18, 19, 20, 21
SCRATCH = 22

# signatures of the arrays a bound needs (tables of distances and groups, scratch), and of the store's
BOUNDING = (
    "i4[:,::1], i4[:,::1], i4[::1], i4[:,::1], i8[::1], i4[::1], i4[::1], u1[:,::1], i1[::1], u8[:,::1], i8[:,::1]"
)
STORE = "u8[:,::1], i2[::1], i2[::1], i4[::1], i4[::1], i4[::1], i4[::1], i4[::1], i4[::1]"

# what run() returns
PAUSED, DONE, GROW, WIDEN = 0, 1, 2, 3


@kernel("void(i8, i8, i4[::1], i4[::1], i4[::1], i4[::1])")
def link(index: int, priority: int, bucket_of: I4, following: I4, previous: I4, head: I4) -> None:
    """Put a state in front of its bucket."""
    bucket_of[index] = priority
    first = head[priority]
    following[index] = first
    previous[index] = -1
    if first >= 0:
        previous[first] = index
    head[priority] = index


@kernel("void(i8, i4[::1], i4[::1], i4[::1], i4[::1])")
def unlink(index: int, bucket_of: I4, following: I4, previous: I4, head: I4) -> None:
    """Take a state out of its bucket; its ``previous`` becomes -2, the sign of a closed state."""
    if previous[index] >= 0:
        following[previous[index]] = following[index]
    else:
        head[bucket_of[index]] = following[index]
    if following[index] >= 0:
        previous[following[index]] = previous[index]
    previous[index] = -2


@kernel(f"i8(i8[::1], i4[:,::1], i8, i8, u8[::1], {BOUNDING})")
def bound(
    r: I8,
    w: I4,
    player: int,
    enough: int,
    key: U8,
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
) -> int:
    """Return a lower bound for the child whose boxes stand in the scratch, from its parent's matching; INF if it is dead.

    More than ``enough`` need not be proved.
    """
    k = r[BOXES]
    boxes, state, state2 = w[W_BOXES], w[W_STATE], w[W_STATE2]
    least, way, used = w[W_LEAST], w[W_WAY], w[W_USED]
    matched = 0
    if r[MATCHING]:
        for i in range(k):
            state2[i] = side[boxes[i], player]
        matched = rematching(
            k, dist, state, w[W_U], w[W_V], w[W_ROW], state2, w[W_U2], w[W_V2], w[W_ROW2], least, way, used
        )
    total = matched
    if r[GROUPS] and total < min(enough, INF):
        base = -r[PAID]
        for i in range(k):
            base += alone[state2[i]]
        found = collect(
            k,
            r[GROUPS],
            player,
            key,
            bits.shape[1],
            binomial,
            flat,
            row_of,
            first,
            rows,
            gain,
            bits,
            items,
            used,
            way,
            least,
        )
        if found < 0:
            return INF
        total = max(total, base + pack_items(k, found, enough - base, items, way))
    if r[PARITY] and total < INF and (total - matched) & 1:
        total += 1
    return min(total, INF)


@kernel(f"i8(i8[::1], i4[:,::1], i8, i8, i8, i8, u8[::1], {BOUNDING}, {STORE})")
def enter(
    r: I8,
    w: I4,
    parent: int,
    player: int,
    cost: int,
    done: int,
    key: U8,
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
    """Look a child up, bound it and put it in the open list if it is new or cheaper; return 1 if the buckets do not suffice."""
    pack(w[W_BOXES], r[BOXES], player, r[WORDS], key)
    slot = find(key, r[WORDS], keys, slots)
    index = int(slots[slot])
    if index >= 0:
        if cost >= spent[index]:
            return 0
        rest = int(ahead[index])
    else:
        rest = (
            0
            if done
            else bound(
                r,
                w,
                player,
                r[CUTOFF] - cost,
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
            )
        )
    if cost + rest >= r[CUTOFF]:
        if rest < INF:
            r[CLIPPED] = 1
        return 0
    priority = r[WEIGHT_G] * cost + r[WEIGHT_H] * rest
    if r[EXACT]:
        priority = max(priority, r[BUCKET])
    if priority >= len(head):
        return 1
    if index < 0:
        index = r[COUNT]
        r[COUNT] = index + 1
        for x in range(r[WORDS]):
            keys[index, x] = key[x]
        slots[slot] = index
        ahead[index] = rest
    elif previous[index] > -2:
        unlink(index, bucket_of, following, previous, head)
    else:
        r[REOPENED] += 1
    spent[index] = cost
    came[index] = parent
    if done:
        previous[index] = -2
        r[BEST] = index
        r[CUTOFF] = cost
    else:
        link(index, priority, bucket_of, following, previous, head)
        r[BUCKET] = min(r[BUCKET], priority)
    return 0


@kernel(f"i8(i8[::1], i4[:,::1], i8, u8[::1], {BOUNDING}, {STORE})")
def reprice(
    r: I8,
    w: I4,
    start: int,
    key: U8,
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
    """Bound the open states anew, from number ``start`` on, after the tables have grown; -1, or where to go on wider."""
    k, boxes, state = r[BOXES], w[W_BOXES], w[W_STATE]
    for index in range(start, r[COUNT]):
        if previous[index] == -2:
            continue
        player = unpack(keys, index, r[LIVE], r[WORDS], boxes)
        for i in range(k):
            state[i] = side[boxes[i], player]
        rest = matching(k, dist, state, w[W_U], w[W_V], w[W_ROW], w[W_LEAST], w[W_WAY], w[W_USED])
        if rest < INF:
            pack(boxes, k, player, r[WORDS], key)
            rest = bound(
                r,
                w,
                player,
                r[CUTOFF] - spent[index],
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
            )
        if rest <= ahead[index]:
            continue
        priority = max(spent[index] + rest, r[BUCKET])
        if priority >= len(head) and priority < r[CUTOFF]:
            return index
        unlink(index, bucket_of, following, previous, head)
        if priority < r[CUTOFF]:
            ahead[index] = rest
            link(index, priority, bucket_of, following, previous, head)
        elif rest < INF:
            r[CLIPPED] = 1
    return -1


@kernel("i8(i8[::1], i4[:,::1], i8, i4[:,::1], u1[::1], u1[::1], i4[:,::1], i4[:,::1])")
def open_state(r: I8, w: I4, player: int, neighbour: I4, occ: U1, target: U1, side: I4, dist: I4) -> int:
    """Prepare the expansion of the state in the scratch: region, matching, allowed pushes; -1 if it is dead."""
    k, n = r[BOXES], r[CELLS]
    boxes, state, allowed = w[W_BOXES], w[W_STATE], w[W_ALLOWED]
    r[STAMP] += 1
    flood(neighbour, occ, player, w[W_MARK], r[STAMP], w[W_STEPS], w[W_QUEUE])
    if r[MATCHING]:
        for i in range(k):
            state[i] = side[boxes[i], player]
        if matching(k, dist, state, w[W_U], w[W_V], w[W_ROW], w[W_LEAST], w[W_WAY], w[W_USED]) >= INF:
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
    while r[QUOTA] > 0:
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
