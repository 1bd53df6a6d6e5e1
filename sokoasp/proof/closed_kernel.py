"""The check of a closed list of states, compiled: every successor is in the list or has a bound that is high enough."""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, U8
from sokoasp.proof.corral_kernel import restrict
from sokoasp.proof.group_kernel import components
from sokoasp.proof.kernel_records import NEVER, Corral, Fault, Floor, InHand, Listed, Memory, Pass, Tables
from sokoasp.proof.wall_kernel import best_bound


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


@kernel("i8(Pass, Floor, Listed, InHand)")
def take(p: Pass, floor: Floor, states: Listed, s: InHand) -> int:
    """Read the next state of the list; return how many of its boxes stand on goals (how many there are: BOXES)."""
    count, on_goals = 0, 0
    for b in range(64 * (states.keys.shape[1] - 1)):
        if (states.keys[p.next, b >> 6] >> np.uint64(b & 63)) & np.uint64(1):
            s.boxes[count] = b
            s.cells[count] = floor.floor_of[b]
            on_goals += s.goal[s.cells[count]]
            count += 1
    p.boxes = count
    return on_goals


@kernel("void(Pass, Floor, Listed, InHand, Memory, i8, i8)")
def make_key(p: Pass, floor: Floor, states: Listed, s: InHand, scratch: Memory, i: int, to: int) -> None:
    """Write the key of the successor in which box ``i`` (-1: none) stands on a floor cell, and the player on STAND."""
    key, words = s.key, len(s.key) - 1
    for w in range(words):
        key[w] = states.keys[p.next, w]
    if i >= 0:
        old, new = np.uint64(s.boxes[i]), np.uint64(floor.index_of[to])
        key[old >> np.uint64(6)] &= ~(np.uint64(1) << (old & np.uint64(63)))
        key[new >> np.uint64(6)] |= np.uint64(1) << (new & np.uint64(63))
    place = p.stand
    if p.objective != 2:
        kept = s.cells[i]
        s.cells[i] = to
        components(p.floor_cells, p.boxes, s.cells, floor.beside, s.after, scratch.stack)
        s.cells[i] = kept
        part = s.after[p.stand]
        place = 0
        while s.after[place] != part:
            place += 1
    key[words] = np.uint64(place)


@kernel("i8(Pass, Floor, Tables, InHand, Memory, i8)")
def least_left(p: Pass, floor: Floor, t: Tables, s: InHand, scratch: Memory, wanted: int) -> int:
    """Return a lower bound on what the state of ``s.key`` costs; with prices ``wanted`` is no less than any more."""
    x, on = 0, 0
    for b in range(64 * (len(s.key) - 1)):
        if (s.key[b >> 6] >> np.uint64(b & 63)) & np.uint64(1):
            s.sorted[x] = b
            on += s.goal[floor.floor_of[b]]
            x += 1
    if p.largest == 0:
        return 0 if on == p.goals_to_fill else 1
    least = best_bound(p.boxes, p.largest, s.sorted, p.stand, wanted, t, scratch)
    return 1 << 40 if least >= NEVER else least - p.paid


@kernel("i8(Pass, Floor, Tables, InHand, Memory, i8)")
def least_ahead(p: Pass, floor: Floor, t: Tables, s: InHand, scratch: Memory, cost: int) -> int:
    """Return a lower bound on what the successor of a state that costs ``cost`` still costs."""
    if p.largest == 0 and cost + 2 < p.claimed_cost:
        return 0
    return least_left(p, floor, t, s, scratch, int(p.claimed_cost - cost - 1 + p.paid))


@kernel("i8(Pass, Floor, Listed, Tables, InHand, Memory, i8, i8)")
def judge(p: Pass, floor: Floor, states: Listed, t: Tables, s: InHand, scratch: Memory, i: int, to: int) -> int:
    """Look at the successor in which box ``i`` stands on a cell and the player on STAND; return 0 or a fault."""
    if i >= 0 and floor.index_of[to] < 0:
        return 0
    cost = int(states.cost[p.next])
    make_key(p, floor, states, s, scratch, i, to)
    there = states.slots[slot_of(s.key, states.keys, states.slots)]
    if there >= 0 and (p.patterns == 0 or states.cost[there] <= cost + 1):
        return Fault.LONGER if states.cost[there] > cost + 1 else 0
    if cost + 1 + least_ahead(p, floor, t, s, scratch, cost) >= p.claimed_cost:
        return 0
    return Fault.OPEN


@kernel("i8(Pass, Floor, Listed, Tables, InHand, Memory)")
def judge_steps(p: Pass, floor: Floor, states: Listed, t: Tables, s: InHand, scratch: Memory) -> int:
    """Look at all successors by one move of the player, pushing or not; return 0 or a fault."""
    n, player = p.floor_cells, int(np.int64(states.keys[p.next, len(s.key) - 1]))
    while p.action < 4:
        d = p.action
        p.action += 1
        to, pushed = int(floor.beside[player, d]), -1
        if to == n:
            continue
        for j in range(p.boxes):
            if s.cells[j] == to:
                pushed = j
        p.stand = to
        if pushed >= 0:
            to = int(floor.beside[to, d])
            if to == n or s.row[to] == 255:
                continue
        fault = judge(p, floor, states, t, s, scratch, pushed, to)
        if fault:
            p.action = d
            return fault
    return 0


@kernel("i8(Pass, Floor, Listed, Tables, InHand, Corral, Memory)")
def judge_pushes(p: Pass, floor: Floor, states: Listed, t: Tables, s: InHand, corral: Corral, scratch: Memory) -> int:
    """Look at the successors by one push (line push), all or those of the state's corral; return 0 or a fault."""
    n = p.floor_cells
    k, largest, at = p.boxes, p.largest, p.next
    region = s.row[int(np.int64(states.keys[at, len(s.key) - 1]))]
    if p.corrals and not restrict(k, largest, s, floor, t, region, corral, at):
        return Fault.BARRED
    while p.action < 4 * k:
        i, d = int(p.action >> 2), int(p.action & 3)
        p.action += 1
        if p.corrals and not corral.masks[i] >> d & 1:
            continue
        stand, behind, to = floor.beside[s.cells[i], d ^ 1], int(s.cells[i]), int(floor.beside[s.cells[i], d])
        if stand == n or s.row[stand] != region:
            continue
        while to < n and s.row[to] != 255:
            p.stand = behind
            fault = judge(p, floor, states, t, s, scratch, i, to)
            if fault:
                p.action -= 1
                return fault
            if p.objective != 1:
                break
            behind, to = to, int(floor.beside[to, d])
    return 0


@kernel("b1(Pass, Floor, Listed, InHand, i8)")
def too_cheap(p: Pass, floor: Floor, states: Listed, s: InHand, on_goals: int) -> bool:
    """Return whether a state that costs less than claimed is solved, so many of its boxes being on goals.

    A pattern that costs at least x, prices included, is listed with the cost CLAIMED_COST - x, so a successor needs x - 1 at
    least. One all of whose boxes stand on goals costs the prices of these goals at most.
    """
    if p.patterns == 0:
        return bool(on_goals == p.goals_to_fill)
    if on_goals < p.boxes:
        return False
    unpaid = p.claimed_cost - states.cost[p.next]
    for i in range(on_goals):
        unpaid -= floor.price[s.cells[i]]
    return bool(unpaid > 0)


@kernel("i8(Pass, Floor, Listed, Tables, InHand, Corral, Memory)")
def check(p: Pass, floor: Floor, states: Listed, t: Tables, s: InHand, corral: Corral, scratch: Memory) -> int:
    """Check states from place NEXT up to END of the list; return 0 or a fault, NEXT being where."""
    while p.next < p.end:
        on_goals = take(p, floor, states, s)
        if states.cost[p.next] < p.claimed_cost:
            if too_cheap(p, floor, states, s, on_goals):
                return Fault.SOLVED
            components(p.floor_cells, p.boxes, s.cells, floor.beside, s.row, scratch.stack)
            fault = 0
            if p.objective == 2:
                fault = judge_steps(p, floor, states, t, s, scratch)
            else:
                fault = judge_pushes(p, floor, states, t, s, corral, scratch)
            if fault:
                return fault
        p.action = 0
        p.next += 1
    return 0
