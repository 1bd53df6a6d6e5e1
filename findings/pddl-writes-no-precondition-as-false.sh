#!/usr/bin/env bash
# The library pddl reads an empty precondition, `()`, and writes it back as the empty disjunction, which is false.
#
# One would guess: reading a domain and printing it keeps its meaning. `:precondition ()` is in the grammar of PDDL for "no
#   condition", and unified-planning's writer has an option that writes just this for VAL.
# What happens: `()` becomes an `Or` without operands, printed as `(or )`, and no state satisfies that: when the project gave
#   up its own constants, its maintainers settled that `And()` is true and `Or()` false. The action can never be applied
#   again. Below, one action reaches the goal of the domain as written; after the round trip the planner proves that no plan
#   exists. An empty effect turns into `(or )` as well. Nothing warns. `(and)` survives.
# For whom: whoever rewrites or generates domains with this library (compilations, repair, learning): actions vanish.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pddl==0.5.1 kairos-planner==1.0.6 unified-planning==1.3.0

cat >write.py <<'END'
from unified_planning.io import PDDLWriter
from unified_planning.shortcuts import Fluent, InstantaneousAction, Problem

lit, press = Fluent("lit"), InstantaneousAction("press")
press.add_effect(lit, True)
problem = Problem("lamp")
problem.add_fluent(lit, default_initial_value=False)
problem.add_action(press)
problem.add_goal(lit)
writer = PDDLWriter(problem, empty_preconditions=True)
writer.write_domain("domain.pddl")
writer.write_problem("problem.pddl")
END
cat >trip.py <<'END'
import kairos
from pddl import parse_domain
from pddl.formatter import domain_to_string

with open("again.pddl", "w") as file:
    file.write(domain_to_string(parse_domain("domain.pddl")))
for name in ("domain.pddl", "again.pddl"):
    condition = next(line.strip() for line in open(name) if ":precondition" in line)
    answer = kairos.Planner().solve(kairos.load_problem("problem.pddl", kairos.load_domain(name)), timeout=10)
    steps = len(answer.plan.steps) if answer.status == kairos.Status.SOLVED else 0
    print(f"{name}: {condition}, {answer.status.name}, {steps} steps")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(pddl|kairos.planner|unified.planning) '
venv/bin/python write.py
venv/bin/python trip.py | tee out

grep -q '^domain.pddl: :precondition (), SOLVED, 1 steps' out
grep -q '^again.pddl: :precondition (or ), UNSOLVABLE, 0 steps' out || {
  echo "an empty precondition survives now"
  exit 1
}
