#!/usr/bin/env bash
# eznf, a library for SAT encodings: "at least two of any four of these five" comes out with x1 equal to x2, in half of the models.
#
# One would guess: a bound on (x1, x3, x4, x5) and one on (x2, x3, x4, x5) are encoded apart. at_least_k() takes any list of variables,
#   by name or number, and has one remark in its docstring, on the size of the encoding for k = 1.
# What happens: "at least" is "at most" of the negated literals, -1, -2, and so on, and the counters of a bound get their
#   name from Python's hash of the tuple of literals. In CPython -1 has the hash of -2, so (-1, -3, -4, -5) and (-2, -3, -4, -5) have
#   one hash: the second bound finds its counters there and is encoded on top of those of the first. Now one number has to be both
#   counts, and x1 and x2 are equal in every model. Of 16 models 8 are left; "x1 and not x2" has no solution, and a proof
#   of that could be checked. With one variable before them that nothing uses, all 16 are there. at_most_k()
#   of the same lists is right, its literals being positive. What is printed is that variables with a long number in their
#   name exist already, as two bounds on one list would print it; no call fails.
# For whom: whoever encodes designs, colourings or games with bounds on overlapping sets, which is what the library is for, and reads
#   UNSAT as a theorem: it is always the first two variables.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q eznf==0.121.2 pyganak==2.9.0

cat >bounds.py <<'END'
import contextlib
import io
import itertools

import pyganak
from eznf.modeler import Modeler


def encoded(bound, k, before=0, extra=()):
    """The number of models over five variables of which any four keep the bound, and what was printed."""
    modeler = Modeler()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for number in range(1, before + 1):
            modeler.add_var(f"unused{number}")
        shown = [modeler.add_var(f"x{number}") for number in range(1, 6)]
        for four in itertools.combinations(range(1, 6), 4):
            getattr(modeler, bound)([f"x{number}" for number in four], k)
        for literal in extra:
            modeler.add_clause([literal])
    counter = pyganak.Counter()
    counter.add_clauses(modeler.get_clauses())
    counter.set_sampling_set(shown)
    return counter.count(), printed.getvalue()


def by_hand(bound, k, extra=lambda model: True):
    keeps = {"at_least_k": lambda number: number >= k, "at_most_k": lambda number: number <= k}[bound]
    models = itertools.product((False, True), repeat=5)
    return sum(all(keeps(sum(four)) for four in itertools.combinations(model, 4)) and extra(model) for model in models)


print("hash of -1 and -2:", hash(-1), hash(-2))
count, printed = encoded("at_least_k", 2)
print(f"at least 2 of any 4 of 5: {count}, by hand {by_hand('at_least_k', 2)}")
print("printed first:", *printed.splitlines()[:1])
split = by_hand("at_least_k", 2, lambda model: model[0] and not model[1])
print(f"x1 and not x2: {encoded('at_least_k', 2, extra=('x1', '-x2'))[0]}, by hand {split}")
split = by_hand("at_least_k", 2, lambda model: model[1] and not model[2])
print(f"x2 and not x3: {encoded('at_least_k', 2, extra=('x2', '-x3'))[0]}, by hand {split}")
print(f"after an unused variable: {encoded('at_least_k', 2, before=1)[0]}, by hand {by_hand('at_least_k', 2)}")
print(f"at most 2 of any 4 of 5: {encoded('at_most_k', 2)[0]}, by hand {by_hand('at_most_k', 2)}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(eznf|pyganak) '
venv/bin/python bounds.py | tee out

grep -qx "after an unused variable: 16, by hand 16" out
grep -qx "at most 2 of any 4 of 5: 16, by hand 16" out
if ! grep -qx "at least 2 of any 4 of 5: 8, by hand 16" out || ! grep -qx "x1 and not x2: 0, by hand 4" out; then
  echo "the bounds are encoded apart now"
  exit 1
fi
