#!/usr/bin/env bash
# pylogics, the formulas behind plan4past, nl2ltl and logaut: evaluate_pl() takes every implication for true, also true -> false.
#
# One would guess: `box -> lamp` is false in a state with the box and without the lamp. The comment in the library says what
#   it computes: a -> b -> c is ~a | ~b | c.
# What happens: the disjunction is made of the negations of all operands but the last, and of all operands as they are, so for
#   three it is ~a | a | ~b | b | c, which always holds. An implication is true in each state and its negation in none, and what
#   is built of them goes wrong with them. Below, in all states of three atoms, the formulas with -> are wrong wherever an
#   implication is false; those with other operators are right, <-> included, and so is the same rule written as !a | b.
#   Nothing warns.
# For whom: whoever checks states, plans or invariants by rules ("if a box is on a storage, its lamp is on"): none is ever broken.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pylogics==0.2.1

cat >rules.py <<'END'
import itertools

from pylogics.parsers import parse_pl
from pylogics.semantics.pl import evaluate_pl

STATES = [dict(zip("abc", values)) for values in itertools.product((False, True), repeat=3)]
RULES = {
    "a -> b": lambda a, b, c: not a or b,
    "!a | b": lambda a, b, c: not a or b,
    "!(a -> b)": lambda a, b, c: a and not b,
    "(a -> b) & c": lambda a, b, c: (not a or b) and c,
    "a -> b -> c": lambda a, b, c: not a or not b or c,
    "a <-> b": lambda a, b, c: a == b,
    "true -> false": lambda a, b, c: False,
}
for text, rule in RULES.items():
    told = [evaluate_pl(parse_pl(text), state) for state in STATES]
    right = [bool(rule(**state)) for state in STATES]
    wrong = sum(one != other for one, other in zip(told, right))
    print(f"{text}: true in {sum(right)} of {len(STATES)} states, evaluated as true in {sum(told)}, wrong in {wrong}")
END

venv/bin/pip list 2>/dev/null | grep -i '^pylogics '
venv/bin/python rules.py | tee out

grep -qxF "!a | b: true in 6 of 8 states, evaluated as true in 6, wrong in 0" out
grep -qxF "a <-> b: true in 4 of 8 states, evaluated as true in 4, wrong in 0" out
if ! grep -qxF "a -> b: true in 6 of 8 states, evaluated as true in 8, wrong in 2" out ||
  ! grep -qxF "!(a -> b): true in 2 of 8 states, evaluated as true in 0, wrong in 2" out ||
  ! grep -qxF "true -> false: true in 0 of 8 states, evaluated as true in 8, wrong in 8" out; then
  echo "an implication can be false now"
  exit 1
fi
