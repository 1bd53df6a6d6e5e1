from __future__ import annotations

from pathlib import Path

from sokoasp.bench.studies import claims
from sokoasp.core.limits import Limits
from tests.klotski.boards import shipped

# the boards whose number of slides is too high in the paper (table 6, and 層層設防 of table 7)
WRONG = {
    *("屯兵東路", "插翅難飛", "重重包圍", "守口如瓶", "三軍聯防", "四將聯防"),
    *("層層設防", "四路進兵", "夾道藏兵", "水洩不通", "調兵遣將"),
}


def test_eleven_claims_of_slides_are_wrong_and_none_of_units() -> None:
    rows = claims.rows()
    assert len(rows) == 20
    assert {row.claim.name for row in rows if row.wrong_slides} == WRONG
    assert not any(row.claim.paper_units not in (None, row.units) for row in rows)
    assert sum(row.claim.paper_slides is not None for row in rows) == 19
    assert sum(row.claim.paper_units is not None for row in rows) == 19
    assert all((row.slides, row.units) == (row.claim.proved_slides, row.claim.proved_units) for row in rows)
    text = claims.markdown(rows)
    assert "| 三軍聯防 | **69** | **74** | 65 | 89 | **96** | 89 |" in text
    assert text in (Path(__file__).resolve().parents[2] / "docs" / "klotski-measured.md").read_text(encoding="utf-8")
    assert "Of the paper's 19 numbers of slides 11 are wrong." in text
    check_effort(rows)


def check_effort(rows: list[claims.ClaimRow]) -> None:
    lines = claims.effort(rows).splitlines()
    assert len(lines) == 2 + 16, "four rows of table 6 are lost"
    docs = (Path(__file__).resolve().parents[2] / "docs" / "klotski-measured.md").read_text(encoding="utf-8")
    for line in lines[2:]:
        exact = line.rsplit("|", 2)[0]
        assert exact in docs, "all but our seconds"


def test_a_limit_leaves_a_gap_and_accuses_nobody() -> None:
    row = claims.rows(["三軍聯防"], Limits(states=100))[0]
    assert (row.slides, row.units, row.wrong_slides) == (None, None, False)
    assert "| 三軍聯防 | 69 | 74 |  | 89 | 96 |  |" in claims.markdown([row])


def test_boards_and_claims_belong_together() -> None:
    assert [claim.board for claim in claims.claims()] == shipped("hua-rong-dao.klotski")
    assert [claim.name for claim in claims.claims()] == [board.title for board in shipped("hua-rong-dao.klotski")]
