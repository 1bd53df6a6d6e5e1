#!/usr/bin/env bash
# BisPy, maximum bisimulation: Dovier-Piazza-Policriti puts a state that may go on for ever in one block with one that ends.
#
# One would guess: the package's two algorithms for a whole graph have one answer, the coarsest partition in which all states of a
#   block have steps to the same blocks. The documentation offers them side by side, to be chosen by an argument.
# What happens: Dovier-Piazza-Policriti goes through the states by rank, and where a rank has one block left, that block is
#   collapsed as it is. But a state with a cycle may share its rank with one without: 0 below has a step to itself and one to
#   the end, 1, and state 2 has the latter alone. They come out as one block. So it is in the six graphs of three states that
#   have this shape, of 512; in each the reduced graph says of no state but the end that its run must end, where that is so
#   of one more. Of 1000 sparse graphs of six states 73 are wrong, all by a block too large. Paige-Tarjan, the default,
#   is right in all of them. Nothing warns.
# For whom: whoever shrinks a state space before a search or a model checker: what is found in the reduced graph (a loop, a
#   deadlock that cannot be avoided) need not be so in the graph.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q BisPy==0.2.2 networkx==3.6.1 llist==0.7.1

cat >blocks.py <<'END'
import itertools
import random

import networkx as nx
from bispy import Algorithms, compute_maximum_bisimulation


def graph_of(size, steps):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(steps)
    return graph


def computed(graph, algorithm):
    return {frozenset(block) for block in compute_maximum_bisimulation(graph, algorithm=algorithm)}


def by_hand(graph):
    """Split by the blocks that are reached until nothing is split any more."""
    block_of = dict.fromkeys(graph, 0)
    while True:
        seen = {state: (block_of[state], frozenset(block_of[to] for to in graph[state])) for state in graph}
        names = {}
        refined = {state: names.setdefault(seen[state], len(names)) for state in graph}
        if len(names) == len(set(block_of.values())):
            return {frozenset(state for state in graph if block_of[state] == name) for name in block_of.values()}
        block_of = refined


def must_end(graph):
    states = set()
    while (more := {state for state in graph if set(graph[state]) <= states}) != states:
        states = more
    return states


def must_end_reduced(graph, blocks):
    block_of = {state: block for block in blocks for state in block}
    reduced = nx.DiGraph()
    reduced.add_nodes_from(blocks)
    reduced.add_edges_from((block_of[start], block_of[to]) for start, to in graph.edges)
    return {state for block in must_end(reduced) for state in block}


def shown(blocks):
    return " ".join(sorted("".join(map(str, sorted(block))) for block in blocks))


pairs = list(itertools.product(range(3), repeat=2))
small = [graph_of(3, steps) for count in range(10) for steps in itertools.combinations(pairs, count)]
chance = random.Random(1)
pairs = list(itertools.product(range(6), repeat=2))
large = [graph_of(6, [pair for pair in pairs if chance.random() < 0.2]) for _ in range(1000)]
for name, graphs in (("three", small), ("six", large)):
    for algorithm in Algorithms:
        wrong = too_large = misled = 0
        for graph in graphs:
            right, blocks = by_hand(graph), computed(graph, algorithm)
            assert must_end_reduced(graph, right) == must_end(graph)
            wrong += blocks != right
            too_large += any(not any(block <= whole for whole in right) for block in blocks)
            misled += must_end_reduced(graph, blocks) != must_end(graph)
        print(f"{len(graphs)} graphs of {name}, {algorithm.name}: {wrong} wrong, {too_large} too coarse, {misled} mislead")

graph = graph_of(3, [(0, 0), (0, 1), (2, 1)])
blocks = computed(graph, Algorithms.DovierPiazzaPolicriti)
print(f"0 to 0 and 1, 2 to 1: {shown(blocks)}, by hand {shown(by_hand(graph))}")
print(f"runs that must end: from {shown([must_end_reduced(graph, blocks)])}, by hand {shown([must_end(graph)])}")
END

venv/bin/pip list 2>/dev/null | grep -i '^bispy '
venv/bin/python blocks.py | tee out

grep -qx "512 graphs of three, PaigeTarjan: 0 wrong, 0 too coarse, 0 mislead" out
grep -qx "1000 graphs of six, PaigeTarjan: 0 wrong, 0 too coarse, 0 mislead" out
if ! grep -qx "512 graphs of three, DovierPiazzaPolicriti: 6 wrong, 6 too coarse, 6 mislead" out ||
  ! grep -qx "1000 graphs of six, DovierPiazzaPolicriti: 73 wrong, 73 too coarse, 69 mislead" out ||
  ! grep -qx "0 to 0 and 1, 2 to 1: 02 1, by hand 0 1 2" out ||
  ! grep -qx "runs that must end: from 1, by hand 12" out; then
  echo "a state with a cycle is kept apart now"
  exit 1
fi
