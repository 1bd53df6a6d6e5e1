"""The check of a closed list of states, compiled: every successor is in the list or has a bound that is high enough."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from sokoasp.core.kernels import kernel, record
from sokoasp.core.kernels.arrays import I4, I8, U8, U8x2
from sokoasp.proof.corral_kernel import Corral, InHand, restrict
from sokoasp.proof.group_kernel import NEVER, Floor, GroupScratch, GroupTables, components
from sokoasp.proof.wall_kernel import best_bound

OPEN, SOLVED, LONGER, BARRED = 1, 2, 3, 4
"""Faults: the successor of ``InHand.key`` is neither in the list nor bounded; a state is solved too cheaply; a successor has a
larger cost in the list than its way shows; a state's area is no corral."""


@kernel("i8(u8[::1], u8[:,::1], i4[::1])")
def slot_of(key: U8, keys: U8, slots: I4) -> int:
    """Return the slot that holds a key's place, or the empty one where it would go."""
    mixed = np.uint64(1469598103934665603)
    for w in range(len(key)):
        mixed = (mixed ^ key[w]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    mask = len(slots) - 1
    slot = int(np.int64(mixed >> np.uint64(12)) & mask)
    while slots[slot] >= 0:
        same = True
        for w in range(len(key)):
            same &= keys[slots[slot], w] == key[w]
        if same:
            return slot
        slot = (slot + 1) & mask
    return slot


@kernel("i8(i8, i8, u8[:,::1], i4[::1])")
def enter(begin: int, end: int, keys: U8, slots: I4) -> int:
    """Enter states into the hash table; return the place of the first that is there twice, -1 if there is none."""
    for i in range(begin, end):
        slot = slot_of(keys[i], keys, slots)
        if slots[slot] >= 0:
            return i
        slots[slot] = i
    return -1


@record
class Listed(NamedTuple):
    """The list of states."""

    keys: U8x2
    """(capacity, words+1): bits of the boxes, and the player's cell (for moves; else the smallest of the region)."""
    cost: I4
    """(capacity): cost from the start at most."""
    slots: I4
    """Hash table."""


class P(IntEnum):
    """Registers of the check."""

    NEXT = 0
    """The next state."""
    END = 1
    """The end of this turn."""
    COUNT = 2
    """States in the list."""
    FLOOR = 3
    """Floor cells."""
    BOXES = 4
    CLAIMED_COST = 5
    """The cost from which nothing need be shown."""
    LARGEST = 6
    """Boxes of the largest groups, 0 without tables."""
    PAID = 7
    """The sum of the goals' prices."""
    OBJECTIVE = 8
    """0 pushes, 1 lines, 2 moves."""
    GOALS_TO_FILL = 9
    """Goals that must hold a box."""
    STAND = 10
    """The player's cell in the successor."""
    PATTERNS = 11
    """The list is of learned patterns: of some boxes each, and a successor may be bounded though it is in the list."""
    CORRALS = 12
    """Of states with an area only the pushes are looked at that its corral allows."""
    COST_TO_REFUTE = 13
    """Of a tie-break: no plan has fewer pushes; one less than claimed where parity shows the rest."""
    CLAIMED_PUSHES = 14
    """Of a tie-break."""
    CLAIMED_MOVES = 15
    """Of a tie-break."""
    ACTION = 16
    """The next action of the state in hand: four times the place of the box, plus the direction. A fault stops at one."""


@kernel("i8(i8[::1], Floor, Listed, InHand)")
def take(p: I8, floor: Floor, states: Listed, s: InHand) -> int:
    """Read the next state of the list; return how many of its boxes stand on goals (how many there are: BOXES)."""
    count, on_goals = 0, 0
    for b in range(64 * (states.keys.shape[1] - 1)):
        if (states.keys[p[P.NEXT], b >> 6] >> np.uint64(b & 63)) & np.uint64(1):
            s.boxes[count] = b
            s.cells[count] = floor.floor_of[b]
            on_goals += s.goal[s.cells[count]]
            count += 1
    p[P.BOXES] = count
    return on_goals


@kernel("void(i8[::1], Floor, Listed, InHand, GroupScratch, i8, i8)")
def make_key(p: I8, floor: Floor, states: Listed, s: InHand, scratch: GroupScratch, i: int, to: int) -> None:
    """Write the key of the successor in which box ``i`` (-1: none) stands on a floor cell, and the player on STAND."""
    key, words = s.key, len(s.key) - 1
    for w in range(words):
        key[w] = states.keys[p[P.NEXT], w]
    if i >= 0:
        old, new = np.uint64(s.boxes[i]), np.uint64(floor.index_of[to])
        key[old >> np.uint64(6)] &= ~(np.uint64(1) << (old & np.uint64(63)))
        key[new >> np.uint64(6)] |= np.uint64(1) << (new & np.uint64(63))
    place = p[P.STAND]
    if p[P.OBJECTIVE] != 2:
        kept = s.cells[i]
        s.cells[i] = to
        components(p[P.FLOOR], p[P.BOXES], s.cells, floor.beside, s.after, scratch.stack)
        s.cells[i] = kept
        part = s.after[p[P.STAND]]
        place = 0
        while s.after[place] != part:
            place += 1
    key[words] = np.uint64(place)


@kernel("i8(i8[::1], Floor, GroupTables, InHand, GroupScratch, i8)")
def least_left(p: I8, floor: Floor, t: GroupTables, s: InHand, scratch: GroupScratch, wanted: int) -> int:
    """Return a lower bound on what the state of ``s.key`` costs; with prices ``wanted`` is no less than any more."""
    x, on = 0, 0
    for b in range(64 * (len(s.key) - 1)):
        if (s.key[b >> 6] >> np.uint64(b & 63)) & np.uint64(1):
            s.sorted[x] = b
            on += s.goal[floor.floor_of[b]]
            x += 1
    if p[P.LARGEST] == 0:
        return 0 if on == p[P.GOALS_TO_FILL] else 1
    least = best_bound(p[P.BOXES], p[P.LARGEST], s.sorted, p[P.STAND], wanted, t, scratch)
    return 1 << 40 if least >= NEVER else least - p[P.PAID]


@kernel("i8(i8[::1], Floor, GroupTables, InHand, GroupScratch, i8)")
def least_ahead(p: I8, floor: Floor, t: GroupTables, s: InHand, scratch: GroupScratch, cost: int) -> int:
    """Return a lower bound on what the successor of a state that costs ``cost`` still costs."""
    if p[P.LARGEST] == 0 and cost + 2 < p[P.CLAIMED_COST]:
        return 0
    return least_left(p, floor, t, s, scratch, int(p[P.CLAIMED_COST] - cost - 1 + p[P.PAID]))


@kernel("i8(i8[::1], Floor, Listed, GroupTables, InHand, GroupScratch, i8, i8)")
def judge(
    p: I8, floor: Floor, states: Listed, t: GroupTables, s: InHand, scratch: GroupScratch, i: int, to: int
) -> int:
    """Look at the successor in which box ``i`` stands on a cell and the player on STAND; return 0 or a fault."""
    if i >= 0 and floor.index_of[to] < 0:
        return 0
    cost = int(states.cost[p[P.NEXT]])
    make_key(p, floor, states, s, scratch, i, to)
    there = states.slots[slot_of(s.key, states.keys, states.slots)]
    if there >= 0 and (p[P.PATTERNS] == 0 or states.cost[there] <= cost + 1):
        return LONGER if states.cost[there] > cost + 1 else 0
    if cost + 1 + least_ahead(p, floor, t, s, scratch, cost) >= p[P.CLAIMED_COST]:
        return 0
    return OPEN


@kernel("i8(i8[::1], Floor, Listed, GroupTables, InHand, GroupScratch)")
def judge_steps(p: I8, floor: Floor, states: Listed, t: GroupTables, s: InHand, scratch: GroupScratch) -> int:
    """Look at all successors by one move of the player, pushing or not; return 0 or a fault."""
    n, player = p[P.FLOOR], int(np.int64(states.keys[p[P.NEXT], len(s.key) - 1]))
    while p[P.ACTION] < 4:
        d = int(p[P.ACTION])
        p[P.ACTION] += 1
        to, pushed = int(floor.beside[player, d]), -1
        if to == n:
            continue
        for j in range(p[P.BOXES]):
            if s.cells[j] == to:
                pushed = j
        p[P.STAND] = to
        if pushed >= 0:
            to = int(floor.beside[to, d])
            if to == n or s.row[to] == 255:
                continue
        fault = judge(p, floor, states, t, s, scratch, pushed, to)
        if fault:
            p[P.ACTION] = d
            return fault
    return 0


@kernel("i8(i8[::1], Floor, Listed, GroupTables, InHand, Corral, GroupScratch)")
def judge_pushes(
    p: I8, floor: Floor, states: Listed, t: GroupTables, s: InHand, corral: Corral, scratch: GroupScratch
) -> int:
    """Look at the successors by one push (line push), all or those of the state's corral; return 0 or a fault."""
    n = p[P.FLOOR]
    k, largest, at = p[P.BOXES], p[P.LARGEST], p[P.NEXT]
    region = s.row[int(np.int64(states.keys[at, len(s.key) - 1]))]
    if p[P.CORRALS] and not restrict(k, largest, s, floor, t, region, corral, at):
        return BARRED
    while p[P.ACTION] < 4 * k:
        i, d = int(p[P.ACTION] >> 2), int(p[P.ACTION] & 3)
        p[P.ACTION] += 1
        if p[P.CORRALS] and not corral.masks[i] >> d & 1:
            continue
        stand, behind, to = floor.beside[s.cells[i], d ^ 1], int(s.cells[i]), int(floor.beside[s.cells[i], d])
        if stand == n or s.row[stand] != region:
            continue
        while to < n and s.row[to] != 255:
            p[P.STAND] = behind
            fault = judge(p, floor, states, t, s, scratch, i, to)
            if fault:
                p[P.ACTION] -= 1
                return fault
            if p[P.OBJECTIVE] != 1:
                break
            behind, to = to, int(floor.beside[to, d])
    return 0


@kernel("b1(i8[::1], Floor, Listed, InHand, i8)")
def too_cheap(p: I8, floor: Floor, states: Listed, s: InHand, on_goals: int) -> bool:
    """Return whether a state that costs less than claimed is solved, so many of its boxes being on goals.

    A pattern that costs at least x, prices included, is listed with the cost CLAIMED_COST - x, so a successor needs x - 1 at
    least. One all of whose boxes stand on goals costs the prices of these goals at most.
    """
    if p[P.PATTERNS] == 0:
        return bool(on_goals == p[P.GOALS_TO_FILL])
    if on_goals < p[P.BOXES]:
        return False
    unpaid = p[P.CLAIMED_COST] - states.cost[p[P.NEXT]]
    for i in range(on_goals):
        unpaid -= floor.price[s.cells[i]]
    return bool(unpaid > 0)


@kernel("i8(i8[::1], Floor, Listed, GroupTables, InHand, Corral, GroupScratch)")
def check(p: I8, floor: Floor, states: Listed, t: GroupTables, s: InHand, corral: Corral, scratch: GroupScratch) -> int:
    """Check states from place NEXT up to END of the list; return 0 or a fault, NEXT being where.

    Args:
        p: Registers, see ``P``.
        floor: The board.
        states: The list.
        t: The tables, if there are any.
        s: Scratch with the goals.
        corral: The areas of the states, if the list has corrals, and scratch.
        scratch: Scratch of the tables.
    """
    while p[P.NEXT] < p[P.END]:
        on_goals = take(p, floor, states, s)
        if states.cost[p[P.NEXT]] < p[P.CLAIMED_COST]:
            if too_cheap(p, floor, states, s, on_goals):
                return SOLVED
            components(p[P.FLOOR], p[P.BOXES], s.cells, floor.beside, s.row, scratch.stack)
            fault = 0
            if p[P.OBJECTIVE] == 2:
                fault = judge_steps(p, floor, states, t, s, scratch)
            else:
                fault = judge_pushes(p, floor, states, t, s, corral, scratch)
            if fault:
                return fault
        p[P.ACTION] = 0
        p[P.NEXT] += 1
    return 0
