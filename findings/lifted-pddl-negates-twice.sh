#!/usr/bin/env bash
# lifted-pddl reads a precondition that is one negated atom as the atom itself: it offers the actions that PDDL forbids, and no other.
#
# One would guess: `(not (full ?b))` holds where `full` is false. The README lists negated atoms in preconditions as supported
#   (only negated compounds are not), and the parser refuses what it does not support.
# What happens: where the `not` is the whole precondition, also as the only part of an `and`, the parser negates twice. Below, one of
#   two boxes is full, and filling is allowed where a box is not full. lifted-pddl offers to fill the full one and
#   refuses the empty one; so does its check of a given action. Unified-planning's simulator, on the same files, answers
#   the other way round. With a second condition beside it, the same atom is read rightly. Nothing warns.
# For whom: whoever generates problems, training data or checks of plans with it: one action of a domain can be the wrong way round
#   while all others are right.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q lifted-pddl==1.2.7 unified-planning==1.3.0

cat >domain.pddl <<'END'
(define (domain boxes)
  (:requirements :strips :typing :negative-preconditions)
  (:types box)
  (:predicates (full ?b - box))
  (:action fill :parameters (?b - box) :precondition (and (not (full ?b))) :effect (and (full ?b))))
END
cat >problem.pddl <<'END'
(define (problem two) (:domain boxes) (:objects left right - box) (:init (full left)) (:goal (and (full right))))
END

cat >boxes.py <<'END'
from lifted_pddl import Parser
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import SequentialSimulator, get_environment

get_environment().credits_stream = None
parser = Parser()
parser.parse_domain("domain.pddl")
parser.parse_problem("problem.pddl")
names = parser.object_names
offered = [names[box] for (box,) in parser.get_applicable_actions()["fill"]]
checked = [name for box, name in enumerate(names) if parser.is_action_applicable("fill", (box,))]
print(f"lifted-pddl: full left, fill offered for {offered}, allowed for {checked}")

problem = PDDLReader().parse_problem("domain.pddl", "problem.pddl")
with SequentialSimulator(problem) as simulator:
    pairs = simulator.get_applicable_actions(simulator.get_initial_state())
    print(f"unified-planning: fill offered for {[str(box) for _, (box,) in pairs]}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(lifted.pddl|tarski|unified.planning) '
venv/bin/python boxes.py | tee out

grep -qF "unified-planning: fill offered for ['right']" out
grep -qF "lifted-pddl: full left, fill offered for ['left'], allowed for ['left']" out || {
  echo "a negated atom is read with its not now"
  exit 1
}
