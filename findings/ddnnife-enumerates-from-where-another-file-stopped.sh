#!/usr/bin/env bash
# ddnnife, a reasoner on d-DNNF: enumerate() of a file just loaded begins where the enumeration of another file stopped.
#
# One would guess: `enumerate([], 100)` of a d-DNNF with eight configurations lists eight. That a second call on the same object goes
#   on after the first is easy to find out; a new object of another file begins at its first configuration.
# What happens: how far one has come is kept once for the whole process, under the assumptions alone; neither the object nor the
#   file is part of the key. Below, three configurations of a large file are looked at, and of the small one only the last five
#   are listed. After nine of the large file, the small one lists none, while its own count says 8 and is_sat says
#   True; the next call lists all eight. In a process of its own, it lists eight at once. Other assumptions have another
#   place, so some queries of a run are whole and others are not. Nothing warns.
# For whom: whoever takes a few configurations of each of many formulas (levels, feature models, plans compiled once) in one
#   process, a notebook or a server: the samples depend on what was asked before, of whatever formula.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q ddnnife==0.10.0

# In D4's format, "the first door is open" and "the second door is open"; the other doors are free.
printf 'o 1 0\nt 2 0\n1 2 1 0\n' >first.nnf
printf 'o 1 0\nt 2 0\n1 2 2 0\n' >second.nnf

cat >configurations.py <<'END'
import itertools
import sys

from ddnnife import Ddnnf

looked_at = int(sys.argv[1])
large = Ddnnf.from_file("first.nnf", 5).as_mut()
if looked_at:
    assert len(large.enumerate([], looked_at)) == looked_at
small = Ddnnf.from_file("second.nnf", 4).as_mut()
right = {model for model in itertools.product(*((v, -v) for v in range(1, 5))) if 2 in model}
assert int(small.count([])) == len(right) and small.is_sat([])
first, then = ({tuple(found) for found in small.enumerate([], 100)} for _ in range(2))
assert first <= right and then <= right
under = small.enumerate([1], 100)
print(f"after {looked_at} of the other file: {len(first)} of {len(right)}, again {len(then)}, under door 1 {len(under)} of 4")
END

venv/bin/pip list 2>/dev/null | grep -i '^ddnnife '
for number in 0 3 9; do
  venv/bin/python configurations.py "$number"
done | tee out

grep -qx "after 0 of the other file: 8 of 8, again 8, under door 1 4 of 4" out
if ! grep -qx "after 3 of the other file: 5 of 8, again 8, under door 1 4 of 4" out ||
  ! grep -qx "after 9 of the other file: 0 of 8, again 8, under door 1 4 of 4" out; then
  echo "each d-DNNF is enumerated from its beginning now"
  exit 1
fi
