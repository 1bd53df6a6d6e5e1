"""Graded sets: generated levels with proved optima and what makes them hard for people, the easier ones first.

Measures after Jarušek and Pelánek, "Difficulty rating of Sokoban puzzle" (2010), who found that the size of the state space says
little of how long people take, and that what they must do against their first idea says more. They also let a model of a player
wander through the state space. We have no times of people: the score is a sum of the measures whose weights are fitted, by least
squares, to how long such a wanderer takes (``wandering``). All is measured on the whole state space, which small levels have.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import exp, log, log10
from pathlib import Path
from random import Random
from typing import Any

from sokoasp.core.limits import Limits
from sokoasp.sokoban.canonical import wherever_the_player
from sokoasp.sokoban.deadlock.bitboard import bits as each
from sokoasp.sokoban.deadlock.bitboard import shift
from sokoasp.sokoban.formats import level_from_rows
from sokoasp.sokoban.generate.maps import random_floor
from sokoasp.sokoban.generate.space import (
    Edge,
    Space,
    State,
    as_push,
    bits,
    explore,
    fewest_lines,
    fewest_moves,
    lone_pushes,
    pulls,
)
from sokoasp.sokoban.level import Cell, Level, drawn_walls
from sokoasp.sokoban.rules import merged, plan_from_pushes
from sokoasp.sokoban.validate import validate

GRADES = 10
WALKS, LONGEST, LIKELIER = 30, 20_000, 4
"""The wanderer: walks that are averaged, pushes at most of each, how much likelier a push that leads nearer is than another."""


@dataclass(frozen=True, slots=True)
class Plot:
    """What the levels of one set are to be like; board sizes count the surrounding walls."""

    name: str
    boxes: int
    rows: int
    cols: int
    fill: float
    """Share of the inner cells that is floor, at least."""
    lines: tuple[int, int]
    """Fewest and most line pushes of the optimum."""


SETS = (
    Plot("01-box", 1, 7, 8, 0.55, (2, 12)),
    Plot("02-boxes", 2, 7, 8, 0.55, (4, 16)),
    Plot("03-boxes", 3, 7, 7, 0.6, (5, 20)),
    Plot("04-boxes", 4, 6, 7, 0.65, (6, 24)),
    Plot("05-boxes", 5, 6, 7, 0.7, (6, 26)),
    Plot("06-boxes", 6, 6, 7, 0.75, (7, 28)),
    Plot("07-boxes", 7, 7, 7, 0.75, (7, 30)),
    Plot("08-boxes", 8, 7, 7, 0.8, (8, 32)),
    Plot("10-boxes", 10, 7, 7, 0.85, (8, 36)),
    Plot("12-boxes", 12, 7, 8, 0.85, (8, 40)),
)
STATES = 60_000
"""Most states of a level's space: a level with more is thrown away."""
PULLED = 20_000
"""Most states that are looked at backwards for a start."""
CHOICE = 12
"""Levels made for each one that is given out."""


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
    wandering: float
    """Pushes that the wanderer needs, the geometric mean of its walks."""

    @property
    def features(self) -> tuple[float, ...]:
        """Return what the score adds up: 1, lines, box changes, detours, and how near the nearest dead end is (1 / pushes)."""
        return 1.0, self.lines, self.box_changes, self.detours, 1 / self.dead_end if self.dead_end else 0.0


def _measured(space: Space, plan: list[Edge]) -> Measures:
    far = space.far
    moves = fewest_moves(space)
    assert moves is not None, "a level with a plan has one with the fewest moves"
    board, last, lines, changes, detours = space.board, (0, 0), 0, 0, 0
    distance = lone_pushes(board)
    for box, way, _ in plan:
        to = shift(box, board.steps[way])
        detours += distance[to] > distance[box]
        changes += last != (0, 0) and last[0] != box
        lines += last != (box, way)
        last = to, way
    return Measures(
        pushes=far[space.start],
        moves=moves,
        lines=lines,
        plans=_plans(space),
        box_changes=changes,
        detours=detours,
        dead_end=_dead_end(space),
        wandering=_wandering(space),
    )


def _plans(space: Space) -> int:
    """Count the plans with the fewest pushes: each of their pushes leads one nearer."""
    far, ways = space.far, {space.start: 1}
    for left in range(far[space.start], 0, -1):
        following: dict[State, int] = {}
        for state, count in ways.items():
            for _, _, after in space.edges[state]:
                if far.get(after) == left - 1:
                    following[after] = following.get(after, 0) + count
        ways = following
    return sum(ways.values())


def _dead_end(space: Space) -> int | None:
    """Return how many pushes the nearest state without a solution is away."""
    layer, depth, met = {space.start}, 0, set[State]()
    while layer:
        if layer - space.far.keys():
            return depth
        met |= layer
        layer = {after for state in layer for _, _, after in space.edges[state]} - met
        depth += 1
    return None


def _wandering(space: Space) -> float:
    """Return how many pushes a wanderer makes until the level is solved: the geometric mean of its walks.

    It makes any push but one that is seen to be dead at once; one that leads nearer is likelier. In a state without a solution it
    starts over. The chances of a level are always the same.
    """
    random, total = Random(f"{space.start} {space.board.goals}").random, 0.0
    far = space.far
    ways: dict[State, tuple[list[State], int]] = {}
    for _ in range(WALKS):
        state, pushes = space.start, 0
        while far.get(state) != 0 and pushes < LONGEST:
            if state not in ways:
                after = [to for *_, to in space.edges[state] if space.edges[to] or to in far]
                nearer = [to for to in after if far.get(to, far[state]) < far[state]]
                ways[state] = nearer * (LIKELIER - 1) + after, 0
            choices = ways[state][0]
            state = choices[int(random() * len(choices))]
            pushes += 1
            if state not in far:
                state = space.start
        total += log(max(pushes, 1))
    return exp(total / WALKS)


@dataclass(frozen=True, slots=True)
class Made:
    """A level of a set, as it is kept between two runs."""

    name: str
    attempt: int
    level: Level
    measures: Measures


def fitted(found: Sequence[Measures]) -> tuple[float, ...]:
    """Return the weights of the features with which the logarithms (base 10) of the wanderer's pushes are met best.

    Least squares by the normal equations; a millionth is added to the diagonal, so that there is always an answer.
    """
    size = len(found[0].features)
    rows = [
        [sum(m.features[i] * m.features[j] for m in found) + 1e-6 * (i == j) for j in range(size)]
        + [sum(m.features[i] * log10(m.wandering) for m in found)]
        for i in range(size)
    ]
    for i in range(size):
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i], strict=True)]
    return tuple(row[-1] for row in rows)


def score(found: Measures, weights: Sequence[float]) -> float:
    """Return how hard a level is, in powers of ten of the wanderer's pushes."""
    return sum(weight * feature for weight, feature in zip(weights, found.features, strict=True))


def make(plot: Plot, attempt: int) -> Made | None:
    """Make one level of a set, None if this attempt gives none; set and attempt say which."""
    rng = Random(f"sokoasp {plot.name} {attempt}")
    floor = random_floor(rng, plot.rows, plot.cols, plot.fill)
    if floor is None or len(floor) < 2 * plot.boxes + 1:
        return None
    goals = frozenset(rng.sample(sorted(floor), plot.boxes))
    start = _far_start(rng, plot, floor, goals)
    space = None if start is None else explore(start, STATES)
    plan = None if space is None else fewest_lines(space)
    if start is None or space is None or plan is None:
        return None
    found = _measured(space, plan)
    if not plot.lines[0] <= found.lines <= plot.lines[1]:
        return None
    whole = merged(start, plan_from_pushes(start, (as_push(space.board, edge) for edge in plan)))
    validate(start, whole)
    return Made(plot.name, attempt, replace(start, solutions=(whole.lurd,)), found)


def _far_start(rng: Random, plot: Plot, floor: frozenset[Cell], goals: frozenset[Cell]) -> Level | None:
    """Return a level that pulls from the goals lead to, its number of lines drawn by lot; at most a third of it is solved."""
    solved = Level(floor=floor, boxes=goals, goals=goals, player=min(floor - goals), decoration=drawn_walls(floor))
    board, _, _ = bits(solved)
    depth: dict[State, int] = {}
    free = board.floor & ~board.goals
    while free:
        region = board.region(free & -free, board.goals)
        depth[board.goals, region & -region] = 0
        free &= ~region
    queue = list(depth)
    for state in queue:
        if len(depth) > PULLED:
            break
        for before in pulls(board, state):
            if before not in depth:
                depth[before] = depth[state] + 1
                queue.append(before)
    far = max(depth.values())
    if far < plot.lines[0]:
        return None
    wanted = rng.randint(plot.lines[0], min(far, plot.lines[1]))
    fitting = [s for s, d in depth.items() if d == wanted and 3 * (s[0] & board.goals).bit_count() <= plot.boxes]
    if not fitting:
        return None
    boxes, corner = rng.choice(fitting)
    player = rng.choice(list(each(board.region(corner, boxes))))
    return replace(solved, boxes=frozenset(board.cell(b) for b in each(boxes)), player=board.cell(player))


def sets(count: int, kept: Path, *, seconds: float | None = None) -> Iterator[tuple[str, list[Level]]]:
    """Yield each set: its name and ``count`` levels, distinct up to symmetry (fewer if time runs out), the easier ones first.

    Title and comment of each level hold its number, its measures and its grade of 10, by rank of its score among all sets. What
    was made is kept in a file of JSON lines as it comes; a later run goes on from there.
    """
    clock = Limits(seconds=seconds).start()
    made: dict[str, list[Made]] = {plot.name: [] for plot in SETS}
    tried = dict.fromkeys(made, 0)
    for one in _kept(kept):
        tried[one["name"]] = one["attempt"]
        level = replace(level_from_rows(one["rows"]), solutions=(one["plan"],))
        made[one["name"]].append(Made(one["name"], one["attempt"], level, Measures(**one["measures"])))
    with kept.open("a", encoding="utf-8") as file:
        for plot in SETS:
            found, seen = made[plot.name], {wherever_the_player(one.level) for one in made[plot.name]}
            while len(found) < CHOICE * count and not clock.over():
                tried[plot.name] += 1
                new = make(plot, tried[plot.name])
                if new is not None and wherever_the_player(new.level) not in seen:
                    seen.add(wherever_the_player(new.level))
                    found.append(new)
                    note = {"name": plot.name, "attempt": new.attempt, "rows": new.level.rows()}
                    note |= {"plan": new.level.solutions[0], "measures": asdict(new.measures)}
                    file.write(json.dumps(note) + "\n")
                    file.flush()
    every = [one.measures for some in made.values() for one in some]
    if not every:
        return
    weights = fitted(every)
    for some in made.values():
        some[:] = _spread(some, count, lambda one: score(one.measures, weights))
    ranked = [score(one.measures, weights) for some in made.values() for one in some]
    for name, some in made.items():
        yield name, [_noted(name, number, one, weights, ranked) for number, one in enumerate(some, 1)]


def _kept(file: Path) -> list[Any]:
    """Return what a file of JSON lines has; a last line that was not finished is cut off."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    whole, ended, torn = text.rpartition("\n")
    if torn:
        file.write_text(whole + ended, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


def _spread(made: Sequence[Made], count: int, key: Callable[[Made], float]) -> list[Made]:
    """Return ``count`` of them in the order of their scores, which lie as evenly as can be from the median to the highest."""
    left, chosen = sorted(made, key=key), list[Made]()
    if not left:
        return []
    low, high = key(left[len(left) // 2]), key(left[-1])
    for number in range(min(count, len(left))):
        wanted = low + (high - low) * number / max(count - 1, 1)
        chosen.append(left.pop(min(range(len(left)), key=lambda i: abs(key(left[i]) - wanted))))
    return sorted(chosen, key=key)


def _noted(name: str, number: int, one: Made, weights: Sequence[float], ranked: list[float]) -> Level:
    found, own = one.measures, score(one.measures, weights)
    grade = 1 + min(GRADES - 1, GRADES * sum(other < own for other in ranked) // len(ranked))
    dead_end = "none" if found.dead_end is None else f"{found.dead_end} pushes away"
    note = (
        f"difficulty {grade} of {GRADES} (score {own:.2f})\n"
        f"optimum: {found.pushes} pushes, {found.moves} moves, {found.lines} lines\n"
        f"plans with the fewest pushes: {found.plans}; box changes: {found.box_changes}; "
        f"detours: {found.detours}; nearest dead end: {dead_end}"
    )
    boxes = int(name.split("-")[0])
    return replace(
        one.level,
        title=f"{boxes} {name.split('-')[1]} {number}",
        author="sokoasp generate",
        comment=note,
        collection=name,
    )
