#!/usr/bin/env bash
# minicheck, an explicit-state model checker: check_probabilistic() passes over its success_states and plays on, here to certain failure.
#
# One would guess: the chain ends well in the states that are named so. The docstring solves for the probability of a missed deadline
#   with 1 in the states of `miss_states` and 0 in every other absorbing state or in those of `success_states`.
# What happens: the second set is taken and not looked at. A client asks, is served nine times in ten, and then asks again. Of one
#   request, which ends with "done" or late, the probability to be late is 0.1; the answer is 1.0, as in the long run
#   it is late some day, and the limit of 0.2 is said to be broken. With the set, without it, or with a name in it that does not
#   exist, the answer is the same. With the arrow out of "done" taken away it is 0.1. Over 300 random chains in which success
#   has a way on, all answers are those without the set, and those are solved rightly. Nothing warns.
# For whom: whoever takes the chain from a protocol that goes round (retries, sessions, requests) and asks for one round.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q minicheck==0.4.0

cat >rounds.py <<'END'
import random

from minicheck import check_probabilistic


def asked(chain, start, good):
    result = check_probabilistic(chain, start, {"late"}, 0.2, success_states=good)
    return result["p_miss"], result["holds"]


def by_hand(chain, start, good):
    """The probability to be late, step by step, until what is still under way does not matter; good states are ends."""
    at, late = {start: 1.0}, 0.0
    while sum(at.values()) > 1e-12:
        following = {}
        for state, share in at.items():
            if state == "late":
                late += share
            elif state not in good:
                for chance, other in chain[state]:
                    following[other] = following.get(other, 0.0) + share * chance
        at = following
    return late


chain = {"ask": [(0.9, "done"), (0.1, "late")], "done": [(1.0, "ask")], "late": []}
print("done as success:", *asked(chain, "ask", {"done"}), "by hand", by_hand(chain, "ask", {"done"}))
print("no success:", *asked(chain, "ask", None))
print("no such state:", *asked(chain, "ask", {"nowhere"}))
print("done without a way on:", *asked({**chain, "done": []}, "ask", {"done"}))

random.seed(1)
chains = differ = ignored = solved = 0
for _ in range(300):
    chain = {"late": [], "rest": []}
    for state in ("ask", "wait", "done"):
        shares = [random.randint(1, 9) for _ in range(4)]
        chain[state] = [(share / sum(shares), other) for share, other in zip(shares, ("wait", "done", "late", "rest"))]
    given, _ = asked(chain, "ask", {"done"})
    chains += 1
    differ += abs(given - by_hand(chain, "ask", {"done"})) > 1e-9
    ignored += given == asked(chain, "ask", None)[0]
    solved += abs(asked(chain, "ask", None)[0] - by_hand(chain, "ask", set())) < 1e-9
print(f"{chains} chains: {differ} wrong with done as success, {ignored} as without it; {solved} right without it")
END

venv/bin/pip list 2>/dev/null | grep -i '^minicheck '
venv/bin/python rounds.py | tee out

grep -qx "done without a way on: 0.1 True" out
grep -q "; 300 right without it$" out
if ! grep -qxF "done as success: 1.0 False by hand 0.1" out || ! grep -q "^300 chains: 300 wrong with done as success, 300 as without it; " out; then
  echo "success ends the chain now"
  exit 1
fi
