#!/usr/bin/env bash
# ltlf2dfa, from LTLf to automata: ask -> free -> enter means (ask -> free) -> enter, so one has to enter when nobody asks.
#
# One would guess: arrows group to the right, as in most logic books and provers: if one asks, then, if it is free, one enters.
#   pylogics, of the same group (WhiteMech) and with the same operators, says of a chain that it is a -> (b -> c).
# What happens: the parser keeps all operands in one node and prints them back as they were written, so the answer cannot be seen
#   there. What is made of the node, the negation normal form below and the automaton, groups -> to the left. A state
#   where nothing holds, in which nobody asks, breaks the rule. A chain of <-> means that all are equal, which is neither
#   grouping: with a alone a <-> b <-> c is false, where both groupings are true. Two operands, and chains with
#   parentheses, are right. Nothing warns.
# For whom: whoever writes rules as "trigger -> condition -> reaction", by hand or with a language model, and plans,
#   synthesises or checks with the automaton.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q ltlf2dfa==2.0.0

cat >chains.py <<'END'
import itertools

from ltlf2dfa.parser.ltlf import LTLfParser

STATES = [dict(zip("abc", values)) for values in itertools.product((False, True), repeat=3)]


def implies(one, other):
    return not one or other


RIGHT = {
    "a -> b -> c": lambda a, b, c: implies(a, implies(b, c)),
    "a -> (b -> c)": lambda a, b, c: implies(a, implies(b, c)),
    "a <-> b <-> c": lambda a, b, c: a == (b == c),
    "a <-> (b <-> c)": lambda a, b, c: a == (b == c),
}
LEFT = {
    "a -> b -> c": lambda a, b, c: implies(implies(a, b), c),
    "a <-> b <-> c": lambda a, b, c: (a == b) == c,
}


def truth(text):
    """The formula in negation normal form has only &, | and ! and is without time: Python can evaluate it."""
    normal = str(LTLfParser()(text).to_nnf())
    code = normal.replace("!", " not ").replace("&", " and ").replace("|", " or ")
    return normal, [bool(eval(code, {}, state)) for state in STATES]


def told(rule):
    return [bool(rule(**state)) for state in STATES]


for text, right in RIGHT.items():
    normal, got = truth(text)
    line = f"{text}: right {got == told(right)}"
    if text in LEFT:
        line += f", left {got == told(LEFT[text])}, true where none is {got[0]}, with a alone {got[4]}"
    print(f"{line}, read as {normal}")
print("printed back:", LTLfParser()("a -> b -> c"))
END

venv/bin/pip list 2>/dev/null | grep -i '^ltlf2dfa '
venv/bin/python chains.py | tee out

grep -q "^a -> (b -> c): right True" out && grep -q "^a <-> (b <-> c): right True" out
grep -qxF "printed back: (a -> b -> c)" out
if ! grep -q "^a -> b -> c: right False, left True, true where none is False" out ||
  ! grep -q "^a <-> b <-> c: right False, left False, true where none is True, with a alone False" out; then
  echo "a chain is grouped otherwise now"
  exit 1
fi
