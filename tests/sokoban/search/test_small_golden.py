"""Expanded states of small levels pinned, by the kernels at hand and by the same kernels as plain Python."""

import os
import subprocess
import sys

import pytest

from sokoasp.sokoban.search import solve
from tests.levels import scrambled_level

ALL = "matching patterns corral freeze"
PINNED: dict[tuple[int, str, str, str], tuple[int, int]] = {
    (3, "lines", "forward", "corral"): (4, 65),
    (3, "lines", "forward", "freeze"): (4, 66),
    (3, "lines", "reverse", "freeze"): (4, 55),
    (3, "moves", "forward", ALL): (21, 109),
    (5, "lines", "forward", "corral"): (4, 96),
    (5, "lines", "forward", "freeze"): (4, 75),
    (5, "lines", "reverse", "freeze"): (4, 60),
    (5, "pushes", "forward", "matching corral"): (8, 16),
    (5, "pushes", "reverse", "freeze"): (8, 104),
    (5, "moves", "forward", ALL): (22, 57),
    (10, "pushes", "reverse", "freeze"): (3, 22),
}


@pytest.mark.parametrize(("seed", "objective", "engine", "switches"), PINNED)
def test_expanded_states(seed: int, objective: str, engine: str, switches: str) -> None:
    level = scrambled_level(seed, width=5, height=5, boxes=3, pulls=60)
    found = solve(level, objective, engine=engine, switches=switches.split())
    assert (found.value, found.counters["expanded"]) == PINNED[seed, objective, engine, switches]


PLAIN = """
import importlib, sys
from sokoasp.core import kernels
from sokoasp.sokoban.search.model.options import LAYER_MODULES
kernels.kernel = lambda signature: lambda function: function
kernels.load = lambda modules: tuple(map(importlib.import_module, modules))
kernels.load(LAYER_MODULES)
from tests.sokoban.search import test_small_golden
for pinned in test_small_golden.PINNED:
    test_small_golden.test_expanded_states(*pinned)
print("numba" in sys.modules, type(sys.modules[LAYER_MODULES[-1]].deepen).__name__)
"""


def test_expanded_states_without_a_compiler() -> None:
    """The kernels are plain Python here: neither numba nor a library has a part in it."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", PLAIN], capture_output=True, text=True, check=False)
    assert done.stdout == "False function\n", done.stderr


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_expanded_states_by_numba() -> None:
    """The kernels are compiled when they are called; the tests above run on the library, if there is one."""
    numba = {**os.environ, "SOKOASP_BACKEND": "jit"}
    command = [sys.executable, "-m", "pytest", __file__, "-k", "not without_a_compiler and not by_numba"]
    done = subprocess.run(command, env=numba, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and f"{len(PINNED)} passed" in done.stdout, done.stdout
