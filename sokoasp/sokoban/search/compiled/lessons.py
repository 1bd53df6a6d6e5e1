"""What a few boxes cost alone on the board, compiled: A* over one set of up to eight boxes, and what it teaches.

The set may end on any of the goals, which have prices (docs/native.md, "Groups" and "Lessons"): the cost of a plan is its pushes
(line pushes) and the prices of the goals it ends on. A search of its own, with its own small store, bounded in every way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sokoasp.core.jit import kernel
from sokoasp.sokoban.search.compiled.corral import corral
from sokoasp.sokoban.search.compiled.groups import DEAD, MOST
from sokoasp.sokoban.search.compiled.kernels import INF, flood, frozen
from sokoasp.sokoban.search.compiled.open_list import link, unlink
from sokoasp.sokoban.search.compiled.packing import collect, pack_items
from sokoasp.sokoban.search.compiled.recall import note, recall
from sokoasp.sokoban.search.compiled.registers import BOUNDING

if TYPE_CHECKING:
    from sokoasp.sokoban.search.compiled.registers import I1, I4, I8, U1, U8

LARGEST = 12
"""Boxes of the largest set."""
# columns of a node: its boxes in ascending order come first
N_PLAYER, N_COST, N_AHEAD, N_CAME = 12, 13, 14, 15
COLUMNS = 16
# entries of the register array `q`: what is asked ...
SIZE, LIMIT, ENOUGH, LIVE, CELLS, LINES, REVERSE, FREEZE, CORRAL, GROUPS, WANTED, STAMP = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
)
# ... and what was found
PRICE, BEST, NODES, EXPANDED, ROOT = 12, 13, 14, 15, 16
REGISTERS = 20
# rows of the scratch array `v`
(
    V_BOXES,
    V_QUEUE,
    V_STEPS,
    V_MARK,
    V_MARK2,
    V_AREA,
    V_CHOSEN,
    V_MEMBER,
    V_MASKS,
    V_ALLOWED,
    V_ONE,
    V_TWO,
    V_THREE,
    V_SORTED,
) = range(14)
SCRATCH = 14
# what solve_set() returns
EXACT, AT_LEAST, IMPOSSIBLE = 0, 1, 2
LESSONS = "i4[:,::1], u8[:,::1], i4[:,::1]"
WORK = "i4[:,::1], i4[:,::1], i4[::1], i4[::1]"


@kernel(f"i8(i8[::1], i4[:,::1], i4[::1], i8, u8[::1], {BOUNDING})")
def estimate(
    q: I8,
    v: I4,
    cells: I4,
    player: int,
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
    """Return a lower bound on the price of a set: single prices and packed gains; INF if it cannot be served."""
    k, words = q[SIZE], bits.shape[1]
    for w in range(words):
        key[w] = np.uint64(0)
    base = np.int64(0)
    for i in range(k):
        base += alone[side[cells[i], player]]
        key[cells[i] >> 6] |= np.uint64(1) << np.uint64(cells[i] & 63)
    if base >= INF:
        return INF
    found = collect(
        k,
        q[GROUPS],
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
        v[V_ONE],
        v[V_TWO],
        v[V_THREE],
    )
    if found >= 0:
        found = recall(k, cells, player, key, words, found, facts, masks, heads, items)
    if found < 0:
        return INF
    return int(base + pack_items(k, found, INF, items, v[V_TWO]))


@kernel("i8(i8, i4[::1], i8, i4[:,::1], i4[::1])")
def place_of(k: int, cells: I4, player: int, nodes: I4, slots: I4) -> int:
    """Return the slot of a node in the hash table: it holds its number, or -1 where it would go."""
    mixed = np.uint64(player) * np.uint64(0x9E3779B97F4A7C15)
    for i in range(k):
        mixed = (mixed ^ np.uint64(cells[i])) * np.uint64(0xD6E8FEB86659FD93)
        mixed ^= mixed >> np.uint64(29)
    mask = len(slots) - 1
    slot = int(np.int64(mixed >> np.uint64(11))) & mask
    while slots[slot] >= 0:
        other = nodes[slots[slot]]
        same = other[N_PLAYER] == player
        for i in range(k):
            same = same and other[i] == cells[i]
        if same:
            break
        slot = (slot + 1) & mask
    return slot


@kernel(f"i8(i8[::1], i4[:,::1], i8, i8, i8, i8, u8[::1], i4[:,::1], u1[::1], u1[::1], i4[::1], {BOUNDING}, {WORK})")
def offer(
    q: I8,
    v: I4,
    parent: int,
    player: int,
    cost: int,
    least: int,
    key: U8,
    neighbour: I4,
    occ: U1,
    target: U1,
    price: I4,
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
    nodes: I4,
    links: I4,
    slots: I4,
    head: I4,
) -> bool:
    """Enter the set of boxes in the scratch, its player region marked in V_MARK2; True if it was left out only for its price."""
    k, boxes, cells = q[SIZE], v[V_BOXES], v[V_SORTED]
    for i in range(k):
        y = i
        while y > 0 and cells[y - 1] > boxes[i]:
            cells[y] = cells[y - 1]
            y -= 1
        cells[y] = boxes[i]
    slot = place_of(k, cells, player, nodes, slots)
    index = int(slots[slot])
    if index >= 0:
        if nodes[index, N_COST] <= cost:
            return False
        if links[2, index] > -2:
            unlink(index, links[0], links[1], links[2], head)
    else:
        index = q[NODES]
        q[NODES] += 1
        slots[slot] = index
        for i in range(k):
            nodes[index, i] = cells[i]
        nodes[index, N_PLAYER] = player
        nodes[index, N_AHEAD] = estimate(
            q,
            v,
            cells,
            player,
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
    links[2, index] = -2
    nodes[index, N_COST] = cost
    nodes[index, N_CAME] = parent
    if parent < 0:
        q[ROOT] = nodes[index, N_AHEAD]
    paid = cost
    for i in range(k):
        paid += price[cells[i]] if target[cells[i]] else INF
    if paid < q[PRICE] and (q[WANTED] < 0 or v[V_MARK2, q[WANTED]] == q[STAMP]):
        q[PRICE] = paid
        q[BEST] = index
    f = max(least, cost + nodes[index, N_AHEAD])
    if nodes[index, N_AHEAD] >= INF:
        return False
    if f >= q[ENOUGH] or f - q[ROOT] >= len(head):
        return True
    link(index, f - q[ROOT], links[0], links[1], links[2], head)
    return False


@kernel(
    f"i8(i8[::1], i4[:,::1], i4[::1], i8, u8[::1], i4[:,::1], u1[::1], u1[::1], u1[::1], i4[::1], {BOUNDING}, {WORK})"
)
def solve_set(
    q: I8,
    v: I4,
    start: I4,
    player: int,
    key: U8,
    neighbour: I4,
    target: U1,
    occ: U1,
    flag: U1,
    price: I4,
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
    nodes: I4,
    links: I4,
    slots: I4,
    head: I4,
) -> int:
    """Find the least price of a set of boxes alone on the board, the player on a cell.

    Args:
        q: Registers: SIZE, LIMIT (expansions), ENOUGH (by how much a price exceeds it is all the same) and the switches
            are read; PRICE, BEST (node with that price, -1), NODES, EXPANDED and ROOT (``estimate`` of the set) are written.
        v: Scratch (SCRATCH, n+2).
        start: (SIZE): the set.
        player: Where the player stands.
        key: Scratch.
        neighbour: (n+1, 4).
        target: (n+1).
        occ: (n+1): all 0 but for the wall; so it is again on return.
        flag: (n+1): the same.
        price: (n+1): prices of the targets.
        side: As for the bound of a state, as the next ten.
        dist: See there.
        alone: See there.
        binomial: See there.
        flat: See there.
        row_of: See there.
        first: See there.
        rows: See there.
        gain: See there.
        bits: See there.
        items: See there.
        facts: Lessons, as the next two.
        masks: See ``recall``.
        heads: See ``recall``.
        nodes: (capacity, COLUMNS): filled here.
        links: (3, capacity).
        slots: Hash table, a power of two and more than the capacity.
        head: Buckets.

    Returns:
        EXACT: PRICE is the least price, BEST ends a plan for it. AT_LEAST: PRICE is a lower bound. IMPOSSIBLE: no plan.
    """
    k, live, n, reverse = q[SIZE], q[LIVE], q[CELLS], q[REVERSE]
    boxes, steps, mark, mark2, queue = v[V_BOXES], v[V_STEPS], v[V_MARK], v[V_MARK2], v[V_QUEUE]
    allowed = v[V_ALLOWED]
    for i in range(len(slots)):
        slots[i] = -1
    for i in range(len(head)):
        head[i] = -1
    q[PRICE], q[BEST], q[NODES], q[EXPANDED], q[ROOT] = INF, -1, 0, 0, 0
    for i in range(k):
        boxes[i] = start[i]
        occ[boxes[i]] = 1
    q[STAMP] += 1
    low = flood(neighbour, occ, player, mark2, q[STAMP], steps, queue)
    clipped = offer(
        q,
        v,
        -1,
        low,
        0,
        0,
        key,
        neighbour,
        occ,
        target,
        price,
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
        nodes,
        links,
        slots,
        head,
    )
    for i in range(k):
        occ[boxes[i]] = 0
    bucket = 0
    while True:
        while bucket < len(head) and head[bucket] < 0:
            bucket += 1
        f = q[ROOT] + bucket
        if bucket == len(head) or f >= q[PRICE] or f >= q[ENOUGH]:
            break
        if q[EXPANDED] >= q[LIMIT] or q[NODES] + 4 * k * (n if q[LINES] else 1) > len(nodes):
            q[PRICE] = f
            q[BEST] = -1
            return AT_LEAST
        index = int(head[bucket])
        unlink(index, links[0], links[1], links[2], head)
        q[EXPANDED] += 1
        for i in range(k):
            boxes[i] = nodes[index, i]
            occ[boxes[i]] = 1
            allowed[i] = 15
        q[STAMP] += 1
        flood(neighbour, occ, int(nodes[index, N_PLAYER]), mark, q[STAMP], steps, queue)
        stamp, dead = q[STAMP], False
        if q[CORRAL]:
            dead = (
                corral(
                    k,
                    boxes,
                    n,
                    live,
                    -1,
                    neighbour,
                    occ,
                    target,
                    mark,
                    stamp,
                    v[V_AREA],
                    queue,
                    v[V_CHOSEN],
                    v[V_MEMBER],
                    v[V_MASKS],
                    allowed,
                )
                < 0
            )
        cost = int(nodes[index, N_COST]) + 1
        for i in range(0 if dead else k):
            c = int(boxes[i])
            for d in range(4):
                stand = int(neighbour[c, d if reverse else d ^ 1])
                if mark[stand] != stamp or not (allowed[i] >> d) & 1:
                    continue
                to = int(neighbour[c, d])
                while to < live and not occ[to]:
                    beyond = int(neighbour[to, d])
                    if reverse and occ[beyond]:
                        break
                    occ[c] = 0
                    occ[to] = 1
                    boxes[i] = to
                    if not q[FREEZE] or frozen(k, boxes, to, neighbour, live, target, flag) == 0:
                        now = beyond if reverse else int(neighbour[to, d ^ 1])
                        q[STAMP] += 1
                        now = flood(neighbour, occ, now, mark2, q[STAMP], steps, queue)
                        left_out = offer(
                            q,
                            v,
                            index,
                            now,
                            cost,
                            f,
                            key,
                            neighbour,
                            occ,
                            target,
                            price,
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
                            nodes,
                            links,
                            slots,
                            head,
                        )
                        clipped = clipped or left_out
                    occ[to] = 0
                    occ[c] = 1
                    boxes[i] = c
                    if not q[LINES]:
                        break
                    to = beyond
        for i in range(k):
            occ[boxes[i]] = 0
    top = min(q[ENOUGH], q[ROOT] + len(head)) if clipped or bucket < len(head) else INF
    if q[PRICE] < INF and q[PRICE] <= top:
        return EXACT
    if top >= INF:
        return IMPOSSIBLE
    q[PRICE] = top
    q[BEST] = -1
    return AT_LEAST


@kernel(
    f"i8(i8[::1], i4[:,::1], i8, i8, i8, i8, i4[:,::1], u1[::1], i4[:,::1], i4[::1], {LESSONS}, i4[:,::1], i4[:,::1])"
)
def harvest(
    q: I8,
    v: I4,
    status: int,
    depth: int,
    count: int,
    most: int,
    neighbour: I4,
    occ: U1,
    side: I4,
    alone: I4,
    facts: I4,
    masks: U8,
    heads: I4,
    often: I4,
    nodes: I4,
) -> int:
    """Note what a search of a set teaches about the nodes up to ``depth`` pushes deep: all cost the root's price less their way.

    Of a set without a plan only nodes known dead before are left out: no node of it has a plan.

    Args:
        q: Registers after ``solve_set``, as ``v`` and ``nodes``.
        v: Scratch.
        status: What it returned.
        depth: Only nodes whose way from the root is no longer; 0 is the root alone.
        count: Lessons there are.
        most: Lessons there may be afterwards.
        neighbour: (n+1, 4).
        occ: (n+1), as for ``solve_set``.
        side: Tables of the bound, as the next.
        alone: Single prices.
        facts: Lessons, as the next two.
        masks: See ``recall``.
        heads: See ``recall``.
        often: (live, live): how often pairs of cells are seen.
        nodes: See above.

    Returns:
        Lessons there are now.
    """
    k, n, words = q[SIZE], q[CELLS], (q[LIVE] + 63) // 64
    cells, mark = v[V_SORTED], v[V_MARK2]
    for index in range(q[NODES]):
        cost = int(nodes[index, N_COST])
        ahead = int(nodes[index, N_AHEAD])
        if count >= most or k < 2:
            break
        if cost > depth or ahead >= INF or (status != IMPOSSIBLE and q[PRICE] - cost <= ahead):
            continue
        single = 0
        for i in range(k):
            cells[i] = nodes[index, i]
            single += alone[side[cells[i], nodes[index, N_PLAYER]]]
            occ[cells[i]] = 1
        q[STAMP] += 1
        flood(neighbour, occ, int(nodes[index, N_PLAYER]), mark, q[STAMP], v[V_STEPS], v[V_QUEUE])
        for i in range(k):
            occ[cells[i]] = 0
        more = DEAD if status == IMPOSSIBLE else min(q[PRICE] - cost - single, MOST)
        note(count, k, cells, more, n, words, mark, q[STAMP], facts, masks, heads, often)
        count += 1
    return count


@kernel("i8(i8, i8, i4[::1], i8, i4[:,::1], i8[::1], i4[:,::1], u1[::1])")
def in_the_way(size: int, player: int, path: I4, length: int, v: I4, q: I8, neighbour: I4, other: U1) -> int:
    """Replay a plan of a set among other boxes; return the first of them that is in its way, -1 if none is.

    Args:
        size: Boxes of the set, in V_SORTED.
        player: Where the player stands.
        path: (3 * length): box cell, direction, and cells moved, of each push or pull.
        length: Their number.
        v: Scratch.
        q: Registers; REVERSE and STAMP are used.
        neighbour: (n+1, 4).
        other: (n+1): 1 on boxes that are not of the set; the wall has 1 too.
    """
    n, reverse = len(neighbour) - 1, q[REVERSE]
    boxes, mark, came, queue, next_level = v[V_SORTED], v[V_MARK], v[V_STEPS], v[V_QUEUE], v[V_ONE]
    for step in range(length):
        box, d, far = path[3 * step], path[3 * step + 1], path[3 * step + 2]
        goal = int(neighbour[box, d if reverse else d ^ 1])
        # a walk through as few of the other boxes as possible: level by level
        q[STAMP] += 1
        mark[player] = q[STAMP]
        came[player] = -1
        queue[0] = player
        at, end, later = 0, 1, 0
        while mark[goal] != q[STAMP] and end > 0:
            while at < end:
                cell = queue[at]
                at += 1
                for e in range(4):
                    to = neighbour[cell, e]
                    blocked = to == n or mark[to] == q[STAMP]
                    for i in range(size):
                        blocked = blocked or boxes[i] == to
                    if not blocked:
                        mark[to] = q[STAMP]
                        came[to] = cell
                        if other[to]:
                            next_level[later] = to
                            later += 1
                        else:
                            queue[end] = to
                            end += 1
            for i in range(later):
                queue[i] = next_level[i]
            at, end, later = 0, later, 0
        found, cell = -1, goal
        while cell >= 0:
            if other[cell]:
                found = cell
            cell = came[cell]
        if found >= 0:
            return int(found)
        to = int(box)
        for _ in range(far):
            to = int(neighbour[to, d])
            if other[to]:
                return to
        player = int(neighbour[to, d if reverse else d ^ 1])
        if other[player]:
            return player
        for i in range(size):
            if boxes[i] == box:
                boxes[i] = to
    return -1


@kernel("i8(i8, i8, i4[:,::1], i4[:,::1], i4[::1])")
def trace(k: int, last: int, neighbour: I4, nodes: I4, path: I4) -> int:
    """Write the plan that ends in a node into ``path`` (box cell, direction, cells moved); return its length, -1 if too long."""
    length, index = 0, last
    while nodes[index, N_CAME] >= 0:
        length += 1
        index = int(nodes[index, N_CAME])
    if 3 * length > len(path):
        return -1
    index = last
    for step in range(length - 1, -1, -1):
        before = int(nodes[index, N_CAME])
        old, new = -1, -1
        for i in range(k):
            here, there = False, False
            for j in range(k):
                here = here or nodes[before, i] == nodes[index, j]
                there = there or nodes[index, i] == nodes[before, j]
            if not here:
                old = int(nodes[before, i])
            if not there:
                new = int(nodes[index, i])
        for d in range(4):
            cell, far = old, 0
            while cell != new and cell < len(neighbour) - 1:
                cell = int(neighbour[cell, d])
                far += 1
            if cell == new:
                path[3 * step], path[3 * step + 1], path[3 * step + 2] = old, d, far
                break
        index = before
    return length
