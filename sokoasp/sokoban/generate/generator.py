"""Seeded levels of a wanted size and difficulty, each with its optimum proved: for scaling studies, suites and tests.

It lives here and not beside the board code because every level is proved by a search engine before it is given out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from sokoasp.core.errors import SokoaspError, counted
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.progress import note, unwatched
from sokoasp.core.result import Result, Status
from sokoasp.sokoban import grid
from sokoasp.sokoban.canonical import wherever_the_player
from sokoasp.sokoban.generate.maps import random_floor
from sokoasp.sokoban.generate.pulls import starts
from sokoasp.sokoban.level import Cell, Level, drawn_walls, reachable
from sokoasp.sokoban.search.exact import reference
from sokoasp.sokoban.validate import validate

Prover = Callable[[Level, str, Limits], Result]

MOST_CELLS = 2_500
"""Largest board (rows times columns) that is made."""
_TRIES = 20
"""Maps, or box placements on a map, that are thrown away within one attempt."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the levels are to be like; the same wish gives the same levels on every machine."""

    rows: int = 7
    """Height of the board, the surrounding walls included."""
    cols: int = 8
    boxes: int = 2
    min_lines: int = 1
    """Fewest line pushes of the optimum (unsolvable levels: of the matching bound)."""
    max_lines: int | None = None
    solvable: bool = True
    seed: int = 0
    fill: float = 0.6
    """Share of the inner cells that is floor, at least."""
    states: int = 20_000
    """Most states of each search: a level that needs more is thrown away."""
    attempts: int | None = None
    """Most maps that are tried in all; None: ten for each level that is asked for, and at least 2,000."""

    def __post_init__(self) -> None:
        """Check that the wish makes sense.

        Raises:
            SokoaspError: It does not.
        """
        inner = (self.rows - 2) * (self.cols - 2)
        if min(self.rows, self.cols) < 3 or self.rows * self.cols > MOST_CELLS:
            raise SokoaspError(f"a board of {self.rows} rows and {self.cols} columns: at least 3, at most 2,500 cells")
        if not 1 <= self.boxes < inner:
            needed, there = counted(self.boxes, "boxes"), counted(inner, "inner cells")
            raise SokoaspError(f"there is no room for {needed} and the player on {there}")
        if not 0 < self.fill <= 1:
            raise SokoaspError(f"fill is a share of the cells, above 0 and at most 1, not {self.fill:g}")
        if self.min_lines < 1 or (self.max_lines is not None and self.max_lines < self.min_lines):
            raise SokoaspError(f"no level has at least {self.min_lines} and at most {self.max_lines} lines")


def generate(
    wish: Wish, count: int, prove: Prover = reference.solve, *, seconds: float | None = None
) -> Iterator[Level]:
    """Yield up to ``count`` levels that are distinct up to symmetry; fewer when the attempts run out.

    Title and comment hold seed, attempt, proved optima in lines and pushes and who proved them; the level carries its
    lines-optimal plan as LURD. ``seconds`` limit attempts and proofs together.

    Raises:
        SokoaspError: The backward search that proposed a level and the search that proved it contradict each other.
    """
    seen: set[tuple[str, ...]] = set()
    clock = Limits(seconds=seconds).start()
    attempts = max(2_000, 10 * count) if wish.attempts is None else wish.attempts
    for attempt in range(1, attempts + 1):
        if len(seen) == count or clock.over():
            return
        stage = f"level {len(seen) + 1} of {count}, map {attempt:,} of at most {attempts:,}"
        note(stage=stage)
        rng = Random(f"sokoasp {wish.seed} {attempt}")
        found = _candidate(rng, wish)
        if found is None:
            continue
        level, lines = found
        form = wherever_the_player(level)
        if form in seen:
            continue
        with unwatched(stage):
            proved = _proved(level, lines, wish, attempt, prove, clock)
        if proved is not None:
            seen.add(form)
            yield proved


def _candidate(rng: Random, wish: Wish) -> tuple[Level, int | None] | None:
    """Return a level with the number of lines it is expected to need (None: not solvable, it is hoped)."""
    floors = (random_floor(rng, wish.rows, wish.cols, wish.fill) for _ in range(_TRIES))
    floor = next((floor for floor in floors if floor is not None), None)
    if floor is None or len(floor) <= wish.boxes:
        return None
    goals = frozenset(rng.sample(sorted(floor), wish.boxes))
    if not wish.solvable:
        tries = (_scattered(rng, wish, floor, goals) for _ in range(_TRIES))
        return next(((level, None) for level in tries if level is not None), None)
    distance = starts(floor, goals, wish.states)
    far = sorted(
        ((d, sorted(s.boxes), s.player) for s, d in distance.items() if d >= wish.min_lines),
        key=lambda entry: entry[1:],
    )
    fitting = [entry for entry in far if wish.max_lines is None or entry[0] <= wish.max_lines]
    if not fitting:
        return None
    lines, places, corner = rng.choice(fitting)
    player = rng.choice(sorted(reachable(corner, floor - frozenset(places))))
    return _level(floor, frozenset(places), goals, player), lines


def _scattered(rng: Random, wish: Wish, floor: frozenset[Cell], goals: frozenset[Cell]) -> Level | None:
    """Return a level with boxes anywhere, None if it is solved or the matching bound already proves it unsolvable."""
    boxes = frozenset(rng.sample(sorted(floor), wish.boxes))
    level = _level(floor, boxes, goals, rng.choice(sorted(floor - boxes)))
    bound = None if level.solved else grid.matching_bound(grid.build(level), lines=True)
    return None if bound is None or bound < wish.min_lines else level


def _level(floor: frozenset[Cell], boxes: frozenset[Cell], goals: frozenset[Cell], player: Cell) -> Level:
    return Level(floor=floor, boxes=boxes, goals=goals, player=player, decoration=drawn_walls(floor))


def _proved(level: Level, lines: int | None, wish: Wish, attempt: int, prove: Prover, clock: Clock) -> Level | None:
    """Return the level with its proved optima written on it, None if a search ran into its limit or it is not as wished.

    Raises:
        SokoaspError: The proof contradicts the expectation.
    """
    most = 10 * wish.states
    best = prove(level, "lines", Limits(seconds=clock.remaining, states=most))
    if best.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        return None
    if lines is not None and best.value != lines:
        raise SokoaspError(
            f"seed {wish.seed}, attempt {attempt}: backward search says {lines} lines, {best.engine} says {best.value}"
        )
    if (best.status is Status.OPTIMAL) != wish.solvable:
        return None
    title = f"generated {wish.rows}x{wish.cols}, {counted(wish.boxes, 'boxes')}, seed {wish.seed}.{attempt}"
    if best.plan is None or best.value is None:
        return _noted(level, title, f"unsolvable, proved by {best.engine}: {best.proof}", ())
    validate(level, best.plan)
    pushes = prove(level, "pushes", Limits(seconds=clock.remaining, states=most))
    if pushes.status is not Status.OPTIMAL or pushes.value is None:
        return None
    note = f"optimum: {counted(best.value, 'lines')}, {counted(pushes.value, 'pushes')}; proved by {best.engine}"
    return _noted(level, title, note, (best.plan.lurd,))


def _noted(level: Level, title: str, note: str, solutions: tuple[str, ...]) -> Level:
    return replace(level, title=title, author="sokoasp generate", comment=note, solutions=solutions)
