#!/usr/bin/env bash
# search-library: its bidirectional search is optimal on the sliding puzzle, and is not once a move may slide a whole row.
#
# One would guess: with all steps equal, searching breadth first from both ends finds a shortest way. The README's table says
#   "Optimal: Yes (unweighted)" and recommends it where breadth-first search is too slow. Whoever tries it on a grid or a
#   sliding puzzle finds it right every time.
# What happens: the two searches take turns node by node, and the first successor that the other side has seen is where they meet.
#   The other side is halfway through a layer: another successor of the same node may be one step nearer to its end.
#   On those boards that cannot be: each step changes the colour of a chessboard or the parity of a permutation, so all ways
#   between two states are odd or all are even, and one too many would be two. With moves of one tile, all of 21600 pairs of
#   boards of 2 x 3 come out right. With moves of one or more tiles in a line (as Klotski and Rush Hour count them) there
#   are triangles, and 590 pairs come out one move too long; the library's own breadth-first search has the shorter ones.
#   Which pairs they are depends on the order in which the moves are listed. Six nodes are enough. Nothing warns.
# For whom: whoever takes the length for the optimum after a check on a grid: the check cannot fail there.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q search-library==1.0.0

cat >meet.py <<'END'
from collections import Counter

from search_library import Graph, SearchProblem, bfs_search, bidirectional_search

ROWS, COLUMNS = 2, 3


def slides(board, line):
    """The boards after one move: one tile into the gap, or with `line` any number of tiles that stand in a line with it."""
    gap = board.index(0)
    for to in range(ROWS * COLUMNS):
        down, right = to // COLUMNS - gap // COLUMNS, to % COLUMNS - gap % COLUMNS
        far = abs(down) + abs(right)
        if (down == 0) == (right == 0) or far > 1 and not line:
            continue
        tiles = list(board)
        places = range(gap, to + (to - gap) // far, (to - gap) // far)
        for here, there in zip(places, places[1:]):
            tiles[here], tiles[there] = tiles[there], 0
        yield tuple(tiles)


class Puzzle(SearchProblem):
    def __init__(self, start, goal, line):
        self.start, self.goal, self.line = start, goal, line

    def initial_state(self):
        return self.start

    def is_goal(self, state):
        return state == self.goal

    def successors(self, state):
        return [(board, 1.0) for board in slides(state, self.line)]


def distances(goal, line):
    found = {goal: 0}
    for board in (queue := [goal]):
        for after in slides(board, line):
            if after not in found:
                found[after] = found[board] + 1
                queue.append(after)
    return found


boards = sorted(distances((1, 2, 3, 4, 5, 0), line=False))
for line in (False, True):
    lengths, example = Counter(), None
    for goal in boards[::6]:
        distance = distances(goal, line)
        for start in boards:
            answer = bidirectional_search(Puzzle(start, goal, line), reverse_problem=Puzzle(goal, start, line))
            assert all(after in slides(before, line) for before, after in zip(answer.path, answer.path[1:]))
            too_many = len(answer.path) - 1 - distance[start]
            lengths[too_many] += 1
            if too_many:
                example = (start, goal, len(answer.path) - 1)
    moves = "lines" if line else "single tiles"
    print(f"{moves}: {sum(lengths.values())} pairs of boards, {sum(lengths.values()) - lengths[0]} too long")
    if example:
        start, goal, length = example
        print(f"  one of them: bidirectional {length}, own breadth-first {len(bfs_search(Puzzle(start, goal, line)).path) - 1}")

graph = Graph(directed=False)
for one, other in ("AD", "AE", "BC", "BE", "BF", "CD"):
    graph.add_edge(one, other)
there, back = graph.to_search_problem("A", "F"), graph.to_search_problem("F", "A")
print("six nodes: bidirectional", "".join(bidirectional_search(there, reverse_problem=back).path), end="")
print(", own breadth-first", "".join(bfs_search(there).path))
END

venv/bin/pip list 2>/dev/null | grep -iE '^search-library '
venv/bin/python meet.py | tee out

grep -qx "single tiles: 21600 pairs of boards, 0 too long" out
if ! grep -qx "lines: 21600 pairs of boards, 590 too long" out ||
  ! grep -qx "six nodes: bidirectional ADCBF, own breadth-first AEBF" out; then
  echo "the searches meet in the right place now"
  exit 1
fi
