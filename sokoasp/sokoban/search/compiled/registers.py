"""Where the compiled search keeps its numbers: entries of the register array, rows of the scratch array, common signatures.

Imported by the kernels' modules for what is compiled into them, and for the types of their arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    I1 = npt.NDArray[np.int8]
    I2 = npt.NDArray[np.int16]
    I4 = npt.NDArray[np.int32]
    I8 = npt.NDArray[np.int64]
    U1 = npt.NDArray[np.uint8]
    U8 = npt.NDArray[np.uint64]

# entries of the register array `r`
COUNT, BUCKET, QUOTA, EXPANDED, GENERATED, BEST, CUTOFF, STAMP, REOPENED = 0, 1, 2, 3, 4, 5, 6, 7, 8
WEIGHT_G, WEIGHT_H, EXACT, ROOM = 9, 10, 11, 12
REVERSE, LINES, BY_CELL, MATCHING, GROUPS, FREEZE, CORRAL = 13, 14, 15, 16, 17, 18, 19
BOXES, GOALS, LIVE, CELLS, WORDS, WANTED, CLIPPED = 20, 21, 22, 23, 24, 25, 26
PAID, PARITY, PAUSE_AT, MOVED, PARENTS = 27, 28, 29, 30, 31
REGISTERS = 32

# rows of the scratch array `w`
W_BOXES, W_QUEUE, W_STEPS, W_MARK, W_MARK2, W_STEPS2, W_STATE, W_STATE2 = 0, 1, 2, 3, 4, 5, 6, 7
W_U, W_V, W_ROW, W_U2, W_V2, W_ROW2, W_LEAST, W_WAY, W_USED = 8, 9, 10, 11, 12, 13, 14, 15, 16
W_AREA, W_CHOSEN, W_MEMBER, W_MASKS, W_ALLOWED = 17, 18, 19, 20, 21
SCRATCH = 22

# signatures of the arrays a bound needs (tables of distances and groups, scratch, lessons), and of the store's
BOUNDING = (
    "i4[:,::1], i4[:,::1], i4[::1], i4[:,::1], i8[::1], i4[::1], i4[::1], u1[:,::1], i1[::1], u8[:,::1], i8[:,::1],"
    " i4[:,::1], u8[:,::1], i4[:,::1]"
)
STORE = "u8[:,::1], i2[::1], i2[::1], i4[::1], i4[::1], i4[::1], i4[::1], i4[::1], i4[::1]"

# what run() returns
PAUSED, DONE, GROW, WIDEN = 0, 1, 2, 3
