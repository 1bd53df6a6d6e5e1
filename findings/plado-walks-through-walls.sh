#!/usr/bin/env bash
# plado drops a negated condition on a pair of parameters when no positive condition holds both of them.
#
# One would guess: `(and (at ?from) (not (wall ?from ?to)))` offers the steps without a wall. The README lists negative
#   preconditions as supported, and says that the generator of applicable actions returns the actions applicable in a state.
# What happens: plado evaluates preconditions as database queries. `at` gives one parameter and the type the other, the two are
#   combined, and the negated pair, which should be taken away from the combinations, is not. The step through the wall is
#   offered, the successor generator carries it out, and a breadth-first search over both finds a plan of one step where
#   three are needed. With `(road ?from ?to)` beside it, or with a negated condition on one parameter, the same `not` is
#   obeyed, so most actions of a domain look right. Unified-planning's simulator and Fast Downward, on the same files, keep
#   to the walls. Nothing warns.
# For whom: whoever generates successors, training data or plans with plado from domains that state what must not be.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q plado==0.1.6 unified-planning==1.3.0 up-fast-downward==1.0.0

cat >wall.pddl <<'END'
(define (domain rooms)
  (:requirements :strips :typing :negative-preconditions)
  (:types room)
  (:predicates (at ?r - room) (wall ?r ?s - room) (road ?r ?s - room))
  (:action step :parameters (?from ?to - room) :precondition (and (at ?from) (not (wall ?from ?to)))
    :effect (and (not (at ?from)) (at ?to)))
  (:action build :parameters (?r ?s - room) :precondition (and (at ?r) (at ?s)) :effect (and (wall ?r ?s) (road ?r ?s))))
END
sed 's/(at ?from) (not/(at ?from) (road ?from ?to) (not/' wall.pddl >road.pddl
cat >problem.pddl <<'END'
(define (problem four) (:domain rooms) (:objects a b c d - room)
  (:init (at a) (wall a a) (wall a c) (wall a d) (wall b d) (road a b) (road a c) (road a d) (road b c) (road c d))
  (:goal (at d)))
END

cat >rooms.py <<'END'
from plado.parser import parse_and_normalize
from plado.semantics.applicable_actions_generator import ApplicableActionsGenerator
from plado.semantics.goal_checker import GoalChecker
from plado.semantics.successor_generator import SuccessorGenerator
from plado.semantics.task import Task
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import OneshotPlanner, SequentialSimulator, get_environment

get_environment().credits_stream = None
for domain in ("wall.pddl", "road.pddl"):
    task = Task(*parse_and_normalize(domain, "problem.pddl"))
    applicable, successors, is_goal = ApplicableActionsGenerator(task), SuccessorGenerator(task), GoalChecker(task)
    name = lambda ground: " ".join([task.actions[ground[0]].name, *(task.objects[o] for o in ground[1])])
    steps = sorted(name(action) for action in applicable(task.initial_state) if name(action).startswith("step"))
    print(f"plado, {domain}: {', '.join(steps)}")

    layer, length = [task.initial_state], 0
    while not any(map(is_goal, layer)):
        layer = [successors(state, action)[0][0] for state in layer for action in list(applicable(state))]
        length += 1
    print(f"plado, {domain}: goal after {length}")

    problem = PDDLReader().parse_problem(domain, "problem.pddl")
    with SequentialSimulator(problem) as simulator:
        pairs = simulator.get_applicable_actions(simulator.get_initial_state())
        steps = sorted(" ".join(["step", *map(str, places)]) for action, places in pairs if action.name == "step")
    print(f"unified-planning, {domain}: {', '.join(steps)}")
    with OneshotPlanner(name="fast-downward-opt") as planner:
        answer = planner.solve(problem)
    print(f"Fast Downward, {domain}: goal after {len(answer.plan.actions)}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(plado|unified.planning|up.fast.downward) '
venv/bin/python rooms.py | tee out

for domain in wall road; do
  grep -qx "unified-planning, $domain.pddl: step a b" out
  grep -qx "Fast Downward, $domain.pddl: goal after 3" out
done
grep -qx "plado, road.pddl: step a b" out
grep -qx "plado, road.pddl: goal after 3" out
if ! grep -qx "plado, wall.pddl: step a a, step a b, step a c, step a d" out || ! grep -qx "plado, wall.pddl: goal after 1" out; then
  echo "the negated pair is obeyed now"
  exit 1
fi
