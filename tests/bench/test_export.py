"""Runs for other programs: the table, and what Lab and benchmark-tool make of our files."""

import json
import logging
from dataclasses import fields
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from click.testing import CliRunner

from sokoasp.bench.report.export import ExportedRun, runs
from sokoasp.bench.report.lab import _ERRORS
from sokoasp.bench.run.store import open_existing
from sokoasp.cli import root as cli
from tests.commands import python

from . import synthetic

COLUMNS = [one.name for one in fields(ExportedRun)]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A made-up campaign of 4,000 runs; among them crashes, time-outs and false claims."""
    folder = tmp_path_factory.mktemp("made up")
    synthetic.fill(folder, 4_000)
    return folder


def export(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(cli, ["bench", "export", str(folder), *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def ours(folder: Path) -> list[ExportedRun]:
    with open_existing(folder) as store:
        return list(runs(store))


def test_pandas_reads_the_tables_in_one_call(campaign: Path, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    for name, read in (("runs.csv", pandas.read_csv), ("runs.jsonl", lambda path: pandas.read_json(path, lines=True))):
        export(campaign, "-o", str(tmp_path / name))
        table = read(tmp_path / name)
        assert list(table.columns) == COLUMNS and len(table) == 4_000
        assert table["wall_seconds"].sum() == pytest.approx(sum(run.wall_seconds for run in ours(campaign)))
        assert (table["outcome"] == "crash").sum() == sum(run.outcome == "crash" for run in ours(campaign)) > 0
        assert table["value"].dtype.kind == "f" and table["level"].dtype.kind == "i"


def test_the_columns_are_the_same_whatever_is_known(campaign: Path, tmp_path: Path) -> None:
    """Also in a campaign without a plan or a bound; and no cell holds JSON."""
    synthetic.fill(tmp_path, 5)
    with open_existing(tmp_path) as store:
        unknown = "value = NULL, lower_bound = NULL, plan = NULL, peak_mb = NULL, decided = 0, outcome = 'time_out'"
        store.connection.execute(f"UPDATE run SET {unknown}")
    for folder in (campaign, tmp_path):
        assert export(folder).splitlines()[0].split(",") == COLUMNS
        records = [json.loads(line) for line in export(folder, "--to", "jsonl").splitlines()]
        assert {tuple(record) for record in records} == {tuple(COLUMNS)}
        assert not any(isinstance(cell, dict | list) for record in records for cell in record.values())
        assert not any(str(cell).startswith(("{", "[")) for record in records for cell in record.values())


def test_files_are_named_below_the_folder_that_they_share(campaign: Path, tmp_path: Path) -> None:
    synthetic.fill(tmp_path, 20)
    with open_existing(tmp_path) as store:
        store.connection.execute("UPDATE instance SET file = '/home/me/levels/' || id || '/a.xsb'")
        assert {run.file for run in runs(store)} == {"a.xsb"}  # 20 runs are of one instance
        store.connection.execute("INSERT INTO instance SELECT 'i9', \"group\", '/home/me/levels/b.xsb', level, title, "
                                 "game, cells, boxes, known FROM instance")  # fmt: skip
        assert {run.file for run in runs(store)} == {"i0/a.xsb"}
        up = "iif(id = 'i9', 'paper/../../', '../')"
        store.connection.execute(f"UPDATE instance SET file = replace(file, '/home/me/', {up})")
        assert {run.file for run in runs(store)} == {"i0/a.xsb"}
    assert {run.file for run in ours(campaign)} == {f"set{number}.xsb" for number in range(7)}


def test_lab_makes_its_report_of_our_properties(campaign: Path, tmp_path: Path) -> None:
    reports = pytest.importorskip("downward.reports.absolute", reason="lab is not installed")
    outcomes = pytest.importorskip("downward.outcomes")
    known = {one.msg for one in outcomes.OUTCOMES}
    assert set(_ERRORS.values()) <= known, "the words of Downward Lab"
    folder = tmp_path / "made-up-eval"
    folder.mkdir()
    (folder / "properties").write_text(export(campaign, "--to", "lab"))
    logging.disable(logging.CRITICAL - 1)
    reports.AbsoluteReport(attributes=["coverage", "error"], format="txt")(str(folder), str(tmp_path / "report.txt"))
    logging.disable(logging.NOTSET)
    said = (tmp_path / "report.txt").read_text()
    for system in synthetic.SYSTEMS:
        planned = sum(run.system == system and run.outcome == "optimal" for run in ours(campaign))
        assert str(planned) in said


def test_lab_counts_what_we_count(campaign: Path) -> None:
    records = json.loads(export(campaign, "--to", "lab"))
    mine = ours(campaign)
    assert len(records) == len(mine)
    assert sum(one["coverage"] for one in records.values()) == sum(run.outcome == "optimal" for run in mine)
    assert all(
        bool(one["unexplained_errors"]) == (one["outcome"] in ("crash", "wrong_claim")) for one in records.values()
    )
    assert all(one["id"] == [one[key] for key in ("algorithm", "domain", "problem")] for one in records.values())


def test_benchmark_tool_reads_our_evaluation(tmp_path: Path) -> None:
    parser = pytest.importorskip("benchmarktool.result.parser", reason="potassco-benchmark-tool is not installed")
    path = tmp_path / "eval.xml"
    synthetic.fill(tmp_path, 40)  # its spreadsheets take seconds by the square of the runs
    export(tmp_path, "--to", "benchmark-tool", "-o", str(path))
    with path.open() as file:
        (project,) = parser.Parser().parse(file).projects.values()
    found = [
        (spec.system.name, float(run.measures["time"][1]), run.measures["outcome"][1])
        for spec in project.runspecs
        for kind in spec.classresults
        for instance in kind.instresults
        for run in instance.runs
    ]
    expected = [(run.system, run.wall_seconds, run.outcome) for run in ours(tmp_path)]
    assert [(name, outcome) for name, _, outcome in sorted(found)] == [(name, o) for name, _, o in sorted(expected)]
    assert sum(one[1] for one in found) == pytest.approx(sum(one[1] for one in expected))
    code = "import sys; from benchmarktool.entry_points import main; sys.argv[0] = 'btool'; main()"
    done = python(code, "conv", str(path), "-o", str(tmp_path / "eval.xlsx"))
    assert done.returncode == 0 and (tmp_path / "eval.xlsx").stat().st_size > 5_000, done.stderr


def test_an_evaluation_has_the_limits_and_a_million_seconds(tmp_path: Path) -> None:
    synthetic.fill(tmp_path, 5)
    with open_existing(tmp_path) as store:
        store.connection.execute("UPDATE run SET wall = 2000000, limit_seconds = 3000000, outcome = 'memory_out'")
    root = Xml.fromstring(export(tmp_path, "--to", "benchmark-tool"))
    (job,) = root.findall("seqjob")
    assert (job.get("timeout"), job.get("memout")) == ("3000000", "1000")
    measures = [{one.get("name"): one.get("val") for one in run} for run in root.iter("run")]
    assert [(one["time"], one["memout"], one["timeout"]) for one in measures] == [("2000000", "1", "0")] * 5
