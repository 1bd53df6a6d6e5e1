"""Containers of certificates: what is packed, spelt or sized in an unusual way is read in one way by every checker."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sokoasp import sat
from sokoasp.core.limits import Limits
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import folder as folders
from sokoasp.proof import level_text
from sokoasp.sokoban.rules import plan_from_lurd
from tests.levels import packed_level
from tests.proof.container_ways import SPELLINGS, text_of
from tests.proof.forging import STORED_NEVER, every_checker_says, write
from tests.proof.makers import optimum, resign, rest_on_patterns, solvable
from tests.proof.packing import STREAMS
from tests.proof.ways import Forged

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

from sokoasp.proof import group_bounds, walls  # noqa: E402

TAKEN = {
    *(f"sum {kind}" for kind in (0, 1, 4, 10)),
    *(f"dictionary {code}" for code in (7, 8, 30, 31)),
    "two blocks",
    "seven blocks with sizes",
    "a larger header",
    "other properties",
}
"""Streams that every checker reads."""


def _all_say(folder: Path, taken: bool) -> None:
    said = every_checker_says(folder)
    assert [why is None for why in said] == [taken] * len(said), said


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Forged:
    """Return a certificate with every file that a list can have."""
    place = tmp_path_factory.mktemp("honest")
    level = packed_level(48)
    found = optimum(level, "pushes")
    plan = None if found is None else plan_from_lurd(level, found[1])
    assert certify(level, place, Request("pushes", Limits(), plan, "states")).claim is not None
    assert rest_on_patterns(place, random.Random(0), 1, walls=True)
    files = {path.name: path.read_bytes() for path in place.iterdir() if path.name != "claim.json"}
    return Forged(json.loads((place / "claim.json").read_text()), files)


@pytest.mark.parametrize("name", sorted(STREAMS))
def test_a_stream_is_taken_by_all_or_by_none(name: str, honest: Forged, tmp_path: Path) -> None:
    """Sums whose kind is reserved, other filters, several streams, what stands behind: liblzma alone takes more."""
    files = sorted(file for file in honest.files if file.endswith(".xz"))
    packed = {file: STREAMS[name](lzma.decompress(honest.files[file])) for file in files}
    for file in files:
        said = every_checker_says(honest.holding(file, packed[file]).put(tmp_path / file))
        # a file of no block holds nothing, which may be enough
        taken = said[0] is None if name == "no block" else name in TAKEN
        assert [why is None for why in said] == [taken] * len(said), (file, said)


@pytest.mark.parametrize("name", sorted(SPELLINGS))
def test_a_claim_is_read_by_all_or_by_none(name: str, honest: Forged, tmp_path: Path) -> None:
    text = SPELLINGS[name](text_of(honest))
    forged = Forged(honest.claim, honest.files, text=text)
    said = every_checker_says(forged.put(tmp_path))
    assert len({why is None for why in said}) == 1, said


def test_a_floor_has_65536_cells_at_most(tmp_path: Path) -> None:
    """A cell is 16 bits wherever it is written."""
    for width, taken in ((256, True), (257, False)):
        rows = ["@$." + " " * (width - 3), *[" " * width] * 255]
        level = "\n".join(["#" * (width + 2), *(f"#{row}#" for row in rows), "#" * (width + 2), ""])
        write(tmp_path, level, lurd="R", value=1)
        _all_say(tmp_path, taken)


@pytest.mark.parametrize(("pairs", "taken"), [(30, True), (31, False), (130, False)])
def test_a_record_of_fixed_boxes_has_60_at_most(pairs: int, taken: bool, tmp_path: Path) -> None:
    """A claim may take boxes away, so a level has more; beyond 254 components around them a byte began anew from 0."""
    row = "@ " + "** " * pairs + ".$"
    text = "\n".join(["#" * (len(row) + 2), f"#{row}#", "#" * (len(row) + 2), ""])
    level = level_text.read(text)
    zero = (0,) * len(level.goals)
    bounds = group_bounds.build(level, zero, 1, lines=False)
    assert bounds is not None
    fixed = tuple(box for box in level.boxes if box in level.goals)
    lone = walls.WallFloor(level, fixed, False)
    value, way = np.full(lone.count, lone.kernel.NEVER, np.int32), 1
    while lone.lower((0,) * len(lone.goals), value, way):
        way = -way
    record = walls.WallList(level, bounds, zero)
    record.walls = [walls.Wall(fixed, (0,), tuple(np.where(value >= lone.kernel.NEVER, STORED_NEVER, value).tolist()))]
    record.write(tmp_path / "record")
    empty = lzma.compress(b"")
    more: list[tuple[str, bytes]] = [(folders.PATTERNS, empty), (folders.CORRALS, empty)]
    more.append((folders.WALLS, (tmp_path / "record").read_bytes()))
    dead = [list(level.cells[box]) for box in level.boxes if box not in level.goals]
    claim: dict[str, Any] = {"groups": 1, "prices": list(zero), "boxes": dead, "format": folders.WITH_WALLS}
    write(tmp_path / "made", text, tables=group_bounds.stored_bytes(bounds), more=more, **claim)
    _all_say(tmp_path / "made", taken)


def _moved(lines: list[bytes], head: int) -> list[bytes]:
    """Move a clause behind another, and turn the literals of each around."""
    rows = [b" ".join([*line.split()[-2::-1], b"0"]) for line in lines[head:]]
    return [*lines[:head], *rows[1:-1], rows[0], rows[-1]]


FORMULAS: dict[str, tuple[Callable[[list[bytes], int], list[bytes]], bool]] = {
    "other comments": (lambda lines, head: [b"c x", b"c", *lines[head - 1 :]], True),
    "no comments": (lambda lines, head: lines[head - 1 :], True),
    "a comment behind the head": (lambda lines, head: [*lines[:head], b"c x", *lines[head:]], False),
    "a comment that is no text": (lambda lines, _: [b"c \xff", *lines], False),
    "no head": (lambda lines, head: [*lines[: head - 1], *lines[head:]], False),
    "another head": (lambda lines, head: [*lines[: head - 1], b"p cnf 1 1", *lines[head:]], False),
    "two blanks": (lambda lines, _: [*lines[:-1], lines[-1].replace(b" ", b"  ")], False),
    "a blank behind": (lambda lines, _: [*lines[:-1], lines[-1] + b" "], False),
    "a tab": (lambda lines, _: [*lines[:-1], lines[-1].replace(b" ", b"\t")], False),
    "a zero before": (lambda lines, _: [*lines[:-1], lines[-1].replace(b"-", b"-0")], False),
    "a bar": (lambda lines, _: [*lines[:-1], lines[-1].replace(b" 0", b"_0")], False),
    "another end": (lambda lines, head: [*lines[:head], lines[head][:-1] + b"7", *lines[head + 1 :]], False),
    "a clause twice": (lambda lines, head: [*lines, lines[-1]], False),
}


@pytest.mark.skipif(not sat.available(), reason="no SAT solver")
def test_a_formula_is_spelt_in_one_way_and_in_any_order(tmp_path: Path) -> None:
    level, value, lurd = next(solvable(1, "pushes", 4))
    request = Request("pushes", Limits(), plan_from_lurd(level, lurd), "refutation")
    assert certify(level, tmp_path, request).claim is not None and value
    path, proof = tmp_path / folders.FORMULA, tmp_path / folders.PROOF
    lines = path.read_bytes().split(b"\n")[:-1]
    head = next(at for at, line in enumerate(lines, 1) if line[:1] == b"p")
    for name, (change, taken) in FORMULAS.items():
        path.write_bytes(b"\n".join([*change(lines, head), b""]))
        resign(tmp_path)
        said = every_checker_says(tmp_path)
        assert [why is None for why in said] == [taken] * len(said), (name, said)
    # in another order the hints of the proof name other clauses: it is refused as a proof, not as a formula
    path.write_bytes(b"\n".join([*_moved(lines, head), b""]))
    resign(tmp_path)
    assert all(why is not None and "refutation:" in why for why in every_checker_says(tmp_path))
    path.write_bytes(b"\n".join([*lines[:head], *(line.replace(b" 0", b"") for line in lines[head:]), b""]))
    resign(tmp_path)
    assert None not in every_checker_says(tmp_path)
    assert proof.exists()
