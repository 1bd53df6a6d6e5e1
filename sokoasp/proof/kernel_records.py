"""What the kernels of certificates work on: records of arrays and of numbers, which ``core.kernels`` makes types of."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from sokoasp.core.kernels import numbers, record
from sokoasp.core.kernels.arrays import I4, I8, U1, U8, I4x2, I8x2, U1x2, U2x3, U8x2

NEVER = 1 << 30
"""What cannot be done. No sum reaches it: a state has at most 60 boxes, an entry that is not NEVER is at most MOST_ENTRY."""
MOST_ENTRY = 29_999
"""Largest finite entry."""
ITEMS = 600
"""Groups with a gain that are looked at in one state; passing over more only weakens the bound."""


class Fault(IntEnum):
    """What is wrong with a state of a list."""

    OPEN = 1
    """The successor of ``InHand.key`` is neither in the list nor bounded."""
    SOLVED = 2
    """It is solved too cheaply."""
    LONGER = 3
    """A successor has a larger cost in the list than its way shows."""
    BARRED = 4
    """Its area is no corral."""


@record
class Floor(NamedTuple):
    """The floor, its n cells in reading order (n stands for walls), and the cells numbered as groups number them."""

    beside: I4x2
    """(n+1, 4): the cell beside a cell."""
    floor_of: I4
    """Floor cell of each numbered cell."""
    index_of: I4
    """(n+1) the other way round, -1 where a box can never come to a goal."""
    price: I4
    """(n+1): price of each goal, -1 elsewhere."""


@record
class Tables(NamedTuple):
    """The tables of groups; sizes stand one after the other."""

    choose: I4x2
    """Binomial coefficients: ``choose[c, q]``."""
    base: I8
    """Number of the first group of each size in the next two."""
    first: I8
    """First entry of each group in ``value``."""
    row_of: I4
    """Row of components of each group."""
    rows: U1x2
    """(rows, n+1): the component of every floor cell, 255 on the group and the wall."""
    value: I4
    """The entries: what the group costs at least, prices included."""
    useful: U8x2
    """At a group, bits of the cells behind its last that make a group with a gain."""
    members: I4x2
    """Numbered cells of each learned pattern, ascending, -1 behind them."""
    inside: U1x2
    """(patterns, n+1): 1 where the player may be."""
    least: I4
    """What each pattern costs at least, prices included."""
    follow: I4
    """The next pattern kept under the same pair of cells, -1 for none."""
    heads: I4x2
    """The first pattern by pair of cells, the larger cell first."""
    fixed: I4x2
    """Numbered cells of the fixed boxes of each record (``walls``), ascending, -1 behind them."""
    less: I4
    """The sum of all prices less the record's; NEVER where the record says that there is no plan."""
    among: U2x3
    """(records, numbered cells, n+1): what a box alone costs there with the player on a cell, the record's prices included."""


@record
class Memory(NamedTuple):
    """Working memory."""

    items: I8x2
    """(4, ITEMS+1)."""
    group: I4
    """(8), as the next two."""
    places: I4
    some: I4
    stack: I4
    """(n+1)."""
    spot: I4
    """(n+1), all 0 between two calls."""


@record
class InHand(NamedTuple):
    """The state in hand and its successor: working memory."""

    boxes: I4
    """(boxes), as the next two: the boxes by their number, their floor cells, the boxes of the successor."""
    cells: I4
    sorted: I4
    key: U8
    """(words+1): the successor."""
    goal: U1
    """(n+1): 1 on goals."""
    row: U1
    """(n+1): components of the floor around the boxes, 255 on boxes and walls; around those of the successor."""
    after: U1


@record
class Corral(NamedTuple):
    """The area in hand: working memory."""

    chosen: U1
    """(256): 1 for the components in it, by their number in a row of components; never for walls and boxes, 255."""
    ring: U1
    """(n+1): 1 on the boxes beside it."""
    masks: I4
    """(boxes): the directions in which each box is to be looked at."""
    areas: I4x2
    """(capacity, width): by state a cell of each component of its area, -1 behind them; all -1 without one."""


@record
class Listed(NamedTuple):
    """The list of states."""

    keys: U8x2
    """(capacity, words+1): bits of the boxes, and the player's cell (for moves; else the smallest of the region)."""
    cost: I4
    """(capacity): cost from the start at most."""
    slots: I4
    """Hash table."""


@numbers
class Pass:
    """The numbers of one pass over a list."""

    next: int = 0
    """The next state."""
    end: int = 0
    """The end of this turn."""
    count: int = 0
    """States in the list."""
    floor_cells: int = 0
    boxes: int = 0
    claimed_cost: int = 0
    """The cost from which nothing need be shown."""
    largest: int = 0
    """Boxes of the largest groups, 0 without tables."""
    paid: int = 0
    """The sum of the goals' prices."""
    objective: int = 0
    """0 pushes, 1 lines, 2 moves."""
    goals_to_fill: int = 0
    """Goals that must hold a box."""
    stand: int = 0
    """The player's cell in the successor."""
    patterns: int = 0
    """The list is of learned patterns: of some boxes each, and a successor may be bounded though it is in the list."""
    corrals: int = 0
    """Of states with an area only the pushes are looked at that its corral allows."""
    cost_to_refute: int = 0
    """Of a tie-break: no plan has fewer pushes; one less than claimed where parity shows the rest."""
    claimed_pushes: int = 0
    """Of a tie-break."""
    claimed_moves: int = 0
    """Of a tie-break."""
    action: int = 0
    """The next action of the state in hand: four times the place of the box, plus the direction. A fault stops at one."""


@record
class Walked(NamedTuple):
    """Moves of the states of a list, and the walk in hand."""

    moves: I4
    """(capacity): moves from the start at most; the list's costs are pushes."""
    steps: I4
    """(n+1): steps from the player's cell, -1 where the player cannot walk to."""
    todo: I4
    """(n+1): cells to go on from."""
