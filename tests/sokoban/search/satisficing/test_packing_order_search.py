"""The packing-order search finds a plan exactly where there is one; its plans are believed once the referee has replayed them."""

import random
from collections import Counter
from functools import partial
from itertools import permutations

import pytest

from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.core.schedule import FADED
from sokoasp.sokoban import validate
from sokoasp.sokoban.level import Cell, Level
from sokoasp.sokoban.search import solve
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options, PackingOrders, Tuning
from tests.levels import as_on_a_large_board, random_level, scrambled_level, some_now, warehouse
from tests.sokoban.search.racing import raced


def search_of(level: Level):  # type: ignore[no-untyped-def]
    from sokoasp.sokoban.search.satisficing.packing_order_search import PackingOrderSearch

    board = push_board.build(level)
    return None if board.dead_start else PackingOrderSearch(level, board, Options())


def stepped(expanded: int):  # type: ignore[no-untyped-def]
    """Return that of the warehouse after so many states, unless it ends before."""
    planner = search_of(warehouse())
    while planner.counters["expanded"] < expanded and not planner.finished:
        planner.step()
    return planner


def check_against_the_oracle(level: Level) -> bool:
    """Let the search search to the end; return whether there is a plan."""
    truth = solve(level, "pushes", engine="reference")
    planner = None if level.solved else search_of(level)
    if planner is None:
        return truth.plan is not None
    planner.advance(Limits().start(), 60)
    assert planner.finished or planner.found is not None
    if truth.status is Status.UNSOLVABLE:
        assert planner.found is None
    else:
        assert planner.found is not None, "the search has lost every plan"
        validate.validate(level, planner.found)
        assert planner.found.pushes >= truth.value
    return truth.plan is not None


@pytest.mark.parametrize(
    ("boxes", "levels"),
    [(2, 20), (3, 4), *(pytest.param(boxes, levels, marks=pytest.mark.slow) for boxes, levels in ((2, 40), (3, 8)))],
)
def test_the_packing_order_search_finds_a_plan_where_there_is_one(boxes: int, levels: int) -> None:
    solvable = sum(check_against_the_oracle(random_level(seed, boxes=boxes)) for seed in range(levels))
    assert 0 < solvable < levels


@pytest.mark.parametrize("block", some_now(4, 1))
def test_larger_levels_that_have_a_plan(block: int) -> None:
    for seed in range(3 * block, 3 * block + 3):
        level = scrambled_level(seed, boxes=5, pulls=150)
        planner = search_of(level)
        planner.advance(Limits().start(), 60)
        assert planner.found is not None
        validate.validate(level, planner.found)


def test_two_runs_do_the_same() -> None:
    first, second = stepped(1500), stepped(1500)
    assert first.counters == second.counters


def test_any_gives_a_plan_and_claims_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a board that is not small, where the proving searches come first."""
    as_on_a_large_board(monkeypatch)
    monkeypatch.setattr("sokoasp.sokoban.search.rosters._improving", lambda race: None)  # it finds the best one
    result = solve(scrambled_level(3, boxes=6, pulls=2000), "pushes", engine="any")
    assert result.status is Status.SOLVED
    assert result.engine == "any"
    assert result.lower_bound == 0 or result.lower_bound <= (result.value or 0)
    assert result.plan is not None


def test_any_takes_spare_boxes_and_solved_levels() -> None:
    """Packing orders want a goal for each box; the other searches do not."""
    seen = {Status.UNSOLVABLE: 0, Status.OPTIMAL: 0}
    for seed in range(12):
        level = random_level(seed, width=5, height=4, boxes=3, spare=1)
        truth = solve(level, "pushes", engine="reference")
        seen[truth.status] += 1
        result = solve(level, "pushes", Limits(seconds=20), engine="any")
        assert (result.plan is None) == (truth.plan is None) and "packing" not in str(result.proof)
        assert result.value is None or result.lower_bound <= (truth.value or 0) <= result.value
    assert min(seen.values()) > 1
    level = random_level(5, boxes=2)
    done = Level(floor=level.floor, boxes=level.goals, goals=level.goals, player=min(level.floor - level.goals))
    assert solve(done, "moves", engine="any").value == 0


def test_nothing_is_left_to_compile_when_the_clock_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What learns was once compiled by the first search on a cold cache, ten seconds of its time limit."""
    from sokoasp.core import kernels
    from sokoasp.sokoban.search.model.options import PATTERN_MODULES
    from sokoasp.sokoban.search.satisficing import macro_workspace

    loaded: set[str] = set()
    rightly = kernels.load
    monkeypatch.setattr(kernels, "load", lambda modules: loaded.update(modules) or rightly(modules))
    macro_workspace.load()
    before = set(loaded)
    stepped(300)
    assert loaded == before
    assert set(PATTERN_MODULES) <= loaded


class EverythingLost(dict):  # type: ignore[type-arg]
    def __contains__(self, key: object) -> bool:
        return True

    def __getitem__(self, key: int) -> bool:
        return True


def test_searches_tell_each_other_of_lost_states() -> None:
    planner = stepped(1500)
    assert 0 < len(planner.dead_ends.reported) < planner.forward, "every search has asked about its states itself"


def test_a_wrong_word_about_lost_states_would_be_noticed() -> None:
    level = scrambled_level(3, boxes=5, pulls=150)
    planner = search_of(level)
    planner.dead_ends.reported = EverythingLost()
    planner.advance(Limits().start(), 60)
    assert planner.finished and planner.found is None


@pytest.mark.parametrize(("longest", "complete"), [(1, False), (35000, True)])
def test_a_play_goes_on_for_as_long_as_it_may(longest: int, complete: bool) -> None:
    planner = search_of(warehouse())
    planner.options = Options(tuning=Tuning(packing=PackingOrders(longest=longest)))
    while not planner.settled:
        planner.step()
    assert planner.planners[0].branching.order.complete == complete == (planner.play.finished is not None)


def test_what_fits_is_told_as_by_trying_all_ways() -> None:
    from sokoasp.sokoban.search.satisficing.packing_order import fits

    rng, answers = random.Random(16), set()
    for _ in range(400):
        room = [rng.randrange(3) for _ in range(rng.randrange(1, 4))]
        things = [rng.randrange(1 << len(room)) for _ in range(rng.randrange(1, 6))]
        places = [place for place, count in enumerate(room) for _ in range(count)]
        ways = permutations(places, len(things)) if len(things) <= len(places) else ()
        possible = any(all(bits >> p & 1 for bits, p in zip(things, way, strict=True)) for way in ways)
        assert fits(Counter(things), room) == possible
        answers.add(possible)
    assert answers == {True, False}


def test_many_boxes_leave_no_deep_recursion() -> None:
    from sokoasp.sokoban.search.satisficing.packing_order import fits

    many = 3000
    chain = {1 << place | 1 << max(place - 1, 0): 1 for place in range(60)} | {1 << 60: many}
    assert fits(chain, [1] * 60 + [many]) and not fits(chain, [1] * 60 + [many - 1])


def test_a_beam_search_fades_beside_other_searches_for_plans_only() -> None:
    race = raced(warehouse(), "beam", first_plan=True)
    (beam,) = race.solvers
    assert race.part(beam) == race.shares.beam
    beam.search.r.generated = race.shares.eager + 1
    assert race.part(beam) == race.shares.beam
    race.solvers.append(search_of(warehouse()))
    assert race.part(beam) == FADED


def room(goals: list[tuple[int, int]], boxes: list[tuple[int, int]]) -> Level:
    """Return an empty room of ten by ten cells with these; corners and edges are not live."""
    floor = frozenset(Cell(row, col) for row in range(10) for col in range(10))
    return Level(floor, frozenset(Cell(*one) for one in boxes), frozenset(Cell(*one) for one in goals), Cell(9, 9))


def test_packing_orders_have_little_time_where_boxes_stand_next_to_their_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four pushes a box, on a board that is not small, for a first plan: other searches have more of the turns."""
    from sokoasp.sokoban.search import race as of
    from sokoasp.sokoban.search import rosters

    boxes, goals = [(6, 2), (6, 5), (6, 7)], [(2, 2), (2, 5), (2, 7)]
    near, farther = room(goals, boxes), room([(1, 2), *goals[1:]], boxes)
    entered = partial(raced, first_plan=True)
    race = entered(near, "packing-order")
    packing, *_others = race.solvers
    assert solve(near, "pushes").value == 12 and solve(farther, "pushes").value == 13
    assert race.shares == of.NEXT_TO_GOALS and race.part(packing) < 1.0
    for other in (entered(farther, "packing-order"), raced(near, "packing-order")):
        assert other.shares != of.NEXT_TO_GOALS and other.part(other.solvers[0]) == 1.0
    # the stage of packing orders is over sooner
    stages: list[float | None] = []
    monkeypatch.setattr(of.Race, "run", lambda self, seconds=None: stages.append(seconds))
    for level in (near, farther):
        rosters.follow(entered(level), rosters.ROSTERS["any"])
    assert [seconds for seconds in stages if seconds] == [of.NEXT_TO_GOALS.stage, rosters.PACKING_ALONE]
    monkeypatch.setattr(of, "SMALL", 1000)
    assert entered(near, "packing-order").shares != of.NEXT_TO_GOALS


def test_forward_searches_begin_before_an_order_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the best order that the play has so far, in equal turns with it."""
    from sokoasp.sokoban.search.satisficing import packing_order_search as searches

    monkeypatch.setattr(searches.ReversePlay, "_matchable", lambda self, boxes, *_: len(boxes) > 4)
    planner = search_of(warehouse())
    planner.options = Options(tuning=Tuning(packing=PackingOrders(stopgap=1)))
    while planner.found is None and not planner.settled:
        planner.step()
        if planner.planners:
            assert not planner.planners[0].branching.order.complete
            ahead = planner.play.expanded - planner._stopgap - planner.forward
            assert abs(ahead) <= 4 * searches.TURNS, "the turns are not equal"
    assert planner.forward > 30
    assert len(planner.planners + planner.ended) == 1


def test_forward_searches_have_equal_effort() -> None:
    from sokoasp.sokoban.search.satisficing.macro_workspace import any_order

    planner, order = search_of(warehouse()), any_order(push_board.build(warehouse()))
    planner.settled = True
    planner._follow([order] * 3)
    while not planner.finished and planner.forward < 300:
        planner.step()
        effort = [one.effort for one in (*planner.planners, *planner.ended)]
        assert max(effort) - min(effort) <= 20


def test_a_forward_search_takes_the_tables_that_are_there() -> None:
    for objective, same in (("pushes", True), ("lines", False)):
        race = raced(warehouse(), "packing-order", "forward", "beam", objective=objective, first_plan=True)
        tables = race.of("satisficing")[0].dead_ends.oracle.search.tables
        found = {one.name: one.search.tables for one in race.of("exact", "beam")}
        assert (found["forward"] is tables) == same
        assert found["beam"] is not tables and found["beam"].reverse
        assert found["forward"].objective == objective


def test_forward_searches_share_tables_of_the_board_and_do_without_them_on_huge_boards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from sokoasp.sokoban.search.satisficing import macro_workspace

    planner = search_of(warehouse())
    while not planner.planners:
        planner.step()
    order = planner.planners.pop().branching.order
    planner._follow([order] * 3)
    first, *others = (one.branching for one in planner.planners[:3])
    assert planner._shared["hotspots"].any() and not first.guides.hotspots[first.board.goals[0]].any()
    assert first.guides.lone is planner._shared["lone"] and first.guides.lone.any() and not first.guides.basin.all()
    assert all(one.guides.lone is first.guides.lone for one in others)
    monkeypatch.setattr(macro_workspace, "MOST_HOTSPOTS", 0)
    monkeypatch.setattr(macro_workspace, "MOST_OUT_OF_PLAN", 0)
    planner = search_of(warehouse())
    planner.advance(Limits().start(), 60)
    assert planner.found is not None and not planner._shared["hotspots"].any()
    assert all(one.branching.guides.basin.all() for one in planner.planners)
    validate.validate(warehouse(), planner.found)
