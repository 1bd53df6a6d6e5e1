"""Cuts by hand, the paper's equations, and unit diagrams."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sokoasp.core.errors import LevelError
from sokoasp.sokoban import formats
from sokoasp.sokoban.deadlock.bitboard import scene
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.units import diagram
from sokoasp.sokoban.units.cuts import read_cut
from sokoasp.sokoban.units.draw import describe, draw
from sokoasp.sokoban.units.passage import BLOCKED
from tests.commands import run
from tests.instances import FOLDER, level, levels

SCREEN_2 = Path("/usr/share/games/cavepacker/maps/xsokoban0002.sok")


def corridor() -> Level:
    return level("###########\n#         #\n# $     $ #\n#@#######.#\n#        .#\n###########")


def cut(made: Level, text: str) -> diagram.SplitView:
    return describe(made, cut=read_cut(scene(made), text, "cut.map"))


@pytest.mark.skipif(not SCREEN_2.exists(), reason="Debian's cavepacker-data is not installed")
def test_screen_2_in_three_units_has_the_papers_equations_10_to_16() -> None:
    (made,) = [one for one in formats.read_each(SCREEN_2.read_bytes(), source="2") if isinstance(one, Level)]
    view = cut(made, (FOLDER / "units" / "screen-2.map").read_text(encoding="utf-8"))
    assert diagram.equations(view) == [
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
    assert "never done" in draw(made, cut=read_cut(scene(made), _around(made)))


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


def test_diagrams_have_every_unit_passage_and_gate() -> None:
    view = cut(corridor(), "#\n#aaa...bbb\n#aaa...bbb\n")
    every = diagram.gates(view)
    assert {gate.unit for gate in every} == {0, 1} and len(every) >= 3
    lines = list(diagram.dot(view))
    assert sum(line.startswith("  u") and "shape=ellipse" in line for line in lines) == 2
    assert sum("[dir=none]" in line for line in lines) == 2 * len(every)
    open_ways = [way for way in diagram.kinds(view) if way[2] != BLOCKED]
    assert sum(
        "style=solid]" in line or "style=dashed]" in line for line in lines if "label=" in line and "->" in line
    ) == len(open_ways)
    root = ElementTree.fromstring(diagram.svg(view))
    assert len(root.findall("{http://www.w3.org/2000/svg}ellipse")) == 2 + len(view.passages)
    assert len(root.findall("{http://www.w3.org/2000/svg}rect")) == len(every)


def test_gates_are_grouped_once_for_all_equations(monkeypatch: pytest.MonkeyPatch) -> None:
    view, plain, asked = cut(corridor(), "#\n#aaa...bbb\n#aaa...bbb\n"), diagram.gates, []
    monkeypatch.setattr(diagram, "gates", lambda shown: asked.append(shown) or plain(shown))
    assert diagram.equations(view) and len(asked) == 1


def test_the_command(tmp_path: Path) -> None:
    region, drawn = str(FOLDER / "deadlocks" / "region.xsb"), tmp_path / "x.svg"
    done = run("units", region, "--level", "1", "-o", str(drawn), "--json")
    assert done.returncode == 11 and json.loads(done.stdout)["verdict"] == "dead"
    assert drawn.read_text(encoding="utf-8").startswith("<svg")
    bad = tmp_path / "bad.map"
    bad.write_text("a\n", encoding="utf-8")
    assert run("units", region, "--level", "1", "--units", str(bad)).returncode == 30
    assert run("units", region, "-o", "x.png").returncode == 2
