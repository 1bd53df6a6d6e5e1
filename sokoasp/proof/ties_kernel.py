"""The check of a list of states for a tie-break, compiled: pushes first, then moves, each state with the player's cell.

A successor is one push further: the walk to it is counted, no state stands in the middle of one. Costs are pairs, compared by
pushes, then by moves. docs/certificates.md (The theorem) has the argument.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sokoasp.core.kernels import kernel, record
from sokoasp.core.kernels.arrays import I4, I8
from sokoasp.proof.closed_kernel import LONGER, OPEN, SOLVED, Listed, P, least_left, make_key, slot_of, take
from sokoasp.proof.corral_kernel import InHand
from sokoasp.proof.group_kernel import Floor, GroupScratch, GroupTables, components

WALLED = 255
"""Stands in a row of components on boxes and walls."""


@record
class Walked(NamedTuple):
    """Moves of the states of a list, and the walk in hand."""

    moves: I4
    """(capacity): moves from the start at most; the list's costs are pushes."""
    steps: I4
    """(n+1): steps from the player's cell, -1 where the player cannot walk to."""
    todo: I4
    """(n+1): cells to go on from."""


@kernel("b1(i8[::1], i8, i8)")
def no_cheaper(p: I8, pushes: int, moves: int) -> bool:
    """Return whether no plan of that many pushes and moves is cheaper than what is claimed."""
    return bool(pushes > p[P.CLAIMED_PUSHES] or (pushes >= p[P.COST_TO_REFUTE] and moves >= p[P.CLAIMED_MOVES]))


@kernel("void(i8[::1], Floor, InHand, Walked, i8)")
def walk(p: I8, floor: Floor, s: InHand, walked: Walked, player: int) -> None:
    """Count the steps from the player's cell to each it can walk to."""
    n, steps, todo = p[P.FLOOR], walked.steps, walked.todo
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


@kernel("i8(i8[::1], Floor, Listed, GroupTables, InHand, GroupScratch, Walked, i8)")
def arrive(
    p: I8, floor: Floor, states: Listed, t: GroupTables, s: InHand, scratch: GroupScratch, walked: Walked, push: int
) -> int:
    """Look at the successor by a push, four times the box's place plus the direction; return 0 or a fault."""
    i, d = push >> 2, push & 3
    to, steps = int(floor.beside[s.cells[i], d]), int(walked.steps[floor.beside[s.cells[i], d ^ 1]])
    if floor.index_of[to] < 0:
        return 0
    at = p[P.NEXT]
    pushes, moves = int(states.cost[at]) + 1, int(walked.moves[at]) + steps + 1
    p[P.STAND] = s.cells[i]
    make_key(p, floor, states, s, scratch, i, to)
    there = states.slots[slot_of(s.key, states.keys, states.slots)]
    if there >= 0:
        fewer = states.cost[there] + p[P.CLAIMED_PUSHES] + 1 - p[P.COST_TO_REFUTE] <= pushes
        if fewer or (states.cost[there] <= pushes and walked.moves[there] <= moves):
            return 0
        return LONGER
    least = least_left(p, floor, t, s, scratch, int(p[P.CLAIMED_PUSHES] + 1 - pushes + p[P.PAID]))
    if no_cheaper(p, pushes + least, moves + least):
        return 0
    return OPEN


@kernel("i8(i8[::1], Floor, Listed, GroupTables, InHand, GroupScratch, Walked)")
def judge_walks(
    p: I8, floor: Floor, states: Listed, t: GroupTables, s: InHand, scratch: GroupScratch, walked: Walked
) -> int:
    """Look at all successors by a walk and a push; return 0 or a fault."""
    n, player = p[P.FLOOR], int(np.int64(states.keys[p[P.NEXT], len(s.key) - 1]))
    components(n, p[P.BOXES], s.cells, floor.beside, s.row, scratch.stack)
    walk(p, floor, s, walked, player)
    while p[P.ACTION] < 4 * p[P.BOXES]:
        push = int(p[P.ACTION])
        i, d = push >> 2, push & 3
        p[P.ACTION] += 1
        stand, to = int(floor.beside[s.cells[i], d ^ 1]), int(floor.beside[s.cells[i], d])
        if stand == n or walked.steps[stand] < 0 or to == n or s.row[to] == WALLED:
            continue
        fault = arrive(p, floor, states, t, s, scratch, walked, push)
        if fault:
            p[P.ACTION] = push
            return fault
    return 0


@kernel("i8(i8[::1], Floor, Listed, GroupTables, InHand, GroupScratch, Walked)")
def check_ties(
    p: I8, floor: Floor, states: Listed, t: GroupTables, s: InHand, scratch: GroupScratch, walked: Walked
) -> int:
    """Check states from place NEXT up to END of the list, as ``closed_kernel.check`` does; return 0 or a fault."""
    while p[P.NEXT] < p[P.END]:
        on_goals, at = take(p, floor, states, s), p[P.NEXT]
        if not no_cheaper(p, int(states.cost[at]), int(walked.moves[at])):
            if on_goals == p[P.GOALS_TO_FILL]:
                return SOLVED
            fault = judge_walks(p, floor, states, t, s, scratch, walked)
            if fault:
                return fault
        p[P.ACTION] = 0
        p[P.NEXT] += 1
    return 0
