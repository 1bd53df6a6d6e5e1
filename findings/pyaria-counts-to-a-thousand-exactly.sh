#!/usr/bin/env bash
# pyaria's model counter stops at 1000 models and calls that number exact, for integers that are multiplied or without bounds.
#
# One would guess: aria-mc prints "Number of models: N (exact)" where N is the count. It knows the states approximate,
#   unsupported, unbounded and timeout as well, and --fail-on-status turns any of them into an exit code. The documentation
#   promises an informative status, and no silent guess, for a theory that is not supported.
# What happens: where its own three counters (Boolean, bit-vectors, linear bounded integers) do not apply, a file goes to a loop
#   that blocks one model after the other, 1000 times at most. What the loop returns is called exact, with no reason and exit
#   code 0, whatever --fail-on-status names. Below, the grid points of a disc are counted: with radius 17 the 901 are right,
#   with radius 20 there are 1257 and not 1000. Of the 1500 odd numbers up to 3000 there are 1000, too (mod is enough), and
#   of the positive integers. The function that takes the formula of the same file says "unsupported" in all cases.
# For whom: whoever counts by an SMT formula: a count near 1000 looks like any other, and a ratio of two large ones is 1.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
# of the package's many dependencies the counter needs z3, which needs an older setuptools, and python-sat, which needs six
venv/bin/pip install -q --no-deps pyaria==0.2.0 z3-solver==4.12.0.0 setuptools==79.0.1 python-sat==1.9.dev1 six==1.17.0

for radius in 17 20; do
  cat >"disc$radius.smt2" <<END
(declare-const x Int)
(declare-const y Int)
(assert (and (<= (- $radius) x $radius) (<= (- $radius) y $radius)))
(assert (<= (+ (* x x) (* y y)) (* $radius $radius)))
END
done
cat >odd.smt2 <<'END'
(declare-const x Int)
(assert (<= 1 x 3000))
(assert (= 1 (mod x 2)))
END
cat >positive.smt2 <<'END'
(declare-const x Int)
(assert (< 0 x))
END

cat >formula.py <<'END'
import sys

import z3
from aria.counting.api import count_result

for name in sys.argv[1:]:
    print(f"{name} as a formula: {count_result(z3.And(*z3.parse_smt2_file(f'{name}.smt2'))).status}")
for radius in (17, 20):
    span = range(-radius, radius + 1)
    print(f"disc{radius} by hand: {sum(x * x + y * y <= radius * radius for x in span for y in span)}")
print(f"odd by hand: {sum(x % 2 for x in range(1, 3001))}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^pyaria '
for name in disc17 disc20 odd positive; do
  venv/bin/aria-mc "$name.smt2" --fail-on-status approximate unsupported unbounded timeout error >counted
  echo "$name by aria-mc: $(head -n 1 counted)"
done | tee out
venv/bin/python formula.py disc17 disc20 odd positive | tee -a out

grep -qx "disc17 by hand: 901" out
grep -qx "disc17 by aria-mc: Number of models: 901 (exact)" out
grep -qx "disc20 by hand: 1257" out
grep -qx "odd by hand: 1500" out
[[ $(grep -c "as a formula: unsupported$" out) == 4 ]]
for name in disc20 odd positive; do
  if ! grep -qx "$name by aria-mc: Number of models: 1000 (exact)" out; then
    echo "a count does not end at 1000, or is not called exact"
    exit 1
  fi
done
