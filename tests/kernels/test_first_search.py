"""What a cold start loads: the search that answers, and neither kernels nor modules of those that never enter."""

from pathlib import Path

import pytest

from sokoasp.core import kernels
from tests.commands import python

CODE = """
import sys
from pathlib import Path
from sokoasp.sokoban import formats
from sokoasp.sokoban.search import solve
level = formats.read(Path(sys.argv[1]).read_text())[0]
late = ("exact.breadth_first_kernels", "bounds.pattern_search", "satisficing.successors", "satisficing.macro_search")
seen = lambda: [name for name in late if f"sokoasp.sokoban.search.{name}" in sys.modules]
print(solve(level, "lines", engine=sys.argv[2]).value, *seen())
from sokoasp.bench.run import warm
warm.native()
print(*seen())
"""


@pytest.mark.parametrize("engine", ["forward", "native"])
def test_an_easy_level_loads_the_first_search_alone(root: Path, engine: str) -> None:
    if kernels.status().source != "aot":
        pytest.skip("needs a library that fits (`sokoasp warm`): numba would compile all of it")
    done = python(CODE, str(root / "instances/tutorial/first.xsb"), engine, check=True)
    easy, warm = done.stdout.splitlines()
    assert easy == "1"
    assert len(warm.split()) == 4
