"""Types of arrays by short names: ``I4`` has signed integers of four bytes, ``U8`` unsigned ones of eight.

``x2`` and ``x3`` tell ``kernels.record`` the dimensions; where no record is made of it an annotation may leave them out.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
B1 = npt.NDArray[np.bool_]
I1 = npt.NDArray[np.int8]
I2 = npt.NDArray[np.int16]
I4 = npt.NDArray[np.int32]
I8 = npt.NDArray[np.int64]
U1 = npt.NDArray[np.uint8]
U2 = npt.NDArray[np.uint16]
U8 = npt.NDArray[np.uint64]
I2x2 = I2
I4x2 = I4
I8x2 = I8
U1x2 = U1
U2x3 = U2
U8x2 = U8
