"""Where the compiled parts of the satisficing searches keep their numbers: registers, rows of scratch, columns of a child.

Imported by the kernels' modules for what is compiled into them, and for the types of their arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sokoasp.core.jit import record

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    I4 = npt.NDArray[np.int32]
    I8 = npt.NDArray[np.int64]
    U1 = npt.NDArray[np.uint8]
    # the same with two dimensions
    I4x2 = I4
    I8x2 = I8
    U1x2 = U1

# registers: the inputs of a call, and the stamps it goes on with
BOXES, LIVE, PLAYER, REVERSE, STAMP, STEPS, CORRAL, LOWEST, KEY, OPEN = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
# registers: features of a state, and the same of the state that is expanded
FILLED, ASTRAY, REGIONS, BROKEN, HOT, TIE = 10, 11, 12, 13, 14, 15
AT = 10
"""How much further on in the registers the features of the expanded state stand."""
SEEN, BASE, REST, FROM, LISTED = 26, 27, 28, 29, 30
"""Registers while children are listed: the stamp on the player's region, the hash of the boxes, the regions that are left
beside a lifted box, its cell, the children so far."""
RULES = 31
"""Register: which of the rules below a search goes by, as bits."""
WAITING, STEP, NEXT = 32, 33, 34
"""Registers: how many steps of the order are boxes waiting on start cells; the next step of a state, of the expanded one."""
LIFTED, LOW1, LOW2, CUT, ROW, NOW = range(35, 41)
"""Registers while a box is lifted: the stamp on the region around it (in ``V_LIFT``), the two smallest cells of that, the links
cut without the box; then, with the box put down, the row of ``v`` and the stamp that mark the player's region."""
REGISTERS = 41

# what a search goes by, bits of one number; all but the first two after FESS and its program Festival (Shoham and Schaeffer 2020)
PLAIN, RISING, KEEP, OPENER, EXPLORER, STRAY, FAR, ASIDE, ZONES, BEST, DROP, ALIVE = (1 << i for i in range(12))
RULE_NAMES = {
    PLAIN: "filled cells and regions only: no links, no boxes astray or in others' way",
    RISING: "a state no better than its best ancestor goes to the feature cell of that",
    KEEP: "no advisor names a push after which fewer cells are filled",
    OPENER: "the opener takes any box near the next cell away, not one only",
    EXPLORER: "the explorer names a push that can be undone after which another box can be pushed from a cell not reached before",
    STRAY: "the advisor for boxes astray moves the one nearest to their zone away from it",
    FAR: "ties go to boxes far from goals, not to sides of boxes in reach",
    ASIDE: "boxes on goals are neither in the way nor in need of way",
    ZONES: "boxes are astray before the step that cuts them off",
    BEST: "every second turn goes to the feature cell of the best state",
    DROP: "pushes that leave a box in a passage, on no goal and no cell of the order, with only one way on, are not listed",
    ALIVE: "no advisor names a push that is proved lost",
}

# rows of the scratch array `w` of four places a cell
W_DISC, W_LOW, W_TURN, W_ENTRY, W_STACK, W_EDGES, W_LABEL, W_SEEN, W_PUSHES, W_CAME, W_QUEUE = range(11)
PLACED = 11

# rows of the scratch array `v` of one number a cell
V_MARK, V_MARK2, V_QUEUE, V_COMP, V_AREA, V_CHOSEN, V_MEMBER, V_MASKS, V_ALLOWED, V_HELD, V_LINKED, V_AFOOT, V_LIFT = (
    range(13)
)
CELLED = 13
BITS = 62
"""Cells in a word of bits."""

# columns of a child: the pushed box's cells, the player's cell beside it, the smallest of its region, pushes
C_FROM, C_TO, C_STAND, C_LOW, C_PUSHES, C_FILLED, C_ASTRAY, C_REGIONS, C_BROKEN, C_HOT, C_TIE, C_BACK = range(12)
C_OPENS, C_ADVISED = 12, 13
COLUMNS = 14


@record
class Guides(NamedTuple):
    """What guides a search through a level."""

    order: I4x2
    """(steps, 3): the packing order, see ``successors.filled``."""
    basin: U1x2
    """(steps+1, n+1): 1 where a box can still serve this step or a later one."""
    hot: I8x2
    """(n+1, words of 62 cells): ``hot[b]`` has the bits of the cells a where a box on b costs one on a a goal."""
    others: I8
    """(words): scratch, the boxes that the packing order does not hold."""
    rooms: I4x2
    """(2, n+1): number of the room of a cell, 0 outside; number of its passage, 0 inside rooms."""
    links: I4x2
    """Rows (passage, room, room, joined): the free cells of the passage join the two rooms, and whether they did when all links
    were last looked at."""
    apart: I4x2
    """(steps+1, n+1): pushes from the cells on which a box is astray to a cell, -1 if there is no way."""
    lone: U1x2
    """(n+1, n+1): ``lone[a, b]`` is 1 where a box on a, alone on the board, can be pushed to b."""
    away: I4
    """(n+1): pushes to the nearest goal; all 0 where ties go by sides of boxes in reach."""


@record
class Bench(NamedTuple):
    """Scratch of the satisficing searches."""

    bits: U1x2
    """Two rows of n+1: boxes, flags; both 1 on the wall sentinel n alone."""
    w: I4x2
    """Scratch of the macros, four places a cell."""
    v: I4x2
    """One number a cell; ``V_AREA`` all 0 between calls."""


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
