"""The paper's claims beside the proved minima: what the table says, and that its page says so."""

from pathlib import Path

import pytest

from sokoasp.bench.define.instances import claimed_values
from sokoasp.bench.define.overrides import Changes
from sokoasp.bench.define.suite import find_suite, read_suite
from sokoasp.bench.report import views
from sokoasp.bench.run import campaign, local, store
from sokoasp.core.errors import NotationError
from tests.klotski import claims
from tests.klotski.boards import shipped

# the boards whose number of slides is too high in the paper (table 6, and 層層設防 of table 7)
WRONG = {
    *("屯兵東路", "插翅難飛", "重重包圍", "守口如瓶", "三軍聯防", "四將聯防"),
    *("層層設防", "四路進兵", "夾道藏兵", "水洩不通", "調兵遣將"),
}


def _table(folder: Path, seconds: float) -> list[str]:
    suite = read_suite(find_suite("klotski"), Changes({"seconds": seconds}))
    campaign.run(suite, folder, local.execute)
    with store.open_existing(folder) as opened:
        return list(views.markdown(opened, views.of_campaign(opened)))


def test_eleven_claims_of_slides_are_wrong_and_none_of_units(root: Path, tmp_path: Path) -> None:
    lines = _table(tmp_path / "out", 60)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:22]]
    assert {row[0] for row in rows if row[1].startswith("**")} == WRONG
    assert not any(row[4].startswith("**") for row in rows)
    assert [sum(bool(row[column]) for row in rows) for column in (1, 4)] == [19, 19]
    proved = [(claim.name, str(claim.proved_slides), str(claim.proved_units)) for claim in claims.claims()]
    assert [(row[0], row[3], row[6]) for row in rows] == proved
    page = (root / "docs" / "klotski.md").read_text(encoding="utf-8").splitlines()
    assert set(lines[:22]) <= set(page) and "Of the paper's 19 numbers of slides 11 are wrong." in lines[23]
    effort = [line.rsplit("|", 2)[0] for line in lines[27 : 27 + 16]]
    assert set(effort) <= {line.rsplit("|", 2)[0] for line in page}, "all but our seconds"
    assert not lines[27 + 16], "four rows of table 6 are lost"
    with store.open_existing(tmp_path / "out") as opened:
        opened.connection.execute("UPDATE run SET outcome = 'solved', decided = 0")
        lines = list(views.markdown(opened, views.of_campaign(opened)))
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:22]]
    assert {(row[3], row[6]) for row in rows} == {("", "")} and "**" not in "".join(lines[:22]), "a plan proves nothing"
    assert all(" over " in line for line in lines[27 : 27 + 16])


def test_a_limit_leaves_a_gap_and_accuses_nobody(tmp_path: Path) -> None:
    lines = _table(tmp_path / "out", 0.001)
    (row,) = [line for line in lines if line.startswith("| 三軍聯防 | 69 ")]
    assert row == "| 三軍聯防 | 69 | 74 |  | 89 | 96 |  |" and "of slides 0 are wrong." in "".join(lines)


def test_boards_and_claims_belong_together() -> None:
    assert [claim.board for claim in claims.claims()] == shipped("hua-rong-dao.klotski")
    assert [claim.name for claim in claims.claims()] == [board.title for board in shipped("hua-rong-dao.klotski")]


@pytest.mark.parametrize(
    ("text", "words"),
    [("board,paper\n", "no column 'name'"), ("name,slides\nx,3\n", "called 'slides', as an objective")],
)
def test_faulty_claims_are_told(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "claims.csv").write_text(text)
    with pytest.raises(NotationError, match=words):
        claimed_values(tmp_path / "claims.csv")


def test_a_row_longer_or_shorter_than_the_head_has_the_numbers_of_its_columns(tmp_path: Path) -> None:
    (tmp_path / "claims.csv").write_text("name,paper,other\na,1,2,3\nb,4\n")
    assert claimed_values(tmp_path / "claims.csv") == {"a": {"paper": 1, "other": 2}, "b": {"paper": 4}}
