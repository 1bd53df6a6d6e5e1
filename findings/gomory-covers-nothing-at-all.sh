#!/usr/bin/env bash
# gomory, integer programs by cutting planes: the smallest vertex cover of every graph is empty, and that is OPTIMAL_INTEGER.
#
# One would guess: x + y >= 1 is kept. `>=` is one of the three signs that a constraint can have; `=` is refused when it comes to
#   solving, with an error that says what would be needed for it. Whoever reads that error takes the other two for supported.
# What happens: a row with >= gets a surplus variable with the sign -1, and the simplex starts with that variable in the basis, as if it
#   were a slack: all x are 0, and the surplus stands at what is demanded instead of below zero. Whether the start keeps the
#   rows is not looked at. With costs to minimise nothing is better than 0, so it ends there and calls that optimal; of
#   x + y >= 3 the least x + y is 0. Written as -x - y <= -3 it is the same. For all 63 graphs of four vertices with an edge the
#   answer is the empty set. Where all rows hold at 0, as for the largest independent set of the same graphs and for the
#   knapsack of the README, all is right. Nothing warns.
# For whom: whoever learns or teaches with it, which is what it is for, or minimises costs under demands (cover, diet, shifts).
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q gomory==1.0.1

cat >cover.py <<'END'
import itertools

from gomory import GomorySolver, Problem

EDGES = list(itertools.combinations(range(4), 2))


def solved(costs, sense, rows):
    result = GomorySolver(Problem(costs, sense, rows, integer_vars=list(range(len(costs))))).solve()
    return result.status.name, int(result.optimal_value), [int(value) for value in result.solution]


def at_most_one(vertex):
    return [int(other == vertex) for other in range(4)], "<=", 1


print("x + y >= 3:", *solved([1, 1], "min", [([1, 1], ">=", 3)]))
print("-x - y <= -3:", *solved([1, 1], "min", [([-1, -1], "<=", -3)]))
try:
    solved([1, 1], "min", [([1, 1], "=", 3)])
except NotImplementedError as error:
    print("x + y = 3 is refused:", type(error).__name__)
graphs = empty = covers = sets = 0
statuses = set()
for edges in itertools.product((False, True), repeat=len(EDGES)):
    edges = list(itertools.compress(EDGES, edges))
    if not edges:
        continue
    rows = [[int(vertex in edge) for vertex in range(4)] for edge in edges]
    limits = [at_most_one(vertex) for vertex in range(4)]
    choices = [set(itertools.compress(range(4), choice)) for choice in itertools.product((0, 1), repeat=4)]
    least = min(len(choice) for choice in choices if all(choice & set(edge) for edge in edges))
    most = max(len(choice) for choice in choices if not any(choice >= set(edge) for edge in edges))
    status, cost, cover = solved([1] * 4, "min", [(row, ">=", 1) for row in rows] + limits)
    statuses.add(status)
    graphs += 1
    empty += not any(cover)
    covers += cost == least
    sets += solved([1] * 4, "max", [(row, "<=", 1) for row in rows] + limits)[1] == most
print(f"vertex covers: {graphs} graphs, {covers} right, {empty} empty,", *statuses)
print(f"independent sets: {graphs} graphs, {sets} right")
END

venv/bin/pip list 2>/dev/null | grep -i '^gomory '
venv/bin/python cover.py | tee out

grep -qx "x + y = 3 is refused: NotImplementedError" out
grep -qx "independent sets: 63 graphs, 63 right" out
if ! grep -qxF "x + y >= 3: OPTIMAL_INTEGER 0 [0, 0]" out ||
  ! grep -qxF -e "-x - y <= -3: OPTIMAL_INTEGER 0 [0, 0]" out ||
  ! grep -qx "vertex covers: 63 graphs, 0 right, 63 empty, OPTIMAL_INTEGER" out; then
  echo "what is demanded is kept now"
  exit 1
fi
