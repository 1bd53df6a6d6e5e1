"""Labelled boxes, each with a goal of its own: boxes pushed home one after the other, then A* over who stands where.

A state is the boxes' cells in the order of their labels, then those of the boxes without one, and where the player is. The
bound is the sum of the single ways, so no matching is needed. Plain Python: right for every level, quick for few boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from sokoasp.core import progress
from sokoasp.core.bounds import certified
from sokoasp.core.guard import LimitReached, guarded
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.plurals import counted
from sokoasp.core.result import Result
from sokoasp.sokoban import grid, rules
from sokoasp.sokoban.level import BY_LETTER, DIRECTIONS, Cell, Level, reachable
from sokoasp.sokoban.plan import Plan, Push
from sokoasp.sokoban.search.satisficing.box_by_box import Steps

ENGINES = ("native", "any", "reference")
"""``any`` ends with the first plan; ``reference`` asks for none beforehand."""
STATES = 2_000_000
"""States kept where no limit says otherwise."""
WORK = 300_000
"""Cells looked at for one way of one box."""
NOTED = 256
"""States expanded between two notes of progress."""


class State(NamedTuple):
    """Numbers of the boxes' cells, labelled ones first, and of the player's: the least it can walk to, or for moves its own."""

    boxes: tuple[int, ...]
    player: int


def solve(level: Level, objective: str, limits: Limits, *, engine: str = "native", upper: Plan | None = None) -> Result:
    """Solve a level with labelled boxes.

    Raises:
        ValueError: The engine takes boxes that are alike only.
    """
    if engine not in ENGINES:
        raise ValueError(f"it takes boxes that are alike; labelled ones are for {', '.join(ENGINES)}, asp and sat")
    clock = limits.start()
    known = upper
    search = None
    stopped: str | None = None
    try:
        with guarded(clock):
            if known is None and engine != "reference" and not level.solved:
                known = one_by_one(level, clock)
            if engine != "any" or known is None:
                search = _Search(level, objective)
                stopped = search.run(clock, greedy=engine == "any")
                better = search.plan is not None and (
                    known is None or search.plan.cost(objective) < known.cost(objective)
                )
                known = search.plan if better else known
    except LimitReached as reached:
        stopped = reached.what
    except KeyboardInterrupt:
        stopped = "interrupt"
    return replace(_result(engine, objective, known, search, stopped), seconds={"total": clock.elapsed})


def _result(engine: str, objective: str, plan: Plan | None, search: _Search | None, stopped: str | None) -> Result:
    """Return what plan, bound and the end of the search amount to."""
    counters = {"expanded": 0, "states": 0}
    lower, none, proof = 0, False, None
    if search is not None:
        counters = {"expanded": search.expanded, "states": len(search.cost)}
        lower = search.bound
        none = stopped is None and plan is None
        if none:
            proof = f"all {len(search.cost)} states from which each labelled box can still come home were searched"
        elif plan is not None and lower >= plan.cost(objective):
            proof = f"A* met no solved state nearer than {counted(lower, objective)}"
    value = None if plan is None else plan.cost(objective)
    if stopped == "first plan":
        stopped = None
    return certified(
        objective, engine, value, lower, none=none, plan=plan, stopped_by=stopped, proof=proof, counters=counters
    )


class _Search:
    """A* (or greedy search) over labelled states."""

    def __init__(self, level: Level, objective: str) -> None:
        self.level, self.objective = level, objective
        self.grid = grid.build(level)
        self.first, self.side = grid.push_states(self.grid)
        index = self.grid.index
        self.homes = tuple(index[goal] for _, goal in level.assigned)
        tables = grid.goal_distances(self.grid, lines=objective == "lines")
        self.ways = [tables[home] for home in self.homes]
        labelled = [index[box] for box, _ in level.assigned]
        others = sorted(set(self.grid.boxes).difference(labelled))
        self.start = self._state([*labelled, *others], self.grid.player)
        self.cost: dict[State, int] = {self.start: 0}
        self.came: dict[State, tuple[State, int, int, int]] = {}
        """State → the one before, box number, direction and length of the push between."""
        self.bound = 0
        self.expanded = 0
        self.plan: Plan | None = None

    def run(self, clock: Clock, *, greedy: bool) -> str | None:
        """Search until the best plan is found, all is searched or a limit is reached, which is returned."""
        number = count()
        left = self._left(self.start)
        heap = [] if left is None else [(left, left, next(number), self.start)]
        most = clock.limits.states or STATES
        done: set[State] = set()
        while heap:
            rank, left, _, state = heappop(heap)
            if state in done:
                continue
            done.add(state)
            if not greedy:
                # an admissible heuristic: no plan is cheaper than the least f on the open list
                self.bound = max(self.bound, rank)
            if state.boxes[: len(self.homes)] == self.homes:
                self.plan = self._plan(state)
                return "first plan" if greedy else None
            self.expanded += 1
            if self.expanded % NOTED == 0:
                progress.note(stage="searching labelled boxes", bound=self.bound, expanded=NOTED)
                if stopped := clock.over():
                    return stopped
            if len(self.cost) > most:
                return "states"
            for after, price, how in self._after(state):
                spent = self.cost[state] + price
                # the heuristic need not be consistent: a state met again more cheaply is opened again
                if spent < self.cost.get(after, spent + 1) and (left := self._left(after)) is not None:
                    self.cost[after], self.came[after] = spent, (state, *how)
                    done.discard(after)
                    heappush(heap, (left if greedy else spent + left, left, next(number), after))
        return None

    def _left(self, state: State) -> int | None:
        """Return a lower bound on what is left, None where a labelled box cannot come home any more."""
        total = 0
        for box, way in zip(state.boxes, self.ways, strict=False):
            # the box's way home depends on the side of it that the player can reach
            found = way.get(self.side[box][state.player])
            if found is None:
                return None
            total += found
        return total

    def _state(self, boxes: list[int], player: int) -> State:
        # boxes without a label are alike: sorted, so that their order makes no further states; for pushes and lines the
        # player's region stands for the player's cell
        labels = len(self.homes)
        cells = (*boxes[:labels], *sorted(boxes[labels:]))
        return State(cells, player if self.objective == "moves" else min(self._walks(cells, player)))

    def _walks(self, boxes: tuple[int, ...], player: int) -> dict[int, int]:
        """Return the player's distance to each cell it can walk to."""
        step, wall, taken = self.grid.step, self.grid.size, set(boxes)
        found = {player: 0}
        queue = [player]
        for cell in queue:
            for way in step:
                to = way[cell]
                if to != wall and to not in found and to not in taken:
                    found[to] = found[cell] + 1
                    queue.append(to)
        return found

    def _after(self, state: State) -> Iterator[tuple[State, int, tuple[int, int, int]]]:
        """Yield what an action leads to, what it costs, and (box number, direction, cells)."""
        walks = self._walks(state.boxes, state.player)
        taken, wall = set(state.boxes), self.grid.size
        for number, box in enumerate(state.boxes):
            for d in range(4):
                behind = self.grid.step[grid.OPPOSITE[d]][box]
                if behind not in walks:
                    continue
                price = walks[behind] + 1 if self.objective == "moves" else 1
                onward, length, last = self.grid.step[d], 1, box
                to = onward[box]
                while to != wall and to not in taken:
                    # a line of any length is one action where lines are counted; else the push of one cell is
                    boxes = list(state.boxes)
                    boxes[number] = to
                    yield self._state(boxes, last), price, (number, d, length)
                    if self.objective != "lines":
                        break
                    last, to, length = to, onward[to], length + 1

    def _plan(self, state: State) -> Plan:
        """Return the way to a state, its pushes carried out by the rules."""
        pushes: list[Push] = []
        while state in self.came:
            before, number, d, length = self.came[state]
            box = self.grid.cells[before.boxes[number]]
            pushes.append(Push(box, DIRECTIONS[d], box.step(DIRECTIONS[d], length)))
            state = before
        return rules.merged(self.level, rules.plan_from_pushes(self.level, reversed(pushes)))


def one_by_one(level: Level, clock: Clock) -> Plan | None:
    """Push each labelled box home in one go, in an order that is searched for; None if none is found, which proves nothing.

    A box that is home stands there for good, so an order is given up where it cuts another box off from its goal: each box has a
    way that is known to be open but for boxes that are still to go, and another is looked for only when a box stands on that.
    """
    return _OneByOne(level, clock).plan()


class _OneByOne:
    """The search for the order."""

    def __init__(self, level: Level, clock: Clock) -> None:
        self.level, self.clock = level, clock
        self.steps = Steps(level)
        self.goal = dict(level.assigned)
        self.failed: set[tuple[frozenset[Cell], Cell]] = set()

    def plan(self) -> Plan | None:
        """Return the plan of the first order that goes through."""
        boxes = self.level.boxes
        todo = frozenset(box for box, goal in self.goal.items() if box != goal)
        moves = self._go(todo, boxes, self.level.player, {})
        return None if moves is None else rules.plan_from_lurd(self.level, moves)

    def _way(self, boxes: frozenset[Cell], box: Cell, player: Cell) -> str | None:
        self.steps.left = WORK
        return self.steps.way(boxes, box, self.goal[box], player)

    def _go(
        self, todo: frozenset[Cell], boxes: frozenset[Cell], player: Cell, open_ways: dict[Cell, frozenset[Cell]]
    ) -> str | None:
        """Push one box after the other home; ``open_ways``: cells of a way for each box that is to go."""
        if not todo:
            return ""
        # boxes that have gone stand on their goals: those to go and the player's region are the whole state
        key = todo, min(reachable(player, self.level.floor - boxes))
        if key in self.failed or self.clock.over():
            return None
        for box in sorted(todo, key=lambda box: (box.manhattan(self.goal[box]), box)):
            way = self._way(boxes, box, player)
            if way is None:
                continue
            goal = self.goal[box]
            stands = goal.step(BY_LETTER[way[-1].lower()].opposite)
            rest, after = todo - {box}, boxes - {box} | {goal}
            # the box that came home may have closed the way of one that is still to go
            kept = self._still_open(rest, after, stands, goal, open_ways)
            if kept is None:
                continue
            further = self._go(rest, after, stands, kept)
            if further is not None:
                return way + further
        self.failed.add(key)
        return None

    def _still_open(
        self,
        todo: frozenset[Cell],
        boxes: frozenset[Cell],
        player: Cell,
        filled: Cell,
        known: dict[Cell, frozenset[Cell]],
    ) -> dict[Cell, frozenset[Cell]] | None:
        """Return a way for each box that is to go, were those alone that stay; None where one has none."""
        kept = dict(known)
        for box in todo:
            if box in kept and filled not in kept[box]:
                continue
            way = self._way(boxes - todo | {box}, box, player)
            if way is None:
                return None
            kept[box] = frozenset(_visited(player, box, way))
        return kept


def _visited(player: Cell, box: Cell, moves: str) -> Iterator[Cell]:
    """Yield the cells that player and box come over."""
    for letter in moves:
        player = player.step(BY_LETTER[letter.lower()])
        yield player
        if player == box:
            box = box.step(BY_LETTER[letter.lower()])
            yield box
