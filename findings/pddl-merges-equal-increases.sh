#!/usr/bin/env bash
# The library pddl, reading an action that increases one fluent twice by the same amount, keeps one increase.
#
# One would guess: numeric effects of one action add up, so two increases by 1 are an increase by 2. Unified-planning and
#   Kairos sum them. (Who reads the definition of PDDL 2.1 to the letter may argue for a set of updates.)
# What happens: the conjunction drops equal operands as if all were facts, where p and p is p. An increase is no fact. It
#   happens in the parser, before anything is printed. Two increases by 1 and 2 both stay, so the loss depends on whether
#   the amounts happen to be equal. Below, one step meets the goal of the domain as written; Kairos needs two steps after
#   the round trip, and its validator calls the old plan invalid. Nothing warns.
# For whom: whoever passes domains with costs or resources through this library, above all generated ones, where one
#   increase is written for each thing that is moved or used.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pddl==0.5.1 kairos-planner==1.0.6

cat >domain.pddl <<'END'
(define (domain wells)
  (:requirements :strips :numeric-fluents)
  (:predicates (ready))
  (:functions (water))
  (:action draw :parameters () :precondition (ready)
    :effect (and (increase (water) AMOUNT) (increase (water) 1))))
END
cat >trip.py <<'END'
import kairos
from pddl.formatter import domain_to_string
from pddl.parser.domain import DomainParser

written = open("domain.pddl").read()
for amount in (1, 2):
    before = written.replace("AMOUNT", str(amount))
    after = domain_to_string(DomainParser()(before))
    goal = f"(define (problem p) (:domain wells) (:init (ready) (= (water) 0)) (:goal (= (water) {amount + 1})))"
    plan = kairos.parse_plan("(draw)")
    for name, text in (("before", before), ("after", after)):
        problem = kairos.parse_problem(goal, kairos.parse_domain(text))
        steps = len(kairos.Planner().solve(problem, timeout=10).plan.steps)
        verdict = kairos.validate(problem, plan).status.name
        print(f"1 and {amount}, {name}: {text.count('increase')} increases, {steps} steps, one draw is {verdict}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(pddl|kairos.planner) '
venv/bin/python trip.py | tee out

grep -q '^1 and 1, before: 2 increases, 1 steps, one draw is VALID' out
grep -q '^1 and 2, after: 2 increases, 1 steps, one draw is VALID' out
grep -q '^1 and 1, after: 1 increases, 2 steps, one draw is INVALID' out || {
  echo "equal increases both survive now"
  exit 1
}
