"""Advisors: which children of a state a search tries without paying for them, compiled.

They are those of FESS (Shoham and Schaeffer 2020) as its program Festival has them, but for the explorer and the one for links.
"""

from __future__ import annotations

from sokoasp.core.kernels import kernel
from sokoasp.core.kernels.arrays import I4x2
from sokoasp.sokoban.search.satisficing.macro_registers import Bench, C, Children, Guides, MacroRegisters, V


@kernel("i8(i8, MacroRegisters, i4[:,::1], Children)")
def packer(count: int, r: MacroRegisters, order: I4x2, children: Children) -> int:
    """Return the child after which more cells are filled, best the one that does the next step as the order says."""
    out, keys = children.out, children.keys
    p, best, exact = r.next, -1, False
    for i in range(count):
        if out[i, C.FILLED] > r.parent_filled:
            # the push that the packing order has next goes before any other that fills a cell
            match = p < len(order) and order[p, 0] == out[i, C.FROM] and order[p, 1] == out[i, C.TO]
            if best < 0 or (match and not exact) or (match == exact and keys[i, 1] < keys[best, 1]):
                best, exact = i, match
    return best


@kernel("i8(i8, i8, i8, Children)")
def fewest(count: int, column: int, least: int, children: Children) -> int:
    """Return the child with the fewest of a bad feature, less than ``least``."""
    out, keys = children.out, children.keys
    best = -1
    for i in range(count):
        value = out[i, column]
        if value < least or (best >= 0 and value == least and keys[i, 1] < keys[best, 1]):
            best, least = i, value
    return best


@kernel("void(i4[:,::1], i8, i4[:,::1])")
def walk_through(neighbour: I4x2, goal: int, v: I4x2) -> None:
    """Write the steps on foot (through boxes) from a cell to every cell into ``v[V.AFOOT]``."""
    n = len(neighbour) - 1
    for c in range(n):
        v[V.AFOOT, c] = -1
    # the row beyond the floor stands for walls and counts as visited
    v[V.AFOOT, n] = v[V.AFOOT, goal] = 0
    v[V.QUEUE, 0] = goal
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


@kernel("b1(MacroRegisters, i8, Children)")
def calm(r: MacroRegisters, i: int, children: Children) -> bool:
    """Return whether a child has no fewer cells filled, no more regions and no more cut links."""
    out = children.out
    kept = out[i, C.FILLED] >= r.parent_filled
    return bool(kept and out[i, C.REGIONS] <= r.parent_regions and out[i, C.BROKEN] <= r.parent_broken)


@kernel("i8(i8, MacroRegisters, i4[:,::1], Children)")
def opener(count: int, r: MacroRegisters, v: I4x2, children: Children) -> int:
    """Return the calm child that takes the box nearest to the next cell, after :func:`walk_through` from there, farthest away.

    It names none where a cell can be filled at once, or the next step may be done out of turn.
    """
    out, best, near, far = children.out, -1, 0, 0
    if r.next < r.unordered:
        return -1
    for i in range(count):
        # where a cell can be filled nothing has to be opened
        if out[i, C.FILLED] > r.parent_filled:
            return -1
        came, to = v[V.AFOOT, out[i, C.FROM]], v[V.AFOOT, out[i, C.TO]]
        fine = to >= came and calm(r, i, children)
        if fine and (best < 0 or came < near or (came == near and to > far)):
            best, near, far = i, came, to
    return best


@kernel("i8(i8, MacroRegisters, Guides, Children)")
def stray(count: int, r: MacroRegisters, guides: Guides, children: Children) -> int:
    """Return the child that takes the box nearest to the cells out of plan farthest from them; boxes beside these make room."""
    out = children.out
    p, best, near, far = r.next, -1, 0, 0
    for i in range(count if r.parent_out_of_plan > 0 else 0):
        # pushes from the nearest cell on which a box is out of plan
        came, to = guides.apart[p, out[i, C.FROM]], guides.apart[p, out[i, C.TO]]
        undone = guides.lone[out[i, C.TO], out[i, C.FROM]]
        fine = (
            undone
            and came >= 0
            and to > came
            and out[i, C.OUT_OF_PLAN] <= r.parent_out_of_plan
            and calm(r, i, children)
        )
        if fine and (best < 0 or came < near or (came == near and to > far)):
            best, near, far = i, came, to
    return best


@kernel("void(i8, Children)")
def name(child: int, children: Children) -> None:
    """Mark a child as advised; -1 is none."""
    if child >= 0:
        children.out[child, C.ADVISED] = 1


@kernel("void(i8, MacroRegisters, i4[:,::1], Guides, Bench, Children)")
def advise(count: int, r: MacroRegisters, neighbour: I4x2, guides: Guides, bench: Bench, children: Children) -> None:
    """Mark the children that advisors name, each at most one."""
    name(packer(count, r, guides.order, children), children)
    name(fewest(count, C.REGIONS, r.parent_regions, children), children)
    name(fewest(count, C.HOTSPOTS, r.parent_hotspots, children), children)
    if r.next < len(guides.order):
        walk_through(neighbour, guides.order[r.next, 1], bench.v)
        name(opener(count, r, bench.v, children), children)
        name(stray(count, r, guides, children), children)
