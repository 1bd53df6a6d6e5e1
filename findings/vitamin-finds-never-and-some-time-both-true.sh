#!/usr/bin/env bash
# vitamin-model-checker: at a crossing where two cars may crash, "never a crash" holds in its LTL, "a crash some time" as well.
#
# One would guess: an LTL formula holds of a system if it holds on every run, so a formula and its negation never both do. The README
#   lists LTL between ATL and its kin, with the same call for most logics, model_checking(formula, file), and says no more.
# What happens: the call asks whether all agents together have a strategy that makes the formula true. With all of them on one side
#   nobody is left to act against it, so one good run is enough: G !crash is true because the cars could give way for
#   ever, and F crash because they could both go. X crash and X !crash are both true, and so is each of the two with a negation
#   in front. CTL, on the same file and by the same call, says that AG !crash is false. The source speaks of
#   "sure win" and of a strategic mode; the answer has the form of CTL's, with "True" for the initial state.
# For whom: whoever checks a safety property: the proof is worth no more than a test that went well.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --only-binary numpy vitamin-model-checker==1.6.5

# Each car waits (W) or goes (G); both going is a crash, and then nothing moves.
cat >crossing.txt <<'END'
Transition
WW,WG,GW GG
0 WW
Name_State
free wreck
Initial_State
free
Atomic_propositions
crash
Labelling
0
1
Number_of_agents
2
END

cat >checked.py <<'END'
from model_checker.algorithms.explicit.CTL import CTL
from model_checker.algorithms.explicit.LTL import LTL

# A run is free for some time, at least once, and wrecked from then on, or free for ever: what counts is the first wreck.
RUNS = [first for first in range(1, 6)] + [None]
MEANINGS = {
    "G !crash": lambda first: first is None,
    "F crash": lambda first: first is not None,
    "!(G !crash)": lambda first: first is not None,
    "!(F crash)": lambda first: first is None,
    "X crash": lambda first: first == 1,
    "X !crash": lambda first: first != 1,
    "G crash": lambda first: False,
}

for formula, holds in MEANINGS.items():
    on = [holds(first) for first in RUNS]
    told = LTL.model_checking(formula, "crossing.txt")["initial_state"]
    print(f"LTL {formula}: by hand on every run {all(on)}, on some run {any(on)}; {told}")
for formula in ("AG !crash", "EG !crash", "AF crash", "EF crash"):
    print(f"CTL {formula}: {CTL.model_checking(formula, 'crossing.txt')['initial_state']}")
END

venv/bin/pip list 2>/dev/null | grep -i '^vitamin-model-checker '
venv/bin/python checked.py | tee out

grep -qx "CTL AG !crash: Initial state free: False" out
grep -qx "CTL AF crash: Initial state free: False" out
grep -qx "LTL G crash: by hand on every run False, on some run False; Initial state free: False" out
for formula in "G !crash" "F crash" "!(G !crash)" "!(F crash)" "X crash" "X !crash"; do
  grep -qxF "LTL $formula: by hand on every run False, on some run True; Initial state free: True" out || {
    echo "what holds has to hold on every run now"
    exit 1
  }
done
