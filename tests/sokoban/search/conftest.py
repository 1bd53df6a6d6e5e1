"""Everything here needs the extra [native] unless it says otherwise."""

import pytest

from sokoasp.sokoban.search.model import workspace
from tests import native as kernels


@pytest.fixture
def native() -> None:
    kernels.needed()


@pytest.fixture(scope="session")
def code() -> workspace.Kernels:
    return workspace.compiled()
