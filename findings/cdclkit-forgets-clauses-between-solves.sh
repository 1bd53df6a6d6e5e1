#!/usr/bin/env bash
# cdclkit, a SAT solver with a modelling layer: a constraint added after the first solve() is ignored if it needs no new variable.
#
# One would guess: "solve, forbid what was found, solve again" goes through all solutions and ends with None. The model has
#   methods to add and to solve and no rule about their order.
# What happens: the solver is built at the first solve() and kept. A later solve() builds it anew only where the formula has
#   more variables than before, not where it has more clauses. A clause over known variables goes into the formula and is
#   never seen by the solver: the forbidden solution comes back, and an added contradiction (x and not x) is answered with a
#   solution. One more variable that nothing mentions, and the same clauses count. `solutions()`, which builds a solver of
#   its own, agrees with the formula. Nothing warns.
# For whom: whoever enumerates, tightens a bound step by step, or repairs a plan in a loop, which is what one solves twice for.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q cdclkit==0.1.7

cat >ways.py <<'END'
from cdclkit.model import Model


def ways(*, fresh):
    model = Model()
    doors = model.bool_vars(2, "door")
    model.add_clause([door.lit for door in doors])
    found = []
    while len(found) < 5 and (answer := model.solve()) is not None:
        found.append("".join("01"[answer[door]] for door in doors))
        model.add_clause([(~door if answer[door] else door).lit for door in doors])
        if fresh:
            model.bool_var()
    return found


print("asked again and again:", *ways(fresh=False))
print("with an idle variable each time:", *sorted(ways(fresh=True)))

model = Model()
door = model.bool_var("door")
model.solve()
model.add_clause([door.lit])
model.add_clause([(~door).lit])
print("door and not door:", "no solution" if model.solve() is None else "a solution", "by solve(),", end=" ")
print(len(list(model.solutions())), "by solutions()")
END

venv/bin/pip list 2>/dev/null | grep -i '^cdclkit '
venv/bin/python ways.py | tee out

grep -qx "with an idle variable each time: 01 10 11" out
grep -qE "^asked again and again: (01|10|11)" out
grep -q ", 0 by solutions()" out
if ! grep -qE "^asked again and again: (\S+) \1 \1 \1 \1$" out || ! grep -q "^door and not door: a solution by solve()" out; then
  echo "a clause added between two solves is obeyed now"
  exit 1
fi
