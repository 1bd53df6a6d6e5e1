"""Every figure of the documents: drawn again from a level of ours with the verdict on it, or a note that it is lost.

Run ``python -m tests.studies.figures > docs/figures.md``.
"""

# ruff: noqa: E501  (the table reads row by row)
from __future__ import annotations

import csv
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from sokoasp.bench.studies.claims import claims
from sokoasp.core.shipped import instances
from sokoasp.sokoban import formats
from sokoasp.sokoban.deadlock.pulled_region import pulled_region
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import find_deadlock

WIDTH = 100


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """One figure: its document and number, what it showed, and what stands for it here."""

    document: str
    number: str
    shows: str
    levels: tuple[str, ...] = ()
    """Levels as ``file:number`` of ``instances/deadlocks``, or names of Klotski boards."""
    instead: str = ""
    """What is said where nothing is drawn, or besides the levels."""


THESIS, UNITS, KLOTSKI, TOUCH = "thesis", "units paper", "Hua Rong Dao paper", "touch paper"
FIGURES: tuple[PaperFigure, ...] = (
    PaperFigure(THESIS, "2-1", "the five types", ("corner:1", "wall:1", "block:1", "corner-pair:1", "region:1")),
    PaperFigure(THESIS, "2-2", "boxes along a wall that may be there", ("wall:5",)),
    PaperFigure(THESIS, "2-3", "one box along the wall too many", ("wall:4",)),
    PaperFigure(THESIS, "2-4", "blocks in which walls stand for boxes", ("block:3", "block:4", "corner:1")),
    PaperFigure(THESIS, "2-5", "a closed shape along a wall", ("region:1", "region:2")),
    PaperFigure(THESIS, "2-6", "the special type: a box in a door, one behind it", ("doorway:1", "doorway:2", "doorway:3")),
    PaperFigure(THESIS, "2-7", "the closed region of pulling", ("pulled-region:2", "pulled-region:3")),
    PaperFigure(THESIS, "2-8 to 2-10", "pulls into corners, to walls, into blocks", (), "Lost. That there are none is tested on random pulls: `test_pulls_make_none_of_types_1_to_3`."),
    PaperFigure(THESIS, "2-11", "the doorway pair forward and in reverse", ("doorway:1",), "Lost as drawn; this is its position (a)."),
    PaperFigure(THESIS, "2-12", "a board of 99,829 and 10,244 expansions", (), "Lost. The same comparison on boards of our own is in [native-measured.md](native-measured.md)."),
    PaperFigure(THESIS, "2-13", "several start regions in reverse", (), "Lost. The searches start from every region and are compared with forward search on random levels."),
    PaperFigure(UNITS, "1, 2", "what the signs mean; XSokoban screen 2", (), "The signs are those of every level here. The level is not ours to print; it is in Debian's `cavepacker-data`."),
    PaperFigure(UNITS, "3", "boxes that can never move", ("block:1",)),
    PaperFigure(UNITS, "4", "boxes that can move, and yet it is lost", ("corner-pair:1",)),
    PaperFigure(UNITS, "5 to 8", "units with their gates, gates that can be used, a kind that changes", (), "Lost as drawn. `sokoasp units FILE` draws those of any level; kinds and their change are tested in `sokoban/units/test_passage.py` and `test_verdict.py`."),
    PaperFigure(UNITS, "9, 12, 19, 22", "unit diagrams", (), "Lost as drawn. `sokoasp units FILE -o x.svg` (or `.dot`) makes the diagram of any cut."),
    PaperFigure(UNITS, "10, 11, 13", "two units that shut a corridor, at two lengths", ("units:1",), "The family of all lengths is `tests/studies/lengths.py`, its plot is in [deadlocks-measured.md](deadlocks-measured.md)."),
    PaperFigure(UNITS, "14, 15", "a search inside a unit; a player shut in", (), "Lost."),
    PaperFigure(UNITS, "16 to 18", "screen 2 in three units", (), "The cut is lost; `instances/units/screen-2.map` is one that gives equations (10) to (16)."),
    PaperFigure(UNITS, "20, 21", "a map that another program judges wrongly", ("units:8",), "Lost; a case of two units apart instead."),
    PaperFigure(KLOTSKI, "1", "橫刀立馬", ("橫刀立馬",)),
    PaperFigure(KLOTSKI, "2", "包青天", (), "Lost, and not invented."),
    PaperFigure(KLOTSKI, "3", "三軍聯防", ("三軍聯防",)),
    PaperFigure(KLOTSKI, "flow chart", "the search", (), "Lost; rebuilt from the text in `tests/studies/mistake.py`."),
    PaperFigure(TOUCH, "1, 3, 5", "flow charts of the three steps", (), "Lost; built from the text in `walk/touch.py`, and [walk.md](walk.md) says how figure 5 was read."),
    PaperFigure(TOUCH, "2, 4, 7", "walks after each step", (), "Given cell by cell in the text; each is a test in `sokoban/walk/test_walk.py`."),
    PaperFigure(TOUCH, "6", "equal cells merged", (), "Lost; returns to a cell are cut out in `touch.optimise`, and tested on random walks."),
    PaperFigure(TOUCH, "8", "the game on a telephone", (), "Not ours; our page on one: ![the page on a telephone](images/web-phone.png)"),
)  # fmt: skip


def levels() -> dict[str, tuple[Level, Level | None, str]]:
    """Return the levels of ``instances/deadlocks`` by ``file:number``: the level, the start it is pulled back to, its truth."""
    folder = instances() / "deadlocks"
    with (folder / "verdicts.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    known = {file: formats.read((folder / file).read_bytes(), source=file) for file in {row["file"] for row in rows}}
    found = {}
    for row in rows:
        its = known[row["file"]]
        start = its[int(row["start"]) - 1] if row["start"] else None
        found[f"{row['file'].removesuffix('.xsb')}:{row['level']}"] = (
            its[int(row["level"]) - 1],
            start,
            row["verdict"],
        )
    return found


def page() -> Iterator[str]:
    """Yield the lines of docs/figures.md."""
    yield "# The figures of the documents"
    yield ""
    yield from _wrapped(
        "None of the five documents came down to us with its figures. Each is drawn again here from a level of ours, with what "
        "the detectors say of it and what exhaustive search knows, or a note that it is lost. Made by"
    )
    yield ""
    yield "    python -m tests.studies.figures > docs/figures.md"
    known, boards = levels(), {claim.name: claim for claim in claims()}
    for figure in FIGURES:
        yield ""
        yield f"## {figure.document[0].upper()}{figure.document[1:]}, {figure.number}: {figure.shows}"
        for name in figure.levels:
            yield ""
            if name in boards:
                claim = boards[name]
                yield from ("```", *claim.board.rows(), "```")
                yield f"{claim.proved_slides} slides, {claim.proved_units} units at least."
            else:
                yield from _judged(name, *known[name])
        if figure.instead:
            yield from ("", *_wrapped(figure.instead))


def _judged(name: str, level: Level, start: Level | None, truth: str) -> Iterator[str]:
    text = formats.write([level], "xsb").splitlines()
    yield from ("```", *(line for line in text if "#" in line), "```")
    if start is not None:
        found = pulled_region(start, State(level.boxes, level.player))
    else:
        found = find_deadlock(level)
    file, number = name.split(":")
    verdict = f"**{found.kind}**: {found.reason}." if found is not None else "No deadlock found."
    what = (
        "in truth dead"
        if truth == "dead"
        else "in truth it can be solved"
        if start is None
        else "in truth there is a way back"
    )
    yield from _wrapped(f"`{file}.xsb` {number}: {verdict} ({what[0].upper()}{what[1:]}, by exhaustive search.)")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    sys.stdout.write("\n".join(page()) + "\n")
