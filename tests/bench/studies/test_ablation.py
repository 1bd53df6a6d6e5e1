"""The comparison of programs: real runs on two small levels, and the page that comes of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sokoasp.asp import catalogue
from sokoasp.asp.multishot import ClingoOptions
from sokoasp.bench.studies import ablation
from sokoasp.bench.studies.ablation import IdeaRow
from sokoasp.cli.encodings import command
from sokoasp.core.errors import EncodingError
from tests.instances import level

LEVELS = [
    ("up", level("#####\n# . #\n# $ #\n# @ #\n#####")),
    ("bay", level("########\n#  .   #\n#@$# $ #\n#  . ###\n########")),
]


def test_compare_and_report() -> None:
    variants = ablation.named(["lines", "lines-remaining"])
    seen: list[IdeaRow] = []
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
        left, kept = set(whole.ideas) - set(variant.encoding.ideas), variant.encoding.ideas
        assert variant.title.removeprefix("without ") in {idea.name for idea in left}
        assert {path for idea in kept for path in idea.files} <= set(variant.encoding.files) != set(whole.files)
        assert all(path.is_file() for path in variant.encoding.files)


@pytest.mark.parametrize("variant", ablation.leave_one_out("lines-remaining"), ids=lambda v: v.title)
def test_every_variant_runs(variant: ablation.Variant) -> None:
    title, given = LEVELS[1]
    found = ablation.run(given, title, variant, seconds=60)
    assert found.value == 5
    assert found.rules > 0


def test_a_limit_is_kept() -> None:
    title, given = LEVELS[1]
    assert ablation.run(given, title, ablation.named(["lines"])[0], seconds=0.0).value is None


def row(**changes: Any) -> IdeaRow:
    return replace(IdeaRow("bay", "one", 0, 6, 5, 1.0, 0.0, 0.0, 1, 1, 60.0, 1.0), **changes)


def test_a_campaign_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    assert ablation.load(path) == []
    rows = [row(), row(level="up", value=None, refuted=3)]
    for each in rows:
        ablation.append(path, each)
    path.write_text(path.read_text() + '{"level": "b')
    assert ablation.load(path) == rows
    ablation.append(path, rows[0])
    assert ablation.load(path) == [*rows, rows[0]]


def test_settled_runs_are_not_made_again() -> None:
    variants = ablation.named(["lines"])
    proved = row(level="up", variant="lines", value=77, seconds=20.0, limit=30.0)
    tried = row(variant="lines", value=None, seconds=30.0, limit=30.0)
    fresh: list[IdeaRow] = []

    def again(seconds: float) -> list[IdeaRow]:
        fresh.clear()
        return ablation.compare(LEVELS, variants, seconds=seconds, known=[proved, tried], on_row=fresh.append)

    assert again(30.0) == [proved, tried] and not fresh
    assert again(10.0) == [replace(proved, value=None), tried] and not fresh
    assert [each.value for each in again(60.0)] == [77, 5]
    assert [(each.level, each.limit) for each in fresh] == [("bay", 60.0)]


def test_a_race_and_options() -> None:
    rivals, options, threads = ablation.named(
        ["lines-forward+lines-remaining", "lines --configuration=jumpy --eq=0", "lines --parallel-mode=2"]
    )
    assert rivals.title == "lines-forward+lines-remaining (wall)" and threads.title.endswith("(wall)")
    assert not options.parallel and options.options == ClingoOptions(configuration="jumpy", arguments=("--eq=0",))
    title, given = LEVELS[1]
    for variant in (rivals, options, threads):
        assert ablation.run(given, title, variant, seconds=60).value == 5
    with pytest.raises(EncodingError, match="'nonesuch'"):
        ablation.named(["lines+nonesuch"])


def test_an_error_of_a_run_is_raised() -> None:
    with pytest.raises(EncodingError, match="nonsense"):
        ablation.compare(LEVELS[:1], ablation.named(["lines --nonsense"]), seconds=1)


def test_disagreement_is_an_error() -> None:
    with pytest.raises(ValueError, match="both proved"):
        ablation.markdown([row(), row(variant="two", value=7, refuted=6)], seconds=1)
    with pytest.raises(ValueError, match="refuted 6"):
        ablation.markdown([row(), row(variant="two", value=None, refuted=6)], seconds=1)


def test_the_command_goes_on_from_its_results_file(tmp_path: Path) -> None:
    (tmp_path / "bay.xsb").write_text("########\n#  .   #\n#@$# $ #\n#  . ###\n########\n")
    path = tmp_path / "rows.jsonl"
    words = ["bench", str(tmp_path / "bay.xsb"), "--encoding", "lines-forward", "--seed", "3", "--results", str(path)]
    first = CliRunner().invoke(command, words)
    assert first.exit_code == 0 and "| lines-forward | 1/1 |" in first.output and "| bay | 5 |" in first.output
    assert [(each.value, each.seed, each.limit) for each in ablation.load(path)] == [(5, 3, 60.0)]
    assert CliRunner().invoke(command, words).output == first.output
    assert len(ablation.load(path)) == 1
    refused = CliRunner().invoke(command, [*words, "--encoding", "nonesuch"])
    assert isinstance(refused.exception, EncodingError)


def test_a_program_of_ones_own_runs_beside_the_catalogued(tmp_path: Path) -> None:
    mine = tmp_path / "mine.lp"
    mine.write_text("".join(path.read_text() for path in catalogue.encodings()["pushes"].files))
    rows = ablation.compare(LEVELS[1:], ablation.named([str(mine), "pushes"]), seconds=60)
    assert [row.variant for row in rows] == [str(mine), "pushes"]
    assert rows[0].value == rows[1].value is not None
    with pytest.raises(EncodingError, match="nonesuch"):
        ablation.named([str(tmp_path / "nonesuch.lp")])
