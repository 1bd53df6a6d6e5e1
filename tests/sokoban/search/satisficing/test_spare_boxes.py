"""Levels with more boxes than goals: which boxes are left over, and plans by the searches that want a goal for each."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import grid, search, validate
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.satisficing import spare_boxes
from sokoasp.sokoban.search.satisficing.spare_boxes import with_goals_for_all
from tests import native
from tests.levels import random_level, scrambled_level
from tests.studies.spare_goals import without_goals

FAR = 10**6


def least(level: Level, left: frozenset[object]) -> int:
    """The least cost of pushing other boxes than those left over to all goals, each alone on the board."""
    numbers = grid.build(level)
    tables = list(grid.goal_distances(numbers, lines=False).values())
    _first, side = grid.push_states(numbers)
    boxes = [box for box in numbers.boxes if numbers.cells[box] not in left]
    sums = (
        sum(table.get(side[box][numbers.player], FAR) for box, table in zip(some, tables, strict=True))
        for some in permutations(boxes, len(tables))
    )
    return min(sums)


def test_the_boxes_that_are_left_over_are_those_of_a_least_matching() -> None:
    compared = 0
    for seed in range(40):
        level = random_level(seed, width=6, height=5, boxes=4, spare=1 + seed % 2)
        best = least(level, frozenset())
        if best >= FAR:
            assert spare_boxes._left_over(level) == frozenset()
            continue
        left = spare_boxes._left_over(level)
        assert left <= level.boxes - level.goals
        if len(left) == len(level.boxes) - len(level.goals):
            assert least(level, left) == best
            compared += 1
    assert compared > 10


def test_every_box_gets_a_goal_and_no_goal_is_lost() -> None:
    for seed in range(20):
        level = random_level(seed, width=6, height=5, boxes=4, spare=seed % 3)
        made = list(with_goals_for_all(level))
        assert made if seed % 3 else made == [level]
        for one in made:
            assert len(one.goals) == len(one.boxes) and one.goals >= level.goals
            assert replace(one, goals=level.goals) == level


def test_large_levels_are_not_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    level = spared(1, 1)
    assert len(list(with_goals_for_all(level))) == 2
    monkeypatch.setattr(spare_boxes, "MOST", len(level.boxes) * len(level.floor) - 1)
    (only,) = with_goals_for_all(level)
    assert only.goals - level.goals == spare_boxes._beside_goals(level)


def test_levels_for_campaigns_lose_one_to_three_goals_and_keep_one() -> None:
    level = scrambled_level(2, boxes=5, pulls=150)
    assert [len(level.goals) - len(without_goals(level, number).goals) for number in range(4)] == [1, 2, 3, 1]
    few = replace(level, goals=frozenset(sorted(level.goals)[:2]))
    assert len(without_goals(few, 2).goals) == 1 and without_goals(few, 2) == without_goals(few, 2)


def spared(seed: int, spare: int) -> Level:
    """A level with a plan, some of its goals taken away."""
    level = scrambled_level(seed, boxes=5, pulls=150)
    return replace(level, goals=frozenset(sorted(level.goals)[spare:]))


@pytest.mark.parametrize("spare", [1, 2])
def test_plans_are_found_without_the_beam_search(spare: int) -> None:
    native.needed()
    for seed in (0, 2, 3):
        level = spared(seed, spare)
        result = search.solve(level, "pushes", Limits(seconds=5), engine="any", options=Options(greedy=False))
        assert isinstance(result.plan, Plan)
        assert validate.validate(level, result.plan).pushes == result.value
        assert "packing-order search" in str(result.proof)


def test_no_level_without_a_plan_gets_one_and_bounds_hold() -> None:
    native.needed()
    seen = {Status.UNSOLVABLE: 0, Status.OPTIMAL: 0}
    for seed in range(12):
        level = random_level(seed, width=5, height=4, boxes=3, spare=1)
        truth = reference.solve(level, "pushes")
        seen[truth.status] += 1
        result = search.solve(level, "pushes", Limits(seconds=20), engine="any")
        assert (result.plan is None) == (truth.plan is None)
        assert result.value is None or result.lower_bound <= (truth.value or 0) <= result.value
    assert min(seen.values()) > 1


ASIDE = ["##########", "#@ $   $.#", "###   ####", "###   ####", "##########"]
"""Two pushes do: the box on the left, a spare one, aside, the other home."""


def test_the_beam_search_comes_first() -> None:
    native.needed()
    grid_rows = [(row, col, mark) for row, line in enumerate(ASIDE) for col, mark in enumerate(line)]
    cells = {
        sign: frozenset(Cell(row, col) for row, col, mark in grid_rows if mark in sign)
        for sign in ("$", ".", "@", " $.@")
    }
    (player,) = cells["@"]
    level = Level(floor=cells[" $.@"], boxes=cells["$"], goals=cells["."], player=player)
    assert search.solve(level, "pushes", engine="any").value == reference.solve(level, "pushes").value == 2
    home = next(iter(with_goals_for_all(level)))
    assert reference.solve(home, "pushes").value == 3, "with a goal where it starts the spare box must go back"


def test_goals_for_spare_boxes_lie_beside_goals() -> None:
    """Of the free cells those with most goals beside them, then those with most walls."""
    for seed in range(20):
        level = random_level(seed, width=6, height=5, boxes=4, spare=1 + seed % 3)
        chosen = spare_boxes._beside_goals(level)
        spare = len(level.boxes) - len(level.goals)
        free = level.floor - level.goals - level.boxes
        assert chosen <= free and len(chosen) == min(spare, len(free))

        def rank(cell: Cell, level: Level = level) -> tuple[int, int]:
            around = {cell.step(d) for d in DIRECTIONS}
            return len(around & level.goals), len(around - level.floor)

        assert min(map(rank, chosen)) >= max(map(rank, free - chosen), default=(0, 0))


def test_a_search_of_the_level_takes_no_tables_of_one_with_more_goals() -> None:
    from sokoasp.sokoban.search.exact.member import Member
    from sokoasp.sokoban.search.model.referee import bounds_of
    from sokoasp.sokoban.search.race import Race, a_star, enter

    native.needed()
    for level in (spared(1, 1), scrambled_level(1, boxes=5, pulls=150)):
        race = Race(bounds_of(level, "pushes"), Limits().start(), first_plan=True, options=Options())
        enter(race, "packing-order")
        assert race.entered("packing-order")
        a_star(race, "beam", beam=True)
        (member,) = (one for one in race.solvers if isinstance(one, Member))
        assert int(member.search.tables.target.sum()) == len(level.goals)


def test_a_second_search_has_the_time_share_of_the_first() -> None:
    from sokoasp.sokoban.search.model.referee import bounds_of
    from sokoasp.sokoban.search.race import SECOND, Race, enter

    native.needed()
    race = Race(bounds_of(spared(1, 1), "pushes"), Limits().start(), first_plan=True, options=Options())
    enter(race, "packing-order")
    assert race.entered("packing-order")
    shares = {one.name: race.shares.lesser.get(one.name, 1.0) for one in race.solvers}
    seconds = [name for name in shares if name.startswith(SECOND)]
    assert seconds
    assert all(shares[name] == shares[name.removeprefix(SECOND)] for name in seconds)


def test_goals_that_are_lost_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault: spare boxes get goals in place of those of the level, so that a plan leaves one empty."""
    from sokoasp.core.errors import IllegalPlan
    from sokoasp.sokoban.search import race

    native.needed()
    level = spared(1, 1)
    monkeypatch.setattr(race, "with_goals_for_all", lambda one: [replace(one, goals=one.boxes)])
    near = replace(level, goals=frozenset(sorted(level.floor - level.boxes)[:4]))
    with pytest.raises(IllegalPlan):
        search.solve(near, "pushes", Limits(seconds=5), engine="any", options=Options(greedy=False))
