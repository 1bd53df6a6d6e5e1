"""Count the nodes of a fixed bench: ``python -m tests.nodes [--check]``.

The bench is deterministic: exact searches run to their proof, the packing-order search takes a fixed number of steps, no clock
decides anything. A commit of the search that means to change no behaviour has the sum in its message, in a line ``Nodes: N``;
``--check`` compares with the last such line in the history and ends with code 1 where the sum is another.
"""

import re
import subprocess
import sys
from collections.abc import Iterator

from sokoasp.core.limits import Limits
from sokoasp.sokoban.search import solve
from sokoasp.sokoban.search.exact.breadth_first import BreadthFirstSearch
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.satisficing.macro_workspace import load
from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch
from tests.levels import scrambled_level

EXACT = [
    (seed, objective, engine)
    for seed in (3, 5, 8, 10, 12, 15)
    for objective, engine in (("lines", "forward"), ("lines", "reverse"), ("pushes", "forward"), ("pushes", "reverse"))
] + [(10, "moves", "forward"), (15, "moves", "forward")]
MACRO, STEPS = (2, 4, 6), 60
"""Seeds of the levels for the packing-order search, and its steps."""


def bench() -> Iterator[tuple[str, int]]:
    """Yield the name of each run and the nodes it expanded and generated."""
    for seed, objective, engine in EXACT:
        level = scrambled_level(seed, boxes=6, pulls=2000)
        found = solve(level, objective, engine=engine)
        yield f"{engine} {objective} {seed}", found.counters["expanded"] + found.counters["generated"]
    options = Options()
    load()
    for seed in MACRO:
        level = scrambled_level(seed, width=12, height=12, boxes=12, pulls=4000)
        board = push_board.build(level)
        packing = PackingOrderSearch(level, board, options)
        for _ in range(STEPS):
            if not packing.finished:
                packing.step()
        moves = 0 if packing.found is None else len(packing.found.lurd)
        yield f"{packing.name} {seed}", packing.counters["expanded"] + packing.counters["generated"] + moves
    level = scrambled_level(8, boxes=6, pulls=2000)
    plain = BreadthFirstSearch(level, push_board.build(level), "pushes", options)
    plain.gated = False
    plain.advance(Limits().start(), 600.0)
    yield "breadth-first 8", plain.counters["expanded"] + plain.counters["generated"]


def last_said() -> tuple[str, int] | None:
    """Return the last commit that says its nodes, and the number; None where there is no history or none does."""
    command = ["git", "log", "-1", "--grep=^Nodes: [0-9]", "--format=%h %B"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"^Nodes: (\d+)", done.stdout, re.MULTILINE)
    return None if found is None else (done.stdout.split()[0], int(found[1]))


def main() -> int:
    total = 0
    for name, count in bench():
        print(f"{count:10} {name}")
        total += count
    print(f"Nodes: {total}")
    if "--check" not in sys.argv[1:]:
        return 0
    said = last_said()
    if said is None:
        print("no commit says its nodes")
        return 0
    print("as" if said[1] == total else f"but {said[1]}", "in commit", said[0])
    return int(said[1] != total)


if __name__ == "__main__":
    sys.exit(main())
