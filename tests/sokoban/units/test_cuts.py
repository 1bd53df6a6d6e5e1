"""Cuts by hand, and the paper's equations."""

import json
import re
from pathlib import Path

import pytest

from sokoasp.core.errors import LevelError
from sokoasp.sokoban import formats
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.units.draw import SplitView, describe, draw, equations
from sokoasp.sokoban.units.split import read_cut
from tests.commands import run
from tests.instances import FOLDER, level, levels, written


def corridor() -> Level:
    return level("###########\n#         #\n# $     $ #\n#@#######.#\n#        .#\n###########")


def cut(made: Level, text: str) -> SplitView:
    return describe(made, cut=read_cut(scene(made), text, "cut.map"))


def test_screen_2_in_three_units_has_the_papers_equations_10_to_16(cavepacker: Path) -> None:
    (made,) = formats.read(next(cavepacker.rglob("xsokoban0002.sok")).read_bytes())
    view = cut(made, (FOLDER / "units" / "screen-2.map").read_text(encoding="utf-8"))
    assert equations(view) == [
        "a: {g1} →* {g0}",
        "a: {g0} ↛ {g1}",
        "b: {g0} →* {g1, g2}",
        "b: {g1} →* {g2}",
        "b: {g2} →* {g1}",
        "b: {g1} ↛ {g0}",
        "b: {g2} ↛ {g0}",
        "c: {g0} →* {g1}",
        "c: {g1} ↛ {g0}",
    ]
    assert not view.dead and all(passage.reached for passage in view.passages)


def test_a_cut_by_hand_proves_what_the_automatic_one_does() -> None:
    made = levels("deadlocks/region.xsb")[0]
    by_hand = cut(made, _around(made))
    assert by_hand.dead and describe(made).dead
    assert by_hand.name == "by hand"
    assert "never done" in draw(made, by_hand)


def _around(made: Level) -> str:
    """One unit of everything but the top row."""
    top = min(cell.row for cell in made.floor)
    rows = [[" "] * made.width for _ in range(made.height)]
    for row, col in made.floor:
        rows[row][col] = "a" if row > top else "."
    rows[0] = ["#"] * made.width
    return "\n".join("".join(row) for row in rows)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#\n#\n#aa\n", "a box lies in no unit"),
        ("a\n", "stands on no floor"),
        ("#\n#aaa    bb#\n#aaabbbbbb", "touch: leave a cell of passage"),
        ("#\n#\n#.a.....b.\n#\n#a", "unit 'a' is in several parts"),
    ],
)
def test_bad_cuts_are_told_with_their_place(text: str, message: str) -> None:
    with pytest.raises(LevelError, match=message) as error:
        cut(corridor(), text)
    assert re.match(r"cut\.map:\d+:\d+: ", str(error.value))


def test_the_command(tmp_path: Path) -> None:
    region = str(FOLDER / "deadlocks" / "region.xsb")
    done = run("units", region, "--level", "1", "--json")
    assert done.returncode == 11 and json.loads(done.stdout)["verdict"] == "dead"
    bad = written(tmp_path, "a\n", "bad.map")
    assert run("units", region, "--level", "1", "--units", str(bad)).returncode == 30
