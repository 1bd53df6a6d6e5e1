#!/usr/bin/env bash
# pumpkin-solver, a constraint solver of 2026 with proofs: in its Cumulative a task that starts at -1 uses no resource.
#
# One would guess: moving the whole schedule in time changes nothing. Variables may be negative, and a start time is a variable like
#   any other; a plan that counts down to 0 has all its starts below it.
# What happens: a task whose start is -1 stands beside any other, over its whole length; starts of -2 or less and of 0 or more are
#   right. Of all 121 pairs of starts from -6 to 4 for tasks of two and four steps on one machine, 9 overlap and have a start
#   of -1; these are allowed, and all others come out right. Moved by 10, all pairs come out right. Asked for the latest
#   starts before 0 for tasks of two steps and one, the solver lets both start at -1 and calls that Optimal; moved by 10 it
#   starts one of them earlier. Nothing warns.
# For whom: whoever plans backwards from a deadline or has times relative to now, and reads Optimal as a proof.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pumpkin-solver==0.5.0

cat >countdown.py <<'END'
import itertools

from pumpkin_solver import Model, SatisfactionResult
from pumpkin_solver.constraints import Cumulative, Plus
from pumpkin_solver.optimisation import Direction, OptimisationResult

LENGTHS = [2, 4]


def apart(starts, lengths):
    (first, other), (long, short) = starts, lengths
    return first + long <= other or other + short <= first


def allowed(starts, moved):
    model = Model()
    tasks = [model.new_integer_variable(start + moved, start + moved) for start in starts]
    model.add_constraint(Cumulative(tasks, LENGTHS, [1, 1], 1, model.new_constraint_tag()))
    return isinstance(model.satisfy(), SatisfactionResult.Satisfiable)


def latest(moved, lengths):
    model = Model()
    tasks = [model.new_integer_variable(moved - 4, moved - 1) for _ in lengths]
    total = model.new_integer_variable(2 * (moved - 4), 2 * (moved - 1))
    model.add_constraint(Cumulative(tasks, lengths, [1, 1], 1, model.new_constraint_tag()))
    model.add_constraint(Plus(*tasks, total, model.new_constraint_tag()))
    result = model.optimise(total, direction=Direction.Maximise)
    assert isinstance(result, OptimisationResult.Optimal)
    return [result._0.int_value(task) - moved for task in tasks]


pairs = list(itertools.product(range(-6, 5), repeat=2))
for moved in (0, 10):
    wrong = [pair for pair in pairs if allowed(pair, moved) != apart(pair, LENGTHS)]
    overlap = sum(not apart(pair, LENGTHS) for pair in wrong)
    late = sum(-1 in pair for pair in wrong)
    print(f"moved by {moved}: of {len(pairs)} pairs {len(wrong)} wrong, {overlap} overlap, {late} with a start of -1")
best = max(sum(pair) for pair in itertools.product(range(-4, 0), repeat=2) if apart(pair, (2, 1)))
for moved in (0, 10):
    starts = latest(moved, [2, 1])
    print(f"latest starts, moved by {moved}: Optimal {starts}, apart {apart(starts, (2, 1))}, sum {sum(starts)}, by hand {best}")
END

venv/bin/pip list 2>/dev/null | grep -i '^pumpkin-solver '
venv/bin/python countdown.py | tee out

grep -qx "moved by 10: of 121 pairs 0 wrong, 0 overlap, 0 with a start of -1" out
grep -qx "latest starts, moved by 10: Optimal .*, apart True, sum -3, by hand -3" out
if ! grep -qx "moved by 0: of 121 pairs 9 wrong, 9 overlap, 9 with a start of -1" out ||
  ! grep -qxF "latest starts, moved by 0: Optimal [-1, -1], apart False, sum -2, by hand -3" out; then
  echo "a task that starts at -1 uses its resource now"
  exit 1
fi
