"""The check of a list of states for a tie-break, compiled: pushes first, then moves, each state with the player's cell.

A successor is one push further: the walk to it is counted, no state stands in the middle of one. Costs are pairs, compared by
pushes, then by moves. docs/certificates.md (The theorem) has the argument.
"""

from __future__ import annotations

import numpy as np

from sokoasp.core.kernels import kernel
from sokoasp.proof.closed_kernel import least_left, make_key, slot_of, take
from sokoasp.proof.group_kernel import components
from sokoasp.proof.kernel_records import Fault, Floor, InHand, Listed, Memory, Pass, Tables, Walked

WALLED = 255
"""Stands in a row of components on boxes and walls."""


@kernel("b1(Pass, i8, i8)")
def no_cheaper(p: Pass, pushes: int, moves: int) -> bool:
    """Return whether no plan of that many pushes and moves is cheaper than what is claimed."""
    return bool(pushes > p.claimed_pushes or (pushes >= p.cost_to_refute and moves >= p.claimed_moves))


@kernel("void(Pass, Floor, InHand, Walked, i8)")
def walk(p: Pass, floor: Floor, s: InHand, walked: Walked, player: int) -> None:
    """Count the steps from the player's cell to each it can walk to."""
    n, steps, todo = p.floor_cells, walked.steps, walked.todo
    for c in range(n + 1):
        steps[c] = -1
    steps[player], todo[0], first, last = 0, player, 0, 1
    while first < last:
        c = todo[first]
        first += 1
        for d in range(4):
            to = int(floor.beside[c, d])
            if to < n and s.row[to] != WALLED and steps[to] < 0:
                steps[to] = steps[c] + 1
                todo[last] = to
                last += 1


@kernel("i8(Pass, Floor, Listed, Tables, InHand, Memory, Walked, i8)")
def arrive(
    p: Pass, floor: Floor, states: Listed, t: Tables, s: InHand, scratch: Memory, walked: Walked, push: int
) -> int:
    """Look at the successor by a push, four times the box's place plus the direction; return 0 or a fault."""
    i, d = push >> 2, push & 3
    to, steps = int(floor.beside[s.cells[i], d]), int(walked.steps[floor.beside[s.cells[i], d ^ 1]])
    if floor.index_of[to] < 0:
        return 0
    at = p.next
    pushes, moves = int(states.cost[at]) + 1, int(walked.moves[at]) + steps + 1
    p.stand = s.cells[i]
    make_key(p, floor, states, s, scratch, i, to)
    there = states.slots[slot_of(s.key, states.keys, states.slots)]
    if there >= 0:
        fewer = states.cost[there] + p.claimed_pushes + 1 - p.cost_to_refute <= pushes
        if fewer or (states.cost[there] <= pushes and walked.moves[there] <= moves):
            return 0
        return Fault.LONGER
    least = least_left(p, floor, t, s, scratch, int(p.claimed_pushes + 1 - pushes + p.paid))
    if no_cheaper(p, pushes + least, moves + least):
        return 0
    return Fault.OPEN


@kernel("i8(Pass, Floor, Listed, Tables, InHand, Memory, Walked)")
def judge_walks(p: Pass, floor: Floor, states: Listed, t: Tables, s: InHand, scratch: Memory, walked: Walked) -> int:
    """Look at all successors by a walk and a push; return 0 or a fault."""
    n, player = p.floor_cells, int(np.int64(states.keys[p.next, len(s.key) - 1]))
    components(n, p.boxes, s.cells, floor.beside, s.row, scratch.stack)
    walk(p, floor, s, walked, player)
    while p.action < 4 * p.boxes:
        push = p.action
        i, d = push >> 2, push & 3
        p.action += 1
        stand, to = int(floor.beside[s.cells[i], d ^ 1]), int(floor.beside[s.cells[i], d])
        if stand == n or walked.steps[stand] < 0 or to == n or s.row[to] == WALLED:
            continue
        fault = arrive(p, floor, states, t, s, scratch, walked, push)
        if fault:
            p.action = push
            return fault
    return 0


@kernel("i8(Pass, Floor, Listed, Tables, InHand, Memory, Walked)")
def check_ties(p: Pass, floor: Floor, states: Listed, t: Tables, s: InHand, scratch: Memory, walked: Walked) -> int:
    """Check states from place NEXT up to END of the list, as ``closed_kernel.check`` does; return 0 or a fault."""
    while p.next < p.end:
        on_goals, at = take(p, floor, states, s), p.next
        if not no_cheaper(p, int(states.cost[at]), int(walked.moves[at])):
            if on_goals == p.goals_to_fill:
                return Fault.SOLVED
            fault = judge_walks(p, floor, states, t, s, scratch, walked)
            if fault:
                return fault
        p.action = 0
        p.next += 1
    return 0
