"""Everything here needs compiled kernels."""

import pytest

from tests import native

needed = pytest.fixture(scope="session", autouse=True)(native.needed)
