#!/usr/bin/env bash
# ngo, the non-ground optimiser of Potassco, can delete what a program minimises, with its default traits and without a word.
#
# One would guess: an optimiser of encodings keeps the optimum. Each of its traits alone does so here.
# What happens: the trait `minmax_chains` rewrites `L = #max { T : busy(T) }` into a chain over a domain predicate that it
#   defines by a rule of its own. The trait `unused` then takes this rule for one that nobody needs and deletes it. The chain
#   has no first element, so the latest step is never derived and the minimisation ranges over nothing. clingo answers with
#   the first schedule it meets, three busy steps that end with step 5 instead of step 3, and without a cost.
# For whom: whoever minimises a horizon or makespan and puts an optimiser before clingo, and whoever compares encodings with
#   and without ngo: the rewritten program is fast because it no longer optimises.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q ngo==1.0.2 clingo==5.8.0

cat >makespan.lp <<'END'
step(1..5).
{ busy(T) : step(T) }.
:- { busy(T) } < 3.
last(L) :- L = #max { T : busy(T) }.
#minimize { L : last(L) }.
#show busy/1.
END

cat >solve.py <<'END'
import sys

import clingo

control = clingo.Control(message_limit=0)
control.load(sys.argv[1])
control.ground([("base", [])])
with control.solve(yield_=True) as handle:
    for model in handle:
        shown, cost = sorted(map(str, model.symbols(shown=True))), model.cost
    exhausted = handle.get().exhausted
print(f"{sys.argv[1]}: {' '.join(shown)}, cost {cost}, search exhausted: {exhausted}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(ngo|clingo) '
venv/bin/ngo <makespan.lp >default.lp 2>log
venv/bin/ngo --enable minmax_chains <makespan.lp >chains.lp 2>>log
venv/bin/ngo --enable unused <makespan.lp >unused.lp 2>>log
echo "what ngo warned of: $(grep -ciE 'warn|error' log || true) lines"
for program in makespan chains unused default; do
  venv/bin/python solve.py "$program.lp" | tee "$program.out"
done
echo "rules that define the domain predicate, in the program of minmax_chains and in that of the default traits:"
grep -cE '^__dom_\w+\(.*:-' chains.lp || true
grep -cE '^__dom_\w+\(.*:-' default.lp || true

for program in makespan chains unused; do
  grep -q "busy(1) busy(2) busy(3), cost \[3\], search exhausted: True" "$program.out"
done
grep -q "cost \[\], search exhausted: False" default.out || {
  echo "ngo keeps the makespan now"
  exit 1
}
