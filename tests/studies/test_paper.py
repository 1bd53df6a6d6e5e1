"""The technical report is made from what the repository holds, and says what that holds."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import pytest

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban import optima_table
from tests.conftest import ROOT
from tests.studies import paper


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paper") / "docs"
    (folder / "report").mkdir(parents=True)
    for path in (*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "report").glob("r*.*")):
        shutil.copy(path, folder / path.relative_to(ROOT / "docs"))
    return folder


def _table(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


def test_the_pages_are_made_by_one_command(docs: Path, tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the extra [report] is not installed")
    pdf = tmp_path / "report.pdf"
    assert paper.build(docs / "report", pdf) == pdf
    assert pdf.read_bytes().startswith(b"%PDF") and pdf.stat().st_size > 100_000


def test_every_table_of_the_text_is_made_and_even_and_names_its_command(docs: Path) -> None:
    paper.make_data(docs / "report" / "data", docs)
    text = (docs / "report" / "report.typ").read_text()
    names = set(re.findall(r'data\("([a-z-]+\.csv)"\)', text))
    assert len(names) >= 6
    for name in names:
        rows = _table(docs / "report" / "data" / name)
        assert len(rows) > 2 and len({len(row) for row in rows}) == 1, name
    assert text.count("#figure(") == text.count("#cmd(")


def test_the_numbers_are_those_of_the_table_of_optima(docs: Path) -> None:
    paper.make_data(docs / "report" / "data", docs)
    numbers = dict(_table(docs / "report" / "data" / "counts.csv"))
    rows = optima_table.rows_of(optima_table.shipped())
    proved = [row for row in rows if row.status == "proved"]
    assert numbers["proved"] == f"{len(proved):,}" and numbers["boards"] == f"{len({row.board for row in proved}):,}"
    assert numbers["disagree"] == "0" and int(numbers["tied"]) > 100
    table = {row[0]: row[1:] for row in _table(docs / "report" / "data" / "optima.csv")}
    assert sum(int(row[2] or 0) for row in list(table.values())[1:]) == sum(
        row.objective == "pushes" and row.status != "open" for row in rows
    )


def test_every_work_cited_is_in_the_list_and_the_other_way_round() -> None:
    text = (ROOT / "docs" / "report" / "report.typ").read_text()
    listed = set(re.findall(r"@\w+\{(\w+),", (ROOT / "docs" / "report" / "refs.bib").read_text()))
    assert listed == set(re.findall(r"@([a-z]+\d{4})", text))


def test_a_table_that_has_gone_is_told(docs: Path, tmp_path: Path) -> None:
    with pytest.raises(SokoaspError, match="no table that begins with"):
        paper.measured_table(docs / "native-measured.md", "| no such head |")
    with pytest.raises(SokoaspError, match="run this in a clone"):
        paper.build(tmp_path)
