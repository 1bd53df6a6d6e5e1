"""Graded sets: the measures against counting by hand, and what a set's levels say of themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from math import log10
from pathlib import Path
from random import Random

import pytest

from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Status
from sokoasp.core.shipped import instances
from sokoasp.domain.sokoban import DOMAIN
from sokoasp.sokoban import formats
from sokoasp.sokoban.canonical import wherever_the_player
from sokoasp.sokoban.deadlock.bitboard import bits as each
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.generate import graded
from sokoasp.sokoban.generate.graded import Measures, Plot, fitted, score
from sokoasp.sokoban.generate.space import explore
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import plan_from_lurd
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.validate import validate
from tests.instances import levels as own_levels
from tests.levels import random_level


def measure(level: Level, most: int = 200_000) -> Measures:
    """Measure a solvable level with as many goals as boxes and at most ``most`` states.

    Raises:
        ValueError: The level has no solution, or too many states.
    """
    space = graded.explore(level, most)
    if space is None:
        raise ValueError(f"the level has more than {most} states")
    lines = graded.fewest_lines(space)
    if lines is None:
        raise ValueError("the level has no solution")
    return graded._measured(space, lines)


def test_a_straight_push_has_one_plan_and_no_detour() -> None:
    found = measure(level_from_rows(["######", "#@$ .#", "######"]))
    assert (found.pushes, found.moves, found.lines, found.plans) == (2, 2, 1, 1)
    assert (found.box_changes, found.detours, found.dead_end) == (0, 0, None), "in a corridor nothing can go wrong"


def test_two_boxes_change_and_their_orders_are_counted() -> None:
    found = measure(level_from_rows(["#######", "#     #", "# $ . #", "#@    #", "# $ . #", "#     #", "#######"]))
    assert (found.pushes, found.lines, found.box_changes) == (4, 2, 1)
    assert found.plans == 6, "the orders of two pushes of one box and two of the other: 4 over 2"


def test_a_dead_end_is_as_far_as_its_pushes() -> None:
    found = measure(level_from_rows(["#######", "#     #", "# .$@ #", "#     #", "#     #", "#######"]))
    assert found.dead_end == 1, "a push to the upper wall"
    later = measure(
        level_from_rows(["########", "#      #", "#      #", "# .$@  #", "#      #", "#      #", "########"])
    )
    assert later.dead_end == 2


def test_a_detour_is_a_push_away_from_every_goal() -> None:
    rows = ["########", "#  ..  #", "# $##$ #", "#  @$  #", "#   .  #", "########"]
    assert measure(level_from_rows(rows)).detours == 1, "one box has to make room"


def test_an_unsolvable_level_is_refused() -> None:
    with pytest.raises(ValueError, match="no solution"):
        measure(level_from_rows(["######", "#$@ .#", "######"]))


def random_levels(count: int) -> Iterator[Level]:
    """Yield random small levels with as many goals as boxes, with and without a solution."""
    for seed in range(count):
        yield random_level(seed, width=4, height=3 + seed % 2)


def test_costs_are_those_of_the_reference_search() -> None:
    solved = unsolved = 0
    for level in random_levels(100):
        found = {name: reference.solve(level, name, Limits()).value for name in ("pushes", "moves", "lines")}
        if None in found.values():
            with pytest.raises(ValueError, match="no solution"):
                measure(level)
            unsolved += 1
            continue
        measured = measure(level)
        assert {name: getattr(measured, name) for name in found} == found, level
        solved += 1
    assert solved > 20 and unsolved > 20, "both kinds are among them"


def test_nothing_that_has_a_solution_is_taken_for_dead() -> None:
    for level in random_levels(40):
        space = explore(level, 20_000)
        assert space is not None
        for state in list(space.edges)[:20]:
            boxes = frozenset(map(space.board.cell, each(state[0])))
            here = replace(level, boxes=boxes, player=space.board.cell(state[1]))
            alive = reference.solve(here, "pushes", Limits()).status is Status.OPTIMAL
            assert (state in space.far) == alive, (level, here)


PLOTS = (
    Plot("01-box", 1, 5, 6, 0.6, (1, 9)),
    Plot("02-boxes", 2, 5, 6, 0.6, (2, 9)),
)


def written(levels: dict[str, list[Level]]) -> list[tuple[str, str]]:
    return [(str(level), level.comment) for some in levels.values() for level in some]


def test_a_set_goes_from_easy_to_hard_and_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(graded, "SETS", PLOTS)
    made = dict(graded.sets(4, tmp_path / "made"))
    assert list(made) == ["01-box", "02-boxes"]
    for name, levels in made.items():
        grades = [float(re.search(r"score ([\d.]+)", level.comment).group(1)) for level in levels]  # type: ignore[union-attr]
        assert grades == sorted(grades) and len(levels) == 4
        for number, level in enumerate(levels, 1):
            assert level.title == f"{len(level.boxes)} {name.split('-')[1]} {number}"
            found = measure(level)
            assert f"optimum: {found.pushes} pushes, {found.moves} moves, {found.lines} lines" in level.comment
            assert validate(level, plan_from_lurd(level, level.solutions[0])).lines == found.lines


def test_a_run_that_was_cut_short_goes_on_and_makes_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(graded, "SETS", PLOTS)
    whole = dict(graded.sets(2, tmp_path / "whole"))
    times = count()
    with monkeypatch.context() as passing:
        passing.setattr(Clock, "elapsed", property(lambda self: next(times)))
        dict(graded.sets(2, tmp_path / "cut", seconds=60.0))
    before = (tmp_path / "cut").read_text()
    assert 0 < before.count("\n") < (tmp_path / "whole").read_text().count("\n")
    assert written(dict(graded.sets(2, tmp_path / "cut"))) == written(whole)
    assert (tmp_path / "cut").read_text().startswith(before), "what was made is kept"


def test_the_chosen_lie_evenly_from_the_median_to_the_hardest() -> None:
    assert graded._spread(list(range(11)), 3, float) == [5, 7, 10]  # type: ignore[arg-type]
    assert graded._spread([4, 2], 3, float) == [2, 4] and graded._spread([], 3, float) == []  # type: ignore[arg-type, list-item]


def test_a_line_that_a_full_disk_has_cut_is_made_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(graded, "SETS", PLOTS)
    whole = dict(graded.sets(2, tmp_path / "made"))
    kept = (tmp_path / "made").read_text()
    (tmp_path / "made").write_text(kept[:-40])
    assert written(dict(graded.sets(2, tmp_path / "made"))) == written(whole)
    assert (tmp_path / "made").read_text() == kept


def test_the_weights_are_those_of_the_least_squares() -> None:
    rng = Random(1)
    found = []
    for _ in range(40):
        lines, changes, detours, dead_end = (rng.randint(1, 9) for _ in range(4))
        wandering = 10 ** (0.5 + 0.1 * lines + 0.2 * changes - 0.05 * detours + 0.3 / dead_end)
        found.append(Measures(1, 1, lines, 1, changes, detours, dead_end, wandering))
    weights = fitted(found)
    assert weights == pytest.approx((0.5, 0.1, 0.2, -0.05, 0.3), abs=1e-4)
    assert score(found[0], weights) == pytest.approx(log10(found[0].wandering), abs=1e-3)


def shipped() -> dict[str, list[Level]]:
    paths = sorted((instances() / "graded").glob("*.sok"), key=lambda path: path.name)
    return {path.name[:-4]: list(formats.read(path.read_bytes(), source=path.name)) for path in paths}


def noted(level: Level) -> dict[str, float]:
    """Return what the comment of a level of the sets says, by name."""
    pattern = (
        r"difficulty (?P<grade>\d+) of 10 \(score (?P<score>[\d.]+)\)\n"
        r"optimum: (?P<pushes>\d+) pushes, (?P<moves>\d+) moves, (?P<lines>\d+) lines\n"
        r"plans with the fewest pushes: (?P<plans>\d+); box changes: (?P<box_changes>\d+); "
        r"detours: (?P<detours>\d+); nearest dead end: (?P<dead_end>none|\d+)"
    )
    match = re.search(pattern, level.comment)
    assert match is not None, level.comment
    return {name: 0.0 if value == "none" else float(value) for name, value in match.groupdict().items()}


def test_the_bundled_sets_go_from_one_box_to_twelve_in_the_order_of_one_score() -> None:
    sets = shipped()
    assert [len(levels) for levels in sets.values()] == [30] * 10
    found = [(level, noted(level)) for levels in sets.values() for level in levels]
    assert len({wherever_the_player(level) for level, _ in found}) == 300
    assert [len(levels[0].boxes) for levels in sets.values()] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 12]
    for levels in sets.values():
        assert [noted(level)["score"] for level in levels] == sorted(noted(level)["score"] for level in levels)
        assert len({len(level.boxes) for level in levels}) == 1
    rows = [
        Measures(
            1, 1, int(n["lines"]), 1, int(n["box_changes"]), int(n["detours"]), int(n["dead_end"]), 10 ** n["score"]
        )
        for _, n in found
    ]
    weights = fitted(rows)
    print("weights of 1, lines, box changes, detours, nearness of a dead end:", [round(one, 3) for one in weights])
    assert all(abs(score(row, weights) - log10(row.wandering)) < 0.01 for row in rows), "one score for all"
    ranked = sorted(n["score"] for _, n in found)
    for _, one in found:
        assert one["grade"] in {1 + min(9, 10 * ranked.index(one["score"]) // 300) + d for d in (-1, 0, 1)}


def holds(level: Level) -> None:
    """Check a level's comment: its measures anew, and its optima by the reference search where that is quick."""
    said, found = noted(level), measure(level)
    for name in ("pushes", "moves", "lines", "plans", "box_changes", "detours"):
        assert said[name] == getattr(found, name), (level.title, name)
    assert said["dead_end"] == (found.dead_end or 0)
    assert validate(level, plan_from_lurd(level, level.solutions[0])).lines == found.lines


def test_what_the_bundled_levels_say_is_so() -> None:
    for levels in shipped().values():
        holds(levels[0])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_what_all_bundled_levels_say_is_so_and_the_native_search_agrees() -> None:
    pytest.importorskip("numba", reason="the native search is not installed")
    for levels in shipped().values():
        for level in levels:
            holds(level)
            for name in ("pushes", "moves", "lines"):
                assert DOMAIN.native["native"](level, name, Limits(seconds=60)).value == noted(level)[name], level.title


def test_the_wanderer_of_a_level_makes_as_many_pushes_as_ever() -> None:
    """Grades of shipped sets stand on it: what is likelier, and how much, may not change unnoticed."""
    space = graded.explore(own_levels("tutorial/tutorial.xsb")[7], 200_000)
    assert space is not None and graded._wandering(space) == pytest.approx(11.604362907)
