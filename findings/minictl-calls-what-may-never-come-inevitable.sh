#!/usr/bin/env bash
# minictl, a model checker for CTL: A[p U q] holds wherever q can be avoided for ever, even where no way fulfils p U q.
#
# One would guess: A[p U q] says that on every way q comes, and p holds until then. So A[TOP U q] is AF q, and where A[p U q] holds,
#   E[p U q] does, since every state has a way on.
# What happens: the textbooks express the operator by two others: neither may p fail before q comes, nor may q stay away for
#   ever. Here the "nor" became an "or": it holds where p cannot fail before q comes, or where q can stay away for ever.
#   That is what it returns in each of the 144 models of two states below, and in 84 of them it is wrong. In a model
#   of one state without q, A[TOP U q] holds while AF q and E[TOP U q] do not. The other operators are right (EU and AF are
#   compared below). The package is for courses: one replaces an operator by one's own algorithm, and check(..., debug=True)
#   compares it with the built-in one. A right algorithm for AU is refused there as not what was expected. Nothing warns.
# For whom: whoever checks that a goal is reached whatever happens, or learns CTL by writing the algorithm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q minictl==0.1.9

cat >until.py <<'END'
import itertools

from minictl import CTLChecker, CTLFormula, Model, State


def model_of(labels, ways):
    names = [f"s{at}" for at in range(len(labels))]
    return Model(
        [State(name, set(label)) for name, label in zip(names, labels)],
        {name: [names[to] for to in reached] for name, reached in zip(names, ways)},
    )


def checked(labels, ways, formula):
    return CTLChecker(model_of(labels, ways)).check(CTLFormula.parse(formula))


def fixed_point(step, first):
    states = first
    while (following := step(states)) != states:
        states = following
    return states


def by_hand(labels, ways):
    """The states of A[p U q], E[p U q], AF q, and of what minictl takes for the first."""
    every = set(range(len(labels)))
    p, q = ({at for at in every if name in labels[at]} for name in "pq")

    def some(states):
        return {at for at in every if states & set(ways[at])}

    def all_of(states):
        return {at for at in every if set(ways[at]) <= states}

    fails_first = fixed_point(lambda got: got | (every - p - q) | ((every - q) & some(got)), set())
    stays_away = fixed_point(lambda got: (every - q) & some(got), every)
    until = fixed_point(lambda got: q | (p & all_of(got)), set())
    assert until == every - fails_first - stays_away
    may = fixed_point(lambda got: q | (p & some(got)), set())
    comes = fixed_point(lambda got: q | all_of(got), set())
    return until, may, comes, (every - fails_first) | stays_away


def as_names(states):
    return {f"s{at}" for at in states}


kinds = ("", "p", "q", "pq")
steps = ((0,), (1,), (0, 1))
models = list(itertools.product(itertools.product(kinds, repeat=2), itertools.product(steps, repeat=2)))
wrong = taken = others = 0
for labels, ways in models:
    until, may, comes, mistaken = by_hand(labels, ways)
    told = checked(labels, ways, "A[p U q]")
    wrong += told != as_names(until)
    taken += told == as_names(mistaken)
    others += checked(labels, ways, "E[p U q]") == as_names(may) and checked(labels, ways, "AF q") == as_names(comes)
print(f"{len(models)} models of two states: A[p U q] wrong in {wrong}, with the wrong formula equal in {taken}")
print(f"E[p U q] and AF q right in {others}")
answers = [bool(checked(("",), ((0,),), formula)) for formula in ("A[TOP U q]", "AF q", "E[TOP U q]")]
print(f"one state without q: A[TOP U q] {answers[0]}, AF q {answers[1]}, E[TOP U q] {answers[2]}")


def until_everywhere(p, q, model):
    return fixed_point(lambda got: q | (p & model.pre_a(got)), set())


checker = CTLChecker(model_of(("",), ((0,),)))
checker.set_custom("AU", until_everywhere)
try:
    print("a right algorithm:", checker.check(CTLFormula.parse("A[TOP U q]"), debug=True))
except RuntimeError as error:
    print("a right algorithm:", " ".join(str(error).split("\n")[1].split()))
END

venv/bin/pip list 2>/dev/null | grep -i '^minictl '
venv/bin/python until.py | tee out

grep -qx "E\[p U q\] and AF q right in 144" out
if ! grep -qxF "144 models of two states: A[p U q] wrong in 84, with the wrong formula equal in 144" out ||
  ! grep -qx "one state without q: A\[TOP U q\] True, AF q False, E\[TOP U q\] False" out ||
  ! grep -q "^a right algorithm: Expected but didn't reci" out; then
  echo "A[p U q] means that q comes now"
  exit 1
fi
