"""All plans of the least cost: how many there are, with which tie-break, and each of them in turn.

A plan is the sequence of positions it goes through, one a slide or a unit; equal pieces are interchangeable, nor are two paths
of one slide. Ties are broken by the other objective: among the plans of fewest slides those of fewest units, and the other way
round. Units by the same piece one after the other are one slide, so there the piece that moved last belongs to a node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from sokoasp.core.errors import counted
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Result, Status
from sokoasp.klotski.board import OBJECTIVES, Board
from sokoasp.klotski.search import Exploration, explore, plan_through, solve
from sokoasp.klotski.slide_plan import Plan
from sokoasp.klotski.space import Space

MOST = 100_000
"""Plans that are written out when all are asked for; they are counted all the same."""
Node = tuple[int, int]
"""A position and, for units broken by slides, the bit of the piece that moved last (else 0)."""


@dataclass(frozen=True, slots=True)
class AllPlans:
    """The plans of least cost of one board."""

    space: Space = field(repr=False)
    value: int | None
    """Slides or units of each plan; None without any plan, or when a limit came first."""
    tie: int | None
    """The other cost of each plan when ties are broken; None else."""
    count: int
    """How many plans there are."""
    stopped_by: str | None = None
    ends: tuple[Node, ...] = field(default=(), repr=False)
    before: dict[Node, list[Node]] = field(default_factory=dict, repr=False)

    def __iter__(self) -> Iterator[Plan]:
        """Yield every plan once, each made only when it is asked for."""
        for end in self.ends:
            for keys in self._back(end):
                yield plan_through(self.space, keys[::-1])

    def _back(self, end: Node) -> Iterator[list[int]]:
        """Yield the positions of every plan that ends here, last to first (a stack of its own: plans are long)."""
        trail = [end]
        choices = [iter(self.before[end])]
        while trail:
            if not self.before[trail[-1]]:
                yield [key for key, _ in trail]
            following = next(choices[-1], None)
            if following is None:
                trail.pop()
                choices.pop()
            else:
                trail.append(following)
                choices.append(iter(self.before[following]))


def all_plans(
    board: Board, objective: str = "slides", *, then: str | None = None, limits: Limits | None = None
) -> AllPlans:
    """Count all plans of the fewest slides or units, or those among them that are best by ``then``, and make them at hand.

    Raises:
        ValueError: An objective is unknown, or ``then`` is the objective itself.
    """
    if objective not in OBJECTIVES or then not in (None, *OBJECTIVES) or then == objective:
        raise ValueError(f"no objective {objective!r} then {then!r}; there are {', '.join(OBJECTIVES)}")
    clock = (limits or Limits()).start()
    space = Space(board, sliding=objective == "slides", mirrored=False)
    seen = explore(space, clock)
    if seen.goal is None:
        return AllPlans(space, None, None, 0, seen.stopped)
    layers = _on_shortest_ways(space, seen, clock)
    if layers is None:
        return AllPlans(space, None, None, 0, clock.over() or "time")
    return _counted(space, layers, then)


def _on_shortest_ways(space: Space, seen: Exploration, clock: Clock) -> list[set[int]] | None:
    """Return for each distance the positions that lie on a plan of least cost; None when a limit came first."""
    all_blank, depth = space.all_blank, len(seen.layers) - 1
    layers: list[set[int]] = [{space.start}]
    known = {space.start}
    onward: list[dict[int, list[int]]] = []
    for _ in range(depth):
        if clock.over():
            return None
        following: dict[int, list[int]] = {}
        for key in layers[-1]:
            for bit, change, _image in space.moves(key & all_blank):
                if key & bit and (new := key ^ change) not in known:
                    following.setdefault(new, []).append(key)
        known |= following.keys()
        layers.append(set(following))
        onward.append(following)
    useful = {key for key in layers[-1] if space.solved(key)}
    kept = [useful]
    for following in reversed(onward):
        useful = {key for new in useful for key in following[new]}
        kept.append(useful)
    return kept[::-1]


def _counted(space: Space, layers: list[set[int]], then: str | None) -> AllPlans:
    """Go through the layers with the least second cost of each node and the number of ways to have it."""
    start: Node = (space.start, 0)
    cost: dict[Node, int] = {start: 0}
    ways: dict[Node, int] = {start: 1}
    before: dict[Node, list[Node]] = {start: []}
    front = [start]
    for layer in layers[1:]:
        following: list[Node] = []
        for node in front:
            for new, extra in _steps(space, node, layer, then):
                total = cost[node] + extra
                if new not in cost:
                    following.append(new)
                if new not in cost or total < cost[new]:
                    cost[new], ways[new], before[new] = total, 0, []
                if total == cost[new]:
                    ways[new] += ways[node]
                    before[new].append(node)
        front = following
    best = min(cost[node] for node in front)
    ends = tuple(node for node in front if cost[node] == best)
    tie = best if then else None
    return AllPlans(space, len(layers) - 1, tie, sum(ways[end] for end in ends), None, ends, before)


def _steps(space: Space, node: Node, layer: set[int], then: str | None) -> Iterator[tuple[Node, int]]:
    """Yield the nodes of the next layer one move on, each with what the move costs by the second objective."""
    key, mover = node
    for bit, change, _image in space.moves(key & space.all_blank):
        new = key ^ change
        if key & bit and new in layer:
            if then == "slides":
                yield (new, (change & ~space.all_blank) ^ bit), int(bit != mover)
            elif then == "units":
                yield (new, 0), len(space.path(*space.pieces_moved(key, new), key & space.all_blank))
            else:
                yield (new, 0), 0


def solve_all(
    board: Board, objective: str = "slides", models: int = 1, then: str | None = None, limits: Limits | None = None
) -> Result:
    """Find ``models`` plans of the least cost (0: all, up to ``MOST``), ties broken if asked for, and say how many there are.

    Raises:
        ValueError: An objective is unknown.
    """
    clock = (limits or Limits()).start()
    found = all_plans(board, objective, then=then, limits=limits)
    if found.value is None:
        return solve(board, objective, limits)
    plans: list[Plan] = []
    stopped = None
    try:
        for plan in islice(found, models or MOST):
            plans.append(plan)
            if len(plans) % 64 == 0 and (stopped := clock.over()):
                break
    except KeyboardInterrupt:
        stopped = "interrupt"
    cost = counted(found.value, objective) + (f" and {counted(found.tie or 0, then)}" if then else "")
    verb = "is" if found.count == 1 else "are"
    proof = f"breadth-first search met no goal nearer; there {verb} {counted(found.count, 'plans')} of {cost}"
    return Result(
        status=Status.OPTIMAL,
        objective=objective,
        engine="native",
        value=found.value,
        lower_bound=found.value,
        plan=plans[0],
        plans=tuple(plans) if models != 1 else (),
        proof=proof + (f", {len(plans)} of them given" if len(plans) < found.count else ""),
        stopped_by=stopped,
        seconds={"total": clock.elapsed},
        counters={"plans": found.count},
    )
