"""Endgames: what they prove lost has no plan, their plans are legal from the start, and whose turn it is goes by counts."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from sokoasp.core import progress
from sokoasp.core.errors import IllegalPlan
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.core.shipped import instances
from sokoasp.sokoban import formats, rules, validate
from sokoasp.sokoban.level import Direction, Level
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.model.tuning import Endgames, Tuning
from sokoasp.sokoban.search.satisficing.macro_search import E
from tests.levels import packed_level, warehouse
from tests.sokoban.search.satisficing.companions import begun

pytestmark = pytest.mark.usefixtures("native")

AT_ONCE = Endgames(wait=1, every=20, states=200)


def search_of(level: Level, tuned: Endgames = AT_ONCE, *, nodes: int = 60) -> Any:
    """Return an endgame search beside a packing-order search that has met some states."""
    from sokoasp.sokoban.search.satisficing.endgames import EndgameSearch

    return EndgameSearch(begun(level, Tuning(endgames=tuned), nodes))


def crowded() -> Level:
    """Return a level of twelve boxes on which a forward search meets some hundred states before its plan."""
    graded = instances() / "graded" / "12-boxes.sok"
    return formats.read(graded.read_bytes(), source="")[28]


def solvable(level: Level) -> bool:
    """Return whether plain breadth-first search finds a plan; it must end."""
    status = reference.solve(level, "pushes", Limits()).status
    assert status in (Status.OPTIMAL, Status.UNSOLVABLE)
    return status is Status.OPTIMAL


PLUGGED = """
########
#@ $ . #
##**####
##**####
#    ###
#  * ###
#    ###
########
"""
"""Four boxes that never move again keep the player from a fifth one."""


def states_of(level: Level, rng: random.Random) -> list[Level]:
    """Return the states of some pushes by chance."""
    found, state = [level], reference.start(level, "pushes")
    for _ in range(12):
        after = [one for _step, one in reference.SUCCESSORS["pushes"](level, state)]
        if not after:
            break
        state = rng.choice(after)
        found.append(level.with_state(state.boxes, state.player))
    return found


def test_a_state_has_a_plan_where_its_endgame_has_one() -> None:
    counts = {"off goal": 0, "smaller": 0, "lost": 0, "not seen": 0, "won": 0}
    for seed in range(60):
        level, rng = packed_level(seed, boxes=4), random.Random(seed)
        search, brief = (search_of(level, replace(AT_ONCE, states=states), nodes=0) for states in (200, 10))
        number = {cell: i for i, cell in enumerate(search.beside.board.cells)}
        for state in states_of(level, rng):
            if any(number[box] >= search.beside.board.live for box in state.boxes):
                break
            boxes, player = tuple(sorted(number[box] for box in state.boxes)), number[state.player]
            expected, endgame = solvable(state), search.of(boxes, player)
            assert expected == (endgame is not None and solvable(endgame))
            lost = search._exhausted(boxes, player)
            assert not (lost and expected), "what is called lost has no plan"
            assert lost or not brief._exhausted(boxes, player), "what is not searched to its end is not lost"
            counts["off goal"] += endgame is None
            counts["smaller"] += endgame is not None and len(endgame.boxes) < len(boxes)
            counts["lost"] += lost
            counts["not seen"] += not (lost or expected)
            counts["won"] += expected
    assert min(counts[name] for name in ("off goal", "smaller", "lost", "won")) > 20, counts
    assert counts["not seen"] == 0, "200 states are enough for levels as small as these"


def test_what_lies_behind_settled_boxes_stays() -> None:
    """The fault: boxes behind them are called lost, or their goals are to be filled."""
    (level,) = formats.read(PLUGGED)
    search = search_of(level, nodes=0)
    endgame = search.of(search.beside.board.boxes, search.beside.board.player)
    assert endgame is not None and len(endgame.boxes) == len(endgame.goals) == 1 and solvable(endgame)
    behind = max(level.boxes)
    other = behind.step(Direction.left)
    moved = tuple(sorted(search.beside.board.cells.index(box) for box in level.boxes - {behind} | {other}))
    assert search.of(moved, search.beside.board.player) is None
    before = min(level.boxes).step(Direction.right, 2)
    unfilled = tuple(sorted(search.beside.board.cells.index(box) for box in level.boxes - {behind} | {before}))
    assert search.of(unfilled, search.beside.board.player) is None


def test_plans_begin_at_the_start_of_the_level() -> None:
    level = crowded()
    search = search_of(level, nodes=300)
    planner = max(search.beside.planners, key=lambda one: len(one.nodes))
    for number in range(len(planner.nodes)):
        if search.found is None and len(planner.states(number)) > 6:
            search._begin(planner, number)
            while search.here is not None:
                search.step()
    assert search.finished and search.beside.found is None
    validate.validate(level, search.found)
    assert len(search._prefix) > 6
    assert search.counters["expanded"] > 0 < search.counters["generated"]
    # the fault: the way to the state is forgotten
    end = search.found.actions[-3:]
    with pytest.raises(IllegalPlan):
        validate.validate(level, rules.plan_from_pushes(level, end))


def under(planner: Any, number: int) -> set[int]:
    """Return the numbers of a node and of all that came from it."""
    below = {number}
    for i, node in enumerate(planner.nodes):
        if node.parent in below:
            below.add(i)
    return below


def test_a_forward_search_leaves_what_is_proved_lost() -> None:
    search = search_of(crowded(), nodes=300)
    planner = max(search.beside.planners, key=lambda one: len(one.nodes))
    waiting = {i for i, batch in enumerate(planner.batches) if batch.next < len(batch.edges)}
    number = min(range(1, len(planner.nodes)), key=lambda i: abs(2 * len(under(planner, i) & waiting) - len(waiting)))
    below = under(planner, number)
    assert len(below & waiting) > 2 < len(waiting - below)
    planner.best = max(below)
    planner.prune(number)
    cells = {i: planner.batches[i].feature_cell for i in range(len(planner.nodes)) if i not in below}
    assert planner.best not in below and cells[planner.best] == min(cells.values())
    assert all(planner.batches[i].next == len(planner.batches[i].edges) for i in below)
    before = len(planner.nodes)
    planner.advance(200)
    assert len(planner.nodes) > before
    assert not any(node.parent in below for node in planner.nodes[before:]), "nothing comes from them any more"
    node = planner.nodes[number]
    edges = planner.nodes[node.parent].edges.tolist()
    (key,) = [edge[E.HASH] for edge in edges if tuple(edge[:3]) == node.move]
    assert planner.dead_ends.child_lost(node.boxes, node.player, node.move[1], key), "no other search enters them"
    planner.prune(0)
    assert planner.exhausted


@pytest.mark.parametrize("first", [1, 2])
def test_it_looks_up_to_the_first_lost_state_of_the_path(first: int) -> None:
    """By a verdict of the test's own: a state near the root and all behind it on the path are lost."""
    search = search_of(crowded(), nodes=300)
    planner = max(search.beside.planners, key=lambda one: len(one.nodes))
    path = planner.path(planner.best)
    assert len(path) > 3
    for i, number in enumerate(path):
        node = planner.nodes[number]
        search.lost[node.boxes, node.player] = i >= first
    for i in range(len(planner.nodes)):
        node = planner.nodes[i]
        search.lost.setdefault((node.boxes, node.player), False)
    other: Any = object()
    search._round = [other, planner, planner, planner]
    search.step()
    assert set(path[first:]) <= planner.pruned and not planner.pruned & set(path[:first])
    assert search.here is None and search._round == [other, planner, planner], "one state at a time"
    search.step()
    assert search._round == [other], "the farthest is not lost now: it has been looked at enough"
    assert search.here is not None and search._prefix[0] == search.beside.board.boxes
    assert search._prefix[-1] == planner.nodes[planner.best].boxes


def test_beam_searches_to_a_state_are_longer_each_time_and_few() -> None:
    search = search_of(crowded(), Endgames(wait=1, beam=5, more=3, times=2))
    planner = search.beside.planners[0]
    lengths = []
    for _ in range(4):
        search._begin(planner, planner.best)
        lengths.append(search._most if search.here is not None else None)
        search.here = None
    assert lengths == [5, 15, None, None]


def test_a_beam_search_ends_with_its_expansions_and_what_is_over_is_counted() -> None:
    search = search_of(crowded(), Endgames(wait=1, states=50, beam=5, times=1))
    board = search.beside.board
    assert not search._exhausted(board.boxes, board.player)
    looked = search.counters
    assert looked["expanded"] > 0 < looked["states"]
    search._begin(search.beside.planners[0], 0)
    search.step()
    assert search.here is None and search.found is None
    assert search.counters["expanded"] == looked["expanded"] + 5


def test_it_waits_by_counts_and_ends_with_the_other_search() -> None:
    search = search_of(warehouse(), Endgames(wait=1_000_000))
    assert search.idle
    search = search_of(warehouse(), Endgames(wait=1, every=1_000_000, beam=20, times=1))
    assert not search.idle
    for _ in range(100):
        if search.idle:
            break
        search.step()
    assert search.idle, "one round, and then the other search goes on"
    search.beside.finished = True
    assert not search.idle
    search.step()
    assert search.finished


def test_states_are_noted_once() -> None:
    """They were noted by the searches within, too."""
    search = search_of(crowded(), nodes=300)
    with progress.watched() as board:
        search.advance(Limits().start(), 0.5)
    assert board.expanded == search.counters["expanded"] > 0


def test_it_enters_where_a_first_plan_is_looked_for() -> None:
    from sokoasp.sokoban.search.entrants import enter
    from sokoasp.sokoban.search.race import Race

    for first in (True, False):
        race = Race(bounds_of(warehouse(), "pushes"), Limits().start(), first_plan=first, options=Options())
        enter(race, "packing-order")
        assert any(one.name == "endgame" for one in race.solvers) == first
