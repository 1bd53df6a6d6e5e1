"""Boards written as JSON and facts are read back: by the library, and by commands without --domain."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.domain import domain_for, load
from sokoasp.klotski import board_facts, notation
from sokoasp.klotski.board import Board
from tests.commands import rows, run
from tests.klotski.boards import random_board

KLOTSKI = load("klotski")
SHIPPED = [
    board
    for name in ("hua-rong-dao", "own")
    for board in notation.read((Path("instances/klotski") / f"{name}.klotski").read_text(encoding="utf-8"))
]


def plain(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("%")]


@pytest.mark.parametrize("to", ["klotski", "json"])
def test_all_boards_come_back(to: str) -> None:
    data = KLOTSKI.write[to](SHIPPED, None).encode()
    name = f"a.{to}"
    assert domain_for(data, name).name == domain_for(data, "<stdin>").name == "klotski"
    again = list(KLOTSKI.read(data, name))
    assert again == SHIPPED
    assert [board.title for board in again] == [board.title for board in SHIPPED]


@pytest.mark.parametrize("seed", range(60))
def test_facts_come_back(seed: int) -> None:
    board = SHIPPED[seed] if seed < len(SHIPPED) else random_board(random.Random(seed))
    text = board_facts.write(board)
    assert domain_for(text.encode(), "a.lp").name == domain_for(text.encode(), "<stdin>").name == "klotski"
    again = board_facts.read(text)
    assert plain(board_facts.write(again)) == plain(text)
    assert again.title == board.title
    assert (again.rows(), again.goal.blanks) == (board.rows(), board.goal.blanks)
    without = board_facts.read("\n".join(plain(text)))
    assert class_sizes(board_facts.write(without)) == class_sizes(text)


def class_sizes(text: str) -> list[str]:
    """Return what is said of the pieces, their letters left out."""
    facts = " ".join(plain(text)).split()
    return sorted(
        fact[5:] if fact.startswith("init") else fact for fact in facts if fact.startswith(("cell", "blanks"))
    )


def test_the_shipped_boards_are_the_same_game_after_facts() -> None:
    for board in SHIPPED:
        again = board_facts.read(board_facts.write(board))
        assert isinstance(again, Board)
        assert (again.width, again.height, again.walls) == (board.width, board.height, board.walls)
        assert {(p.name, p.cells, p.directions) for p in again.pieces} == {
            (p.name, p.cells, p.directions) for p in board.pieces
        }


def test_commands_read_what_translate_writes(tmp_path: Path) -> None:
    for to, suffix in (("facts", "lp"), ("json", "json")):
        path = tmp_path / f"a.{suffix}"
        assert (
            run("translate", "instances/klotski/own.klotski", "--level", "1", "--to", to, "-o", str(path)).returncode
            == 0
        )
        row, wanted = (
            rows(run("solve", file, "--level", "1", "--json"))[0]
            for file in (str(path), "instances/klotski/own.klotski")
        )
        assert (row["value"], row["status"]) == (wanted["value"], "optimal")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('init("A",0).', "missing"),
        ('init("A",0). cell(0). cell(x).', "missing or no number"),
        ('init("A",0). cell(0). cell(1). goal_at("A",1).', "covers"),
        ('init("A",0). cell(0). covers("A",0,0).', "no goal"),
        ('init("A",0). cell(999999999).', "10000 or more"),
        ('init("A",0). cell(0). cell(1). covers("A",0,0). covers("A",0,1). goal_at("B",1).', "missing"),
    ],
)
def test_faulty_facts_are_told(text: str, words: str) -> None:
    with pytest.raises(LevelError, match=words):
        board_facts.read(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"format": "sokoasp-boards"',
        '{"format": "sokoasp-boards", "boards": []}',
        '{"format": "sokoasp-boards", "boards": [3]}',
    ],
)
def test_faulty_json_is_told(text: str) -> None:
    (found,) = KLOTSKI.read(text.encode(), "a.json")
    assert isinstance(found, SokoaspError) and found.exit_code == 30 and found.place.startswith("a.json")
