#!/usr/bin/env bash
# plingo, probabilities in clingo: `cough :- flu, &problog("0.3").` lifts the probability of the flu itself from 0.2 to 0.45.
#
# One would guess: `head :- body, &problog(P).` is ProbLog's `P::head :- body.` The front end is called problog, its examples come
#   from ProbLog's tutorial, and one of them has such a rule with a body, with ProbLog's answers.
# What happens: the body of that example is a fact. plingo is LP^MLN: a weighted rule is an implication that each answer set keeps or
#   breaks, and P/(1-P) is what keeping it is worth. Without the flu the rule is kept for nothing, with the flu it may be
#   broken, and by ProbLog's account the worlds with the flu get 1/P of their weight: 0.8 to 0.2/0.3. A P above 1/2 does it too.
#   That is how LP^MLN is defined, and no warning says that the front end is not ProbLog here. plingo's own translation to
#   ProbLog agrees with plingo, so it does not show it either. A probabilistic fact of its own beside the flu gives 0.2 and 0.06.
# For whom: whoever brings a ProbLog program or a causal network to answer set programming, rule by rule.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q plingo==1.1.0 clingo==5.8.0 problog==2.3.0

cat >flu.pl <<'END'
0.2::flu.
0.3::cough :- flu.
query(flu).
query(cough).
END
cat >rule.plp <<'END'
flu :- &problog("0.2").
cough :- flu, &problog("0.3").
&query(flu).
&query(cough).
END
cat >fact.plp <<'END'
flu :- &problog("0.2").
throat :- &problog("0.3").
cough :- flu, throat.
&query(flu).
&query(cough).
END
sed 's/0\.3/0.7/' rule.plp >often.plp

cat >by_hand.py <<'END'
import itertools
from fractions import Fraction


def told(name, weights):
    total = sum(weights.values())
    for atom, place in (("cough", 1), ("flu", 0)):
        share = sum(weight for world, weight in weights.items() if world[place]) / total
        print(f"{name}, {atom}: {float(share):.5f}")


def causes(cough):
    """A world is thrown by two dice: the flu, and what makes it heard."""
    weights = {}
    for flu, throat in itertools.product((True, False), repeat=2):
        weight = (FLU if flu else 1 - FLU) * (cough if throat else 1 - cough)
        weights[flu, flu and throat] = weights.get((flu, flu and throat), 0) + weight
    return weights


def implications(cough):
    """A world gets the odds of each rule that it keeps; a cough needs a flu."""
    return {
        world: (FLU / (1 - FLU) if world[0] else 1) * (cough / (1 - cough) if world != (True, False) else 1)
        for world in ((True, True), (True, False), (False, False))
    }


FLU = Fraction(2, 10)
for name, cough in (("0.3", Fraction(3, 10)), ("0.7", Fraction(7, 10))):
    told(f"by hand, causes, {name}", causes(cough))
    told(f"by hand, implications, {name}", implications(cough))
END

venv/bin/pip list 2>/dev/null | grep -iE '^(plingo|clingo|problog) '
venv/bin/python by_hand.py | tee out
venv/bin/problog flu.pl | sed 's/^ */problog, /' | tee -a out
plingo() { # clingo's code for a search that is exhausted is 30
  PATH="$folder/venv/bin:$PATH" venv/bin/plingo "$@" --all --frontend=problog || test $? = 30
}
for program in rule often fact; do
  plingo "$program.plp" | grep -E '^(flu|cough): ' | sed "s/^/plingo, $program, /" | tee -a out
done
plingo rule.plp --problog=translated.pl >log
venv/bin/problog translated.pl | sed 's/^ */problog, translated by plingo, /' | tee -a out

grep -qx "by hand, causes, 0.3, flu: 0.20000" out
grep -qx "by hand, implications, 0.3, flu: 0.45455" out
grep -qE "^problog, flu:\s+0\.2\s*$" out
grep -qE "^problog, cough:\s+0\.06\s*$" out
grep -qx "plingo, fact, flu: 0.20000" out
grep -qx "plingo, fact, cough: 0.06000" out
if ! grep -qx "plingo, rule, flu: 0.45455" out ||
  ! grep -qx "plingo, rule, cough: 0.13636" out ||
  ! grep -qx "plingo, often, flu: $(grep '^by hand, implications, 0.7, flu' out | cut -d' ' -f6)" out ||
  ! grep -qE "^problog, translated by plingo, show\(flu\):\s+0\.4545" out; then
  echo "a symptom leaves its cause as likely as it is now"
  exit 1
fi
