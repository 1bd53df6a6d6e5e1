"""Where the compiled parts of the satisficing searches keep their numbers: registers, rows of scratch, columns of a child.

Imported by the kernels' modules for what is compiled into them, and for the types of their arrays.
"""

from __future__ import annotations

from enum import IntEnum, unique
from typing import NamedTuple

from sokoasp.core.kernels import numbers, record
from sokoasp.core.kernels.arrays import I4, I8, I4x2, I8x2, U1x2


@numbers
class MacroRegisters:
    """The numbers of a search by macro pushes: inputs of a call, stamps, features of the state in hand and of its parent."""

    boxes: int = 0
    """Boxes of the state."""
    live: int = 0
    """Cells from which a box can come to a goal; boxes stand on these alone."""
    player: int = 0
    """The player's cell."""
    reverse: int = 0
    """1 where boxes are pulled from the goals."""
    stamp: int = 0
    """The mark of the last flood."""
    steps: int = 0
    """Steps of the packing order."""
    corral: int = 0
    """1 where corrals decide which pushes are listed."""
    lowest: int = 0
    """Smallest cell of the player's region, in the expanded state."""
    key: int = 0
    """Hash of the expanded state."""
    unordered: int = 0
    """First steps of the packing order that may be done in any order."""
    filled: int = 0
    """Feature: steps of the packing order that are done (in reverse play: boxes that are not on ``Ground.target``)."""
    out_of_plan: int = 0
    """Feature: boxes on cells from which they serve no later step."""
    regions: int = 0
    """Feature: regions of the free floor."""
    broken: int = 0
    """Feature: links between rooms that boxes cut."""
    hotspots: int = 0
    """Feature: boxes in the way of others."""
    tie: int = 0
    """Feature: sides of boxes in reach, or pushes to goals."""
    parent_filled: int = 0
    """The features of the expanded state."""
    parent_out_of_plan: int = 0
    parent_regions: int = 0
    parent_broken: int = 0
    parent_hotspots: int = 0
    seen: int = 0
    """Stamp on the player's region of the expanded state."""
    base: int = 0
    """Hash of the boxes of the expanded state, without the player."""
    rest: int = 0
    """Regions of the expanded state that touch neither the lifted box nor the free floor beside it."""
    place: int = 0
    """Where the lifted box is put down: ``4 * cell + side of the player``."""
    lifted_cell: int = 0
    """Cell of the lifted box."""
    listed: int = 0
    """Children listed so far."""
    waiting: int = 0
    """Steps of the order whose boxes wait on start cells."""
    step: int = 0
    """The next step of the order in the state whose features were written last."""
    next: int = 0
    """The next step of the order in the expanded state."""
    lifted: int = 0
    """Stamp on the region around the lifted box, in ``V.LIFT``."""
    low1: int = 0
    """Smallest cell of the region around the lifted box."""
    low2: int = 0
    """Second smallest cell of that region; in ``lift`` alone."""
    cut: int = 0
    """Links cut while the box is lifted."""
    row: int = 0
    """Row of ``v`` whose entries equal to ``NOW`` are the player's region, with the box put down."""
    now: int = 0
    """Stamp on the player's region with the box put down."""


@unique
class W(IntEnum):
    """Rows of the scratch array ``w`` of four places a cell."""

    DISC = 0
    """When the search for blocks first met a cell."""
    LOW = 1
    """The earliest cell that is reached from below a cell in that search."""
    TURN = 2
    """The next direction to look at from a cell."""
    ENTRY = 3
    """The direction by which a cell was entered."""
    STACK = 4
    """Cells of the way down."""
    EDGES = 5
    """Edges of the blocks that are not closed."""
    LABEL = 6
    """Block of an edge, by ``4 * cell + side``."""
    SEEN = 7
    """Stamp on places a macro has reached: ``4 * cell + side of the player``."""
    PUSHES = 8
    """Pushes of a macro to a place."""
    CAME = 9
    """The place before a place on the macro's way."""
    QUEUE = 10
    """Places to go on from."""


@unique
class V(IntEnum):
    """Rows of the scratch array ``v`` of one number a cell."""

    MARK = 0
    """Stamps of the player's region in the expanded state."""
    MARK2 = 1
    """Stamps of the player's region in the state whose features are written."""
    QUEUE = 2
    """Cells to go on from."""
    COMP = 3
    """Number of the region of a free cell, 0 on boxes."""
    AREA = 4
    """``area`` of ``model.records.Areas``: all 0 between calls."""
    CHOSEN = 5
    """``chosen`` of ``Areas``."""
    MEMBER = 6
    """``member`` of ``Areas``."""
    MASKS = 7
    """``masks`` of ``Areas``, by number of the box."""
    ALLOWED = 8
    """Directions in which a box may be pushed first, as bits, by number of the box: what the corral leaves."""
    HELD = 9
    """Stamp on the cells of steps that are done and hold their boxes."""
    LINKED = 10
    """Stamps of floods through passages that see whether rooms are linked."""
    AFOOT = 11
    """Steps on foot, through boxes, from the cell the opener looks at; -1 without a way."""
    LIFT = 12
    """Stamps on the region around a lifted box."""
    MET = 13
    """By number of a room: 1 where the area of a passage that is looked at touches it."""


@unique
class C(IntEnum):
    """Columns of a child."""

    FROM = 0
    """Cell of the pushed box before the macro."""
    TO = 1
    """Cell of the pushed box after it."""
    STAND = 2
    """The player's cell beside the box after it."""
    LOW = 3
    """Smallest cell of the player's region."""
    PUSHES = 4
    """Pushes of the macro."""
    FILLED = 5
    """``MacroRegisters.filled`` of the child."""
    OUT_OF_PLAN = 6
    """``MacroRegisters.out_of_plan`` of the child."""
    REGIONS = 7
    """``MacroRegisters.regions`` of the child."""
    BROKEN = 8
    """``MacroRegisters.broken`` of the child."""
    HOTSPOTS = 9
    """``MacroRegisters.hotspots`` of the child."""
    BACK = 10
    """1 where the player can come back to where it was."""
    ADVISED = 11
    """1 where an advisor names it."""


COLUMNS = len(C)
BITS = 62
"""Cells in a word of bits."""


@record
class Guides(NamedTuple):
    """What guides a search through a level."""

    order: I4x2
    """(steps, 3): the packing order, see ``successors.filled``."""
    basin: U1x2
    """(steps+1, n+1): 1 where a box can still serve this step or a later one."""
    hotspots: I8x2
    """(n+1, words of ``BITS`` cells): ``hotspots[b]`` has the bits of the cells a where a box on b costs one on a a goal."""
    others: I8
    """(words): scratch, the boxes that the packing order does not hold."""
    rooms: I4x2
    """(2, n+1): number of the room of a cell, 0 outside; number of its passage, 0 inside rooms."""
    links: I4x2
    """Rows (passage, room, room, joined, now), by passage: the free cells of the passage join the two rooms, whether they did
    when all links were last looked at, and whether they did when this passage was."""
    apart: I4x2
    """(steps+1, n+1): pushes from the cells on which a box is out of plan to a cell, -1 if there is no way."""
    lone: U1x2
    """(n+1, n+1): ``lone[a, b]`` is 1 where a box on a, alone on the board, can be pushed to b."""
    goal_distance: I4
    """(n+1): pushes to the nearest goal; all 0 where ties go by sides of boxes in reach."""


@record
class Bench(NamedTuple):
    """Scratch of the satisficing searches."""

    bits: U1x2
    """Two rows of n+1: boxes, flags; both 1 on the wall sentinel n alone."""
    w: I4x2
    """Scratch of the macros, four places a cell."""
    v: I4x2
    """One number a cell; ``V.AREA`` all 0 between calls."""


@record
class Entered(NamedTuple):
    """The states entered, by their hash."""

    zobrist: I8x2
    """(2, n+1): random words for boxes and the player's smallest cell."""
    table: I8
    """Open addressing, a power of two; 0 is an empty slot."""


@record
class Children(NamedTuple):
    """The children of a state."""

    out: I4x2
    """(most, COLUMNS)."""
    keys: I8x2
    """(most, 2): hash and rank."""
    pairs: I4
    """(boxes * boxes): scratch, the pairs of boxes under which learned patterns are kept."""
