"""PI-corrals in a closed list, compiled: areas that must be opened, and whose first pushes are all at hand.

An area is some components of the floor around the boxes, without the player's. The boxes beside it are its ring. If not all of
the ring stand on goals, every plan pushes one of them, and the first such push can just as well be the very next one; so only
those pushes are looked at that can be the first of the ring. docs/certificates.md (The theorem) has the argument, for pushes and
lines with as many goals as boxes. Source: PI-corral pruning of the Sokoban wiki (page Solver).
"""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.proof.group_kernel import alone
from sokoasp.proof.kernel_records import NEVER, Corral, Floor, InHand, Tables

NONE = -(1 << 16)
"""The area is none that shows anything."""


@kernel("i8(i8, i8, InHand, Floor, Tables, i8, Corral)")
def first_pushes(k: int, largest: int, s: InHand, floor: Floor, t: Tables, part: int, c: Corral) -> int:
    """Write the pushes into ``masks`` that can be the first of the ring around the chosen components.

    ``part`` is the player's component, which is not chosen; ``largest`` is 0 without tables.

    Returns:
        How many there are; -1 - a if one needs component a, which is not chosen; NONE if the ring need not be pushed.
    """
    n, beside, chosen, ring, cells, row = len(floor.beside) - 1, floor.beside, c.chosen, c.ring, s.cells, s.row
    for cell in range(n + 1):
        ring[cell] = 0
    must, count = False, 0
    for i in range(k):
        for d in range(4):
            if chosen[row[beside[cells[i], d]]]:
                ring[cells[i]] = 1
        must = must or (ring[cells[i]] == 1 and s.goal[cells[i]] == 0)
    if not must:
        return NONE
    for i in range(k):
        b, c.masks[i] = cells[i], 0
        if ring[b] == 0:
            continue
        for d in range(4):
            stand, to = beside[b, d ^ 1], beside[b, d]
            # not the first of them: the player would stand inside or on one of them, or push against one
            if stand == n or to == n or chosen[row[stand]] or ring[stand] or ring[to]:
                continue
            # nor of use: the box never comes to a goal from there
            if floor.index_of[to] < 0 or (largest > 0 and alone(floor.index_of[to], b, t) >= NEVER):
                continue
            if chosen[row[to]] == 0:
                return -1 - int(row[to])
            if row[stand] != part:
                return -1 - int(row[stand])
            c.masks[i] |= 1 << d
            count += 1
    return count


@kernel("i8(i8, i8, InHand, Floor, Tables, i8, Corral, i8)")
def restrict(k: int, largest: int, s: InHand, floor: Floor, t: Tables, part: int, c: Corral, at: int) -> bool:
    """Write the pushes of state ``at`` that are to be looked at into ``masks``: of its area if it has one, else all.

    Returns:
        Whether the area, if there is one, allows that.
    """
    for i in range(k):
        c.masks[i] = 15
    if c.areas[at, 0] < 0:
        return True
    for a in range(256):
        c.chosen[a] = 0
    for j in range(c.areas.shape[1]):
        cell = c.areas[at, j]
        if cell >= 0:
            if s.row[cell] == 255 or s.row[cell] == part:
                return False
            c.chosen[s.row[cell]] = 1
    return bool(first_pushes(k, largest, s, floor, t, part, c) >= 0)
