"""The campaign that checks every index into an array: what it counts, and that an index out of range is seen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import array_bounds
from tests.instances import FOLDER

pytest.importorskip("numba")
FIRST = FOLDER / "tutorial" / "first.xsb"


def test_numba_checks_every_index_where_the_campaign_asks_it_to(tmp_path: Path) -> None:
    fold = (
        "import numpy as np\nfrom sokoasp.core import kernels\n(toys,) = kernels.load(['tests.core.toy_kernels'])\n"
        "toys.folded(np.ones({words}, np.uint64))\n"
    )
    environment = {**os.environ, **array_bounds.CHECKED, "SOKOASP_CACHE_DIR": str(tmp_path)}
    for words, ends in ((2, ""), (1, "IndexError: index is out of bounds")):
        command = [sys.executable, "-c", fold.format(words=words)]
        done = subprocess.run(command, env=environment, cwd=FOLDER.parent, capture_output=True, text=True, check=False)
        assert (bool(done.returncode), done.stderr.strip().endswith(ends)) == (bool(ends), True), done.stderr
