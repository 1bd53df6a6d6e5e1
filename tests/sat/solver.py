"""A SAT solver for tests."""

import pytest

from sokoasp.core.cnf import Formula


def satisfiable(formula: Formula, *more: tuple[int, ...]) -> bool:
    """Ask a SAT solver."""
    pytest.importorskip("pysat")
    from pysat.solvers import Cadical195

    with Cadical195(bootstrap_with=[list(clause) for clause in (*formula.clauses, *more)]) as solver:
        return bool(solver.solve())
