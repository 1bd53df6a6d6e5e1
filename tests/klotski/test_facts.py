import random

import pytest

from sokoasp.core.errors import NotationError
from sokoasp.klotski import board_facts, notation, search
from sokoasp.klotski.board import BoardCell
from sokoasp.klotski.referee import validate
from sokoasp.klotski.slide_plan import Slide

from .boards import random_board

TINY = notation.read("title: Tiny\ngoal: A 1,0\nmask: ??/?.\nmoves: b l\nAb\n..\n")[0]


def test_the_facts_of_a_tiny_board() -> None:
    lines = [line for line in board_facts.write(TINY).splitlines() if not line.startswith("%")]
    assert " ".join(lines) == (
        'cell(0). cell(1). cell(2). cell(3). blanks(2). class("A"). pieces("A",1). init("A",0). '
        'place("A",0). covers("A",0,0). shift("A",0,2). shift("A",0,1). place("A",1). covers("A",1,1). '
        'shift("A",1,3). shift("A",1,0). place("A",2). covers("A",2,2). shift("A",2,0). shift("A",2,3). '
        'place("A",3). covers("A",3,3). shift("A",3,1). shift("A",3,2). class("b"). pieces("b",1). init("b",1). '
        'place("b",0). covers("b",0,0). place("b",1). covers("b",1,1). shift("b",1,0). place("b",2). '
        'covers("b",2,2). place("b",3). covers("b",3,3). shift("b",3,2). goal_at("A",2). goal_blank(3).'
    )


def test_up_is_up() -> None:
    """The orientation of the tables: a piece that may only go up can reach the row above and not the one below."""
    board = notation.read("goal: a 0,0\nmoves: a u\n..\na.\n..\n")[0]
    assert 'shift("a",2,0).' in board_facts.write(board) and 'shift("a",2,4).' not in board_facts.write(board)


def test_decode_follows_the_pieces_of_a_class() -> None:
    board = notation.read("goal: z 0,0\nz...\nbc..\n")[0]
    atoms = ["slide(b,5,7,1)", 'slide("b",4,5,2)', ("slide", ('"b"', 7, "6", 3))]
    assert board_facts.decode(board, atoms) == (
        Slide("c", BoardCell(1, 1), BoardCell(1, 3)),
        Slide("b", BoardCell(1, 0), BoardCell(1, 1)),
        Slide("c", BoardCell(1, 3), BoardCell(1, 2)),
    )
    assert board_facts.decode(board, ["slide(c,4,2,1)"])[0].piece == "b"  # any letter of the class will do


@pytest.mark.parametrize(
    ("atoms", "words"),
    [
        (["push(a,up,b,1)"], "no plan atom"),
        (["slide(b,4,5)"], "no plan atom"),
        (["slide(q,4,5,1)"], "no piece 'q'"),
        (["slide(b,6,7,1)"], "stands at cell 6"),
        (["slide(b,4,6,1)", "slide(b,5,7,1)"], "another slide at time 1"),
    ],
)
def test_atoms_that_are_no_plan(atoms: list[str], words: str) -> None:
    with pytest.raises(NotationError, match=words):
        board_facts.decode(notation.read("goal: z 0,0\nz...\nbc..\n")[0], atoms)


def test_encoded_plans_decode_to_valid_plans() -> None:
    """Plans of the search, written as atoms of class letters in any order, come back as plans of the same cost."""
    tried = 0
    for seed in range(40):
        board = random_board(seed)
        result = search.solve(board)
        if not result.value:
            continue
        atoms = [
            f'slide("{slide.piece}",{board.number(slide.from_cell)},{board.number(slide.to_cell)},{at})'
            for at, slide in enumerate(result.plan, 1)
        ]
        random.Random(seed).shuffle(atoms)
        assert validate(board, board_facts.decode(board, atoms)).slides == result.value
        tried += 1
    assert tried >= 10
