#!/usr/bin/env bash
# metric-temporal-logic: G[5,5] p, "p in five seconds", is answered with p now, and so U[1,3] can hold where its left side ends too soon.
#
# One would guess: an interval of one moment is that moment, as G[5,6] p looks from the fifth second to the sixth.
# What happens: G looks ahead only where its interval has a length; with both ends equal its argument is returned as it is, not
#   moved. F is made of G. Below, of 16 signals over four seconds and three distances, 24 of 48 answers are p now where p then is
#   something else; with an interval of half a second all 48 are right. The timed until of the README is built on that:
#   that a U b holds after one second is asked with G[1,1], so it is asked now, and an early b is enough. There, the guard
#   leaves at 1, the relief comes at 2 and was there at the start, and "guarded until relief, within 1 to 3" is true; without
#   the early relief it is false, as it should be. Nothing warns.
# For whom: whoever asks for a reaction after an exact delay, samples at fixed times, or uses a timed until with a lower bound.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q metric-temporal-logic==0.4.1

cat >later.py <<'END'
import itertools

import mtl


def answer(formula, **signals):
    return mtl.parse(formula)(signals, quantitative=False)


def at(signal, time):
    """The value at a time of a signal that is constant between its changes."""
    return [value for start, value in signal if start <= time][-1]


late = [(0, False), (5, True), (9, True)]
print("p from 5 on:", *(f"{formula} {answer(formula, p=late)}" for formula in ("G[5,5] p", "F[5,5] p", "G[5,6] p")))
for name, ends in (("one moment", lambda k: f"[{k},{k}]"), ("half a second", lambda k: f"[{k},{k}.5]")):
    for operator in "GF":
        total = wrong = now = 0
        for values in itertools.product((False, True), repeat=4):
            signal = list(enumerate(values))
            for distance in (1, 2, 3):
                given = answer(f"{operator}{ends(distance)} p", p=signal)
                total += 1
                wrong += given != at(signal, distance)
                now += given == at(signal, 0)
        print(f"{operator}, {name}: {total} answers, {wrong} wrong, {now} as p now")

guard = [(0, True), (1, False), (9, False)]
relief = [(0, True), (1, False), (2, True), (9, True)]
moments = [tenth for tenth in range(10, 31) if at(relief, tenth / 10)]
by_hand = any(all(at(guard, tenth / 10) for tenth in range(moment)) for moment in moments)
print("guarded until relief, 1 to 3:", answer("(guard U[1,3] relief)", guard=guard, relief=relief), "by hand", by_hand)
relief = [(0, False), (2, True), (9, True)]
print("without the early relief:", answer("(guard U[1,3] relief)", guard=guard, relief=relief))
END

venv/bin/pip list 2>/dev/null | grep -i '^metric[-_]temporal'
venv/bin/python later.py | tee out

grep -qx "G, half a second: 48 answers, 0 wrong, 24 as p now" out
grep -qx "F, half a second: 48 answers, 0 wrong, 24 as p now" out
if ! grep -qx "p from 5 on: G\[5,5\] p False F\[5,5\] p False G\[5,6\] p True" out ||
  ! grep -qx "G, one moment: 48 answers, 24 wrong, 48 as p now" out ||
  ! grep -qx "without the early relief: False" out ||
  ! grep -qx "guarded until relief, 1 to 3: True by hand False" out; then
  echo "a later moment is looked at now"
  exit 1
fi
