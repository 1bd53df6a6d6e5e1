"""The referee: plans that must pass, and plans that must fail for the right reason."""

from typing import Any

import pytest

from sokoasp import IllegalPlan, LevelError, read
from sokoasp.sokoban import formats, rules
from sokoasp.sokoban.level import Cell, Direction, Level
from sokoasp.sokoban.plan import Plan, Push
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.validate import validate, validate_actions, validate_moves
from tests.instances import level
from tests.levels import random_level, some_now

ROOM = level(
    """
    ########
    #@ $ . #
    #   #  #
    #  $ . #
    ########
    """
)
RIGHT, UP, DOWN, LEFT = Direction.right, Direction.up, Direction.down, Direction.left
TOP = Push(Cell(1, 3), RIGHT, Cell(1, 5))
BOTTOM = Push(Cell(3, 3), RIGHT, Cell(3, 5))


def test_valid_plan_and_its_counts() -> None:
    plan = rules.plan_from_pushes(ROOM, [TOP, BOTTOM])
    counts = validate(ROOM, plan)
    assert (counts.lines, counts.pushes, counts.moves) == (2, 4, len(plan.lurd))
    assert validate(ROOM, plan, steps=3) == counts


def test_a_wall_is_called_as_the_facts_call_the_cells() -> None:
    facts = formats.write([ROOM], "facts")
    for text, said in ((facts, "at c8r2"), (facts.replace("c2r2", "home"), "at row 1, column 7")):
        with pytest.raises(IllegalPlan, match=f"a wall is in the way {said}"):
            validate_actions(read(text)[0], [Push(Cell(1, 3), RIGHT, Cell(1, 7))])


CORRIDOR = level("########\n#@ $ $.#\n#### #.#\n########")
ROW = level("#########\n#@$ $ ..#\n#       #\n#########")
INVALID_ACTIONS = {
    "no box": (ROOM, [Push(Cell(1, 2), RIGHT, Cell(1, 4))], 1, "no box stands there"),
    "wall behind": (ROOM, [Push(Cell(3, 3), UP, Cell(2, 3))], 1, "is a wall"),
    "through a wall": (ROOM, [Push(Cell(1, 3), RIGHT, Cell(1, 7))], 1, "a wall is in the way at c8r2"),
    "not straight": (ROOM, [Push(Cell(1, 3), RIGHT, Cell(2, 5))], 1, "does not lie in that direction"),
    "no distance": (ROOM, [Push(Cell(1, 3), RIGHT, Cell(1, 3))], 1, "idle push"),
    "backwards": (ROOM, [Push(Cell(1, 3), RIGHT, Cell(1, 2))], 1, "does not lie in that direction"),
    "box gone": (ROOM, [TOP, TOP], 2, "no box stands there"),
    "stops short": (ROOM, [TOP], 1, "1 goal is empty: c6r4"),
    "nothing": (ROOM, [], 0, "2 goals are empty"),
    "no way": (CORRIDOR, [Push(Cell(1, 5), RIGHT, Cell(1, 6))], 1, "the player at c2r2 cannot reach c5r2"),
    "a box in the way": (ROW, [Push(Cell(1, 2), RIGHT, Cell(1, 6))], 1, "a box is in the way at c5r2"),
}


@pytest.mark.parametrize("name", INVALID_ACTIONS)
def test_invalid_actions(name: str) -> None:
    board, actions, at, reason = INVALID_ACTIONS[name]
    with pytest.raises(IllegalPlan, match=reason) as caught:
        validate_actions(board, actions)
    assert caught.value.at == at


INVALID_MOVES = {
    "x": (1, "'x' is not a move"),
    "l": (1, "a wall is at row 1, column 0"),
    "rr": (2, "it pushes a box"),
    "R": (1, "it does not push a box"),
    "rRRRR": (5, "the box cannot go to row 1, column 7: a wall is there"),
    "rRR": (3, "1 goal is empty"),
    "rRRd": (4, "a wall is at row 2, column 4"),
}


@pytest.mark.parametrize("moves", INVALID_MOVES)
def test_invalid_moves(moves: str) -> None:
    at, reason = INVALID_MOVES[moves]
    with pytest.raises(IllegalPlan, match=reason) as caught:
        validate_moves(ROOM, moves)
    assert caught.value.at == at


def test_a_plan_of_pushes_names_the_action_that_is_none() -> None:
    with pytest.raises(IllegalPlan, match="action 2 pushes no box in a straight line") as caught:
        rules.plan_from_pushes(ROOM, [TOP, TOP])
    assert caught.value.at == 2
    shut = level("######\n#@ $.#\n######")
    with pytest.raises(IllegalPlan, match="action 1: the player cannot get behind the box") as caught:
        rules.plan_from_pushes(shut, [Push(Cell(1, 3), LEFT, Cell(1, 2))])
    assert caught.value.at == 1


def test_wrong_number_of_actions_for_the_steps() -> None:
    plan = rules.plan_from_pushes(ROOM, [TOP, BOTTOM])
    with pytest.raises(IllegalPlan, match="2 actions, 4 steps demand exactly 3"):
        validate(ROOM, plan, steps=4)


def test_halves_that_disagree() -> None:
    good = rules.plan_from_pushes(ROOM, [TOP, BOTTOM])
    other = rules.plan_from_pushes(ROOM, [BOTTOM, TOP])
    longer = Plan(good.actions, good.lurd[:-1])
    with pytest.raises(IllegalPlan):
        validate(ROOM, longer)
    with pytest.raises(IllegalPlan, match="do not make the same pushes"):  # two plans, of which each is one
        validate(ROOM, Plan(good.actions, other.lurd))


def test_halves_that_put_other_boxes_on_the_same_cells_disagree() -> None:
    one = level("#######\n#  @  #\n# .$  #\n# $.  #\n#     #\n#######")
    plans = [
        rules.plan_from_pushes(one, [Push(Cell(3, 2), RIGHT, Cell(3, 3)), Push(Cell(2, 3), LEFT, Cell(2, 2))]),
        rules.plan_from_pushes(one, [Push(Cell(2, 3), DOWN, Cell(3, 3)), Push(Cell(3, 2), UP, Cell(2, 2))]),
    ]
    for plan, other in (plans, plans[::-1]):
        assert validate(one, plan).pushes == 2
        with pytest.raises(IllegalPlan, match="do not make the same pushes"):
            validate(one, Plan(plan.actions, other.lurd))


@pytest.mark.parametrize("block", some_now(3, 1))
def test_referee_agrees_with_the_rules_on_random_plans(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        one = random_level(seed)
        found = reference.solve(one, "moves")
        if found.plan is not None:
            assert validate(one, found.plan).moves == found.value
            if found.value:
                broken = found.plan.lurd[:-1]
                with pytest.raises(IllegalPlan):
                    validate_moves(one, broken)


def test_the_move_that_fails_is_named_by_its_number() -> None:
    one = level("#####\n#@$.#\n#####")
    with pytest.raises(IllegalPlan, match=r"move 2 \('r'\)") as caught:
        list(rules.replay(one, "rr"))
    assert caught.value.at == 2


@pytest.mark.parametrize(("count", "dots"), [(3, False), (4, True)])
def test_three_empty_goals_are_named_and_more_are_hinted_at(count: int, dots: bool) -> None:
    one = level("\n".join(["#######", f"#@{'.' * count:4}#", f"#{'$' * count:5}#", "#######"]))
    with pytest.raises(IllegalPlan) as caught:
        validate(one, rules.plan_from_lurd(one, "r"))
    assert caught.value.message.count("row 1") == 3
    assert caught.value.message.endswith("; ...") is dots


def test_a_level_has_no_cell_above_or_left_of_its_first() -> None:
    floor = frozenset(Cell(0, col) for col in range(3))
    for stray in (Cell(-1, 0), Cell(0, -1)):
        with pytest.raises(LevelError, match=rf"count from 0: there is a cell at row {stray.row}, column {stray.col}"):
            Level(floor | {stray}, frozenset({Cell(0, 1)}), frozenset({Cell(0, 2)}), Cell(0, 0))


def test_a_level_is_made_of_cells() -> None:
    floor = frozenset(Cell(0, col) for col in range(3))
    boxes, goals, player = frozenset({Cell(0, 1)}), frozenset({Cell(0, 2)}), Cell(0, 0)
    plain: Any = (0, 1)
    for wrong in (
        {"floor": frozenset({(0, 0), plain, (0, 2)})},
        {"boxes": frozenset({plain})},
        {"goals": frozenset({plain})},
        {"player": (0, 0)},
        {"decoration": ((plain, "#"),)},
    ):
        with pytest.raises(TypeError, match=r"a cell is Cell\(row, col\), not \(0, \d\)"):
            Level(**{"floor": floor, "boxes": boxes, "goals": goals, "player": player, **wrong})
    with pytest.raises(TypeError, match=r"boxes: a frozenset of Cell\(row, col\) is wanted, not a set"):
        Level(floor, {*boxes}, goals, player)  # type: ignore[arg-type]
