"""Where the compiled parts of the seekers keep their numbers: registers, rows of scratch, columns of a child.

Imported by the kernels' modules for what is compiled into them, and for the types of their arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    I4 = npt.NDArray[np.int32]
    I8 = npt.NDArray[np.int64]
    U1 = npt.NDArray[np.uint8]

# registers: what a call is told, and the stamps it goes on with
BOXES, LIVE, PLAYER, REVERSE, STAMP, STEPS, CORRAL, LOWEST, KEY, OPEN = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
# registers: features of a state, and the same of the state that is expanded
FILLED, ASTRAY, REGIONS, BROKEN, HOT, REACH = 10, 11, 12, 13, 14, 15
AT = 10
"""How much further on in the registers the features of the expanded state stand."""
REGISTERS = 30

# rows of the scratch array `w` of four places a cell
W_DISC, W_LOW, W_TURN, W_ENTRY, W_STACK, W_EDGES, W_LABEL, W_SEEN, W_PUSHES, W_CAME, W_QUEUE = range(11)
PLACED = 11

# rows of the scratch array `v` of one number a cell
V_MARK, V_MARK2, V_QUEUE, V_COMP, V_AREA, V_CHOSEN, V_MEMBER, V_MASKS, V_ALLOWED, V_HELD, V_LINKED, V_AFOOT = range(12)
CELLED = 12

# columns of a child: the pushed box's cells, the player's cell beside it, the smallest of his region, pushes
C_FROM, C_TO, C_STAND, C_LOW, C_PUSHES, C_FILLED, C_ASTRAY, C_REGIONS, C_BROKEN, C_HOT, C_REACH, C_BACK = range(12)
C_ADVISED = 12
COLUMNS = 13
