"""The keys of every command's JSON rows are those that docs/cli.md lists."""

import csv
import io
import json
import re
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sokoasp.bench.report.compare import Pairing
from sokoasp.bench.report.status import CampaignStatus
from sokoasp.cli import root as cli
from sokoasp.engine.grading import Grade
from sokoasp.sokoban.optima_table import Optimum
from tests.commands import FIRST, UNSOLVABLE, rows, run
from tests.instances import FOLDER

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"
BOARD = "goal: a 0,1\na.\n"
SOLVE = ["solve", FIRST]


def documented() -> dict[str, tuple[set[str], set[str]]]:
    """Return for each row of the table, by its first cell, the keys that are always there and those that may be."""
    table = PAGE.read_text(encoding="utf-8").split("## JSON")[1].split("\n## ")[0]
    found = {}
    for line in re.findall(r"^\| (`.*) \|$", table, re.MULTILINE):
        what, always, more = (cell.strip() for cell in line.split("|")[:3])
        found[what.replace("`", "")] = (set(re.findall(r"`(\w+)`", always)), set(re.findall(r"`(\w+)`", more)))
    solve, _ = found["solve"]
    found["improve"] = (solve | {"before"}, {"error"})
    found["optima, a row each"][0].update(Optimum._fields)
    return found


@pytest.mark.parametrize(
    ("what", "asked"),
    [
        ("solve", SOLVE),
        ("solve", [*SOLVE, "--models", "0"]),
        ("solve", [*SOLVE, "--count"]),
        ("solve", [*SOLVE, "--steps", "2"]),
        ("solve", [*SOLVE, "--then", "moves", "--no-cross-check"]),
        ("solve", ["solve", UNSOLVABLE, "--level", "5"]),
        ("solve, Klotski", ["solve", "BOARD"]),
        ("improve", ["improve", FIRST, "rRR"]),
        ("improve", ["improve", UNSOLVABLE]),
        pytest.param("plan, solve X.pddl", ["solve", str(FOLDER / "pddl" / "first.pddl")], marks=pytest.mark.slow),
        ("check", ["check", FIRST, "rRR"]),
        ("check", ["check", FIRST, "rRRR"]),
        ("certify", ["certify", FIRST, "-o", "DIR"]),
        ("check-proof", ["check-proof", "DIR"]),
        ("deadlock", ["deadlock", UNSOLVABLE, "--level", "5"]),
        ("deadlock", ["deadlock", FIRST, "--exhaustive"]),
        ("stats", ["stats", FIRST]),
        ("stats", ["stats", FIRST, "--time-limit", "0"]),
        ("stats, Klotski", ["stats", "BOARD"]),
        ("units", ["units", FIRST]),
        ("walk", ["walk", FIRST, "--to", "1,2"]),
        ("optima, a row each", ["optima", FIRST]),
        ("klotski-db", ["klotski-db", "BOARD"]),
        ("encodings list", ["encodings", "list"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_keys_are_those_of_the_page(what: str, asked: Sequence[str], tmp_path: Path) -> None:
    (tmp_path / "board.klotski").write_text(BOARD)
    places = {"BOARD": str(tmp_path / "board.klotski"), "DIR": str(tmp_path / "made")}
    if asked[0] == "check-proof":
        assert CliRunner().invoke(cli, ["certify", FIRST, "-o", places["DIR"]]).exit_code == 0
    done = CliRunner().invoke(cli, [*(places.get(word, word) for word in asked), "--json"])
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    always, more = documented()[what]
    assert rows and always
    for row in rows:
        assert always <= row.keys() <= always | more, sorted(row)
    one_table_as_well(CliRunner().invoke(cli, [*(places.get(word, word) for word in asked), "--csv"]).stdout, rows)


def one_table_as_well(text: str, rows: Sequence[dict[str, Any]]) -> None:
    """Look at ``--csv`` beside the rows of ``--json``: as many, single values are the same, no JSON is in a cell."""
    head, *lines = csv.reader(io.StringIO(text))
    assert len(lines) == len(rows) and len(set(head)) == len(head)
    for line, row in zip(lines, rows, strict=True):
        cells = dict(zip(head, line, strict=True))
        assert not any(cell.startswith(("{", "[")) for cell in line), line
        for name, value in row.items():
            if name in cells and isinstance(value, str | int):
                assert cells[name] == (str(value).lower() if isinstance(value, bool) else str(value)), name
        assert "file" not in row or cells["file"] == row["file"]


@pytest.mark.parametrize(
    ("what", "record"), [("bench status", CampaignStatus), ("bench compare, a row each", Pairing), ("grade", Grade)]
)
def test_the_keys_of_records_are_those_of_the_page(what: str, record: Any) -> None:
    own = {"encoding", "objective"} if record is Grade else set()
    always, _ = documented()[what]
    assert always == {field.name for field in fields(record)} | own


def test_json_beside_another_notation_is_refused() -> None:
    for *words, flag in (["solve", FIRST, "--output"], ["improve", FIRST, "rRR", "--format"]):
        done = run(*words, "--json", flag, "lurd")
        assert done.returncode == 2 and "--json has the plan in it, so leave lurd out: beside it" in done.stderr
        assert rows(run(*words, "--json", flag, "json"))[0]["value"] == 1


def test_a_table_and_the_levels_with_their_plans_are_made_by_one_call(tmp_path: Path) -> None:
    table, alone, both = run("solve", FIRST, "--csv"), tmp_path / "alone.sok", tmp_path / "both.sok"
    run("solve", FIRST, "-o", str(alone))
    done = run("solve", FIRST, "--csv", "-o", str(both))
    assert done.stdout.split(",")[:-2] == table.stdout.split(",")[:-2] and both.read_text() == alone.read_text() != ""


def test_a_table_keeps_its_columns_and_has_a_row_for_a_fault() -> None:
    level, bad = "#####\n#@$.#\n#####\n\n", "#####\n#@$ #\n#####\n\n"
    heads = set()
    for text, code in (level, 0), (level + bad, 30):
        done = run("solve", "-", "--csv", "--no-cross-check", stdin=text)
        assert done.returncode == code
        head, *lines = csv.reader(io.StringIO(done.stdout))
        heads.add(tuple(head))
        assert [line[head.index("status")] for line in lines] == ["optimal", "error"][: len(lines)]
        assert lines[0][head.index("plan")] == "R" and ("E-" in lines[-1][head.index("error")]) == (code == 30)
    assert len(heads) == 1
    assert run("optima", "-", "--csv", stdin=level).stdout.startswith("file,level,board,")


def test_two_forms_of_rows_are_refused() -> None:
    done = run("stats", FIRST, "--json", "--csv")
    assert done.returncode == 2 and "--json and --csv are two forms of the same rows: give one of them" in done.stderr
    done = run("solve", FIRST, "--csv", "--output", "lurd")
    assert done.returncode == 2 and "--csv has the plan in it, so leave lurd out: beside it" in done.stderr


def test_an_open_row_of_the_table_is_no_optimum(cavepacker: Path) -> None:
    asked = ["solve", next(cavepacker.rglob("sasquatch01_0003.sok")), "--objective", "pushes", "--time-limit", "0.5"]
    head, row = csv.reader(io.StringIO(run(*asked, "--no-cross-check", "--csv").stdout))
    assert (row[head.index("level")], row[head.index("known_optimum")]) == ("1", "")
