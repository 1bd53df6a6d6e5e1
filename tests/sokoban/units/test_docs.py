"""The recall table in the documentation is the one that the command beside it makes (times apart)."""

import re
from pathlib import Path

import pytest

from tests.studies.detector_recall import recall_table


@pytest.mark.slow
def test_recall_table_in_the_docs(root: Path) -> None:
    text = (root / "docs" / "deadlocks-measured.md").read_text()
    table = recall_table(1, 5_000)
    assert f"{table.dead + table.alive} states, {table.dead} dead, {table.alive} alive" in " ".join(text.split())
    for row in table.rows:
        line = rf"^{re.escape(row.name)} +{row.found} +{row.share:.1%} +{row.beyond_simple} +{row.false_alarms} "
        assert re.search(line, text, re.MULTILINE), row
