from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoasp.core.errors import SokoaspError
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.sokoban import formats
from sokoasp.sokoban.canonical import wherever_the_player
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.generate.generator import Wish, generate
from sokoasp.sokoban.generate.pulls import starts
from sokoasp.sokoban.level import Cell, Level, reachable
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.validate import validate

WISH = Wish(rows=6, cols=7, boxes=2, min_lines=5, max_lines=7, seed=3)


def test_levels_are_as_wished_and_their_optimum_is_proved() -> None:
    levels = list(generate(WISH, 4))
    assert len(levels) == 4
    for level in levels:
        assert (level.height, level.width, len(level.boxes)) == (6, 7, 2)
        result = reference.solve(level, "lines")
        assert result.status is Status.OPTIMAL and result.value is not None and 5 <= result.value <= 7
        pushes = reference.solve(level, "pushes").value
        assert level.comment == f"optimum: {result.value} lines, {pushes} pushes; proved by reference"
        assert isinstance(result.plan, Plan)
        assert validate(level, result.plan).lines == result.value


def test_the_same_wish_gives_the_same_levels_and_another_seed_others() -> None:
    texts = [formats.write(list(generate(WISH, 2)), "sok") for _ in range(2)]
    assert texts[0] == texts[1]
    other = Wish(rows=6, cols=7, boxes=2, min_lines=5, max_lines=7, seed=4)
    assert formats.write(list(generate(other, 2)), "sok") != texts[0]


def test_levels_survive_writing_and_reading_with_their_notes() -> None:
    levels = tuple(generate(WISH, 2))
    again = formats.read(formats.write(levels, "sok"))
    assert again == levels
    assert [(level.title, level.comment, level.solutions) for level in again] == [
        (level.title, level.comment, level.solutions) for level in levels
    ]


def test_unsolvable_levels_are_proved_so() -> None:
    levels = list(generate(Wish(rows=6, cols=7, boxes=2, solvable=False, min_lines=2), 3))
    assert len(levels) == 3
    for level in levels:
        assert reference.solve(level, "lines").status is Status.UNSOLVABLE
        assert "unsolvable, proved by reference" in level.comment


def test_a_level_the_wish_allows_only_once_is_given_once() -> None:
    corridor = Wish(rows=3, cols=6, boxes=1, min_lines=1, fill=1, attempts=60)
    levels = list(generate(corridor, 50))
    assert 1 <= len(levels) < 50
    assert len({wherever_the_player(level) for level in levels}) == len(levels)


def test_giving_up_stops_the_search() -> None:
    assert list(generate(WISH, 5, seconds=0.0)) == []


def test_proofs_have_what_is_left_of_the_time() -> None:
    asked: list[float | None] = []

    def prove(level: Level, objective: str, limits: Limits) -> Result:
        asked.append(limits.seconds)
        return reference.solve(level, objective, limits)

    assert len(list(generate(WISH, 2, prove, seconds=600.0))) == 2
    given = [seconds for seconds in asked if seconds is not None]
    assert len(given) == len(asked) >= 4 and sorted(given, reverse=True) == given and 0 < given[-1] < given[0] < 600
    asked.clear()
    assert len(list(generate(WISH, 1, prove))) == 1 and set(asked) == {None}


@pytest.mark.parametrize(
    "wish",
    [
        {"rows": 2},
        {"rows": 51, "cols": 51},
        {"boxes": 0},
        {"rows": 3, "cols": 4, "boxes": 2},
        {"fill": 0},
        {"min_lines": 3, "max_lines": 2},
    ],
)
def test_senseless_wishes_are_refused(wish: dict[str, int]) -> None:
    with pytest.raises(SokoaspError):
        Wish(**wish)  # type: ignore[arg-type]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 7))
def test_turned_and_mirrored_levels_have_one_canonical_form(seed: int, turn: int) -> None:
    level = next(generate(Wish(rows=5, cols=6, boxes=1, seed=seed), 1), None)
    if level is None:
        return

    def image(cell: Cell) -> Cell:
        row, col = (-cell.row if turn & 1 else cell.row), (-cell.col if turn & 2 else cell.col)
        return Cell(col + 9, row + 9) if turn & 4 else Cell(row + 9, col + 9)

    turned = Level(
        floor=frozenset(map(image, level.floor)),
        boxes=frozenset(map(image, level.boxes)),
        goals=frozenset(map(image, level.goals)),
        player=image(level.player),
    )
    assert wherever_the_player(turned) == wherever_the_player(level)
    for cell in reachable(level.player, level.floor - level.boxes):
        assert wherever_the_player(level.with_state(level.boxes, cell)) == wherever_the_player(level)


def test_different_levels_have_different_forms() -> None:
    one = level_from_rows(["#####", "#@$.#", "#####"])
    two = level_from_rows(["######", "#@$ .#", "######"])
    behind = level_from_rows(["######", "# $@.#", "######"])
    assert len(set(map(wherever_the_player, (one, two, behind)))) == 3


def test_backward_distances_are_the_forward_optima() -> None:
    level = level_from_rows(["######", "#.   #", "# $$ #", "#  .@#", "######"])
    distance = starts(level.floor, level.goals, 10_000)
    for state in sorted(distance, key=lambda s: (sorted(s.boxes), s.player))[::25]:
        start = Level(floor=level.floor, boxes=state.boxes, goals=level.goals, player=state.player)
        assert reference.solve(start, "lines").value == distance[state]
