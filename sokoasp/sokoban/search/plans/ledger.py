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
    U8 = npt.NDArray[np.uint64]

# registers: what a call is told, and the stamps it goes on with
BOXES, LIVE, PLAYER, REVERSE, STAMP, STEPS, CORRAL, LINKS = 0, 1, 2, 3, 4, 5, 6, 7
# registers: features of the state itself
AT_FILLED, AT_ASTRAY, AT_REGIONS, AT_HOT, AT_REACH, AT_LINKS = 8, 9, 10, 11, 12, 13
NEXT_FROM, NEXT_TO, LOWEST, RANKING = 14, 15, 16, 17
REGISTERS = 20

# rows of the scratch array, each four places a cell
W_DISC, W_LOW, W_TURN, W_ENTRY, W_STACK, W_EDGES, W_LABEL = 0, 1, 2, 3, 4, 5, 6
W_SEEN, W_PUSHES, W_CAME, W_QUEUE = 7, 8, 9, 10
W_MARK, W_MARK2, W_COMP, W_FLOOD, W_AREA, W_CHOSEN, W_MEMBER, W_MASKS, W_ALLOWED, W_HELD = range(11, 21)
SCRATCH = 21

# columns of a child
FROM, TO, STAND, LOW, PUSHES, FILLED, ASTRAY, REGIONS, HOT, REACH, BROKEN, BACK, ADVISED, FRESH = range(14)
COLUMNS = 14
