"""The detectors at the speed of a search: dead squares, freeze, matching and local searches over the boxes around the player.

Import through ``core.jit.load`` only. Cells are numbers in reading order, ``n`` is the wall; direction d ^ 1 is the opposite of
d. Levels with as many goals as boxes only. Every answer "dead" is a proof by the argument of ``local``: a set of boxes that
alone on the board can never do its part. Kernels allocate nothing; ``occ`` is left as it was found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sokoasp.core.jit import kernel, record
from sokoasp.sokoban.walk.region_kernel import region

if TYPE_CHECKING:
    import numpy.typing as npt

    I4 = npt.NDArray[np.int32]
    I8 = npt.NDArray[np.int64]
    U1 = npt.NDArray[np.uint8]
    U8 = npt.NDArray[np.uint64]
    I4x2 = I4  # the same with two dimensions

NONE, DEAD_SQUARE, FREEZE, MATCHING, LOCAL = range(5)
"""What ``judge`` answers: the rule that proves the state dead, or none."""
ALIVE, DEAD, OPEN = 0, 1, 2
"""What ``alone`` answers."""

MARK, AFTER, ZONE, BLOB, COUNT, TOP = range(6)
"""What ``Desk.stamps`` holds: the last stamp of each array, how many positions were met, how many wait to be expanded."""


@record
class Land(NamedTuple):
    """What never changes in a level."""

    neighbour: I4x2
    """(n+1, 4)."""
    around: I4x2
    """(n, 8): the cells around a cell, diagonals included."""
    goal: U1
    """(n+1)."""
    dead: U1
    """(n+1): cells from which a lone box reaches no goal; 0 for the wall."""
    side: I4x2
    """(n, n+1): number of the single-box state of a box cell and a player cell."""
    fits: U8
    """(states): the goals it reaches, as bits."""


@record
class Desk(NamedTuple):
    """Scratch."""

    occ: U1
    """(n+1): 1 on boxes and on the wall; between calls on the wall only."""
    held: U1
    """(n+1): as ``occ``, for ``frozen``."""
    mark: I4
    """(n+1): the stamp on the player's region, see ``stamps``."""
    after: I4
    """(n+1): the stamp on his region after a push."""
    zone: I4
    """(n+1): the stamp on the cells where boxes are followed."""
    blob: I4
    """(n+1): the stamp on cells that belong to a set already."""
    queue: I4
    now: I4
    """(boxes): the position in hand, ascending, n for a box that is gone."""
    other: I4
    chosen: I4
    """(boxes): the set that is searched."""
    keys: I8
    """(positions): those met."""
    stack: I4
    slots: I4
    """Open-addressing table of numbers of positions, a power of two; -1 where empty."""
    stamps: I4
    """(6): see ``MARK`` and so on."""


@kernel("b1(i8, i4[::1], i4[:,::1], u1[::1], u1[::1], u1[::1])")
def frozen(k: int, boxes: I4, neighbour: I4x2, goal: U1, dead: U1, held: U1) -> bool:
    """Return whether a box off goal is among those that hold each other fast; ``held`` is 1 on the wall, and again at the end."""
    n = len(neighbour) - 1
    for i in range(k):
        held[boxes[i]] = 1
    changed = True
    while changed:
        changed = False
        for i in range(k):
            b = boxes[i]
            if b == n or held[b] == 0:
                continue
            for axis in range(0, 4, 2):
                one, two = neighbour[b, axis], neighbour[b, axis + 1]
                if not (held[one] or held[two] or (dead[one] and dead[two])):
                    held[b] = 0
                    changed = True
                    break
    lost = False
    for i in range(k):
        b = boxes[i]
        if b != n:
            lost = lost or (held[b] == 1 and goal[b] == 0)
            held[b] = 0
    return lost


@kernel("i8(i8, i8, i4[::1], i8)")
def packed(n: int, k: int, boxes: I4, player: int) -> int:
    """Return the number of a position: digits in base n+1, the player last."""
    key = np.int64(0)
    for i in range(k):
        key = key * (n + 1) + boxes[i]
    return int(key * (n + 1) + player)


@kernel("b1(i8, i8, Desk)")
def entered(key: int, count: int, s: Desk) -> bool:
    """Enter a position as number ``count`` unless it has been met; tell whether it is new."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    mask = len(s.slots) - 1
    slot = int(np.int64(mixed >> np.uint64(33))) & mask
    while s.slots[slot] >= 0:
        if s.keys[s.slots[slot]] == key:
            return False
        slot = (slot + 1) & mask
    s.slots[slot] = count
    s.keys[count] = key
    return True


@kernel("void(i8, i8, i8, Desk)")
def pushed(k: int, i: int, to: int, s: Desk) -> None:
    """Put the position after a push of box i of ``now`` to a cell into ``other``, ascending."""
    for j in range(k):
        s.other[j] = s.now[j]
    at = i
    while at + 1 < k and s.other[at + 1] < to:
        s.other[at] = s.other[at + 1]
        at += 1
    while at > 0 and s.other[at - 1] > to:
        s.other[at] = s.other[at - 1]
        at -= 1
    s.other[at] = to


@kernel("b1(i8, i4[::1], u1[::1])")
def done(k: int, boxes: I4, goal: U1) -> bool:
    """Return whether every box of a position is gone or stands on a goal; ``goal`` of the wall is 1."""
    off = 0
    for i in range(k):
        off += goal[boxes[i]] == 0
    return off == 0


@kernel("i8(i8, Land, Desk, i8)")
def leaving(k: int, land: Land, s: Desk, zone: int) -> int:
    """Return a box of the position in hand that can be pushed out of the zone, -1 for none; ``mark`` and ``occ`` are set."""
    n, here = len(land.neighbour) - 1, s.stamps[MARK]
    for i in range(k):
        b = s.now[i]
        for d in range(4):
            if b < n and s.mark[land.neighbour[b, d ^ 1]] == here:
                to = land.neighbour[b, d]
                if s.occ[to] == 0 and land.dead[to] == 0 and s.zone[to] != zone:
                    return i
    return -1


@kernel("i8(i8, i8, i8, i8, Land, Desk)")
def met(k: int, i: int, to: int, most: int, land: Land, s: Desk) -> int:
    """Take the push of box i of the position in hand to a cell (n: off the board) into the search.

    Returns:
        ALIVE when that ends it, OPEN when there is no room for the position, else DEAD.
    """
    n, b, occ = len(land.neighbour) - 1, s.now[i], s.occ
    pushed(k, i, to, s)
    if to < n and frozen(k, s.other, land.neighbour, land.goal, land.dead, s.held):
        return DEAD
    if done(k, s.other, land.goal):
        return ALIVE
    occ[b], occ[to] = 0, 1
    s.stamps[AFTER] += 1
    low = region(land.neighbour, occ, b, s.after, s.stamps[AFTER], s.queue)
    occ[to] = 0
    occ[b], occ[n] = 1, 1
    if s.stamps[COUNT] >= most:
        return OPEN
    if entered(packed(n, k, s.other, low), s.stamps[COUNT], s):
        s.stack[s.stamps[TOP]] = s.stamps[COUNT]
        s.stamps[TOP] += 1
        s.stamps[COUNT] += 1
    return DEAD


@kernel("i8(i8, i8, i8, Land, Desk)")
def expanded(k: int, zone: int, most: int, land: Land, s: Desk) -> int:
    """Make all pushes of the position ``now``; answer as ``met``."""
    neighbour, n, here = land.neighbour, len(land.neighbour) - 1, s.stamps[MARK]
    away = leaving(k, land, s, zone)
    if away >= 0:
        return met(k, away, n, most, land, s)
    for i in range(k):
        b = s.now[i]
        if b == n:
            continue
        for d in range(4):
            to = neighbour[b, d]
            if s.mark[neighbour[b, d ^ 1]] == here and s.occ[to] == 0 and land.dead[to] == 0:
                answer = met(k, i, to, most, land, s)
                if answer != DEAD:
                    return answer
    return DEAD


@kernel("i8(i8, i8, i8, i8, Land, Desk)")
def alone(k: int, player: int, zone: int, most: int, land: Land, s: Desk) -> int:
    """Search the boxes ``now`` (ascending) alone on the board, followed on cells with this stamp of ``zone``.

    A box that can be pushed out of the zone is taken off at once, and nothing else is tried in that position: with one box
    fewer, which has done its part, and the player where he could go before and on the box's cell, all that was possible still is.

    Returns:
        DEAD for a proof, ALIVE when they can do their part or get away, OPEN when ``most`` positions were not enough.
    """
    occ, n = s.occ, len(land.neighbour) - 1
    if done(k, s.now, land.goal):
        return ALIVE
    for slot in range(len(s.slots)):
        s.slots[slot] = -1
    for i in range(k):
        occ[s.now[i]] = 1
    s.stamps[MARK] += 1
    low = region(land.neighbour, occ, player, s.mark, s.stamps[MARK], s.queue)
    for i in range(k):
        occ[s.now[i]] = 0
    entered(packed(n, k, s.now, low), 0, s)
    s.stack[0] = 0
    s.stamps[COUNT], s.stamps[TOP] = 1, 1
    while s.stamps[TOP] > 0:
        s.stamps[TOP] -= 1
        key = s.keys[s.stack[s.stamps[TOP]]]
        low = int(key % (n + 1))
        key //= n + 1
        for i in range(k - 1, -1, -1):
            s.now[i] = key % (n + 1)
            key //= n + 1
            occ[s.now[i]] = 1
        s.stamps[MARK] += 1
        region(land.neighbour, occ, low, s.mark, s.stamps[MARK], s.queue)
        answer = expanded(k, zone, most, land, s)
        for i in range(k):
            occ[s.now[i]] = 0
        occ[n] = 1
        if answer != DEAD:
            return answer
    return DEAD


@kernel("b1(i8, i4[::1], i8, Land, Desk)")
def unmatched(k: int, boxes: I4, player: int, land: Land, s: Desk) -> bool:
    """Return whether the goals that the boxes reach alone, pushed from the player's side, do not go round (at most 64 goals)."""
    # holder of each goal in `stack`, way back in `queue`: breadth-first augmenting paths over goals
    for g in range(k):
        s.stack[g] = -1
    for i in range(k):
        seen, head, tail = np.uint64(0), 0, 0
        row, come, free = i, -1, -1
        while free < 0:
            wanted = land.fits[land.side[boxes[row], player]] & ~seen
            for g in range(k):
                if (wanted >> np.uint64(g)) & np.uint64(1):
                    seen |= np.uint64(1) << np.uint64(g)
                    s.queue[tail], s.slots[g] = g, come
                    tail += 1
                    if s.stack[g] < 0:
                        free = g
                        break
            if free >= 0 or head == tail:
                break
            come = s.queue[head]
            row = s.stack[come]
            head += 1
        if free < 0:
            return True
        while free >= 0:
            before = s.slots[free]
            s.stack[free] = s.stack[before] if before >= 0 else i
            free = before
    return False


@kernel("i8(i8, i4[::1], i8, i8, i8, Land, Desk)")
def gathered(k: int, boxes: I4, start: int, here: int, reach: int, land: Land, s: Desk) -> int:
    """Put the boxes of one part into ``now``, ascending, and its cells into a new zone; return how many boxes.

    A part is what hangs together of boxes (diagonally too) and cells out of the player's reach (``mark`` equals ``here`` on
    those he reaches). The zone is the part and ``reach`` cells around it.
    """
    n = len(land.neighbour) - 1
    s.stamps[ZONE] += 1
    s.stamps[BLOB] += 1
    zone, blob = s.stamps[ZONE], s.stamps[BLOB]
    s.queue[0] = start
    s.blob[start] = blob
    head, tail = 0, 1
    while head < tail:
        cell = s.queue[head]
        head += 1
        for e in range(8):
            to = land.around[cell, e]
            straight = e < 4 and s.mark[to] != here
            if to < n and s.blob[to] != blob and (straight or (s.occ[to] == 1 and (reach > 1 or s.occ[cell] == 1))):
                s.blob[to] = blob
                s.queue[tail] = to
                tail += 1
    for at in range(tail):
        s.zone[s.queue[at]] = zone
    head = 0
    for _ in range(reach):
        until = tail
        while head < until:
            cell = s.queue[head]
            head += 1
            for e in range(8):
                to = land.around[cell, e]
                if to < n and s.zone[to] != zone:
                    s.zone[to] = zone
                    s.queue[tail] = to
                    tail += 1
    size = 0
    for i in range(k):
        if s.blob[boxes[i]] == blob:
            s.now[size] = boxes[i]
            size += 1
    return size


@kernel("i8(i8, i4[::1], i8, i8, i8, i8, Land, Desk)")
def judge(k: int, boxes: I4, player: int, reach: int, most: int, wide: int, land: Land, s: Desk) -> int:
    """Look for a proof that the state is dead; ``boxes`` are ascending, one for each goal.

    Local searches follow boxes up to ``reach`` cells around each part, from 1 on (0 leaves them and the matching out), within
    ``most`` positions; ``wide`` are the positions for all boxes together over the whole floor, 0 leaves that out.
    """
    n = len(land.neighbour) - 1
    for i in range(k):
        if land.dead[boxes[i]]:
            return DEAD_SQUARE
    if frozen(k, boxes, land.neighbour, land.goal, land.dead, s.held):
        return FREEZE
    if reach == 0:
        return NONE
    if unmatched(k, boxes, player, land, s):
        return MATCHING
    for r in range(1, reach + 1):
        for i in range(k):
            s.chosen[i] = 0
        for i in range(k):
            if s.chosen[i]:
                continue
            # `alone` takes the boxes off and puts its own marks: set them anew for each part
            for j in range(k):
                s.occ[boxes[j]] = 1
            s.stamps[MARK] += 1
            here = s.stamps[MARK]
            region(land.neighbour, s.occ, player, s.mark, here, s.queue)
            size = gathered(k, boxes, boxes[i], here, r, land, s)
            for j in range(k):
                s.occ[boxes[j]] = 0
                if s.blob[boxes[j]] == s.stamps[BLOB]:
                    s.chosen[j] = 1
            if size > 1 and alone(size, player, s.stamps[ZONE], most, land, s) == DEAD:
                return LOCAL
    if wide > 0:
        s.stamps[ZONE] += 1
        for c in range(n):
            s.zone[c] = s.stamps[ZONE]
        for i in range(k):
            s.now[i] = boxes[i]
        if alone(k, player, s.stamps[ZONE], wide, land, s) == DEAD:
            return LOCAL
    return NONE
