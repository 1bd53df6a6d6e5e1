"""Run every command on large generated maps under limits: ``python -m tests.limits [SIZE ...]``; exits 1 if one is passed.

Each run may take its limit and ``SLACK`` seconds, and what reading the map and starting Python take here: that is measured by
``check``, which has no limit. The memory of a limited run may be ``MEMORY_SLACK`` times the limit.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sokoasp.sokoban import formats
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level, reachable

SLACK = 2.0
MEMORY_SLACK = 1.1
FREE = 5.0
"""Seconds for a command without a limit."""
SIZES = (50, 100, 200, 250)


def large_map(size: int, boxes: int, seed: int = 0) -> Level:
    """Return a map of this many rows and columns with an inner wall on every eighth cell or so."""
    rng = random.Random(f"{size} {boxes} {seed}")
    free = {Cell(r, c) for r in range(1, size - 1) for c in range(1, size - 1) if rng.random() >= 0.12}
    floor = reachable(max(free, key=lambda cell: -abs(cell.row - size // 2) - abs(cell.col - size // 2)), free)
    wide = [cell for cell in sorted(floor) if all(cell.step(d) in floor for d in DIRECTIONS)]
    player, *chosen = rng.sample(wide, 2 * boxes + 1)
    return Level(frozenset(floor), frozenset(chosen[:boxes]), frozenset(chosen[boxes:]), player)


def measured(arguments: list[str]) -> tuple[float, float, int]:
    """Run a command; return seconds (wall; CPU where others use the machine as well), peak MB and exit code."""
    began = time.perf_counter()
    with subprocess.Popen([sys.executable, "-m", "sokoasp", *arguments], stdout=-3, stderr=-3) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall, cpu = time.perf_counter() - began, used.ru_utime + used.ru_stime
    alone = os.getloadavg()[0] <= (os.cpu_count() or 1)
    return wall if alone else cpu, used.ru_maxrss * 1024 / 1e6, process.returncode


def commands(file: str, seconds: float) -> list[list[str]]:
    """List the commands that have limits."""
    limits = ["--time-limit", f"{seconds:g}", "--memory-limit", "300"]
    solve = [
        ["solve", file, "--engine", name, *limits]
        for name in ("asp", "native", "forward", "reverse", "reference", "any")
    ]
    solve.append(["solve", file, "--objective", "pushes", "--engine", "asp", *limits])
    others = [["stats", file, *limits], ["deadlock", file, *limits], ["deadlock", file, "--exhaustive", *limits]]
    return [*solve, *others, ["render", file, "-o", os.devnull, "--format", "html", *limits]]


def main(sizes: tuple[int, ...]) -> int:
    """Print a line a run and return how many passed a limit."""
    bad = 0
    resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            file, moves = str(Path(folder) / f"{size}.xsb"), "rlrl"
            Path(file).write_text(formats.write([large_map(size, max(5, 300 * size * size // 40_000))], "xsb"))
            cell = ["--max-cells", "100000"]
            free = [["check", file, moves, *cell], ["translate", file, "--to", "facts", "-o", os.devnull, *cell]]
            free.append(["render", file, "-o", os.devnull, "--format", "svg", *cell])
            base = 0.0
            for arguments in free:
                wall, peak, code = measured(arguments)
                base = max(base, wall) if arguments[0] == "check" else base
                bad += _told(size, arguments, wall, FREE, peak, 1e9, code)
            for seconds in (1.0, 5.0):
                for arguments in commands(file, seconds):
                    wall, peak, code = measured([*arguments, *cell])
                    bad += _told(size, arguments, wall - base, seconds + SLACK, peak, 300 * MEMORY_SLACK, code)
    print(f"{bad} runs passed a limit")
    return bad


def _told(size: int, arguments: list[str], wall: float, most: float, peak: float, most_mb: float, code: int) -> int:
    late = wall > most or peak > most_mb or code in ((1, 2) if arguments[0] == "check" else (1, 2, 30))
    words = " ".join(word for word in arguments if "/" not in word)
    print(f"{'PASSED' if late else 'kept  '} {size:4} {wall:7.1f} s {peak:6.0f} MB exit {code:3}  {words}", flush=True)
    return int(late)


if __name__ == "__main__":
    raise SystemExit(1 if main(tuple(map(int, sys.argv[1:])) or SIZES) else 0)
