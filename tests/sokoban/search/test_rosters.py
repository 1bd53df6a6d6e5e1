"""Rosters and the members of a schedule, in parts that a whole run seldom comes to."""

import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from sokoasp import Limits, Result, Status
from sokoasp.core import kernels
from sokoasp.core.bounds import Bounds
from sokoasp.core.guard import LimitReached
from sokoasp.core.limits import not_counted
from sokoasp.core.schedule import Schedule
from sokoasp.sokoban import formats
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search import Options, rosters
from sokoasp.sokoban.search.exact import lexicographic, member
from sokoasp.sokoban.search.exact.breadth_first import BreadthFirstSearch
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.race import Race, counted_by_beams
from tests.instances import LINE, levels
from tests.levels import random_level, scrambled_level
from tests.sokoban.search.racing import raced

LEVEL = levels("tutorial/tutorial.xsb")[8]
SPARE = random_level(0, spare=1)
DEAD = levels("unsolvable/unsolvable.xsb")[4]


def solution(objective: str = "lines") -> Plan:
    found = rosters.solve_by("native", LEVEL, objective, Limits(seconds=60), Options()).plan
    assert isinstance(found, Plan)
    return found


def test_what_plain_search_has_taken_counts_against_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    elapsed: list[float] = []

    def course(race: Race) -> str:
        elapsed.append(race.clock.elapsed)
        return "time"

    monkeypatch.setattr(kernels, "status", lambda modules=(): kernels.Status("jit", compiles=True))

    def plain(*_: Any) -> Result:
        time.sleep(0.2)
        return Result(Status.TIME_OUT, "lines", "reference", lower_bound=1)

    monkeypatch.setattr(rosters, "_plain", plain)
    monkeypatch.setattr(rosters.workspace, "compiled", not_counted()(lambda: time.sleep(0.3)))
    monkeypatch.setitem(rosters.COURSES, "native", course)
    rosters.solve_by("native", LEVEL, "lines", Limits(seconds=60), Options())
    assert 0.2 <= elapsed[0] < 60


def test_what_plain_search_has_proved_is_kept_when_compiling_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    (room,) = formats.read("#########\n#@      #\n# $ $ $ #\n#       #\n# . . . #\n#       #\n#########\n")
    monkeypatch.setattr(kernels, "status", lambda modules=(): kernels.Status("jit", compiles=True))
    monkeypatch.setattr(rosters.workspace, "compiled", interrupted)
    found = rosters.solve_by("native", room, "moves", Limits(states=4000), Options())
    assert found.stopped_by == "interrupt"
    assert found.lower_bound == rosters.reference.solve(room, "moves", Limits(states=4000)).lower_bound > 0
    assert found.proof is not None and "(plain breadth-first search)" in found.proof


def test_plain_search_has_no_more_than_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[float | None, int | None]] = []

    def solve(level: Any, objective: str, limits: Limits) -> Result:
        given.append((limits.seconds, limits.states))
        return Result(Status.TIME_OUT, objective, "reference", stopped_by="time")

    monkeypatch.setattr(rosters.reference, "solve", solve)
    for limits in (Limits(), Limits(seconds=0.5, states=7), Limits(seconds=1e9, states=10**9)):
        assert rosters._plain(LEVEL, "lines", limits).status is Status.TIME_OUT
    most = (rosters.PLAIN_SECONDS, rosters.PLAIN_STATES)
    assert given == [most, (0.5, 7), most]


@pytest.mark.parametrize(("stopped", "noted"), [("time", False), (None, True)])
def test_a_search_for_any_plan_says_that_it_stops_unless_a_limit_does(
    monkeypatch: pytest.MonkeyPatch, stopped: str | None, noted: bool
) -> None:
    longer = solution("pushes")

    def planned(race: Race, roster: rosters.Roster) -> str | None:
        race.bounds.offer(longer, "somebody")
        return stopped

    monkeypatch.setattr(rosters, "follow", planned)
    monkeypatch.setattr(Bounds, "closed", lambda bounds: False)
    race = raced(LEVEL, objective="moves", options=Options(greedy=False))
    assert rosters._any(race) in (stopped, "time")
    assert bool(race.bounds.notes) is noted


def test_without_a_plan_a_search_for_any_says_that_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rosters.COURSES, "any", lambda race: "steps")
    found = rosters.solve_by("any", LEVEL, "lines", Limits(), Options())
    assert (found.status, found.stopped_by) == (Status.NO_PLAN, "steps")
    plan = solution()
    assert rosters.solve_by("any", LEVEL, "lines", Limits(), Options(), plan).stopped_by is None


def test_as_long_as_it_has_taken_within_two_bounds() -> None:
    race, lengths = raced(LEVEL), []
    for seconds in (0.0, 2.0, 9.0):
        race.clock.began = time.perf_counter() - seconds
        lengths.append(rosters._as_long(race, 1.0, 3.0))
    assert lengths[0] == 1.0 and lengths[1] == pytest.approx(2.0, abs=0.5) and lengths[2] == 3.0


def test_an_improved_plan_is_that_of_the_shortener_only_where_none_is_cheaper(monkeypatch: pytest.MonkeyPatch) -> None:
    best = solution()
    longer = best._replace(actions=(*best.actions, best.actions[-1]))
    objectives: list[tuple[str, ...]] = []

    def raced(engine: str, race: Race, course: object, known: Plan) -> Result:
        race.solvers[0].best = longer
        objectives.append(race.solvers[0].objectives)
        return Result(Status.SOLVED, "lines", engine, value=4, plan=best)

    monkeypatch.setattr(rosters, "_raced", raced)
    assert rosters.improve(LEVEL, best).plan is best
    assert objectives == [("lines", "pushes", "moves")]


@pytest.mark.parametrize(("stopped", "left"), [("memory", 0), ("states", 0), ("time", 1), (None, 1)])
def test_exact_searches_that_have_their_fill_leave_so_that_others_go_on(
    monkeypatch: pytest.MonkeyPatch, stopped: str | None, left: int
) -> None:
    race = raced(LEVEL, "forward")
    monkeypatch.setattr(Schedule, "run", lambda self, seconds: stopped)
    assert (race.phase(1.0), len(race.of("exact"))) == (stopped, left)


def test_a_phase_has_no_limit_where_nobody_can_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for stopped, said in (("steps", None), ("time", "time"), ("states", "states"), (None, None)):
        monkeypatch.setattr(Schedule, "run", lambda race, seconds, stopped=stopped: stopped)
        assert raced(LEVEL).phase(1.0) == said


def test_beam_searches_count_pushes_for_moves_but_where_boxes_are_spare() -> None:
    for objective, counted in (("lines", "lines"), ("pushes", "pushes"), ("moves", "pushes")):
        assert counted_by_beams(raced(LEVEL, objective=objective)) == counted
    assert counted_by_beams(raced(SPARE, objective="moves")) == "moves"


def test_packing_orders_are_for_levels_with_a_goal_for_each_box() -> None:
    whole = scrambled_level(5, boxes=4)
    for one, names in ((whole, ["packing-order"]), (replace(whole, goals=frozenset(sorted(whole.goals)[1:])), [])):
        assert [search.name for search in raced(one, "packing-order").solvers] == names


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_paths_that_meet_make_a_plan(objective: str) -> None:
    one = scrambled_level(17, width=6, height=5, boxes=3, pulls=40)
    bounds, members = bounds_of(one, objective), list[member.Member]()
    for name, reverse in (("forward", False), ("reverse", True)):
        search = member.prepare(one, objective, Options(), bounds, reverse=reverse)
        assert search is not None
        members.append(member.Member(name, search, lambda: members))
    clock = Limits().start()
    for most in range(1, 10_000):
        for each in members:
            each.search.advance(clock, 60.0, most_expanded=most)
            each._meet(bounds)
        if bounds.plan is not None:
            break
    assert bounds.plan_by == "the meeting of forward and reverse search"


def test_who_has_cut_states_off_has_not_seen_all() -> None:
    search = SimpleNamespace(finished=True, lower=7, counters={"states": 0}, tables=SimpleNamespace(objective="lines"))
    search.store = SimpleNamespace(states=SimpleNamespace(spent=()))
    for clipped, by in ((1, ""), (0, "the forward search saw all states")):
        bounds, search.r = bounds_of(LEVEL, "lines"), SimpleNamespace(best=-1, clipped=clipped)
        member.Member("forward", search, list).exchange(bounds)  # type: ignore[arg-type]
        assert bounds.exhausted_by == by and bounds.lower == (7 if clipped else 0)


def test_layers_of_pushes_have_the_parity_of_all_plans() -> None:
    board = push_board.build(LINE)
    bounds = [BreadthFirstSearch(LINE, board, objective, Options()).lower for objective in ("lines", "pushes")]
    assert bounds == [1, 2], "four pushes: an even number"


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_tie_break_that_a_limit_ends_has_the_bound_it_came_to(interrupted: bool, monkeypatch: Any) -> None:
    one, expanded, children = scrambled_level(1, boxes=6, pulls=2000), list[Any](), lexicographic.TieBreaker.children
    monkeypatch.setattr(lexicographic.TieBreaker, "children", lambda *of: expanded.append(of) or children(*of))
    breaker = lexicographic.TieBreaker(one, ("lines", "pushes"))
    first = breaker.bound((breaker.board.boxes, breaker.board.player, -1))

    class Looks:
        looked = 0

        def over(self) -> str | None:
            self.looked += 1
            if self.looked == 6 and interrupted:
                raise LimitReached("time")
            return "time" if self.looked == 6 else None

    _, _, reached, stopped = breaker.search(Looks())
    assert stopped == "time" and first is not None and reached > first
    assert len(expanded) == 5 * lexicographic.LOOK, "a state opened again counts as well"
