#!/usr/bin/env bash
# jupyddl's A* with LM-cut, its default pair, returns a plan of twice the optimal cost when an action has conditional effects.
#
# One would guess: A* with LM-cut is optimal. The README says so, and it lists conditional effects as supported natively.
# What happens: the relaxation turns each conditional effect into an action of its own, at the full cost of the whole action.
#   LM-cut then charges one switch that lights four lamps four times. The estimate is above the true cost, so A* (and IDA*)
#   drop the good branch and answer with four steps where two suffice. h^max takes the same relaxation and stays admissible,
#   because it never adds costs. Nothing warns. (Fast Downward refuses conditional effects with its LM-cut for this reason.)
# For whom: whoever takes this cost as the reference optimum of an ADL domain, or labels training data with it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q jupyddl==2.4.0

cat >domain.pddl <<'END'
(define (domain lamps)
  (:requirements :strips :conditional-effects)
  (:predicates (wired) (lit1) (lit2) (lit3) (lit4))
  (:action wire :parameters () :precondition (and) :effect (wired))
  (:action main-switch :parameters () :precondition (and)
    :effect (and (when (wired) (lit1)) (when (wired) (lit2)) (when (wired) (lit3)) (when (wired) (lit4))))
  (:action lamp1 :parameters () :precondition (and) :effect (lit1))
  (:action lamp2 :parameters () :precondition (and) :effect (lit2))
  (:action lamp3 :parameters () :precondition (and) :effect (lit3))
  (:action lamp4 :parameters () :precondition (and) :effect (lit4)))
END
cat >problem.pddl <<'END'
(define (problem four-lamps) (:domain lamps) (:init) (:goal (and (lit1) (lit2) (lit3) (lit4))))
END

cat >solve.py <<'END'
from jupyddl import solve

for search, heuristic in (("astar", "lmcut"), ("idastar", "lmcut"), ("astar", "hmax"), ("dijkstra", None)):
    found = solve("domain.pddl", "problem.pddl", search=search, heuristic=heuristic)
    print(f"{search} {heuristic}: cost {found.cost:g}, cut short: {found.truncated}, {' '.join(found.plan_names())}")
END

venv/bin/pip list 2>/dev/null | grep -i '^jupyddl '
venv/bin/python solve.py | tee out

grep -q '^astar hmax: cost 2,' out
grep -q '^dijkstra None: cost 2,' out
if ! grep -q '^astar lmcut: cost 4, cut short: False' out || ! grep -q '^idastar lmcut: cost 4, cut short: False' out; then
  echo "LM-cut is admissible with conditional effects now"
  exit 1
fi
