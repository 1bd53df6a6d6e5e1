"""A plan made shorter by local search over its macro pushes.

First plans park boxes that could have gone on, or far away. The plan is written as macro pushes (one box, the others standing);
two journeys of one box become one, or meet on another cell, or two boxes change the cells on which they end; then all that
follows is played again. What can be played and costs fewer pushes is kept. It proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from sokoasp.core.limits import Clock
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan
from sokoasp.sokoban.search.improvement.windows import states
from sokoasp.sokoban.search.model import push_board
from sokoasp.sokoban.search.model.options import Options
from sokoasp.sokoban.search.satisficing import macro_registers as at
from sokoasp.sokoban.search.satisficing import macro_workspace
from sokoasp.sokoban.search.satisficing.macro_registers import W
from sokoasp.sokoban.search.satisficing.macro_workspace import Guidance, MacroWorkspace, any_order

LOOK = 2_000
"""Macro pushes played between two looks at the clock, some hundredths of a second."""
QUICK = 20
"""Looks for a first plan."""

Row = tuple[int, int, int]
"""A macro push: the box's cell before and after, and the player's beside it at the end, -1 for any."""


@dataclass(slots=True)
class MacroRewriter:
    """Looks for shorter sequences of macro pushes; ``steps`` is the best so far."""

    level: Level
    options: Options
    steps: list[Row] = field(default_factory=list)
    played: int = 0
    """Macro pushes played: the effort."""
    workspace: MacroWorkspace = field(init=False)
    _costs: list[int] = field(default_factory=list)
    """Pushes of each step."""
    _before: list[tuple[frozenset[int], int]] = field(default_factory=list)
    """Boxes and player before each step, and at the end."""

    def __post_init__(self) -> None:
        """Allocate the scratch."""
        board = push_board.build(self.level)
        self.workspace = MacroWorkspace(board, macro_workspace.load(self.options), any_order(board), Guidance(at.PLAIN))
        self._before = [(frozenset(board.boxes), board.player)]

    @property
    def cost(self) -> int:
        """Return the pushes of the best sequence."""
        return sum(self._costs)

    def take(self, plan: Plan) -> bool:
        """Begin with a plan; return whether macro pushes can play it (a box that leaves the live cells cannot be followed)."""
        number = {cell: index for index, cell in enumerate(self.workspace.board.cells)}
        steps: list[Row] = []
        for push in plan.actions:
            came, to = number[push.box], number[push.to]
            # a box that comes back to where it was has changed where the player can go: that stays two steps
            if steps and steps[-1][1] == came and steps[-1][0] != to:
                came = steps.pop()[0]
            steps.append((came, to, number[push.to.step(push.direction.opposite)]))
        return self._keep(0, steps)

    def plan(self) -> Plan:
        """Return the plan of the best sequence."""
        b = self.workspace
        boxes, player = tuple(b.board.boxes), b.board.player
        states = [boxes]
        for step in self.steps:
            states += b.pushed(boxes, player, step)
            boxes, player = states[-1], step[2]
        return push_board.plan_of(self.level, b.board, states)

    def rounds(self) -> Iterator[bool]:
        """Try all rewritings until none is shorter; after each of them yield whether it was."""
        gained = True
        while gained:
            gained, later = False, 0
            while later < len(self.steps):
                # what was shortened is looked at again
                for first, steps in self._rewritings(later):
                    better = self._try(first, later, steps)
                    gained = gained or better
                    yield better
                    if better:
                        break
                else:
                    later += 1

    def _rewritings(self, later: int) -> Iterator[tuple[int, list[Row]]]:
        """Yield what may be played instead of the steps up to this one, and from which step on."""
        came, to, stand = self.steps[later]
        first = next((i for i in range(later - 1, -1, -1) if self.steps[i][1] == came), None)
        if first is not None:
            # Step 1. One journey instead of two, at any time between them
            start, between = self.steps[first][0], self.steps[first + 1 : later]
            whole = [] if start == to else [(start, to, -1)]
            for at_once in range(len(between) + 1) if whole else (0,):
                yield first, [*between[:at_once], *whole, *between[at_once:]]
            # Step 2. Another cell between the two
            room = self._costs[first] + self._costs[later]
            for cell in self._halfway(start, to, room):
                yield first, [(start, cell, -1), *between, (cell, to, stand)]
        # Step 3. Two boxes change the cells on which they end, in either order
        for other in range(later):
            a, b, _ = self.steps[other]
            if b == came or self._far(a, to) + self._far(came, b) >= self._costs[other] + self._costs[later]:
                continue
            rest = self.steps[other + 1 : later]
            if any(step[0] in (b, to) for step in (*rest, *self.steps[later + 1 :])):
                continue
            for one, two in (((a, to, -1), (came, b, -1)), ((came, b, -1), (a, to, -1))):
                yield other, [one, *rest, two]

    def _halfway(self, start: int, to: int, room: int) -> list[int]:
        """Return the cells between two others by way of which fewer pushes than ``room`` may do, nearest first."""
        ways = [(self._far(start, cell) + self._far(cell, to), cell) for cell in range(self.workspace.board.live)]
        return [cell for way, cell in sorted(ways) if way < room and cell not in (start, to)]

    def _far(self, a: int, b: int) -> int:
        """Return the steps between two cells without walls."""
        cells = self.workspace.board.cells
        return cells[a].manhattan(cells[b])

    def _try(self, first: int, last: int, steps: list[Row]) -> bool:
        """Play these steps instead of those from ``first`` to ``last``; keep them if the whole is shorter."""
        spent = sum(self._costs[first : last + 1])
        played = self._play(first, steps, spent - 1)
        # only then is what follows played again
        return played is not None and self._keep(first, played[0] + self.steps[last + 1 :])

    def _play(self, first: int, steps: list[Row], most: int) -> tuple[list[Row], list[int]] | None:
        """Play steps from the state before the step ``first``, for ``most`` pushes at most; None if that cannot be done.

        Returns:
            The steps with the cells on which the player ends, and the pushes of each.
        """
        b, (boxes, player) = self.workspace, self._before[first]
        occ, standing = b.bench.bits[0], set(boxes)
        occ[list(boxes)] = 1
        rows: list[Row] = []
        costs: list[int] = []
        for came, to, stand in steps:
            if came == to or came not in standing or to in standing:
                break
            pushes, player = self._push(player, came, to, stand)
            most -= pushes
            if pushes == 0 or most < 0:
                break
            standing ^= {came, to}
            occ[came], occ[to] = 0, 1
            rows.append((came, to, player))
            costs.append(pushes)
        occ[[*boxes, *standing]] = 0
        return (rows, costs) if len(rows) == len(steps) else None

    def _push(self, player: int, came: int, to: int, stand: int) -> tuple[int, int]:
        """Return the pushes of a macro push (0: there is none) and the player's cell after it: ``stand``, if that can be."""
        b = self.workspace
        self.played += 1
        queue, label = b.journey(player, came), b.bench.w[W.LABEL]
        places = queue[(queue >> 2) == to].tolist()
        around = b.board.neighbour[to].tolist()
        wanted = int(label[4 * to + around.index(stand)]) if stand in around else -1
        # the nearest place comes first
        place = next((p for p in places if label[p] == wanted), places[0] if places else -1)
        return (int(b.bench.w[W.PUSHES, place]), around[place & 3]) if place >= 0 else (0, player)

    def _keep(self, first: int, steps: list[Row]) -> bool:
        """Take these steps from ``first`` on if they can be played and the whole is shorter."""
        played = self._play(first, steps, sum(self._costs[first:]) - 1 if self._costs else push_board.INFINITE)
        if played is None:
            return False
        rows, self._costs[first:] = played
        self.steps[first:] = rows
        del self._before[first + 1 :]
        for came, to, stand in rows:
            self._before.append((self._before[-1][0] - {came} | {to}, stand))
        return True


def rewritten(level: Level, plan: Plan, options: Options) -> Iterator[Plan]:
    """Yield the plan at hand after each few thousand macro pushes played, at the end the best that was found.

    Spare boxes end where the plan leaves them.
    """
    *_, end = states(level, plan)
    rewriter = MacroRewriter(replace(level, goals=end.boxes), options)
    if not rewriter.take(plan):
        return
    best, looked = plan, 0
    for _ in rewriter.rounds():
        if rewriter.played - looked >= LOOK:
            best, looked = rewriter.plan() if rewriter.cost < best.pushes else best, rewriter.played
            yield best
    yield rewriter.plan()


def quickly(level: Level, plan: Plan, options: Options, clock: Clock) -> Plan:
    """Return a plan rewritten for a small effort, counted, that does not go over the time."""
    best = plan
    for looks, found in enumerate(rewritten(level, plan, options)):
        best = found
        if looks == QUICK or clock.over():
            break
    return best
