#!/usr/bin/env bash
# cdclkit: ge() and le() of an integer variable go by the order in which its values were given, not by their size.
#
# One would guess: a domain is a set of values. int_var() takes any iterable of integers, and ge(5) is "the literal for
#   self >= 5" by its docstring.
# What happens: the ladder of "at least" literals is built along the values as they stand, and ge(v) takes the first of them that
#   is v or more. With 3, 1, 2 the ladder says 3 <= 1 <= 2: x.ge(2) forbids nothing, and x.le(1) has no solution. A Python
#   set is enough: {8, 1} iterates as 8, 1. Equality, in_() and all_different() are right for the same variable, so only the
#   bounds are wrong. Sorted by hand, all is well. Nothing warns.
# For whom: whoever builds a domain from a set, a dict or a filter (free cells, the steps left) and states a bound on it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q cdclkit==0.1.7

cat >bounds.py <<'END'
from cdclkit.model import Model


def values(domain, bound):
    model = Model()
    number = model.int_var(domain, "number")
    model.add(bound(number))
    return sorted(answer[number] for answer in model.solutions([number]))


for name, domain in (("3, 1, 2", [3, 1, 2]), ("1, 2, 3", [1, 2, 3]), ("the set of 8 and 1", {8, 1}), ("1, 8", [1, 8])):
    print(f"{name}: at least 2 {values(domain, lambda n: n.ge(2))}, at most 1 {values(domain, lambda n: n.le(1))},", end=" ")
    print(f"1 or more than 2 {values(domain, lambda n: n.in_([1, 3, 8]))}")
END

venv/bin/pip list 2>/dev/null | grep -i '^cdclkit '
venv/bin/python bounds.py | tee out

grep -qxF "1, 2, 3: at least 2 [2, 3], at most 1 [1], 1 or more than 2 [1, 3]" out
grep -qxF "1, 8: at least 2 [8], at most 1 [1], 1 or more than 2 [1, 8]" out
if ! grep -qxF "3, 1, 2: at least 2 [1, 2, 3], at most 1 [], 1 or more than 2 [1, 3]" out ||
  ! grep -qxF "the set of 8 and 1: at least 2 [1, 8], at most 1 [], 1 or more than 2 [1, 8]" out; then
  echo "bounds go by the size of the values now"
  exit 1
fi
