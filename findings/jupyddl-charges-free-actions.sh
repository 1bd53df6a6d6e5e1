#!/usr/bin/env bash
# jupyddl charges 1 for every action that the domain leaves free, so its cost-optimal search minimises another cost.
#
# One would guess: under `(:metric minimize (total-cost))` an action that does not increase total-cost is free. PDDL says so,
#   and the IPC's Sokoban depends on it: a push costs 1, a walk nothing. The README promises that A* and Dijkstra optimise
#   the declared cost.
# What happens: an action without an increase is charged 1, as if there were no metric. An increase of 0 is taken as free,
#   so two spellings of the same domain have different optima. Below, Dijkstra prefers one push (cost 1) to a way round by
#   two walks (cost 0), and prints 1 as the optimum. Fast Downward, on the same files, finds the free plan. Nothing warns.
# For whom: whoever counts pushes with a domain of this kind, or compares this cost with that of another planner.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q jupyddl==2.4.0 unified-planning==1.3.0 up-fast-downward==1.0.0

cat >silent.pddl <<'END'
(define (domain pushes)
  (:requirements :strips :action-costs)
  (:predicates (near) (there))
  (:functions (total-cost) - number)
  (:action push :parameters () :precondition (and) :effect (and (there) (increase (total-cost) 1)))
  (:action walk :parameters () :precondition (and) :effect (and (near)))
  (:action enter :parameters () :precondition (near) :effect (and (there))))
END
sed -e 's/(and (near)))/(and (near) (increase (total-cost) 0)))/' \
  -e 's/(near) :effect (and (there))/(near) :effect (and (there) (increase (total-cost) 0))/' silent.pddl >zero.pddl
cat >problem.pddl <<'END'
(define (problem way) (:domain pushes) (:init (= (total-cost) 0)) (:goal (there)) (:metric minimize (total-cost)))
END

cat >solve.py <<'END'
from jupyddl import solve
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import OneshotPlanner, get_environment

get_environment().credits_stream = None
for domain in ("silent", "zero"):
    found = solve(f"{domain}.pddl", "problem.pddl", search="dijkstra", heuristic=None)
    print(f"jupyddl, {domain}: cost {found.cost:g}, {' '.join(found.plan_names())}")
    with OneshotPlanner(name="fast-downward-opt") as planner:
        answer = planner.solve(PDDLReader().parse_problem(f"{domain}.pddl", "problem.pddl"))
    print(f"Fast Downward, {domain}: {answer.status.name}, {' '.join(a.action.name for a in answer.plan.actions)}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(jupyddl|unified.planning|up.fast.downward) '
venv/bin/python solve.py | tee out

grep -q '^jupyddl, zero: cost 0, walk enter' out
grep -q '^Fast Downward, silent: SOLVED_OPTIMALLY, walk enter' out
grep -q '^jupyddl, silent: cost 1, push' out || {
  echo "an action without an increase is free now"
  exit 1
}
