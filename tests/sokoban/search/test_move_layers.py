"""Layers of moves from both ends: answers and layers against the oracle, the way back, the gate, faults put in on purpose."""

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from sokoasp.core.errors import WrongPlan
from sokoasp.core.limits import Limits
from sokoasp.core.result import Status
from sokoasp.sokoban import formats, rules
from sokoasp.sokoban.level import DIRECTIONS, Level
from sokoasp.sokoban.search import Options
from sokoasp.sokoban.search.exact import breadth_first, move_layers
from sokoasp.sokoban.search.exact.move_layers import MoveLayersSearch
from sokoasp.sokoban.search.exact.move_store import MoveStore
from sokoasp.sokoban.search.model import push_board, referee
from sokoasp.sokoban.validate import validate
from tests.levels import random_level, scrambled_level, some_now, truth
from tests.sokoban.search.layers import SHAPES, follow
from tests.sokoban.search.racing import raced


def begun(level: Level, *, options: Options | None = None) -> MoveLayersSearch | None:
    """Return the search of a level, None where it is solved, a box is dead from the start or there are spare ones."""
    board = push_board.build(level)
    if board.dead_start or level.solved or board.spare:
        return None
    search = MoveLayersSearch(level, board, "moves", options or Options())
    search.gated = False
    return search


def agree(seed: int, most: int = 5_000, spoil: Callable[[MoveLayersSearch], None] | None = None) -> Status | None:
    """Compare with the oracle on one level, and the bound after every few entries; return what was seen."""
    return agree_on(random_level(seed, **SHAPES[seed % 3]), most, spoil, f"seed {seed}")


def agree_on(level: Level, most: int, spoil: Callable[[MoveLayersSearch], None] | None, name: str) -> Status | None:
    best, search = truth(level, "moves", Limits(states=most)), begun(level)
    if best.stopped_by or search is None:
        return None
    if spoil is not None:
        spoil(search)
    return follow(search, level, best, f"{name}\n{level}")


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search look at the clock after every few entries."""
    monkeypatch.setattr(move_layers, "SLICE", 3)


@pytest.mark.usefixtures("steps")
@pytest.mark.parametrize("block", some_now(4, 1))
def test_answers_agree_with_the_oracle(block: int) -> None:
    seen = [agree(seed) for seed in range(50 * block, 50 * block + 50)]
    assert seen.count(Status.OPTIMAL) > 5
    assert seen.count(Status.UNSOLVABLE) > 0


@pytest.mark.usefixtures("steps")
def test_answers_on_boards_of_two_words_agree_with_the_oracle() -> None:
    """Boxes cross from one word of bits to the other, pushed and pulled, up and down."""
    levels = [scrambled_level(seed, width=13, height=7, boxes=2, pulls=6) for seed in range(20)]
    levels += [scrambled_level(seed, width=32, height=3, boxes=2, pulls=10) for seed in range(20)]
    levels = [level for level in levels if len(level.floor) > 64]
    seen = [agree_on(level, 2_000, None, f"number {number}") for number, level in enumerate(levels)]
    assert seen.count(Status.OPTIMAL) > 12


def test_the_way_back_leads_through_no_wall() -> None:
    """Beside the box that was pushed last lies another; it could have come from the same cell, were there no wall behind."""
    search = begun(formats.read("######\n#    #\n##$. #\n# .$ #\n### @#\n######\n")[0])
    assert search is not None
    search._turns = search.sides[:1]  # the start alone goes on
    search._side = search.sides[0]
    search._take(search._side)
    assert search.advance(Limits().start(), 60.0) is None
    assert search.plan is not None and len(search.plan.lurd) == 8


def test_an_illegal_plan_is_told_as_the_searchs_own_fault() -> None:
    level = formats.read("#######\n#@ $ .#\n#######\n")[0]
    board = push_board.build(level)
    (box,), (goal,) = board.boxes, board.goals
    with pytest.raises(WrongPlan, match="the native search made an illegal plan: action 1: ") as caught:
        referee.plan_of(level, board, [(box,), (box - 1,), (goal,)])
    assert caught.value.exit_code == 1


@pytest.mark.slow
@pytest.mark.usefixtures("steps")
@pytest.mark.parametrize("block", range(10))
def test_two_thousand_levels(block: int) -> None:
    for seed in range(1000 + 200 * block, 1200 + 200 * block):
        agree(seed)


def before(level: Level, state: rules.State) -> Iterator[rules.State]:
    """Yield the states one move before a state: the player steps back, and may pull the box that he faces."""
    boxes, player = state.boxes, state.player
    for direction in DIRECTIONS:
        back, ahead = player.step(direction.opposite), player.step(direction)
        if back in level.floor and back not in boxes:
            yield rules.State(boxes, back)
            if ahead in boxes:
                yield rules.State(boxes - {ahead} | {player}, back)


BOARDS = [*((seed, 5, 5) for seed in range(6)), (0, 13, 7), (2, 32, 3)]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("seed", "width", "height"), BOARDS)
def test_layers_are_those_of_a_plain_search(seed: int, width: int, height: int, reverse: bool) -> None:
    """Nothing left out: each layer has every state that lies so many moves from the start (the end), and no other."""
    level = scrambled_level(seed, width=width, height=height, boxes=3, pulls=40)
    search = begun(level, options=Options(freeze=False))
    if search is None:
        return
    search._turns = search.sides[reverse : reverse + 1]
    search._side = search.sides[reverse]
    search._take(search._side)
    live, number = search.board.live, {cell: i for i, cell in enumerate(search.board.cells)}
    layer = {rules.initial(level)}
    if reverse:
        layer = {rules.State(level.goals, cell) for cell in level.floor - level.goals}
    seen = set(layer)
    for _ in range(25 if width == 5 else 15):
        search._step(Limits().start())
        if search.finished:
            break
        if reverse:
            after = {state for one in layer for state in before(level, one)}
        else:
            after = {state for one in layer for _, state in rules.moves(level, one)}
        # boxes on cells from which no goal is reached are not stored
        layer = {state for state in after - seen if all(number[box] < live for box in state.boxes)}
        seen |= layer
        front = search.move_store.layers.front[: search._side.front]
        assert sum(int(a).bit_count() + int(b).bit_count() for _, a, b in front.tolist()) == len(layer)
        assert len(front) == len({state.boxes for state in layer}), "a box set has one entry in a layer"
    sets = search.move_store.layers.sets[: search.r.sets, :2].tolist()
    assert len({tuple(words) for words in sets}) == len(sets), "a box set has one number"


def test_box_sets_are_found_where_they_collide() -> None:
    """A table with few empty slots: each stored set has its number, number 0 included, and no other set has any."""
    search = begun(scrambled_level(5, boxes=4))
    rng, kernels = np.random.default_rng(3), search.kernels
    for _ in range(20):
        sets, table = rng.integers(0, 1 << 60, (40, 8), np.uint64), np.full(64, -1, np.int32)
        sets[20:30, 0] = sets[10:20, 0]
        sets[30:, 1] = sets[20:30, 1]
        kernels.rehash(sets, 35, table)
        found = [int(kernels.number(sets, table, key)) for key in sets[:, :2].copy()]
        assert found == [*range(35), -1, -1, -1, -1, -1] and sorted(table[table >= 0]) == [*range(35)]


@pytest.mark.parametrize("side", [0, 1])
def test_the_cell_where_the_sides_meet_may_be_any(side: int) -> None:
    search = begun(scrambled_level(5, boxes=4))
    r, w = search.r, search.move_store.layers
    r.side = side
    for bit in range(min(128, len(search.bits.bits))):
        r.meet, w.sets[0, 2:6], w.out[0] = -1, 0, (*w.sets[0, :2], bit)
        w.sets[0, 4 - 2 * side + bit // 64] = 1 << bit % 64
        search.kernels.enter(r, search.bits, w, 1)
        assert (r.meet, r.meet_at) == (0, bit)


def test_it_stops_for_more_room_when_any_array_is_full() -> None:
    search = begun(scrambled_level(5, boxes=4))
    w, room = search.move_store.layers, search.r.room
    stored = search.r.sets
    for name, least in (("sets", stored + room), ("table", 2 * (stored + room)), ("following", room + 16)):
        array = getattr(w, name)
        full = np.full((least - 1, *array.shape[1:]), -1 if name == "table" else 0, array.dtype)
        assert search.kernels.deepen(copy.copy(search.r), search.bits, w._replace(**{name: full}), 1) == 1, name
    short = w._replace(arrivals=w.arrivals[: search.r.arrived + room - 1])
    assert search.kernels.deepen(copy.copy(search.r), search.bits, short, 1) == 1
    assert search.kernels.deepen(copy.copy(search.r), search.bits, w, 1) == 0


@pytest.mark.parametrize(("width", "height", "fewer"), [(5, 5, 129), (13, 7, 50)])
def test_frozen_boxes_off_goal_are_left_out(width: int, height: int, fewer: int) -> None:
    """Of the box sets that pushes lead to, on boards of one word of bits and of two."""
    stored = [0, 0]
    for seed in range(6):
        level = scrambled_level(seed, width=width, height=height, boxes=4 if width == 5 else 3, pulls=40)
        for freeze in (False, True):
            search = begun(level, options=Options(freeze=freeze))
            if search is None:
                continue
            search._turns, search._side = search.sides[:1], search.sides[0]
            search._take(search._side)
            for _ in range(15):
                if not search.finished:
                    search._step(Limits().start())
            stored[freeze] += search.r.sets
    assert stored[False] - stored[True] == fewer


def test_known_levels() -> None:
    """Where the two sides meet after thousands of box sets the plan is made again from what was noted on the way."""
    # proved by the forward search, too, which takes minutes
    for seed, moves in (3, 42), (8, 41), (12, 25):
        level = scrambled_level(seed, boxes=6, pulls=2000)
        search = begun(level)
        search.advance(Limits().start(), 60)
        plan = search.plan
        assert plan is not None
        assert search.lower == moves == validate(level, plan).moves


def one_end(search: MoveLayersSearch) -> None:
    """Let the player end on one cell only."""
    side = search.move_store.layers.front
    side[0, 1:] = side[0, 1:] & -side[0, 1:]
    side[0, 2] = 0 if side[0, 1] else side[0, 2]
    search.move_store.layers.sets[1, 4:6] = side[0, 1:]


def no_pulls_to_the_left(search: MoveLayersSearch) -> None:
    """Take a cell for one where no box may stand."""
    lowest = next(bit for bit in range(64) if int(search.bits.live[0]) >> bit & 1)
    search.bits.live[0] = int(search.bits.live[0]) & ~(1 << lowest)


def late_arrivals(search: MoveLayersSearch) -> None:
    """Note arrivals one move too late."""
    kernels = search.kernels

    class Late:
        def __getattr__(self, name: str) -> object:
            return getattr(kernels, name)

        def deepen(self, r: object, b: object, w: object, quota: int) -> int:
            before = search.r.arrived
            result: int = kernels.deepen(r, b, w, quota)
            search.move_store.layers.arrivals[before : search.r.arrived] += np.uint64(1 << 40)
            return result

    search.kernels = Late()  # type: ignore[assignment]


FAULTS: dict[str, Callable[[MoveLayersSearch], None]] = {
    "a layer that was never made is complete": lambda search: search.sides[0].layers.insert(0, 0),
    "every frozen box is off goal": lambda search: search.bits.goals.fill(0),
    **{fault.__name__: fault for fault in (one_end, no_pulls_to_the_left, late_arrivals)},
}


@pytest.mark.parametrize("spoil", FAULTS.values(), ids=FAULTS)
@pytest.mark.usefixtures("steps")
def test_a_fault_is_noticed(spoil: Callable[[MoveLayersSearch], None]) -> None:
    with pytest.raises((AssertionError, StopIteration)):
        for seed in range(200):
            agree(seed, spoil=spoil)


def test_which_levels_it_takes() -> None:
    """Boards whose cells fit into 128 bits and as many goals as boxes, and only where moves are counted."""
    level = scrambled_level(5, boxes=4)
    spare = replace(level, goals=frozenset(list(level.goals)[:2]))
    large = scrambled_level(1, width=14, height=14, boxes=3)
    taken = [
        raced(one, objective=objective).facts.moves_in_layers
        for one, objective in ((level, "moves"), (level, "pushes"), (spare, "moves"), (large, "moves"))
    ]
    assert taken == [True, False, False, False]


def test_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the time at first, more once there is a plan that it can reach, little where it is far; none where others are."""
    level = scrambled_level(5, boxes=4)
    search = begun(level)
    monkeypatch.setattr(breadth_first, "SMALL", 3)
    assert search.share == 0.5
    search.r.generated = breadth_first.TRIAL
    assert search.share == 0.0, "nobody has said what others know"
    search.target = search.lower
    assert search.share == 0.5
    monkeypatch.setattr(MoveLayersSearch, "_until", lambda self, target: 1e6 * (target - self.lower))
    for upper, share in ((search.lower + 900, 0.8), (search.lower + 1100, 0.25)):
        search.upper = upper
        assert search.share == share
    search.target = search.lower + 300
    assert search.share == 0.0


def test_limits() -> None:
    """Without room for more it gives up with its bound; what is stored stays as it is."""
    level = scrambled_level(5, boxes=4)
    search = begun(level)
    search.advance(Limits(states=50).start(), 60)
    assert search.gave_up
    assert search.plan is None
    assert search.lower >= 1
    store = MoveStore(10)
    sets = store.layers.sets
    assert not store.grow(search.kernels, (len(sets), 0, 0), 1000)
    assert len(store.layers.sets) == len(sets)
    assert store.grow(search.kernels, (len(sets), 0, 0), float("inf"))
    assert len(store.layers.table) >= 2 * len(sets)
