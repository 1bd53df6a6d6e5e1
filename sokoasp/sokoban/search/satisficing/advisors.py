"""Advisors: which children of a state a search tries without paying for them, compiled.

They are those of FESS (Shoham and Schaeffer 2020), in two readings: ours, and by the rules of ``macro_registers`` that of its
program Festival.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.jit import kernel
from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing.macro_registers import C, M, V

if TYPE_CHECKING:
    from sokoasp.sokoban.search.satisficing.macro_registers import I4, I8, Children, Guides, I4x2


@kernel("void(i4[:,::1], i8, i4[:,::1])")
def walk_through(neighbour: I4x2, goal: int, v: I4x2) -> None:
    """Write the steps on foot (through boxes) from a cell to every cell into ``v[V.AFOOT]``."""
    n = len(neighbour) - 1
    for c in range(n):
        v[V.AFOOT, c] = -1
    v[V.AFOOT, n] = 0
    v[V.AFOOT, goal] = 0
    v[V.QUEUE, 0] = goal
    # breadth first; the row beyond the floor stands for walls and counts as visited
    head, tail = 0, 1
    while head < tail:
        cell = v[V.QUEUE, head]
        head += 1
        for d in range(4):
            to = neighbour[cell, d]
            if v[V.AFOOT, to] < 0:
                v[V.AFOOT, to] = v[V.AFOOT, cell] + 1
                v[V.QUEUE, tail] = to
                tail += 1


@kernel("i8(i4[::1], i8[::1], i4[:,::1], i4[:,::1])")
def nearest(boxes: I4, r: I8, order: I4x2, v: I4x2) -> int:
    """Return the box nearest on foot, after :func:`walk_through`, that the packing order does not hold, -1 if it holds all."""
    p, best = r[M.NEXT], -1
    for i in range(len(boxes)):
        # a box is held where an earlier step has put it and no step before p takes it away again
        held = False
        for q in range(p):
            held = held or (order[q, 1] == boxes[i] and order[q, 2] >= p)
        if not held and (best < 0 or v[V.AFOOT, boxes[i]] < v[V.AFOOT, best]):
            best = boxes[i]
    return best


@kernel("i8(i8, i8[::1], i4[:,::1], Children)")
def packer(count: int, r: I8, order: I4x2, children: Children) -> int:
    """Return the child after which more cells are filled, best the one that does the next step as the order says."""
    out, keys = children.out, children.keys
    p, best, exact = r[M.NEXT], -1, False
    for i in range(count):
        if out[i, C.FILLED] > r[M.FILLED + at.PARENT]:
            # the push that the packing order has next goes before any other that fills a cell
            match = p < len(order) and order[p, 0] == out[i, C.FROM] and order[p, 1] == out[i, C.TO]
            if best < 0 or (match and not exact) or (match == exact and keys[i, 1] < keys[best, 1]):
                best, exact = i, match
    return best


@kernel("i8(i8, i8, i8, i8, Children)")
def fewest(count: int, floor: int, feature: int, least: int, children: Children) -> int:
    """Return the child with the fewest of a bad feature, less than ``least``, and at least ``floor`` cells filled."""
    out, keys = children.out, children.keys
    best = -1
    for i in range(count):
        value = out[i, C.FILLED - M.FILLED + feature]
        if out[i, C.FILLED] >= floor and (
            value < least or (best >= 0 and value == least and keys[i, 1] < keys[best, 1])
        ):
            best, least = i, value
    return best


@kernel("b1(i8[::1], i8, i8, i8, i8, Children)")
def no_worse(r: I8, i: int, first: int, last: int, floor: int, children: Children) -> bool:
    """Return whether a child has at least ``floor`` cells filled and no more of the bad features ``first`` to ``last``."""
    fine = children.out[i, C.FILLED] >= floor
    for f in range(first, last + 1):
        fine = fine and children.out[i, C.FILLED - M.FILLED + f] <= r[f + at.PARENT]
    return bool(fine)


@kernel("i8(i8, i4[::1], i8[::1], i4[:,::1], i4[:,::1], Children)")
def opener(count: int, boxes: I4, r: I8, v: I4x2, order: I4x2, children: Children) -> int:
    """Return the child that takes a box away from the next cell, no feature worse, after :func:`walk_through` from there.

    Ours takes the nearest box only. Festival's takes the nearest that can be taken, as far as it goes, and is silent where the
    next step can be done.
    """
    out, keys = children.out, children.keys
    p, anyone = r[M.FILLED + at.PARENT], r[M.RULES] & at.OPENER
    blocker, best = nearest(boxes, r, order, v), -1
    if anyone and r[M.NEXT] < r[M.UNORDERED]:
        return -1
    for i in range(count):
        came, to = out[i, C.FROM], out[i, C.TO]
        if anyone:
            # where a cell can be filled nothing has to be opened
            if out[i, C.FILLED] > p:
                return -1
            nearer = v[V.AFOOT, came] - v[V.AFOOT, out[best, C.FROM]]
            farther = v[V.AFOOT, to] > v[V.AFOOT, out[best, C.TO]]
            better = best < 0 or nearer < 0 or (nearer == 0 and farther)
            fine = v[V.AFOOT, to] >= v[V.AFOOT, came] and no_worse(r, i, M.REGIONS, M.BROKEN, p, children)
        else:
            better = best < 0 or keys[i, 1] < keys[best, 1]
            fine = (
                came == blocker and v[V.AFOOT, to] > v[V.AFOOT, came] and no_worse(r, i, M.ASTRAY, M.HOT, p, children)
            )
        if fine and better:
            best = i
    return best


@kernel("i8(i8, i8[::1], Guides, Children)")
def explorer(count: int, r: I8, guides: Guides, children: Children) -> int:
    """Return a child that opens something by a push that can be undone.

    Ours brings most sides of boxes into reach, no feature worse (it is silent where they are not counted). Festival's lets
    another box be pushed from a cell not reached before, whatever the features, and a lone box could undo it.
    """
    out, keys = children.out, children.keys
    p, best = r[M.FILLED + at.PARENT], -1
    for i in range(count):
        if r[M.RULES] & at.EXPLORER:
            undone = guides.lone[out[i, C.TO], out[i, C.FROM]]
            fine = out[i, C.FILLED] >= p and undone and out[i, C.OPENS]
            better = best < 0 or keys[i, 1] < keys[best, 1]
        else:
            better = out[i, C.TIE] > (r[M.TIE + at.PARENT] if best < 0 else out[best, C.TIE])
            fine = better and out[i, C.BACK] and no_worse(r, i, M.ASTRAY, M.HOT, p, children)
            fine = fine and r[M.RULES] & at.FAR == 0
        if fine and better:
            best = i
    return best


@kernel("i8(i8, i8[::1], Guides, Children)")
def stray(count: int, r: I8, guides: Guides, children: Children) -> int:
    """Return the child that takes the box nearest to the zone of boxes astray farthest from it; boxes at its rim make room."""
    out = children.out
    p, best, near, far = r[M.NEXT], -1, 0, 0
    floor = r[M.FILLED + at.PARENT]
    for i in range(count if r[M.ASTRAY + at.PARENT] > 0 else 0):
        # pushes from the nearest cell on which a box is astray
        came, to = guides.apart[p, out[i, C.FROM]], guides.apart[p, out[i, C.TO]]
        undone = guides.lone[out[i, C.TO], out[i, C.FROM]]
        fine = undone and came >= 0 and to > came and no_worse(r, i, M.ASTRAY, M.BROKEN, floor, children)
        if fine and (best < 0 or came < near or (came == near and to > far)):
            best, near, far = i, came, to
    return best


@kernel("void(i8, Children)")
def name(child: int, children: Children) -> None:
    """Mark a child as advised; -1 is none."""
    if child >= 0:
        children.out[child, C.ADVISED] = 1


@kernel("void(i8, i4[:,::1], i4[::1], i8[::1], i4[:,::1], Guides, Children)")
def advise(count: int, neighbour: I4x2, boxes: I4, r: I8, v: I4x2, guides: Guides, children: Children) -> None:
    """Mark the children that advisors name, each at most one: the next step, fewer of a bad feature, opener, explorer."""
    p, rules = r[M.NEXT], r[M.RULES]
    floor = r[M.FILLED + at.PARENT] if rules & at.KEEP else 0
    silent = r[M.SILENT]
    if silent & 1 == 0:
        name(packer(count, r, guides.order, children), children)
    for f in range(M.ASTRAY, M.HOT + 1):
        if silent >> (f - M.FILLED) & 1 == 0 and (f != M.ASTRAY or rules & at.STRAY == 0):
            name(fewest(count, floor, f, r[f + at.PARENT], children), children)
    if p >= len(guides.order):
        return
    walk_through(neighbour, guides.order[p, 1], v)
    if silent & at.OPENS == 0:
        name(opener(count, boxes, r, v, guides.order, children), children)
    if silent & at.EXPLORES == 0:
        name(explorer(count, r, guides, children), children)
    if rules & at.STRAY and silent >> (M.ASTRAY - M.FILLED) & 1 == 0:
        name(stray(count, r, guides, children), children)
