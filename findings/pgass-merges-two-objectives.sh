#!/usr/bin/env bash
# pgass, a new answer set solver with a Python interface: a second minimize() is paid only where the first did not match.
#
# One would guess: `minimize(Push(T))` and `minimize(Walk(T))` make each push and each walk cost 1. The docstring says that
#   every match of the body costs its weight, and the two are calls of their own.
# What happens: all calls go into one #minimize statement, and a match is told apart by the variables of its own body alone.
#   Push(1) and Walk(1) both become the tuple 1@0, 1; a set holds it once, so the two cost 1 together. Below, a push at
#   time 1 is given and one walk is free to choose: a walk at 1 or at 2 costs the same, but the walk at 1 comes out as the
#   only optimum, with cost 1. With one minimize() over a predicate of kind and time, the cost is 2 and both are
#   optimal. clingo, on the text that pgass prints, agrees with pgass: the text is solved well, it is not what the two
#   calls said. Nothing warns.
# For whom: whoever builds a cost from several calls, which is why an interface of calls exists.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pgass==1.0.4 clingo==5.8.0

cat >moves.py <<'END'
import clingo
import pgass


class Time(pgass.Predicate):
    t: int


class Push(pgass.Predicate):
    t: int


class Walk(pgass.Predicate):
    t: int


class Cost(pgass.Predicate):
    kind: str
    t: int


T = pgass.Var("T")


def optimum(*, together):
    program = pgass.Program()
    program.add(Time(1), Time(2), Push(1))
    program.add(pgass.choice(Walk(T)) << Time(T))
    program.forbid(pgass.count(Walk(T)) < 1)
    if together:
        program.add(Cost("push", T) << Push(T), Cost("walk", T) << Walk(T))
        program.minimize(Cost(pgass.Var("K"), T))
    else:
        program.minimize(Push(T))
        program.minimize(Walk(T))
    return program, list(program.solve(0))


for together in (False, True):
    program, answers = optimum(together=together)
    walks = [[f"walk at {walk.t}" for walk in answer[Walk]] for answer in answers]
    print(f"one body: {together}, optima: {len(answers)}, cost {answers[0].cost}, {walks}")
    if not together:
        print("  ", str(program).splitlines()[-1])
        control = clingo.Control(["--opt-mode=optN", "0"])
        control.add("base", [], str(program))
        control.ground([("base", [])])
        with control.solve(yield_=True) as handle:
            print("   clingo on this text:", {tuple(model.cost) for model in handle if model.optimality_proven})
END

venv/bin/pip list 2>/dev/null | grep -iE '^(pgass|clingo) '
venv/bin/python moves.py | tee out

grep -qF "one body: True, optima: 2, cost [2]" out
grep -qF "clingo on this text: {(1,)}" out
grep -qF "one body: False, optima: 1, cost [1], [['walk at 1']]" out || {
  echo "two objectives are both paid now"
  exit 1
}
