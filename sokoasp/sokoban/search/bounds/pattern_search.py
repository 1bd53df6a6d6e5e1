"""What a few boxes cost alone on the board, compiled: A* over one set of boxes, and what it teaches.

The set may end on any of the goals, which have dual potentials (docs/native-patterns.md, "Learned patterns"): the cost of a
plan is its pushes (line pushes) and the potentials of the goals it ends on. A search of its own, with its own small store,
bounded in every way.
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U1, I4x2
from sokoasp.sokoban.search.bounds.database_kernels import DEAD, MOST
from sokoasp.sokoban.search.bounds.pattern_index import estimate, note
from sokoasp.sokoban.search.kernels.buckets import link, unlink
from sokoasp.sokoban.search.kernels.corral import corral
from sokoasp.sokoban.search.kernels.freeze import frozen
from sokoasp.sokoban.search.kernels.hash_set import SEED, mix
from sokoasp.sokoban.search.kernels.primitives import INF
from sokoasp.sokoban.search.model.records import Areas, Bound, Ground, N, SetRegisters, SetSearch, V
from sokoasp.sokoban.walk.region_kernel import region

# what solve_set() returns
EXACT, AT_LEAST, IMPOSSIBLE = 0, 1, 2


@kernel("i8(i8, i4[::1], i8, i4[:,::1], i4[::1])")
def place_of(k: int, cells: I4, player: int, nodes: I4x2, slots: I4) -> int:
    """Return the slot of a node in the hash table: it holds its number, or -1 where it would go."""
    mixed = mix(SEED, np.uint64(player))
    for i in range(k):
        mixed = mix(mixed, np.uint64(cells[i]))
    mask = len(slots) - 1
    slot = int(np.int64(mixed >> np.uint64(11))) & mask
    while slots[slot] >= 0:
        other = nodes[slots[slot]]
        same = other[N.PLAYER] == player
        for i in range(k):
            same = same and other[i] == cells[i]
        if same:
            break
        slot = (slot + 1) & mask
    return slot


@kernel("void(i8, i4[::1], i4[::1])")
def sort(k: int, boxes: I4, cells: I4) -> None:
    """Write boxes in ascending order."""
    for i in range(k):
        y = i
        while y > 0 and cells[y - 1] > boxes[i]:
            cells[y] = cells[y - 1]
            y -= 1
        cells[y] = boxes[i]


@kernel("i8(SetRegisters, Ground, Bound, SetSearch, i8, i8, i8, i8)")
def offer(
    q: SetRegisters, ground: Ground, b: Bound, s: SetSearch, parent: int, player: int, cost: int, least: int
) -> int:
    """Enter the set of boxes in the scratch, its player region marked in MARK2; 1 if it was left out only for its cost."""
    k, boxes, cells, nodes, links = q.size, s.v[V.BOXES], s.v[V.SORTED], s.nodes, s.links
    sort(k, boxes, cells)
    slot = place_of(k, cells, player, nodes, s.slots)
    index = int(s.slots[slot])
    # a set met before: kept if as cheap, else taken out of its bucket and entered again (the bound is not consistent)
    if index >= 0:
        if nodes[index, N.COST] <= cost:
            return 0
        if links[2, index] > -2:
            unlink(index, links[0], links[1], links[2], s.head)
    else:
        index = q.nodes
        q.nodes += 1
        s.slots[slot] = index
        for i in range(k):
            nodes[index, i] = cells[i]
        nodes[index, N.PLAYER] = player
        nodes[index, N.AHEAD] = estimate(q, b, s, cells, player)
    links[2, index] = -2
    nodes[index, N.COST] = cost
    nodes[index, N.CAME] = parent
    if parent < 0:
        q.root = nodes[index, N.AHEAD]
    # goals differ in potential and outnumber the boxes: a set on goals is one answer, perhaps not the cheapest
    paid = cost
    for i in range(k):
        paid += s.potential[cells[i]] if ground.target[cells[i]] else INF
    if paid < q.cost and (q.wanted < 0 or s.v[V.MARK2, q.wanted] == q.stamp):
        q.cost = paid
        q.best = index
    f = max(least, cost + nodes[index, N.AHEAD])  # pathmax: a child's f is not below its parent's
    if nodes[index, N.AHEAD] >= INF:
        return 0
    # too dear to matter; the answer is then a lower bound, no exact cost
    if f >= q.needed or f - q.root >= len(s.head):
        return 1
    link(index, f - q.root, links[0], links[1], links[2], s.head)
    return 0


@kernel("b1(SetRegisters, Ground, SetSearch, i8)")
def open_node(q: SetRegisters, ground: Ground, s: SetSearch, index: int) -> bool:
    """Place the boxes of a node, mark the player's region and the allowed pushes; False if it is dead."""
    k, v, occ = q.size, s.v, s.occ
    boxes, allowed = v[V.BOXES], v[V.ALLOWED]
    for i in range(k):
        boxes[i] = s.nodes[index, i]
        occ[boxes[i]] = 1
        allowed[i] = 15
    q.stamp += 1
    region(ground.neighbour, occ, int(s.nodes[index, N.PLAYER]), v[V.MARK], q.stamp, v[V.QUEUE])
    if not q.corral:
        return True
    areas = Areas(boxes, occ, v[V.MARK], v[V.AREA], v[V.CHOSEN], v[V.MEMBER], v[V.MASKS], allowed, v[V.QUEUE])
    # a set has goals to spare: an empty goal in the corral does not force it open
    return corral(k, q.live, -1, ground, areas, q.stamp) >= 0


@kernel("i8(SetRegisters, Ground, Bound, SetSearch, i8, i8)")
def expand_node(q: SetRegisters, ground: Ground, b: Bound, s: SetSearch, index: int, f: int) -> int:
    """Offer all children of an opened node whose f is ``f``; 1 if one was left out only for its cost."""
    k, live, reverse, stamp = q.size, q.live, q.reverse, q.stamp
    v, occ, neighbour = s.v, s.occ, ground.neighbour
    boxes, mark, allowed = v[V.BOXES], v[V.MARK], v[V.ALLOWED]
    cost, clipped = int(s.nodes[index, N.COST]) + 1, 0
    for i in range(k):
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
                if not q.freeze or frozen(k, boxes, to, neighbour, live, ground.target, s.flag) == 0:
                    now = beyond if reverse else int(neighbour[to, d ^ 1])
                    q.stamp += 1
                    now = region(neighbour, occ, now, v[V.MARK2], q.stamp, v[V.QUEUE])
                    clipped |= offer(q, ground, b, s, index, now, cost, f)
                occ[to] = 0
                occ[c] = 1
                boxes[i] = c
                if not q.lines:
                    break
                to = beyond
    return clipped


@kernel("i8(SetRegisters, Ground, Bound, SetSearch, i4[::1], i8)")
def solve_set(q: SetRegisters, ground: Ground, b: Bound, s: SetSearch, start: I4, player: int) -> int:
    """Find the least cost of a set of boxes (``start``) alone on the board, the player on a cell; fill ``nodes`` and ``links``.

    Long: one loop with everything it ends for.

    Returns:
        EXACT: COST is the least cost, BEST ends a plan for it. AT_LEAST: COST is a lower bound. IMPOSSIBLE: no plan.
    """
    k, boxes, head, occ = q.size, s.v[V.BOXES], s.head, s.occ
    # Step 1. An empty store; buckets count f from the root's estimate
    for i in range(len(s.slots)):
        s.slots[i] = -1
    for i in range(len(head)):
        head[i] = -1
    q.cost, q.best, q.nodes, q.expanded, q.root = INF, -1, 0, 0, 0
    for i in range(k):
        boxes[i] = start[i]
        occ[boxes[i]] = 1
    q.stamp += 1
    # Step 2. The set itself, the player in its region
    low = region(ground.neighbour, occ, player, s.v[V.MARK2], q.stamp, s.v[V.QUEUE])
    clipped = offer(q, ground, b, s, -1, low, 0, 0)
    for i in range(k):
        occ[boxes[i]] = 0
    bucket, most = 0, 4 * k * ((len(ground.neighbour) - 1) if q.lines else 1)
    while True:
        # Step 3. A* by f; it ends at the cost found, or where the caller has no use for more
        while bucket < len(head) and head[bucket] < 0:
            bucket += 1
        f = q.root + bucket
        if bucket == len(head) or f >= q.cost or f >= q.needed:
            break
        # Step 4. Stopped: all below f is exhausted, so f is a lower bound on the cost
        if q.expanded >= q.limit or q.nodes + most > len(s.nodes):
            q.cost = f
            q.best = -1
            return AT_LEAST
        # Step 5. The children, while the set's boxes stand on the board
        index = int(head[bucket])
        unlink(index, s.links[0], s.links[1], s.links[2], head)
        q.expanded += 1
        if open_node(q, ground, s, index):
            clipped |= expand_node(q, ground, b, s, index, f)
        for i in range(k):
            occ[boxes[i]] = 0
    # Step 6. What was left out cost ``top`` or more; if nothing was, the search is exhaustive
    top = min(q.needed, q.root + len(head)) if clipped or bucket < len(head) else INF
    if q.cost < INF and q.cost <= top:
        return EXACT
    if top >= INF:
        return IMPOSSIBLE
    q.cost = top
    q.best = -1
    return AT_LEAST


@kernel("i8(SetRegisters, Ground, Bound, SetSearch, i8, i8, i8, i8)")
def harvest(
    q: SetRegisters, ground: Ground, b: Bound, s: SetSearch, status: int, depth: int, count: int, most: int
) -> int:
    """Note what a search of a set teaches about the nodes up to ``depth`` pushes deep; return how many there are now.

    All cost the root's cost less their way. Of a set without a plan only nodes known dead before are left out: no node of it
    has a plan. ``status`` is what ``solve_set`` returned; ``count`` patterns are there, and ``most`` may be.
    """
    k, cells, mark, nodes = q.size, s.v[V.SORTED], s.v[V.MARK2], s.nodes
    for index in range(q.nodes):
        cost, ahead = int(nodes[index, N.COST]), int(nodes[index, N.AHEAD])
        if count >= most or k < 2:
            break
        # C(root) <= cost + C(node), so each node near the root gets a bound from the root's
        if cost > depth or ahead >= INF or (status != IMPOSSIBLE and q.cost - cost <= ahead):
            continue
        single = 0
        for i in range(k):
            cells[i] = nodes[index, i]
            single += b.patterns.alone[b.side[cells[i], nodes[index, N.PLAYER]]]
            s.occ[cells[i]] = 1
        q.stamp += 1
        player = int(nodes[index, N.PLAYER])
        region(ground.neighbour, s.occ, player, mark, q.stamp, s.v[V.QUEUE])
        for i in range(k):
            s.occ[cells[i]] = 0
        # kept as a penalty on top of the single costs, like an entry of the tables
        more = DEAD if status == IMPOSSIBLE else min(q.cost - cost - single, MOST)
        note(count, k, cells, more, mark, q.stamp, b, s.often)
        count += 1
    return count


@kernel("i8(i8, i8, i8, i4[:,::1], SetRegisters, i4[:,::1], u1[::1])")
def walk_through(size: int, player: int, goal: int, v: I4x2, q: SetRegisters, neighbour: I4x2, other: U1) -> int:
    """Walk to a cell through as few of the other boxes as possible, level by level; return the first of them, -1 for none."""
    n, stamp = len(neighbour) - 1, q.stamp + 1
    boxes, mark, came, queue, next_level = v[V.SORTED], v[V.MARK], v[V.STEPS], v[V.QUEUE], v[V.ONE]
    q.stamp = stamp
    mark[player] = stamp
    came[player] = -1
    queue[0] = player
    at, end, later = 0, 1, 0
    while mark[goal] != stamp and end > 0:
        while at < end:
            cell = queue[at]
            at += 1
            for e in range(4):
                to = neighbour[cell, e]
                blocked = to == n or mark[to] == stamp
                for i in range(size):
                    blocked = blocked or boxes[i] == to
                if not blocked:
                    mark[to] = stamp
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
    return int(found)


@kernel("i8(i8, i8, i4[::1], i8, i4[:,::1], SetRegisters, i4[:,::1], u1[::1])")
def in_the_way(
    size: int, player: int, path: I4, length: int, v: I4x2, q: SetRegisters, neighbour: I4x2, other: U1
) -> int:
    """Replay a plan of a set among other boxes; return the first of them that is in its way, -1 if none is.

    ``path`` has box cell, direction and cells moved of each push or pull; the set's boxes are in V.SORTED; ``other`` is 1 on
    boxes that are not of the set and on the wall.
    """
    boxes, reverse = v[V.SORTED], q.reverse
    for step in range(length):
        box, d, far = path[3 * step], path[3 * step + 1], path[3 * step + 2]
        found = walk_through(size, player, int(neighbour[box, d if reverse else d ^ 1]), v, q, neighbour, other)
        if found >= 0:
            return found
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
def trace(k: int, last: int, neighbour: I4x2, nodes: I4x2, path: I4) -> int:
    """Write the plan that ends in a node into ``path`` (box cell, direction, cells moved); return its length, -1 if too long."""
    length, index = 0, last
    while nodes[index, N.CAME] >= 0:
        length += 1
        index = int(nodes[index, N.CAME])
    if 3 * length > len(path):
        return -1
    index = last
    for step in range(length - 1, -1, -1):
        before = int(nodes[index, N.CAME])
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
