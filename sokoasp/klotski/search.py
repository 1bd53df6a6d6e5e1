"""Native search: breadth first, one edge a slide or a unit, so that the first goal position is at the least distance.

Source: the Hua Rong Dao paper, whose depth-first search is replaced; see ``tests/studies/mistake.py`` for why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from sokoasp.core import progress
from sokoasp.core.bounds import certified
from sokoasp.core.errors import counted
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Result, require_objective
from sokoasp.klotski.board import OBJECTIVES, Board
from sokoasp.klotski.slide_plan import Slide
from sokoasp.klotski.space import Space

_LOOK_AT_CLOCK = 64
"""Positions between two looks at the limits: with many blanks one position takes 20 ms."""


@dataclass(slots=True)
class Exploration:
    """What a breadth-first search has seen."""

    parents: dict[int, int] = field(default_factory=dict)
    """The position before each one."""
    layers: list[int] = field(default_factory=list)
    """New positions at each distance."""
    goal: int | None = None
    goals: int = 0
    stopped: str | None = None

    @property
    def states(self) -> int:
        """Return the number of positions seen."""
        return sum(self.layers)


def explore(space: Space, clock: Clock, seen: Exploration | None = None, *, to_the_end: bool = False) -> Exploration:
    """Search breadth first to the nearest goal position, or through all positions and count the goals among them.

    ``seen`` says at any time how far the search is: a layer is in it once its goals are looked at.
    """
    seen = Exploration() if seen is None else seen
    parents, all_blank, limits = seen.parents, space.all_blank, clock.limits
    known = space._moves
    need, some = space.need, space.any_of
    parents[space.start] = space.start
    frontier = [space.start]
    while frontier:
        found = [key for key in frontier if key & need == need and (not some or space.solved(key))]
        seen.goals += len(found)
        if found and not to_the_end:
            seen.goal = found[0]
        seen.layers.append(len(frontier))
        if seen.goal is not None:
            return seen
        if limits.steps is not None and len(seen.layers) > limits.steps:
            seen.stopped = "steps"
            return seen
        progress.note(stage="searching", bound=len(seen.layers), expanded=len(frontier))
        following: list[int] = []
        for count, key in enumerate(frontier):
            if count % _LOOK_AT_CLOCK == 0 and (stopped := clock.over(seen.states + len(following))):
                seen.stopped = stopped
                return seen
            blanks = key & all_blank
            for bit, change in known.get(blanks) or space.moves(blanks):
                if key & bit and (new := key ^ change) not in parents:
                    parents[new] = key
                    following.append(new)
        frontier = following
    return seen


def solve(board: Board, objective: str = "slides", limits: Limits | None = None) -> Result:
    """Find a plan with the fewest slides or units, or prove that there is none.

    ``limits.states`` bounds the positions kept, ``limits.steps`` the length of the plan. Ctrl-C
    ends the search with what is refuted by then.
    ValueError if the objective is unknown.
    """
    require_objective(objective, OBJECTIVES)
    clock = (limits or Limits()).start()
    space = Space(board, sliding=objective == "slides")
    seen = Exploration()
    try:
        explore(space, clock, seen)
    except KeyboardInterrupt:
        seen.goal, seen.stopped = None, "interrupt"
    depth, solved = len(seen.layers) - 1, seen.goal is not None
    return certified(
        objective,
        "native",
        depth if solved else None,
        depth if solved else depth + 1,  # below the layers searched there is no goal
        plan=plan_to(space, seen) if solved else None,
        none=not (solved or seen.stopped),
        stopped_by=None if seen.stopped == "steps" else seen.stopped,
        proof=_proof(seen, depth, objective),
        seconds={"total": clock.elapsed},
        counters={"states": seen.states, "depth": depth},
    )


def _proof(seen: Exploration, depth: int, objective: str) -> str | None:
    seen_ones = counted(seen.states, "positions")
    if seen.goal is not None:
        return f"breadth-first search through {seen_ones} met no goal nearer than {counted(depth, objective)}"
    return {
        None: f"all {seen_ones} that can be reached were searched and none is a goal",
        "steps": f"breadth-first search met no goal within {counted(depth, objective)}",
    }.get(seen.stopped)


def plan_to(space: Space, seen: Exploration) -> tuple[Slide, ...]:
    """Return the slides that lead from the start to the goal position that was found."""
    keys = [seen.goal if seen.goal is not None else space.start]
    while keys[-1] != space.start:
        keys.append(seen.parents[keys[-1]])
    return plan_through(space, keys[::-1])


def plan_through(space: Space, keys: Sequence[int]) -> tuple[Slide, ...]:
    """Return the slides that lead from the start through these neighbouring positions."""
    board = space.board
    standing = {(at, board.number(p.corner)): p.name for at, kind in enumerate(space.kinds) for p in kind.members}
    plan = []
    for before, after in pairwise(keys):
        gone, come = (before & ~after) >> space.cells, (after & ~before) >> space.cells
        kind, here = divmod(gone.bit_length() - 1, space.cells)
        there = (come.bit_length() - 1) % space.cells
        name = standing[kind, there] = standing.pop((kind, here))
        path = space.path(kind, here, there, before & space.all_blank)
        plan.append(Slide(name, board.cell(here), board.cell(there), path))
    return tuple(plan)
