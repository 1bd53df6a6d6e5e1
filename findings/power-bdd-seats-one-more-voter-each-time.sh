#!/usr/bin/env bash
# power-bdd, voting power by decision diagrams: the second quota tried on one list of weights has another voter, and all powers move up.
#
# One would guess: a game is made of a quota and a list of weights, as in the README, where the list has a name. To see how the
#   power depends on the quota, one makes a game of the same list for each quota; the list is still one's own.
# What happens: the constructor puts a 0 in front of the list that it is given, so as to count voters from 1, and it puts it into
#   the caller's list. The next game sees one more voter, without a vote, in the first place. His power is 0, all others keep
#   theirs, rightly, but each stands one place further on: read beside the names, the first has no power, the second has the
#   first one's, and the last falls off. The third game has two of them. With a copy of the list all is right, as counted over
#   all coalitions. Nothing warns.
# For whom: whoever compares quotas, or weights a game twice, and puts the result beside names or weights with zip().
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q power_bdd==1.0.0

cat >quotas.py <<'END'
import itertools

from power_bdd.bdd import BDD, WeightedGame

NAMES = ("anna", "ben", "cem")


def by_hand(quota, weights):
    """How often a voter decides, over all votes of the others."""
    powers = []
    for voter, weight in enumerate(weights):
        others = weights[:voter] + weights[voter + 1 :]
        sums = [sum(yes) for yes in (itertools.compress(others, vote) for vote in itertools.product((0, 1), repeat=len(others)))]
        powers.append(sum(quota - weight <= total < quota for total in sums) / len(sums))
    return powers


weights = [3, 2, 1]
for quota in (4, 5, 6):
    powers = BDD(WeightedGame(quota, weights)).calc_banzhaf()
    copied = BDD(WeightedGame(quota, [3, 2, 1])).calc_banzhaf()
    print(f"quota {quota}, by hand:", *zip(NAMES, by_hand(quota, [3, 2, 1])))
    print(f"quota {quota}, a list of its own:", *zip(NAMES, copied))
    print(f"quota {quota}, one list for all:", *zip(NAMES, powers))
print("the list:", weights)
END

venv/bin/pip list 2>/dev/null | grep -iE '^power[-_]bdd '
venv/bin/python quotas.py | tee out

for quota in 4 5 6; do
  right=$(grep "^quota $quota, by hand: " out | cut -d: -f2)
  grep -qxF "quota $quota, a list of its own:$right" out
done
if ! grep -qxF "quota 5, one list for all: ('anna', 0.0) ('ben', 0.5) ('cem', 0.5)" out ||
  ! grep -qxF "the list: [0, 0, 0, 3, 2, 1]" out; then
  echo "the list of weights stays as it is"
  exit 1
fi
