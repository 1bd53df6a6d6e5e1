"""How closed lists are made, compiled: the checker is run, and what it misses is put into the list.

The checker (``proof.closed_kernel``) stops at the action whose successor is missing and goes on there.
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.proof.closed_kernel import check, slot_of, take
from sokoasp.proof.corral_kernel import first_pushes
from sokoasp.proof.group_kernel import components
from sokoasp.proof.kernel_records import Corral, Fault, Floor, InHand, Listed, Memory, Pass, Tables, Walked
from sokoasp.proof.ties_kernel import check_ties

FULL = 9
"""No fault: there is no more room in the list."""
MOST_AREAS = 8
"""Components of a corral's area that are looked for."""


@kernel("void(i8, i8, InHand, Floor, Tables, i8, Corral, i8)")
def choose(k: int, largest: int, s: InHand, floor: Floor, t: Tables, part: int, c: Corral, at: int) -> None:
    """Look for the area of state ``at`` with the fewest first pushes: each component, and what its first pushes need."""
    n, best, most, row = len(floor.beside) - 1, 4 * k + 1, 0, s.row
    for cell in range(n):
        if row[cell] < 255:
            most = max(most, int(row[cell]))
    for j in range(c.areas.shape[1]):
        c.areas[at, j] = -1
    for seed in range(most + 1):
        if seed == part:
            continue
        for a in range(256):
            c.chosen[a] = 0
        c.chosen[seed] = 1
        size = 1
        count = first_pushes(k, largest, s, floor, t, part, c)
        while -256 < count < 0 and -1 - count != part and size < c.areas.shape[1]:
            c.chosen[-1 - count] = 1
            size += 1
            count = first_pushes(k, largest, s, floor, t, part, c)
        if 0 <= count < best:
            best = count
            place = 0
            for a in range(most + 1):
                if c.chosen[a]:
                    cell = 0
                    while row[cell] != a:
                        cell += 1
                    c.areas[at, place] = cell
                    place += 1
            for j in range(place, c.areas.shape[1]):
                c.areas[at, j] = -1


@kernel("i8(Pass, Listed, InHand)")
def put(p: Pass, states: Listed, s: InHand) -> int:
    """Put the successor in hand into the list, or lower its cost there; return its place, -1 if there is no room."""
    slot, count, cost = slot_of(s.key, states.keys, states.slots), p.count, states.cost[p.next] + 1
    there = int(states.slots[slot])
    if there < 0:
        if count + 1 >= len(states.cost) or 2 * count + 2 >= len(states.slots):
            return -1
        for w in range(len(s.key)):
            states.keys[count, w] = s.key[w]
        there, states.slots[slot], p.count = int(count), count, count + 1
    states.cost[there] = cost
    return there


@kernel("i8(Pass, Floor, Listed, Tables, InHand, Corral, Memory, i8)")
def close(
    p: Pass, floor: Floor, states: Listed, t: Tables, s: InHand, corral: Corral, scratch: Memory, asks: int
) -> int:
    """Check states from place NEXT up to END, adding what is missing; return 0, a fault, or FULL.

    With ``asks`` it stops with OPEN at what is missing. A pattern whose cost is lowered may concern records before NEXT.
    """
    end, fault = p.end, 0
    while p.next < end:
        p.end = end
        if p.corrals:
            p.end = p.next + 1
            take(p, floor, states, s)
            components(p.floor_cells, p.boxes, s.cells, floor.beside, s.row, scratch.stack)
            region = s.row[int(np.int64(states.keys[p.next, len(s.key) - 1]))]
            if p.action == 0 and states.cost[p.next] < p.claimed_cost:
                choose(p.boxes, p.largest, s, floor, t, region, corral, p.next)
        fault = check(p, floor, states, t, s, corral, scratch)
        if fault == Fault.OPEN and not asks:
            fault = 0
            if put(p, states, s) < 0:
                fault = FULL
        if fault:
            return int(fault)
    return 0


@kernel("i8(Pass, Floor, Listed, Tables, InHand, Memory, Walked)")
def close_ties(p: Pass, floor: Floor, states: Listed, t: Tables, s: InHand, scratch: Memory, walked: Walked) -> int:
    """Do the same for a tie-break: states are found by their pushes, so one with fewer moves is still to be looked at."""
    while p.next < p.end:
        fault = check_ties(p, floor, states, t, s, scratch, walked)
        if fault == Fault.OPEN or fault == Fault.LONGER:
            there = put(p, states, s)
            if there < 0:
                return FULL
            stand = floor.beside[s.cells[p.action >> 2], (p.action & 3) ^ 1]
            walked.moves[there] = walked.moves[p.next] + walked.steps[stand] + 1
        elif fault:
            return int(fault)
    return 0
