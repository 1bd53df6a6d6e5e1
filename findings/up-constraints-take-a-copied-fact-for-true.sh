#!/usr/bin/env bash
# unified-planning's compiler of trajectory constraints takes `alarm := switch` for `alarm := true`.
#
# One would guess: the compiled task has the same plans as the task with its constraints. The compiler declares that it supports
#   assignments of one Boolean fluent to another.
# What happens: it regresses the constraints through the effects of each action, and there an effect whose value is not the
#   constant false counts as one that makes its fluent true. Below, the switch is off for ever, so copying it to the alarm
#   keeps the alarm off. With `sometime alarm` no plan exists, but SymK and Aries solve the compiled task: the monitor is set
#   by the copy. With `always not alarm` the copy is a plan, but Fast Downward proves the compiled task unsolvable: the
#   action got a false precondition and was dropped. The library's own simulator shows what the copy does. Nothing warns.
# For whom: whoever states rules over runs (lamps, sensors, "never two boxes in a row") in domains that copy one fact into another.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q unified-planning==1.3.0 up-fast-downward==1.0.0 up-symk==1.6.0 up-aries==0.5.0

cat >lamp.py <<'END'
from unified_planning.engines import CompilationKind
from unified_planning.engines.compilers import TrajectoryConstraintsRemover
from unified_planning.shortcuts import (
    Always,
    Fluent,
    InstantaneousAction,
    Not,
    OneshotPlanner,
    Problem,
    SequentialSimulator,
    Sometime,
    get_environment,
)

get_environment().credits_stream = None
alarm, switch, done = Fluent("alarm"), Fluent("switch"), Fluent("done")


def task(*rules):
    copy = InstantaneousAction("copy")
    copy.add_effect(alarm, switch())
    copy.add_effect(done, True)
    problem = Problem("lamp")
    for fluent in (alarm, switch, done):
        problem.add_fluent(fluent, default_initial_value=False)
    problem.add_action(copy)
    problem.add_goal(done)
    for rule in rules:
        problem.add_trajectory_constraint(rule)
    return problem


plain = task()
with SequentialSimulator(plain) as simulator:
    before = simulator.get_initial_state()
    after = simulator.apply(before, plain.action("copy"))
    print("alarm before and after the copy:", before.get_value(alarm()), after.get_value(alarm()))
    print("done after the copy:", after.get_value(done()))

for rule, planners in ((Sometime(alarm()), ("symk", "aries")), (Always(Not(alarm())), ("fast-downward",))):
    written = task(rule)
    assert TrajectoryConstraintsRemover.supports(written.kind)
    compiled = TrajectoryConstraintsRemover().compile(written, CompilationKind.TRAJECTORY_CONSTRAINTS_REMOVING)
    print(f"{rule}, actions compiled: {[action.name for action in compiled.problem.actions]}")
    for name in planners:
        with OneshotPlanner(name=name) as planner:
            answer = planner.solve(compiled.problem)
        print(f"{rule}, {name}: {answer.status.name}, {answer.plan and answer.plan.actions}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(unified.planning|up.fast.downward|up.symk|up.aries) '
venv/bin/python -W ignore lamp.py | tee out

grep -q '^alarm before and after the copy: false false' out
grep -q '^done after the copy: true' out
if ! grep -q '^Sometime(alarm), symk: SOLVED_SATISFICING, .copy' out ||
  ! grep -q '^Sometime(alarm), aries: SOLVED_SATISFICING, .copy' out ||
  ! grep -q '^Always((not alarm)), fast-downward: UNSOLVABLE_PROVEN' out; then
  echo "a copied fact is no longer taken for true"
  exit 1
fi
