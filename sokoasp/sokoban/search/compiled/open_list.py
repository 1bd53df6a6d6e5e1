"""The open list, compiled: states are bounded, entered, opened again.

It is an array of buckets by priority, each a doubly linked list through the state arrays (last in, first out), so a state
stands in it at most once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.jit import kernel
from sokoasp.sokoban.search.compiled.kernels import INF, find, matching, pack, rematching, unpack
from sokoasp.sokoban.search.compiled.packing import collect, collect_moved, pack_items
from sokoasp.sokoban.search.compiled.recall import recall
from sokoasp.sokoban.search.compiled.registers import (
    BEST,
    BOUNDING,
    BOXES,
    BUCKET,
    CLIPPED,
    COUNT,
    CUTOFF,
    EXACT,
    GROUPS,
    LIVE,
    MATCHING,
    MOVED,
    PAID,
    PARENTS,
    PARITY,
    REOPENED,
    STORE,
    W_BOXES,
    W_LEAST,
    W_ROW,
    W_ROW2,
    W_STATE,
    W_STATE2,
    W_U,
    W_U2,
    W_USED,
    W_V,
    W_V2,
    W_WAY,
    WEIGHT_G,
    WEIGHT_H,
    WORDS,
)

if TYPE_CHECKING:
    from sokoasp.sokoban.search.compiled.registers import I1, I2, I4, I8, U1, U8


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


@kernel("i8(i8[::1], i4[:,::1], i8, i4[:,::1], i4[:,::1])")
def match_state(r: I8, w: I4, player: int, side: I4, dist: I4) -> int:
    """Match the boxes in the scratch from scratch, as a parent's that ``bound`` goes on from; return the cost, INF for none."""
    boxes, state = w[W_BOXES], w[W_STATE]
    for i in range(r[BOXES]):
        state[i] = side[boxes[i], player]
    return matching(r[BOXES], dist, state, w[W_U], w[W_V], w[W_ROW], w[W_LEAST], w[W_WAY], w[W_USED])


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
    facts: I4,
    masks: U8,
    heads: I4,
) -> int:
    """Return a lower bound for the child whose boxes stand in the scratch, from its parent's matching; INF if it is dead.

    More than ``enough`` need not be proved. ``r[MOVED]`` is the box that has moved since ``list_groups``, -1 to do without it.
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
        words, cells = bits.shape[1], used
        if r[MOVED] >= 0:
            cells = boxes
            found = collect_moved(
                k,
                r[GROUPS],
                player,
                r[MOVED],
                r[PARENTS],
                boxes,
                key,
                words,
                binomial,
                flat,
                row_of,
                first,
                rows,
                gain,
                bits,
                items,
                way,
                least,
            )
        else:
            found = collect(
                k,
                r[GROUPS],
                player,
                key,
                words,
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
        if found >= 0:
            found = recall(k, cells, player, key, words, found, facts, masks, heads, items)
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
                facts,
                masks,
                heads,
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


@kernel(f"i8(i8[::1], i4[:,::1], i8, i8, u8[::1], {BOUNDING}, {STORE})")
def reprice(
    r: I8,
    w: I4,
    start: int,
    stop: int,
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
    """Bound the open states from ``start`` to ``stop`` anew after the tables have grown; -1, or where to go on wider."""
    boxes = w[W_BOXES]
    r[MOVED] = -1
    for index in range(start, stop):
        if previous[index] == -2:
            continue
        player = unpack(keys, index, r[LIVE], r[WORDS], boxes)
        rest = match_state(r, w, player, side, dist)
        if rest < INF:
            pack(boxes, r[BOXES], player, r[WORDS], key)
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
                facts,
                masks,
                heads,
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
