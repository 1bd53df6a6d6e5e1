"""Everything here needs the extra [native] unless it says otherwise."""

import pytest


@pytest.fixture
def native() -> None:
    pytest.importorskip("numba")
