"""Searches with every index into an array checked: ``python -m tests.array_bounds SECONDS FILES``.

Compiled kernels read and write without looking; here numba compiles them with its bounds check, into a cache of their own, and
an index out of range is an ``IndexError`` with the question that led to it. Random levels of the files, objectives and engines;
``improve`` starts from the solution that came with a level.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
import traceback
from pathlib import Path

FRESH = {"NUMBA_BOUNDSCHECK": "1", "SOKOASP_BACKEND": "jit"}
CACHE = "sokoasp-array-bounds"
"""Folder of the compiled kernels, below the system's for temporary files; compiling all takes minutes."""
EACH = 10.0
"""CPU seconds of a search."""
ENGINES = ("native", "any", "improve", "improve")


def ask(file: Path, objective: str, engine: str) -> bool:
    """Search once; return whether all was in range (and whether there was anything to do)."""
    from sokoasp.core.limits import CpuLimits
    from sokoasp.domain import domain_of
    from sokoasp.sokoban import formats
    from sokoasp.sokoban.search import rosters, solve

    (level, *_) = formats.read(file.read_bytes(), source=str(file))
    solution = file.with_suffix(".sol")
    try:
        if engine != "improve":
            solve(level, objective, CpuLimits(seconds=EACH), engine=engine)
        elif solution.exists():
            plan = domain_of(level).read_plan(level, solution.read_text(encoding="utf-8"), str(solution))
            rosters.improve(level, plan, objective, CpuLimits(seconds=EACH))
    except IndexError:
        traceback.print_exc()
        return False
    return True


def main(seconds: float, files: list[Path], seed: int = 0) -> int:
    """Ask for so long and print how many searches left their arrays; the exit code is 1 if any did."""
    rng, end, asked, outside = random.Random(seed), time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        file, objective, engine = rng.choice(files), rng.choice(("lines", "pushes", "moves")), rng.choice(ENGINES)
        asked += 1
        if not ask(file, objective, engine):
            outside += 1
            print(f"{file} {objective} {engine}: an index out of range", flush=True)
    print(f"{asked} searches, {outside} with an index out of range")
    return int(outside > 0)


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in FRESH.items()):
        cache = Path(tempfile.gettempdir()) / CACHE
        environment = {**os.environ, **FRESH, "SOKOASP_CACHE_DIR": str(cache)}
        os.execve(sys.executable, [sys.executable, "-m", "tests.array_bounds", *sys.argv[1:]], environment)
    sys.exit(main(float(sys.argv[1]), [Path(name) for name in sys.argv[2:]]))
