"""Measures what a campaign costs beside its runs: ``python -m tests.bench.overhead [WORKERS] [RUNS]``.

Trivial runs of clingo on a one-push level. Prints the campaign's wall seconds over the sum of the runs' own wall seconds /
workers, and the overhead of each run.
"""

import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from sokoasp.bench.define.suite import read_suite
from sokoasp.bench.run import campaign, local
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


def measure(workers: int, runs: int) -> str:
    """Run the campaign and say what it took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "one.xsb").write_text("#####\n#@$.#\n#####\n")
        (folder / "suite.toml").write_text(TEXT.format(runs=runs))
        suite = read_suite(folder / "suite.toml")
        execute = partial(local.execute, workers=workers)
        began = time.perf_counter()
        campaign.run(suite, folder / "out", execute)
        wall = time.perf_counter() - began
        with open_existing(folder / "out") as store:
            own, cpu = (sum(value for (value,) in store.rows((column,))) for column in ("wall", "cpu"))
    return (
        f"{workers} at a time: {runs} runs in {wall:.1f} s; their own wall {own:.1f} s, CPU {cpu:.1f} s; "
        f"ratio {workers * wall / own:.2f}; overhead {1000 * (workers * wall - own) / runs:.1f} ms a run"
    )


if __name__ == "__main__":
    print(measure(*(int(word) for word in sys.argv[1:3])))
