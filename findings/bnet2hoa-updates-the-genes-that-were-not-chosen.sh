#!/usr/bin/env bash
# bnet2hoa, Boolean networks as automata: choose one of three genes for the update, and the other two are updated.
#
# One would guess: a proposition of the automaton belongs to each variable, and those that are true say which variables take their
#   new value in this step. The README says so: all true is the synchronous scheme, exactly one true is the asynchronous one.
# What happens: where some of the variables that would change are chosen, the next state takes the new value of the rest and the
#   old value of the chosen ones: the mask keeps what the label says to change. All chosen, or all those that would change, is right,
#   and so is every state in which one variable alone would change, so the smallest examples show nothing. Of two genes that repress
#   each other, both off, updating the first one switches on the second. Of three genes that switch on, one at a time,
#   the first step switches on two, and no run ever passes a state with one gene on. It is so on the command line and from Python.
# For whom: whoever checks a property of a gene network, or looks for a strategy, under an order of updates.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q bnet2hoa==0.3.1

# The prime implicants are written by hand, as the command reads them with --primes; without it the command needs a C compiler.
cat >updates.py <<'END'
import itertools

from bnet2hoa.main import get_worker_fn, primes_setup

TOGGLE = {"a": [[{"b": 1}], [{"b": 0}]], "b": [[{"a": 1}], [{"a": 0}]]}  # a := !b, b := !a
START = {gene: [[], [{}]] for gene in "abc"}  # all are switched on
NEW = {"toggle": lambda a, b: (1 - b, 1 - a), "start": lambda a, b, c: (1, 1, 1)}


def number(bits):
    return int("".join(map(str, bits)), 2)


def labelled(moves, chosen):
    """The next states whose label fits the choice; a literal i or -i is a gene chosen or not, and 0 is no condition."""
    return [
        state
        for state, label in moves.items()
        if any(all(literal == 0 or (abs(literal) - 1 in chosen) == (literal > 0) for literal in part) for part in label)
    ]


for name, primes in (("toggle", TOGGLE), ("start", START)):
    genes, moves = list(primes), get_worker_fn(primes_setup(primes))
    right = total = 0
    for state in itertools.product((0, 1), repeat=len(genes)):
        new = NEW[name](*state)
        for size in range(1, len(genes) + 1):
            for chosen in itertools.combinations(range(len(genes)), size):
                expected = tuple(new[i] if i in chosen else state[i] for i in range(len(genes)))
                (found,) = labelled(moves(number(state)), chosen)
                total += 1
                right += found == number(expected)
                if not any(state):
                    who = " and ".join(genes[i] for i in chosen)
                    print(f"{name}, all off, update {who}: by hand {number(expected):0{len(genes)}b}, found {found:0{len(genes)}b}")
    print(f"{name}: {right} of {total} steps right")

moves, reached, waiting = get_worker_fn(primes_setup(START)), {0}, [0]
while waiting:
    state = waiting.pop()
    for gene in range(3):
        for after in labelled(moves(state), (gene,)):
            if after not in reached:
                reached.add(after)
                waiting.append(after)
print("start, one gene at a time, states reached:", *sorted(f"{state:03b}" for state in reached))
END

venv/bin/pip list 2>/dev/null | grep -i '^bnet2hoa '
venv/bin/python updates.py | tee out

grep -qx "toggle, all off, update a and b: by hand 11, found 11" out
grep -qx "start, all off, update a and b and c: by hand 111, found 111" out
if ! grep -qx "toggle, all off, update a: by hand 10, found 01" out ||
  ! grep -qx "toggle: 8 of 12 steps right" out ||
  ! grep -qx "start, all off, update a: by hand 100, found 011" out ||
  ! grep -qx "start, one gene at a time, states reached: 000 011 101 110 111" out; then
  echo "the chosen genes are updated now"
  exit 1
fi
