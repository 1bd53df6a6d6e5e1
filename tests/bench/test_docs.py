"""docs/bench.md names everything a suite, the store and the report can hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from sokoasp.bench.define import suite
from sokoasp.bench.define.suite import ready_suites
from sokoasp.bench.run.outcomes import OUTCOMES
from sokoasp.bench.run.store import COLUMNS

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "bench.md").read_text(encoding="utf-8")
NAMES = [
    *(f"`{key}`" for keys in (suite.SUITE, suite.LIMITS, suite.INSTANCES, suite.SYSTEMS) for key in keys),
    *(f"`{{{name}}}`" for name in suite.PLACEHOLDERS),
    *(f"`{name}`" for name in OUTCOMES),
    *(f"`{name}`" for name in COLUMNS),
    *(f"`{path.stem}`" for path in ready_suites().glob("*.toml")),
]


@pytest.mark.parametrize("name", sorted(set(NAMES)))
def test_it_is_documented(name: str) -> None:
    assert name in TEXT


def test_every_sentence_of_the_tables_ends() -> None:
    keys = {**suite.SUITE, **suite.LIMITS, **suite.INSTANCES, **suite.SYSTEMS}
    assert all(key.text.endswith(".") for key in keys.values())
