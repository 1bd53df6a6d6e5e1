"""What the compiled search works on: records of arrays and of numbers, which ``core.kernels`` makes types of, and their rows."""

from __future__ import annotations

from enum import IntEnum, unique
from typing import NamedTuple

from sokoasp.core.kernels import numbers, record
from sokoasp.core.kernels.arrays import I1, I2, I4, I8, U1, U8, I2x2, I4x2, I8x2, U1x2, U8x2

LARGEST_SET = 12
"""Boxes of the largest set that is searched for a learned pattern."""

SWEEPS_A_STEP = 4
"""Sweeps of a beam search over all depths after which its horizon is one higher."""


@record
class Ground(NamedTuple):
    """The board: where cells lead to, and where boxes belong. Cells are numbered as in ``push_board``."""

    neighbour: I4x2
    """(n+1, 4): the cell beside a cell in each direction, n for a wall."""
    target: U1
    """(n+1): 1 on the cells the boxes must reach."""


@record
class Patterns(NamedTuple):
    """Pattern databases (``database_kernels``), and what single boxes cost beside them."""

    alone: I4
    """(states): what one box costs, the potential of its target included."""
    binomial: I4x2
    """(live+1, largest+1)."""
    flat: I8
    """(largest+2): number of the first pattern of each size."""
    row_of: I4
    """(patterns): its row of ``rows``."""
    first: I4
    """(patterns): its first entry in ``penalty``."""
    rows: U1x2
    """(rows, n+1): component of the floor around a pattern in which a cell lies."""
    penalty: I1
    """Interaction penalty: what a pattern costs beyond its parts, one entry per component."""
    bits: U8x2
    """(patterns, words): which cells make a pattern of one box more that has a penalty."""


@record
class Learned(NamedTuple):
    """Learned patterns."""

    facts: I4x2
    """Of each its penalty, its size and the next one of the same pair (``pattern_index``)."""
    masks: U8x2
    """Bits of the box cells, then of the player cells, of each."""
    heads: I4x2
    """(live, live): the first one by larger and smaller cell, -1 for none."""


@record
class FrozenWalls(NamedTuple):
    """What follows from boxes that never move again (``frozen_walls``): a table by the set of them, and scratch."""

    neighbour: I4x2
    """As in ``Ground``."""
    goals: I4
    """(boxes): cells of the targets in the order of the columns of ``Bound.dist``."""
    sets: U8x2
    """(slots, 2 words): bits of the set, then of the goals they leave that no push fills; all 0 if unused."""
    detours: I2x2
    """(slots, live * boxes): what a lone box has to travel to each target with those boxes as walls."""
    stays: U1
    """(n+1): scratch; between calls 1 on the wall only."""
    places: I4x2
    """(PLACES, 4 * (n+1)): scratch."""
    table: I4x2
    """(boxes, boxes): scratch."""


@record
class Bound(NamedTuple):
    """What a lower bound needs."""

    side: I4x2
    """(live, n+1): number of the single-box state of a box cell and a player cell."""
    dist: I4x2
    """(states, boxes): what a lone box has to travel to each target."""
    patterns: Patterns
    learned: Learned
    frozen: FrozenWalls
    items: I8x2
    """(PACKING, ITEMS): scratch of ``cost_partitioning``."""


@record
class States(NamedTuple):
    """The stored states: one entry each, and the table and the buckets that find them."""

    keys: U8x2
    """(capacity, words): boxes as bits, the player in the top 16 bits."""
    spent: I2
    """Cost from the start (g)."""
    ahead: I2
    """Lower bound on the cost still to come (h)."""
    came: I4
    """Number of the state it was reached from, -1 for a start."""
    bucket_of: I4
    following: I4
    """The next state of its bucket, -1 at the end."""
    previous: I4
    """The state before it in its bucket, -1 for the first, -2 for a closed state."""
    slots: I4
    """Open-addressing table of state numbers, -1 where empty; a power of two."""
    head: I4
    """The first state of each bucket, -1 where empty."""


@record
class Layers(NamedTuple):
    """The stored states of one side of a breadth-first search, layer after layer, and the table of those of both sides."""

    keys: U8x2
    """(capacity, words): as in ``States``."""
    table: U8x2
    """(slots, words): the same by open addressing, all 0 where empty; the top two bits say which sides know a state."""
    price: I4
    """(256 bytes of a key): what the boxes that a byte stands for cost together at least (``search_tables.cell_prices``)."""


@record
class MoveLayers(NamedTuple):
    """What search in layers of moves has stored: each set of boxes once, with the player's cells of both sides as bits.

    Bits are those of ``Bitboard``, two words each.
    """

    sets: U8x2
    """(capacity, 8): the boxes; where the player was from the start, and from the goals; by halves (the lower one from the start)
    the last entry of this set in a layer, and the number of its last arrival and one more."""
    table: I4
    """Open-addressing table of numbers of box sets, -1 where empty; a power of two."""
    front: U8x2
    """(capacity, 3): number of a box set and the player's cells that are new there in the last complete layer of one side."""
    following: U8x2
    """The front, as above, of the layer in the making."""
    arrivals: U8
    """Pushes that one side made: number of the last one to the same box set and one more (32 bits), bit of the player's cell (8
    bits), depth."""
    out: U8x2
    """(ROOM, 3): box sets of children and the bit of the player's cell; scratch."""
    slots: I8
    """(ROOM): where the table is asked for them; scratch."""


@record
class Bitboard(NamedTuple):
    """A board of at most 128 bits, a bit for each cell: words 0 and 1 of bits 0 to 63 and 64 to 127 (``exact.bitboard``)."""

    floor: U8
    live: U8
    """Where a box may stand."""
    goals: U8
    bits: U8x2
    """(128, 2): one bit each."""
    spread: U8x2
    """(256 bytes of a key, 2): the bits of the boxes that a byte of a key stands for."""
    number: I4
    """(128): cell of a bit."""
    place: I4
    """(n): bit of a cell, or 128 and the number of its pool."""
    bit_of: I4
    """(64): number of a bit by De Bruijn's sequence (``bitboard_kernels.lowest``)."""
    cut: U1
    """(512): 1 where cells of these three by three around a box may not hang together without it."""
    area: U8
    """(3): what was flooded last, and its pools."""
    pool: I4
    """(pools): the smallest cell of each area of cells that have no bit, as no box enters them."""
    shore: U8x2
    """(pools, 2): the bits beside each."""
    facing: U8x2
    """(4 pools, 2): those from which a step in one direction leads into it."""
    faced: U8x2
    """(4, 2): those from which a step in one direction leads into any pool."""
    ends: U8x2
    """(4, 2): those with a live cell on one side of a direction."""
    beside: U8
    """(128): the pools beside a bit."""
    around: I4x2
    """(128, 9): the pools around a bit, three by three, -1 where there is none."""


@record
class Scratch(NamedTuple):
    """Working memory of one search."""

    w: I4x2
    """(len(W), n+2): see ``W``."""
    occ: U1
    """(n+1): 1 on the boxes of the state in hand and on the wall; between calls on the wall only."""
    flag: U1
    """(n+1): as ``occ``, for ``freeze.frozen``."""
    key: U8
    """(words): the packed state in hand."""
    draws: I4
    """Random numbers below 2**30 for the changes of depth (``Registers.drawn``)."""
    depths: I4
    """(costs): how many open states of the layer ``Registers.counted`` each cost so far has."""


@record
class Matching(NamedTuple):
    """A least-cost matching of boxes to targets: for each box its single-box state, and the potentials that prove it least."""

    state: I4
    u: I4
    """(boxes): potentials of the boxes."""
    v: I4
    """(boxes+1): potentials of the targets, never positive."""
    row_of: I4
    """(boxes+1): the box matched to a target, -1 for none."""


@record
class Augmenting(NamedTuple):
    """Scratch of one shortest augmenting path, an entry per target and one more."""

    least: I4
    way: I4
    used: I4


@record
class Areas(NamedTuple):
    """A state as PI-corral pruning sees it, and its scratch."""

    boxes: I4
    occ: U1
    mark: I4
    """By cell: the stamp on the player's region."""
    area: I4
    """By cell: number of the closed area, all 0 between calls."""
    chosen: I4
    """By number of area: 1 for those of the corral in hand."""
    member: I4
    """By cell: 1 on the boxes around it."""
    masks: I4
    """By box: directions of its first pushes."""
    allowed: I4
    """By box: the directions that are left after pruning."""
    queue: I4


@record
class SetSearch(NamedTuple):
    """Working memory of a search of one set of boxes (``pattern_search``)."""

    v: I4x2
    """(len(V), n + LARGEST_SET): see ``V``."""
    occ: U1
    """(n+1): between calls 1 on the wall only; so is ``flag``."""
    flag: U1
    key: U8
    potential: I4
    """(n+1): dual potentials of the targets."""
    nodes: I4x2
    """(capacity, len(N)): see ``N``."""
    links: I4x2
    """(3, capacity): the buckets' links, as in ``States``."""
    slots: I4
    """Hash table, a power of two and more than the capacity."""
    head: I4
    """Buckets."""
    often: I4x2
    """(live, live): how often pairs of cells are seen in states."""


@record
class Filling(NamedTuple):
    """Tables of patterns in the making."""

    neighbour: I4x2
    side: I4x2
    patterns: Patterns
    """As they are so far; the last of its rows is scratch."""
    slots: I4
    """Hash table of rows, a power of two and twice the capacity at least, -1 where empty."""
    used: I8
    """Rows used, entries of ``penalty`` used."""
    cells: I4
    """The pattern in hand, ascending; scratch of ``spread``."""
    some: I4
    """Scratch, as long as ``cells``."""
    queue: I4
    """(n+1): scratch."""
    floor: I4x2
    """(5, n+1): scratch of ``find_cuts``."""


@record
class Seeds(NamedTuple):
    """A breadth-first search over all patterns of one size, from the patterns of targets."""

    seeds: I4x2
    """(count, size+1): patterns of targets, ascending cells and a component, cheapest first."""
    potentials: I4
    """(count): sums of their potentials."""
    cost: I2
    """One entry per pattern and component, FAR in the beginning and where there is no way."""
    queue: I8
    """As long as ``cost``."""
    progress: I8
    """Head and tail of the queue, seeds taken: 0 in the beginning; component and entry of the pattern in hand."""


@numbers
class Registers:
    """The numbers of one best-first search; ``workspace.registers`` sets those of the lower half, which nobody else does."""

    # what changes while a search runs
    count: int = 0
    """States stored."""
    bucket: int = 0
    """The first bucket that may hold an open state: the proved bound of A*."""
    quota: int = 0
    """States that may still be expanded in this call."""
    expanded: int = 0
    generated: int = 0
    best: int = 0
    """Number of the solved state, -1 without one."""
    cutoff: int = 0
    """Only plans cheaper than this are looked for."""
    stamp: int = 0
    """The mark of the last flood."""
    reopened: int = 0
    clipped: int = 0
    """1 when a state was dropped only for costing the cutoff or more."""
    pause_at: int = 0
    """Generated states after which ``run`` pauses, so that larger tables can be filled or learned patterns learned."""
    patterns: int = 0
    """Boxes of the largest patterns, 0 without patterns."""
    paid: int = 0
    """Sum of the targets' potentials."""
    moved: int = 0
    """The box that has moved since the patterns of the state were listed, -1 for none."""
    parents: int = 0
    """Patterns listed."""
    came: int = 0
    """The cell on which that box stood."""
    matched: int = 0
    """1 when the expanded state's matching and patterns are at hand: its first child that is bounded asks for them."""
    low: int = 0
    """The smallest cell of the player's region in the expanded state; none where its very cell counts."""
    # of changes of depth (``open_list.vary``)
    vary_at: int = 0
    """Expanded states after which the search goes on at another depth: depth first alone may miss a plan for ever."""
    layer: int = 0
    """The f-layer it was in when the depth was to change last, -1 at first."""
    drawn: int = 0
    """How many of ``Scratch.draws`` are used up."""
    counted: int = 0
    """The layer that ``Scratch.depths`` is about, -1 for none."""
    # of a beam search; all 0 in A*
    stride: int = 0
    """Buckets of each depth: one for each bound, the last also for higher ones."""
    horizon: int = 0
    """States whose f is above this wait."""
    sweeps: int = 0
    """Sweeps over all depths; after each ``SWEEPS_A_STEP`` the horizon is one higher."""
    taken: int = 0
    """Whether this sweep has expanded a state."""
    # what stays as it is
    lasting: int = 0
    """These three as in ``options.Proving``."""
    stretch: int = 0
    stretches: int = 0
    room: int = 0
    """Most children of one state."""
    reverse: int = 0
    lines: int = 0
    by_cell: int = 0
    """The player's very cell counts (moves)."""
    matching: int = 0
    freeze: int = 0
    corral: int = 0
    parity: int = 0
    """Costs from a state have one parity, that of its matching."""
    boxes: int = 0
    goals: int = 0
    live: int = 0
    words: int = 0
    """64-bit words of a key."""
    wanted: int = 0
    """Smallest cell of the region the player must end in, -1 for any."""
    walls: int = 0
    """Boxes that never move again are walls for the others."""
    unit: int = 0
    """What a box costs beyond its single cost is a multiple of this; 0: penalties of patterns that share boxes are not joined."""


@unique
class W(IntEnum):
    """Rows of the scratch array ``w``; those that end in 2 belong to the child of a state."""

    BOXES = 0
    QUEUE = 1
    STEPS = 2
    MARK = 3
    MARK2 = 4
    STATE = 5
    STATE2 = 6
    U = 7
    V = 8
    ROW = 9
    U2 = 10
    V2 = 11
    ROW2 = 12
    LEAST = 13
    WAY = 14
    USED = 15
    AREA = 16
    CHOSEN = 17
    MEMBER = 18
    MASKS = 19
    ALLOWED = 20


@numbers
class SideRegisters:
    """The numbers of one side of a breadth-first search."""

    count: int = 0
    """States stored."""
    next: int = 0
    """The next state to be expanded."""
    end: int = 0
    """The first state of the layer behind."""
    generated: int = 0
    meet: int = 0
    """A state that the other side knows too, -1 while there is none."""
    # what stays as it is
    span: int = 0
    """Bits from a cell to the one in the next row (``records.Bitboard``)."""
    reverse: int = 0
    lines: int = 0
    words: int = 0
    room: int = 0
    """Most children of the states that are expanded together."""
    fetched: int = 0
    """What was read ahead, so that reading it is not left out."""
    most: int = 0
    """States of this side for which the table has room."""
    freeze: int = 0
    """Whether states after pushes are left out in which a box off goal is frozen."""
    cutoff: int = 0
    """States in the making whose boxes' cells have prices of this sum or more are left out; 0: none is."""


@numbers
class LayerRegisters:
    """The numbers of a search in layers of moves."""

    sets: int = 0
    """Box sets stored."""
    side: int = 0
    """Whose layer is in the making: 0 from the start, 1 from the goals."""
    next: int = 0
    """The next entry of that side's front to be expanded."""
    end: int = 0
    """Entries of that front."""
    made: int = 0
    """Entries of the layer in the making."""
    depth: int = 0
    """Depth of the layer in the making."""
    arrived: int = 0
    """Pushes (pulls) that this side has noted."""
    meet: int = 0
    """A box set with a player's cell that both sides know, -1 while there is none."""
    meet_at: int = 0
    """The bit of that cell."""
    generated: int = 0
    fetched: int = 0
    """What was read ahead, so that reading it is not left out."""
    # what stays as it is
    span: int = 0
    """Bits from a cell to the one in the next row."""
    room: int = 0
    """Most children of the entries that are expanded together."""
    freeze: int = 0
    """Whether states after pushes are left out in which a box off goal is frozen."""


class RunStatus(IntEnum):
    """What ``run`` returns."""

    PAUSED = 0
    DONE = 1
    GROW = 2
    """The state arrays are full."""
    WIDEN = 3
    """The buckets do not suffice."""


@unique
class N(IntEnum):
    """Columns of a node after its boxes, which come first in ascending order."""

    PLAYER = LARGEST_SET
    COST = LARGEST_SET + 1
    AHEAD = LARGEST_SET + 2
    CAME = LARGEST_SET + 3


@numbers
class SetRegisters:
    """The numbers of a search of a set of boxes; ``pattern_learning.PatternLearner`` sets what is asked."""

    # what is asked
    size: int = 0
    limit: int = 0
    """Most expansions."""
    needed: int = 0
    """By how much a cost exceeds this is all the same."""
    live: int = 0
    lines: int = 0
    reverse: int = 0
    freeze: int = 0
    corral: int = 0
    patterns: int = 0
    wanted: int = 0
    stamp: int = 0
    # what was found
    cost: int = 0
    best: int = 0
    """The node of that cost, -1 without one."""
    nodes: int = 0
    expanded: int = 0
    root: int = 0
    """``estimate`` of the set."""


@unique
class V(IntEnum):
    """Rows of the scratch array ``v``."""

    BOXES = 0
    QUEUE = 1
    STEPS = 2
    MARK = 3
    MARK2 = 4
    AREA = 5
    CHOSEN = 6
    MEMBER = 7
    MASKS = 8
    ALLOWED = 9
    ONE = 10
    TWO = 11
    SORTED = 12
