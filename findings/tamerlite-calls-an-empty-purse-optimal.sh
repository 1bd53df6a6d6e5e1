#!/usr/bin/env bash
# TamerLite, a new planner for unified-planning, calls the worst plan optimal when the metric is a final value.
#
# One would guess: the anytime planner improves its plan until none is better, and then says SOLVED_OPTIMALLY. Maximising an
#   expression of the final state is in the planner's list of supported problems.
# What happens: for the next plan it demands the better value of the goal, and of every action as a precondition too. For a
#   cost, which only grows, that is a sound cut. A final value is reached on the way: no action may start before the purse is
#   fuller than it will ever be, so nothing can be done, and the search that ends at once is taken for a proof. Below, one
#   may take two coins and leave; the plan is to leave, with 0 coins, optimally. As a cost of coins left behind, the same
#   task is solved well: both are taken. The library's own simulator shows the plan with 2 coins. Nothing warns.
# For whom: whoever maximises a score or a stock, or minimises what is left over, and reads the status as a proof.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q tamerlite==0.1.1 unified-planning==1.3.0.558.dev1

cat >purse.py <<'END'
from itertools import permutations

from tamerlite.engine import TamerLite
from unified_planning.shortcuts import (
    AnytimePlanner,
    Fluent,
    InstantaneousAction,
    Int,
    IntType,
    MaximizeExpressionOnFinalState,
    MinimizeActionCosts,
    Minus,
    Not,
    Problem,
    SequentialSimulator,
    get_environment,
)

get_environment().credits_stream = None
get_environment().factory.add_engine("tamerlite", "tamerlite.engine", "TamerLite")


def task(*, as_cost):
    gone, coins = Fluent("gone"), Fluent("coins", IntType())
    problem = Problem("purse")
    problem.add_fluent(gone, default_initial_value=False)
    problem.add_fluent(coins, default_initial_value=0)
    for name in ("left", "right"):
        taken, take = Fluent(f"taken_{name}"), InstantaneousAction(f"take_{name}")
        problem.add_fluent(taken, default_initial_value=False)
        take.add_precondition(Not(taken))
        take.add_precondition(Not(gone))
        take.add_effect(taken, True)
        take.add_increase_effect(coins, 1)
        problem.add_action(take)
    leave = InstantaneousAction("leave")
    leave.add_precondition(Not(gone))
    leave.add_effect(gone, True)
    problem.add_action(leave)
    problem.add_goal(gone)
    metric = MinimizeActionCosts({leave: Minus(2, coins)}, default=Int(0)) if as_cost else MaximizeExpressionOnFinalState(coins())
    problem.add_quality_metric(metric)
    return problem


def coins_at_the_end(problem, names):
    with SequentialSimulator(problem) as simulator:
        state = simulator.get_initial_state()
        for name in names:
            state = state and simulator.apply(state, problem.action(name))
        return state.get_value(problem.fluent("coins")()).constant_value() if state and simulator.is_goal(state) else None


for as_cost in (False, True):
    problem = task(as_cost=as_cost)
    with AnytimePlanner(name="tamerlite") as planner:
        *_, last = planner.get_solutions(problem, timeout=60)
    names = [step.action.name for step in last.plan.actions]
    words = f"supported {TamerLite.supports(problem.kind)}, {last.status.name}, {coins_at_the_end(problem, names)} coins"
    print("cost:" if as_cost else "final value:", words)
actions = [action.name for action in problem.actions]
ends = [coins_at_the_end(problem, names) for size in range(4) for names in permutations(actions, size)]
print("all plans by the simulator:", *sorted(end for end in ends if end is not None))
END

venv/bin/pip list 2>/dev/null | grep -iE '^(tamerlite|unified.planning) '
venv/bin/python -W ignore purse.py | tee out

grep -qx "cost: supported True, SOLVED_OPTIMALLY, 2 coins" out
grep -qx "all plans by the simulator: 0 1 1 2 2" out
grep -qx "final value: supported True, SOLVED_OPTIMALLY, 0 coins" out || {
  echo "a final value is maximised now"
  exit 1
}
