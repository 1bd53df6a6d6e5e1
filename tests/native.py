"""One question for all tests of compiled kernels: are there any, from a library or by numba?"""

import pytest

from sokoasp.core import kernels


def needed() -> None:
    """Skip the test, or while a module is imported the whole module, where there are no compiled kernels."""
    if not kernels.status().there:
        pytest.skip("no compiled kernels: neither a library that fits nor numba", allow_module_level=True)
