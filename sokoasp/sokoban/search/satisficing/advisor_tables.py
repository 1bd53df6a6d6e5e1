"""Tables that guide a search, compiled: what a lone box reaches among walls, which boxes stand in others' way, links of rooms."""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4, I8, U1
from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing.macro_moves import blocks, journeys, place
from sokoasp.sokoban.search.satisficing.macro_registers import V, W


@kernel("i8(i4[:,::1], u1[::1], i8, i8, i8, i4[:,::1], i8, i8[::1])")
def serve(neighbour: I4, walls: U1, live: int, cell: int, stamp: int, w: I4, bit: int, reach: I8) -> int:
    """Set a bit on all cells from which a lone box gets to ``cell``, the player on any side at either end.

    ``walls`` is 1 on cells that are closed for box and player, the sentinel included; boxes stay on cells below ``live``.
    With the ``stamp`` of an earlier call what that has found is not followed again. Returns how many places were found.
    """
    total = 0
    if walls[cell]:
        return 0
    blocks(neighbour, walls, cell, w)
    reach[cell] |= bit
    for d in range(4):
        label = w[W.LABEL, 4 * cell + d]
        if label > 0 and place(w, cell, label) == 4 * cell + d:
            found = journeys(neighbour, walls, live, 4 * cell + d, 15, 1, stamp, w)
            for i in range(found):
                reach[w[W.QUEUE, i] >> 2] |= bit
            total += found
    return total


@kernel("i8(i4[:,::1], u1[::1], i8, i4[::1], i8, i4[:,::1], i8[:,::1])")
def goal_reach(neighbour: I4, walls: U1, live: int, goals: I4, stamp: int, w: I4, reach: I8) -> int:
    """Tabulate which goals a lone box reaches from each cell among these walls.

    ``reach`` (words of ``at.BITS`` goals, cells) gets the bits. Stamps from ``stamp`` on are used, one a goal.
    """
    for word in range(len(reach)):
        for c in range(len(walls)):
            reach[word, c] = 0
    for g in range(len(goals)):
        serve(neighbour, walls, live, goals[g], stamp + g, w, 1 << (g % at.BITS), reach[g // at.BITS])
    return stamp + len(goals)


@kernel("i8(i4[::1], i8, i8)")
def bit_of(goals: I4, cell: int, word: int) -> int:
    """Return the bit of the goal on a cell in this word, 0 if there is none."""
    for g in range(at.BITS * word, min(len(goals), at.BITS * word + at.BITS)):
        if goals[g] == cell:
            return 1 << (g % at.BITS)
    return 0


@kernel("i8(i4[:,::1], u1[::1], i8, i4[::1], i8, i4[:,::1], i8[:,:,::1], i8[:,::1])")
def hotspots(neighbour: I4, walls: U1, live: int, goals: I4, stamp: int, w: I4, both: I8, spots: I8) -> int:
    """Set in ``spots[b]`` the bits of the cells ``a`` from which a lone box loses goals when ``b`` becomes a wall.

    ``spots`` has words of ``at.BITS`` cells, all 0 before; ``both`` is scratch for two tables of ``goal_reach``.
    Returns the next stamp.
    """
    free, reach = both[0], both[1]
    stamp = goal_reach(neighbour, walls, live, goals, stamp, w, free)
    for b in range(live):
        walls[b] = 1
        stamp = goal_reach(neighbour, walls, live, goals, stamp, w, reach)
        walls[b] = 0
        for a in range(live):
            lost = False
            for word in range(len(free)):
                # the goal under the wall is taken, not lost
                lost = lost or (free[word, a] & ~reach[word, a] & ~bit_of(goals, b, word)) != 0
            if a != b and lost:
                spots[b, a // at.BITS] |= 1 << (a % at.BITS)
    return stamp


@kernel("i8(i4[:,::1], u1[::1], i8, i4[:,::1], i8, i4[:,::1], i8[::1], u1[:,::1])")
def basins(neighbour: I4, walls: U1, live: int, order: I4, stamp: int, w: I4, reach: I8, basin: U1) -> int:
    """Fill ``basin[p, cell]``: 1 where a lone box can get to the cell of step p or a later one.

    Boxes that the steps before p have put down for good are walls. Return the next stamp.
    """
    steps = len(order)
    for p in range(steps):
        for c in range(len(reach)):
            reach[c] = 0
        for q in range(p):
            if order[q, 2] >= steps:
                walls[order[q, 1]] = 1
        for q in range(p, steps):
            serve(neighbour, walls, live, order[q, 1], stamp, w, 1, reach)
        stamp += 1
        for q in range(p):
            walls[order[q, 1]] = 0
        for c in range(live):
            basin[p, c] = reach[c] != 0
    for c in range(live):
        basin[steps, c] = 1
    return stamp


@kernel("i8(i4[:,::1], u1[::1], i8, i8, i4[:,::1], i8[::1], u1[:,::1])")
def lone_ways(neighbour: I4, walls: U1, live: int, stamp: int, w: I4, reach: I8, lone: U1) -> int:
    """Fill ``lone[a, b]``: 1 where a lone box on ``a`` can be pushed to ``b``; return the next stamp."""
    for b in range(live):
        for a in range(live):
            reach[a] = 0
        serve(neighbour, walls, live, b, stamp + b, w, 1, reach)
        for a in range(live):
            lone[a, b] = reach[a]
    return stamp + live


@kernel("void(i4[:,::1], u1[::1], i8, u1[::1], i4[::1], i4[::1])")
def apart(neighbour: I4, walls: U1, live: int, served: U1, steps: I4, queue: I4) -> None:
    """Write the pushes (the player anywhere) from the nearest cell that is not ``served`` to every cell, -1 without a way."""
    tail = 0
    for c in range(len(walls)):
        steps[c] = -1
        if c < live and served[c] == 0 and walls[c] == 0:
            steps[c] = 0
            queue[tail] = c
            tail += 1
    head = 0
    while head < tail:
        cell = queue[head]
        head += 1
        for d in range(4):
            to = neighbour[cell, d]
            if to < live and steps[to] < 0 and walls[to] == 0 and walls[neighbour[cell, d ^ 1]] == 0:
                steps[to] = steps[cell] + 1
                queue[tail] = to
                tail += 1


@kernel("i8(i4[:,::1], u1[::1], i4[:,::1], i4[:,::1], i8, i4[:,::1], i8)")
def join(neighbour: I4, occ: U1, rooms: I4, links: I4, first: int, v: I4, stamp: int) -> int:
    """Note which links of a passage are not cut by boxes, in column 4 of ``links``: one flood for all of them.

    Arguments are those of :func:`broken`; ``first`` is the number of the passage's first link.

    Returns:
        The number of the next passage's first link.
    """
    way, mark, met, queue, last = links[first, 0], v[V.LINKED], v[V.MET], v[V.QUEUE], first
    while last < len(links) and links[last, 0] == way:
        links[last, 4] = 0
        last += 1
    for c in range(len(occ) - 1):
        if rooms[1, c] != way or occ[c] or mark[c] == stamp:
            continue
        # an area of the passage's free floor: which rooms does it touch?
        for i in range(first, last):
            met[links[i, 1]] = met[links[i, 2]] = 0
        mark[c] = stamp
        queue[0] = c
        head, tail = 0, 1
        while head < tail:
            cell = queue[head]
            head += 1
            for d in range(4):
                to = neighbour[cell, d]
                if occ[to]:
                    continue
                met[rooms[0, to]] = 1
                if rooms[1, to] == way and mark[to] != stamp:
                    mark[to] = stamp
                    queue[tail] = to
                    tail += 1
        for i in range(first, last):
            links[i, 4] |= met[links[i, 1]] & met[links[i, 2]]
    return last


@kernel("i8(i4[:,::1], u1[::1], i4[:,::1], i4[:,::1], i4[:,::1], i8)")
def broken(neighbour: I4, occ: U1, rooms: I4, links: I4, v: I4, stamp: int) -> int:
    """Count the links of rooms that boxes have cut, and note which they are.

    Args:
        neighbour: Cell beside a cell.
        occ: 1 on boxes and the wall sentinel.
        rooms: Number of the room of a cell, 0 outside; number of its passage, 0 inside rooms.
        links: As :class:`~sokoasp.sokoban.search.satisficing.macro_registers.Guides` has them.
        v: Scratch by cell, its rows as in ``macro_registers.V``.
        stamp: A number never used before in ``V.LINKED``.
    """
    cut, i = 0, 0
    while i < len(links):
        last = join(neighbour, occ, rooms, links, i, v, stamp)
        for j in range(i, last):
            links[j, 3] = links[j, 4]
            cut += 1 - links[j, 3]
        i = last
    return cut


@kernel("i8(i4[:,::1], u1[::1], i4[:,::1], i4[:,::1], i8, i4[:,::1], i8)")
def cut_by(neighbour: I4, occ: U1, rooms: I4, links: I4, box: int, v: I4, stamp: int) -> int:
    """Count the links that a box has cut which was put on the board after :func:`broken`: only those it stands in or beside."""
    cut, i = 0, 0
    while i < len(links):
        near = rooms[1, box] == links[i, 0]
        for d in range(4):
            near = near or rooms[1, neighbour[box, d]] == links[i, 0]
        last = i + 1
        if near:
            last = join(neighbour, occ, rooms, links, i, v, stamp)
            for j in range(i, last):
                cut += links[j, 3] & ~links[j, 4]
        i = last
    return cut
