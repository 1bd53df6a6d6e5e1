"""How far a campaign is, and campaigns of some systems and instances only."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.bench.define.instances import expand
from sokoasp.bench.define.suite import find_suite, read_suite
from sokoasp.bench.report.status import SystemStatus, _seconds_left, lines, status
from sokoasp.bench.run import store
from sokoasp.cli.bench import command
from sokoasp.core.errors import WrongOption


def run(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(command, ["run", "smoke", "-o", str(folder), *words])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of which one system has been run, on one instance at first."""
    folder = tmp_path_factory.mktemp("half")
    level = next(one for one in expand(read_suite(find_suite("smoke"))) if one.game == "sokoban")
    for what, name in (("system", "nobody"), ("instance", f"*{level.id[4:12]}*")):
        opened = CliRunner().invoke(command, ["run", "smoke", "-o", str(folder), f"--{what}", name])
        assert isinstance(opened.exception, WrongOption) and opened.exception.exit_code == 2
        assert f"no {what} of the suite is called {name!r}" in str(opened.exception)
    assert level.names[2] == f"{level.names[1]}:1"
    for at, name in enumerate((*level.names, level.id)):
        told = run(folder, "--system", "ref*", "--instance", name, "--part", "0/2")
        assert f"1 run, {min(at, 1)} of them done" in told
    run(folder, "--system", "ref*")
    return folder


def test_what_is_done_and_left_is_counted(half: Path) -> None:
    asked = datetime.now(UTC)
    with store.open_existing(half) as opened:
        found, stored = status(opened), opened.keys()
    runs = {one.system: (one.done, one.left) for one in found.systems}
    assert runs["reference"][0] > 0 and runs["reference"][1] == 0
    assert runs["asp"][0] == 0 and runs["asp"][1] > 0
    assert found.done == len(stored) == sum(done for done, _ in runs.values())
    assert found.left == sum(left for _, left in runs.values()) > 0
    assert found.seconds_left is not None and found.seconds_left > 0 and found.end is not None
    assert asked <= found.end - timedelta(seconds=found.seconds_left) <= datetime.now(UTC)
    assert f"expected end {found.end:%Y-%m-%d %H:%M} UTC" in lines(found)[0]


def test_the_command_prints_it(half: Path) -> None:
    text = CliRunner().invoke(command, ["status", str(half)]).output
    row = json.loads(CliRunner().invoke(command, ["status", str(half), "--json"]).output)
    assert f"{row['done']} runs done, {row['left']} left of the whole suite" in text
    assert {one["system"] for one in row["systems"]} >= {"asp", "reference"}


def test_what_only_maintainers_want_is_not_listed() -> None:
    listed = CliRunner().invoke(command, ["--help"]).output
    assert "optima" not in listed.split() and {"status", "submit"} <= set(listed.split())
    assert CliRunner().invoke(command, ["optima", "--help"]).exit_code == 0


def test_a_log_gets_a_line_each_tenth_and_the_report_names_its_pages(half: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["run", "smoke", "-o", str(tmp_path / "new"), "--system", "ref*"])
    said = [line for line in done.stderr.splitlines() if " runs, " in line]
    assert 2 <= len(said) <= 11 and "0 of 12 runs, starting" in said[0] and "12 of 12 runs" in said[-1]
    written = CliRunner().invoke(command, ["report", str(half), "--no-plots"]).stdout.splitlines()
    assert [Path(line).name for line in written[:-1]] == ["report.html", "report.md"]
    number = int(written[-1].split()[0])
    assert number == sum(path.is_file() for folder in ("tables", "plots") for path in (half / folder).rglob("*"))


def test_a_campaign_that_rested_is_not_slower_for_it() -> None:
    """Two runs of ten seconds, an hour between them, on one worker: the ten that are left take a hundred seconds."""
    at = [datetime(2026, 1, 1, hour, tzinfo=UTC) for hour in (1, 2)]
    one = SystemStatus("a", 2, 2, 10, 10.0)
    assert _seconds_left(at, (one,)) == 100
    quick = [at[0], at[0] + timedelta(seconds=10)]
    assert _seconds_left(quick, (one,)) == 50, "two workers: twenty seconds of work in ten"
