#!/usr/bin/env bash
# clingexplaid, Potassco's tools for explaining unsatisfiability: its correction sets are the satisfiable sets, and mcs() is None.
#
# One would guess: a minimal correction set is what must be dropped: the rest of a maximal satisfiable set. The README says
#   that mus() can be swapped for mss() or mcs(), and has an example that asks for all three types at once; by the docstring,
#   mcs() is None if the input is invalid.
# What happens: where correction sets are asked for together with satisfiable ones, each that comes is the same set as the
#   satisfiable one before it: what it has of the assumptions, not what it lacks. Asked for alone, as mcs()
#   does, none comes, whatever the program. Below, rooms are forbidden alone or in pairs, in all 63 ways; of the "minimal
#   correction sets" of the program shown, none makes it satisfiable when dropped. The rest of what mss() returns is a right
#   one each time, by brute force, and the unsatisfiable sets are right. Nothing warns.
# For whom: whoever repairs by the smallest change ("which walls must go for this level to be solvable"): one drops what should be
#   kept, or reads None as "nothing can be done".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q clingexplaid==1.5.1 musclingo==0.1.2 clingo==5.8.0

cat >repairs.py <<'END'
import itertools
from collections import Counter

from clingexplaid.preprocessors import AssumptionPreprocessor, FilterSignature
from clingexplaid.unsat import SubsetComputer
from clingexplaid.unsat.sets import MaximalSatisfiableSubset, MinimalCorrectionSet, MinimalUnsatisfiableSubset

ROOMS = frozenset((1, 2, 3))
TYPES = {MinimalUnsatisfiableSubset, MaximalSatisfiableSubset, MinimalCorrectionSet}


def computer(forbidden):
    rules = [f":- {', '.join(f'heated({room})' for room in rooms)}." for rooms in forbidden]
    preprocessor = AssumptionPreprocessor(filters={FilterSignature("heated", 1)})
    preprocessor.process("\n".join(["heated(1..3).", *rules]))
    preprocessor.control.ground([("base", [])])
    return SubsetComputer(preprocessor.control, preprocessor.assumptions)


def corrections(forbidden):
    subsets = [frozenset(s) for size in range(4) for s in itertools.combinations(sorted(ROOMS), size)]
    enough = [dropped for dropped in subsets if all(dropped & set(rooms) for rooms in forbidden)]
    return [dropped for dropped in enough if not any(other < dropped for other in enough)]


def rooms(subset):
    return frozenset(assumption.symbol.arguments[0].number for assumption in subset.assumptions)


bodies = [body for size in (1, 2) for body in itertools.combinations(sorted(ROOMS), size)]
told, programs, pairs, same = Counter(), 0, 0, 0
for size in range(1, len(bodies) + 1):
    for forbidden in itertools.combinations(bodies, size):
        programs += 1
        told["None" if computer(forbidden).mcs() is None else "a set"] += 1
        assert ROOMS - rooms(computer(forbidden).mss()) in corrections(forbidden)
        assert rooms(computer(forbidden).mus()) in [set(body) for body in forbidden]
        subsets = list(computer(forbidden).multiple(types=TYPES))
        kept = [rooms(subset) for subset in subsets if isinstance(subset, MaximalSatisfiableSubset)]
        dropped = [rooms(subset) for subset in subsets if isinstance(subset, MinimalCorrectionSet)]
        assert {ROOMS - one for one in kept} == set(corrections(forbidden))
        pairs += len(kept)
        same += sum(one == other for one, other in zip(kept, dropped, strict=True))
print(f"{programs} unsatisfiable programs, mcs(): {dict(told)}")
print(f"{pairs} maximal satisfiable sets, {same} with a 'minimal correction set' that is the same set")
example = [(1, 2), (3,)]
found = [sorted(rooms(one)) for one in computer(example).multiple(types=TYPES) if isinstance(one, MinimalCorrectionSet)]
print(f"forbidden 1 with 2, and 3: {sorted(found)}, by brute force {sorted(map(sorted, corrections(example)))}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^(clingexplaid|musclingo|clingo) '
venv/bin/python repairs.py | tee out

grep -qE "^63 unsatisfiable programs" out
if ! grep -qx "63 unsatisfiable programs, mcs(): {'None': 63}" out ||
  ! grep -qE "^([0-9]+) maximal satisfiable sets, \1 with a 'minimal correction set' that is the same set" out ||
  ! grep -qxF "forbidden 1 with 2, and 3: [[1], [2]], by brute force [[1, 3], [2, 3]]" out; then
  echo "a correction set is what must be dropped now"
  exit 1
fi
