#!/usr/bin/env bash
# mctk-py, a model checker for CTL: a state that loops to itself is no infinite path, so EG fails there and AF holds.
#
# One would guess: EG p holds in a state that has p and a step to itself. Models of CTL need a step out of every state, so the
#   textbooks end a run, a failure or a deadlock by such a loop. AF q fails in a loop without q.
# What happens: EG looks for the strongly connected parts of the states with p and keeps those of two states or more. A single
#   state with a loop is a part as well, and is left out like one without. AF and AU are computed from EG. Below, a pump fails
#   for good: AF repaired holds in every state, although EF repaired holds in none. Two failed states that take turns are
#   right. Of all 8344 models of up to three states with different labels of p and q (two states with one label are refused),
#   EG p and AF p are wrong in 4764, and A[p U q] in 2383, each time with a loop. The other operators are right in all.
# For whom: whoever checks that a goal is reached whatever happens: one absorbing state can turn a no into a yes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q mctk-py==0.1.1

cat >loops.py <<'END'
import itertools
from collections import Counter

from mctk import AF, AG, AU, AX, EF, EG, EU, EX, KripkeStruct, SAT_atom


def model(labels, steps):
    atoms = sorted({atom for label in labels.values() for atom in label} | {"p", "q", "repaired"})
    return KripkeStruct({"Atoms": atoms, "States": labels, "Starts": [min(labels)], "Trans": steps})


def fixed_point(step, states):
    while (following := step(states)) != states:
        states = following
    return states


def by_hand(steps, p, q):
    every = set(steps)

    def some(states):
        return {state for state in every if states & set(steps[state])}

    def all_of(states):
        return {state for state in every if set(steps[state]) <= states}

    return {
        "EX p": some(p),
        "AX p": all_of(p),
        "EF p": fixed_point(lambda got: p | some(got), set()),
        "AF p": fixed_point(lambda got: p | all_of(got), set()),
        "EG p": fixed_point(lambda got: p & some(got), every),
        "AG p": fixed_point(lambda got: p & all_of(got), every),
        "E[p U q]": fixed_point(lambda got: q | (p & some(got)), set()),
        "A[p U q]": fixed_point(lambda got: q | (p & all_of(got)), set()),
    }


def by_mctk(checked):
    p, q = SAT_atom(checked, "p"), SAT_atom(checked, "q")
    single = {"EX p": EX, "AX p": AX, "EF p": EF, "AF p": AF, "EG p": EG, "AG p": AG}
    told = {name: operator(checked, p) for name, operator in single.items()}
    return told | {"E[p U q]": EU(checked, p, q), "A[p U q]": AU(checked, p, q)}


pump = {"running": ["on"], "failed": ["alarm"]}
for title, labels, steps in (
    ("fails for good", pump, {"running": ["running", "failed"], "failed": ["failed"]}),
    ("two failed states", pump | {"silent": []}, {"running": ["failed"], "failed": ["silent"], "silent": ["failed"]}),
):
    checked = model(labels, steps)
    repaired = SAT_atom(checked, "repaired")
    print(f"{title}: AF repaired {sorted(AF(checked, repaired))}, EF repaired {sorted(EF(checked, repaired))}")

kinds = ([], ["p"], ["q"], ["p", "q"])
models, wrong, without_loop = 0, Counter(), 0
for size in (1, 2, 3):
    names = [f"s{at}" for at in range(size)]
    ways = [way for length in range(1, size + 1) for way in itertools.combinations(names, length)]
    for labels in itertools.permutations(kinds, size):
        for chosen in itertools.product(ways, repeat=size):
            labelled, steps = dict(zip(names, labels)), dict(zip(names, map(list, chosen)))
            p, q = ({name for name in names if atom in labelled[name]} for atom in "pq")
            models += 1
            told = by_mctk(model(labelled, steps))
            missed = [name for name, states in by_hand(steps, p, q).items() if told[name] != states]
            wrong.update(missed)
            without_loop += bool(missed) and not any(name in steps[name] for name in names)
print(f"of {models} models wrong: {', '.join(f'{name} {number}' for name, number in sorted(wrong.items()))}")
print(f"wrong without a loop: {without_loop}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^mctk.py '
venv/bin/python loops.py | tee out

grep -qx "two failed states: AF repaired \[\], EF repaired \[\]" out
grep -qx "wrong without a loop: 0" out
if ! grep -qxF "of 8344 models wrong: AF p 4764, A[p U q] 2383, EG p 4764" out ||
  ! grep -qx "fails for good: AF repaired \['failed', 'running'\], EF repaired \[\]" out; then
  echo "a loop is a path now"
  exit 1
fi
