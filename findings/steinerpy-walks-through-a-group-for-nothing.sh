#!/usr/bin/env bash
# steinerpy, optimal Steiner trees: a group joins its members at no cost, and the tree falls apart.
#
# One would guess: GroupSteinerProblem gives the cheapest tree that has a vertex of each group. The
#   docstring says so. The README says that a gap of 0.0 means provably optimal.
# What happens: each group gets a vertex of its own, with edges of cost zero to its members. Nothing
#   keeps a tree from going in at one member and out at another, so all members of a group count as
#   connected. These edges are then taken out of the answer, and it is in pieces. Below, a depot and
#   a shop lie at the two ends of a street, and a parcel box may stand at the house beside either.
#   The cost is 2 instead of 15, the gap is 0, and nothing connects the shop and the depot. Of 160
#   random graphs with three groups of two, 55 get a cost below the least one, which is found by
#   going through all sets of vertices. In the directed variant of the problem, with arcs both ways
#   and each member of one group as the root in turn, all 160 are right. Nothing warns.
# For whom: whoever connects one of these with one of those (a door of each room, a port of each
#   device, a depot of each firm), or takes the cost for a lower bound.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q steinerpy==1.0.20 networkx==3.6.1 highspy==1.16.0

cat >groups.py <<'END'
import logging
import random
from itertools import combinations

import networkx
from steinerpy import DirectedGroupSteinerProblem, GroupSteinerProblem

logging.disable(logging.INFO)


def least(graph, groups):
    """The least cost of a tree with a vertex of each group: the cheapest spanning trees of all sets of vertices."""
    costs = []
    for size in range(1, len(graph) + 1):
        for vertices in combinations(graph, size):
            part = graph.subgraph(vertices)
            if all(set(group) & set(vertices) for group in groups) and networkx.is_connected(part):
                costs.append(networkx.minimum_spanning_tree(part).size("weight"))
    return min(costs)


def is_tree(edges, groups):
    tree = networkx.Graph(edges)
    return bool(edges) and networkx.is_tree(tree) and all(set(group) & set(tree) for group in groups)


def by_directed(graph, groups):
    """The same problem with arcs both ways, from each vertex of the first group."""
    both = graph.to_directed()
    problems = [DirectedGroupSteinerProblem(both, groups[1:], root) for root in groups[0]]
    return min(problem.get_solution().objective for problem in problems)


street = networkx.path_graph(16)
networkx.set_edge_attributes(street, 1, "weight")
groups = [[0], [15], [1, 14]]
solution = GroupSteinerProblem(street, groups).get_solution()
edges = sorted(map(sorted, solution.selected_edges))
print(f"street: cost {solution.objective:g}, gap {solution.gap:g}, edges {edges}")
print(f"street, directed: cost {by_directed(street, groups):g}")

random.seed(1)
graphs = []
while len(graphs) < 160:
    graph = networkx.gnm_random_graph(7, 9, seed=random.randrange(10**6))
    for first, second in graph.edges:
        graph[first][second]["weight"] = random.randint(1, 6)
    order = random.sample(range(7), 7)
    groups = [order[:2], order[2:4], order[4:6]]
    if networkx.is_connected(graph):
        graphs.append((graph, groups, least(graph, groups)))
trees = below = directed = proven = 0
for graph, groups, cost in graphs:
    solution = GroupSteinerProblem(graph, groups).get_solution()
    trees += is_tree(solution.selected_edges, groups)
    below += solution.objective < cost - 1e-6
    proven += solution.gap == 0
    directed += abs(by_directed(graph, groups) - cost) < 1e-6
print(f"{len(graphs)} graphs: {proven} proven, {trees} trees, {below} below the least cost; directed {directed} right")
END

venv/bin/pip list 2>/dev/null | grep -i '^steinerpy '
venv/bin/python groups.py | grep -E '^(street|[0-9]+ graphs)' | tee out

grep -qx "street, directed: cost 15" out
if ! grep -qx "street: cost 2, gap 0, edges \[\[0, 1\], \[14, 15\]\]" out ||
  ! grep -qxE "160 graphs: 160 proven, [0-9]+ trees, 55 below the least cost; directed 160 right" out; then
  echo "a tree does not walk through a group now"
  exit 1
fi
