"""Boxes that never move again are walls for the others, compiled: longer ways, goals cut off (docs/native.md, "Frozen walls").

What follows from a set of such boxes is kept in a table by the set: a slot is overwritten by the next set that falls on it.
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U1
from sokoasp.sokoban.search.kernels.freeze import peel, settled
from sokoasp.sokoban.search.kernels.hash_set import SEED, mix
from sokoasp.sokoban.search.kernels.primitives import INF, matching
from sokoasp.sokoban.search.model.records import Augmenting, Bound, Matching, Registers, Scratch, W
from sokoasp.sokoban.walk.region_kernel import region

FAR = 30000
"""In ``detours``: there is no way; a way of FAR pushes or more is entered as one of FAR - 1."""
SIDES, QUEUE, SEEN, STATE, U, V, ROW = range(7)
"""Rows of ``places``, the last four for a matching. A place is a box cell and the player's side: 4 * cell + side."""


@kernel("void(Registers, Bound, Scratch, u1[::1])")
def join_sides(r: Registers, b: Bound, s: Scratch, walls: U1) -> None:
    """Find the parts of the floor around a lone box: ``places[SIDES]`` gets for each place the first place of its part, or -1."""
    near, label, mark = b.frozen.neighbour, b.frozen.places[SIDES], s.w[W.MARK2]
    for c in range(r.live):
        if walls[c]:
            continue
        walls[c] = 1
        first = r.stamp + 1
        for d in range(4):
            beside = near[c, d]
            label[4 * c + d] = -1
            if walls[beside]:
                continue
            # a side that an earlier side's flood has reached is of the same part
            for e in range(d):
                if label[4 * c + e] == 4 * c + e and mark[beside] == first + e:
                    label[4 * c + d] = 4 * c + e
            if label[4 * c + d] < 0:
                label[4 * c + d] = 4 * c + d
                region(near, walls, beside, mark, first + d, s.w[W.QUEUE])
        r.stamp += 4
        walls[c] = 0


@kernel("void(Registers, Bound, u1[::1], i8, i8)")
def reach_back(r: Registers, b: Bound, walls: U1, slot: int, goal: int) -> None:
    """Fill a column of ``detours``: breadth first by pulls of a lone box from a target, the player on any side in the end."""
    near, label, queue, seen, k = (
        b.frozen.neighbour,
        b.frozen.places[SIDES],
        b.frozen.places[QUEUE],
        b.frozen.places[SEEN],
        r.boxes,
    )
    live, cost = r.live, b.frozen.detours[slot]
    start = b.frozen.goals[goal]
    for x in range(4 * live):
        seen[x] = -1
    if walls[start]:
        return
    # Step 1. On the target, the player on any side: no walk is asked for in the end
    tail, head = 0, 0
    cost[start * k + goal] = 0
    for d in range(4):
        if label[4 * start + d] == 4 * start + d:
            queue[tail] = 4 * start + d
            seen[4 * start + d] = 0
            tail += 1
    # Step 2. Breadth first by pulls (line pulls): the first way to a place is the shortest
    while head < tail:
        here = queue[head]
        head += 1
        for d in range(4):
            c = here >> 2
            if label[4 * c + d] != here:
                continue
            to = near[c, d]
            while to < live and walls[to] == 0 and walls[near[to, d]] == 0:
                place = label[4 * to + d]
                if seen[place] < 0:
                    seen[place] = seen[here] + 1
                    queue[tail] = place
                    tail += 1
                    cost[to * k + goal] = min(np.int64(cost[to * k + goal]), np.int64(seen[place]), FAR - 1)
                if not r.lines:
                    break
                to = near[to, d]


@kernel("i8(Registers, Bound, Scratch)")
def slot_of(r: Registers, b: Bound, s: Scratch) -> int:
    """Return the slot of the boxes flagged in ``s.flag``, filled."""
    words, live, walls = b.frozen.sets.shape[1] // 2, r.live, s.flag
    # Step 1. The slot of this set, by its hash; one set a slot
    mixed = SEED
    for w in range(words):
        bits = np.uint64(0)
        for c in range(64 * w, min(live, 64 * w + 64)):
            if walls[c]:
                bits |= np.uint64(1) << np.uint64(c & 63)
        mixed = mix(mixed, bits)
    slot = int(np.int64(mixed >> np.uint64(1))) & (len(b.frozen.sets) - 1)
    same = True
    for c in range(live):
        same = same and (b.frozen.sets[slot, c >> 6] >> np.uint64(c & 63)) & np.uint64(1) == np.uint64(walls[c])
    if same:
        return int(slot)
    # Step 2. Another set is there, or none: it is overwritten, what is lost can be found again
    for w in range(2 * words):
        b.frozen.sets[slot, w] = np.uint64(0)
    for c in range(live):
        if walls[c]:
            b.frozen.sets[slot, c >> 6] |= np.uint64(1) << np.uint64(c & 63)
    for x in range(live * r.boxes):
        b.frozen.detours[slot, x] = FAR
    # Step 3. Ways of lone boxes among these walls, back from every goal
    join_sides(r, b, s, walls)
    for g in range(r.boxes):
        reach_back(r, b, walls, slot, g)
    # Step 4. Goals that could not be left by their box on the solved board must be filled already
    peel(b.frozen.neighbour, walls, live, b.frozen.goals, b.frozen.stays)
    for g in range(r.boxes):
        c = b.frozen.goals[g]
        if b.frozen.stays[c]:
            b.frozen.sets[slot, words + (c >> 6)] |= np.uint64(1) << np.uint64(c & 63)
            b.frozen.stays[c] = 0
    return int(slot)


@kernel("i8(Registers, Bound, Scratch, i4[::1], i8, i8, i8)")
def cost_of(r: Registers, b: Bound, s: Scratch, state: I4, slot: int, box: int, goal: int) -> int:
    """Return what a box has to travel to a target among the boxes flagged in ``s.flag``, INF where it cannot get there."""
    c, target = s.w[W.BOXES, box], b.frozen.goals[goal]
    if s.flag[c] or s.flag[target]:
        return 0 if c == target else INF
    way = np.int64(b.frozen.detours[slot, c * r.boxes + goal])
    return INF if way >= FAR else int(max(way, np.int64(b.dist[state[box], goal])))


@kernel("i8(Registers, Bound, Scratch, Matching, Augmenting, i8, i8)")
def matched_anew(r: Registers, b: Bound, s: Scratch, match: Matching, path: Augmenting, slot: int, matched: int) -> int:
    """Return the least cost of a matching among the walls; ``match`` is one without, which may be as cheap among them."""
    k, total = r.boxes, np.int64(0)
    for goal in range(k):
        total += cost_of(r, b, s, match.state, slot, int(match.row_of[goal]), goal)
    # mostly the matching at hand costs the same among the walls, and then it is a cheapest one
    if total <= matched:
        return matched
    for box in range(k):
        b.frozen.places[STATE, box] = box
        for goal in range(k):
            b.frozen.table[box, goal] = cost_of(r, b, s, match.state, slot, box, goal)
    again = Matching(b.frozen.places[STATE], b.frozen.places[U], b.frozen.places[V], b.frozen.places[ROW])
    return int(matching(k, b.frozen.table, again, path))


@kernel("i8(Registers, Bound, Scratch, Matching, Augmenting, i8)")
def walled(r: Registers, b: Bound, s: Scratch, match: Matching, path: Augmenting, matched: int) -> int:
    """Return a lower bound for the packed state in the scratch, whose cheapest matching costs ``matched``; INF if it is dead."""
    boxes, walls, words, total = s.w[W.BOXES], s.flag, b.frozen.sets.shape[1] // 2, matched
    if settled(r.boxes, boxes, len(b.frozen.neighbour) - 1, b.frozen.neighbour, r.live, walls) > 0:
        slot, unfilled = slot_of(r, b, s), np.uint64(0)
        for w in range(words):
            unfilled |= b.frozen.sets[slot, words + w] & ~s.key[w]
        total = INF if unfilled != np.uint64(0) else matched_anew(r, b, s, match, path, slot, matched)
    for i in range(r.boxes):
        walls[boxes[i]] = 0
    return int(total)
