#!/usr/bin/env bash
# xhail, learning answer set programs from examples: ten kinds of mushrooms give ten rules, and eleven give "No hypothesis found."
#
# One would guess: one more kind costs some time and gives one more rule. The README says that a hypothesis is the smallest part of
#   the kernel that covers all examples, and that the kernel is cut to ten clauses "without affecting solve rate", on ten benchmarks.
# What happens: none of those needs more than two rules. The kernel has a clause for each kind, and of these ten are kept, the
#   shortest; the examples must be covered all the same, so the search for a hypothesis has no answer. The message and the exit
#   code are those of examples that contradict each other, and only the log for debugging tells of the cut. It counts the
#   clauses after variables are put in, so that eleven examples of one kind do no harm. With XHAIL_MAX_KERNEL=50 in the
#   environment, which is named in a comment of the source alone, eleven kinds give eleven rules, and forty give forty.
# For whom: whoever learns from real data, where the first samples are small, or takes "none found" for "none exists".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q xhail==0.1.6 clingo==5.8.0

cat >mushrooms.py <<'END'
"""How many kinds there are, and how many mushrooms of each are edible; the death cap is not."""

import sys

kinds, each = int(sys.argv[1]), int(sys.argv[2])
print("#modeh edible(+mushroom).\n#modeb is(+mushroom,#kind).")
print("kind(death).\nmushroom(cap).\nis(cap,death).\n#example not edible(cap).")
for kind in range(1, kinds + 1):
    print(f"kind(k{kind}).")
    for mushroom in range(1, each + 1):
        name = f"m{kind}x{mushroom}"
        print(f"mushroom({name}).\nis({name},k{kind}).\n#example edible({name}).")
END

cat >covers.py <<'END'
"""Whether learned rules make the examples true, by clingo, and how many rules they are."""

import sys

import clingo

task, learned = (open(name).read().splitlines() for name in sys.argv[1:])
control = clingo.Control(message_limit=0)
control.add("base", [], "\n".join([line for line in task if not line.startswith("#")] + learned))
control.ground()
examples = [line.removeprefix("#example ").rstrip(".") for line in task if line.startswith("#example")]
with control.solve(yield_=True) as handle:
    (model,) = ({str(symbol) for symbol in found.symbols(atoms=True)} for found in handle)
if all((example.removeprefix("not ") in model) != example.startswith("not ") for example in examples):
    print(len(learned), "rules, all examples covered")
else:
    print("not all examples covered")
END

learn() {
  local code=0 name=$1
  shift
  env "$@" venv/bin/xhail run "$name.lp" >"$name.rules" 2>"$name.said" || code=$?
  if [ "$code" = 0 ]; then venv/bin/python covers.py "$name.lp" "$name.rules"; else echo "$(xargs <"$name.said") Exit code $code"; fi
}

venv/bin/pip list 2>/dev/null | grep -iE '^(xhail|clingo) '
for sizes in "3 1" "10 1" "10 4" "11 1" "40 1"; do
  name=kinds-${sizes/ /-each-}
  venv/bin/python mushrooms.py $sizes >"$name.lp"
  echo "$name: $(learn "$name")"
done | tee out
for name in kinds-11-each-1 kinds-40-each-1; do
  echo "$name, kernel of 50: $(learn "$name" XHAIL_MAX_KERNEL=50)"
done | tee -a out
{ cat kinds-3-each-1.lp && echo "mushroom(m). is(m,k1). #example not edible(m)." | sed 's/\. /.\n/g'; } >contradiction.lp
echo "contradiction: $(learn contradiction)" | tee -a out

grep -qx "kinds-10-each-1: 10 rules, all examples covered" out
grep -qx "kinds-10-each-4: 10 rules, all examples covered" out
grep -qx "kinds-11-each-1, kernel of 50: 11 rules, all examples covered" out
grep -qx "kinds-40-each-1, kernel of 50: 40 rules, all examples covered" out
grep -qx "contradiction: No hypothesis found. Exit code 1" out
if ! grep -qx "kinds-11-each-1: No hypothesis found. Exit code 1" out; then
  echo "eleven rules are learned now"
  exit 1
fi
