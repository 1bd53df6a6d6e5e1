"""The table of proved optima: made, resumed, read, looked up, verified, and caught when a row is wrong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from sokoasp.bench.studies.optima_campaign import Campaign, make, origin, second_look
from sokoasp.cli import root as cli
from sokoasp.core.errors import NotationError
from sokoasp.engine import solve
from sokoasp.sokoban import formats, optima_table
from sokoasp.sokoban.canonical import board_hash
from sokoasp.sokoban.optima_table import Optimum
from sokoasp.sokoban.validate import validate
from tests.conftest import ROOT

FIRST = ROOT / "instances" / "tutorial" / "first.xsb"
DEAD = ROOT / "instances" / "unsolvable" / "unsolvable.xsb"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("optima")
    list(make([FIRST, DEAD], folder, Campaign(("lines", "pushes"), 20.0, engine="reference")))
    return folder


def test_a_campaign_makes_settled_rows_and_goes_on_where_it_stopped(table: Path) -> None:
    rows = optima_table.read(table)
    (level,) = formats.read(FIRST.read_bytes())
    found = optima_table.look_up(level, rows)
    assert {name: (row.status, row.value, row.bound) for name, row in found.items()} == {
        "lines": ("proved", "1", "1"),
        "pushes": ("proved", "2", "2"),
    }
    assert any(row.status == "unsolvable" for row in optima_table.rows_of(rows))
    before = (table / "optima.csv").read_bytes(), (table / "plans.csv.xz").read_bytes()
    assert list(make([FIRST, DEAD], table, Campaign(("lines", "pushes"), 20.0, engine="reference"))) == []
    assert ((table / "optima.csv").read_bytes(), (table / "plans.csv.xz").read_bytes()) == before


def test_what_is_there_is_kept_when_the_campaign_is_interrupted(tmp_path: Path) -> None:
    running = make([FIRST], tmp_path, Campaign(("lines", "pushes", "moves"), 20.0, engine="reference"))
    next(running)
    with pytest.raises(KeyboardInterrupt):
        running.throw(KeyboardInterrupt)  # type: ignore[attr-defined]
    assert [row.objective for row in optima_table.rows_of(optima_table.read(tmp_path))] == ["lines"]


def test_an_open_row_is_tried_again_with_more_time_only(tmp_path: Path) -> None:
    def rows(seconds: float) -> Iterator[Optimum]:
        return make([FIRST], tmp_path, Campaign(("pushes",), seconds, engine="reference"))

    (row,) = rows(5.0)
    optima_table.write(tmp_path, [replace(row, status="open", bound="1", limit="5")])
    assert list(rows(5.0)) == []
    (again,) = rows(6.0)
    assert (again.status, again.value, again.limit) == ("proved", "2", "6")


@pytest.mark.parametrize("picture", ["###\n#@#\n# #\n#$#\n# #\n#.#\n###\n", "#######\n#.  $ @#\n#######\n"])
def test_a_level_is_found_whatever_way_it_is_turned_and_its_plan_with_it(tmp_path: Path, picture: str) -> None:
    model = "#######\n#@ $ .#\n#######\n" if "\n#@#" in picture else "########\n#@ $  .#\n########\n"
    file = tmp_path / "model.xsb"
    file.write_text(model)
    list(make([file], tmp_path / "table", Campaign(("pushes",), 20.0, engine="reference")))
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


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_wrong_row_is_called_wrong(table: Path, fault: str) -> None:
    (level,) = formats.read(FIRST.read_bytes())
    row = optima_table.look_up(level, optima_table.read(table))["pushes"]
    assert second_look(level, "pushes", row, 20.0)[0] == "holds"
    assert second_look(level, "pushes", replace(row, **FAULTS[fault]), 20.0)[0] == "WRONG"


def test_a_row_that_says_a_dead_level_is_solvable_is_wrong(table: Path) -> None:
    level = next(iter(formats.read(DEAD.read_bytes())))
    row = optima_table.look_up(level, optima_table.read(table))["pushes"]
    assert second_look(level, "pushes", row, 20.0)[0] == "holds"
    verdict, reason = second_look(level, "pushes", replace(row, status="open", bound="4"), 20.0)
    assert (verdict, reason) == ("WRONG", "the level was proved unsolvable")


def test_a_worse_plan_is_wrong_as_a_proved_optimum() -> None:
    (level,) = formats.read("######\n#    #\n#@$ .#\n#    #\n######\n")
    worse = Optimum("", "moves", "proved", "4", "4", "", "", "", "1", "", plan="udRR")
    assert second_look(level, "moves", worse, 20.0) == ("WRONG", "a plan of 2 was found")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("board,objective\n", ":1: the columns are not"),
        ("{head}\nabc,pushes,maybe,1,1,,,,1,,\n", ":2: status 'maybe' is none of"),
        ("{head}\nabc,pushes\n", ":2: not 11 fields"),
    ],
)
def test_a_table_that_is_none_is_refused_with_its_place(tmp_path: Path, text: str, sentence: str) -> None:
    head = "board,objective,status,value,bound,collection,number,closed_by,limit,version,certificate"
    (tmp_path / "optima.csv").write_text(text.format(head=head))
    with pytest.raises(NotationError, match=sentence):
        optima_table.read(tmp_path)


def test_levels_are_named_as_their_files_are() -> None:
    assert origin(Path("microban02_0063.sok"), 1) == ("microban02", "63")
    assert origin(Path("xsokoban0007.sok"), 1) == ("xsokoban", "7")
    assert origin(Path("sets/tutorial.xsb"), 4) == ("sets/tutorial.xsb", "4")
    assert origin(Path("xsokoban0007.sok"), 1, "XSokoban") == ("XSokoban", "7")


def test_the_command_looks_up_verifies_and_says_wrong(table: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke
    found = run(cli, ["optima", str(FIRST), "--table", str(table)])
    assert "known optimum 2 pushes (tutorial/first.xsb 1; reference" in found.output
    good = run(cli, ["optima", str(FIRST), "--table", str(table), "--verify"])
    assert good.exit_code == 0 and "2 holds" in good.output
    rows = [
        replace(row, value="9", bound="9") if row.value else row
        for row in optima_table.rows_of(optima_table.read(table))
    ]
    optima_table.write(tmp_path, rows)
    bad = run(cli, ["optima", str(FIRST), "--table", str(tmp_path), "--verify", "--json"])
    assert bad.exit_code == 1
    assert [json.loads(line)["verdict"] for line in bad.output.splitlines()] == ["WRONG", "WRONG"]


def test_a_proved_answer_that_differs_from_the_table_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    (level,) = formats.read(FIRST.read_bytes())
    assert solve(level, objective="pushes").exit_code == 0
    row = optima_table.shipped()[board_hash(level)]["pushes"]
    false = {row.board: {"pushes": replace(row, value="1", bound="1")}}
    monkeypatch.setattr(optima_table, "shipped", lambda: false)
    assert solve(level, objective="pushes").exit_code == 1


def test_from_table_starts_from_the_plan_of_the_table() -> None:
    (level,) = formats.read(FIRST.read_bytes())
    found = solve(level, objective="pushes", engine="native", from_table=True)
    assert (found.status, found.value) == ("optimal", 2)


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
