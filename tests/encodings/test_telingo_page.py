"""docs/telingo-and-plasp.md: its program is what it says, and its numbers are those of the table of known values."""

import csv
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from clingo.ast import parse_string

from sokoasp.sokoban import facts, formats

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "telingo-and-plasp.md").read_text(encoding="utf-8")
RULES, WISH = re.findall(r"```lp\n(.*?)```", PAGE, re.DOTALL)
ROWS = re.findall(r"^\| `([\w./-]+)` (\d+) \| (\d+) \|", PAGE, re.MULTILINE)

TELINGO = pytest.mark.skipif(shutil.which("telingo") is None, reason="telingo is not installed (pip install telingo)")


def known(objective: str) -> dict[tuple[str, str], str]:
    with (ROOT / "instances" / "known.csv").open(encoding="utf-8") as file:
        return {(r["instance"], r["level"]): r["value"] for r in csv.DictReader(file) if r["objective"] == objective}


def test_the_numbers_of_pushes_and_moves_are_known() -> None:
    assert len(ROWS) == 3
    pushes, moves = known("pushes"), known("moves")
    assert [pushes[file, level] for file, level, _ in ROWS] == [value for *_, value in ROWS]
    least = re.search(r"at least (\d+) steps \(the fewest moves; (\d+) and (\d+) for", " ".join(PAGE.split()))
    assert least is not None and [moves[file, level] for file, level, _ in ROWS] == list(least.groups())


def test_the_program_is_read_by_clingo() -> None:
    statements: list[str] = []
    parse_string(RULES, lambda statement: statements.append(str(statement)))
    assert [one for one in statements if one.startswith("#program")][1:] == [
        f"#program {part}." for part in ("always", "initial", "dynamic", "final")
    ]


def states(rules: str, row: Sequence[str], place: Path) -> int:
    """Return the number of pushes that telingo needs."""
    (place / "rules.lp").write_text(rules, encoding="utf-8")
    file, level, _ = row
    one = list(formats.read((ROOT / "instances" / file).read_bytes()))[int(level) - 1]
    (place / "level.lp").write_text(facts.write(one), encoding="utf-8")
    command = ["telingo", str(place / "rules.lp"), str(place / "level.lp"), "--imax=25"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120).stdout
    assert "SATISFIABLE" in said and "UNSATISFIABLE" not in said, said
    return said.count("  push(")


@TELINGO
@pytest.mark.parametrize(("file", "level", "value"), ROWS)
def test_telingo_finds_the_fewest_pushes(file: str, level: str, value: str, tmp_path: Path) -> None:
    assert states(RULES, (file, level, value), tmp_path) == int(value)


@TELINGO
def test_the_wish_costs_what_the_page_says(tmp_path: Path) -> None:
    said = re.search(r"makes the best plan of this level (\d+) pushes instead of (\d+):", " ".join(PAGE.split()))
    assert said is not None and said[2] == ROWS[0][2] and states(RULES + WISH, ROWS[0], tmp_path) == int(said[1])


@TELINGO
def test_a_push_without_the_walk_gives_another_number(tmp_path: Path) -> None:
    spoilt = RULES.replace(", 'reach(L0), adjacent(D,L0,L1)", "")
    assert spoilt != RULES and states(spoilt, ROWS[1], tmp_path) < int(ROWS[1][2])
