#!/usr/bin/env bash
# Three top-k planners (K*, Forbid-Iterative, SymK) list one plan where three exist: plans with an idle action are left out.
#
# One would guess: asked for the ten cheapest plans, a top-k planner lists ten, or all if there are fewer. A plan is any
#   sequence that leads to the goal; that some have idle actions is why one asks for k, and these planners do list such plans.
# What happens: one may walk, and one may warn, each once. The plans are walk; warn, walk; walk, warn. All three planners
#   list the first and end. Their translator, Fast Downward's, removes every fact that the goal does not depend on and with
#   it each action that is left without an effect; it has an option against that, which none of the three sets. Let a third
#   action need the warning, and the plans with an idle warning are listed as well, by all three. So the number of plans depends
#   on an action that these plans do not use. All three end by themselves, as if there were no more. Nothing warns.
# For whom: whoever counts plans, recognises goals from what was observed, or checks a model by its k best plans: the observed
#   idle action is in none of them.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q kstar-planner==1.6.0 forbiditerative==1.1.4 unified-planning==1.3.0 up-symk==1.6.0

cat >idle.pddl <<'END'
(define (domain trip)
  (:requirements :strips :negative-preconditions)
  (:predicates (there) (warned))
  (:action walk :parameters () :precondition (not (there)) :effect (there))
  (:action warn :parameters () :precondition (not (warned)) :effect (warned)))
END
sed 's/^  (:action warn/  (:action ride :parameters () :precondition (and (warned) (not (there))) :effect (there))\n&/' idle.pddl >needed.pddl
cat >problem.pddl <<'END'
(define (problem one) (:domain trip) (:init) (:goal (there)))
END

cat >plans.py <<'END'
from pathlib import Path

import forbiditerative.planners
import kstar_planner.planners
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import AnytimePlanner, SequentialSimulator, get_environment

get_environment().credits_stream = None


def told(name, domain, plans):
    print(f"{name}, {domain}: {len(plans)} plans: {'; '.join(sorted(' '.join(plan) for plan in plans))}")


for domain in ("idle.pddl", "needed.pddl"):
    problem = PDDLReader().parse_problem(domain, "problem.pddl")
    with SequentialSimulator(problem) as simulator:
        states, plans = [((), simulator.get_initial_state())], []
        for plan, state in states:
            if simulator.is_goal(state):
                plans.append(plan)
            pairs = simulator.get_applicable_actions(state)
            states += [((*plan, action.name), simulator.apply(state, action, places)) for action, places in pairs]
    told("all by the simulator", domain, plans)

    for name, planners in (("K*", kstar_planner.planners), ("Forbid-Iterative", forbiditerative.planners)):
        files = {"domain_file": Path(domain), "problem_file": Path("problem.pddl")}
        answer = planners.plan_topk(**files, number_of_plans_bound=10, timeout=30)
        told(name, domain, [[step.strip() for step in plan["actions"]] for plan in answer["plans"]])
    with AnytimePlanner(name="symk", params={"number_of_plans": 10}) as planner:
        answers = [answer.plan for answer in planner.get_solutions(problem)]
    told("SymK", domain, {tuple(step.action.name for step in plan.actions) for plan in answers if plan})
END

venv/bin/pip list 2>/dev/null | grep -iE '^(kstar.planner|forbiditerative|unified.planning|up.symk) '
venv/bin/python plans.py | tee out

grep -qx "all by the simulator, idle.pddl: 3 plans: walk; walk warn; warn walk" out
for planner in "all by the simulator" "K\*" Forbid-Iterative SymK; do
  grep -qx "$planner, needed.pddl: 4 plans: walk; walk warn; warn ride; warn walk" out
done
for planner in "K\*" Forbid-Iterative SymK; do
  grep -qx "$planner, idle.pddl: 1 plans: walk" out || {
    echo "plans with an idle action are listed now"
    exit 1
  }
done
