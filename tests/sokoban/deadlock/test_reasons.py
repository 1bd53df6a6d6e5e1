"""Every sentence a verdict prints is a claim: a small prover that knows the rules of the game only checks each of them."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from sokoasp import render
from sokoasp.bench.studies.samples import labelled_states
from sokoasp.core.limits import Limits
from sokoasp.sokoban import rules
from sokoasp.sokoban.deadlock import Verdict
from sokoasp.sokoban.examine import examine
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.units import find_deadlock
from sokoasp.sokoban.units.reason import judged_alone, least
from tests.instances import level as read
from tests.instances import levels
from tests.sokoban.deadlock.cases import Case, cases

BLOCKS = [(0, 0), (0, 1), (1, 0), (1, 1)]


class Prover:
    """Claims about some boxes alone on the board, decided by playing all their positions out."""

    def __init__(self, level: Level, state: State, boxes: tuple[Cell, ...]) -> None:
        self.level, self.boxes, self.spare = level, frozenset(boxes), len(level.boxes) - len(level.goals)
        self.start = State(self.boxes, state.player)
        self.region = rules.region(level, self.start)

    def off_at_best(self) -> int:
        """The fewest boxes off goals in any position these boxes can come to."""
        seen = {rules.canonical(self.level, self.start)}
        queue = list(seen)
        for state in queue:
            for _push, after in rules.unit_pushes(self.level, state):
                here = rules.canonical(self.level, after)
                if here not in seen:
                    seen.add(here)
                    queue.append(here)
        return min(len(state.boxes - self.level.goals) for state in seen)

    def reaches(self, box: Cell, players: set[Cell]) -> set[Cell]:
        """The goals a box alone on the board reaches, the player starting from any of these cells."""
        seen = {rules.canonical(self.level, State(frozenset({box}), player)) for player in players}
        queue = list(seen)
        for state in queue:
            for _push, after in rules.unit_pushes(self.level, state):
                here = rules.canonical(self.level, after)
                if here not in seen:
                    seen.add(here)
                    queue.append(here)
        return {cell for state in seen for cell in state.boxes} & self.level.goals

    def wall(self, cell: Cell) -> bool:
        return cell not in self.level.floor

    def off_goal(self) -> int:
        return len(self.boxes - self.level.goals)

    def immovable(self, held: frozenset[Cell], *, lost_counts: bool) -> bool:
        """No box of ``held`` can be the first of them to be pushed (but onto a cell from where it reaches no goal)."""
        return all(not self._can_go(box, held, lost_counts=lost_counts) for box in held)

    def _can_go(self, box: Cell, held: frozenset[Cell], *, lost_counts: bool) -> bool:
        for d in DIRECTIONS:
            to, behind = box.step(d), box.step(d.opposite)
            if not (self.wall(to) or self.wall(behind) or to in held or behind in held):
                others = self.level.floor - {to}
                if lost_counts or self.reaches(to, set(others)):
                    return True
        return False

    def shut_out(self) -> set[Cell]:
        return set(self.level.floor) - self.boxes - self.region


def number(text: str) -> int:
    return 0 if text == "no" else int(text)


def corner(at: Prover, found: Verdict) -> None:
    word = re.match(
        r"(a box stands|(\d+) boxes stand) off goal in (a corner|corners) and can never move again", found.reason
    )
    assert word and int(word[2] or 1) == len(at.boxes)
    for box in at.boxes:
        assert box not in at.level.goals
        assert at.immovable(frozenset({box}), lost_counts=True)


def wall(at: Prover, found: Verdict) -> None:
    word = re.match(
        r"(\d+) box(es)? in a? ?closed (run|runs) along (a wall|walls) with (\w+) goals?: none can ever leave it",
        found.reason,
    )
    assert word and int(word[1]) == len(at.boxes)
    cells = set(found.cells)
    assert at.boxes <= cells and len(cells & at.level.goals) == number(word[5])
    seen = {State(frozenset({box}), cell) for box in at.boxes for cell in at.level.floor - {box}}
    queue = list(seen)
    for state in queue:
        assert state.boxes <= cells, "a box has left the run"
        for _push, after in rules.unit_pushes(at.level, state):
            if after not in seen:
                seen.add(after)
                queue.append(after)


def block(at: Prover, found: Verdict) -> None:
    assert re.match(
        r"boxes and walls fill (a 2x2 square: its|2x2 squares: their) boxes can never move again, and not all",
        found.reason,
    )
    squares = [[Cell(b.row - r + i, b.col - c + j) for i, j in BLOCKS] for b in at.boxes for r, c in BLOCKS]
    full = [s for s in squares if all(at.wall(c) or c in at.boxes for c in s)]
    assert {cell for s in full for cell in s if cell in at.boxes} == at.boxes
    assert at.immovable(at.boxes, lost_counts=True) and at.off_goal() > at.spare


def dead_square(at: Prover, found: Verdict) -> None:
    assert found.reason == "from there no box can be pushed to any goal, wherever the player stands"
    for box in at.boxes:
        assert not at.reaches(box, set(at.level.floor - {box}))


def freeze(at: Prover, found: Verdict) -> None:
    fast = "hold each other fast" in found.reason or "can never move" in found.reason
    assert fast or "no goal can be reached" in found.reason
    assert ("this box" in found.reason) == (len(at.boxes) == 1)
    assert at.immovable(at.boxes, lost_counts=fast) and at.off_goal() > at.spare


def never(at: Prover, found: Verdict) -> None:
    """Check the end of a sentence: "can never ... onto goals"."""
    count = len(at.boxes)
    if count == 1:
        assert "can never get onto a goal" in found.reason
    elif at.spare:
        word = re.search(
            r"can never get onto goals without (\d+) of them left over, and the level can spare (\d+)", found.reason
        )
        assert word and (int(word[1]), int(word[2])) == (at.spare + 1, at.spare)
    else:
        assert ("can never both get onto goals" if count == 2 else "can never all get onto goals") in found.reason
    # the number itself is checked for every verdict


def corner_pair(at: Prover, found: Verdict) -> None:
    assert found.reason.startswith("two boxes bar the player from the corner between them and ")
    (inner,) = set(found.cells) - at.boxes
    assert inner not in at.region and len(at.boxes) == 2
    beside = [inner.step(d) for d in DIRECTIONS]
    assert at.boxes <= set(beside) and sum(map(at.wall, beside)) == 2
    never(at, found)


def doorway(at: Prover, found: Verdict) -> None:
    word = re.match(
        r"the box at row (\d+), column (\d+) fills a door and shuts the player out, and with the box at row (\d+), column (\d+) "
        r"behind it the two can never",
        found.reason,
    )
    assert word and len(at.boxes) == 2
    near, far = Cell(int(word[1]), int(word[2])), Cell(int(word[3]), int(word[4]))
    assert (near, far) == found.boxes
    sides = [d for d in DIRECTIONS if near.step(d) in at.region and near.step(d.opposite) not in at.region]
    sides = [d for d in sides if not at.wall(near.step(d.opposite))]
    assert any(all(at.wall(near.step(e)) for e in DIRECTIONS if e not in (d, d.opposite)) for d in sides)
    assert near.step(sides[0].opposite) == far or near.step(sides[0].opposite) in at.shut_out()
    assert far in at.shut_out() | at.boxes
    never(at, found)


def matching(at: Prover, found: Verdict) -> None:
    goals = {box: at.reaches(box, {at.start.player}) for box in at.boxes}
    every = set().union(*goals.values())
    word = re.match(r"(\d+) boxes and only (\d+) goals? that any of them can reach", found.reason)
    if word is None:
        assert not every and "reaches no goal" in found.reason
        assert ("this box" in found.reason) == (len(at.boxes) == 1)
        assert len(at.boxes) == 1 or f"each of these {len(at.boxes)} boxes" in found.reason
    else:
        assert (int(word[1]), int(word[2])) == (len(at.boxes), len(every))
    assert len(at.boxes) - len(every) > at.spare


def region(at: Prover, found: Verdict) -> None:
    never(at, found)
    word = re.match(r"(\d+) boxes shut the player out of (a|\d+) regions? of (\d+) cells?", found.reason)
    shut = at.shut_out()
    if word is None:
        assert found.reason.startswith(f"{len(at.boxes)} boxes close together ") and not shut
        return
    assert int(word[1]) == len(at.boxes) and int(word[3]) == len(shut)
    assert set(found.cells) == shut | at.boxes
    parts = 0
    while shut:
        shut -= _connected(shut)
        parts += 1
    assert parts == (1 if word[2] == "a" else int(word[2]))


def _connected(cells: set[Cell]) -> set[Cell]:
    some = {min(cells)}
    while wider := {c.step(d) for c in some for d in DIRECTIONS} & cells - some:
        some |= wider
    return some


def units(at: Prover, found: Verdict) -> None:
    word = re.match(
        r"(cut into (\d+) units, each searched by itself|searched as one unit of the map): (\d+) box(es)? can",
        found.reason,
    )
    assert word and int(word[3]) == len(at.boxes)
    never(at, found)


def alone(at: Prover, found: Verdict) -> None:
    assert "all their positions were searched" in found.reason
    never(at, found)


def settled(at: Prover, found: Verdict) -> None:
    word = re.match(
        r"with the (?:(\d+) boxes that no solution moves from their goals as walls|box that no .* as a wall): ",
        found.reason,
    )
    assert word
    held = _held(at)
    assert len(held) == int(word[1] or 1) and held <= at.level.goals
    inner = found.reason[word.end() :]
    check = next(claim for start, claim in SENTENCES.items() if re.match(start, inner))
    floor, goals = at.level.floor - held, at.level.goals - held
    stand_ins = frozenset(sorted(floor - {at.start.player})[: len(goals)])
    smaller = Level(floor, stand_ins, goals, at.start.player)
    boxes = tuple(box for box in found.boxes if box not in held)
    cells = tuple(cell for cell in found.cells if cell not in held)
    check(Prover(smaller, State(frozenset(boxes), at.start.player), boxes), Verdict("", cells, boxes, inner, ""))


def _held(at: Prover) -> frozenset[Cell]:
    stay = at.boxes
    while moved := {box for box in stay if at._can_go(box, stay, lost_counts=False)}:
        stay -= moved
    return stay


CLAIMS: dict[str, Callable[[Prover, Verdict], None]] = {
    "corner": corner,
    "wall": wall,
    "block": block,
    "dead_square": dead_square,
    "freeze": freeze,
    "corner_pair": corner_pair,
    "doorway": doorway,
    "matching": matching,
    "region": region,
    "units": units,
    "alone": alone,
    "settled": settled,
}

SENTENCES = {
    r"(a box stands|\d+ boxes stand) off goal": corner,
    r"\d+ box(es)? in ": wall,
    "boxes and walls fill": block,
    "from there no box": dead_square,
    "(these boxes hold|this box can)": freeze,
    "two boxes bar": corner_pair,
    "the box at row": doorway,
    r"\d+ boxes and only|this box, pushed|each of these": matching,
    r"\d+ boxes (shut|close)": region,
    "cut into|searched as": units,
}


def check(level: Level, state: State, found: Verdict) -> None:
    assert set(found.boxes) <= state.boxes and found.boxes
    at = Prover(level, state, found.boxes)
    assert at.off_at_best() > at.spare, "the boxes can all do their part"
    CLAIMS[found.kind](at, found)


def samples(seed: int, count: int, *, spare: bool = False, large: bool = False) -> list[tuple[Level, State, Verdict]]:
    dead = []
    for level, state, _alive in labelled_states(seed, count, spare=spare, large=large, per_level=20, states=1_000):
        found = find_deadlock(level, state)
        if found is not None:
            dead.append((level, state, found))
    return dead


@pytest.mark.parametrize(("seed", "count", "spare"), [(71, 500, False), (72, 250, True)])
def test_every_sentence_is_true_before_and_after_minimising(seed: int, count: int, spare: bool) -> None:
    kinds: Counter[str] = Counter()
    changed = 0
    for level, state, found in samples(seed, count, spare=spare):
        check(level, state, found)
        reported = least(level, state, found)
        check(level, state, reported)
        kinds[reported.kind] += 1
        changed += (found.kind, set(found.boxes)) != (reported.kind, set(reported.boxes))
    assert kinds["wall"] > 5 and kinds["matching"] > 5 and kinds["region"] > 5 and changed > 5


@pytest.mark.parametrize("case", [c for c in cases() if c.dead and c.start is None], ids=lambda case: case.name)
def test_sentences_of_the_instances(case: Case) -> None:
    found = find_deadlock(case.level)
    assert found is not None
    check(case.level, rules.initial(case.level), least(case.level, None, found))


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        ("region", "of 5 cells", "of 6 cells"),
        ("region", "a region", "2 regions"),
        ("wall", "with no goals", "with 1 goal"),
        ("doorway", "column 4 fills", "column 5 fills"),
        ("corner_pair", "both get", "all get"),
    ],
)
def test_a_false_sentence_is_noticed(kind: str, right: str, wrong: str) -> None:
    case = next(c for c in cases() if c.dead and c.start is None and c.kind == kind)
    found = find_deadlock(case.level, detectors=[kind])
    assert found is not None and right in found.reason
    check(case.level, rules.initial(case.level), found)
    with pytest.raises(AssertionError):
        check(case.level, rules.initial(case.level), replace(found, reason=found.reason.replace(right, wrong)))


def test_all_boxes_of_a_search_come_down_to_the_few_that_are_dead() -> None:
    level = read("########\n# $   .#\n#$   $ #\n# .   @#\n#.     #\n########")
    everything = Verdict("exhaustive", *[tuple(sorted(level.boxes))] * 2, "all states", "search")
    reported = least(level, None, everything)
    assert (reported.kind, reported.boxes) == ("corner_pair", (Cell(1, 2), Cell(2, 1)))


def test_a_picture_crosses_the_boxes_the_verdict_names_and_no_other() -> None:
    for level, state, _found in samples(73, 60):
        seen = examine(level.with_state(state.boxes, state.player), "", False, Limits()).found
        assert seen is not None
        marks = {mark.kind: mark.cells for mark in render.verdict_marks(seen)}
        assert marks["stuck"] == seen.boxes


def test_boxes_that_are_not_dead_alone_are_judged_alive() -> None:
    level = levels("deadlocks/region.xsb")[0]
    assert judged_alone(level, None, (min(level.boxes),)) is None
