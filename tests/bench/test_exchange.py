"""Job arrays, and campaigns in the files of other tools: what is written is read back, by us and by BenchExec's own reader."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.bench.define.suite import find_suite, read_suite
from sokoasp.bench.report import exchange, lab
from sokoasp.bench.report.status import status
from sokoasp.bench.run import campaign, one_machine
from sokoasp.bench.run.campaign import Progress
from sokoasp.bench.run.store import open_existing
from sokoasp.cli import root as cli
from sokoasp.core.errors import CampaignError

from . import synthetic
from .conftest import REFERENCE, SUITE, MakeSuite


def _runs(folder: Path) -> list[exchange.Exchanged]:
    store = open_existing(folder)
    try:
        return exchange.runs(store)
    finally:
        store.close()


@pytest.mark.parametrize("to", ["benchexec", "benchmark-tool", "lab"])
def test_what_is_written_is_read_back(tmp_path: Path, to: str) -> None:
    synthetic.fill(tmp_path / "ours", 60)
    reported = CliRunner().invoke(cli, ["bench", "exchange", str(tmp_path / "ours"), "--to", to])
    assert reported.exit_code == 0, reported.output
    if to == "benchexec":
        files = [path for path in map(Path, reported.output.split()) if path.name != "table.xml"]
        assert len(files) == len(synthetic.SYSTEMS)
    else:
        files = [tmp_path / f"eval.{to}"]
        files[0].write_text(reported.output)
    taken = CliRunner().invoke(cli, ["bench", "import", *map(str, files), "-o", str(tmp_path / "theirs")])
    assert taken.exit_code == 0 and taken.output.startswith("60 runs of 5 systems"), taken.output

    def key(run: exchange.Exchanged) -> tuple[object, ...]:
        return (run.instance, run.name, run.system, run.objective, run.outcome, run.value, run.bound)

    ours, theirs = _runs(tmp_path / "ours"), _runs(tmp_path / "theirs")
    assert sorted(map(repr, map(key, ours))) == sorted(map(repr, map(key, theirs)))
    walls = [sorted(run.wall for run in runs) for runs in (ours, theirs)]
    assert walls[0] == pytest.approx(walls[1], rel=1e-4)
    assert to == "benchmark-tool" or all(run.memory_mb == pytest.approx(50, abs=0.01) for run in theirs)
    again = CliRunner().invoke(cli, ["bench", "import", *map(str, files), "-o", str(tmp_path / "theirs")])
    assert again.output.startswith("0 runs")
    paired = CliRunner().invoke(cli, ["bench", "compare", str(tmp_path / "ours"), str(tmp_path / "theirs")])
    assert paired.exit_code == 0, paired.output


def test_benchexec_reads_our_files(tmp_path: Path) -> None:
    generator = pytest.importorskip("benchexec.tablegenerator", reason="benchexec is not installed")
    synthetic.fill(tmp_path, 30)
    files = exchange.write_benchexec(_runs(tmp_path), "t", tmp_path / "out")
    code = "from benchexec.tablegenerator import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "-f", "csv", "-o", str(tmp_path), *map(str, files[:-1])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert generator is not None and done.returncode == 0, done.stderr
    (table,) = tmp_path.glob("results.*.csv")
    rows = table.read_text().splitlines()
    assert sum(row.startswith("set") for row in rows) == 6 and "cputime" in rows[2]


def test_results_of_strangers_are_understood(tmp_path: Path) -> None:
    file = tmp_path / "theirs.xml"
    file.write_text(
        '<result benchmarkname="b" tool="T" timelimit="60s">'
        '<run name="a.pddl" properties="x"><column title="status" value="true"/><column title="category" value="correct"/>'
        '<column title="walltime" value="1.5s"/><column title="memory" value="2000000B"/></run>'
        '<run name="b.pddl" properties="x"><column title="status" value="TIMEOUT"/></run></result>'
    )
    good, late = exchange.read(file)
    assert (good.outcome, good.system, good.wall, good.memory_mb) == ("optimal", "T", 1.5, 2.0)
    assert (late.outcome, late.limit) == ("time_out", 60.0)


@pytest.mark.parametrize(("text", "words"), [("<result>", "no XML"), ("<a/>", "neither a result of BenchExec")])
def test_other_files_are_refused(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "x.xml"
    file.write_text(text)
    with pytest.raises(CampaignError, match=words):
        exchange.read(file)


def test_a_job_array_makes_every_run_once_and_is_collected(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite(SUITE + REFERENCE)
    out = tmp_path / "out"
    reported = CliRunner().invoke(
        cli, ["bench", "submit", str(suite.path), "-o", str(out), "--slurm", "--tasks", "2", "--sbatch=--partition=x"]
    )
    assert reported.exit_code == 0, reported.output
    script = (out / "submit.sh").read_text()
    assert "#SBATCH --array=0-1\n" in script and "#SBATCH --partition=x\n" in script
    for task in range(2):
        environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}
        subprocess.run(["bash", str(out / "submit.sh")], env=environment, check=True, capture_output=True)
    sizes = [len(_runs(out / "parts" / str(task))) for task in range(2)]
    summary = campaign.run(suite, out, one_machine.execute)
    assert min(sizes) >= 1 and sum(sizes) == summary.total == summary.before and summary.ran == 0
    assert campaign.run(suite, out, one_machine.execute).before == summary.total


def test_a_part_that_is_none_is_refused(tmp_path: Path) -> None:
    reported = CliRunner().invoke(cli, ["bench", "run", "smoke", "-o", str(tmp_path), "--part", "2/2"])
    assert reported.exit_code == 2 and "is not K/N with K from 0 to N-1" in reported.output


def test_progress_is_told_before_the_first_run(make_suite: MakeSuite, tmp_path: Path) -> None:
    reported: list[Progress] = []
    summary = campaign.run(make_suite(SUITE + REFERENCE), tmp_path / "out", one_machine.execute, on_run=reported.append)
    assert (reported[0].done, reported[0].total, reported[0].last) == (0, summary.total, "starting")
    assert reported[-1].done == summary.total


@pytest.mark.parametrize("name", ["xsokoban", "microban", "boxoban-like", "competition", "pddl"])
def test_ready_suites_can_be_read(name: str) -> None:
    suite = read_suite(find_suite(name))
    assert suite.systems and suite.instances


def test_properties_of_strangers_are_read(tmp_path: Path) -> None:
    """As Lab's documentation shows them, and as Fast Downward's parsers fill them."""
    path = tmp_path / "properties"
    found = {
        "ff-gripper": {"algorithm": "ff", "domain": "gripper", "problem": "p1.pddl", "coverage": 1, "cost": 11},
        "a": {"algorithm": "a", "domain": "d", "problem": "p", "error": "search-out-of-time", "total_time": 7.5},
        "b": {"algorithm": "b", "domain": "d", "problem": "p", "error": "search-unsolvable", "memory": 1024},
    }
    path.write_text(json.dumps(found))
    one, two, three = exchange.read(path)
    assert (one.system, one.name, one.outcome, one.value) == ("ff", "gripper/p1.pddl", "solved", 11)
    assert (two.outcome, two.cpu, two.value) == ("time_out", 7.5, None)
    assert (three.outcome, three.memory_mb) == ("unsolvable", pytest.approx(1.048576))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": ', "properties:1:7: E-JSON not valid JSON"),
        ('{"a": {"algorithm": "x", "domain": "y"}}', "run 'a' has no problem"),
        ("[1]", "no XML"),
    ],
)
def test_what_is_no_properties_file_is_reported(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "properties"
    path.write_text(text)
    with pytest.raises(CampaignError, match=words):
        exchange.read(path)


def test_lab_counts_what_we_count(tmp_path: Path) -> None:
    synthetic.fill(tmp_path, 4_000)
    written = CliRunner().invoke(cli, ["bench", "exchange", str(tmp_path), "--to", "lab"])
    records = json.loads(written.output)
    ours = _runs(tmp_path)
    assert len(records) == len(ours)
    assert sum(one["coverage"] for one in records.values()) == sum(run.outcome == "optimal" for run in ours)
    assert all(
        bool(one["unexplained_errors"]) == (one["outcome"] in ("crash", "wrong_claim")) for one in records.values()
    )
    assert all(one["id"] == [one[key] for key in ("algorithm", "domain", "problem")] for one in records.values())


def test_counts_beyond_what_is_stored_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "theirs.xml"
    columns = '<column title="value" value="99999999999999999999"/><column title="bound" value="1e999"/>'
    file.write_text(f'<result tool="T"><run name="a">{columns}</run></result>')
    (one,) = exchange.read(file)
    assert (one.value, one.bound) == (None, None)
    record = '"algorithm": "a", "domain": "d", "problem": "p", "cost": 1e999, "bound": NaN, "seed": 1e30'
    file.write_text(f'{{"a": {{{record}}}}}')
    (one,) = exchange.read(file)
    assert (one.value, one.bound, one.seed) == (None, None, 0)


def test_a_run_of_an_instance_that_is_not_listed_has_its_number(tmp_path: Path) -> None:
    file = tmp_path / "theirs.xml"
    file.write_text(
        '<result><project name="p" job="j"><runspec benchmark="b" system="s"><class id="1"><instance id="7">'
        '<run number="1"/></instance></class></runspec></project></result>'
    )
    assert [(one.name, one.repetition) for one in exchange.read(file)] == [("b/1/7", 0)]


def test_systems_whose_names_differ_in_signs_alone_have_a_file_each(tmp_path: Path) -> None:
    def run(system: str) -> exchange.Exchanged:
        return exchange.Exchanged("a:1", system, "lines", "optimal", 1.0, 1.0)

    *results, _ = exchange.write_benchexec([run("a b"), run("a+b")], "t", tmp_path)
    assert [exchange.read(path)[0].system for path in results] == ["a b", "a+b"]


def test_imported_runs_take_no_campaign_over_and_have_a_status(make_suite: MakeSuite, tmp_path: Path) -> None:
    folder, file = tmp_path / "out", tmp_path / "properties"
    campaign.run(make_suite(SUITE + REFERENCE), folder, one_machine.execute)
    file.write_text(lab.properties(_runs(folder)))
    with pytest.raises(CampaignError, match="this folder holds a campaign of a suite"):
        exchange.keep(exchange.read(file), folder, "imported")
    exchange.keep(exchange.read(file), tmp_path / "theirs", "imported")
    with open_existing(tmp_path / "theirs") as opened:
        assert (found := status(opened)).done == len(_runs(folder)) and found.end is None


@pytest.mark.parametrize("to", ["benchexec", "benchmark-tool"])
def test_a_million_seconds_are_read_back(tmp_path: Path, to: str) -> None:
    """Python writes them as 1e+06; they were read as one second."""
    run = exchange.Exchanged("a:1", "one", "lines", "optimal", 2_000_000.0, 3_000_000.0, limit=1_000_000.0)
    if to == "benchexec":
        file = exchange.write_benchexec([run], "t", tmp_path)[0]
    else:
        file = tmp_path / "eval.xml"
        file.write_text(exchange.benchmark_tool([run], "t"))
    (read,) = exchange.read(file)
    assert (read.wall, read.cpu, read.limit) == (run.wall, run.cpu, run.limit)


@pytest.mark.parametrize(("said", "outcome"), [("timeout", "time_out"), ("memout", "memory_out")])
def test_limits_of_benchmark_tool_are_understood(tmp_path: Path, said: str, outcome: str) -> None:
    file = tmp_path / "theirs.xml"
    measures = f'<measure name="time" type="float" val="9"/><measure name="{said}" type="float" val="1"/>'
    file.write_text(
        '<result><project name="p" job="j"><runspec benchmark="b" system="s"><class id="1"><instance id="7">'
        f'<run number="2">{measures}</run></instance></class></runspec></project></result>'
    )
    assert [(one.outcome, one.repetition) for one in exchange.read(file)] == [(outcome, 1)]
