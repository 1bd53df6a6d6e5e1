"""What a cold start loads: the search that answers, and neither kernels nor modules of those that never enter."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.cli import root as cli
from sokoasp.cli.warm import by_numba
from sokoasp.core import kernels
from tests.commands import FIRST, python

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


needs_library = pytest.mark.skipif(kernels.status().source != "aot", reason="numba would compile all of it")


@needs_library
@pytest.mark.parametrize("engine", ["forward", "native"])
def test_an_easy_level_loads_the_first_search_alone(root: Path, engine: str) -> None:
    done = python(CODE, str(root / "instances/tutorial/first.xsb"), engine, check=True)
    easy, warm = done.stdout.splitlines()
    assert easy == "1"
    assert len(warm.split()) == 4


@needs_library
def test_a_certificate_needs_nothing_that_warm_has_not_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Numba keeps what is loaded together in a cache of its own, so the same lists are loaded."""
    lists, load = set[tuple[str, ...]](), kernels.load
    monkeypatch.setattr(kernels, "load", lambda modules: lists.add(tuple(modules)) or load(modules))
    by_numba()
    warm = {*lists}
    lists.clear()
    assert CliRunner().invoke(cli, ["certify", FIRST, "-o", str(tmp_path / "made")]).exit_code == 0
    assert len(lists) >= 2 and lists <= warm
