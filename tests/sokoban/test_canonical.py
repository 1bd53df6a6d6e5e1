"""One name for a level whatever way it is drawn: invariance, difference, and the published vectors."""

import hashlib
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sokoasp.core.errors import IllegalPlan
from sokoasp.sokoban import rules
from sokoasp.sokoban.canonical import TURNS, Turn, board_hash, canonical
from sokoasp.sokoban.formats import read
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.validate import validate_moves
from tests.sokoban.strategies import game, levels


def turned(level: Level, turn: Turn) -> Level:
    """The level as it looks after the symmetry, somewhere else on the map."""

    def place(cell: Cell) -> Cell:
        after = turn.cell(cell)
        return Cell(after.row + 40, after.col + 50)

    return Level(
        floor=frozenset(map(place, level.floor)),
        boxes=frozenset(map(place, level.boxes)),
        goals=frozenset(map(place, level.goals)),
        player=place(level.player),
    )


@given(levels(), st.sampled_from(TURNS))
def test_the_name_does_not_depend_on_how_a_level_is_drawn(level: Level, turn: Turn) -> None:
    form, other = canonical(level), canonical(turned(level, turn))
    assert other.rows == form.rows
    assert other.name == form.name


@given(levels())
def test_equal_pictures_only_for_equal_games(level: Level) -> None:
    """The canonical picture is the level itself in one of its eight positions: read back, it has the same name."""
    form = canonical(level)
    width = len(form.rows[0]) + 2
    walled = "\n".join(["#" * width, *(f"#{row}#" for row in form.rows), "#" * width])
    (again,) = read(walled)
    assert canonical(again).rows == form.rows
    assert board_hash(again) == hashlib.sha256(form.text.encode()).hexdigest()[:32]


@given(levels(), st.data())
def test_two_levels_share_a_name_only_if_a_symmetry_leads_from_one_to_the_other(
    level: Level, data: st.DataObject
) -> None:
    free = sorted(level.floor - level.boxes - {level.player})
    if not free:
        return
    moved = replace(level, player=data.draw(st.sampled_from(free)))
    related = any(game(turned(level, turn)) == game(moved) for turn in TURNS)
    assert (board_hash(moved) == board_hash(level)) == related


@pytest.mark.parametrize("turn", TURNS, ids=str)
def test_plans_turn_with_the_level(turn: Turn) -> None:
    """A plan, turned, solves the turned level; turned back it is the plan again; turned otherwise it does not."""
    (level,) = read("#######\n#@ $ .#\n# #   #\n#######\n")
    plan = "rRR"
    validate_moves(turned(level, turn), turn.lurd(plan))
    assert turn.back.lurd(turn.lurd(plan)) == plan
    for other in TURNS:
        if other.lurd(plan) != turn.lurd(plan):
            with pytest.raises(IllegalPlan):
                validate_moves(turned(level, turn), other.lurd(plan))


@given(st.integers(0, 2**32), st.sampled_from(TURNS))
def test_random_walks_turn_with_the_level(seed: int, turn: Turn) -> None:
    from tests.sokoban.strategies import random_level

    rng = random.Random(seed)
    level = random_level(rng)
    state, other, moves = rules.initial(level), rules.initial(turned(level, turn)), ""
    for _ in range(8):
        options = list(rules.moves(level, state))
        if not options:
            break
        letter, state = rng.choice(options)
        moves += letter
    if not moves:
        return
    steps = list(rules.replay(turned(level, turn), turn.lurd(moves)))
    other = steps[-1][2]
    assert other == rules.State(
        turned(level.with_state(state.boxes, state.player), turn).boxes,
        turned(level.with_state(state.boxes, state.player), turn).player,
    )


def test_the_published_vectors_hold(root: Path) -> None:
    found = json.loads((root / "instances" / "optima" / "vectors.json").read_text())["vectors"]
    assert len(found) >= 7
    for vector in found:
        (level,) = read(vector["xsb"])
        assert canonical(level).text == vector["canonical"], vector["name"]
        assert board_hash(level) == vector["hash"], vector["name"]
    assert len({vector["hash"] for vector in found}) == len(found) - 2  # three of them show one level


def test_the_recipe_of_the_documentation_computes_the_vectors(root: Path) -> None:
    """docs/optima.md shows a few lines that need nothing of ours; they give the same names."""
    text = (root / "docs" / "optima.md").read_text()
    code = text.split("```python\n", 1)[1].split("```", 1)[0]
    scope: dict[str, object] = {}
    exec(code, scope)
    name = scope["board_hash"]
    for vector in json.loads((root / "instances" / "optima" / "vectors.json").read_text())["vectors"]:
        assert name(vector["xsb"]) == vector["hash"], vector["name"]  # type: ignore[operator]
