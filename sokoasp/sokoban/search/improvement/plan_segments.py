"""Plan improvement: loops are cut out, segments are solved anew, most of them proved tight by the bound at once.

A segment begins and ends where a line push ends. It keeps its end state, the player's region included, so the rest of the plan
can be played after it. Prefixes and suffixes of the plan are searched apart (``prefixes_suffixes``), and all that is near the
plan (``vicinity``). These kinds take turns by the time they have spent. Every better plan is replayed from the start.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from sokoasp.core.bounds import Bounds
from sokoasp.core.errors import IllegalPlan
from sokoasp.core.limits import Clock
from sokoasp.core.schedule import Role
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan, Push
from sokoasp.sokoban.rules import State
from sokoasp.sokoban.search.exact import astar
from sokoasp.sokoban.search.improvement import windows
from sokoasp.sokoban.search.improvement.effort import (
    FIRST_AFFIX,
    FIRST_EFFORT,
    FIRST_VICINITY,
    TURN,
    Effort,
    Trial,
    Window,
)
from sokoasp.sokoban.search.improvement.prefixes_suffixes import PrefixOrSuffix
from sokoasp.sokoban.search.improvement.vicinity import Vicinity
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.model.push_board import two_sided
from sokoasp.sokoban.search.model.referee import replayed

LENGTHS = (3, 6, 12, 24, 48, 96)
"""Lines of the windows, short ones first."""
SETTING_UP = 300
"""Expansions that take about as long as the tables of a window."""


@dataclass(slots=True)
class PlanImprover:
    """Makes a plan cheaper; with several objectives the first counts most, the others break ties."""

    level: Level
    objectives: tuple[str, ...]
    options: Options
    name: str = "shortening"
    finished: bool = False
    """Nothing is left to try with the effort allowed, or ``lower`` says that the plan is optimal."""
    seconds: float = 0.0
    best: Plan | None = None
    tight: set[Window] = field(default_factory=set)
    """Windows that were searched to the end."""
    vain: dict[Window, int] = field(default_factory=dict)
    """Expansions that did not suffice to improve a segment, prefix or suffix or to prove it tight."""
    tried: int = 0
    expanded: int = 0
    gains: int = 0
    kinds: list[Effort] = field(init=False)
    _states: list[State] = field(default_factory=list)
    _spent: list[int] = field(default_factory=list)
    """What the plan costs up to each state."""

    def __post_init__(self) -> None:
        """Set up the kinds: no beginnings where the reverse search does not go."""
        affixes = [PrefixOrSuffix(self.level, self.objectives[0], self.options, reverse=False)]
        if two_sided(self.level, self.objectives[0]):
            affixes.append(PrefixOrSuffix(self.level, self.objectives[0], self.options, reverse=True))
        self.kinds = [
            Effort(FIRST_VICINITY, vicinity=Vicinity(affixes[0])),
            Effort(FIRST_EFFORT),
            *(Effort(FIRST_AFFIX, affix) for affix in affixes),
        ]

    def learn_with(self, search: astar.Search) -> None:
        """Take the tables of a search of the whole level, and learn together with it."""
        for kind in self.kinds:
            if kind.affix is not None and kind.affix.reverse == search.tables.reverse:
                kind.affix.keep(search)

    @property
    def idle(self) -> bool:
        """Return whether there is no plan to work on yet."""
        return self.best is None

    @property
    def counters(self) -> dict[str, int]:
        """Return the states expanded in windows, windows tried, windows proved tight, and gains."""
        return {"expanded": self.expanded, "windows": self.tried, "tight": len(self.tight), "gains": self.gains}

    @property
    def lower(self) -> int:
        """Return what every plan costs at least, if the whole plan was searched to the end as a prefix or suffix; else 0."""
        count = len(self._states) - 1
        affixes = [kind.affix for kind in self.kinds if kind.affix is not None] if count > 0 else []
        return self._spent[-1] if any(affix.proved(self._states, self._spent) == count for affix in affixes) else 0

    @property
    def role(self) -> Role:
        """Return ``satisficing``."""
        return "satisficing"

    def plan(self) -> Plan | None:
        """Return the best plan so far."""
        return self.best

    def exchange(self, bounds: Bounds) -> None:
        """Hand in the best plan and what is proved of it, go on with a better one."""
        if self.best is not None:
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
        self._states = list(windows.states(self.level, plan))
        self._spent = list(windows.costs(self.level, plan, self.objectives[0]))
        self.finished = False
        for kind in self.kinds:
            kind.again()

    def advance(self, clock: Clock, seconds: float) -> str | None:
        """Work for ``seconds`` at most; return the limit that stops it, else None."""
        began = time.perf_counter()
        try:
            while self.best is not None and not self.finished:
                left = seconds - (time.perf_counter() - began)
                if (stopped := clock.over()) or left <= 0:
                    return stopped
                if (stopped := self._turn(clock, left)) is not None:
                    return stopped
        finally:
            self.seconds += time.perf_counter() - began
        return None

    def _turn(self, clock: Clock, seconds: float) -> str | None:
        """Go on with the kind that has spent least of its share; return the limit that stops it, else None."""
        going = [kind for kind in self.kinds if not kind.finished]
        kind = min(going, key=lambda kind: kind.spent / kind.share, default=None)
        if kind is None or self.lower:
            self.finished = True
        elif kind.trial is not None:
            return self._go_on(kind.trial, clock, seconds)
        else:
            self._begin(kind)
        return None

    def _begin(self, kind: Effort) -> None:
        """Take up the next search of a kind."""
        if kind.vicinity is not None:
            self._next_vicinity(kind, kind.vicinity)
        elif kind.affix is None:
            self._next_window(kind)
        else:
            self._next_affix(kind, kind.affix)

    def _next_window(self, kind: Effort) -> None:
        if kind.windows is None:
            kind.windows = self._all_windows()
        window = next(kind.windows, None)
        if window is None:
            kind.spend_more()
        else:
            self._try(kind, *window)

    def _next_vicinity(self, kind: Effort, vicinity: Vicinity) -> None:
        assert self.best is not None
        kind.spent += SETTING_UP
        search, count = vicinity.search(self.best, self._states), len(self._states) - 1
        if search is None:
            kind.finished = True
        else:
            self._start(kind, 0, count, (self._states[0], self._states[count], False, self.objectives[0]), search)

    def _next_affix(self, kind: Effort, affix: PrefixOrSuffix) -> None:
        count, objective = len(self._states) - 1, self.objectives[0]
        if kind.lengths is None:
            kind.lengths = affix.lengths(affix.proved(self._states, self._spent), count)
        try:
            length = next(kind.lengths) if kind.tight is None else kind.lengths.send(kind.tight)
        except StopIteration:
            kind.spend_more()
            return
        begin, end = (0, length) if affix.reverse else (count - length, count)
        key = (self._states[begin], self._states[end], False, objective)
        kind.tight = False
        # not enough effort since it last failed: the same search would fail again
        if self.vain.get(key, 0) >= kind.effort:
            return
        kind.spent += SETTING_UP
        search = affix.search(self._states[end if affix.reverse else begin])
        if search is not None:
            self._start(kind, begin, end, key, search)

    def _start(self, kind: Effort, begin: int, end: int, key: Window, search: astar.Search) -> None:
        """Begin to look for something cheaper than this part of the plan."""
        assert self.best is not None
        self.tried += 1
        objective = key[-1]
        if objective == self.objectives[0]:
            cost = self._spent[end] - self._spent[begin]
        else:
            letters = windows.moves(self.level, self._states, begin, end, self.best)
            cost = Plan(self.best.actions[begin:end], letters).cost(objective)
        # the part's own cost is the cutoff: exhausting what is cheaper proves the part tight
        search.cut(cost)
        kind.trial = Trial(kind, begin, end, key, search, kind.effort)

    def _go_on(self, trial: Trial, clock: Clock, seconds: float) -> str | None:
        """Give a search its turn; at its end take note of what it has shown."""
        assert self.best is not None
        search, kind, before = trial.search, trial.kind, trial.search.effort
        turn = min(TURN, trial.left)
        stopped = search.advance(clock, seconds, most_expanded=search.counters["expanded"] + turn)
        spent = search.effort - before
        trial.left -= spent
        kind.spent += spent
        self.expanded += spent
        if trial.left > 0 and not (search.finished or stopped):
            return None
        if stopped == "time" and search.plan() is None:
            return stopped
        kind.trial = None
        found, affix = search.plan(), kind.affix
        if affix is not None:
            affix.keep(search)
        if kind.vicinity is not None:
            # near the plan alone: nothing is proved of the rest
            kind.vicinity.suffixes.keep(search)
            if found is None and not kind.vicinity.farther(search.finished):
                kind.spend_more()
        elif not search.finished:
            self.vain[trial.key] = kind.effort
        elif affix is not None:
            affix.tight[self._states[trial.end if affix.reverse else trial.begin]] = search.lower
            kind.tight = found is None
        else:
            self.tight.add(trial.key)
        actions = self.best.actions
        if found is not None and self._offer(actions[: trial.begin] + found.actions + actions[trial.end :]):
            self._cut_loops()
        return stopped

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

    def _try(self, kind: Effort, begin: int, end: int, walled: bool, objective: str) -> None:
        """Begin to solve one window anew, if that was not done already."""
        assert self.best is not None
        first, last = self._states[begin], self._states[end]
        key = (first, last, walled, objective)
        if key in self.tight or self.vain.get(key, 0) >= kind.effort or self._within_affix(begin, end, key):
            return
        # boxes that stand at both ends are walls: fewer states, but nothing is proved of the rest
        still = first.boxes & last.boxes if walled else frozenset()
        if walled and any(a.box in still or a.to in still for a in self.best.actions[begin:end]):
            return
        if walled and len(first.boxes - still) > windows.FEW:
            return
        kind.spent += SETTING_UP
        final = end == len(self._states) - 1
        search = windows.window_search(self.level, first, last, still, objective, self.options, final=final)
        if search is not None:
            self._start(kind, begin, end, key, search)

    def _within_affix(self, begin: int, end: int, key: Window) -> bool:
        """Return whether a segment is a prefix or suffix, or lies in a tight one: a part of a cheapest way is one itself."""
        count, (_, _, walled, objective) = len(self._states) - 1, key
        for kind in self.kinds if objective == self.objectives[0] else ():
            if kind.affix is not None:
                known = kind.affix.proved(self._states, self._spent)
                tight, itself = (
                    (known >= end, begin == 0) if kind.affix.reverse else (count - known <= begin, end == count)
                )
                if tight or (itself and not walled):
                    return True
        return False
