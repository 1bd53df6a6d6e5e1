"""PI-corral pruning, compiled: when a closed area must be opened and every first push of its boxes is at hand, push there first.

Source: PI-corral pruning of the Sokoban wiki (page Solver), as JSoko and YASS have it; areas are joined until every first push
is at hand. docs/native.md has the argument for lines and pushes; it does not hold for moves.
"""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import U1, I4x2
from sokoasp.sokoban.search.model.records import Areas, Ground
from sokoasp.sokoban.walk.region_kernel import region


@kernel("i8(i8, i4[:,::1], Areas, i8)")
def label(k: int, neighbour: I4x2, s: Areas, stamp: int) -> int:
    """Number the areas beside boxes that the player cannot reach, from 1; ``area`` must be all 0. Return how many there are."""
    boxes, occ, mark, area, queue = s.boxes, s.occ, s.mark, s.area, s.queue
    count = 0
    for i in range(k):
        for e in range(4):
            start = neighbour[boxes[i], e]
            if occ[start] != 0 or mark[start] == stamp or area[start] != 0:
                continue
            count += 1
            region(neighbour, occ, start, area, count, queue)
    return count


@kernel("i8(i8, i8, i4[:,::1], Areas, i8)")
def first_pushes(k: int, live: int, neighbour: I4x2, s: Areas, stamp: int) -> int:
    """List the first pushes of the boxes around the chosen areas.

    ``mark`` equals ``stamp`` on the player's region, ``area`` has the numbers of ``label``; ``member`` and ``masks`` are set.

    Returns:
        How many pushes, -1 if the areas are no corral of this kind, -1 - a if area a must be joined to it.
    """
    boxes, mark, area, chosen, member, masks = s.boxes, s.mark, s.area, s.chosen, s.member, s.masks
    for i in range(k):
        masks[i] = 0
        member[boxes[i]] = 0
        for d in range(4):
            if chosen[area[neighbour[boxes[i], d]]]:
                member[boxes[i]] = 1
    count = 0
    for i in range(k):
        b = boxes[i]
        if member[b] == 0:
            continue
        for d in range(4):
            stand, to = neighbour[b, d ^ 1], neighbour[b, d]
            # not the first of them: the player would stand inside, on another of them, or push against one; or a dead box
            if stand >= len(neighbour) - 1 or to >= live or member[stand] or member[to] or chosen[area[stand]]:
                continue
            if not chosen[area[to]]:
                return -1 - int(area[to])
            if mark[stand] != stamp:
                return -1 - int(area[stand])
            masks[i] |= 1 << d
            count += 1
    return count


@kernel("b1(i8, i8, u1[::1], Areas)")
def must_open(k: int, spare: int, target: U1, s: Areas) -> bool:
    """Return whether no solution leaves these areas and the boxes around them as they are.

    ``spare`` is the number of boxes beyond the goals; below 0 there are more goals than boxes, and an empty one says nothing.
    """
    if spare <= 0:
        for i in range(k):
            if s.member[s.boxes[i]] and target[s.boxes[i]] == 0:
                return True
    if spare < 0:
        return False
    empty = False
    for c in range(len(target) - 1):
        empty = empty or bool(target[c] and s.occ[c] == 0 and s.chosen[s.area[c]])
    return empty


@kernel("i8(i8, i8, i8, Ground, Areas, i8)")
def corral(k: int, live: int, spare: int, ground: Ground, s: Areas, stamp: int) -> int:
    """Restrict the pushes of a state: ``allowed`` gets the directions by box.

    Returns:
        1 if there was a corral to open first, 0 if not (all allowed), -1 if one can never be opened.
    """
    neighbour, boxes, chosen, allowed = ground.neighbour, s.boxes, s.chosen, s.allowed
    for i in range(k):
        allowed[i] = 15
    # Step 1. The areas beside boxes that the player does not reach
    areas = label(k, neighbour, s, stamp)
    best = 4 * k + 1
    for seed in range(1, areas + 1):
        for a in range(areas + 1):
            chosen[a] = 0
        # Step 2. Each alone, then with every area that its first pushes need
        chosen[seed] = 1
        count = first_pushes(k, live, neighbour, s, stamp)
        while count < -1:
            chosen[-1 - count] = 1
            count = first_pushes(k, live, neighbour, s, stamp)
        # Step 3. The one with the fewest first pushes, if no solution can leave it closed
        if 0 <= count < best and must_open(k, spare, ground.target, s):
            best = count
            for i in range(k):
                allowed[i] = s.masks[i]
    # Step 4. The scratch as it was
    for i in range(k):
        s.member[boxes[i]] = 0
    if areas > 0:
        for c in range(len(neighbour) - 1):
            s.area[c] = 0
    # Step 5. One without a first push stays closed for ever
    if best == 0:
        return -1
    return 1 if best <= 4 * k else 0
