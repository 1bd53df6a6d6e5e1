"""Every command that has limits on a large map, with and without a limit of memory: none may pass its limit by much."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from sokoasp.sokoban import formats
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level, reachable
from sokoasp.sokoban.units.reason import least

SLACK, MEMORY_SLACK = 1.0, 1.1
"""Seconds beyond the limit that a run may take, reading the map and starting Python left out; times of the memory limit."""
ENGINES = ("asp", "native", "forward", "reverse", "reference", "any", "portfolio", "sat")


def large_map(size: int, boxes: int) -> Level:
    """Return a map of this many rows and columns with an inner wall on every eighth cell or so."""
    rng = random.Random(f"{size} {boxes} 0")
    free = {Cell(r, c) for r in range(1, size - 1) for c in range(1, size - 1) if rng.random() >= 0.12}
    floor = reachable(max(free, key=lambda cell: -abs(cell.row - size // 2) - abs(cell.col - size // 2)), free)
    wide = [cell for cell in sorted(floor) if all(cell.step(d) in floor for d in DIRECTIONS)]
    player, *chosen = rng.sample(wide, 2 * boxes + 1)
    return Level(frozenset(floor), frozenset(chosen[:boxes]), frozenset(chosen[boxes:]), player)


def measured(arguments: list[str]) -> tuple[float, float, int, str]:
    """Run a command; return seconds (wall; CPU where others use the machine as well), peak MB, exit code and output."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "sokoasp", *arguments]
    with tempfile.TemporaryFile("w+") as out, subprocess.Popen(command, stdout=out, stderr=-3) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall, cpu = time.perf_counter() - began, used.ru_utime + used.ru_stime
        out.seek(0)
        text = out.read()
    alone = os.getloadavg()[0] <= (os.cpu_count() or 1)
    return wall if alone else cpu, used.ru_maxrss * 1024 / 1e6, process.returncode, text


def commands(file: str, limits: list[str]) -> list[list[str]]:
    """List the commands that have limits."""
    solve = [["solve", file, "--json", "--engine", name, *limits] for name in ENGINES]
    solve.append(["solve", file, "--json", "--objective", "pushes", "--engine", "asp", *limits])
    others = [["stats", file, *limits], ["deadlock", file, *limits], ["deadlock", file, "--exhaustive", *limits]]
    others.append(["certify", file, "-o", f"{file}.certificate", *limits])
    return [*solve, *others, ["render", file, "-o", os.devnull, "--format", "html", *limits]]


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("memory", [300, None])
@pytest.mark.parametrize("seconds", [1.0, 5.0])
@pytest.mark.parametrize("size", [50, 100, 150, 200])
def test_limits_hold_on_large_maps(size: int, seconds: float, memory: int | None, tmp_path: Path) -> None:
    if os.getloadavg()[0] > (os.cpu_count() or 1):
        pytest.skip("other work runs on this machine: what is late cannot be said")
    file, level = str(tmp_path / "large.xsb"), large_map(size, max(5, 300 * size * size // 40_000))
    Path(file).write_text(formats.write([level], "xsb"))
    base = measured(["translate", file, "--to", "xsb", "-o", os.devnull])[0]
    limits = ["--time-limit", f"{seconds:g}", *([] if memory is None else ["--memory-limit", str(memory)])]
    bad = []
    for arguments in commands(file, limits):
        wall, peak, code, text = measured(arguments)
        late = wall - base > seconds + SLACK or (memory is not None and peak > memory * MEMORY_SLACK)
        if arguments[0] == "solve" and code != 11:
            late |= not text.strip() or json.loads(text)["lower_bound"] < least(level, "lines")
        if late or code in (1, 2, 30, 130):
            bad.append((arguments, wall - base, peak, code))
    assert bad == []
