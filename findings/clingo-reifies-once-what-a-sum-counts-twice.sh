#!/usr/bin/env bash
# clingo's reified output loses an element where a sum counts one atom twice, so encodings that interpret it solve another program.
#
# One would guess: `--output=reify` prints a ground program as facts, and a meta-encoding over them has the program's answer sets;
#   that is what it is for. In clingo itself the elements of a sum are told apart by their tuples, not by their atoms.
# What happens: two keys fit one door and three the other, and each key that fits the open door gives a point. The ground sum holds
#   the atom of a door two or three times. As a fact, an element is the number of the sum, the literal and the weight, without
#   the tuple: the same fact is printed again, and facts are a set. Interpreted, either door gives one point. With an atom of
#   its own for each key, the reified program has the answer sets of the program. clingox, which reifies in Python, does the
#   same. asprin's option --meta=simple works on a reified program: it calls the choice of a door unsatisfiable, where
#   its ordinary mode finds the optimum, the door with three keys. Nothing warns.
# For whom: whoever changes the meaning of programs by meta-encodings (preferences, explanations, other semantics) and has sums
#   or counts with a fact beside the choice, as in "W,I : take(X), value(X,I,W)".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q clingo==5.8.3 clingox==1.2.1 asprin==3.1.2

cat >doors.lp <<'END'
1 { open(front;back) } 1.
key((1;2),front). key((3;4;5),back).
END
cat >preference.lp <<'END'
#preference(most,more(weight)) { 1,K :: open(D) : key(K,D) }.
#optimize(most).
#show open/1.
END

cat >points.py <<'END'
import subprocess
import sys

from clingo import Control
from clingox.reify import reify_program

SHARED = "points(N) :- N = 1..3, N <= #sum { 1,K : open(D), key(K,D) }. #show open/1. #show points/1."
OWN = SHARED.replace("open(D), key(K,D) }", "fits(K) }") + " fits(K) :- open(D), key(K,D)."
INTERPRETER = """
literal(T,L) :- literal_tuple(T,L).       literal(T,L) :- weighted_literal_tuple(T,L,_).
true(L) :- literal(_,L), L > 0, holds(L). true(L) :- literal(_,L), L < 0, not holds(-L).
applies(H) :- rule(H,normal(T)), true(L) : literal_tuple(T,L).
applies(H) :- rule(H,sum(T,G)), G <= #sum { W,L : weighted_literal_tuple(T,L,W), true(L) }.
holds(A) : atom_tuple(H,A) :- applies(disjunction(H)).
{ holds(A) : atom_tuple(H,A) } :- applies(choice(H)).
#show. #show S : output(S,T), true(L) : literal_tuple(T,L).
"""


def points(*texts):
    control = Control(["0"])
    control.add("base", [], "\n".join(texts))
    control.ground()
    found = []
    with control.solve(yield_=True) as models:
        for model in models:
            shown = [str(symbol) for symbol in model.symbols(shown=True)]
            door = next(symbol for symbol in shown if symbol.startswith("open"))
            found.append(f"{door} {sum(symbol.startswith('points') for symbol in shown)}")
    return ", ".join(sorted(found))


doors = open("doors.lp").read()
for name, rules in (("shared", SHARED), ("own", OWN)):
    with open("program.lp", "w") as out:
        out.write(doors + rules)
    command = [sys.executable, "-m", "clingo", "program.lp", "--output=reify"]
    facts = subprocess.run(command, capture_output=True, text=True).stdout
    print(f"{name}: clingo: {points(doors, rules)}; clingo's facts: {points(facts, INTERPRETER)}", end="; ")
    print(f"clingox's facts: {points(*(f'{fact}.' for fact in reify_program(doors + rules)), INTERPRETER)}")
    print(f"{name}: facts printed twice:", *sorted(fact for fact in set(facts.split()) if facts.split().count(fact) > 1))
END

venv/bin/pip list 2>/dev/null | grep -iE '^(clingo|clingox|asprin) '
venv/bin/python points.py | tee out
for meta in no simple; do
  printf 'asprin, --meta=%s: ' "$meta"
  venv/bin/asprin doors.lp preference.lp 0 --meta="$meta" | grep -E '^(open|OPTIMUM FOUND|UNSATISFIABLE)' | tail -2 | xargs
done | tee -a out

grep -q "^shared: clingo: open(back) 3, open(front) 2; " out
for reifier in clingo clingox; do
  grep -q "^own: .*; $reifier's facts: open(back) 3, open(front) 2" out
done
grep -qx "own: facts printed twice:" out
grep -qx "asprin, --meta=no: open(back) OPTIMUM FOUND" out
if ! grep -q "clingo's facts: open(back) 1, open(front) 1; clingox's facts: open(back) 1, open(front) 1" out ||
  ! grep -q "^shared: facts printed twice: weighted_literal_tuple(0,8,1). weighted_literal_tuple(0,9,1)." out ||
  ! grep -qx "asprin, --meta=simple: UNSATISFIABLE" out; then
  echo "each element of a sum is reified now"
  exit 1
fi
