"""Searches with every index into an array checked: ``python -m tests.array_bounds FILES --seconds S``.

Compiled kernels read and write without looking; here numba compiles them with its bounds check, into a cache of their own, and
an index out of range, or below 0, is an ``IndexError`` with the question that led to it. Random levels of the files, objectives
and engines; ``improve`` starts from the solution that came with a level.
"""

import argparse
import importlib
import os
import random
import sys
import tempfile
import time
import traceback
from pathlib import Path

from sokoasp.bench.define.instances import solution
from sokoasp.core.limits import CpuLimits
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import OBJECTIVES, Plan
from sokoasp.sokoban.search import solve
from sokoasp.sokoban.search.rosters import improve

CHECKED = {"NUMBA_BOUNDSCHECK": "1", "SOKOASP_BACKEND": "jit"}
COMPILER = Path(__file__).parents[1] / ".ci"
CACHE = Path(tempfile.gettempdir()) / "sokoasp-array-bounds"
"""The compiled kernels; compiling all takes minutes."""
EACH = 10.0
"""CPU seconds of a search."""
ENGINES = ("native", "any", "improve", "improve")


def in_range(level: Level, plan: Plan | None, objective: str, engine: str) -> bool:
    """Search once; return whether every index was in range. Without a plan ``improve`` has nothing to do."""
    try:
        if engine != "improve":
            solve(level, objective, CpuLimits(seconds=EACH), engine=engine)
        elif plan is not None:
            improve(level, plan, objective, CpuLimits(seconds=EACH))
    except IndexError:
        traceback.print_exc()
        return False
    return True


def main(arguments: list[str] | None = None) -> int:
    """Search until the time is up and print how many searches left their arrays; the exit code is 1 if any did."""
    parser = argparse.ArgumentParser(description="Search levels with every index into an array checked.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=600, help="wall seconds in all (600)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    rng, end = random.Random(given.seed), time.monotonic() + given.seconds
    places = [(path, *one) for path in given.files for one in enumerate(formats.read(path.read_bytes()), 1)]
    searches = outside = 0
    while time.monotonic() < end:
        (path, number, level), objective, engine = rng.choice(places), rng.choice(OBJECTIVES), rng.choice(ENGINES)
        searches += 1
        if not in_range(level, solution(level, path), objective, engine):
            outside += 1
            print(f"{path}:{number} {objective} {engine}: an index out of range", flush=True)
    print(f"{searches} searches, {outside} with an index out of range")
    return int(outside > 0)


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in CHECKED.items()):
        environment = {**os.environ, **CHECKED, "SOKOASP_CACHE_DIR": str(CACHE)}
        os.execve(sys.executable, [sys.executable, "-m", "tests.array_bounds", *sys.argv[1:]], environment)
    sys.path.append(str(COMPILER))
    importlib.import_module("kernels.compiler").without_wraparound()
    sys.exit(main())
