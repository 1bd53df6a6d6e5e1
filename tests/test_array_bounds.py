"""The campaign that checks every index into an array: what it counts, and that an index out of range is seen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import array_bounds

pytest.importorskip("numba")


def test_numba_checks_every_index_where_the_campaign_asks_it_to(tmp_path: Path) -> None:
    (tmp_path / "second.py").write_text(
        "from sokoasp.core.kernels import kernel\n\n\n@kernel('i8(i8[::1])')\ndef of(row):\n    return row[1]\n"
    )
    code = "import numpy as np\nfrom sokoasp.core import kernels\n(second,) = kernels.load(['second'])\n"
    code += "for length in (2, 1):\n    print(second.of(np.ones(length, np.int64)), flush=True)\n"
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    environment = {**os.environ, **array_bounds.CHECKED, "SOKOASP_CACHE_DIR": str(tmp_path), "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "1\n"), done.stderr
    assert done.stderr.strip().endswith("IndexError: index is out of bounds")
