#!/usr/bin/env bash
# pddl-pyvalidator (PyVAL) obeys the constraint `always` and passes over `sometime`: it calls a plan valid that breaks it.
#
# One would guess: a validator checks `(:constraints ...)` or says that it does not. The README calls PyVAL a drop-in alternative
#   to VAL and promises a warning, no silent failure, for what is not supported. Whoever tries it with `always` sees that
#   the plan that breaks the rule is refused, and concludes that constraints are checked.
# What happens: PyVAL runs unified-planning's simulator, which knows the `always` rules as state invariants and stops at the step
#   that breaks one. It knows no other constraint: `sometime`, `at-most-once`, `sometime-after` and `sometime-before` are
#   read, stand in the problem, and play no part. Below, the guard must be met on the way, the plan goes round
#   him, and the verdict is VALID, exit code 0, no warning. The library's own validator, asked about the same problem,
#   declares that it does not support such constraints; PyVAL does not ask.
# For whom: whoever checks plans, also those of a language model, against rules of order ("first the key", "each box
#   once"): the wrong plan passes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pddl-pyvalidator==0.1.5 unified-planning==1.3.0

cat >domain.pddl <<'END'
(define (domain trip)
  (:requirements :strips :constraints)
  (:predicates (home) (guard) (far))
  (:action meet :parameters () :precondition (home) :effect (and (not (home)) (guard)))
  (:action pass :parameters () :precondition (guard) :effect (and (not (guard)) (far)))
  (:action return :parameters () :precondition (far) :effect (and (not (far)) (home)))
  (:action detour :parameters () :precondition (home) :effect (and (not (home)) (far))))
END
echo '(detour)' >round.plan
printf '(meet)\n(pass)\n' >straight.plan
printf '(meet)\n(pass)\n(return)\n(meet)\n(pass)\n' >twice.plan

cat >check.py <<'END'
from pyval import PDDLValidator
from unified_planning.engines import SequentialPlanValidator
from unified_planning.io import PDDLReader

TASK = "(define (problem way) (:domain trip) (:init (home)) (:goal (far)) (:constraints {}))"
RULES = {
    "always not": ("(always (not (guard)))", ("round", "straight")),
    "sometime": ("(sometime (guard))", ("straight", "round")),
    "at-most-once": ("(at-most-once (guard))", ("straight", "twice")),
    "sometime-before": ("(sometime-before (far) (guard))", ("straight", "round")),
    "sometime-after": ("(sometime-after (home) (guard))", ("straight", "round")),
}
for name, (rule, plans) in RULES.items():
    with open("problem.pddl", "w") as out:
        out.write(TASK.format(rule))
    problem = PDDLReader().parse_problem("domain.pddl", "problem.pddl")
    told = [PDDLValidator().validate("domain.pddl", "problem.pddl", f"{plan}.plan") for plan in plans]
    print(f"{name}: {plans[0]} keeps it, {told[0].status}; {plans[1]} breaks it, {told[1].status};", end=" ")
    print(f"{sum(len(answer.warnings) for answer in told)} warnings, {len(problem.trajectory_constraints)} rule read,", end=" ")
    print(f"the library's validator supports it: {SequentialPlanValidator.supports(problem.kind)}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(pddl.pyvalidator|unified.planning) '
venv/bin/python check.py | tee out

grep -q "^always not: round keeps it, VALID; straight breaks it, INVALID; 0 warnings, 1 rule read" out
grep -q "^sometime: straight keeps it, VALID; .* 1 rule read, the library's validator supports it: False" out
for rule in "sometime: .* round" "at-most-once: .* twice" "sometime-before: .* round" "sometime-after: .* round"; do
  grep -q "^$rule breaks it, VALID; 0 warnings" out || {
    echo "a plan that breaks a constraint is not called valid now"
    exit 1
  }
done
