"""The table of proved optima: made, resumed, read, looked up, verified, and caught when a row is wrong."""

import csv
import hashlib
import json
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sokoasp.bench.define.instances import solution
from sokoasp.bench.define.overrides import Changes
from sokoasp.bench.define.suite import find_suite, read_suite
from sokoasp.bench.run import campaign
from sokoasp.bench.run.job import Answer, Job, Ran, Report
from sokoasp.bench.run.store import open_existing
from sokoasp.bench.studies import optima_check
from sokoasp.bench.studies.optima_check import second_look, second_looks
from sokoasp.bench.studies.optima_rows import add_runs, certify_row, costs, origin
from sokoasp.cli import root as cli
from sokoasp.core.errors import NotationError
from sokoasp.core.limits import CpuClock
from sokoasp.core.result import Result, Status
from sokoasp.engine import solve
from sokoasp.engine.certificates import ACCEPTED, REFUSED
from sokoasp.sokoban import formats, optima_table
from sokoasp.sokoban.canonical import board_hash
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.optima_table import Optimum
from sokoasp.sokoban.validate import validate
from tests.conftest import ROOT
from tests.instances import written

from .conftest import here

FIRST = ROOT / "instances" / "tutorial" / "first.xsb"
(FIRST_LEVEL,) = formats.read(FIRST.read_bytes())
DEAD = ROOT / "instances" / "unsolvable" / "unsolvable.xsb"
LONG = ("--time-limit", "600")
"""Compiling the checker counts, the first time."""


def run(folder: Path, files: list[Path], execute: campaign.Execute = here, *systems: Any, **values: Any) -> Path:
    """Run the suite ``optima`` by the reference search, or as the values say, in a folder; return the folder."""
    changes = Changes(
        {"seconds": 20.0, **({} if systems else {"engine": "reference"}), **values}, systems, tuple(files)
    )
    campaign.run(read_suite(find_suite("optima"), changes), folder, execute)
    return folder


def add(campaign_folder: Path, table: Path) -> list[Optimum]:
    """Add what a campaign says to a table; return the rows that changed."""
    rows = optima_table.read(table) if (table / optima_table.ROWS).exists() else {}
    with open_existing(campaign_folder) as store:
        changed = list(add_runs(store, rows))
    optima_table.write(table, optima_table.rows_of(rows))
    return changed


def made(files: list[Path], table: Path, *objectives: str, **values: Any) -> list[Optimum]:
    """Make rows by a campaign in the table's folder."""
    return add(run(table / "campaign", files, objectives=list(objectives), **values), table)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("optima")
    made([FIRST, DEAD], folder, "lines", "pushes")
    return folder


def test_a_campaign_makes_settled_rows_and_goes_on_where_it_stopped(table: Path) -> None:
    rows = optima_table.read(table)
    found = optima_table.look_up(FIRST_LEVEL, rows)
    assert {name: (row.status, row.value, row.bound) for name, row in found.items()} == {
        "lines": ("proved", "1", "1"),
        "pushes": ("proved", "2", "2"),
    }
    assert any(row.status == "unsolvable" for row in optima_table.rows_of(rows))
    before = (table / "optima.csv").read_bytes(), (table / "plans.csv.xz").read_bytes()
    assert made([FIRST, DEAD], table, "lines", "pushes") == []
    assert ((table / "optima.csv").read_bytes(), (table / "plans.csv.xz").read_bytes()) == before


def test_what_was_asked_under_constraints_makes_no_row(tmp_path: Path) -> None:
    with open_existing(run(tmp_path / "campaign", [FIRST, DEAD], objectives=["lines"])) as store:
        store.connection.execute("UPDATE run SET question = 'no.lp (0)', lower_bound = 9")
    assert add(tmp_path / "campaign", tmp_path / "table") == []


@pytest.mark.parametrize("picture", ["###\n#@#\n# #\n#$#\n# #\n#.#\n###\n", "#######\n#.  $ @#\n#######\n"])
def test_a_level_is_found_whatever_way_it_is_turned_and_its_plan_with_it(tmp_path: Path, picture: str) -> None:
    model = "#######\n#@ $ .#\n#######\n" if "\n#@#" in picture else "########\n#@ $  .#\n########\n"
    file = written(tmp_path, model, "model.xsb")
    made([file], tmp_path / "table", "pushes")
    (level,) = formats.read(picture)
    row = optima_table.look_up(level, optima_table.read(tmp_path / "table"))["pushes"]
    from sokoasp.sokoban import rules

    assert str(validate(level, rules.plan_from_lurd(level, row.plan)).pushes) == row.value


FAULTS = {
    "value": {"value": "3", "bound": "3"},
    "bound": {"status": "open", "bound": "5"},
    "plan": {"plan": "rR"},
    "another cost": {"value": "1", "bound": "1"},
    "unsolvable": {"status": "unsolvable", "value": "", "bound": "", "plan": ""},
    "not equal": {"bound": "1"},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_row_is_called_wrong(table: Path, fault: str) -> None:
    row = optima_table.look_up(FIRST_LEVEL, optima_table.read(table))["pushes"]
    assert second_look(FIRST_LEVEL, "pushes", row, 20.0)[0] == "holds"
    assert second_look(FIRST_LEVEL, "pushes", row._replace(**FAULTS[fault]), 20.0)[0] == "WRONG"


def test_a_row_that_says_a_dead_level_is_solvable_is_wrong(table: Path) -> None:
    level = next(iter(formats.read(DEAD.read_bytes())))
    row = optima_table.look_up(level, optima_table.read(table))["pushes"]
    assert second_look(level, "pushes", row, 20.0)[0] == "holds"
    verdict, reason = second_look(level, "pushes", row._replace(status="open", bound="4"), 20.0)
    assert (verdict, reason) == ("WRONG", "the level was proved unsolvable")


def test_a_worse_plan_is_wrong_as_a_proved_optimum() -> None:
    (level,) = formats.read("######\n#    #\n#@$ .#\n#    #\n######\n")
    worse = Optimum("", "moves", "proved", "4", "4", "", "", "", "1", "", plan="udRR")
    assert second_look(level, "moves", worse, 20.0) == ("WRONG", "a plan of 2 was found")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("board,objective\n", ":1: the columns are not"),
        ("{head}\nabc,pushes,maybe,1,1,,,,1,,,,,\n", ":2: status 'maybe' is none of"),
        ("{head}\nabc,pushes\n", ":2: not 14 fields"),
        ("{head}\nabc,pushes,open,3+9,1,,,,1,,,,,\n", r":2: '3\+9' is no cost"),
        ("{head}\nabc,pushes,proved,,1,,,,1,,,,,\n", ":2: '' is no cost"),
        ("{head}\nabc,pushes+moves,open,,3+9+1,,,,1,,,,,\n", r":2: '3\+9\+1' is no cost"),
    ],
)
def test_a_table_that_is_none_is_refused_with_its_place(tmp_path: Path, text: str, sentence: str) -> None:
    head = "board,objective,status,value,bound,collection,number,closed_by,limit,version,certificate"
    head += ",certificate_bytes,certificate_limit,verified"
    (tmp_path / "optima.csv").write_text(text.format(head=head))
    with pytest.raises(NotationError, match=sentence):
        optima_table.read(tmp_path)


def test_levels_are_named_as_their_files_are() -> None:
    assert origin(Path("microban02_0063.sok"), 1) == ("microban02", "63")
    assert origin(Path("xsokoban0007.sok"), 1) == ("xsokoban", "7")
    assert origin(Path("sets/tutorial.xsb"), 4) == ("sets/tutorial.xsb", "4")


def test_the_command_looks_up_verifies_and_says_wrong(table: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke
    found = run(cli, ["optima", str(FIRST), "--table", str(table)])
    assert "known optimum 2 pushes (tutorial/first.xsb 1; reference" in found.output
    good = run(cli, ["optima", str(FIRST), "--table", str(table), "--verify"])
    assert good.exit_code == 0 and "2 holds" in good.output
    rows = [
        row._replace(value="9", bound="9") if row.value else row
        for row in optima_table.rows_of(optima_table.read(table))
    ]
    optima_table.write(tmp_path, rows)
    bad = run(cli, ["optima", str(FIRST), "--table", str(tmp_path), "--verify", "--json"])
    assert bad.exit_code == 1
    assert [json.loads(line)["verdict"] for line in bad.output.splitlines()] == ["WRONG", "WRONG"]


def test_the_command_prints_how_a_stranger_checks_a_row(tmp_path: Path) -> None:
    """What it prints is run as it stands: the certificates are those that the table names, and are accepted."""
    level = tmp_path / "a level.xsb"
    shutil.copy(FIRST, level)
    shipped = optima_table.shipped()[board_hash(FIRST_LEVEL)]
    printed = CliRunner().invoke(cli, ["optima", str(level)]).output
    makes, *checks = [line for line in printed.splitlines() if line.startswith("  sokoasp ")]
    assert len(checks) == 3 and "for lines, moves, pushes, made again by the first command" in printed
    # the folder is named after the level, for the directory that the commands are run in
    folder = tmp_path / "made"
    words = [
        [word.replace("a level.certificates", str(folder)) for word in shlex.split(line)] for line in (makes, *checks)
    ]
    made = CliRunner().invoke(cli, words[0][1:])
    assert made.exit_code == 0 and made.output.count("the same as before") == 3
    for name, row in shipped.items():
        assert hashlib.sha256((folder / "1" / name / "claim.json").read_bytes()).hexdigest() == row.certificate
    for one in words[1:]:
        assert "valid: the claim holds" in CliRunner().invoke(cli, one[1:]).output
    (folder / "1" / "lines" / "plan.lurd").write_text("l\n")
    assert "INVALID" in CliRunner().invoke(cli, words[1][1:]).output
    optima_table.write(tmp_path, [row._replace(certificate="0" * 64) for row in shipped.values()])
    other = CliRunner().invoke(cli, ["optima", str(level), "--table", str(tmp_path), "--certify", str(folder)]).output
    assert other.count("another certificate: accepted") == 3 and "checked by:" in other
    both = CliRunner().invoke(cli, ["optima", str(level), "--verify", "--certify", str(folder)])
    assert (both.exit_code, "--verify and --certify are two questions: give one of them" in both.output) == (2, True)


@pytest.mark.parametrize("name", [optima_table.ROWS, optima_table.PLANS])
@pytest.mark.parametrize("data", [None, b"\xff\xfe", b"\xfd7zXZ\0"])
def test_a_table_that_cannot_be_read_is_named(name: str, data: bytes | None, table: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(table, tmp_path / "table")
    if data is not None:
        (folder / name).write_bytes(data)
    elif name == optima_table.ROWS:
        (folder / name).unlink()
    done = CliRunner().invoke(cli, ["optima", str(FIRST), "--table", str(folder)])
    if data is None and name == optima_table.PLANS:
        assert done.exit_code == 0
    else:
        assert isinstance(done.exception, NotationError) and str(done.exception).count(str(folder / name)) == 1


def test_a_row_without_a_certificate_prints_no_such_commands(table: Path) -> None:
    printed = CliRunner().invoke(cli, ["optima", str(FIRST), "--table", str(table)]).output
    assert "check-proof" not in printed and printed.count("no certificate: none was tried") == 2


def test_a_proved_answer_that_differs_from_the_table_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    assert solve(FIRST_LEVEL, objective="pushes", cross_check=False).exit_code == 0
    row = optima_table.shipped()[board_hash(FIRST_LEVEL)]["pushes"]
    false = {row.board: {"pushes": row._replace(value="1", bound="1")}}
    monkeypatch.setattr(optima_table, "shipped", lambda: false)
    monkeypatch.setattr(optima_table, "_shipped_rows", lambda board: false.get(board, {}))
    assert solve(FIRST_LEVEL, objective="pushes", cross_check=False).exit_code == 1
    assert solve(FIRST_LEVEL, objective="pushes").exit_code == 0, "two engines have proved the same"


def test_the_rows_of_one_board_are_found_without_reading_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (optima_table.shipped_folder() / optima_table.ROWS).read_text(encoding="utf-8").splitlines()
    found = optima_table._shipped_rows.__wrapped__
    for line in (lines[1], lines[len(lines) // 2], lines[-1]):
        board = line.split(",")[0]
        assert found(board).keys() == optima_table.shipped()[board].keys() and found(board[:-1]) == {}
    for number in (2, len(lines)):
        wrong = [*lines[: number - 1], lines[number - 1].replace(",", ";", 2).replace(";", ",", 1), *lines[number:]]
        (tmp_path / optima_table.ROWS).write_text("\n".join(wrong), encoding="utf-8")
        monkeypatch.setattr(optima_table, "shipped_folder", lambda: tmp_path)
        with pytest.raises(NotationError, match=rf"{optima_table.ROWS}:{number}\b"):
            found(wrong[number - 1].split(",")[0])


def test_the_shipped_table_has_no_fault_in_itself() -> None:
    table = optima_table.shipped()
    assert len(optima_table.rows_of(table)) >= 290
    for row in optima_table.rows_of(table):
        assert len(row.board) == 32
        if row.status == "proved":
            assert row.value == row.bound != ""
        elif row.status == "open" and row.value and row.bound:
            assert int(row.bound) <= int(row.value)
        else:
            assert row.status != "unsolvable" or (row.value, row.bound, row.plan) == ("", "", "")


def test_the_metadata_name_the_files_as_they_are() -> None:
    folder = optima_table.shipped_folder()
    about = json.loads((folder / "metadata.json").read_text())
    assert {entry["contentUrl"] for entry in about["distribution"]} == {"optima.csv", "plans.csv.xz"}
    for entry in about["distribution"]:
        assert hashlib.sha256((folder / entry["contentUrl"]).read_bytes()).hexdigest() == entry["sha256"]
    columns = (folder / "optima.csv").read_text().partition("\n")[0].split(",")
    assert {field["name"] for field in about["recordSet"][0]["field"]} <= set(columns)
    cited = json.loads((folder / "datacite.json").read_text())
    mandatory = {"types", "titles", "creators", "publisher", "publicationYear", "schemaVersion"}
    assert mandatory <= set(cited) and cited["version"] == about["version"]


def test_a_sample_of_the_shipped_table_is_verified_again() -> None:
    """Every fifth of our own levels; all of them, and Debian's, by ``sokoasp optima --verify``."""
    files = sorted((ROOT / "instances").glob("*/*.xsb"))
    found = [level for file in files for level in formats.read_each(file.read_bytes())]
    checked = 0
    for level in found[::5]:
        for objective, row in optima_table.look_up(level).items():  # type: ignore[arg-type]
            verdict, reason = second_look(level, objective, row, 60.0)  # type: ignore[arg-type]
            assert verdict == "holds", (row.origin, objective, reason)
            checked += 1
    assert checked >= 40


def test_the_rows_of_one_level_are_those_of_the_whole_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solve looks up its level alone: what it finds is what reading everything finds, and the plans stay packed."""
    files = sorted((ROOT / "instances").glob("*/*.xsb"))
    levels = [level for file in files for level in formats.read_each(file.read_bytes())][::7]
    whole = optima_table.shipped()
    both = [(optima_table.look_up(level, plans=False), optima_table.look_up(level, whole)) for level in levels]  # type: ignore[arg-type]
    bare = [{name: row._replace(plan="") for name, row in other.items()} for _, other in both]
    assert [one for one, _ in both] == bare
    assert sum(len(one) for one, _ in both) > 20
    monkeypatch.setattr(optima_table, "shipped", lambda: pytest.fail("the whole table was read"))
    assert all(optima_table.look_up(level, plans=False) == one for level, (one, _) in zip(levels, both, strict=True))  # type: ignore[arg-type]


def test_a_kill_while_it_writes_leaves_the_table_as_it_was(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (table / "optima.csv").read_bytes(), (table / "plans.csv.xz").read_bytes()

    def killed(row: Optimum) -> dict[str, str]:
        raise KeyboardInterrupt

    rows = optima_table.rows_of(optima_table.read(table))
    monkeypatch.setattr(Optimum, "_asdict", killed)
    with pytest.raises(KeyboardInterrupt):
        optima_table.write(table, rows)
    assert ((table / "optima.csv").read_bytes(), (table / "plans.csv.xz").read_bytes()) == before
    assert not list(table.glob(".*"))


def test_a_row_without_a_plan_is_not_said_to_have_one_that_holds(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optima_check, "_ask", lambda _, row, *__: Result(Status.TIME_OUT, row.objective, "native"))
    row = next(one for one in optima_table.rows_of(optima_table.read(table)) if one.status == "unsolvable")
    (level,) = formats.read("#####\n#@$ #\n#  .#\n#####\n")
    assert second_look(level, row.objective, row, 1.0)[0] == "not decided"
    shut = row._replace(status="open", bound="3")
    assert second_look(level, row.objective, shut, 1.0)[0] == "not decided"


def test_the_shipped_table_agrees_with_the_optima_that_an_earlier_search_found() -> None:
    """That search shares no code with ours; levels are matched by the collection and number under which we met them first."""
    rows = optima_table.rows_of(optima_table.shipped())
    ours = {(row.collection, row.number, row.objective): (row.status, row.value) for row in rows}
    with (optima_table.shipped_folder() / "elsewhere.csv").open(encoding="utf-8", newline="") as file:
        theirs = {(one["collection"], one["number"], one["objective"]): one["value"] for one in csv.DictReader(file)}
    both = theirs.keys() & ours.keys()
    assert len(theirs) == 306 and len(both) == 304
    assert {place: ours[place] for place in both} == {place: ("proved", theirs[place]) for place in both}


def _levels(files: list[Path]) -> list[tuple[Path, Level]]:
    """Return the levels of files, those with few boxes and cells first."""
    found = [(path, level) for path in files for level in formats.read(path.read_bytes(), source=str(path))]
    return sorted(found, key=lambda one: (len(one[1].boxes), len(one[1].floor)))


def test_debian_s_solutions_are_never_better_than_the_table(cavepacker: Path) -> None:
    compared = 0
    for path, level in _levels(sorted(cavepacker.rglob("*.sok"))[::12]):
        plan = solution(level, path)
        for objective, row in optima_table.look_up(level).items():
            if plan is not None:
                assert row.status != "unsolvable"
                assert optima_table.parse(row.bound) <= costs(level, plan, objective), (path, objective)
                compared += 1
    assert compared > 60


def test_a_sample_of_the_rows_of_debian_s_levels_is_verified_again(cavepacker: Path) -> None:
    """Every plan of the sample is refereed and every bound proved again; all rows by ``sokoasp optima --verify``."""
    verdicts: list[str] = []
    for path, level in _levels(sorted(cavepacker.rglob("*.sok"))[::7])[:16]:
        settled = {name: row for name, row in optima_table.look_up(level).items() if row.status != "open"}
        verdicts += [verdict for verdict, _ in second_looks(level, path, settled, 10.0).values()]
    assert set(verdicts) <= {"holds", "plan holds"} and verdicts.count("holds") > 24


@pytest.mark.parametrize("fault", [{"value": "1", "bound": "1"}, {"status": "unsolvable", "value": "", "plan": ""}, {}])
def test_a_wrong_row_gets_no_certificate(table: Path, fault: dict[str, str]) -> None:
    row = optima_table.look_up(FIRST_LEVEL, optima_table.read(table))["pushes"]._replace(certificate="0" * 64, **fault)
    certified = certify_row(FIRST_LEVEL, row, 600.0)
    assert (certified.verdict == REFUSED) == bool(fault)
    assert (len(certified.row.certificate), "another than before" in certified.reported) == (
        (0, False) if fault else (64, True)
    )


def test_the_shipped_table_was_verified_and_its_certificates_hold() -> None:
    """What the table says of itself, and a sample of certificates made and checked again."""
    rows = [row for row in optima_table.rows_of(optima_table.shipped()) if row.status == "proved" and row.verified]
    assert len(rows) >= 1500 and len({row.board for row in rows}) >= 600
    checked = 0
    for level in formats.read((ROOT / "instances" / "tutorial" / "tutorial.xsb").read_bytes())[::3]:
        for row in optima_table.look_up(level).values():
            if row.certificate:
                certified = certify_row(level, row, 600.0)
                assert certified.verdict == ACCEPTED, (row.origin, certified.reported)
                checked += 1
    assert checked >= 5


def test_an_open_row_is_closed_by_a_later_campaign_and_a_poorer_one_takes_nothing_away(tmp_path: Path) -> None:
    (row,) = made([FIRST], tmp_path, "pushes")
    optima_table.write(tmp_path, [row._replace(status="open", bound="1", limit="5")])

    def nothing(jobs: list[Job]) -> Iterator[Ran]:
        for job in jobs:
            yield Ran(job, Report(Answer("time_out", lower_bound=0), 6.0, 6.0, 1.0, 0), 1, "here", ("here", "{}"))

    (again,) = add(run(tmp_path / "other", [FIRST], nothing, seconds=6.0), tmp_path)
    assert (again.status, again.value, again.bound, again.plan, again.limit) == ("open", "2", "1", row.plan, "6")
    (closed,) = add(tmp_path / "campaign", tmp_path)
    assert (closed.status, closed.value, closed.limit) == ("proved", "2", "20")


def test_a_wrong_answer_never_gets_into_the_table(tmp_path: Path) -> None:
    """A second engine's better plan refutes the first one's proof: that run is left out."""

    def lying(jobs: list[Job]) -> Iterator[Ran]:
        for ran in here(jobs):
            assert ran.report is not None and ran.report.answer is not None
            plan = "rlrRlR" if ran.job.system.name == "a liar" else None
            false = replace(ran.report.answer, value=4, lower_bound=4, plan=plan)
            yield replace(ran, report=replace(ran.report, answer=false)) if plan else ran

    honest = {"name": "honest", "kind": "native", "engine": "reference"}
    rows = add(run(tmp_path / "campaign", [FIRST], lying, {**honest, "name": "a liar"}, honest), tmp_path)
    assert [(row.value, row.bound) for row in rows] == [("2", "2")]


@pytest.mark.parametrize("known", [True, "table"])
def test_a_known_solution_closes_a_row_and_its_moves_are_not_kept(known: bool | str, tmp_path: Path) -> None:
    level, folder = tmp_path / "first.sok", tmp_path / "table"
    level.write_text(FIRST.read_text())
    level.with_suffix(".sol").write_text("rRR")
    (row,) = made([level], folder, "pushes", engine="forward", known=known)
    assert (row.status, row.value, row.bound, row.plan) == ("proved", "2", "2", "")
    assert row.closed_by.endswith(" with known solution") and not row.has_plan
    rows = optima_table.look_up(FIRST_LEVEL, optima_table.read(folder))
    assert [verdict for verdict, _ in second_looks(FIRST_LEVEL, level, rows, 20.0).values()] == ["holds"]
    assert second_look(FIRST_LEVEL, "pushes", rows["pushes"], 20.0)[0] == "no plan"
    assert "known optimum 2 pushes" in CliRunner().invoke(cli, ["optima", str(level), "--table", str(folder)]).output
    certify = ["bench", "optima", str(folder / "campaign"), "-o", str(folder), "--certify", "600"]
    level.with_suffix(".sol").unlink()
    assert CliRunner().invoke(cli, certify).output.startswith("nothing to add\n"), "the solution is not at hand"
    level.with_suffix(".sol").write_text("rRR")
    assert "\n1 accepted\n" in CliRunner().invoke(cli, certify).output
    (ours,) = add(run(tmp_path / "ours", [level], known=False), folder)
    assert (ours.status, ours.value, ours.has_plan, ours.closed_by) == ("proved", "2", True, "reference")


def test_a_solution_that_is_not_best_is_beaten(tmp_path: Path) -> None:
    level = written(tmp_path, "########\n#      #\n#@$ .  #\n#      #\n########\n", "room.sok")
    level.with_suffix(".sol").write_text("RRRurrdL")
    (row,) = made([level], tmp_path / "table", "pushes", engine="forward", known=True)
    assert (row.status, row.value, row.has_plan) == ("proved", "2", True)


def test_ties_are_rows_of_their_own_with_both_numbers(tmp_path: Path) -> None:
    (row,) = made([FIRST], tmp_path, "pushes+moves", engine="native")
    assert (row.status, row.value, row.bound) == ("proved", "2+3", "2+3")
    shown = optima_table.look_up(FIRST_LEVEL, optima_table.read(tmp_path))["pushes+moves"]
    reason = "best-first search by pushes, then moves: every cheaper state was searched"
    assert second_look(FIRST_LEVEL, "pushes+moves", shown, 20.0) == ("holds", reason)
    for value in ("2+4", "2+2"):
        said = second_look(FIRST_LEVEL, "pushes+moves", shown._replace(value=value, bound=value), 20.0)
        assert said == ("WRONG", f"the plan costs 2+3, the row says {value}")
    told = CliRunner().invoke(cli, ["optima", str(FIRST), "--table", str(tmp_path)]).output
    assert "known optimum 2 pushes, then 3 moves" in told
    certified = certify_row(FIRST_LEVEL, shown, 600.0)
    assert certified.verdict == ACCEPTED and len(certified.row.certificate) == 64
    wrong = certify_row(FIRST_LEVEL, shown._replace(value="2+5", bound="2+5"), 600.0)
    assert "the certificate shows 2 pushes and 3 moves, not 2 pushes and 5 moves" in wrong.reported


def test_rows_get_certificates_and_are_tried_again_with_more_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = run(tmp_path / "campaign", [FIRST])
    asked = ["bench", "optima", str(folder), "-o", str(tmp_path), "--certify"]
    with monkeypatch.context() as patch:
        patch.setattr(CpuClock, "elapsed", property(lambda self: 5.0))
        cut = CliRunner().invoke(cli, [*asked, "5"]).output
    assert "1 not made, 1 proved\n0 of 1 settled row have a certificate, 0 bytes\n" in cut, cut
    assert CliRunner().invoke(cli, [*asked, "5"]).output.startswith("nothing to add\n")
    told = CliRunner().invoke(cli, ["optima", str(FIRST), "--table", str(tmp_path)]).output
    assert "none was made within 5 CPU seconds" in told
    assert "\n1 accepted\n1 of 1 settled row have" in CliRunner().invoke(cli, [*asked, "600"]).output
    (row,) = optima_table.rows_of(optima_table.read(tmp_path))
    shipped = optima_table.shipped()[row.board]["pushes"]
    assert (row.certificate, row.certificate_bytes) == (shipped.certificate, shipped.certificate_bytes)
    assert row.certificate_limit == "600" and row.plan == shipped.plan
    turned = written(tmp_path, "###\n#@#\n# #\n#$#\n# #\n#.#\n###\n", "turned.xsb")
    words = ["optima", str(turned), "--table", str(tmp_path), "--certify", str(tmp_path / "kept")]
    assert "holds: accepted" in CliRunner().invoke(cli, words).output
