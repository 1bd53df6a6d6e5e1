"""What a worker process holds: with the library, a fraction of what numba takes."""

import pytest

from sokoasp.core import kernels
from tests.commands import python

MOST_MB = 80
CODE = """
import sys
from sokoasp.bench.run import warm
from sokoasp.core.limits import resident_mb
import sokoasp.web.worker
warm.prepare("native")
warm.prepare("encoding")
print(resident_mb(), "numba" in sys.modules)
"""


def test_a_warm_worker_of_the_page_and_of_campaigns_is_small() -> None:
    if kernels.status().source != "aot":
        pytest.skip("needs a library that fits (`sokoasp warm`); with numba a process holds some 200 MB")
    done = python(CODE, check=True)
    megabytes, numba = done.stdout.split()
    assert numba == "False" and float(megabytes) < MOST_MB
