"""The tutorials run from top to bottom, and levels draw themselves as a notebook asks them to."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import sokoasp
from sokoasp.core.result import Result, Status
from sokoasp.klotski import notation
from sokoasp.sokoban import rules
from tests.commands import python
from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
assert len(NOTEBOOKS) == 2
LEVEL = sokoasp.read((ROOT / "instances" / "tutorial" / "tutorial.xsb").read_bytes())[7]
LURD = "lluurrrrDDrdLuuullllddrrRllluurrrrrdddlUUdlllUdrrrruuLddlllluuR"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_tutorials_run_as_they_are_in_any_folder(path: Path, tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="the extra [notebook] is not installed")
    nbformat = pytest.importorskip("nbformat")
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    assert not any(cell.get("outputs") for cell in book.cells), "kept without outputs"
    nbclient.NotebookClient(book, timeout=250, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert all(cell["outputs"] for cell in book.cells if "print(" in cell.source), "what prints has something to print"
    shown = [output for cell in book.cells for output in cell.get("outputs", ())]
    assert any("image/svg+xml" in output.get("data", {}) for output in shown)
    assert any("<iframe" in output.get("data", {}).get("text/html", "") for output in shown)


def test_levels_and_boards_draw_themselves() -> None:
    path = ROOT / "instances" / "klotski" / "own.klotski"
    for problem in (LEVEL, notation.read(path.read_text(), "own")[0]):
        picture = str(problem._repr_svg_())
        assert ElementTree.fromstring(picture).tag.endswith("svg") and "data-id" in picture


def test_the_player_is_a_page_in_a_sandbox_and_a_wrong_plan_is_refused() -> None:
    found = sokoasp.show(LEVEL, rules.plan_from_lurd(LEVEL, LURD))
    frame = found._repr_html_()
    assert frame.startswith("<iframe") and 'sandbox="allow-scripts"' in frame and "<script" not in frame
    with pytest.raises(ValueError, match="no plan to show: time out"):
        sokoasp.show(LEVEL, Result(Status.TIME_OUT, "lines", "asp"))


def test_drawing_is_named_by_the_package_and_imported_at_the_first_picture_only() -> None:
    code = (
        "import sys, sokoasp; from sokoasp.sokoban.level import Level; print('sokoasp.render' in sys.modules);"
        "sokoasp.read('#####\\n#@$.#\\n#####')[0]._repr_svg_(); print('sokoasp.render' in sys.modules)"
    )
    done = python(code, cwd=ROOT, check=True)
    assert done.stdout.split() == ["False", "True"]
