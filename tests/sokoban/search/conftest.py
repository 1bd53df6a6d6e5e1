"""Everything here needs the extra [native] unless it says otherwise."""

import pytest

from tests import native as kernels


@pytest.fixture
def native() -> None:
    kernels.needed()
