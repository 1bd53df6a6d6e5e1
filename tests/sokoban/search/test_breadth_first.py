"""The plain search from both ends: answers against the oracle, its bound at every stage, the gate, faults put in on purpose."""

import contextlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from sokoasp.core import schedule
from sokoasp.core.bounds import Bounds
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result, Status
from sokoasp.sokoban import formats
from sokoasp.sokoban.level import Cell, Direction, Level, reachable
from sokoasp.sokoban.search import Options, rosters, solve
from sokoasp.sokoban.search.exact import bitboard, breadth_first, reference
from sokoasp.sokoban.search.exact.breadth_first import BreadthFirstSearch
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.referee import bounds_of
from sokoasp.sokoban.search.race import ENTRANTS, RESTARTED, Race, enter
from tests.commands import python
from tests.levels import random_level, scrambled_level, some_now, truth
from tests.sokoban.search.layers import SHAPES, follow
from tests.sokoban.search.racing import raced
from tests.sokoban.search.test_kernels import blocked_forever

LEVEL = scrambled_level(5, boxes=4)
for_any_plan = partial(solve, objective="pushes", limits=Limits(seconds=60), engine="any", options=Options())


def begun(level: Level, objective: str, *, gated: bool = False) -> BreadthFirstSearch | None:
    """Return the search of a level, None where it is solved or a box is dead from the start."""
    board = push_board.build(level)
    if board.dead_start or level.solved:
        return None
    search = BreadthFirstSearch(level, board, objective, Options())
    search.gated = gated
    return search


def agree(seed: int, objective: str, most: int = 3_000, **shape: int) -> Status | None:
    """Compare with the oracle on one level, and the bound after every few states; return what was seen."""
    level = random_level(seed, **shape)
    best = truth(level, objective, Limits(states=most))
    search = begun(level, objective)
    if best.stopped_by or search is None:
        return None
    return follow(search, level, best, f"seed {seed} {shape} {objective}\n{level}")


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search look at the clock after every few states."""
    monkeypatch.setattr(breadth_first, "SLICE", 3)


@pytest.fixture
def pooled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every board for one that fits by its live cells alone."""
    numbered, asked = bitboard._numbered, itertools.count()
    monkeypatch.setattr(bitboard, "_numbered", lambda cells: numbered(cells) if next(asked) % 2 else (0, []))


@pytest.fixture(params=["small", "pooled"])
def board(request: pytest.FixtureRequest) -> None:
    """Take boards as they are, or as above."""
    if request.param != "small":
        request.getfixturevalue(request.param)


@pytest.mark.usefixtures("steps", "board")
@pytest.mark.parametrize("block", some_now(3, 1))
@pytest.mark.parametrize("objective", ["pushes", "lines"])
def test_answers_agree_with_the_oracle(objective: str, block: int) -> None:
    seen = {agree(seed, objective, 3_000, **SHAPES[seed % 3]) for seed in range(20 * block, 20 * block + 20)}
    assert seen == {None, Status.OPTIMAL, Status.UNSOLVABLE}


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_three_thousand_levels(block: int) -> None:
    for seed in range(1000 + 300 * block, 1300 + 300 * block):
        agree(seed, ("pushes", "lines")[seed % 2], 6_000, boxes=2 + seed % 4)


FAULTS: dict[str, tuple[str, Any, Callable[[np.ndarray], Any]]] = {
    "a box never cuts an area in two": ("cut", ..., lambda cut: 0),
    "no box stands on the cells of the second word": ("live", 1, lambda live: 0),
    "a box on cell 1 is forgotten": ("spread", 2, lambda spread: spread[0]),
    "frozen boxes on goals are lost": ("goals", ..., lambda goals: 0),
    "the shore of the first pool is that of the last": ("shore", ..., lambda shore: shore[::-1].copy()),
    "from a pool the player pushes nothing": ("facing", ..., lambda facing: 0),
}
"""Faults of a search's bit board: which array, where in it, and what is put there."""
NONE, LAYER = "none", "a layer that was not made is counted"
NEVER_CUT, ONE_WORD, NOWHERE, NO_GOALS, *OF_POOLS = FAULTS


def compare(levels: list[Level], fault: str) -> None:
    """Compare proved optima with those of the forward search; with a fault one of them differs."""
    with contextlib.nullcontext() if fault == NONE else pytest.raises(AssertionError):
        for level in levels:
            search = begun(level, "pushes")
            if fault == LAYER:
                search.sides[0].layers.append(search.sides[0].layers[-1])
            elif fault != NONE:
                name, at, value = FAULTS[fault]
                array = getattr(search.bits, name)
                array[at] = value(array)
            search.advance(Limits().start(), 30)
            assert search.lower == solve(level, "pushes", engine="forward").value


@pytest.mark.parametrize("fault", [NONE, LAYER, NEVER_CUT, NOWHERE, NO_GOALS])
def test_a_fault_is_noticed(fault: str) -> None:
    compare([scrambled_level(seed, boxes=5) for seed in range(3, 7)], fault)


@pytest.mark.usefixtures("pooled")
@pytest.mark.parametrize("fault", [NONE, NEVER_CUT, NO_GOALS, *OF_POOLS])
def test_a_fault_on_a_board_with_pools_is_noticed(fault: str) -> None:
    levels = [scrambled_level(seed, boxes=5) for seed in range(3, 7)]
    assert all(len(begun(level, "pushes").bits.pool) for level in levels)
    compare(levels, fault)


def test_states_of_two_words() -> None:
    levels = [scrambled_level(seed, width=13, height=10, boxes=2) for seed in range(3)]
    assert min(push_board.build(level).live for level in levels) > 64
    compare(levels, NONE)


@pytest.mark.parametrize("fault", [NONE, ONE_WORD])
def test_boards_of_two_words(fault: str) -> None:
    """Boxes and player cross from one word to the other."""
    levels = [scrambled_level(seed, width=10, height=9, boxes=3) for seed in range(3)]
    for level in levels:
        made, span = bitboard.build(push_board.build(level), 2)
        assert span and made.floor[1]
    compare(levels, fault)


def stacked_rooms(seed: int) -> Level:
    """Return two rooms, one under the other, with a door between them that a box may close."""
    upper, lower = (scrambled_level(seed + room, width=12, height=4, boxes=boxes) for room, boxes in ((0, 1), (50, 2)))
    down = max(cell.row for cell in upper.floor) + 2 - min(cell.row for cell in lower.floor)
    rooms = {
        name: {Cell(cell.row + down, cell.col) for cell in getattr(lower, name)} for name in ("floor", "boxes", "goals")
    }
    doors = [cell for cell in upper.floor if cell.step(Direction.down, 2) in rooms["floor"]]
    return Level(
        floor=upper.floor | rooms["floor"] | {cell.step(Direction.down) for cell in doors[:1]},
        boxes=upper.boxes | rooms["boxes"],
        goals=upper.goals | rooms["goals"],
        player=Cell(lower.player.row + down, lower.player.col),
    )


def pushed(level: Level, boxes: frozenset[Cell], player: Cell) -> Iterator[tuple[Cell, frozenset[Cell], Cell]]:
    """Yield each push from a state: the cell the box comes to, all boxes then, and the player's least cell."""
    area = reachable(player, level.floor - boxes)
    for box in boxes:
        for direction in Direction:
            to = box.step(direction)
            if box.step(direction, -1) in area and to in level.floor - boxes:
                after = boxes - {box} | {to}
                yield to, after, min(reachable(box, level.floor - after))


@cache
def forward_layers(level: Level, depth: int, *, freeze: bool) -> list[int]:
    """Return how many states each layer has without dead cells and, with ``freeze``, without frozen boxes off goal."""
    board = push_board.build(level)
    live = {board.cells[c] for c in range(board.live)}
    layer = {(level.boxes, min(reachable(level.player, level.floor - level.boxes)))}
    seen, sizes = set(layer), [1]
    for _ in range(depth):
        layer = {
            (boxes, player)
            for state in layer
            for to, boxes, player in pushed(level, *state)
            if to in live and not (freeze and blocked_forever(set(boxes), to, level.floor, live) - level.goals)
        } - seen
        seen |= layer
        sizes.append(len(layer))
    return sizes


@pytest.mark.usefixtures("board")
@pytest.mark.parametrize("freeze", [True, False])
def test_forward_states_with_frozen_boxes_are_left_out(freeze: bool) -> None:
    """As many states in every layer as by the rule on sets; reverse ones are never asked."""
    levels = [scrambled_level(seed, boxes=5) for seed in (3, 4, 7, 9)] + [stacked_rooms(seed) for seed in range(3)]
    seen = 0
    for level in levels:
        search = BreadthFirstSearch(level, push_board.build(level), "pushes", Options(freeze=freeze))
        search.gated = False
        search.advance(Limits().start(), 30)
        forward = search.sides[0]
        sizes = np.diff(forward.layers).tolist()
        assert sizes == forward_layers(level, forward.depth, freeze=freeze)
        seen += sum(sizes)
    assert seen > 500


THREE = """
import numpy as np
from sokoasp.sokoban.search import Options
from sokoasp.sokoban.search.model import workspace
workspace.compiled()
from sokoasp.sokoban.search.exact.bitboard_kernels import three
words = [np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)]
for first, second in (words, words[::-1]):
    board = int(first) | int(second) << 64
    for at in range(-4, 132):
        assert three(first, second, at) == (board >> at if at >= 0 else board << -at) & 7, at
"""


STUCK = """
import random
import numpy as np
from sokoasp.sokoban.search import Options
from sokoasp.sokoban.search.exact import bitboard
from sokoasp.sokoban.search.model import push_board, workspace
from tests.levels import random_level
from tests.sokoban.search.test_kernels import blocked_forever
workspace.compiled()
from sokoasp.sokoban.search.exact.bitboard_kernels import frozen_boxes
rng, found, second, pools, asked = random.Random(1), 0, 0, 0, 0
numbered = bitboard._numbered
def late(cells):
    # every other board by its live cells alone
    return (0, []) if not asked % 2 and len(cells) == board.size else numbered(cells)
bitboard._numbered = late
for seed in range(110):
    level = random_level(seed, width=7 + seed % 7, height=6 + seed % 4, boxes=2)
    board, asked = push_board.build(level), seed
    made, span = bitboard.build(board, 2)
    if board.dead_start or not span or board.live < 4:
        continue
    pools += len(made.pool)
    second += bool(made.floor[1])
    live = {board.cells[c] for c in range(board.live)}
    for _ in range(30):
        # close together, or hardly any is frozen
        at = rng.randrange(board.live)
        near = sorted(range(board.live), key=lambda c: board.cells[c].manhattan(board.cells[at]) + rng.random())
        boxes = near[: rng.randrange(1, 7)]
        words = [sum(1 << int(made.place[c]) for c in some) for some in (boxes, boxes[:1])]
        masks = [np.uint64(word >> shift & (1 << 64) - 1) for word in words for shift in (0, 64)]
        truth = blocked_forever({board.cells[c] for c in boxes}, board.cells[at], level.floor, live) - level.goals
        assert frozen_boxes(*masks, made, np.uint64(span)) == bool(truth), (seed, boxes)
        found += bool(truth)
assert found > 25 and second > 2 and pools > 25, (found, second, pools)
"""


@pytest.mark.parametrize("text", [THREE, STUCK])
def test_kernels_of_bit_boards_as_plain_python(text: str) -> None:
    """Three bits of a board of two words, and frozen boxes by the rule on sets: kernels alone call these."""
    done = python(text, SOKOASP_BACKEND="jit", NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr


def beside_the_right_ones(seed: int, *, turned: bool) -> bool:
    """Return whether around each bit there are the bits of the cells around its cell, and no others."""
    board = push_board.build(random_level(seed, width=9, height=6))
    made, span = bitboard.build(board, 1)
    assert len(board.cells) == sum(int(word).bit_count() for word in made.floor)
    bit_of = {(cell.row, cell.col): int(bit) for cell, bit in zip(board.cells, made.place[:-1], strict=True)}
    steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    return all(
        ((row + down, col + right) in bit_of)
        == (bit + (right * span + down if turned else down * span + right) in bit_of.values())
        for (row, col), bit in bit_of.items()
        for down, right in steps
    )


def all_beside_the_right_ones() -> bool:
    return all(
        beside_the_right_ones(seed, turned=True) or beside_the_right_ones(seed, turned=False) for seed in range(40)
    )


def test_cells_of_a_bit_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows overlap where they can: a step is the same number of bits everywhere, and no cell seems to stand beside another."""
    assert all_beside_the_right_ones()
    monkeypatch.setattr(bitboard, "_faithful", lambda at, bits, span: len(set(bits)) == len(bits))
    assert not all_beside_the_right_ones()


def test_what_does_not_fit_into_128_bits() -> None:
    """Such a board, and one of more pools than a word has bits, does without this search."""
    level = scrambled_level(1, width=15, height=14, boxes=2)
    assert not bitboard.fits(push_board.build(level))
    assert not raced(level, "layers").solvers


@pytest.mark.usefixtures("pooled")
def test_more_pools_than_a_word_has_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    board = push_board.build(scrambled_level(3, boxes=5))
    pools = len(bitboard.build(board, 1)[0].pool)
    fit = []
    for most in (pools, pools - 1):
        # the fixture looks at the live cells alone every other time
        monkeypatch.setattr(bitboard, "MOST_POOLS", most)
        fit.append(bitboard.fits(board))
    assert pools and fit == [True, False]


def test_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the fronts grow fast the search gives up after its trial, with its bound; without the gate it goes on."""
    monkeypatch.setattr(breadth_first, "TRIAL", 100)
    monkeypatch.setattr(breadth_first, "SLICE", 50)
    open_room = scrambled_level(1, width=9, height=9, boxes=8)
    gated, free = begun(open_room, "pushes", gated=True), begun(open_room, "pushes")
    gated.advance(Limits().start(), 5)
    assert gated.gave_up
    assert gated.plan is None
    assert gated.lower >= 1
    free.advance(Limits().start(), 0.2)
    assert not free.gave_up


@pytest.mark.parametrize("objective", ["pushes", "moves"])
def test_it_takes_part_in_the_portfolio(objective: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entered alone into a schedule it proves, and the proof names it; where there is no plan it says so."""
    monkeypatch.setattr(breadth_first, "SLICE", 50)
    race = raced(LEVEL, "layers", objective=objective)
    race.run()
    found = race.bounds.result("native", counters=race.counters)
    assert found.value == found.lower_bound == solve(LEVEL, objective, engine="forward").value
    assert "the breadth-first search" in (found.proof or "")
    assert found.counters["breadth-first_states"] > 0


def test_on_a_small_board_proving_searches_look_for_any_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on a larger board, nor where the goals are fewer; the breadth-first search enters where the others find nothing."""
    asked = []
    for most, one in ((50, LEVEL), (3, LEVEL), (50, replace(LEVEL, goals=frozenset(list(LEVEL.goals)[:2])))):
        monkeypatch.setattr("sokoasp.sokoban.search.race.SMALL", most)
        asked.append(raced(one).facts.small)
    assert asked == [True, False, False]
    monkeypatch.setattr("sokoasp.sokoban.search.race.SMALL", 50)
    for left_out in ("packing-order", "layers"):
        monkeypatch.setitem(ENTRANTS, left_out, lambda race: None)
        found = for_any_plan(LEVEL)
        assert (found.status, "the forward search" in (found.proof or "")) == (Status.OPTIMAL, True)
    monkeypatch.undo()
    only(monkeypatch, "layers")
    found = for_any_plan(LEVEL)
    assert (found.status, "the breadth-first search" in (found.proof or "")) == (Status.OPTIMAL, True)


def only(patch: pytest.MonkeyPatch, *names: str) -> None:
    """Let no other search enter."""
    for name in ENTRANTS.keys() - {*names}:
        patch.setitem(ENTRANTS, name, lambda race: None)


def test_a_plan_on_a_small_board_is_proved_or_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    """When another search has found a plan, the plain one goes on for a while, and its shorter plan is the answer."""
    level = scrambled_level(30, boxes=5)
    best = solve(level, "pushes", engine="forward").value
    monkeypatch.setattr(rosters, "LEAST_PROVING", 60)
    monkeypatch.setattr(rosters, "MOST_PROVING", 60)
    monkeypatch.setattr(rosters, "_improving", lambda race: None)
    layers = ENTRANTS["layers"]
    only(monkeypatch, "packing-order")
    # before there is a plan nobody proves
    monkeypatch.setitem(ENTRANTS, "layers", lambda race: None if race.first_plan else layers(race))
    found = for_any_plan(level)
    assert (found.status, found.value) == (Status.OPTIMAL, best) == (Status.OPTIMAL, 10)
    assert found.proof is not None and f"lower bound {best} (the breadth-first search)" in found.proof
    assert found.counters["found"] > found.value and "packing-order_expanded" in found.counters
    monkeypatch.setitem(ENTRANTS, "layers", lambda race: None)
    found = for_any_plan(level)
    assert found.status is Status.SOLVED and (found.proof or "").endswith("it stops soon after the first plan")


def test_small_boards_are_searched_from_both_ends_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The beam search begins beside the forward search, with double turns; on larger boards with single ones."""
    for most, part in ((50, 2.0), (3, 1.0)):
        monkeypatch.setattr("sokoasp.sokoban.search.race.SMALL", most)
        race = raced(LEVEL, "forward", "beam", first_plan=True)
        assert [(one.name, race.part(one)) for one in race.solvers] == [("forward", 1.0), ("beam", part)]
    monkeypatch.setattr("sokoasp.sokoban.search.race.SMALL", 50)
    for later in ("packing-order", "layers"):
        monkeypatch.setitem(ENTRANTS, later, lambda race: pytest.fail("a plan is there"))
    patient = [stage for stage in rosters.ROSTERS["any"].stages if "packing-order" not in stage.enter]
    monkeypatch.setitem(rosters.ROSTERS, "any", rosters.Roster(tuple(replace(one, seconds=60) for one in patient)))
    found = for_any_plan(LEVEL)
    assert "beam_expanded" in found.counters and found.plan


def test_how_long_the_forward_search_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a small board a tenth of a second: there mostly others prove."""
    for most, seconds in ((50, rosters.SMALL_FIRST), (3, rosters.FORWARD_ALONE)):
        monkeypatch.setattr("sokoasp.sokoban.search.race.SMALL", most)
        asked: list[float | None] = []
        monkeypatch.setattr(Race, "phase", lambda race, seconds, asked=asked: asked.append(seconds) or "time")
        solve(LEVEL, "pushes", Limits(seconds=60), options=Options())
        assert asked == [seconds]


def test_no_quadruples_before_a_first_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    largest = []
    monkeypatch.setattr("sokoasp.sokoban.search.race.SMALL", 50)
    monkeypatch.setattr(rosters, "follow", lambda race, _: largest.append(race.options.largest_pattern))
    for wanted in (5, 2):
        solve(LEVEL, "pushes", engine="any", options=Options(largest_pattern=wanted))
    assert largest == [rosters.LARGEST_FOR_ANY, 2]


def test_who_enters_on_a_small_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as on a large one."""
    monkeypatch.setattr("sokoasp.sokoban.search.race.SHORT_WAY", 0)
    for most in (50, 3):
        monkeypatch.setattr("sokoasp.sokoban.search.race.SMALL", most)
        race = raced(LEVEL, "packing-order", "beam", "layers", first_plan=True)
        names = {"beam", "breadth-first", "packing-order", RESTARTED}
        assert {one.name for one in race.solvers} == names


def test_where_layers_grow_too_fast_a_small_board_is_shared_as_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The beam search loses its double turns, only where the first plan ends the run."""
    monkeypatch.setattr("sokoasp.sokoban.search.race.SMALL", 50)
    for first_plan, gave_up, small in ((True, True, False), (True, False, True), (False, True, True)):
        race = raced(LEVEL, "packing-order", "beam", "layers", first_plan=first_plan)
        (plain,) = race.of("exhaustive")
        plain.gave_up = gave_up
        race.leave(plain)
        # what enters later does not bring the shares back
        enter(race, "beam")
        beam = race.of("beam")[0]
        assert (race.part(beam) == 2.0) == small
        beam.search.r.generated = race.shares.eager + 1
        assert (race.part(beam) == schedule.FADED) == first_plan


def test_it_gives_up_in_the_middle_of_a_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it would get no time to end it, and nobody would learn that packing orders are worth trying."""
    monkeypatch.setattr(breadth_first, "SLICE", 1)
    monkeypatch.setattr(breadth_first, "TRIAL", 300)
    monkeypatch.setattr(BreadthFirstSearch, "growth", 2.0)
    search = begun(LEVEL, "pushes", gated=True)
    while not search.finished:
        search.advance(Limits().start(), 0)
    assert search.gave_up and 300 <= search.counters["generated"] < 400
    assert search._side.r.next < search._side.r.end, "the layer is at its end: that says nothing"


def test_few_boxes_make_a_small_board() -> None:
    for boxes, small in ((1, True), (2, True), (3, False)):
        rows = [" " * 12] * 9 + [" $" * boxes + " " * (12 - 2 * boxes), "." * boxes + " " * (11 - boxes) + "@"]
        (level,) = formats.read("\n".join(["#" * 14, *(f"#{row}#" for row in rows), "#" * 14]))
        assert raced(level).facts.small is small


def test_a_search_enters_once() -> None:
    """Not again when it has left; satisficing ones enter beside a breadth-first search, too."""
    race = raced(LEVEL)
    for _ in range(2):
        enter(race, "beam", "layers")
        enter(race, "plan-searches")
        names = sorted(one.name for one in race.solvers)
        assert names == ["beam", "breadth-first", "packing-order", "shortening"]
    for one in list(race.solvers):
        race.leave(one)
    enter(race, "beam", "layers")
    enter(race, "plan-searches")
    assert not race.solvers


def test_an_exact_search_fades_where_the_first_plan_ends_the_run() -> None:
    race = raced(LEVEL, "forward", first_plan=True)
    assert race.part(race.solvers[0]) == 1.0
    enter(race, "packing-order")
    assert race.part(race.solvers[0]) == schedule.FADED
    race.first_plan = False
    assert race.part(race.solvers[0]) == 1.0


@pytest.mark.parametrize(
    ("small", "generated", "growth", "share"),
    [
        (50, 0, 2.0, 0.7),
        (3, 0, 2.0, 0.5),
        (3, 1_000_000, 1.2, 0.8),
        (3, 1_000_000, 1.28, 0.4),
        (3, 2_000_000, 1.28, 0.0),
        (3, 1_000_000, 1.31, 0.0),
    ],
)
def test_shares(small: int, generated: int, growth: float, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets most of the time where its fronts grow slowly, none where they grow fast, and on small boards more at first."""
    search = begun(LEVEL, "pushes")
    monkeypatch.setattr(breadth_first, "SMALL", small)
    monkeypatch.setattr(BreadthFirstSearch, "growth", growth)
    search.sides[1].r.generated = generated
    assert search.share == share


def two_deep(
    monkeypatch: pytest.MonkeyPatch, *, growth: float, **constants: float
) -> tuple[BreadthFirstSearch, Result, Bounds]:
    """Return a search two layers deep on both sides whose trial is over, the answer of another, and its bound."""
    search, known, bounds = begun(LEVEL, "pushes"), solve(LEVEL, "pushes", engine="forward"), bounds_of(LEVEL, "pushes")
    for name, value in {"LATELY": 1, **constants}.items():
        monkeypatch.setattr(breadth_first, name, value)
    monkeypatch.setattr(BreadthFirstSearch, "growth", growth)
    while min(side.depth for side in search.sides) < 2:
        search._step(Limits().start())
    search.sides[1].r.generated = breadth_first.TRIAL
    bounds.raise_lower(known.lower_bound, "another")
    return search, known, bounds


@pytest.mark.parametrize(("near", "shares"), [(200_000_000, (0.5, 0.8)), (10, (0.0, 0.0))])
def test_it_goes_on_where_the_best_bound_is_near(
    near: int, shares: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However fast the fronts grow, where few states are ahead until it is reached; more so when there is a plan."""
    search, known, bounds = two_deep(monkeypatch, growth=2.0, NEAR=near)
    assert known.plan is not None
    assert search.share == 0.0, "nobody has said what others know"
    for share in shares:
        search.exchange(bounds)
        assert search.target == known.value
        assert search.share == share
        bounds.offer(known.plan, "given")


@pytest.mark.parametrize(("hopeless", "share"), [(1e12, 0.8), (10, 0.4)])
def test_slow_growth_holds_it_only_where_the_best_bound_can_be_reached(
    hopeless: float, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, _, bounds = two_deep(monkeypatch, growth=1.2, NEAR=10, HOPELESS=hopeless)
    assert search.share == 0.8
    search.exchange(bounds)
    assert search.share == share


def test_a_level_without_a_plan_is_exhausted() -> None:
    level = next(
        one
        for one in map(random_level, range(40))
        if begun(one, "pushes") and reference.solve(one, "pushes", Limits(states=2_000)).status is Status.UNSOLVABLE
    )
    race = raced(level, "layers")
    race.run()
    found = race.bounds.result("native")
    assert found.status is Status.UNSOLVABLE
    assert found.proof == "the breadth-first search saw all states: no plan exists"


def test_growth_is_that_of_a_layer_on_average() -> None:
    side = breadth_first.Side(0, np.zeros(1), [0, 1, 3, 7, 15, 31])  # type: ignore[arg-type]
    assert [side.growth(window) for window in (1, 2, 3)] == pytest.approx([2.0, 2.0, 2.0])
    assert side.growth(4) == float("inf")


def test_the_limit_on_states_is_that_of_both_sides_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breadth_first, "SLICE", 1)
    search = begun(scrambled_level(3, boxes=6, pulls=2000), "pushes")
    counts, clock = [0], Limits(states=300).start()
    while search._step(clock):
        counts.append(sum(search.counts))
    assert not search.finished
    assert counts[-2] < 300 <= counts[-1], "no step was made once there were 300"
