"""Boards written as JSON and facts are read back: by the library, and by commands without --domain."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from sokoasp.core.errors import LevelError, SokoaspError
from sokoasp.domain import domain_for, load
from sokoasp.klotski import board_facts, notation, search
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
    data = KLOTSKI.texts.write[to](SHIPPED, None).encode()
    name = f"a.{to}"
    assert domain_for(data, name).name == domain_for(data, "<stdin>").name == "klotski"
    again = list(KLOTSKI.texts.read(data, name))
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
    assert again == board
    without = board_facts.read("\n".join(plain(text)))
    assert nameless(board_facts.write(without)) == nameless(text)


def nameless(text: str) -> list[str]:
    """Return the facts without the letters of pieces."""
    return sorted(re.sub('"."', "", fact) for fact in " ".join(plain(text)).split())


@pytest.mark.parametrize(
    "text",
    [
        "goal: A 0,2\nmoves: A lr\nA...\n",
        "goal: A 3,0\nmoves: A u\nA\n.\n.\n.\n",
        "goal: B 0,3\nsame: AB\nA...\nB...\n",
        "goal: A 0,1; B 0,3\nsame: AB\nA...\nB...\n",
    ],
)
def test_boards_that_are_the_same_game_are_equal(text: str) -> None:
    """Limits that keep a piece from nowhere are none, and any piece of a group stands for the group in the goal."""
    board = notation.read(text)[0]
    assert board_facts.read(board_facts.write(board)) == board
    assert notation.read(notation.write(board))[0] == board


def test_pieces_of_a_group_are_named_in_the_order_of_their_cells() -> None:
    one, other = notation.read(
        "".join(f"goal: {goal}\nsame: AB\nA...\nB...\n\n" for goal in ("A 0,3; B 0,1", "A 0,1; B 0,3"))
    )
    assert one == other
    assert "goal: A 0,1; B 0,3" in notation.write(one)


@pytest.mark.parametrize(
    "text",
    [
        "goal: A 1,0\nmoves: A lr\nAA..\n....\n",  # on one line of eight cells A would get to the goal
        "goal: A 0,0\nmoves: A ud; B ud\n.B\nA.\n",
        "goal: A 3,0\nmoves: A u\nA\n.\n.\n.\n",
        "goal: b 0,2; A 1,0\nmoves: lengthwise\nAAA\nb..\n...\n",
    ],
)
def test_facts_without_a_picture_are_the_same_game(text: str) -> None:
    """The width is the one at which the board has just these facts; other comments in front are no picture."""
    board = notation.read(text)[0]
    wanted = search.solve(board)
    facts = "\n".join(plain(board_facts.write(board)))
    for comment in ("", "% found\n% in a book\n", "% found\n% in a book\n% of letters\n"):
        again = search.solve(board_facts.read(comment + facts))
        assert (again.status, again.value) == (wanted.status, wanted.value)


FACTS = board_facts.write(notation.read("goal: A 0,3; b 1,0\nA...\nb...\n")[0])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('goal_at("A",3).', 'goal_att("A",3).', "26:1.*goal_att/2 is not one of"),
        ('goal_at("A",3).', 'goal_at("A",3) :- cell(0).', "26:16.*only ground facts"),
        ('goal_at("A",3).', 'goal_at("A",X) :- cell(X).', "variable X"),
        ('shift("A",0,1).', "", r'shift\("A",0,1\) is missing'),
        ('shift("A",0,1).', 'shift("A",0,1). shift("A",0,2).', r'shift\("A",0,2\) does not belong'),
        ('place("b",0).', "", r'place\("b",0\) is missing'),
        ("blanks(6).", "blanks(5).", r"blanks\(6\) is missing"),
        ('pieces("A",1).', 'pieces("A",2).', r'pieces\("A",1\) is missing'),
        ('init("A",0).', 'init("A",0). init("A",1).', r"blanks\(5\) is missing"),
    ],
)
def test_facts_of_another_game_are_refused(old: str, new: str, words: str) -> None:
    """What the reader does not understand would make another, often easier board."""
    assert old in FACTS
    with pytest.raises(SokoaspError, match=words):
        board_facts.read(FACTS.replace(old, new))


def test_facts_as_programs_have_them_are_read() -> None:
    """Ranges, comments over several lines and blanks anywhere."""
    board = board_facts.read(FACTS)
    wide = FACTS.replace(" ".join(f"cell({at})." for at in range(8)), "cell( 0 .. 7 ) .").replace(
        "goal_at(", "goal_at ( "
    )
    assert board_facts.read(f"{wide}%* goal_blank(0).\ngoal_blank(1). *%\n") == board


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
        '{"format": "sokoasp-boards", "boards": [{"text": "goal: a 0,1\\na.", "pieces": []}]}',
        '{"format": "sokoasp-boards", "boards": [{"text": "goal: a 0,1\\na.", "board": ".a"}]}',
        '{"format": "sokoasp-boards", "boards": [{"text": "goal: a 0,1\\na."}], "moves": ""}',
        pytest.param('{"format": "sokoasp-boards", "boards": ' + "[" * 100_000, id="too deep"),
    ],
)
def test_faulty_json_is_told(text: str) -> None:
    (found,) = KLOTSKI.texts.read(text.encode(), "a.json")
    assert isinstance(found, SokoaspError) and found.exit_code == 30 and found.place.startswith("a.json")
