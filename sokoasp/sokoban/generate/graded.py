"""Graded sets: generated levels with proved optima and what makes them hard for people, the easier ones first.

Measures after Jarušek and Pelánek, "Difficulty rating of Sokoban puzzle" (2010), who found that the size of the state space says
little of how long people take, and that what they must do against their first idea says more. The score is ours: a sum of the
measures, fitted to nobody's times. All measures are of the whole state space, which small levels have in full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from sokoasp.core.limits import Limits
from sokoasp.sokoban.generate.generator import Wish, generate
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level, reachable
from sokoasp.sokoban.rules import plan_from_lurd
from sokoasp.sokoban.search.exact import reference

State = tuple[frozenset[Cell], Cell]
"""Boxes, and the least cell of those the player can walk to."""
SETS = (
    ("one-box", Wish(rows=7, cols=8, boxes=1, min_lines=3, seed=101)),
    ("two-boxes", Wish(rows=7, cols=8, boxes=2, min_lines=5, seed=102)),
    ("two-boxes-far", Wish(rows=7, cols=9, boxes=2, min_lines=7, seed=103)),
    ("three-boxes", Wish(rows=6, cols=7, boxes=3, min_lines=5, seed=104)),
    ("three-boxes-far", Wish(rows=7, cols=7, boxes=3, min_lines=7, seed=105)),
    ("four-boxes", Wish(rows=6, cols=7, boxes=4, min_lines=6, states=40_000, seed=106)),
)
"""The sets: name and what their levels are to be like."""
GRADES = 10


@dataclass(frozen=True, slots=True)
class Measures:
    """What makes a level hard: costs of best plans, and what they ask of a player."""

    pushes: int
    moves: int
    lines: int
    plans: int
    """Number of plans (sequences of pushes) with the fewest pushes."""
    box_changes: int
    """How often a plan with the fewest lines goes on with another box."""
    detours: int
    """Pushes of that plan after which the box is further from its nearest goal."""
    dead_end: int | None
    """Fewest pushes from the start to a state from which there is no solution; None if there is no such state."""

    @property
    def score(self) -> float:
        """Return how hard the level is: more box changes, detours and lines, and dead ends near by. Not fitted to people."""
        near = 0.0 if self.dead_end is None else 4.0 / self.dead_end
        return self.lines + 1.5 * self.box_changes + 2.0 * self.detours + near


def measure(level: Level) -> Measures:
    """Measure a solvable level; its state space is gone through, so it has to be small.

    Raises:
        ValueError: The level has no solution within the search's limits.
    """
    values = {name: reference.solve(level, name, Limits()) for name in ("pushes", "moves", "lines")}
    best = {name: result.value for name, result in values.items()}
    lines = values["lines"].plan
    if lines is None or None in best.values():
        raise ValueError("the level has no solution")
    space = _space(level)
    return Measures(
        pushes=best["pushes"] or 0,
        moves=best["moves"] or 0,
        lines=best["lines"] or 0,
        plans=_plans(level, space, best["pushes"] or 0),
        box_changes=_box_changes(level, lines.lurd),
        detours=_detours(level, lines.lurd),
        dead_end=_dead_end(level, space),
    )


def _space(level: Level) -> dict[State, list[State]]:
    """Return the states that can be reached, each with those one push on."""
    first = _state(level, frozenset(level.boxes), level.player)
    found: dict[State, list[State]] = {}
    queue = [first]
    for state in queue:
        if state not in found:
            found[state] = list(_after(level, state))
            queue.extend(after for after in found[state] if after not in found)
    return found


def _state(level: Level, boxes: frozenset[Cell], player: Cell) -> State:
    return boxes, min(reachable(player, level.floor - boxes))


def _after(level: Level, state: State) -> Iterator[State]:
    boxes, player = state
    region = reachable(player, level.floor - boxes)
    for box in boxes:
        for direction in DIRECTIONS:
            to = box.step(direction)
            if box.step(direction.opposite) in region and to in level.floor and to not in boxes:
                yield _state(level, boxes - {box} | {to}, box)


def _plans(level: Level, space: dict[State, list[State]], pushes: int) -> int:
    """Count the ways of so many pushes from the start to a solved state."""
    ways = {_state(level, frozenset(level.boxes), level.player): 1}
    for _ in range(pushes):
        following: dict[State, int] = {}
        for state, count in ways.items():
            for after in space[state]:
                following[after] = following.get(after, 0) + count
        ways = following
    return sum(count for (boxes, _), count in ways.items() if level.goals <= boxes)


def _dead_end(level: Level, space: dict[State, list[State]]) -> int | None:
    """Return how many pushes the nearest state without a solution is away."""
    before: dict[State, list[State]] = {}
    for state, following in space.items():
        for after in following:
            before.setdefault(after, []).append(state)
    alive = [state for state in space if level.goals <= state[0]]
    seen = set(alive)
    for state in alive:
        for earlier in before.get(state, ()):
            if earlier not in seen:
                seen.add(earlier)
                alive.append(earlier)
    layer, depth, met = {_state(level, frozenset(level.boxes), level.player)}, 0, set[State]()
    while layer:
        if layer - seen:
            return depth
        met |= layer
        layer = {after for state in layer for after in space[state]} - met
        depth += 1
    return None


def _pushes(level: Level, lurd: str) -> Iterator[tuple[Cell, Cell]]:
    """Yield each push of a plan, cell by cell: where the box stood, and where it stands."""
    for push in plan_from_lurd(level, lurd).actions:
        at = push.box
        while at != push.to:
            yield at, at.step(push.direction)
            at = at.step(push.direction)


def _box_changes(level: Level, lurd: str) -> int:
    changes, last = 0, None
    for before, after in _pushes(level, lurd):
        changes += last is not None and last != before
        last = after
    return changes


def _detours(level: Level, lurd: str) -> int:
    far = _distances(level)
    return sum(far[after] > far[before] for before, after in _pushes(level, lurd))


def _distances(level: Level) -> dict[Cell, int]:
    """Return the fewest pushes that bring a lone box from a cell to some goal, by pulls from the goals."""
    far = dict.fromkeys(level.goals, 0)
    queue = list(level.goals)
    for cell in queue:
        for direction in DIRECTIONS:
            before, stand = cell.step(direction), cell.step(direction).step(direction)
            if before in level.floor and stand in level.floor and before not in far:
                far[before] = far[cell] + 1
                queue.append(before)
    return far


def sets(count: int, *, give_up: Callable[[], bool] = lambda: False) -> Iterator[tuple[str, list[Level]]]:
    """Yield each set: its name and ``count`` levels (fewer if the generator finds no more), the easier ones first.

    Title and comment of each level hold its number, its measures and its grade of 10, by rank of its score among all sets.
    """
    made = [
        (name, [(level, measure(level)) for level in generate(wish, count, give_up=give_up)]) for name, wish in SETS
    ]
    ranked = sorted(found.score for _, levels in made for _, found in levels)
    for name, levels in made:
        levels.sort(key=lambda one: one[1].score)
        yield (
            name,
            [_noted(name, number, level, found, ranked) for number, (level, found) in enumerate(levels, 1)],
        )


def _noted(name: str, number: int, level: Level, found: Measures, ranked: list[float]) -> Level:
    grade = 1 + min(GRADES - 1, GRADES * sum(score < found.score for score in ranked) // len(ranked))
    dead_end = "none" if found.dead_end is None else f"{found.dead_end} pushes away"
    note = (
        f"difficulty {grade} of {GRADES}\noptimum: {found.pushes} pushes, {found.moves} moves, {found.lines} lines\n"
        f"plans with the fewest pushes: {found.plans}; box changes: {found.box_changes}; "
        f"detours: {found.detours}; nearest dead end: {dead_end}"
    )
    return replace(level, title=f"{name.replace('-', ' ').capitalize()} {number}", comment=note, collection=name)
