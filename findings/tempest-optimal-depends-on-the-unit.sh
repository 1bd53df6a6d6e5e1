#!/usr/bin/env bash
# TemPEST's optimal planner proves another plan optimal when the same costs are given in kilometres instead of metres.
#
# One would guess: dividing all costs by 1000 changes no optimum. The engine declares that it satisfies an optimality guarantee
#   and that it takes real costs, and the library hands them on as exact fractions.
# What happens: for each bound the optimiser may leave the rest of the way to an abstract step, and has to prefer plans without it
#   where the costs are equal. By default ("weighted") that is done in one sum: using the abstract step costs 0.001 more, in
#   whatever unit. So a plan that fits the first bound wins over a cheaper longer one by up to 0.001, the search ends, and the
#   status is SOLVED_OPTIMALLY. Below, one may walk in three steps of 1 m or go round in one of 4 m. In metres the answer
#   is 3, in kilometres 0.004 where 0.003 is possible; three steps of 3 mm lose to a metre, a hundred times as much. In
#   metres a way round of 3.0004 wins as well. The README says that this "secondary objective" guides the optimization beyond
#   the main one; with "lexicographic" or without any, all answers are right. Nothing warns.
# For whom: whoever has costs in large units (tonnes, hours, kilometres) or small ones that differ in the fourth place (fees, risks),
#   and reads the status as a proof.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q up-tempest==0.1.0 unified-planning==1.3.0

cat >units.py <<'END'
import warnings
from fractions import Fraction

warnings.simplefilter("ignore")
from unified_planning.shortcuts import *

get_environment().credits_stream = None
get_environment().factory.add_engine("tempest-opt", "tempest.engine", "TempestOptimal")


def task(round_about, step):
    """One may go from the first place to the last by three steps or by one way round."""
    problem = Problem("ways")
    places = [problem.add_fluent(f"at{number}", default_initial_value=False) for number in range(4)]
    problem.set_initial_value(places[0], True)
    problem.add_goal(places[3])
    costs = {}
    for name, start, end, cost in [("round", 0, 3, round_about), *((f"step{at}", at, at + 1, step) for at in range(3))]:
        action = InstantaneousAction(name)
        action.add_precondition(places[start])
        action.add_effect(places[end], True)
        problem.add_action(action)
        costs[action] = Real(Fraction(cost))
    problem.add_quality_metric(MinimizeActionCosts(costs))
    return problem


for name, round_about, step in (
    ("metres", "4", "1"),
    ("kilometres", "0.004", "0.001"),
    ("small steps in kilometres", "0.001", "0.000003"),
    ("near", "3.0004", "1"),
):
    problem = task(round_about, step)
    for secondary in ("weighted", "lexicographic", None):
        parameters = {} if secondary == "weighted" else {"secondary_objective": secondary}
        with OneshotPlanner(name="tempest-opt", params=parameters) as planner:
            answer = planner.solve(problem)
        with PlanValidator(problem_kind=problem.kind, plan_kind=answer.plan.kind) as validator:
            (cost,) = validator.validate(problem, answer.plan).metric_evaluations.values()
        steps = " ".join(step.action.name for step in answer.plan.actions)
        print(f"{name}, {secondary}: {answer.status.name}, {steps}, cost {float(cost):g}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(up.tempest|unified.planning|z3.solver) '
venv/bin/python units.py | tee out

grep -qx "metres, weighted: SOLVED_OPTIMALLY, step0 step1 step2, cost 3" out
for secondary in lexicographic None; do
  grep -qx "kilometres, $secondary: SOLVED_OPTIMALLY, step0 step1 step2, cost 0.003" out
  grep -qx "near, $secondary: SOLVED_OPTIMALLY, step0 step1 step2, cost 3" out
done
if ! grep -qx "kilometres, weighted: SOLVED_OPTIMALLY, round, cost 0.004" out ||
  ! grep -qx "near, weighted: SOLVED_OPTIMALLY, round, cost 3.0004" out; then
  echo "the optimum no longer depends on the unit"
  exit 1
fi
