"""A family of dead levels of any length: by units in time linear in the length, by plain search in states without end.

What the units paper claims in §5.2 (no table of patterns can follow a corridor's length) and could not show. Two boxes stand in
the ends of a corridor with nothing to hold them there but each other; a hall above it, three cells wide, leads round, and in
it lie ``loose`` more boxes that any solution must bring somewhere. Plain search tries the boxes of the hall in every place.

Run ``python -m tests.studies.lengths [FILE.svg]``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sokoasp.bench.report import markdown_table
from sokoasp.core.limits import Limits
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.state_space import packed_counts
from sokoasp.sokoban.units import find_deadlock

LENGTHS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
LOOSE = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Length:
    """One level of the family: what the units and what a search need."""

    length: int
    """Cells of the corridor between its two boxes."""
    loose: int
    cells: int
    """Floor cells of the level."""
    dead: bool
    """Whether the units prove it dead."""
    seconds: float
    """CPU seconds of that, from the level to the verdict."""
    states: int | None
    """States that a search without pruning has to visit, counted one by one; None when it was not tried."""
    ended: bool
    """Whether that count came to its end."""


def level(length: int, loose: int) -> Level:
    """Return the level with ``length`` cells between the boxes in the corridor and ``loose`` boxes in the hall."""
    last = 5 + length
    floor = {Cell(row, col) for row in range(3) for col in range(last + 5)} | {Cell(4, c) for c in range(last + 5)}
    floor |= {Cell(row, col) for row in (3, 5, 6) for col in (*range(4), *range(last + 1, last + 5))}
    boxes = {Cell(4, 4), Cell(4, last)} | {Cell(1, 4 + 5 * k) for k in range(loose)}
    goals = {Cell(5, 1), Cell(5, 2)} | {Cell(1, last - 5 * k) for k in range(loose)}
    return Level(frozenset(floor), frozenset(boxes), frozenset(goals), Cell(0, 0))


def lengths(
    sizes: Sequence[int] = LENGTHS, loose: Sequence[int] = LOOSE, most: int = 1_000_000, repeat: int = 3
) -> Iterator[Length]:
    """Decide every level of the family by units, and count its states as long as there are no more than ``most``.

    The CPU time is the least of ``repeat`` runs, each on a new map (the board of a map is remembered otherwise).

    Raises:
        MissingExtra: numba is not installed.
    """
    for many in loose:
        ended = True
        for length in sizes:
            dead, seconds = True, float("inf")
            for _ in range(repeat):
                made = level(length, many)
                began = time.process_time()
                dead = find_deadlock(made, detectors=["units"]) is not None and dead
                seconds = min(seconds, time.process_time() - began)
                _forget()
            states = None
            if ended:
                states, _, stopped, _ = packed_counts.reachable_states(made, most, Limits().start())
                ended = stopped is None
            yield Length(length, many, len(made.floor), dead, seconds, states, ended)


def _forget() -> None:
    from sokoasp.sokoban.deadlock import bitboard, local
    from sokoasp.sokoban.units import passage

    for remembered in (bitboard._board, bitboard.without, local._dead_alone, passage.inside):
        remembered.cache_clear()


def markdown(rows: Iterable[Length]) -> str:
    """Write the table in Markdown."""
    cells = []
    for row in rows:
        searched = "" if row.states is None else f"{row.states:,}" if row.ended else f"over {row.states:,}"
        verdict = f"{row.seconds:.4f}" if row.dead else "not found"
        cells.append((f"{row.length:,}", row.loose, f"{row.cells:,}", verdict, searched))
    head = ("cells between", "loose boxes", "floor cells", "units: dead, CPU s", "states of a plain search")
    return "\n".join(markdown_table.lines(head, cells, words=0)) + "\n"


def draw(rows: Iterable[Length], file: Path) -> None:
    """Draw CPU time of the units and states of the search over the length, both axes logarithmic.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    from sokoasp.bench.report.plots import figure_and_axes

    found = list(rows)
    figure, axes = figure_and_axes()
    right = axes.twinx()
    for index, many in enumerate(sorted({row.loose for row in found})):
        mine = [row for row in found if row.loose == many]
        name = f"{many} loose box{'es' * (many != 1)}"
        axes.plot([r.length for r in mine], [r.seconds for r in mine], f"C{index}o-", label=f"units, {name}: CPU s")
        ended = [row for row in mine if row.states is not None and row.ended]
        label = f"search, {name}: states"
        right.plot([r.length for r in ended], [r.states for r in ended], f"C{index}s:", label=label)
    for its, text in ((axes, "units: CPU seconds"), (right, "plain search: states")):
        its.set_xscale("log")
        its.set_yscale("log")
        its.set_ylabel(text)
    axes.set_xlabel("cells between the two boxes")
    marks = [pair for its in (axes, right) for pair in zip(*its.get_legend_handles_labels(), strict=True)]
    axes.legend([mark for mark, _ in marks], [text for _, text in marks], fontsize=7, loc="upper left")
    figure.subplots_adjust(right=0.86)
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)


if __name__ == "__main__":
    rows_found = list(lengths())
    sys.stdout.write(markdown(rows_found))
    for name in sys.argv[1:]:
        draw(rows_found, Path(name))
