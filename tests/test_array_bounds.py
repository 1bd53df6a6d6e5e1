"""The campaign that checks every index into an array: what it counts, and that an index out of range is seen."""

import os
import sys
from pathlib import Path

import pytest

from tests import array_bounds
from tests.commands import python

pytest.importorskip("numba")


@pytest.mark.parametrize("wrong", [2, -1])
def test_numba_checks_every_index_where_the_campaign_asks_it_to(wrong: int, tmp_path: Path) -> None:
    (tmp_path / "second.py").write_text(
        "from sokoasp.core.kernels import kernel\n\n\n@kernel('i8(i8[::1], i8)')\ndef of(row, at):\n    return row[at]\n"
    )
    code = "import numpy as np\nfrom kernels import compiler\nfrom sokoasp.core import kernels\n"
    code += "compiler.without_wraparound()\n(second,) = kernels.load(['second'])\n"
    code += f"for at in (1, {wrong}):\n    print(second.of(np.ones(2, np.int64), at), flush=True)\n"
    paths = os.pathsep.join([str(tmp_path), str(array_bounds.COMPILER), *sys.path])
    done = python(code, **array_bounds.CHECKED, SOKOASP_CACHE_DIR=str(tmp_path), PYTHONPATH=paths)
    assert (done.returncode, done.stdout) == (1, "1\n"), done.stderr
    assert done.stderr.strip().endswith("IndexError: index is out of bounds")


def test_kernels_that_read_certificates_keep_numbas_rule() -> None:
    code = f"import sys\nsys.path.append({str(array_bounds.COMPILER)!r})\nfrom kernels import compiler\n"
    code += "from numba.np import arrayobj\nrule = arrayobj.fix_integer_index\n"
    for name in ("sokoasp.sokoban.search.exact.astar.of", "sokoasp.proof.walls.of"):
        code += f"compiler.without_wraparound({name!r})\nprint(arrayobj.fix_integer_index is rule)\n"
    done = python(code)
    assert done.stdout == "False\nTrue\n", done.stderr
