#!/usr/bin/env bash
# openprocess, Petri nets and process mining: a net that may stop after two steps is deadlock-free.
#
# One would guess: analyse(net) says "Deadlock-free" where no reachable marking is dead. The
#   documentation of the module defines it so, and the row of the report says that every reachable
#   marking enables something. What cannot be decided is None: liveness, for an unbounded net.
# What happens: the states of an unbounded net are those of its coverability graph, where a place
#   that can be filled further and further holds "any number". That tells how much a place can hold,
#   not that it cannot run empty. Below, a shop takes in jobs while it is open. Closing takes one
#   job with it, and then the others are served. After "arrive, close" no job is left and nothing
#   can happen any more. In the graph there is "any number" of jobs all the way. Of 3000 random nets
#   with three places and three transitions, 782 are unbounded and called deadlock-free, and 34 of
#   these come to a deadlock within six steps. For bounded nets all answers are right. Nothing
#   warns.
# For whom: whoever models a queue, a buffer or a counter, which is what unbounded nets are for, or
#   sorts nets by this answer.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q openprocess==0.16.0 numpy==2.4.6

cat >nets.py <<'END'
import random

from openprocess.mining import Marking, PetriNet, analyse


def built(transitions, start):
    net = PetriNet()
    for place in sorted({place for sides in transitions.values() for side in sides for place in side} | set(start)):
        net.add_place(place, id=place)
    for name, (needs, gives) in transitions.items():
        net.add_transition(name, id=name)
        for place, weight in needs.items():
            net.add_arc(place, name, weight)
        for place, weight in gives.items():
            net.add_arc(name, place, weight)
    net.initial_marking = Marking(start)
    return net


def successors(transitions, marking):
    """The firing rule: what a transition needs is there and is taken, and then what it gives is put."""
    tokens = dict(marking)
    for name, (needs, gives) in transitions.items():
        if all(tokens.get(place, 0) >= weight for place, weight in needs.items()):
            after = {place: tokens.get(place, 0) - needs.get(place, 0) for place in {*tokens, *gives}}
            after = {place: number + gives.get(place, 0) for place, number in after.items()}
            yield name, frozenset((place, number) for place, number in after.items() if number)


def deadlock(transitions, start, steps=None):
    """The steps to a marking in which nothing is enabled, breadth first; None if there is none."""
    first = frozenset(start.items())
    queue = [(first, [])]
    seen = {first}
    for marking, path in queue:
        following = list(successors(transitions, marking))
        if not following:
            return path
        for name, after in following:
            if after not in seen and (steps is None or len(path) < steps):
                seen.add(after)
                queue.append((after, [*path, name]))
    return None


shop = {
    "arrive": ({"open": 1}, {"open": 1, "jobs": 1}),
    "close": ({"open": 1, "jobs": 1}, {"closed": 1}),
    "serve": ({"closed": 1, "jobs": 1}, {"closed": 1}),
}
report = analyse(built(shop, {"open": 1}))
rows = {name: (verdict, detail) for name, verdict, detail in report.lines()}
print(f"shop: bounded {report.bounded}, live {report.live_transitions}, deadlock {deadlock(shop, {'open': 1}, 6)}")
print(f"shop, deadlock-free: {rows['Deadlock-free'][0]}, {rows['Deadlock-free'][1]}")

random.seed(1)
bounded = right = unbounded = free = stuck = 0
for _ in range(3000):
    some = [{place: 1 for place in "abc" if random.random() < 0.5} for _ in range(6)]
    transitions = {f"t{number}": (some[number] or {"a": 1}, some[number + 3]) for number in range(3)}
    start = {place: 1 for place in "abc" if random.random() < 0.7}
    report = analyse(built(transitions, start))
    if report.bounded:
        bounded += 1
        right += report.deadlock_free == (deadlock(transitions, start) is None)
    else:
        unbounded += 1
        free += report.deadlock_free
        stuck += report.deadlock_free and deadlock(transitions, start, 6) is not None
print(f"{bounded} bounded nets, {right} right; {unbounded} unbounded, {free} deadlock-free, {stuck} of them stop")
END

venv/bin/pip list 2>/dev/null | grep -i '^openprocess '
venv/bin/python nets.py | tee out

grep -qx "1731 bounded nets, 1731 right; .*" out
if ! grep -qx "shop: bounded False, live None, deadlock \['arrive', 'close'\]" out ||
  ! grep -qx "shop, deadlock-free: True, every reachable marking enables something" out ||
  ! grep -qx ".*; 1269 unbounded, 782 deadlock-free, 34 of them stop" out; then
  echo "a deadlock of an unbounded net is found now"
  exit 1
fi
