"""Corrals in certificates: made, checked by every checker, of use, and no condition of theirs can be left out."""

import json
import lzma
import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sokoasp.core.limits import Limits
from sokoasp.engine import closing
from sokoasp.engine.proving import Request, certify
from sokoasp.proof import closed, corrals, group_bounds, level_text
from sokoasp.proof import folder as folders
from sokoasp.proof.refusals import Refused
from sokoasp.proof.verify import verify
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Level
from tests.instances import levels
from tests.proof.corral_forging import CONDITIONS, deceive, two_rooms
from tests.proof.forging import lax_says, says
from tests.proof.makers import optimum, resign, rest_on_patterns
from tests.proof.test_patterns import impatient
from tests.proof.ways import areas_of, packed_areas

THREE_ROOMS = """
##########
#  #   # #
#@ $ . $.#
#  #   # #
##########
"""
"""The box of the right door can be pushed only when the other one has been."""
FALSE = {
    "closed": two_rooms(3),
    "to be opened": two_rooms(255),
    "at hand": formats.read(THREE_ROOMS.strip("\n") + "\n")[0],
    "into the area": two_rooms(99),
}
"""By condition a level that has a plan, but without the condition a closed list says that it has none."""


FAULTS = {
    "closed": ("if s.row[cell] == 255 or s.row[cell] == part:", "if s.row[cell] == 255:"),
    "to be opened": ("if not must:", "if False:"),
    "at hand": (
        "if row[stand] != part:\n                return -1 - int(row[stand])",
        "if row[stand] != part:\n                continue",
    ),
    "into the area": (
        "if chosen[row[to]] == 0:\n                return -1 - int(row[to])",
        "if chosen[row[to]] == 0:\n                continue",
    ),
}
"""How the check of each condition is left out of ``corral_kernel``."""


def _folder(level: Level, folder: Path, objective: str = "pushes") -> list[list[int]]:
    """Certify a level in format 4; return the areas of its states."""
    certify(level, folder, Request(objective, Limits()))
    assert rest_on_patterns(folder, random.Random(0), 1, corrals=True)
    return areas_of((folder / folders.CORRALS).read_bytes())


def _with_corrals(place: Path, objective: str = "pushes") -> Iterator[tuple[Path, Level]]:
    for seed in (55, 9, 143):
        folder, level = place / str(seed), two_rooms(seed)
        assert any(_folder(level, folder, objective))
        yield folder, level


@pytest.mark.parametrize("objective", ["pushes", "lines"])
def test_lists_with_corrals_are_accepted_and_smaller(tmp_path: Path, objective: str) -> None:
    smaller = 0
    for folder, level in _with_corrals(tmp_path, objective):
        assert says(folder) is None
        steps = {step.name: step.reported for step in verify(folder)}
        barred = sum(bool(area) for area in areas_of((folder / folders.CORRALS).read_bytes()))
        assert f"{barred:,} states have one" in steps["corrals"]
        field = level_text.read(level_text.write(level))
        claim = json.loads((folder / "claim.json").read_text())
        bounds = group_bounds.build(field, claim["prices"], 1, lines=objective == "lines")
        about = closed.Claim(field, objective, claim["value"], field.boxes, tuple(claim["prices"]), 1)
        counts = []
        for wanted in (False, True):
            listed = closed.ClosedList(about, bounds, wanted)
            assert closing.close(listed, lambda *_: None) is None
            counts.append(listed.count)
        assert counts[1] <= counts[0]
        smaller += counts[1] < counts[0]
    assert smaller


@pytest.mark.parametrize("objective", ["pushes", "lines"])
@pytest.mark.parametrize("without", CONDITIONS)
def test_no_condition_can_be_left_out(without: str, objective: str, tmp_path: Path) -> None:
    """Planted fault: a checker that does not ask for a condition accepts a list that denies a level its plan."""
    level = FALSE[without]
    assert optimum(level, objective) is not None
    folder = deceive(level, without, tmp_path, objective)
    assert folder is not None
    assert deceive(level, "", tmp_path / "honest", objective) is None
    assert "corral that is none" in str(says(folder))
    assert lax_says(folder, "corral_kernel", *FAULTS[without]) is None


def test_a_line_out_of_a_corral_is_asked_for_at_each_cell(tmp_path: Path) -> None:
    """The planted fault: who looks at a line's first cell only misses a record that is not there."""
    missed = []
    for seed in (88, 238):
        folder = tmp_path / str(seed)
        assert any(_folder(two_rooms(seed), folder, "lines"))
        areas = areas_of((folder / folders.CORRALS).read_bytes())
        data = lzma.decompress((folder / folders.STATES).read_bytes())
        width = len(data) // len(areas)
        for at in range(len(areas)):
            less = shutil.copytree(folder, tmp_path / f"{seed} {at}")
            (less / folders.CORRALS).write_bytes(packed_areas([*areas[:at], *areas[at + 1 :]]))
            (less / folders.STATES).write_bytes(lzma.compress(data[: width * at] + data[width * (at + 1) :]))
            resign(less)
            fault = ("if p.objective != 1:", "if p.objective != 1 or p.corrals:")
            if lax_says(less, "closed_kernel", *fault) is None:
                missed.append(less)
                break
    assert missed
    assert None not in [says(folder) for folder in missed]


def test_what_is_no_file_of_corrals(tmp_path: Path) -> None:
    folder, level = next(_with_corrals(tmp_path))
    areas = areas_of((folder / folders.CORRALS).read_bytes())
    at = next(i for i, area in enumerate(areas) if area)
    size = len(level_text.read(level_text.write(level)).cells)
    wrong = {
        "too soon": packed_areas(areas[:-1]),
        "more corrals than states": packed_areas([*areas, []]),
        "off the floor": packed_areas([*areas[:at], [size], *areas[at + 1 :]]),
        "ends in the middle of the xz stream": b"no xz",
    }
    cut = lzma.decompress(packed_areas([*areas[:-1], [0, 0]]))[:-1]
    for reported, data in (*wrong.items(), ("too soon", lzma.compress(cut))):
        (folder / folders.CORRALS).write_bytes(data)
        resign(folder)
        assert reported in str(says(folder))
    (folder / folders.CORRALS).unlink()
    assert says(folder) == "corrals.xz is missing, or no plain file"


def test_areas_that_are_none(tmp_path: Path) -> None:
    """An area with a box in it, and the player's region itself."""
    folder, level = next(_with_corrals(tmp_path))
    areas = areas_of((folder / folders.CORRALS).read_bytes())
    at = next(i for i, area in enumerate(areas) if area)
    field = level_text.read(level_text.write(level))
    every = range(field.size)
    made = [shutil.copytree(folder, tmp_path / "more" / str(cell)) for cell in every]
    for cell, other in zip(every, made, strict=True):
        (other / folders.CORRALS).write_bytes(packed_areas([*areas[:at], [*areas[at], cell], *areas[at + 1 :]]))
        resign(other)
    refused = len(made) - [says(other) for other in made].count(None)
    # at least the boxes and the cell of the player; a cell of the same component changes nothing
    assert len(field.boxes) < refused < field.size


def test_more_boxes_than_goals(tmp_path: Path) -> None:
    """A ring need not be opened then, so corrals are refused, whatever they say."""
    folder, level = next(_with_corrals(tmp_path))
    text = level_text.write(level).replace(".", " ", 1)
    (folder / "level.xsb").write_text(text)
    resign(folder)
    assert says(folder) is not None
    field = level_text.read(text)
    about = closed.Claim(field, "pushes", None, field.boxes, (0,) * len(field.goals), 0)
    for objective in ("pushes", "lines", "moves"):
        with pytest.raises(Refused, match="corrals need"):
            closed.ClosedList(replace(about, objective=objective), None, corrals=True)


def test_the_maker_takes_corrals_for_pushes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    impatient(monkeypatch)
    level = levels("graded/05-boxes.sok")[24]
    forms = {}
    for name, objective in (("with", "pushes"), ("lines", "lines")):
        done = certify(level, tmp_path / name, Request(objective))
        assert ("corral" in done.reported) == (name == "with"), done.reported
        assert says(tmp_path / name) is None
        forms[name] = json.loads((tmp_path / name / "claim.json").read_text())["format"]
    assert [forms[name][-1] for name in ("with", "lines")] == ["4", "3"]
    # they are of use: without them the same list is not closed
    file = tmp_path / "with" / folders.CORRALS
    file.write_bytes(packed_areas([[] for _ in areas_of(file.read_bytes())]))
    resign(tmp_path / "with")
    assert "states: " in str(says(tmp_path / "with"))


def test_files_of_areas_are_read_as_written(tmp_path: Path) -> None:
    areas = np.full((5, 3), -1, np.int32)
    areas[1, :2], areas[3] = (4, 300), (0, 65_534, 1)
    corrals.write(tmp_path / "x", areas)
    assert corrals.read(tmp_path / "x", 5, 65_536).tolist() == areas.tolist()
