"""The records of arrays that the compiled search works on: what ``core.kernels.kernel`` makes types of from their annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sokoasp.core.kernels import record

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    I1 = npt.NDArray[np.int8]
    I2 = npt.NDArray[np.int16]
    I4 = npt.NDArray[np.int32]
    I8 = npt.NDArray[np.int64]
    U1 = npt.NDArray[np.uint8]
    U8 = npt.NDArray[np.uint64]
    # the same with two dimensions
    I4x2 = I4
    I2x2 = I2
    I8x2 = I8
    U1x2 = U1
    U8x2 = U8


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
class Potential(NamedTuple):
    """A potential of the player's cell (``player_potential``), in units of ``Registers.per_move``; none but for moves."""

    priced: I4
    """(single-box states): what one box costs by it, that of its target included."""
    stands: I4
    """(n+1): the potential of each cell."""


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
    potential: Potential
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
    plan: U8x2
    """(states, words): the boxes of the states of a plan, near which all states must stay (``Registers.apart``)."""
    pairs: U8x2
    """(classes, live * live bits): cells that two boxes had in states whose bound is of that class (``beam.familiar``)."""


@record
class Layers(NamedTuple):
    """The stored states of one side of a breadth-first search, layer after layer, and the table of those of both sides."""

    keys: U8x2
    """(capacity, words): as in ``States``."""
    table: U8x2
    """(slots, words): the same by open addressing, all 0 where empty; the top two bits say which sides know a state."""
    price: I4
    """(256 bytes of a key): what the boxes that a byte of a key stands for cost together at least (``exact.cell_prices``)."""


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
    """The same of the layer in the making."""
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
    beside: U8
    """(128): the pools beside a bit."""
    around: I4x2
    """(128, 9): the pools around a bit, three by three, -1 where there is none."""


@record
class Scratch(NamedTuple):
    """Working memory of one search."""

    w: I4x2
    """(len(W), n+2): see ``registers.W``."""
    occ: U1
    """(n+1): 1 on the boxes of the state in hand and on the wall; between calls on the wall only."""
    flag: U1
    """(n+1): as ``occ``, for ``freeze.frozen``."""
    key: U8
    """(words): the packed state in hand."""


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
    """(len(V), n + LARGEST_SET): see ``pattern_registers.V``."""
    occ: U1
    """(n+1): between calls 1 on the wall only; so is ``flag``."""
    flag: U1
    key: U8
    potential: I4
    """(n+1): dual potentials of the targets."""
    nodes: I4x2
    """(capacity, len(N)): see ``pattern_registers.N``."""
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
    """Head and tail of the queue, seeds taken: 0 in the beginning."""
