#!/usr/bin/env bash
# unified-planning's compiler of negative conditions makes an unsolvable task solvable when an action takes and gives one fact.
#
# One would guess: the compiled task has a plan if and only if the task has one; every planner without negation depends on it.
# What happens: each fluent gets a twin that stands for its negation, and each effect a mirrored effect on the twin. PDDL
#   and the library's own simulator say that an action which deletes and adds the same fact ends with the fact true. So
#   `move a a` keeps `at a`; but by the same rule it ends with the twin `not_at a` true as well, a state that means
#   nothing. Below, the robot should stand nowhere, which Fast Downward proves impossible; pyperplan solves the compiled
#   task with `move a a`, and the library's validator rejects that plan for the task as written. Nothing warns.
# For whom: whoever has moves without `(not (= ?from ?to))`, as many domains of the IPC have, and negative goals or
#   preconditions: the wrong answer comes from the compiler, with any planner behind it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q unified-planning==1.3.0 up-pyperplan==1.1.0 up-fast-downward==1.0.0

cat >move.py <<'END'
from unified_planning.engines import CompilationKind
from unified_planning.shortcuts import (
    BoolType,
    Compiler,
    Fluent,
    InstantaneousAction,
    Not,
    Object,
    OneshotPlanner,
    PlanValidator,
    Problem,
    UserType,
    get_environment,
)

get_environment().credits_stream = None
place = UserType("place")
at = Fluent("at", BoolType(), x=place)
move = InstantaneousAction("move", start=place, end=place)
move.add_precondition(at(move.start))
move.add_effect(at(move.start), False)
move.add_effect(at(move.end), True)
task = Problem("nowhere")
task.add_fluent(at, default_initial_value=False)
task.add_action(move)
places = [Object(name, place) for name in "ab"]
task.add_objects(places)
task.set_initial_value(at(places[0]), True)
for somewhere in places:
    task.add_goal(Not(at(somewhere)))

with OneshotPlanner(name="fast-downward") as planner:
    print("Fast Downward, task as written:", planner.solve(task).status.name)
kind = CompilationKind.NEGATIVE_CONDITIONS_REMOVING
with Compiler(problem_kind=task.kind, compilation_kind=kind) as compiler:
    compiled = compiler.compile(task, kind)
for name in ("fast-downward", "pyperplan"):
    with OneshotPlanner(name=name) as planner:
        answer = planner.solve(compiled.problem)
    print(f"{name}, compiled task: {answer.status.name}, {answer.plan and answer.plan.actions}")
plan = answer.plan.replace_action_instances(compiled.map_back_action_instance)
with PlanValidator(name="sequential_plan_validator") as validator:
    verdict = validator.validate(task, plan)
print(f"its plan for the task as written: {verdict.status.name}, {verdict.reason.name}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(unified.planning|up.pyperplan|up.fast.downward) '
venv/bin/python move.py | tee out

grep -q '^Fast Downward, task as written: UNSOLVABLE_PROVEN' out
if ! grep -q '^pyperplan, compiled task: SOLVED_SATISFICING, .move(a, a)' out ||
  ! grep -q '^its plan for the task as written: INVALID, UNSATISFIED_GOALS' out; then
  echo "the compiled task has no plan now"
  exit 1
fi
