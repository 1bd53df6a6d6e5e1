#!/usr/bin/env bash
# pyModelChecking 1.3.4: in its LTL module G p holds in no state of any system, not even where p is true for ever.
#
# One would guess: in a system of one state, where p holds, A G p holds. The README asks for A G F p and gets the one state that
#   goes round with p; the release before, 1.3.3, answers so.
# What happens: G p is checked by looking for a path on which, some time, p fails. "Some time f" is true at a point for one of two
#   reasons: f is true there, or it is again some time at the next. The table of what may be true at a state now has rows with
#   neither reason: f does not hold, the next point is not asked, and "some time f" is said to be true all the same.
#   So a path that breaks G p is found everywhere. Over all 144 systems of two states, A G p is due at a state in 60 and is
#   given in none; A G F p likewise, in 76. F, X and F G are right; so is the same A G p asked of the package's CTL or
#   CTL* module, which takes the way of CTL. For p U q there are 8 systems in which it is said to hold where q never comes.
#   Nothing warns.
# For whom: whoever checks safety ("never both in the lock") or fairness in LTL: each good design is called broken, and an exercise
#   in which the property should fail looks right.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv before
before/bin/pip install -q pyModelChecking==1.3.3
python3 -m venv venv
venv/bin/pip install -q pyModelChecking==1.3.4

cat >check.py <<'END'
import itertools

from pyModelChecking import CTL, CTLS, LTL, Kripke


def system(edges, labels):
    return Kripke(R=edges, L=labels)


def ways(edges, state, seen=()):
    """Every way from the state without a repetition, with the place to which it goes back; two states need no more."""
    if state in seen:
        yield seen, seen.index(state)
        return
    for a, b in edges:
        if a == state:
            yield from ways(edges, b, (*seen, state))


def by_hand(rule, edges, labels):
    """The states from which all ways keep the rule. For these rules, ways that repeat at once are enough."""
    return {start for start in (0, 1) if all(rule(labels, way, back) for way, back in ways(edges, start))}


def until(labels, way, back):
    for state in way:
        if "q" in labels[state]:
            return True
        if "p" not in labels[state]:
            return False
    return False


RULES = {
    "A G p": lambda labels, way, back: all("p" in labels[state] for state in way),
    "A G F p": lambda labels, way, back: any("p" in labels[state] for state in way[back:]),
    "A F p": lambda labels, way, back: any("p" in labels[state] for state in way),
    "A X p": lambda labels, way, back: "p" in labels[way[1] if len(way) > 1 else way[back]],
    "A F G p": lambda labels, way, back: all("p" in labels[state] for state in way[back:]),
    "A (p U q)": until,
}
NEXT = [[(0,)], [(1,)], [(0,), (1,)]]
SETS = [set(), {"p"}, {"q"}, {"p", "q"}]

one = system([(0, 0)], {0: {"p"}})
print("one state with p, A G p:", *(f"{m.__name__[-4:].strip('.')} {m.modelcheck(one, 'A G p')}" for m in (LTL, CTL, CTLS)))
readme = system([(0, 0), (0, 1), (1, 2), (2, 2), (3, 3)], {0: {"p"}, 1: {"p", "q"}, 3: {"p"}})
print("the README's system, A G F p:", LTL.modelcheck(readme, "A G F p"))
for formula, rule in RULES.items():
    due = missing = extra = 0
    for (first, second), labels in itertools.product(itertools.product(NEXT, repeat=2), itertools.product(SETS, repeat=2)):
        edges = [(0, b) for (b,) in first] + [(1, b) for (b,) in second]
        labels = dict(enumerate(labels))
        right = by_hand(rule, edges, labels)
        given = set(LTL.modelcheck(system(edges, labels), formula))
        due += bool(right)
        missing += bool(right - given)
        extra += bool(given - right)
    print(f"{formula}: due in {due} systems, missing in {missing}, wrongly given in {extra}")
END

for place in before venv; do
  $place/bin/pip list 2>/dev/null | grep -i '^pymodelchecking '
  $place/bin/python check.py | tee "$place.out"
done

grep -qx "the README's system, A G F p: {3}" before.out
grep -qx "A G p: due in 60 systems, missing in 0, wrongly given in 0" before.out
grep -qx "A F p: due in 108 systems, missing in 0, wrongly given in 0" venv.out
grep -qx "A F G p: due in 60 systems, missing in 0, wrongly given in 0" venv.out
if ! grep -qx "the README's system, A G F p: set()" venv.out ||
  ! grep -qx "A G p: due in 60 systems, missing in 60, wrongly given in 0" venv.out ||
  ! grep -qx "A G F p: due in 76 systems, missing in 76, wrongly given in 0" venv.out; then
  echo "G holds where it should now"
  exit 1
fi
