"""The oracle: plain breadth-first search by the rules, nothing pruned, nothing clever.

Tests take its answers as the truth and ``--cross-check`` uses it on small levels. States are (boxes, player region) for
``lines`` and ``pushes`` and (boxes, player cell) for ``moves``; every edge costs one, so the first solved state is optimal and
an exhausted search proves that there is no plan.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from sokoasp.core import progress
from sokoasp.core.bounds import certified
from sokoasp.core.limits import Limits
from sokoasp.core.result import Result
from sokoasp.sokoban import rules
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.plan import Plan, Push
from sokoasp.sokoban.rules import State

Successors = Callable[[Level, State], Iterator[tuple[Push | str, State]]]
NOTED = 64
"""States expanded between two notes of progress."""
_Came = dict[State, tuple[State, Push | str] | None]


def _by(pushes: Callable[[Level, State], Iterator[tuple[Push, State]]]) -> Successors:
    """Return the states after such pushes, wherever in its region the player is left."""
    return lambda level, state: ((push, rules.canonical(level, after)) for push, after in pushes(level, state))


SUCCESSORS: dict[str, Successors] = {
    "lines": _by(rules.line_pushes),
    "pushes": _by(rules.unit_pushes),
    "moves": rules.moves,
}


def start(level: Level, objective: str) -> State:
    """Return the start state in the form this objective distinguishes states."""
    state = rules.initial(level)
    return state if objective == "moves" else rules.canonical(level, state)


def solve(level: Level, objective: str = "lines", limits: Limits | None = None) -> Result:
    """Find a plan with the fewest lines, pushes or moves, or prove that there is none.

    ``limits.states`` bounds the number of states kept (default 200,000).
    """
    clock = (limits or Limits()).start()
    most = 200_000 if clock.limits.states is None else clock.limits.states
    first = start(level, objective)
    came: _Came = {first: None}
    queue = deque([(first, 0)])
    plan: Plan | None = None
    stopped: str | None = None
    expanded = bound = 0
    while queue and not stopped:
        state, bound = queue.popleft()
        if rules.solved(level, state.boxes):
            plan = _plan(level, came, state)
            break
        if stopped := clock.over() or ("states" if len(came) > most else None):
            break
        expanded += 1
        if expanded % NOTED == 0:
            progress.note(stage="searching", bound=bound, expanded=NOTED)
        for number, (step, after) in enumerate(SUCCESSORS[objective](level, state), 1):
            if number % 4 == 0 and (stopped := clock.over()):
                break
            if after not in came:
                came[after] = (state, step)
                queue.append((after, bound + 1))
    proof: str | None = f"all {len(came)} reachable states were searched and none is solved"
    if plan is not None:
        proof = f"breadth-first search met no solved state nearer than {bound}"
    return certified(
        objective,
        "reference",
        None if plan is None else bound,
        bound,
        plan=plan,
        none=plan is None and not stopped,
        stopped_by=stopped,
        proof=None if stopped else proof,
        seconds={"total": clock.elapsed},
        counters={"expanded": expanded, "states": len(came)},
    )


def _plan(level: Level, came: _Came, state: State) -> Plan:
    steps: list[Push | str] = []
    link = came[state]
    while link is not None:
        steps.append(link[1])
        link = came[link[0]]
    steps.reverse()
    if all(isinstance(step, str) for step in steps):
        return rules.plan_from_lurd(level, "".join(str(step) for step in steps))
    plan = rules.plan_from_pushes(level, (step for step in steps if isinstance(step, Push)))
    return rules.merged(level, plan)
