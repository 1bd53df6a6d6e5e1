#!/usr/bin/env bash
# rv-ltl, a run-time monitor: once "closed until unlocked" is broken it says PRESUMABLY_FALSE, as if the future could mend it.
#
# One would guess: FALSE is said as soon as nothing that may still come can make the formula true, and PRESUMABLY_FALSE while something
#   can. That is what the four values of RV-LTL are for, in the paper by Bauer, Leucker and Schallhart that the package
#   says it implements; for `Always` it is so from the first state that breaks the rule.
# What happens: p U q is broken for good when neither p nor q holds. The monitor looks for a q alone: without one it says
#   PRESUMABLY_FALSE, whatever became of p. Below, the door opens before it is unlocked and nobody ever unlocks it: the
#   verdict stays PRESUMABLY_FALSE to the end. Let the key come afterwards, and that is when it becomes FALSE.
#   The other way round, the first q that is presumably true is taken and no later one looked at, so "some time (a for ever,
#   or b)" is PRESUMABLY_TRUE where b has come and it is certain. Over all traces of up to
#   three states of two atoms, 11 of the 84 verdicts on p U q leave open what is certain. Nothing warns.
# For whom: whoever stops a robot, a protocol or a game at a certain violation and goes on at a presumable one, or releases a
#   monitor once its verdict is final.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q rv-ltl==0.1.1

cat >door.py <<'END'
import itertools

from rv_ltl import Always, Atomic, Eventually, Or, Until

p, q = Atomic(identifier="p"), Atomic(identifier="q")
STATES = [{"p": a, "q": b} for a, b in itertools.product((False, True), repeat=2)]


def verdicts(formula, trace):
    monitor = formula.create_monitor()
    said = []
    for state in trace:
        monitor.update(state)
        said.append(str(monitor.evaluate()))
    return said


def until(way):
    """p U q on a way whose last state repeats for ever."""
    for state in way:
        if state["q"]:
            return True
        if not state["p"]:
            return False
    return False


def always(way):
    return all(state["p"] for state in way)


def either(way):
    """Some time (p for ever, or q)."""
    return way[-1]["p"] or any(state["q"] for state in way)


def by_hand(rule, trace):
    """FALSE or TRUE if all ways on agree. For these rules it is enough that one state comes, and then another for ever."""
    futures = {rule([*trace, *more]) for more in itertools.product(STATES, repeat=2)}
    return str(futures.pop()).upper() if len(futures) == 1 else None


closed, opened, key = {"p": True, "q": False}, {"p": False, "q": False}, {"p": False, "q": True}
door = Until(p, q)
print("opened too early:", *verdicts(door, [closed, opened, opened, opened]))
print("by hand:", *(by_hand(until, [closed, opened, opened, opened][:n]) for n in range(1, 5)))
print("the key afterwards:", *verdicts(door, [closed, opened, opened, key]))
print("always closed:", *verdicts(Always(p), [closed, opened, opened, opened]))
print("some time (p for ever, or q):", *verdicts(Eventually(Or(Always(p), q)), [closed, {"p": True, "q": True}]))
print("by hand:", *(by_hand(either, [closed, {"p": True, "q": True}][:n]) for n in (1, 2)))
for name, formula, rule in (("always", Always(p), always), ("until", door, until)):
    total = vague = 0
    for length in (1, 2, 3):
        for trace in itertools.product(STATES, repeat=length):
            said, right = verdicts(formula, trace)[-1], by_hand(rule, trace)
            assert said == right or said.startswith("PRESUMABLY")
            total += 1
            vague += right is not None and said != right
    print(f"{name}: {total} verdicts, {vague} presumable where the matter is certain")
END

venv/bin/pip list 2>/dev/null | grep -i '^rv[-_]ltl '
venv/bin/python door.py | tee out

grep -qx "always closed: PRESUMABLY_TRUE FALSE FALSE FALSE" out
grep -qxF "by hand: None FALSE FALSE FALSE" out
grep -qx "always: 84 verdicts, 0 presumable where the matter is certain" out
if ! grep -qx "until: 84 verdicts, 11 presumable where the matter is certain" out ||
  ! grep -qx "opened too early: PRESUMABLY_FALSE PRESUMABLY_FALSE PRESUMABLY_FALSE PRESUMABLY_FALSE" out; then
  echo "the broken until is certain now"
  exit 1
fi
