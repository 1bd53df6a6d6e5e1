"""Plan improvement: loops are cut out, and segments are solved anew, short ones first.

A segment begins and ends where a line push ends. It keeps its end state, the player's region included, so the rest of the plan
can be played after it. Every better plan is replayed from the start.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import ClassVar, NamedTuple

from sokoasp.core.bounds import Bounds
from sokoasp.core.errors import IllegalPlan
from sokoasp.core.limits import Clock
from sokoasp.core.schedule import Role
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Cell, Level, reachable
from sokoasp.sokoban.plan import Plan, Push
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search.bounds import search_tables
from sokoasp.sokoban.search.exact import astar, member
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.referee import replayed

LENGTHS = (3, 6, 12, 24, 48, 96)
"""Lines of the segments, short ones first."""
FIRST_EFFORT, EFFORT, LAST_EFFORT = 1_000, 4, 300_000
"""States expanded for a segment in the first round, the factor from one round without a gain to the next, and the most."""
FEW = 5
"""Boxes that move in a segment in which the others are taken for walls."""

Task = tuple[State, State, bool, str]
"""First and last state, whether the boxes that do not move are walls, and the objective."""


class Segment(NamedTuple):
    """A part of the plan that is to be solved anew."""

    begin: int
    end: int
    walled: bool
    """Whether the boxes that do not move in it are walls."""
    objective: str


@dataclass(slots=True)
class Trial:
    """A search for something cheaper than a segment."""

    segment: Segment
    task: Task
    search: astar.Search


@dataclass(slots=True)
class PlanImprover:
    """Makes a plan cheaper; with several objectives the first counts most, the others break ties."""

    level: Level
    objectives: tuple[str, ...]
    options: Options
    name: str = "shortening"
    role: ClassVar[Role] = "satisficing"
    finished: bool = False
    """Nothing is left to try with the effort allowed, or ``lower`` says that the plan is optimal."""
    seconds: float = 0.0
    best: Plan | None = None
    tight: dict[Task, int] = field(default_factory=dict)
    """What segments that were searched to the end cost at least."""
    vain: dict[Task, int] = field(default_factory=dict)
    """Expansions that did not suffice to improve a segment or to prove it tight."""
    tried: int = 0
    expanded: int = 0
    gains: int = 0
    effort: int = FIRST_EFFORT
    """Expansions that a segment may take in this round."""
    _segments: Iterator[Segment] | None = None
    """Those that are left in this round."""
    _trial: Trial | None = None
    _states: list[State] = field(default_factory=list)
    _spent: dict[str, list[int]] = field(default_factory=dict)
    """What the plan costs up to each state, by objective."""

    @property
    def idle(self) -> bool:
        """Return whether there is no plan to work on yet."""
        return self.best is None

    @property
    def counters(self) -> dict[str, int]:
        """Return the states expanded for segments, segments tried, segments proved tight, and gains."""
        return {"expanded": self.expanded, "windows": self.tried, "tight": len(self.tight), "gains": self.gains}

    @property
    def lower(self) -> int:
        """Return what every plan costs at least, if the whole plan was searched to the end as a segment; else 0.

        With spare boxes it is always 0: other boxes than the plan's may fill the goals.
        """
        if self.best is None or len(self.level.boxes) > len(self.level.goals):
            return 0
        return self.tight.get((self._states[0], self._states[-1], False, self.objectives[0]), 0)

    def exchange(self, bounds: Bounds) -> None:
        """Hand in the best plan and what is proved of it, go on with a better one."""
        # replaying takes as long as many states, and the plan at hand is mostly the best one already
        if self.best is not None and (bounds.upper is None or self._cost(self.best)[0] < bounds.upper):
            bounds.offer(self.best, f"the {self.name} search")
        bounds.raise_lower(self.lower, f"the {self.name} search")
        self.take(bounds.plan)

    def take(self, plan: Plan | None) -> None:
        """Go on with this plan if it is better than the one at hand."""
        if plan is not None and (self.best is None or self._cost(plan) < self._cost(self.best)):
            self._accept(plan)
            self._cut_loops()

    def _cost(self, plan: Plan) -> tuple[int, ...]:
        return tuple(plan.cost(objective) for objective in self.objectives)

    def _accept(self, plan: Plan) -> None:
        self.best = plan
        self._states = list(accumulate(plan.actions, State.after, initial=rules.initial(self.level)))
        self._spent = {name: list(spent(self.level, self._states, plan, name)) for name in self.objectives}
        self._new_round()

    def _new_round(self) -> None:
        """Go through the plan from its beginning."""
        self._segments, self._trial, self.finished = self._all_segments(), None, self.effort > LAST_EFFORT

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Work for ``seconds`` at most; return the limit that stops it, else None."""
        began = time.perf_counter()
        try:
            while self.best is not None and not self.finished:
                left = seconds - (time.perf_counter() - began)
                if (stopped := clock.over()) or left <= 0:
                    return stopped
                if self._trial is None:
                    self._next_segment()
                elif (stopped := self._go_on(self._trial, clock, left)) is not None:
                    return stopped
        finally:
            self.seconds += time.perf_counter() - began
        return None

    def _next_segment(self) -> None:
        """Begin to solve the next segment anew; after the last one begin the next round, with more effort."""
        segment = None if self._segments is None else next(self._segments, None)
        if segment is not None:
            self._try(segment)
        elif self.lower:
            self.finished = True
        else:
            # the plan has not changed in this round: each search may be longer in the next
            self.effort *= EFFORT
            self._new_round()

    def _try(self, segment: Segment) -> None:
        """Begin to solve one segment anew, if that was not done already."""
        assert self.best is not None
        begin, end, walled, objective = segment
        first, last = self._states[begin], self._states[end]
        task = (first, last, walled, objective)
        if task in self.tight or self.vain.get(task, 0) >= self.effort:
            return
        # boxes that stand at both ends are walls: fewer states, but nothing is proved of the rest
        still = first.boxes & last.boxes if walled else frozenset()
        if walled and any(a.box in still or a.to in still for a in self.best.actions[begin:end]):
            return
        if walled and len(first.boxes - still) > FEW:
            return
        final = end == len(self._states) - 1
        search = segment_search(self.level, first, last, still, objective, self.options, final=final)
        if search is None:
            return
        self.tried += 1
        # its own cost is the cutoff: exhausting what is cheaper proves it tight
        search.cut(self._spent[objective][end] - self._spent[objective][begin])
        self._trial = Trial(segment, task, search)

    def _go_on(self, trial: Trial, clock: Clock, seconds: float) -> str | None:
        """Go on with a search; at its end take note of what it has shown."""
        assert self.best is not None
        search, before = trial.search, trial.search.effort
        stopped = search.advance(clock, seconds, most_expanded=search.r.expanded + self.effort - before)
        self.expanded += search.effort - before
        if search.effort < self.effort and not (search.finished or stopped):
            return None
        found = member.plan_found(search)
        if stopped == "time" and found is None:
            return stopped
        self._trial = None
        if search.finished:
            self.tight[trial.task] = search.lower
        else:
            self.vain[trial.task] = self.effort
        actions, (begin, end, *_) = self.best.actions, trial.segment
        if found is not None and self._offer(actions[:begin] + found.actions + actions[end:]):
            self._cut_loops()
        return stopped

    def _all_segments(self) -> Iterator[Segment]:
        """Yield the segments by length: with few boxes moving the others are walls first, then all may move."""
        count = len(self._states) - 1
        for objective in self.objectives:
            for length in (*(n for n in LENGTHS if n < count), count):
                for begin in range(0, max(1, count - length // 2), max(1, length // 3)):
                    end = min(count, begin + length)
                    moving = len(self._states[begin].boxes - self._states[end].boxes)
                    if moving < len(self.level.boxes):
                        yield Segment(begin, end, True, objective)
                    yield Segment(begin, end, False, objective)

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


def spent(level: Level, states: list[State], plan: Plan, objective: str) -> Iterator[int]:
    """Yield what a plan has spent at its start and after each line push; ``states`` are those between."""
    total = 0
    yield total
    for state, push in zip(states, plan.actions, strict=False):
        total += 1 if objective == "lines" else push.length
        if objective == "moves":
            behind = push.box.step(push.direction.opposite)
            total += len(rules.walk(level.floor - state.boxes, state.player, behind) or "")
        yield total


def segment_search(
    level: Level, first: State, last: State, still: frozenset[Cell], objective: str, options: Options, *, final: bool
) -> astar.Search | None:
    """Set up the search of a segment: from one state exactly to another, boxes that stand still taken for walls.

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
    options = replace(options, patterns=len(boxes) <= FEW, largest_pattern=2)
    tables = search_tables.build(part, board, objective, options)
    number = {cell: index for index, cell in enumerate(board.cells)}
    if final:
        wanted = -1
    elif objective == "moves":
        wanted = number[last.player]
    else:
        wanted = min(number[cell] for cell in reachable(last.player, part.floor - goals))
    return astar.begin(part, replace(tables, wanted=wanted), options)
