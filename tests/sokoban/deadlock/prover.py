"""Every sentence a verdict prints, checked whole by a prover that knows the rules of the game and nothing else."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from sokoasp.sokoban import rules
from sokoasp.sokoban.deadlock import Verdict
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level, reachable
from sokoasp.sokoban.rules import State

SQUARE = [(0, 0), (0, 1), (1, 0), (1, 1)]
PLACE = r"the box at \((-?\d+),(-?\d+)\)"


class Prover:
    """Claims about some boxes alone on the board, decided by playing all their positions out."""

    def __init__(self, level: Level, state: State, boxes: Iterable[Cell]) -> None:
        self.level, self.boxes, self.spare = level, frozenset(boxes), len(level.boxes) - len(level.goals)
        self.start = State(self.boxes, state.player)
        self.region = rules.region(level, self.start)
        self._reached: dict[Cell, set[Cell]] = {}

    @cached_property
    def off_at_best(self) -> int:
        """The fewest boxes off goals in any position these boxes can come to."""
        return min(len(state.boxes - self.level.goals) for state in self._played([self.start]))

    def _played(self, starts: Iterable[State]) -> set[State]:
        seen = {rules.canonical(self.level, state) for state in starts}
        queue = list(seen)
        for state in queue:
            for _push, after in rules.unit_pushes(self.level, state):
                here = rules.canonical(self.level, after)
                if here not in seen:
                    seen.add(here)
                    queue.append(here)
        return seen

    def visited(self, box: Cell, player: Cell | None) -> set[Cell]:
        """The cells a box alone on the board comes to, the player starting from a cell or (None) from any."""
        players = self.level.floor - {box} if player is None else {player}
        return {c for s in self._played(State(frozenset({box}), p) for p in players) for c in s.boxes}

    def goals_of(self, box: Cell, player: Cell | None) -> set[Cell]:
        """The goals among them."""
        if player is not None:
            return self.visited(box, player) & self.level.goals
        if box not in self._reached:
            self._reached[box] = self.visited(box, None) & self.level.goals
        return self._reached[box]

    def wall(self, cell: Cell) -> bool:
        return cell not in self.level.floor

    def off_goal(self) -> int:
        return len(self.boxes - self.level.goals)

    def immovable(self, held: frozenset[Cell], *, lost_counts: bool) -> bool:
        """No box of ``held`` can be the first of them to be pushed (but onto a cell from where it reaches no goal)."""
        return not any(self.can_go(box, held, lost_counts=lost_counts) for box in held)

    def can_go(self, box: Cell, held: frozenset[Cell], *, lost_counts: bool) -> bool:
        for d in DIRECTIONS:
            to, back = box.step(d), box.step(d.opposite)
            free = not (self.wall(to) or self.wall(back) or to in held or back in held)
            if free and (lost_counts or self.goals_of(to, None)):
                return True
        return False

    def shut_out(self) -> set[Cell]:
        return set(self.level.floor) - self.boxes - self.region

    def never(self) -> str:
        """The end of a sentence about boxes that are dead by themselves (that they are is checked of every verdict)."""
        if len(self.boxes) == 1:
            return "can never get onto a goal"
        if self.spare:
            return f"can never get onto goals without {self.spare + 1} of them left over, and the level can spare {self.spare}"
        return f"can never {'both' if len(self.boxes) == 2 else 'all'} get onto goals"


def boxes_word(count: int) -> str:
    return "1 box" if count == 1 else f"{count} boxes"


def connected(cells: Iterable[Cell]) -> list[set[Cell]]:
    """The connected parts of some cells."""
    left, parts = set(cells), []
    while left:
        parts.append(reachable(min(left), left))
        left -= parts[-1]
    return parts


def corner(at: Prover, found: Verdict) -> None:
    many = len(at.boxes)
    who = "a box stands off goal in a corner" if many == 1 else f"{many} boxes stand off goal in corners"
    assert found.reason == f"{who} and can never move again"
    for box in at.boxes:
        assert box not in at.level.goals
        assert at.immovable(frozenset({box}), lost_counts=True)


def wall(at: Prover, found: Verdict) -> None:
    word = re.fullmatch(
        r"(\d+ box(?:es)?) in (a closed run along a wall|closed runs along walls) with (no|\d+) goal(s?): (.*)",
        found.reason,
    )
    many, cells = len(at.boxes), set(found.cells)
    goals = len(cells & at.level.goals)
    assert word and word[1] == boxes_word(many)
    assert word[5] == ("it can never leave the run" if many == 1 else "none can ever leave its run")
    assert (word[3], word[4]) == (str(goals or "no"), "s" * (goals != 1))
    runs = {run for cell in cells for run in _runs(at, cell) if run <= cells and run & at.boxes}
    assert set().union(*runs) == cells and at.boxes <= cells
    assert (word[2] == "a closed run along a wall") == (cells in [set(run) for run in runs])
    for box in at.boxes:
        assert any(at.visited(box, None) <= run for run in runs if box in run)


def _runs(at: Prover, cell: Cell) -> list[frozenset[Cell]]:
    """The stretches through a cell from wall to wall, each cell with a wall on a long side."""
    found = []
    for d in (DIRECTIONS[0], DIRECTIONS[2]):
        aside = next(e for e in DIRECTIONS if e not in (d, d.opposite))
        run = [cell]
        while not at.wall(run[-1].step(d)):
            run.append(run[-1].step(d))
        while not at.wall(run[0].step(d.opposite)):
            run.insert(0, run[0].step(d.opposite))
        if all(at.wall(c.step(aside)) or at.wall(c.step(aside.opposite)) for c in run):
            found.append(frozenset(run))
    return found


def block(at: Prover, found: Verdict) -> None:
    squares = [[Cell(b.row - r + i, b.col - c + j) for i, j in SQUARE] for b in at.boxes for r, c in SQUARE]
    full = [s for s in squares if all(at.wall(c) or c in at.boxes for c in s)]
    assert {cell for s in full for cell in s} - at.boxes <= {c for s in full for c in s if at.wall(c)}
    assert {cell for s in full for cell in s if cell in at.boxes} == at.boxes
    which = "a 2x2 square: its" if any(at.boxes <= set(s) for s in full) else "2x2 squares: their"
    assert found.reason == f"boxes and walls fill {which} boxes can never move again, and not all stand on goals"
    assert at.immovable(at.boxes, lost_counts=True) and at.off_goal() > at.spare


def dead_square(at: Prover, found: Verdict) -> None:
    assert found.reason == "from there no box can be pushed to any goal, wherever the player stands"
    assert not any(at.goals_of(box, None) for box in at.boxes)


def freeze(at: Prover, found: Verdict) -> None:
    lost = "to a cell from where no goal can be reached", "to cells from where no goal can be reached"
    fast = at.immovable(at.boxes, lost_counts=True)
    sentence, _, door = found.reason.partition("; ")
    if len(at.boxes) == 1:
        how = "never move" if fast else f"only go {lost[1]}"
        assert sentence == f"this box can {how}, and it stands on no goal"
    else:
        how = " fast" if fast else f": whichever is pushed first goes {lost[0]}"
        assert sentence == f"these boxes hold each other{how}, and not all stand on goals"
    assert at.immovable(at.boxes, lost_counts=False) and at.off_goal() > at.spare
    if door or found.reason != sentence:
        word = re.fullmatch(f"{PLACE} fills a door and {PLACE} stands behind it", door)
        assert word
        _door(at, *_cells(word), set(found.boxes))


def corner_pair(at: Prover, found: Verdict) -> None:
    assert found.reason == f"two boxes bar the player from the corner between them and {at.never()}"
    (inner,) = set(found.cells) - at.boxes
    assert inner not in at.region and len(at.boxes) == 2
    beside = [inner.step(d) for d in DIRECTIONS]
    assert at.boxes <= set(beside) and sum(map(at.wall, beside)) == 2


def _cells(word: re.Match[str]) -> tuple[Cell, Cell]:
    return Cell(int(word[1]), int(word[2])), Cell(int(word[3]), int(word[4]))


def _door(at: Prover, near: Cell, far: Cell, boxes: set[Cell]) -> None:
    """The near box stands between two walls; the player has a way to it, but none round it to where the far box stands."""
    assert {near, far} == boxes and len(boxes) == 2
    parts = connected(at.level.floor - {near})
    (ours,) = [part for part in parts if at.start.player in part]
    (beyond,) = [part for part in parts if far in part]
    assert ours is not beyond
    assert any(
        near.step(d) in at.region and near.step(d.opposite) in beyond and all(at.wall(near.step(e)) for e in across)
        for d in DIRECTIONS
        for across in [[e for e in DIRECTIONS if e not in (d, d.opposite)]]
    )


def doorway(at: Prover, found: Verdict) -> None:
    word = re.fullmatch(
        f"{PLACE} fills a door and shuts the player out, and with {PLACE} behind it the two ({at.never()})",
        found.reason,
    )
    assert word and found.boxes == _cells(word)
    _door(at, *_cells(word), set(found.boxes))


def matching(at: Prover, found: Verdict) -> None:
    every = set().union(*(at.goals_of(box, at.start.player) for box in at.boxes))
    many = len(at.boxes)
    if every:
        goals = "1 goal" if len(every) == 1 else f"{len(every)} goals"
        assert found.reason == f"{boxes_word(many)} and only {goals} that any of them can reach"
    else:
        who = "this box, pushed" if many == 1 else f"each of these {many} boxes, pushed"
        assert found.reason == f"{who} from a side the player can get to, reaches no goal"
    assert many - len(every) > at.spare


def region(at: Prover, found: Verdict) -> None:
    shut, many = at.shut_out(), boxes_word(len(at.boxes))
    assert set(found.cells) == shut | at.boxes
    if not shut:
        assert found.reason == f"{many} close together {at.never()}"
        assert _close(set(at.boxes))
        return
    parts = len(connected(shut))
    cells = "1 cell" if len(shut) == 1 else f"{len(shut)} cells"
    where = f"a region of {cells}" if parts == 1 else f"{parts} regions of {cells} in all"
    assert found.reason == f"{many} shut the player out of {where}, and alone on the board they {at.never()}"


def _close(boxes: set[Cell]) -> bool:
    """Whether every box is joined to every other by boxes that touch, at least by a corner."""
    group = [boxes.pop()]
    for box in group:
        near = {c for c in boxes if max(abs(c.row - box.row), abs(c.col - box.col)) == 1}
        boxes -= near
        group += near
    return not boxes


def units(at: Prover, found: Verdict) -> None:
    parts = connected(found.cells)
    many = len(parts)
    assert all(part & at.boxes for part in parts) and at.boxes <= set(found.cells) <= at.level.floor
    where = "in one unit of the map, searched" if many == 1 else f"in {many} units of the map, each searched"
    assert found.reason == f"{where} by itself, {boxes_word(len(at.boxes))} {at.never()}"


def alone(at: Prover, found: Verdict) -> None:
    who = "this box" if len(at.boxes) == 1 else f"these {len(at.boxes)} boxes"
    assert found.reason == f"{who}, alone on the board, {at.never()}: all their positions were searched"


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
}
JUST_BOXES = {"corner", "block", "dead_square", "freeze", "matching", "doorway", "alone"}
"""Kinds whose cells are the boxes."""


@dataclass
class Judge:
    """Checks verdicts on one state; what has been played out of some boxes is kept."""

    level: Level
    state: State

    def __post_init__(self) -> None:
        self._provers: dict[frozenset[Cell], Prover] = {}

    def check(self, found: Verdict) -> None:
        """Raise AssertionError or ValueError if the verdict is not true, or not of this state."""
        boxes = frozenset(found.boxes)
        assert boxes <= self.state.boxes and boxes and len(boxes) == len(found.boxes)
        assert boxes <= set(found.cells) <= self.level.floor
        assert found.kind not in JUST_BOXES or set(found.cells) == boxes
        at = self._provers.setdefault(boxes, Prover(self.level, self.state, boxes))
        assert at.off_at_best > at.spare, "the boxes can all do their part"
        CLAIMS[found.kind](at, found)

    def refuses(self, found: Verdict) -> bool:
        """Whether the verdict is found false."""
        try:
            self.check(found)
        except (AssertionError, ValueError):
            return True
        return False
