"""Measures what a campaign costs beside its runs: ``python -m tests.bench.overhead [local|dask] [RUNS]``.

Trivial runs of clingo on a one-push level, one after the other, or two at a time on Dask. Prints the campaign's wall seconds over
the sum of the runs' own wall seconds / places, and the overhead of each run.
"""

from __future__ import annotations

import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from sokoasp.bench.define.suite import read_suite
from sokoasp.bench.run import campaign, cluster, one_machine
from sokoasp.bench.run.store import open_existing

TEXT = """
title = "overhead"
repetitions = {runs}
[[instances]]
files = ["one.xsb"]
[[systems]]
name = "asp"
kind = "encoding"
"""


def measure(how: str, runs: int) -> str:
    """Run the campaign and say what it took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "one.xsb").write_text("#####\n#@$.#\n#####\n")
        (folder / "suite.toml").write_text(TEXT.format(runs=runs))
        suite = read_suite(folder / "suite.toml")
        began, places = time.perf_counter(), 2 if how == "dask" else 1
        if how == "dask":
            with cluster.connect(workers=places) as client:
                connected = time.perf_counter() - began
                campaign.run(suite, folder / "out", partial(cluster.execute, client=client))
        else:
            connected = 0.0
            campaign.run(suite, folder / "out", one_machine.execute)
        wall = time.perf_counter() - began
        store = open_existing(folder / "out")
        own, cpu = (sum(value for (value,) in store.rows((column,))) for column in ("wall", "cpu"))
        store.close()
    return (
        f"{how}: {runs} runs in {wall:.1f} s ({connected:.1f} s to start the cluster); "
        f"their own wall {own:.1f} s, CPU {cpu:.1f} s; "
        f"ratio {places * wall / own:.2f}; overhead {1000 * (places * wall - own) / runs:.1f} ms a run"
    )


if __name__ == "__main__":
    print(measure(sys.argv[1] if len(sys.argv) > 1 else "local", int(sys.argv[2]) if len(sys.argv) > 2 else 1000))
