"""Shortening a plan: loops are cut out, windows of it are solved anew, most of them proved tight by the bound at once.

A window begins and ends where a line push ends. It keeps its end state, the player's region included, so the rest of the plan
can be played after it. The end of the plan, from any state on, is a window of its own kind: its boxes may end on any goals, and
it is searched with the tables of the whole level. Every better plan is replayed from the start.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sokoasp.core.errors import IllegalPlan
from sokoasp.core.limits import Clock, Limits
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Cell, Level, reachable
from sokoasp.sokoban.plan import Plan, Push
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search import astar, push_board, search_tables
from sokoasp.sokoban.search.certificates import Certificates, replayed
from sokoasp.sokoban.search.options import Options

LENGTHS = (3, 6, 12, 24, 48, 96)
"""Lines of the windows, short ones first."""
ENDS = 3
"""Lines between the beginnings of two ends of the plan."""
FEW = 5
"""Boxes that move in a window in which the others are taken for walls."""
FIRST_EFFORT, EFFORT = 1_000, 4
"""States expanded for a window in the first round, and the factor from one round without a gain to the next."""
LAST_EFFORT = 300_000

Window = tuple[State, State, bool, str]
"""Begin, end, whether the boxes that do not move in it are walls, and the objective: what a proof of tightness is about."""


@dataclass(slots=True)
class Shortener:
    """Makes a plan cheaper; with several objectives the first counts most, the others break ties."""

    level: Level
    objectives: tuple[str, ...]
    options: Options
    name: str = "shortening"
    finished: bool = False
    """Nothing is left to try with the effort allowed; that proves nothing."""
    seconds: float = 0.0
    best: Plan | None = None
    tight: set[Window] = field(default_factory=set)
    """Windows that were searched to the end."""
    tried: int = 0
    expanded: int = 0
    gains: int = 0
    _effort: int = FIRST_EFFORT
    _tables: search_tables.SearchTables | None = None
    """Of the whole level, for its ends."""
    _windows: Iterator[tuple[int, int, bool, str]] | None = None
    _states: list[State] = field(default_factory=list)
    _gained: bool = False

    @property
    def idle(self) -> bool:
        """Tell whether there is no plan to work on yet."""
        return self.best is None

    @property
    def counters(self) -> dict[str, int]:
        """Return the states expanded in windows, windows tried, windows proved tight, and gains."""
        return {"expanded": self.expanded, "windows": self.tried, "tight": len(self.tight), "gains": self.gains}

    def plan(self) -> Plan | None:
        """Return the best plan so far."""
        return self.best

    def take(self, plan: Plan | None) -> None:
        """Go on with this plan if it is better than the one at hand."""
        if plan is not None and (self.best is None or self._cost(plan) < self._cost(self.best)):
            self._accept(plan)
            self._cut_loops()

    def _cost(self, plan: Plan) -> tuple[int, ...]:
        return tuple(plan.cost(objective) for objective in self.objectives)

    def _accept(self, plan: Plan) -> None:
        self.best = plan
        self._states = list(_states(self.level, plan))
        self._windows = None
        self._gained = True
        self.finished = False

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Work for so long at most; return the limit that stops it, else None."""
        began = time.perf_counter()
        try:
            while self.best is not None and not self.finished:
                left = seconds - (time.perf_counter() - began)
                if (stopped := clock.over()) or left <= 0:
                    return stopped
                window = next(self._going(), None)
                if window is None:
                    self._next_round()
                else:
                    self._try(*window, clock)
        finally:
            self.seconds += time.perf_counter() - began
        return None

    def _going(self) -> Iterator[tuple[int, int, bool, str]]:
        if self._windows is None:
            self._windows = self._all_windows()
            self._gained = False
        return self._windows

    def _next_round(self) -> None:
        """Start again after a gain; without one spend more on each window, until that is enough."""
        self._windows = None
        if not self._gained:
            self._effort *= EFFORT
            self.finished = self._effort > LAST_EFFORT

    def _all_windows(self) -> Iterator[tuple[int, int, bool, str]]:
        """Yield the windows by length: with few boxes moving the others are walls first, then all may move."""
        count = len(self._states) - 1
        objectives = dict.fromkeys((self.objectives[0], *self.objectives[1:]))
        for objective in objectives:
            for length in (*(n for n in LENGTHS if n < count), count):
                for begin in range(0, max(1, count - length // 2), max(1, length // 3)):
                    end = min(count, begin + length)
                    moving = len(self._states[begin].boxes - self._states[end].boxes)
                    if moving < len(self.level.boxes):
                        yield begin, end, True, objective
                    yield begin, end, False, objective
        for begin in range(count - ENDS, 0, -ENDS):
            yield begin, count, False, self.objectives[0]

    def _cut_loops(self) -> None:
        """Cut out what lies between two equal states."""
        assert self.best is not None
        by_cell = self.objectives[0] == "moves"
        seen: dict[State, int] = {}
        for number, state in enumerate(self._states):
            first = seen.setdefault(state if by_cell else rules.canonical(self.level, state), number)
            if first < number:
                actions = self.best.actions[:first] + self.best.actions[number:]
                if self._offer(actions):
                    self._cut_loops()
                    return

    def _offer(self, actions: tuple[Push, ...]) -> bool:
        """Take the plan of these line pushes if it is legal and better."""
        assert self.best is not None
        try:
            plan = replayed(self.level, rules.plan_from_pushes(self.level, actions))
        except IllegalPlan:
            return False
        if self._cost(plan) >= self._cost(self.best):
            return False
        self.gains += 1
        self._accept(plan)
        return True

    def _try(self, begin: int, end: int, walled: bool, objective: str, clock: Clock) -> None:
        """Solve one window anew, if that was not done already."""
        assert self.best is not None
        first, last = self._states[begin], self._states[end]
        key = (first, last, walled, objective)
        if key in self.tight:
            return
        still = first.boxes & last.boxes if walled else frozenset()
        if walled and any(a.box in still or b in still for a in self.best.actions[begin:end] for b in (a.to,)):
            return
        if walled and len(first.boxes - still) > FEW:
            return
        self.tried += 1
        cost = Plan(self.best.actions[begin:end], _moves(self.level, self._states, begin, end, self.best)).cost(
            objective
        )
        final = end == len(self._states) - 1
        if final and not still:
            search = self._ending(first, objective)
        else:
            search = _search(self.level, first, last, still, objective, self.options, final=final)
        if search is None:
            return
        search.cut(cost)
        search.advance(clock, 5.0, most_expanded=self._effort)
        self.expanded += search.counters["expanded"]
        found = search.plan()
        if search.finished:
            self.tight.add(key)
        if found is not None and self._offer(self.best.actions[:begin] + found.actions + self.best.actions[end:]):
            self._cut_loops()

    def _ending(self, first: State, objective: str) -> astar.Search | None:
        """Set up the search from one state of the plan to any solved one; None if a box stands where the player never comes."""
        if self._tables is None or self._tables.objective != objective:
            self._tables = search_tables.build(self.level, push_board.build(self.level), objective, self.options)
        number = {cell: index for index, cell in enumerate(self._tables.board.cells)}
        if not first.boxes <= number.keys():
            return None
        near = {first.player} if objective == "moves" else reachable(first.player, self.level.floor - first.boxes)
        start = tuple(sorted(number[box] for box in first.boxes)), min(number[cell] for cell in near)
        part = replace(self.level, boxes=frozenset(first.boxes), player=first.player)
        return astar.begin(part, replace(self._tables, starts=(start,)), replace(self.options, progress=None))


def shorten(level: Level, plan: Plan, objective: str, limits: Limits, options: Options | None = None) -> Plan:
    """Return a plan that costs as much or less: windows are solved anew until nothing is left to try or a limit is reached.

    Args:
        level: The level.
        plan: A solution of it.
        objective: ``lines``, ``pushes`` or ``moves``.
        limits: Seconds and memory of this alone.
        options: Prunings and bounds of the searches.

    Raises:
        IllegalPlan: ``plan`` is no solution.
        MissingExtra: numba is not installed.
    """
    proofs = Certificates(level, objective)
    proofs.offer(plan, "the caller")
    shortener = Shortener(level, (objective,), options or Options())
    shortener.take(plan)
    shortener.advance(limits.start(), math.inf)
    assert shortener.best is not None
    proofs.offer(shortener.best, "the shortener")
    assert proofs.plan is not None
    return proofs.plan


def _states(level: Level, plan: Plan) -> Iterator[State]:
    """Yield the state at the start and after each line push, the player beside the box."""
    state = rules.initial(level)
    yield state
    for push in plan.actions:
        state = State(state.boxes - {push.box} | {push.to}, push.to.step(push.direction.opposite))
        yield state


def _moves(level: Level, states: list[State], begin: int, end: int, plan: Plan) -> str:
    """Return the moves of a part of a plan, from the end of a line push to the end of another."""
    letters = []
    for state, push in zip(states[begin:end], plan.actions[begin:end], strict=True):
        way = rules.walk(level.floor - state.boxes, state.player, push.box.step(push.direction.opposite))
        letters.append((way or "") + push.direction.letter.upper() * push.length)
    return "".join(letters)


def _search(
    level: Level, first: State, last: State, still: frozenset[Cell], objective: str, options: Options, *, final: bool
) -> astar.Search | None:
    """Set up the search of a window: from one state exactly to another, boxes that stand still taken for walls.

    At the end of the plan, ``final``, it does not matter where the player is.
    """
    floor = reachable(first.player, level.floor - still)
    boxes, goals = first.boxes - still, last.boxes - still
    if not (boxes <= floor and goals <= floor):
        return None
    part = Level(floor=frozenset(floor), boxes=boxes, goals=goals, player=first.player)
    board = push_board.build(part)
    if board.dead_start:
        return None
    options = replace(options, groups=len(boxes) <= FEW, largest_group=2, progress=None)
    tables = search_tables.build(part, board, objective, options)
    number = {cell: index for index, cell in enumerate(board.cells)}
    if final:
        wanted = -1
    elif objective == "moves":
        wanted = number[last.player]
    else:
        wanted = min(number[cell] for cell in reachable(last.player, part.floor - goals))
    return astar.begin(part, replace(tables, wanted=wanted), options)
