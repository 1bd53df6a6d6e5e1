"""docs/bench.md names everything a suite, the store and the report can hold."""

import re
from pathlib import Path

import pytest

from sokoasp.bench.define import suite_keys
from sokoasp.bench.define.suite import READY_SUITES
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import COLUMNS
from sokoasp.cli.bench import view

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "bench.md").read_text(encoding="utf-8")
NAMES = [
    *(
        f"`{key}`"
        for keys in (suite_keys.SUITE, suite_keys.LIMITS, suite_keys.INSTANCES, suite_keys.SYSTEMS)
        for key in keys
    ),
    *(f"`{{{name}}}`" for name in suite_keys.PLACEHOLDERS),
    *(f"`{name}`" for name in OUTCOMES),
    *(f"`{name}`" for name in COLUMNS),
    *(f"`{path.stem}`" for path in READY_SUITES.glob("*.toml")),
]


@pytest.mark.parametrize("name", sorted(set(NAMES)))
def test_it_is_documented(name: str) -> None:
    assert name in TEXT


def test_page_and_help_list_every_view() -> None:
    views = {path.stem for path in (READY_SUITES.parent / "views").glob("*.sql")}
    page = " ".join(TEXT.split()).split(" Views: ")[1].split("A view of your own")[0]
    told = " ".join(str(view.help).split()).split("NAME is one of ")[1].partition(";")[0]
    assert set(re.findall(r"`(\w+)`", page)) == views == set(told.replace(" and ", ", ").split(", "))
