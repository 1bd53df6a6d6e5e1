"""The tutorials run from top to bottom, and values draw themselves as a notebook asks them to."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sokoasp
from sokoasp.core import display
from sokoasp.core.result import Result, Status
from sokoasp.domain import domain_for
from sokoasp.render.notebook import Player, show, svg_of, touched
from sokoasp.sokoban import rules
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.validate import validate
from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
LEVEL = sokoasp.read((ROOT / "instances" / "tutorial" / "tutorial.xsb").read_bytes())[7]
LURD = "lluurrrrDDrdLuuullllddrrRllluurrrrrdddlUUdlllUdrrrruuLddlllluuR"


def _drawn(value: object) -> str:
    picture = value._repr_svg_()  # type: ignore[attr-defined]
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    return str(picture)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_tutorials_run_as_they_are_in_any_folder(path: Path, tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="the extra [notebook] is not installed")
    nbformat = pytest.importorskip("nbformat")
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    assert not any(cell.get("outputs") for cell in book.cells), "kept without outputs"
    nbclient.NotebookClient(book, timeout=250, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", ())]
    assert any("image/svg+xml" in output.get("data", {}) for output in shown)
    assert any("<iframe" in output.get("data", {}).get("text/html", "") for output in shown)


def test_there_are_two_tutorials() -> None:
    assert len(NOTEBOOKS) == 2


def test_a_failing_cell_fails_the_test() -> None:
    nbclient = pytest.importorskip("nbclient", reason="the extra [notebook] is not installed")
    nbformat = pytest.importorskip("nbformat")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("assert 1 == 2")])
    with pytest.raises(nbclient.exceptions.CellExecutionError):
        nbclient.NotebookClient(book, timeout=100).execute()


def test_levels_boards_plans_answers_and_deadlocks_draw_themselves() -> None:
    plan = rules.plan_from_lurd(LEVEL, LURD)
    dead = sokoasp.read((ROOT / "instances" / "unsolvable" / "unsolvable.xsb").read_bytes())[4]
    verdict = sokoasp.find_deadlock(dead)
    path = ROOT / "instances" / "klotski" / "own.klotski"
    board = next(iter(domain_for(path.read_bytes(), str(path)).texts.read(path.read_bytes(), str(path))))
    assert "data-id" in _drawn(LEVEL)
    assert f"{plan.lines} lines" in _drawn(plan)
    assert "optimal, 7 lines" in _drawn(sokoasp.solve(LEVEL, engine="reference"))
    assert verdict is not None and "doorway" in _drawn(verdict)
    assert "data-id" in _drawn(board)


def test_an_answer_without_a_plan_says_so_and_an_empty_plan_has_a_picture() -> None:
    assert "unsolvable" in _drawn(Result(Status.UNSOLVABLE, "lines", "reference", proof="a <reason> & more"))
    assert "at least 9 pushes" in _drawn(Result(Status.TIME_OUT, "pushes", "native", lower_bound=9))
    assert "an empty plan" in _drawn(Plan((), ""))


def test_a_plan_by_itself_is_drawn_on_what_it_touches_and_is_a_plan_of_that() -> None:
    plan = rules.plan_from_lurd(LEVEL, LURD)
    part = touched(plan)
    assert part.floor <= LEVEL.floor and part.boxes <= LEVEL.boxes and part.player == LEVEL.player
    assert validate(part, plan).pushes == plan.pushes


def test_the_player_is_a_page_in_a_sandbox_and_a_wrong_plan_is_refused() -> None:
    found = sokoasp.show(LEVEL, rules.plan_from_lurd(LEVEL, LURD))
    assert isinstance(found, Player)
    frame = found._repr_html_()
    assert frame.startswith("<iframe") and 'sandbox="allow-scripts"' in frame and "<script" not in frame
    assert show(LEVEL) is LEVEL
    with pytest.raises(ValueError, match="no plan to show: time out"):
        show(LEVEL, Result(Status.TIME_OUT, "lines", "asp"))
    with pytest.raises(TypeError, match="int has no picture"):
        svg_of(3)


def test_drawing_is_named_by_the_package_and_imported_at_the_first_picture_only() -> None:
    code = (
        "import sys, sokoasp; from sokoasp.sokoban.level import Level; print('sokoasp.render' in sys.modules);"
        "sokoasp.read('#####\\n#@$.#\\n#####')[0]._repr_svg_(); print('sokoasp.render' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["False", "True"]


def test_without_a_drawing_module_there_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_modules", [])
    assert LEVEL._repr_svg_() is None
