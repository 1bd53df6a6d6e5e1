"""The campaign that checks every index into an array: what it counts, and that an index out of range is seen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import array_bounds
from tests.instances import FOLDER

pytest.importorskip("numba")
FIRST = FOLDER / "tutorial" / "first.xsb"


@pytest.mark.parametrize("faulty", [False, True])
def test_searches_are_counted_and_faults_named(
    faulty: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def outside(*_: object, **__: object) -> None:
        raise IndexError("index is out of bounds")

    ticks = iter([0.0, 1.0, 2.0, 3.0])
    monkeypatch.setattr(array_bounds, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    if faulty:
        monkeypatch.setattr(array_bounds, "solve", outside)
        monkeypatch.setattr(array_bounds, "ENGINES", ("native",))
        monkeypatch.setattr(array_bounds, "OBJECTIVES", ("lines",))
    assert array_bounds.main([str(FIRST), "--seconds", "2.5"]) == faulty
    said = capsys.readouterr()
    named = f"{FIRST}:1 lines native: an index out of range\n" * 2 if faulty else ""
    assert said.out == f"{named}2 searches, {2 if faulty else 0} with an index out of range\n"
    assert said.err.count("IndexError: index is out of bounds") == 2 * faulty


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
