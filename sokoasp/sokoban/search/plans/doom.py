"""Compiled tests that a state is lost. All are sound: each takes boxes away or asks less, which only makes a level easier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.jit import kernel
from sokoasp.sokoban.search.plans.successors import known, region, remember, wedged

if TYPE_CHECKING:
    from sokoasp.sokoban.search.plans.ledger import I4, I8, U1


@kernel("i8(i4[:,::1], i4[::1], i8, u1[::1])")
def settled(neighbour: I4, boxes: I4, live: int, flag: U1) -> int:
    """Flag the boxes that can never move again: the largest set in which each is blocked along both axes; count them.

    ``flag`` is 1 on the wall sentinel and on no cell; the flags stay set.
    """
    count = 0
    for i in range(len(boxes)):
        flag[boxes[i]] = 1
    changed = True
    while changed:
        changed = False
        count = 0
        for i in range(len(boxes)):
            c = boxes[i]
            if flag[c]:
                if wedged(neighbour, flag, live, c):
                    count += 1
                else:
                    flag[c] = 0
                    changed = True
    return count


@kernel("i8(i4[:,::1], u1[::1], i8, i4[::1], u1[::1])")
def peel(neighbour: I4, walls: U1, live: int, goals: I4, stays: U1) -> int:
    """Flag the goals whose boxes could not be taken off the solved board by pulls, whatever is taken off before.

    Such a goal is filled by no push, so its box stands there already or never will.

    Args:
        neighbour: Cell beside a cell.
        walls: 1 on the sentinel and on boxes that never move again.
        live: Boxes stay on cells below this.
        goals: Their cells.
        stays: All 0 (1 on the sentinel) before; gets 1 on such goals. Those under ``walls`` are left out.

    Returns:
        How many there are.
    """
    count = 0
    for g in range(len(goals)):
        if walls[goals[g]] == 0:
            stays[goals[g]] = 1
            count += 1
    changed = True
    while changed:
        changed = False
        for g in range(len(goals)):
            c = goals[g]
            if stays[c] == 0:
                continue
            for d in range(4):
                to = neighbour[c, d]
                if to >= live or stays[to] or walls[to]:
                    continue
                beyond = neighbour[to, d]
                if stays[c] and stays[beyond] == 0 and walls[beyond] == 0:
                    stays[c] = 0
                    count -= 1
                    changed = True
    return count


@kernel("b1(i4[::1], u1[::1], i8[:,::1], i4[::1], i4[::1], i4[::1])")
def served(boxes: I4, still: U1, reach: I8, goals: I4, owner: I4, line: I4) -> bool:
    """Tell whether the boxes not ``still`` can be matched to the goals no still box stands on, by what each reaches.

    Args:
        boxes: Their cells.
        still: By cell.
        reach: (words of 62 goals, cells) which goals a lone box gets to.
        goals: Their cells.
        owner: Scratch by goal.
        line: Scratch of three numbers a goal.
    """
    m = len(goals)
    for g in range(m):
        owner[g] = -1
    for i in range(len(boxes)):
        if still[boxes[i]]:
            continue
        # breadth first for an augmenting path: line = queue of goals, the goal before each, reached or not
        head, tail, last = 0, 0, -1
        for g in range(m):
            line[2 * m + g] = 0
        box, before = boxes[i], -1
        while last < 0:
            for g in range(m):
                able = (reach[g // 62, box] >> (g % 62)) & 1
                if last < 0 and able and line[2 * m + g] == 0 and still[goals[g]] == 0:
                    line[2 * m + g] = 1
                    line[m + g] = before
                    line[tail] = g
                    tail += 1
                    if owner[g] < 0:
                        last = g
            if last < 0:
                if head >= tail:
                    return False
                before = line[head]
                head += 1
                box = boxes[owner[before]]
        while last >= 0:
            before = line[m + last]
            owner[last] = owner[before] if before >= 0 else i
            last = before
    return True


@kernel("b1(i4[:,::1], i4[::1], i8, i8, u1[::1], u1[::1])")
def locked(neighbour: I4, boxes: I4, moved: int, live: int, target: U1, flag: U1) -> bool:
    """Tell whether the box just moved belongs to boxes that never move again, one of them off goal; flags are restored."""
    lost = False
    settled(neighbour, boxes, live, flag)
    for i in range(len(boxes)):
        lost = lost or bool(flag[moved] and flag[boxes[i]] and target[boxes[i]] == 0)
    for i in range(len(boxes)):
        flag[boxes[i]] = 0
    return lost


@kernel(
    "i8(i4[:,::1], u1[:,::1], u1[::1], i8, i4[:,::1], i4[::1], i8[:,::1], i8[::1], i8, u1[::1], i4[:,::1], i8[::1])"
)
def closed(
    neighbour: I4,
    bits: U1,
    target: U1,
    live: int,
    states: I4,
    boxes: I4,
    zobrist: I8,
    table: I8,
    limit: int,
    inside: U1,
    v: I4,
    r: I8,
) -> int:
    """Search with these boxes alone until all stand on goals or the player gets inside the area.

    Args:
        neighbour: Cell beside a cell.
        bits: Boxes and flags as for ``expand``.
        target: 1 on goals.
        live: Boxes stay on cells below this.
        states: (limit + 1, boxes + 1) scratch; row 0 holds the boxes and the player.
        boxes: Scratch.
        zobrist: As for ``expand``.
        table: Scratch, all 0, at least twice as long as the limit.
        limit: States that are stored at most.
        inside: 1 on the cells of the area.
        v: Scratch by cell: a row of marks, one of flags' places, one of a queue.
        r: ``r[0]`` is a stamp to go on with; ``r[1]`` gets the states stored.

    Returns:
        1 if that is impossible, 0 if it can be done, -1 if the limit was reached.
    """
    occ = bits[0]
    k, n = len(boxes), len(occ) - 1
    head, tail, verdict = 0, 1, 1
    while head < tail and verdict == 1:
        base, home = 0, 0
        for i in range(k):
            boxes[i] = states[head, i]
            occ[boxes[i]] = 1
            base ^= zobrist[0, boxes[i]]
            home += target[boxes[i]]
        r[0] += 1
        stamp = r[0]
        region(neighbour, occ, states[head, k], v[0], stamp, v[2])
        if home == k:
            verdict = 0
        for c in range(n):
            if inside[c] and v[0, c] == stamp:
                verdict = 0
        for i in range(k if verdict == 1 else 0):
            c = boxes[i]
            for d in range(4):
                to = neighbour[c, d]
                if to >= live or occ[to] or v[0, neighbour[c, d ^ 1]] != stamp:
                    continue
                occ[c], occ[to] = 0, 1
                boxes[i] = to
                stuck = wedged(neighbour, occ, live, to) and locked(neighbour, boxes, to, live, target, bits[1])
                if not stuck:
                    r[0] += 1
                    low = region(neighbour, occ, c, v[1], r[0], v[2])
                    key = base ^ zobrist[0, c] ^ zobrist[0, to] ^ zobrist[1, low]
                    if not known(table, key):
                        if tail > limit:
                            verdict = -1
                        else:
                            remember(table, key)
                            for j in range(k):
                                states[tail, j] = boxes[j]
                            states[tail, k] = c
                            tail += 1
                boxes[i] = c
                occ[c], occ[to] = 1, 0
        for i in range(k):
            occ[boxes[i]] = 0
        head += 1
    r[1] = tail
    return verdict
