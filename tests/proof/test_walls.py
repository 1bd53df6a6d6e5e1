"""Boxes that never move again in certificates: of use, checked by every checker, and no condition of theirs can be left out."""

import lzma
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sokoasp.engine import closed_lists, closing
from sokoasp.engine.certificate_bounds import Way
from sokoasp.engine.fixed_boxes import FixedBoxes
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import closed, corrals, group_bounds, level_text, patterns, walls
from sokoasp.proof import folder as folders
from sokoasp.proof.refusals import Cheaper, Refused
from sokoasp.proof.verify import verify
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from tests.levels import DETOUR, packed_level
from tests.proof.forging import STORED_NEVER, lax_says, package_says, says, write
from tests.proof.makers import certified, optimum, resign, rest_on_patterns
from tests.proof.test_patterns import impatient

DETOURING = formats.read(DETOUR.strip("\n") + "\n")[0]
PACKED = (DETOURING, *map(packed_level, (12, 48, 54)))
"""In all of them fixed boxes bound states that nothing else bounds; in the first by the ways around them."""


def _folder(level: Level, folder: Path, objective: str = "pushes") -> None:
    """Certify a level in format 6."""
    assert rest_on_patterns(certified(level, folder, objective), random.Random(0), 1, walls=True)


def _listing(level: Level, value: int | None, objective: str = "pushes") -> tuple[Any, FixedBoxes]:
    """Return a list to be made, with tables of single boxes and no prices, and what bounds its states by fixed boxes."""
    field = level_text.read(level_text.write(level))
    prices = (0,) * len(field.goals)
    bounds = group_bounds.build(field, prices, 1, lines=objective == "lines")
    listed = closed.ClosedList(closed.Claim(field, objective, value, field.boxes, prices, 1), bounds)
    return listed, FixedBoxes(walls.WallList(field, bounds, prices), listed.tables)


def _write(folder: Path, level: Level, listed: Any, fixed: FixedBoxes) -> None:
    """Write a claim that there is no plan, of format 6, with honest sums."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "level.xsb").write_text(level_text.write(level))
    (folder / folders.TABLES).write_bytes(group_bounds.stored_bytes(fixed.walls.bounds))
    patterns.PatternList(listed.claim, fixed.walls.bounds).write(folder / folders.PATTERNS)
    listed.write(folder / folders.STATES)
    corrals.write(folder / folders.CORRALS, np.full((listed.count, 1), -1, np.int32))
    fixed.walls.write(folder / folders.WALLS)
    claim = folders.ClaimFile("pushes", None, "states", 1, listed.claim.prices, parts=3)
    folders.write_claim(folder, claim)


@pytest.mark.parametrize("objective", ["pushes", "lines"])
def test_lists_with_walls_are_accepted_and_smaller(tmp_path: Path, objective: str) -> None:
    priced = 0
    for number, level in enumerate(PACKED):
        folder = tmp_path / str(number)
        _folder(level, folder, objective)
        assert says(folder) is None
        found = optimum(level, objective)
        value = None if found is None else found[0]
        plain, (listed, fixed) = _listing(level, value, objective)[0], _listing(level, value, objective)
        assert closing.close(plain, lambda *_: None) is closing.close(listed, lambda *_: None, fixed.bound) is None
        assert 0 < listed.count < plain.count
        again = walls.WallList(fixed.walls.level, fixed.walls.bounds, listed.claim.prices)
        again.read(folder / folders.WALLS)
        said = {step.name: step.reported for step in verify(folder)}["walls"]
        records = f"{len(again.walls)} {'record' if len(again.walls) == 1 else 'records'}"
        assert said == f"{records} of boxes that never move again: all that is said holds"
        priced += any(wall.entries for wall in again.walls)
    assert priced > 1


def test_no_plan_is_bounded_too_high() -> None:
    """With fixed boxes, too, no list shows that a level takes more actions than it does."""
    records = 0
    for seed in range(36):
        level, objective = packed_level(seed, boxes=3 + seed % 2), ("pushes", "lines")[seed % 2]
        found = optimum(level, objective)
        if found is None or not found[0]:
            continue
        for value in (found[0] + 2, None):
            listed, fixed = _listing(level, value, objective)
            with pytest.raises(Cheaper):
                closing.close(listed, lambda *_: None, fixed.bound)
                pytest.fail(f"{seed}: {value} {objective}, and {found[0]} are enough")
            records += len(fixed.walls.walls)
    assert records > 20


MOVABLE = formats.read(
    """
#########
##     ##
#@*. $  #
##     ##
#########
""".strip("\n")
    + "\n"
)[0]
"""The box on the goal has to leave it for a while; as a wall it shuts the player in."""


@pytest.mark.parametrize("on_goal", [True, False])
def test_boxes_that_may_move_are_no_walls(on_goal: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a checker that does not ask whether boxes are fixed accepts that a level with a plan has none."""
    assert optimum(MOVABLE, "pushes") is not None
    listed, fixed = _listing(MOVABLE, None)
    field = fixed.walls.level
    (chosen,) = (box for box in field.boxes if (box in field.goals) == on_goal)
    with monkeypatch.context() as lax:
        lax.setattr(FixedBoxes, "_fixed", lambda *_: (chosen,))
        lax.setattr(FixedBoxes, "_smallest", lambda *_: (chosen,))
        lax.setattr(walls.kernels.named(group_bounds.MODULES)["wall_kernel"], "fix", lambda boxes, *_: len(boxes))
        listed.tables = fixed.bound(np.array(field.boxes, np.int32), field.player, closed.ENDLESS)
    assert listed.start_passed()
    _write(tmp_path / "made", MOVABLE, listed, fixed)
    assert "may move" in str(says(tmp_path / "made"))
    fault = ("if flag[c] and not (across and along):", "if False:")
    assert lax_says(tmp_path / "made", "wall_kernel", *fault) is None


def detouring(folder: Path) -> tuple[bytes, int]:
    """Return the record of walls of a certificate, and the bytes of its cells."""
    _folder(DETOURING, folder)
    field = level_text.read(level_text.write(DETOURING))
    bounds = group_bounds.build(field, (0,) * len(field.goals), 1, lines=False)
    return lzma.decompress((folder / folders.WALLS).read_bytes()), (len(bounds.floor.floor_of) + 7) // 8


def test_a_box_on_a_goal_is_not_dead(tmp_path: Path) -> None:
    """Fixed boxes on goals need entries; without them the record ends too soon, whatever follows."""
    data, width = detouring(tmp_path)
    for cut in (data[:width], data[: width + 1], data[:-1], data[:-2], data + b"\0", b"\0" * width + data):
        (tmp_path / folders.WALLS).write_bytes(lzma.compress(cut))
        resign(tmp_path)
        assert "walls" in str(says(tmp_path)), len(cut)


def test_every_entry_and_price_is_looked_at(tmp_path: Path) -> None:
    """Each number of a record one higher: every checker says the same, and none is fooled into another value."""
    (data, width), refused, raised = detouring(tmp_path), 0, 0
    for at in range(width, len(data), 2):
        word = int.from_bytes(data[at : at + 2], "little")
        if word == STORED_NEVER:
            continue
        (tmp_path / folders.WALLS).write_bytes(
            lzma.compress(data[:at] + (word + 1).to_bytes(2, "little") + data[at + 2 :])
        )
        resign(tmp_path)
        refused, raised = refused + (says(tmp_path) is not None), raised + 1
    assert refused > raised // 2
    assert str(says(tmp_path)).startswith("walls: 1 entry of record 1: more than a local inequality allows")


def test_the_maker_takes_walls_when_nothing_else_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    impatient(monkeypatch)
    monkeypatch.setattr(closed_lists, "FEW", 0)
    monkeypatch.setattr(closed_lists, "MANY", 0)
    monkeypatch.setattr(closed_lists, "sizes_of", lambda *_: [1])
    by_patterns = closed_lists.LevelCertifier.by_patterns

    def in_vain(certifier: Any, learning: Any, way: Way) -> Any:
        return by_patterns(certifier, learning, way) if way == Way(walls=True) else None

    monkeypatch.setattr(closed_lists.LevelCertifier, "by_patterns", in_vain)
    done = certify(packed_level(92, boxes=6), tmp_path, Request("pushes"))
    assert "3 sets of fixed boxes" in done.reported
    assert says(tmp_path) is None


def test_no_more_records_than_a_checker_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The maker stops where a checker would refuse; the list is closed without more of them."""
    level = packed_level(48)
    listed, fixed = _listing(level, None)
    assert closing.close(listed, lambda *_: None, fixed.bound) is None
    assert len(fixed.walls.walls) > 1
    monkeypatch.setattr(walls, "MOST", fixed.walls.level.size**2)
    again, fewer = _listing(level, None)
    assert closing.close(again, lambda *_: None, fewer.bound) is None
    assert len(fewer.walls.walls) == 1
    assert again.count > listed.count
    _write(tmp_path, level, listed, fixed)
    assert package_says(tmp_path) == "walls: there are too many"


def test_records_are_read_as_written(tmp_path: Path) -> None:
    listed, fixed = _listing(DETOURING, 7)
    closing.close(listed, lambda *_: None, fixed.bound)
    fixed.walls.write(tmp_path / "x")
    again = walls.WallList(fixed.walls.level, fixed.walls.bounds, listed.claim.prices)
    again.read(tmp_path / "x")
    assert again.walls == fixed.walls.walls != []
    inner = next(cell for cell, near in enumerate(again.level.beside) if min(near) >= 0)
    with pytest.raises(Refused, match="may move"):
        again.add(walls.Wall((inner,)))


@pytest.mark.parametrize(("pairs", "taken"), [(30, True), (31, False), (130, False)])
def test_a_record_of_fixed_boxes_has_60_at_most(pairs: int, taken: bool, tmp_path: Path) -> None:
    """A claim may take boxes away, so a level has more; beyond 254 components around them a byte began anew from 0."""
    row = "@ " + "** " * pairs + ".$"
    text = "\n".join(["#" * (len(row) + 2), f"#{row}#", "#" * (len(row) + 2), ""])
    level = level_text.read(text)
    zero = (0,) * len(level.goals)
    bounds = group_bounds.build(level, zero, 1, lines=False)
    fixed = tuple(box for box in level.boxes if box in level.goals)
    lone = walls.WallFloor(level, fixed, False)
    value, way = np.full(lone.count, lone.kernel.NEVER, np.int32), 1
    while lone.lower((0,) * len(lone.goals), value, way):
        way = -way
    record = walls.WallList(level, bounds, zero)
    record.walls = [walls.Wall(fixed, (0,), tuple(np.where(value >= lone.kernel.NEVER, STORED_NEVER, value).tolist()))]
    record.write(tmp_path / "record")
    empty = lzma.compress(b"")
    more = [(folders.PATTERNS, empty), (folders.CORRALS, empty), (folders.WALLS, (tmp_path / "record").read_bytes())]
    dead = [list(level.cells[box]) for box in level.boxes if box not in level.goals]
    claim: dict[str, Any] = {"groups": 1, "prices": list(zero), "boxes": dead, "format": f"{folders.FORMAT} 6"}
    write(tmp_path / "made", text, tables=group_bounds.stored_bytes(bounds), more=more, **claim)
    assert (says(tmp_path / "made") is None) == taken
