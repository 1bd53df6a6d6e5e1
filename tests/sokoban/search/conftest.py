"""Everything here needs the extra [native], but for what is about no search."""

import pytest

from sokoasp.sokoban.search.model import workspace
from tests import native as kernels


@pytest.fixture(scope="module", autouse=True)
def native(request: pytest.FixtureRequest) -> None:
    if request.path.stem not in ("test_counts", "test_proofs_kept"):
        kernels.needed()


@pytest.fixture(scope="session")
def code() -> workspace.Kernels:
    kernels.needed()
    return workspace.compiled()
