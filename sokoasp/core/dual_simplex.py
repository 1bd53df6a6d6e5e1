"""The dual simplex method (Lemke 1954) on a dense tableau: small linear programs whose costs are never negative."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

SMALL = 1e-7
"""What counts as 0."""
SHAKE = 1e-5
"""Each cost is raised by a random amount up to this, so that no two tie: with ties the simplex method may cycle."""


def duals(
    costs: npt.NDArray[np.float64], table: npt.NDArray[np.float64], wanted: npt.NDArray[np.float64], most: int
) -> npt.NDArray[np.float64] | None:
    """Return optimal dual variables of the linear program: minimise costs·x subject to table·x = wanted and x ≥ 0.

    They are near an optimum only, being computed in floating point: a bound that rests on them must be checked exactly.

    Args:
        costs: (columns), none negative.
        table: (rows, columns).
        wanted: (rows).
        most: Pivots at most.

    Returns:
        (rows), or None where there is no such x or the pivots do not suffice.
    """
    rows, columns = table.shape
    work, left = table.astype(float), wanted.astype(float)
    # the basis begins with a slack in each row that must come to 0 and never returns: number ``columns``
    basis = np.full(rows, columns)
    shaken = costs + SHAKE * np.random.default_rng(0).random(columns)
    reduced = shaken.copy()
    for _ in range(most):
        # Step 1. The row that is farthest off: a slack that is not 0, or an x that is negative
        off = np.where(basis == columns, np.abs(left), -left)
        row = int(off.argmax())
        if off[row] <= SMALL:
            break
        # Step 2. What enters keeps all reduced costs from becoming negative
        line = work[row] if left[row] > 0 else -work[row]
        if not (able := line > SMALL).any():
            return None
        ratio = np.full(columns, np.inf)
        np.divide(reduced, line, out=ratio, where=able)
        column = int(ratio.argmin())
        # Step 3. The pivot
        left[row] /= work[row, column]
        others = _pivot(work, row, column)
        left[others[0]] -= others[1] * left[row]
        reduced -= reduced[column] * work[row]
        reduced[column] = 0.0
        basis[row] = column
    else:
        return None
    return _duals(shaken, table, basis)


def _pivot(
    work: npt.NDArray[np.float64], row: int, column: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Put a column into the basis by a row; return the other rows that changed, and how often this row was taken from each."""
    work[row] /= work[row, column]
    others = np.flatnonzero(work[:, column])
    others = others[others != row]
    factors, used = work[others, column], np.flatnonzero(work[row])
    work[np.ix_(others, used)] -= factors[:, None] * work[row, used]
    return others, factors


def _duals(
    costs: npt.NDArray[np.float64], table: npt.NDArray[np.float64], basis: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return the duals under which each column of the basis has reduced cost 0; that of a row whose slack has stayed is 0."""
    rows, columns = table.shape
    square, right = np.eye(rows), np.zeros(rows)
    chosen = basis < columns
    square[:, chosen] = table[:, basis[chosen]]
    right[chosen] = costs[basis[chosen]]
    return np.linalg.solve(square.T, right).astype(np.float64)
