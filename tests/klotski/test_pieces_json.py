"""JSON of pieces: our own form there and back, the forms of others, and faults with their place."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sokoasp.cli import root
from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.domain import domain_for
from sokoasp.domain.klotski import DOMAIN
from sokoasp.klotski import pieces_json
from sokoasp.klotski.board import Board, BoardCell
from tests.commands import run
from tests.conftest import ROOT
from tests.klotski.boards import random_board, shipped

RED_DONKEY = "bAAc/bAAc/deef/dghf/i..j"
BLOCKS = [
    ("曹操", 1, 0, 2, 2),
    ("張飛", 0, 0, 1, 2),
    ("馬超", 3, 0, 1, 2),
    ("黃忠", 0, 2, 1, 2),
    ("關羽", 1, 2, 2, 1),
    ("趙雲", 3, 2, 1, 2),
    *[("卒", x, y, 1, 1) for x, y in ((1, 3), (2, 3), (0, 4), (3, 4))],
]


def read(data: Any) -> list[Board | SokoaspError]:
    text = data if isinstance(data, str) else json.dumps(data)
    return list(domain_for(text.encode(), "x.json", None).read(text.encode(), "x.json"))


def one(data: Any) -> Board:
    (board,) = read(data)
    assert isinstance(board, Board), board
    return board


def shape_of(board: Board) -> set[tuple[BoardCell, ...]]:
    return {piece.cells for piece in board.pieces}


@pytest.mark.parametrize("name", ["hua-rong-dao.klotski", "own.klotski", "classics.klotski"])
def test_our_own_form_comes_back(name: str) -> None:
    boards = shipped(name)
    entries = [pieces_json.entry_of(board) for board in boards]
    again = read({"boards": entries})
    assert again == boards
    for before, after in zip(boards, again, strict=True):
        assert isinstance(after, Board) and (after.title, set(after.notes)) == (before.title, set(before.notes))
    written = json.loads(DOMAIN.write["json"](boards, None))
    without_text = [{key: row[key] for key in row if key not in ("text", "board")} for row in written["boards"]]
    assert read({"boards": without_text}) == boards == read(written)
    assert read({"format": written["format"], "boards": without_text}) == boards


def test_random_boards_come_back() -> None:
    boards = [random_board(seed) for seed in range(60)]
    assert read([pieces_json.entry_of(board) for board in boards]) == boards


FORMS: dict[str, Any] = {
    "name, shape, x, y": [{"name": n, "shape": f"{w}x{h}", "x": x, "y": y} for n, x, y, w, h in BLOCKS],
    "id, w, h, x, y": [{"id": n, "w": w, "h": h, "x": x, "y": y} for n, x, y, w, h in BLOCKS],
    "shape and position as rows and columns": {
        "blocks": [{"shape": [h, w], "position": [y, x]} for _n, x, y, w, h in BLOCKS],
        "boardSize": [5, 4],
        "escapePoint": [3, 1],
    },
    "rows of a shape": [
        {"label": n, "shape": ["1" * w] * h, "row": y, "col": x, "color": "#fff"} for n, x, y, w, h in BLOCKS
    ],
    "cells": {"pieces": [{"cells": [[y + i, x + j] for i in range(h) for j in range(w)]} for _n, x, y, w, h in BLOCKS]},
}


@pytest.mark.parametrize("form", FORMS)
def test_lists_of_others(form: str) -> None:
    board = one(FORMS[form])
    standard = shipped("hua-rong-dao.klotski")[1]
    assert "/".join(standard.rows()) == RED_DONKEY and shape_of(board) == shape_of(standard)
    (goal,) = board.goal.places
    assert goal[1] == BoardCell(3, 1) and len(board.piece(goal[0]).cells) == 4
    assert ("曹操" in dict(board.notes).get("comment", "")) == (form not in list(FORMS)[2::2])


def test_rush_hour() -> None:
    cars = [
        {"name": "X", "row": 2, "col": 0, "length": 2, "orientation": "horizontal"},
        {"name": "A", "row": 0, "col": 2, "length": 3, "orientation": "V"},
        {"name": "B", "row": 5, "col": 0, "length": 2, "orientation": "h"},
    ]
    board = one({"cars": cars, "name": "Three cars"})
    assert (board.width, board.height, board.title) == (6, 6, "Three cars")
    assert [piece.directions for piece in board.pieces] == ["ud", "lr", "lr"]
    assert board.goal.places == (("X", BoardCell(2, 4)),)
    assert {"/".join(board.rows())} == {"..A.../..A.../XXA.../....../....../BB...."}


def test_a_car_is_not_the_red_one_by_the_letter_it_got() -> None:
    cars = [{"name": f"car {at}", "x": 2 * (at % 6), "y": at // 6, "length": 2, "orientation": "h"} for at in range(26)]
    (found,) = read({"cars": cars, "width": 12, "height": 6})
    assert isinstance(found, LevelError) and "no goal" in str(found)
    board = one(
        {"cars": [*cars, {"name": "Red", "x": 0, "y": 5, "length": 3, "orientation": "h"}], "width": 12, "height": 6}
    )
    assert board.goal.places == (("A", BoardCell(5, 9)),)


FAULTS: list[tuple[Any, str]] = [
    ([{"name": "a", "x": 0, "y": 0}], r"pieces\[0\]: 'width' is missing"),
    ([{"name": "a", "shape": "2x", "x": 0, "y": 0}], r"pieces\[0\].shape"),
    ([{"name": "a", "shape": "²x2", "x": 0, "y": 0}], r"pieces\[0\].shape"),
    ([{"name": "a", "cells": []}], r"pieces\[0\].cells: it must have one cell"),
    (
        {"pieces": [{"name": "a", "shape": "1x1", "x": 0, "y": 0}], "same": [3], "exit": [1, 1]},
        "same: it must be groups",
    ),
    ([{"name": "a", "shape": "2x2", "x": 0, "y": "0"}], r"pieces\[0\].y: it must be a whole number"),
    ([{"name": "a", "shape": "2x2", "x": 3, "y": 0}], r"pieces\[0\]: it covers 0,4, off the 4x5 board"),
    ([{"name": "a", "shape": "2x2", "x": 0, "y": 0}, {"shape": "1x1", "x": 1, "y": 1}], "overlap at 1,1"),
    ({"pieces": [{"name": "a", "shape": "1x1", "x": 0, "y": 0}], "goal": "a"}, "goal: it must be objects"),
    (
        {"pieces": [{"name": "a", "shape": "1x1", "x": 0, "y": 0}], "goal": [{"name": "b", "x": 1, "y": 1}]},
        "no piece 'b'",
    ),
    ({"pieces": [{"name": "a", "shape": "1x1", "x": 0, "y": 0}]}, "no goal"),
    (
        {"pieces": [{"name": "a", "shape": "1x1", "x": 0, "y": 0}], "width": 0, "height": 1},
        "from 0 to 100|from 1 to 100",
    ),
    ([{"x": at % 9, "y": at // 9, "shape": "1x1"} for at in range(63)], "63 pieces are too many"),
]


@pytest.mark.parametrize(("data", "reported"), FAULTS)
def test_faults_are_reported_with_their_place(data: Any, reported: str) -> None:
    (found,) = read(data)
    assert isinstance(found, LevelError) and str(found).startswith("x.json, board 1: ")
    with pytest.raises(LevelError, match=reported):
        raise found


def test_a_faulty_board_does_not_hide_the_others() -> None:
    good = pieces_json.entry_of(shipped("own.klotski")[0])
    first, second = read({"levels": [{"pieces": [{"x": 0, "y": 0}]}, good]})
    assert isinstance(first, LevelError) and isinstance(second, Board)


def test_half_of_a_character_is_a_question_mark() -> None:
    piece = {"name": "a", "x": 0, "y": 0, "width": 1, "height": 1}
    goal = [{"name": "a", "x": 1, "y": 0}]
    text = json.dumps({"title": "\ud800 \U0001f4e6", "width": 2, "height": 1, "pieces": [piece], "goal": goal})
    (board,) = pieces_json.read_each(text)
    assert isinstance(board, Board) and board.title == "? \U0001f4e6"


def test_other_json_is_left_to_others() -> None:
    assert not pieces_json.recognises('{"levels": [{"rows": ["#####", "#@$.#", "#####"]}]}')
    assert (
        not pieces_json.recognises("[]")
        and not pieces_json.recognises("[[[")
        and not pieces_json.recognises("[]HH\n..HH")
    )
    assert not pieces_json.recognises("[" * 100_000)


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "donkey.json"
    file.write_text(json.dumps(FORMS["name, shape, x, y"], ensure_ascii=False), encoding="utf-8")
    reported = run("solve", file, "--json")
    assert reported.returncode == 0 and json.loads(reported.stdout)["value"] == 81


def test_stats_leaves_the_longest_number_that_is_read_as_it_was() -> None:
    before = sys.get_int_max_str_digits()
    assert CliRunner().invoke(root, ["stats", str(ROOT / "instances/tutorial/first.xsb")]).exit_code == 0
    assert sys.get_int_max_str_digits() == before > 0


@pytest.mark.parametrize("text", ['{"pieces": [{"name": "A", "x": ' + "1" * 5000 + ', "y": 0}]}', "[" * 100_000])
def test_json_too_large_to_be_read_is_told_in_a_sentence(text: str) -> None:
    (error,) = pieces_json.read_each(text, "x.klotski")
    assert isinstance(error, LevelError)
    assert str(error) == "x.klotski:1:1: E-JSON not usable JSON: a number or a nesting is too large"


@pytest.mark.parametrize(
    "corner", [{"x": 1, "y": 2}, {"col": 1, "row": 2}, {"left": 1, "top": 2}, {"column": 1, "y": 2}, {"pos": [2, 1]}]
)
def test_every_name_of_a_corner_is_recognised(corner: dict[str, Any]) -> None:
    board = one({"pieces": [{"name": "A", **corner, "width": 2, "height": 1}], "goal": [{"name": "A", "x": 0, "y": 0}]})
    assert board.piece("A").corner == BoardCell(2, 1)
