"""The comparison of programs: real runs on two small levels, and the page that comes of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sokoasp.asp import catalogue
from sokoasp.bench import ablation
from sokoasp.bench.ablation import Row
from tests.instances import level

LEVELS = [
    ("up", level("#####\n# . #\n# $ #\n# @ #\n#####")),
    ("bay", level("########\n#  .   #\n#@$# $ #\n#  . ###\n########")),
]


def test_compare_and_report() -> None:
    variants = ablation.named(["lines", "lines-remaining"])
    seen: list[Row] = []
    rows = ablation.compare(LEVELS, variants, seconds=60, seeds=(0, 1), on_row=seen.append)
    assert seen == rows
    assert [(r.level, r.variant, r.seed) for r in rows] == [
        (title, variant.title, seed) for title, _ in LEVELS for seed in (0, 1) for variant in variants
    ]
    assert {(r.level, r.value) for r in rows} == {("up", 1), ("bay", 5)}
    page = ablation.markdown(rows, seconds=60)
    assert "| lines-remaining | 4/4 |" in page
    assert "| bay | 5 |" in page


def test_leave_one_out_leaves_out_one() -> None:
    whole = catalogue.encodings()["lines-remaining"]
    whole_variant, *others, restart = ablation.leave_one_out("lines-remaining")
    assert whole_variant.encoding == restart.encoding == whole
    assert restart.restart
    for variant in others:
        missing = set(whole.files) - set(variant.encoding.files)
        assert [f"without {path.stem}" for path in missing] == [variant.title]
        assert all(path.is_file() for path in variant.encoding.files)


@pytest.mark.parametrize("variant", ablation.leave_one_out("lines-remaining"), ids=lambda v: v.title)
def test_every_variant_runs(variant: ablation.Variant) -> None:
    title, given = LEVELS[1]
    row = ablation.run(given, title, variant, seconds=60)
    assert row.value == 5
    assert row.rules > 0


def test_a_limit_is_kept() -> None:
    title, given = LEVELS[1]
    row = ablation.run(given, title, ablation.named(["lines"])[0], seconds=0.0)
    assert row.value is None


def test_disagreement_is_an_error() -> None:
    row = Row("bay", "one", 0, 6, 5, 1.0, 0.0, 0.0, 1, 1)
    with pytest.raises(ValueError, match="both proved"):
        ablation.markdown([row, replace(row, variant="two", value=7, refuted=6)], seconds=1)
    with pytest.raises(ValueError, match="refuted 6"):
        ablation.markdown([row, replace(row, variant="two", value=None, refuted=6)], seconds=1)
