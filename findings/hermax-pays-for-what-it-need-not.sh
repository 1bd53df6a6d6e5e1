#!/usr/bin/env bash
# hermax, MaxSAT for Python: its UWrMaxSAT under an assumption reports OPTIMUM with all costs added up, where one cost is due.
#
# One would guess: `solve(assumptions=[3])` returns the cheapest model in which 3 holds; IPAMIR, the interface that hermax
#   follows, says so, and the incremental UWrMaxSAT is the first solver of the README.
# What happens: one of three roads must be open, they cost 1, 2 and 4, and the query asks for the third. The answer is
#   OPTIMUM, 7, all roads open. The model keeps the hard clause and its cost is summed rightly, so only another solver shows
#   that it is no optimum: three of hermax and RC2 of python-sat say 4. The same question as a hard clause instead of an
#   assumption gives 4 as well. Nothing warns.
# For whom: whoever asks many questions of one formula (bounds, horizons, "what if this push is made"), which is what
#   incremental MaxSAT is for.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q hermax==1.2.10 python-sat==1.9.dev24

cat >roads.py <<'END'
from hermax.incremental import CoreTrail, EvalMaxSATIncremental, UWrMaxSAT, UWrMaxSATCompetition
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

roads = {1: 1, 2: 2, 3: 4}


def ask(kind, *, assume, hard):
    solver = kind()
    for clause in [list(roads), *hard]:
        solver.add_clause(clause)
    for road, cost in roads.items():
        solver.set_soft(-road, cost)
    solver.solve(assumptions=assume)
    return f"{solver.get_status().name} {solver.get_cost()} {solver.get_model()}"


for kind in (UWrMaxSAT, UWrMaxSATCompetition, EvalMaxSATIncremental, CoreTrail):
    print(f"{kind.__name__}, 3 assumed: {ask(kind, assume=[3], hard=[])}")
print("UWrMaxSAT, 3 as a clause:", ask(UWrMaxSAT, assume=[], hard=[[3]]))
formula = WCNF()
formula.extend([list(roads), [3]])
for road, cost in roads.items():
    formula.append([-road], weight=cost)
with RC2(formula) as solver:
    solver.compute()
    print("python-sat's RC2, 3 as a clause:", solver.cost)
END

venv/bin/pip list 2>/dev/null | grep -iE '^(hermax|python.sat) '
venv/bin/python roads.py | grep -v '^c ' | tee out

for solver in UWrMaxSATCompetition EvalMaxSATIncremental CoreTrail; do
  grep -qF "$solver, 3 assumed: OPTIMUM 4 [-1, -2, 3]" out
done
grep -qF 'UWrMaxSAT, 3 as a clause: OPTIMUM 4 ' out
grep -q "^python-sat's RC2, 3 as a clause: 4" out
grep -qF 'UWrMaxSAT, 3 assumed: OPTIMUM 7 [1, 2, 3]' out || {
  echo "UWrMaxSAT finds the optimum under an assumption now"
  exit 1
}
