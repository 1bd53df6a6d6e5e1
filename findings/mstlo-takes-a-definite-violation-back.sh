#!/usr/bin/env bash
# mstlo, an online monitor of signal temporal logic: in its mode of intervals, a verdict that was definite turns into its opposite.
#
# One would guess: the interval holds all values that are still possible, so it only gets narrower, and one that is a single
#   number stays. The README says so of RoSI: below 0 the formula is definitively violated, above 0 satisfied.
# What happens: for "always, over a second (x > 1, and some time within a second x > -1)" a point has to be looked at twice,
#   when x comes in and when the second is over. Below, x is -1 at time 1, so x > 1 fails by 2, and the monitor says (-2, -2) as
#   soon as that is settled. Two samples later, when another point has been settled, it says (1, 1) for the same
#   time: satisfied. That is the value of the next point alone; the failing one is no longer counted. Over all signals of six
#   samples with three values, 324 of 2916 last words miss the true value and 243 have its sign wrong. `DelayedQuantitative`,
#   the same monitor that waits, is right in all, and so are intervals for the two halves of the formula. With "some time" around
#   "or" and with until there are such cases too. Nothing warns.
# For whom: whoever stops a machine at a definite verdict, keeps the last verdict for each time, or reads them from a batch, where
#   only the wrong one is left.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q mstlo-python==0.2.2

cat >verdicts.py <<'END'
import itertools

import mstlo_python as mstlo

RULE = "G[0,1]((x > 1) && (F[0,1](x > -1)))"


def fed(rule, signal, semantics):
    """What is said after each sample, in order."""
    monitor = mstlo.Monitor(mstlo.parse_formula(rule), semantics=semantics)
    for time, value in enumerate(signal):
        yield from monitor.update("x", float(value), float(time)).verdicts()


def last(rule, signal, semantics):
    """The verdicts of the whole signal at once."""
    monitor = mstlo.Monitor(mstlo.parse_formula(rule), semantics=semantics)
    return dict(monitor.update_batch({"x": [(float(value), float(time)) for time, value in enumerate(signal)]}).verdicts())


def both(x, time):
    return min(x[time] - 1, soon(x, time))


def soon(x, time):
    return max(x[time] + 1, x[time + 1] + 1)


def rule(x, time):
    return min(both(x, time), both(x, time + 1))


def always_soon(x, time):
    return min(soon(x, time), soon(x, time + 1))


signal = (1, -1, 2, -3, -2, 3, -3)
print("time 1, by hand:", float(rule(signal, 1)))
print("time 1, waiting:", *(value for time, value in fed(RULE, signal, "DelayedQuantitative") if time == 1))
print("time 1, intervals:", *(value for time, value in fed(RULE, signal, "Rosi") if time == 1))
print("time 1, intervals at once:", last(RULE, signal, "Rosi")[1])
for name, text, value in (
    ("always (now and soon)", RULE, rule),
    ("now and soon", "(x > 1) && (F[0,1](x > -1))", both),
    ("always soon", "G[0,1](F[0,1](x > -1))", always_soon),
):
    for semantics in ("DelayedQuantitative", "Rosi"):
        total = missed = opposite = 0
        for signal in itertools.product((-3, 0, 3), repeat=6):
            verdicts = last(text, signal, semantics)
            for time in range(4):
                said = verdicts[time]
                low, high = said if semantics == "Rosi" else (said, said)
                right = value(signal, time)
                total += 1
                missed += not low <= right <= high
                opposite += low > 0 > right or high < 0 < right
        print(f"{name}, {semantics}: {total} verdicts, {missed} without the true value, {opposite} of the other sign")
END

venv/bin/pip list 2>/dev/null | grep -i '^mstlo'
venv/bin/python verdicts.py | tee out

grep -qx "time 1, by hand: -2.0" out
grep -qx "time 1, waiting: -2.0" out
grep -qx "always (now and soon), DelayedQuantitative: 2916 verdicts, 0 without the true value, 0 of the other sign" out
grep -qx "now and soon, Rosi: 2916 verdicts, 0 without the true value, 0 of the other sign" out
if ! grep -qxF "time 1, intervals: (-inf, -2.0) (-2.0, -2.0) (1.0, 1.0)" out ||
  ! grep -qxF "time 1, intervals at once: (1.0, 1.0)" out ||
  ! grep -qxF "always (now and soon), Rosi: 2916 verdicts, 324 without the true value, 243 of the other sign" out; then
  echo "a definite verdict stays now"
  exit 1
fi
