"""PI-corral pruning, compiled: when a closed area must be opened and every first push of its boxes is at hand, push there first.

docs/native.md has the argument for lines and pushes; it does not hold for moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.jit import kernel

if TYPE_CHECKING:
    from sokoasp.sokoban.search.compiled.registers import I4, U1


@kernel("i8(i8, i4[::1], i4[:,::1], u1[::1], i4[::1], i8, i4[::1], i4[::1])")
def label(k: int, boxes: I4, neighbour: I4, occ: U1, mark: I4, stamp: int, area: I4, queue: I4) -> int:
    """Number the areas beside boxes that the player cannot reach, from 1; ``area`` must be all 0. Return how many there are."""
    count = 0
    for i in range(k):
        for e in range(4):
            start = neighbour[boxes[i], e]
            if occ[start] != 0 or mark[start] == stamp or area[start] != 0:
                continue
            count += 1
            area[start] = count
            queue[0] = start
            head, tail = 0, 1
            while head < tail:
                cell = queue[head]
                head += 1
                for d in range(4):
                    to = neighbour[cell, d]
                    if occ[to] == 0 and area[to] == 0:
                        area[to] = count
                        queue[tail] = to
                        tail += 1
    return count


@kernel("i8(i8, i4[::1], i4[:,::1], u1[::1], i8, i4[::1], i8, i4[::1], i4[::1], i4[::1], i4[::1])")
def first_pushes(
    k: int,
    boxes: I4,
    neighbour: I4,
    occ: U1,
    live: int,
    mark: I4,
    stamp: int,
    area: I4,
    chosen: I4,
    member: I4,
    masks: I4,
) -> int:
    """List the first pushes of the boxes around the chosen areas.

    ``mark`` equals ``stamp`` on the player's region, ``area`` has the numbers of ``label``, ``chosen`` is 1 by number of area.
    ``member`` (by cell) is set to 1 on the boxes around them, ``masks`` (by box) to the directions of its first pushes.

    Returns:
        How many pushes, -1 if the areas are no corral of this kind, -1 - a if area a must be joined to it.
    """
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


@kernel("b1(i8, i4[::1], i8, i8, u1[::1], u1[::1], i4[::1], i4[::1], i4[::1])")
def must_open(k: int, boxes: I4, n: int, spare: int, occ: U1, target: U1, area: I4, chosen: I4, member: I4) -> bool:
    """Tell whether no solution leaves these areas and the boxes around them as they are.

    ``spare`` is the number of boxes beyond the goals; below 0 there are more goals than boxes, and an empty one says nothing.
    """
    if spare <= 0:
        for i in range(k):
            if member[boxes[i]] and target[boxes[i]] == 0:
                return True
    if spare < 0:
        return False
    empty = False
    for c in range(n):
        empty = empty or bool(target[c] and occ[c] == 0 and chosen[area[c]])
    return empty


@kernel(
    "i8(i8, i4[::1], i8, i8, i8, i4[:,::1], u1[::1], u1[::1], i4[::1], i8, i4[::1], i4[::1], i4[::1], i4[::1], i4[::1], i4[::1])"
)
def corral(
    k: int,
    boxes: I4,
    n: int,
    live: int,
    spare: int,
    neighbour: I4,
    occ: U1,
    target: U1,
    mark: I4,
    stamp: int,
    area: I4,
    queue: I4,
    chosen: I4,
    member: I4,
    masks: I4,
    allowed: I4,
) -> int:
    """Restrict the pushes of a state: ``allowed`` gets the directions by box.

    Returns:
        1 if there was a corral to open first, 0 if not (all allowed), -1 if one can never be opened.
    """
    for i in range(k):
        allowed[i] = 15
    areas = label(k, boxes, neighbour, occ, mark, stamp, area, queue)
    best = 4 * k + 1
    for seed in range(1, areas + 1):
        for a in range(areas + 1):
            chosen[a] = 0
        chosen[seed] = 1
        count = first_pushes(k, boxes, neighbour, occ, live, mark, stamp, area, chosen, member, masks)
        while count < -1:
            chosen[-1 - count] = 1
            count = first_pushes(k, boxes, neighbour, occ, live, mark, stamp, area, chosen, member, masks)
        if 0 <= count < best and must_open(k, boxes, n, spare, occ, target, area, chosen, member):
            best = count
            for i in range(k):
                allowed[i] = masks[i]
    for i in range(k):
        member[boxes[i]] = 0
    if areas > 0:
        for c in range(n):
            area[c] = 0
    if best == 0:
        return -1
    return 1 if best <= 4 * k else 0
