#!/usr/bin/env bash
# clingo-lpx, linear constraints over rationals: two machines of one price cost once or twice, depending on whether they are facts.
#
# One would guess: `&sum { P*hours : on(M), machine(M,P); -cost } = 0` adds the price of each machine that is on. clingcon, of the
#   same house and syntax, does so. That `on(a)` is a fact or comes out true in the end makes no difference to a program.
# What happens: the elements of a theory atom are told apart by their terms and their condition, M is in neither, and there
#   is no place to write it: a tuple is refused as invalid syntax. clingcon adds the variables by itself, clingo-lpx does not.
#   With facts the conditions are gone after grounding, so machines a and b, both with price 3, are one element, and ten hours
#   of all three cost 40. Let on(a) be chosen and required, or follow by negation, and its condition remains: the same answer
#   set now costs 70. With hours(M), one variable for each machine, it is 70 throughout. Nothing warns.
# For whom: whoever adds up costs, weights or rates in clingo-lpx, takes a program over from clingcon, or fixes a choice as a
#   fact to look at one plan again: the cost changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q clingo-lpx==1.3.0.post1 clingcon==5.2.1.post2 clingo==5.8.3

cat >rates.lp <<'END'
machine(a,3). machine(b,3). machine(c,1).
&dom { 10..10 } = hours.
&dom { 0..1000 } = cost.
&sum { P*hours : on(M), machine(M,P); -cost } = 0.
#show on/1.
END
sed 's/P\*hours :/P*hours(M) :/; s/= hours\./= hours(M) :- machine(M,P)./' rates.lp >apart.lp
sed 's/P\*hours :/P*hours,M :/' rates.lp >tuple.lp
echo 'on(M) :- machine(M,P).' >facts.lp
echo '{ on(a) }. :- not on(a). on(b). on(c).' >chosen.lp
echo 'on(a) :- not off. off :- not on(a). :- off. on(b). on(c).' >derived.lp

# Prints the cost of the one answer, in which all three machines are on.
cost() {
  venv/bin/python -m "$@" 0 >answer 2>&1 || true
  grep -qx "on(a) on(b) on(c)" answer
  sed -nE 's/.*cost=([0-9]+).*/\1/p' answer
}

venv/bin/pip list 2>/dev/null | grep -iE '^(clingo-lpx|clingcon|clingo) '
{
  for file in facts chosen derived; do
    echo "clingo-lpx, $file: $(cost clingolpx rates.lp $file.lp), one variable for each machine $(cost clingolpx apart.lp $file.lp)"
  done
  echo "clingcon, facts: $(cost clingcon rates.lp facts.lp)"
  echo "by hand: $((10 * (3 + 3 + 1)))"
  venv/bin/python -m clingolpx tuple.lp facts.lp 2>&1 | grep -m1 -o "Invalid Syntax" || true
} | tee out

grep -qx "by hand: 70" out && grep -qx "clingcon, facts: 70" out && grep -qx "Invalid Syntax" out
if ! grep -qx "clingo-lpx, facts: 40, one variable for each machine 70" out ||
  ! grep -qx "clingo-lpx, chosen: 70, one variable for each machine 70" out ||
  ! grep -qx "clingo-lpx, derived: 70, one variable for each machine 70" out; then
  echo "each machine is paid now, or none twice"
  exit 1
fi
