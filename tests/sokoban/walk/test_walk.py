"""Walking: always a path when there is one, never an endless loop, and the paper's own examples."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sokoasp.core.errors import SokoaspError
from sokoasp.sokoban import rules
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.level import Cell, reachable
from sokoasp.sokoban.walk import METHODS, Matrix, find_path, lurd, walk
from sokoasp.sokoban.walk.matrix import reach
from sokoasp.sokoban.walk.touch import WORST, bound, go_along_the_wall, go_straight, merge_repeats, optimise, steps
from tests.studies.mazes import ends, pillars


def picture(text: str) -> tuple[Matrix, Cell, Cell]:
    """Read a map: ``#`` blocked, S start, T target."""
    rows = [row.strip() for row in text.strip().splitlines()]
    where = {char: Cell(r, c) for r, row in enumerate(rows) for c, char in enumerate(row)}
    walls = frozenset(Cell(r, c) for r, row in enumerate(rows) for c, char in enumerate(row) if char == "#")
    return Matrix(len(rows[0]), len(rows), walls), where["S"], where["T"]


@st.composite
def mazes(draw: st.DrawFn) -> tuple[Matrix, Cell, Cell]:
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    places = [Cell(row, col) for row in range(height) for col in range(width)]
    walls = frozenset(draw(st.sets(st.sampled_from(places), max_size=len(places) * 2 // 3)))
    start, target = draw(st.sampled_from(places)), draw(st.sampled_from(places))
    return Matrix(width, height, walls - {start}), start, target


def free(matrix: Matrix) -> set[Cell]:
    return {Cell(row, col) for row in range(matrix.height) for col in range(matrix.width)} - set(matrix.obstacles)


@given(mazes())
@settings(max_examples=200, deadline=None)
def test_finds_a_path_exactly_when_there_is_one(maze: tuple[Matrix, Cell, Cell]) -> None:
    matrix, start, target = maze
    best = rules.walk(frozenset(free(matrix)), start, target)
    ways = {method: find_path(*maze, method) for method in METHODS}
    assert (best is not None) == (target in reachable(start, free(matrix)) and target not in matrix.obstacles)
    for method, path in ways.items():
        assert (path is not None) == (best is not None), method
        if path is not None:
            assert path[0] == start and path[-1] == target
            assert set(path) <= free(matrix)
            assert len(set(path)) == len(path), "no cell twice"
            assert len(lurd(path)) == len(path) - 1, "every step is one cell"
    touch, paper, shortest = ways["touch"], ways["paper"], ways["shortest"]
    if touch is not None and paper is not None and shortest is not None and best is not None:
        assert len(shortest) - 1 == len(best)
        assert len(shortest) <= len(touch) <= len(paper)
        assert WORST[1] * (len(touch) - 1) <= WORST[0] * (len(shortest) - 1)


@given(mazes())
@settings(max_examples=100, deadline=None)
def test_along_the_wall_leaves_no_cell_twice_in_one_direction(maze: tuple[Matrix, Cell, Cell]) -> None:
    matrix, start, target = maze
    done = steps(*maze)
    if done.found:
        assert len(done.optimised) <= len(done.along_the_wall)
        assert done.optimised[0] == done.along_the_wall[0] and done.optimised[-1] == done.along_the_wall[-1]
    area = reach(matrix, start)
    path, direction = go_straight(area, area.number(start), area.number(target))
    if path[-1] == area.number(target):
        return
    found, walked = go_along_the_wall(area, path, direction, area.number(target), retreat=False)
    wall_part = list(zip(walked[len(path) - 1 :], walked[len(path) :], strict=False))
    if not found:
        assert len(set(wall_part)) == len(wall_part), "no cell is left twice in one direction"
    assert len(wall_part) <= 4 * len(free(matrix)) + matrix.width + matrix.height


@pytest.mark.parametrize("worst", [(1, 1), (5, 4), (2, 1)])
def test_the_bound_holds_where_the_papers_steps_go_far_wrong(worst: tuple[int, int]) -> None:
    rng = random.Random(3)
    rows = 0
    for _ in range(25):
        matrix = pillars(40, rng)
        start, target = ends(matrix, rng)
        area, done = reach(matrix, start), steps(matrix, start, target)
        best = find_path(matrix, start, target, "shortest")
        path = [area.number(cell) for cell in done.optimised]
        after = bound(area, path, worst)
        assert after[0] == path[0] and after[-1] == path[-1] and all(area.open[cell] for cell in after)
        assert worst[1] * (len(after) - 1) <= worst[0] * (len(best) - 1)
        if worst[1] * (len(path) - 1) <= worst[0] * (len(best) - 1):
            assert after == path, "a path within the bound is left as it is"
        else:
            rows += 1
    assert rows > 2


def test_figure_2_of_the_paper_goes_down_first_and_stops_at_the_wall() -> None:
    done = steps(*picture("S..\n...\n..#".replace("\n", ".\n") + "T"))
    assert done.straight == (Cell(0, 0), Cell(1, 0), Cell(2, 0), Cell(2, 1))


def test_figure_4_of_the_paper_turns_left_and_takes_the_corner() -> None:
    matrix, _start, target = picture("S...\n..#.\n..#T")
    done = steps(matrix, Cell(0, 0), target)
    assert done.along_the_wall[3:] == tuple(
        Cell(r, c) for r, c in ((2, 1), (1, 1), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3))
    )


def test_the_paper_gives_up_at_a_free_standing_obstacle_and_the_retreat_does_not() -> None:
    maze = picture("#T..\n.##.\n....\n.#..\n....\n.S..")
    assert not steps(*maze, retreat=False).found
    done = steps(*maze)
    assert done.found and done.optimised[-1] == maze[2]


def test_merging_cuts_loops_out() -> None:
    assert merge_repeats([1, 2, 3, 2, 4, 5, 1, 6]) == [1, 6]
    assert merge_repeats([7]) == [7]


def test_figure_7_a_detour_becomes_two_lines() -> None:
    matrix, start, _target = picture("S...\n....\n...T")
    area = reach(matrix, start)
    detour = [area.number(Cell(r, c)) for r, c in ((0, 0), (0, 1), (1, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))]
    assert len(optimise(area, detour)) == 6


def test_start_is_target_and_blocked_targets() -> None:
    matrix = Matrix(3, 1, frozenset({Cell(0, 2)}))
    for method in METHODS:
        assert find_path(matrix, Cell(0, 0), Cell(0, 0), method) == (Cell(0, 0),)
        assert find_path(matrix, Cell(0, 2), Cell(0, 2), method) == (Cell(0, 2),)
        assert find_path(matrix, Cell(0, 0), Cell(0, 2), method) is None
        assert find_path(matrix, Cell(0, 0), Cell(5, 5), method) is None
        assert find_path(matrix, Cell(0, 2), Cell(0, 0), method) is not None, "the start is open, whatever stands there"


def test_bad_calls_say_what_is_wrong() -> None:
    matrix = Matrix(2, 2, ())
    with pytest.raises(SokoaspError, match="no walking method 'fly'; there are touch, paper, shortest"):
        find_path(matrix, Cell(0, 0), Cell(1, 1), "fly")
    with pytest.raises(SokoaspError, match="off the map"):
        find_path(matrix, Cell(0, 9), Cell(1, 1))


def test_a_level_is_walked_around_its_boxes() -> None:
    level = level_from_rows(["#######", "#@ $ .#", "#     #", "#######"])
    for method in METHODS:
        way = walk(level, Cell(1, 4), method)
        assert way is not None and way.islower()
        assert rules.plan_from_lurd(level, way).pushes == 0
        assert walk(level, Cell(1, 3), method) is None, "a box stands there"
        assert walk(level, Cell(0, 0), method) is None, "a wall stands there"
