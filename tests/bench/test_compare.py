"""Two campaigns question by question: what is lost and won."""

import csv
import json
import shutil
import sqlite3
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.bench.define.suite import find_view
from sokoasp.bench.report import views
from sokoasp.bench.report.compare import ComparedSide, compare, markdown
from sokoasp.bench.report.tables import load
from sokoasp.bench.run.store import open_existing
from sokoasp.cli import root as cli
from sokoasp.core.errors import CampaignError

from . import synthetic


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("campaigns") / "before"
    synthetic.fill(folder, 400)
    with sqlite3.connect(folder / "runs.db") as store:
        store.execute("PRAGMA journal_mode=DELETE")
        store.execute("DELETE FROM run WHERE outcome NOT IN ('optimal', 'time_out')")
        store.execute("INSERT INTO campaign VALUES ('clock', 'wall'), ('limits', '')")
    return folder


def changed(before: Path, folder: Path, *commands: str) -> Path:
    shutil.copytree(before, folder)
    with sqlite3.connect(folder / "runs.db") as store:
        for command in commands:
            store.execute(command)
    return folder


def kinds(before: Path, after: Path) -> Counter[str]:
    return Counter(
        change.kind for pairing in compare(ComparedSide(before), ComparedSide(after)) for change in pairing.changes
    )


PROVED = "(SELECT key FROM run WHERE system = 'search' AND outcome = 'optimal' AND wall < 50 ORDER BY key LIMIT {})"


def test_a_campaign_does_not_differ_from_itself(before: Path) -> None:
    pairings = compare(ComparedSide(before), ComparedSide(before))
    assert len(pairings) == len(synthetic.SYSTEMS)
    for pairing in pairings:
        assert pairing.changes == () and pairing.decided[0] == pairing.decided[1] > 0
        assert pairing.times.factor == 1.0


@pytest.mark.parametrize(
    ("command", "kind", "count"),
    [
        ("UPDATE run SET outcome='time_out', decided=0, value=NULL WHERE key IN " + PROVED.format(3), "lost", 3),
        ("UPDATE run SET outcome='wrong_plan', decided=0, value=NULL WHERE key IN " + PROVED.format(2), "wrong", 2),
        ("UPDATE run SET wall = wall * 3 + 1 WHERE key IN " + PROVED.format(4), "slower", 4),
        ("UPDATE run SET wall = wall * 1.5 WHERE key IN " + PROVED.format(4), "", 0),
        ("UPDATE run SET wall = wall + 0.49", "", 0),
    ],
)
def test_what_got_worse_is_told_and_the_exit_code_says_so(
    before: Path, tmp_path: Path, command: str, kind: str, count: int
) -> None:
    after = changed(before, tmp_path / "after", command)
    assert kinds(before, after) == ({kind: count} if count else {})
    done = CliRunner().invoke(cli, ["bench", "compare", str(before), str(after)])
    assert done.exit_code == (1 if count else 0)
    assert f"## Regressions: {count}" in done.output
    opposite = {"lost": "won", "slower": "faster"}.get(kind)
    if opposite:
        assert kinds(after, before) == {opposite: count}
        assert CliRunner().invoke(cli, ["bench", "compare", str(after), str(before)]).exit_code == 0


def test_worse_and_better_plans_of_open_questions(before: Path, tmp_path: Path) -> None:
    plan = "UPDATE run SET outcome='solved', decided=0, value={} WHERE key IN " + PROVED.format(5)
    one, two = changed(before, tmp_path / "one", plan.format(70)), changed(before, tmp_path / "two", plan.format(71))
    assert kinds(one, two) == {"worse plan": 5} and kinds(two, one) == {"better plan": 5}


def test_two_systems_of_one_campaign(before: Path) -> None:
    (pairing,) = compare(ComparedSide(before, "whole"), ComparedSide(before, "outside"))
    assert pairing.system == "whole against outside" and pairing.times.factor is not None and pairing.times.factor < 1
    sides = ["bench", "compare", f"{before}:whole", f"{before}:outside"]
    assert json.loads(CliRunner().invoke(cli, [*sides, "--json"]).output)["questions"] == pairing.questions
    table = list(csv.DictReader(CliRunner().invoke(cli, [*sides, "--csv"]).output.splitlines()))
    assert [float(row["ratio"]) for row in table] == [pairing.times.factor], "the column was empty before"


def test_regressions_stand_first(before: Path, tmp_path: Path) -> None:
    after = changed(
        before,
        tmp_path / "after",
        "UPDATE run SET outcome='time_out', decided=0, value=NULL WHERE key IN " + PROVED.format(1),
        "UPDATE run SET wall = wall / 50 WHERE system = 'whole'",
    )
    sides = ComparedSide(before), ComparedSide(after)
    lines = list(markdown(compare(*sides), *sides))
    assert lines[1] == "\n## Regressions: 1" and lines[5].startswith("| lost | lines | search |")
    for pairing in (one for one in compare(*sides) if one.system == "search"):
        first, second = pairing.decided
        row = f"| {pairing.objective} | search | {pairing.questions} | {first}, {second} | "
        assert any(line.startswith(row) for line in lines) and (first > second) == bool(pairing.changes)
    renamed = partial(replace, system="gringo | clasp")
    barred = [replace(one, changes=tuple(map(renamed, one.changes))) for one in compare(*sides)]
    assert any("| gringo \\| clasp |" in line for line in markdown(barred, *sides))


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        ("run SET limit_seconds = 10", "10 s by the clock, 1000 MB"),
        ("run SET limit_memory_mb = 500", "60 s by the clock, 500 MB"),
        ("run SET limit_seconds = 10 WHERE seed = 0", "10 s by the clock, 1000 MB or 60 s by the clock, 1000 MB"),
        ("campaign SET value = 'cpu' WHERE key = 'clock'", "60 CPU seconds, 1000 MB"),
        ("campaign SET value = ', cores = 2' WHERE key = 'limits'", "60 s by the clock, 1000 MB, cores = 2"),
        ("run SET wall = wall", ""),
    ],
)
def test_other_limits_are_told(before: Path, tmp_path: Path, change: str, reported: str) -> None:
    after = changed(before, tmp_path / "after", f"UPDATE {change}")
    sides = ComparedSide(before), ComparedSide(after)
    lines = [line for line in markdown(compare(*sides), *sides) if "Other limits" in line]
    wanted = (
        [f"(lines, {name}): 60 s by the clock, 1000 MB against {reported};" for name in synthetic.SYSTEMS]
        if reported
        else []
    )
    assert sorted(line.partition("**Other limits** ")[2].partition(" this")[0] for line in lines) == sorted(wanted)
    done = CliRunner().invoke(cli, ["bench", "compare", str(before), str(after), "--json"])
    assert json.loads(done.output.splitlines()[0])["limits"][0] == ["60 s by the clock, 1000 MB"]


def test_what_cannot_be_compared_is_refused(before: Path, tmp_path: Path) -> None:
    with pytest.raises(CampaignError, match="no system 'nobody'"):
        compare(ComparedSide(before, "nobody"), ComparedSide(before))
    other = changed(before, tmp_path / "other", "DELETE FROM run")
    with pytest.raises(CampaignError, match="no question in common"):
        compare(ComparedSide(before), ComparedSide(other))
    assert CliRunner().invoke(cli, ["bench", "compare", str(before), "nowhere"]).exit_code == 2


def test_runs_under_constraints_are_compared_with_each_other_only(before: Path, tmp_path: Path) -> None:
    one, two = (f"UPDATE run SET question = '{n}.lp', value = 900 WHERE system IN ('search', 'outside')" for n in "ab")
    under, other = changed(before, tmp_path / "under", one), changed(before, tmp_path / "other", two)
    with pytest.raises(CampaignError, match=r"; whole against search: lines against lines under a.lp$"):
        compare(ComparedSide(under, "whole"), ComparedSide(under, "search"))
    (pairing,) = compare(ComparedSide(under, "outside"), ComparedSide(under, "search"))
    assert pairing.questions > 0
    sides = ComparedSide(under), ComparedSide(other)
    notes = [line for line in markdown(compare(*sides), *sides) if "Other questions" in line]
    assert [note.split("(")[1].split(")")[0] for note in notes] == ["outside", "search"]
    with open_existing(under) as store:
        runs, shown = load(store, {}).of("lines"), list(views.markdown(store, find_view("programs")))
    assert {*runs} == {"whole", "part a", "part b"} and max(one.value or 0 for one in runs["whole"].values()) < 900
    firsts = [line for line in shown if "/" in line and "| 1.00 |" in line]
    assert [line.split(" | ")[1] for line in firsts] == ["lines", "lines under a.lp"]
    optima = [line.split(" | ")[1:3] for line in shown if line.startswith("| set")]
    assert all((best == "900") == (asked != "lines") for asked, best in optima if best) and ["lines", "5"] in optima
