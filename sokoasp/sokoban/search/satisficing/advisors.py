"""Advisors: which children of a state a search tries without paying for them, compiled.

They are those of FESS (Shoham and Schaeffer 2020) as its program Festival has them, but for the opener and the one for links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sokoasp.core.kernels import kernel
from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing.macro_registers import C, MacroRegisters

if TYPE_CHECKING:
    from sokoasp.sokoban.search.satisficing.macro_registers import Children, Guides, I4x2


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


@kernel("i8(i8, MacroRegisters, Guides, Children)")
def explorer(count: int, r: MacroRegisters, guides: Guides, children: Children) -> int:
    """Return a child after which another box can be pushed from a cell not reached before; a lone box could undo its push."""
    out, keys = children.out, children.keys
    p, best = r.parent_filled, -1
    for i in range(count):
        undone = guides.lone[out[i, C.TO], out[i, C.FROM]]
        fine = out[i, C.FILLED] >= p and undone and out[i, C.OPENS]
        if fine and (best < 0 or keys[i, 1] < keys[best, 1]):
            best = i
    return best


@kernel("i8(i8, MacroRegisters, Guides, Children)")
def stray(count: int, r: MacroRegisters, guides: Guides, children: Children) -> int:
    """Return the child that takes the box nearest to the zone of boxes astray farthest from it; boxes at its rim make room."""
    out = children.out
    p, best, near, far = r.next, -1, 0, 0
    for i in range(count if r.parent_astray > 0 else 0):
        # pushes from the nearest cell on which a box is astray
        came, to = guides.apart[p, out[i, C.FROM]], guides.apart[p, out[i, C.TO]]
        undone = guides.lone[out[i, C.TO], out[i, C.FROM]]
        fine = undone and came >= 0 and to > came and out[i, C.FILLED] >= r.parent_filled
        fine = fine and out[i, C.ASTRAY] <= r.parent_astray and out[i, C.REGIONS] <= r.parent_regions
        fine = fine and out[i, C.BROKEN] <= r.parent_broken
        if fine and (best < 0 or came < near or (came == near and to > far)):
            best, near, far = i, came, to
    return best


@kernel("void(i8, Children)")
def name(child: int, children: Children) -> None:
    """Mark a child as advised; -1 is none."""
    if child >= 0:
        children.out[child, C.ADVISED] = 1


@kernel("void(i8, MacroRegisters, Guides, Children)")
def advise(count: int, r: MacroRegisters, guides: Guides, children: Children) -> None:
    """Mark the children that advisors name, each at most one: the next step, fewer of a bad feature, explorer, boxes astray."""
    muted = r.muted
    if muted & at.FILLING == 0:
        name(packer(count, r, guides.order, children), children)
    if muted & at.JOINING == 0:
        name(fewest(count, C.REGIONS, r.parent_regions, children), children)
    if muted & at.COOLING == 0:
        name(fewest(count, C.HOT, r.parent_hot, children), children)
    if r.next >= len(guides.order):
        return
    if muted & at.EXPLORING == 0 and r.rules & at.EXPLORER:
        name(explorer(count, r, guides, children), children)
    if muted & at.STRAYING == 0:
        name(stray(count, r, guides, children), children)
