"""Compiled tests that a state is lost. All are sound: each takes boxes away or asks less, which only makes a level easier."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sokoasp.core.jit import kernel, record
from sokoasp.sokoban.search.kernels.freeze import frozen, wedged
from sokoasp.sokoban.search.kernels.hash_set import known, remember
from sokoasp.sokoban.search.satisficing.macro_registers import BITS
from sokoasp.sokoban.walk.region_kernel import region

if TYPE_CHECKING:
    from sokoasp.sokoban.search.model.records import Ground
    from sokoasp.sokoban.search.satisficing.macro_registers import I4, I8, U1, Bench, Entered, I4x2

STAMP, STORED, LIVE, SEEN = range(4)
"""Registers of ``closed``."""


@kernel("b1(i4[::1], u1[::1], i8[:,::1], i4[::1], i4[::1], i4[::1])")
def served(boxes: I4, still: U1, reach: I8, goals: I4, owner: I4, line: I4) -> bool:
    """Return whether the boxes not ``still`` can be matched to the goals no still box stands on, by what each reaches.

    Args:
        boxes: Their cells.
        still: By cell.
        reach: (words of ``BITS`` goals, cells) which goals a lone box gets to.
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
                able = (reach[g // BITS, box] >> (g % BITS)) & 1
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


@record
class Enclosed(NamedTuple):
    """Boxes around an area that the player cannot reach, alone on the board."""

    states: I4x2
    """(limit + 1, boxes + 1): scratch; row 0 holds the boxes and the player."""
    boxes: I4
    """(boxes): scratch."""
    inside: U1
    """(n+1): 1 on the cells of the area."""


@kernel("i8(i8[::1], Ground, Enclosed, Bench, Entered, i8, i8)")
def outcome(r: I8, ground: Ground, s: Enclosed, bench: Bench, entered: Entered, base: int, i: int) -> int:
    """Note the states after pushes of one box of the state in hand; -1 if there is no room for one, else 1."""
    neighbour, occ, v = ground.neighbour, bench.bits[0], bench.v
    boxes, live, stamp = s.boxes, r[LIVE], r[SEEN]
    k, c = len(boxes), int(boxes[i])
    for d in range(4):
        to = neighbour[c, d]
        if to >= live or occ[to] or v[0, neighbour[c, d ^ 1]] != stamp:
            continue
        occ[c], occ[to] = 0, 1
        boxes[i] = to
        full = False
        stuck = wedged(neighbour, occ, live, to)
        if not stuck or frozen(k, boxes, to, neighbour, live, ground.target, bench.bits[1]) == 0:
            r[STAMP] += 1
            low = region(neighbour, occ, c, v[1], r[STAMP], v[2])
            key = base ^ entered.zobrist[0, c] ^ entered.zobrist[0, to] ^ entered.zobrist[1, low]
            if not known(entered.table, key):
                full = r[STORED] >= len(s.states)
                if not full:
                    remember(entered.table, key)
                    for j in range(k):
                        s.states[r[STORED], j] = boxes[j]
                    s.states[r[STORED], k] = c
                    r[STORED] += 1
        boxes[i] = c
        occ[c], occ[to] = 1, 0
        if full:
            return -1
    return 1


@kernel("i8(i8[::1], Ground, Enclosed, Bench, Entered)")
def closed(r: I8, ground: Ground, s: Enclosed, bench: Bench, entered: Entered) -> int:
    """Search with these boxes alone until all stand on goals or the player gets inside the area.

    Args:
        r: STAMP to go on with, LIVE; STORED gets the states stored.
        ground: The board.
        s: The boxes and the area; no more states are stored than it has room for.
        bench: Of ``v`` a row of marks, one of marks after a push, one of a queue.
        entered: The table all 0, at least twice as long as there are rows for states.

    Returns:
        1 if that is impossible, 0 if it can be done, -1 if there was no room.
    """
    occ, v, boxes = bench.bits[0], bench.v, s.boxes
    k, n = len(boxes), len(occ) - 1
    head, verdict = 0, 1
    r[STORED] = 1
    while head < r[STORED] and verdict == 1:
        base, home = 0, 0
        for i in range(k):
            boxes[i] = s.states[head, i]
            occ[boxes[i]] = 1
            base ^= entered.zobrist[0, boxes[i]]
            home += ground.target[boxes[i]]
        r[STAMP] += 1
        r[SEEN] = r[STAMP]
        region(ground.neighbour, occ, s.states[head, k], v[0], r[SEEN], v[2])
        if home == k:
            verdict = 0
        for c in range(n):
            if s.inside[c] and v[0, c] == r[SEEN]:
                verdict = 0
        for i in range(k):
            if verdict == 1:
                verdict = outcome(r, ground, s, bench, entered, base, i)
        for i in range(k):
            occ[boxes[i]] = 0
        head += 1
    return verdict
