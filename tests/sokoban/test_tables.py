"""Every fact of the tables holds along optimal plans of the oracle, and they say what a careful reader would count by hand."""

import re
from collections import Counter, defaultdict
from itertools import combinations

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from sokoasp.core.atoms import parse_atoms
from sokoasp.core.limits import Limits
from sokoasp.sokoban import facts, grid, rules, tables
from sokoasp.sokoban.grid import assign
from sokoasp.sokoban.level import DIRECTIONS, Cell, Direction, Level
from sokoasp.sokoban.plan import OBJECTIVES
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.tables.prices import choices
from tests.instances import level
from tests.levels import random_level, scrambled_level, some_now

Facts = dict[str, dict[tuple[str, ...], int]]


def table(given: Level, name: str, objective: str) -> Facts:
    """Return predicate → arguments but the last → last argument; predicates ``never_…`` map all their arguments to 0.

    Counted from the start the near end is the start, the far end a solved state.
    """
    found: Facts = defaultdict(dict)
    for atom in parse_atoms(tables.facts(name, given, objective, "forward"), full_stops=True):
        if atom.predicate.startswith("never"):
            found[atom.predicate][atom.args] = 0
        else:
            found[atom.predicate][atom.args[:-1]] = int(atom.args[-1])
    return found


def test_orientation() -> None:
    """A box below its goal is pushed up from below; the mirror image would say down."""
    given = level("""
        ###
        #.#
        # #
        #$#
        #@#
        ###
    """)
    found = table(given, "windows", "pushes")
    name = facts.name_of(given)
    top, middle, start = (name[Cell(row, 1)] for row in (1, 2, 3))
    assert found["far_at"] == {(top,): 0, (middle,): 1, (start,): 2}
    assert found["near_at"] == {(top,): 2, (middle,): 1, (start,): 0}
    assert found["far_behind"][start, "up"] == 2
    assert found["near_behind"][middle, "up"] == 1
    assert all(direction == "up" for _, direction in [*found["far_behind"], *found["near_behind"]])
    lines = table(given, "windows", "lines")
    assert lines["far_at"] == {(top,): 0, (middle,): 1, (start,): 1}


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_from_the_other_end_the_facts_are_the_same_by_other_names(objective: str) -> None:
    other = {"near": "far", "far": "near"}
    for seed in range(4):
        given = random_level(seed, width=4, height=4)
        for name in tables.NAMES:
            one, two = (tables.facts(name, given, objective, index) for index in ("forward", "remaining"))
            assert re.sub(r"^(near|far)(?=_)", lambda end: other[end[1]], one, flags=re.MULTILINE) == two, (seed, name)


def test_a_push_that_begins_has_floor_ahead() -> None:
    """Before a push the cell ahead is floor; after one it may be a wall."""
    given = level("""
        ######
        #@$ .#
        ######
    """)
    name = facts.name_of(given)
    found = table(given, "windows", "pushes")
    last = name[Cell(1, 4)]
    assert found["far_behind"][last, "right"] == 0 and (last, "right") not in found["near_behind"]


def test_two_boxes_side_by_side_at_a_wall_are_a_dead_pair() -> None:
    given = level("""
        ########
        #.    .#
        # $  $ #
        #  @   #
        ########
    """)
    name = facts.name_of(given)
    found = table(given, "pairs", "lines")
    alone = table(given, "windows", "lines")["far_at"]
    frozen = {frozenset((name[Cell(1, c)], name[Cell(1, c + 1)])) for c in range(1, 6)}
    assert all((word,) in alone for pair in frozen for word in pair)  # each alone can go along the wall to a goal
    assert {frozenset(words) for words in found["never_pair"]} >= frozen
    assert frozenset((name[Cell(1, 1)], name[Cell(1, 6)])) not in {frozenset(words) for words in found["never_pair"]}


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_parts_are_a_tree_of_the_cells_that_can_hold_boxes(objective: str) -> None:
    for seed in range(12):
        given = random_level(seed, width=4, height=5)
        atoms = parse_atoms(tables.facts("parts", given, objective, "remaining"), full_stops=True)
        by_name: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for atom in atoms:
            by_name[atom.predicate].append(atom.args)
        alive = {
            words[0] for words in table(given, "windows", "pushes" if objective == "moves" else objective)["far_at"]
        }
        assert {cell for _, cell in by_name["part_cell"]} == alive and len(by_name["part_cell"]) == len(alive)
        if not alive:
            assert not atoms
            continue
        inside: dict[str, int] = {part: 1 for part, _ in by_name["part_cell"]}
        for part, one, two in reversed(by_name["part_halves"]):
            inside[part] = inside.pop(one) + inside.pop(two)
            assert (part, str(min(inside[part], len(given.boxes) + 1))) in by_name["part_most"]
        assert inside == {by_name["part_whole"][0][0]: len(alive)}


def states(given: Level, objective: str) -> list[tuple[State, State | None, Direction | None]]:
    """Return the states of an optimal plan, each with the box push that led there: (state, before, direction)."""
    result = reference.solve(given, objective, Limits(states=200_000))
    if result.plan is None:
        return []
    state = rules.initial(given)
    found: list[tuple[State, State | None, Direction | None]] = [(state, None, None)]
    if objective == "moves":
        for letter in result.plan.lurd:
            direction = next(d for d in DIRECTIONS if d.letter == letter.lower())
            after = rules.move(given, state, direction)
            found.append((after, state, direction if after.boxes != state.boxes else None))
            state = after
        return found
    pushes = [
        (push.box.step(push.direction, i), push.direction, 1)
        for push in result.plan.actions
        for i in range(push.length)
    ]
    if objective == "lines":
        pushes = [(push.box, push.direction, push.length) for push in result.plan.actions]
    for box, direction, length in pushes:
        to = box.step(direction, length)
        after = State(state.boxes - {box} | {to}, to.step(direction.opposite))
        found.append((after, state, direction))
        state = after
    return found


@pytest.mark.parametrize("block", some_now(4, 1))
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_facts_hold_along_optimal_plans(objective: str, block: int) -> None:
    met = 0
    for seed in range(15 * block, 15 * block + 15):
        spare = (0, 0, 1)[seed % 3]
        given = random_level(seed, boxes=3 if spare else None, spare=spare, width=4, height=5)
        plan = states(given, objective)
        if len(plan) < 2:
            continue
        met += 1
        _check_windows(given, objective, plan)
        _check_pairs(given, objective, plan)
        _check_prices(given, objective, plan)
        _check_potentials(given, objective, plan)
    assert met > 2


Plan = list[tuple[State, State | None, Direction | None]]


def _check_windows(given: Level, objective: str, plan: Plan) -> None:
    name = facts.name_of(given)
    for found in [
        table(given, "windows", objective),
        *([table(given, "moves", objective)] if objective == "moves" else []),
    ]:
        for done, (state, before, direction) in enumerate(plan):
            left = len(plan) - 1 - done
            for box in state.boxes:
                assert found["far_at"][name[box],] <= left
                assert found["near_at"][name[box],] <= done
                assert found["far_with"].get((name[box], name[state.player]), 0) <= left
                assert found["near_with"].get((name[box], name[state.player]), 0) <= done
                assert (name[box], name[state.player]) not in found["never_with"]
            if before is not None and direction is not None and found["far_behind"]:
                (to,), (box,) = state.boxes - before.boxes, before.boxes - state.boxes
                assert found["far_behind"][name[to], direction.name] <= left
                assert found["near_behind"][name[box], direction.name] <= done - 1


def _check_pairs(given: Level, objective: str, plan: Plan) -> None:
    name = facts.name_of(given)
    found = table(given, "pairs", objective)
    for done, (state, before, direction) in enumerate(plan):
        left = len(plan) - 1 - done
        for pair in combinations(sorted(name[box] for box in state.boxes), 2):
            for words in (pair, pair[::-1]):
                assert words not in found["never_pair"]
                assert found["far_pair"].get(words, 0) <= left
                assert found["near_pair"].get(words, 0) <= done
        if before is None or direction is None:
            continue
        (to,), (box,) = state.boxes - before.boxes, before.boxes - state.boxes
        for other in state.boxes & before.boxes:
            after, prior = (name[to], direction.name, name[other]), (name[box], direction.name, name[other])
            assert after not in found["never_pair_behind"]
            assert prior not in found["never_pair_behind"]
            assert found["far_pair_behind"].get(after, 0) <= left
            assert found["near_pair_behind"].get(prior, 0) <= done - 1


def _check_prices(given: Level, objective: str, plan: Plan) -> None:
    name = facts.name_of(given)
    found = table(given, "prices", objective)
    for done, (state, _, _) in enumerate(plan):
        for word, actions in (("far", len(plan) - 1 - done), ("near", done)):
            for (number,), limit in found[f"{word}_limit"].items():
                total = sum(found[f"{word}_price"][number, name[box]] for box in state.boxes)
                assert total <= limit + actions


def _check_potentials(given: Level, objective: str, plan: Plan) -> None:
    """What the actions of a plan cost beyond what they bring is no more than its length leaves, under each list."""
    if objective == "moves":
        return
    name, found = facts.name_of(given), table(given, "potentials", objective)
    paid: Counter[str] = Counter()
    for state, before, direction in plan[1:]:
        assert before is not None and direction is not None
        (to,), (box,) = state.boxes - before.boxes, before.boxes - state.boxes
        for number, *_ in found["reduced_limit"]:
            paid[number] += found["near_reduced_cost"].get((number, name[box], direction.name, name[to]), 0)
    for (number, limit), unit in found["reduced_limit"].items():
        assert int(limit) + unit * paid[number] <= len(plan) - 1


@pytest.mark.parametrize("number", [0, 1])
def test_a_plan_may_end_on_any_side_of_a_box(number: int) -> None:
    """The player may stand on either side of a box on a goal, where the distances to start and goals differ."""
    corridor = level("""
        #########
        #@$ .   #
        #####   #
            #   #
            #####
    """)
    given = (corridor, scrambled_level(1311, width=6, height=5, boxes=3, pulls=30))[number]
    value = reference.solve(given, "pushes", Limits(states=300_000)).value
    limits = [int(limit) for _, limit in table(given, "potentials", "pushes")["reduced_limit"]]
    assert value is not None and 0 < max(limits) <= value


@pytest.mark.parametrize("objective", ["lines", "pushes"])
def test_one_price_list_is_as_good_as_the_matching(objective: str) -> None:
    met = 0
    for seed in range(40):
        given = random_level(seed)
        found = table(given, "prices", objective)
        numbers = grid.build(given)
        least = grid.matching_bound(numbers, lines=objective == "lines")
        if least is None:
            continue
        name = facts.name_of(given)
        bounds = [
            sum(found["far_price"][number, name[box]] for box in given.boxes) - limit
            for (number,), limit in found["far_limit"].items()
        ]
        assert max(bounds) <= least
        # potentials tell the player's sides apart, as the matching does
        limits = [int(limit) for _, limit in table(given, "potentials", objective)["reduced_limit"]]
        assert not limits or max(limits) >= least
        first, _ = grid.push_states(numbers)
        if first[-1] == numbers.size:  # no lone box parts the floor: the sides make no difference
            assert max(bounds) == least
            met += 1
    assert met > 2


def test_windows_in_moves_agree_with_the_moves_table() -> None:
    """Two programs, the flood-fill game and the plain cells, count the same."""
    for seed in range(15):
        given = random_level(seed)
        one, two = table(given, "windows", "moves"), table(given, "moves", "moves")
        assert one["far_at"] == two["far_at"]
        assert one["near_at"] == two["near_at"]


@drawn(
    st.integers(4, 8).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_potentials_prove_the_cheapest_assignment(cost: list[list[int]]) -> None:
    """The dual of the matching: each but the first (all 0) makes the bound exact, and none makes it too high."""
    cheapest = assign([[*row] for row in cost])
    for number, potentials in enumerate(choices([[*row] for row in cost])):
        bound = sum(potentials) + sum(
            min(row[b] - v for row, v in zip(cost, potentials, strict=True)) for b in range(len(cost))
        )
        assert bound <= cheapest.total if number == 0 else bound == cheapest.total
