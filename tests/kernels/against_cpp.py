"""Our forward A* and a plain one in C++ at the same work: ``python -m tests.kernels.against_cpp LEVEL...``.

Matching and frozen boxes only, lower bounds of single boxes being tabulated before either clock starts. It prints expansions a
CPU second of both and the ratio.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sokoasp.core.limits import Limits
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar, member
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options, Proving, Tuning

SOURCE = Path(__file__).with_name("astar.cpp")
PLAIN = Options(tuning=Tuning(proving=Proving(stretch=0))).only("matching", "freeze")
"""No change of depth either: last in, first out in both."""
Counted = tuple[int, int, float]
"""The optimum (-1: none), expansions, CPU seconds."""


def compiler() -> str | None:
    """Return a compiler of C++, None where there is none."""
    return shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")


def built(folder: Path) -> Path:
    """Compile the plain search."""
    program = folder / "astar"
    subprocess.run([str(compiler()), "-O2", "-std=c++17", "-o", str(program), str(SOURCE)], check=True)
    return program


def theirs(program: Path, level: Level) -> Counted:
    """Search a level by the program."""
    board = push_board.build(level)
    dist = push_board.distances(level, board, lines=False, reverse=False)
    tables = (board.neighbour, board.side, dist, board.goals, board.boxes)
    numbers = [board.size, board.live, len(dist), len(board.boxes)]
    for table in tables:
        numbers += table if isinstance(table, tuple) else table.reshape(-1).tolist()
    text = " ".join(map(str, [*numbers, board.reach]))
    best, expanded, seconds = subprocess.run(
        [program], input=text, capture_output=True, text=True, check=True
    ).stdout.split()
    return int(best), int(expanded), float(seconds)


def ours(level: Level) -> Counted:
    """Search a level by our forward A*."""
    search = astar.begin(level, search_tables.build(level, push_board.build(level), "pushes", PLAIN), PLAIN)
    began = time.process_time()
    search.advance(Limits().start(), 1e9)
    seconds, plan = time.process_time() - began, member.plan_found(search)
    return -1 if plan is None else plan.pushes, search.r.expanded, seconds


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        program = built(Path(folder))
        for name in sys.argv[1:]:
            for level in formats.read_each(Path(name).read_bytes(), source=name):
                mine, plain = ours(level), theirs(program, level)
                rates = [expanded / max(seconds, 1e-3) for _, expanded, seconds in (mine, plain)]
                said = f"{mine[1]:,} and {plain[1]:,} expanded, {rates[0]:,.0f} and {rates[1]:,.0f} a CPU second"
                print(f"{Path(name).name}: {said}, ratio {rates[0] / rates[1]:.2f}")


if __name__ == "__main__":
    main()
