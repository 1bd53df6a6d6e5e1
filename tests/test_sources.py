"""docs/sources.md: every claim has a room, a test that exists, and a verdict."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def claims() -> list[list[str]]:
    text = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line.startswith("| ")
    ]
    return [row for row in rows if len(row) == 4 and row[0] != "claim" and "42 cells" not in row[0][:8]]


def test_every_claim_has_its_room_test_and_verdict() -> None:
    found = claims()
    assert len(found) > 35
    for claim, _room, tests, verdict in found:
        assert verdict, claim
        assert "missing" not in verdict
        for name in re.findall(r"`([\w/]+(?:\.py)?)", tests):
            assert (ROOT / "tests" / name).exists(), f"{claim}: tests/{name}"


def test_every_document_leads_to_its_room_and_its_test_in_one_step() -> None:
    """In the tables of documents, here and in README, every path is there."""
    for page, words in (("README.md", "## Where the five"), ("docs/sources.md", "# The five source")):
        table = (ROOT / page).read_text(encoding="utf-8").split(words)[1].split("\n## ")[0]
        rows = [line for line in table.splitlines() if line.startswith("| ") and "`" in line]
        assert len(rows) == 5
        for row in rows:
            paths = re.findall(r"`([\w/.]+)`", row)
            assert paths and all((ROOT / path).exists() for path in paths), row
            assert page != "README.md" or any(path.startswith("tests/") for path in paths), row
