"""Every sentence a verdict prints is a claim: a small prover that knows the rules of the game only checks each of them."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from sokoasp import render
from sokoasp.core.limits import Limits
from sokoasp.sokoban import rules
from sokoasp.sokoban.deadlock import Verdict
from sokoasp.sokoban.deadlock import doorway as doorways
from sokoasp.sokoban.deadlock.bitboard import BitState, grow, shift
from sokoasp.sokoban.examine import examine
from sokoasp.sokoban.level import Cell, Level, reachable
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import DETECTORS, find_deadlock
from sokoasp.sokoban.units.reason import judged_alone, least
from tests.instances import level as read
from tests.instances import levels
from tests.sokoban.deadlock.cases import Case, cases, detector
from tests.sokoban.deadlock.prover import CLAIMS, Judge
from tests.spoil import spoilt
from tests.studies.labels import labels
from tests.studies.samples import labelled_states, pulled

doorway = detector("doorway")


def two_rooms(rng: random.Random) -> Level | None:
    """Draw two rooms with a wall and a door between them, a box near the door or in it: where doorways are found and mistaken."""
    width, height = rng.randint(5, 7), rng.randint(4, 6)
    door = rng.randrange(1, width - 1)
    floor = {Cell(r, c) for r in range(height) for c in range(width) if r != height // 2 and rng.random() > 0.2}
    floor |= {Cell(height // 2 + r, door) for r in (-1, 0, 1)}
    if rng.random() < 0.3:
        floor.add(Cell(height // 2, (door + 2) % width))
    floor = reachable(Cell(height // 2, door), floor)
    if len(floor) < 9:
        return None
    cells = sorted(floor)
    goals = frozenset(rng.sample(cells, 2))
    start = State(goals, rng.choice([c for c in cells if c not in goals]))
    start = pulled(rng, floor, start, rng.randint(0, 20))
    if rng.random() < 0.5:
        return Level(frozenset(floor), start.boxes, goals, start.player)
    turned = [frozenset(Cell(c.col, c.row) for c in part) for part in (floor, start.boxes, goals)]
    return Level(*turned, Cell(start.player.col, start.player.row))


def doors(seed: int, count: int) -> Iterator[tuple[Level, State]]:
    """Yield states of two rooms with a door, boxes strewn around the door."""
    rng = random.Random(seed)
    while count:
        level = two_rooms(rng)
        truth = labels(level, states=1_000) if level is not None else None
        if level is None or truth is None:
            continue
        dead = [state for state, alive in truth.items() if not alive]
        for state in rng.sample(dead, min(12, len(dead), count)):
            count -= 1
            yield level, State(state.boxes, rng.choice(sorted(rules.region(level, state))))


def verdicts(level: Level, state: State) -> Iterator[Verdict]:
    """What each detector says by itself, the first proof, and what is left of it for a person."""
    for kind in DETECTORS:
        found = find_deadlock(level, state, detectors=[kind])
        if found is not None:
            yield found
    first = find_deadlock(level, state)
    if first is not None:
        yield least(level, state, first)


def campaign(states: Iterator[tuple[Level, State]], *, spoil: int, seed: int) -> tuple[Counter[str], Counter[str]]:
    """Check all sentences of these states; spoil every n-th in every way and see each refused."""
    rng = random.Random(seed)
    checked, refused = Counter[str](), Counter[str]()
    for level, state in states:
        judge = Judge(level, state)
        for found in verdicts(level, state):
            judge.check(found)
            checked[found.kind] += 1
            if checked[found.kind] > 3 and rng.randrange(spoil):
                continue
            for change, false in _spoilt(level, state, found, rng):
                assert judge.refuses(false), f"{change}: {false}\n{level.with_state(state.boxes, state.player)}"
                refused[f"{found.kind}: {change}"] += 1
    return checked, refused


def _spoilt(level: Level, state: State, found: Verdict, rng: random.Random) -> Iterator[tuple[str, Verdict]]:
    for sentence in spoilt(found.reason):
        yield "sentence", replace(found, reason=sentence)
    bare = sorted(level.floor - state.boxes)
    for at, box in enumerate(found.boxes):
        other = rng.choice(bare)
        boxes = (*found.boxes[:at], other, *found.boxes[at + 1 :])
        cells = tuple(other if cell == box else cell for cell in found.cells)
        yield "a box", replace(found, boxes=boxes, cells=cells)
        yield "a box's cell", replace(found, cells=tuple(cell for cell in found.cells if cell != box) or (other,))
    for kind in CLAIMS:
        if kind != found.kind:
            yield "the kind", replace(found, kind=kind)
    if found.kind in ("wall", "region", "corner_pair"):
        # Not a cell in line with a box: a box in a corner may stand in a second closed run, and the sentence would be true.
        lone = {c for c in bare if all(c.row != b.row and c.col != b.col for b in found.boxes)} - set(found.cells)
        yield "a cell more", replace(found, cells=(*found.cells, min(lone, default=Cell(-1, 0))))
    if found.kind == "doorway":
        yield "near for far", replace(found, boxes=found.boxes[::-1])


def everything(seed: int, count: int) -> Iterator[tuple[Level, State]]:
    """Yield a number of states: of strewn fields and rooms, with spare boxes, larger ones, and doors."""
    for part, spare, large in ((0.5, False, False), (0.2, True, False), (0.1, False, True)):
        made = labelled_states(seed, int(part * count), spare=spare, large=large, per_level=20, states=1_000)
        yield from ((level, state) for level, state, _alive in made)
    yield from doors(seed, count - int(0.5 * count) - int(0.2 * count) - int(0.1 * count))


def test_every_sentence_is_true_and_none_survives_a_change() -> None:
    checked, refused = campaign(everything(71, 300), spoil=12, seed=1)
    assert all(checked[kind] > 2 for kind in CLAIMS if kind != "alone"), checked
    assert checked["alone"]
    assert {kind.partition(":")[0] for kind in refused} == set(CLAIMS)
    assert sum(refused.values()) > 1_500


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_states(part: int, capsys: pytest.CaptureFixture[str]) -> None:
    checked, refused = campaign(everything(1_000 + part, 1_000), spoil=25, seed=part)
    with capsys.disabled():
        print(
            f"\n{sum(checked.values())} sentences of 1,000 states true, {sum(refused.values())} spoilt ones refused: {checked}"
        )


def test_a_box_beside_the_player_is_not_behind_the_door() -> None:
    door = read("######\n#    #\n#   ##\n#   ##\n# $@##\n# #*##\n##  .#\n######")
    found = doorway(door)
    assert found is None or found.boxes[1] != Cell(4, 2)


def test_the_door_of_the_thesis_is_named_where_the_boxes_are_frozen() -> None:
    level = levels("deadlocks/doorway.xsb")[0]
    found = find_deadlock(level)
    reported = least(level, None, found)
    assert reported.kind == "freeze" and "special type (figure 2-6)" in reported.source
    assert reported.reason.endswith("; the box at (2,4) fills a door and the box at (2,5) stands behind it")


@pytest.mark.parametrize("case", [c for c in cases() if c.dead and c.start is None], ids=lambda case: case.name)
def test_sentences_of_the_instances(case: Case) -> None:
    state = rules.initial(case.level)
    checked, refused = campaign(iter([(case.level, state)]), spoil=1, seed=2)
    assert checked[case.kind] and refused[f"{case.kind}: sentence"] > 20


def test_all_boxes_of_a_search_come_down_to_the_few_that_are_dead() -> None:
    level = read("########\n# $   .#\n#$   $ #\n# .   @#\n#.     #\n########")
    everything = Verdict("exhaustive", *[tuple(sorted(level.boxes))] * 2, "all states", "search")
    reported = least(level, None, everything)
    assert (reported.kind, reported.boxes) == ("corner_pair", (Cell(1, 2), Cell(2, 1)))


def test_a_picture_crosses_the_boxes_the_verdict_names_and_no_other() -> None:
    for level, state, alive in labelled_states(73, 60, per_level=20, states=1_000):
        if alive or find_deadlock(level, state) is None:
            continue
        seen = examine(level.with_state(state.boxes, state.player), "", False, Limits()).found
        marks = {mark.kind: mark.cells for mark in render.verdict_marks(seen)}
        assert marks["stuck"] == seen.boxes


def test_boxes_that_are_not_dead_alone_are_judged_alive() -> None:
    level = levels("deadlocks/region.xsb")[0]
    assert judged_alone(level, None, (min(level.boxes),)) is None


def test_the_doorway_that_took_boxes_beside_the_player_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault of before: all boxes near the door, on whichever side of it."""
    monkeypatch.setattr(doorways, "_behind", _any_side)
    judged = [(Judge(level, state), doorway(level, state)) for level, state in doors(5, 400)]
    found = [(judge, verdict) for judge, verdict in judged if verdict is not None]
    assert sum(judge.refuses(verdict) for judge, verdict in found) > 5
    monkeypatch.undo()
    right = [(judge, doorway(judge.level, judge.state)) for judge, _ in found]
    assert not any(judge.refuses(verdict) for judge, verdict in right if verdict is not None)


def _any_side(at: BitState, near: int, by: int) -> int:
    return grow(shift(near, by), at.board.floor, at.board.stride, 2) & at.boxes & ~near
