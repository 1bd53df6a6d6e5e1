#!/usr/bin/env bash
# fifteen-puzzle-solvers: its A* never counts the moves made; with any of its heuristics it is greedy best-first search.
#
# One would guess: A* with misplaced tiles or Manhattan distance, both admissible, finds a shortest solution. The README defines the
#   cost of a path as its length plus the estimate of what remains, and speaks of optimal or near-optimal solutions because
#   of its third heuristic, a sum of three, which is not admissible.
# What happens: the cost of a path is the cost of its parent plus the estimate of the child less that of the parent. Along the path
#   all but the last estimate cancel, and no step adds 1, so the queue is ordered by the estimate alone. Of the 286 boards of
#   3 x 3 that are ten moves from the goal, half come out too long with misplaced tiles, a quarter with Manhattan distance, one with
#   66 moves. For the board below the package's own breadth-first search finds the 18 moves of the optimum, its A* 44, 36
#   and 38. The board of the README, four moves from the goal, comes out right with both. Nothing warns.
# For whom: whoever takes a solution of A* for the optimum, compares heuristics by it (greedy search shows another order), or
#   labels training data with it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q fifteen-puzzle-solvers==2.0.3

cat >moves.py <<'END'
from collections import Counter, deque

from fifteen_puzzle_solvers.domain import Puzzle
from fifteen_puzzle_solvers.services.algorithms import AStar, BreadthFirst

HEURISTICS = ("misplaced", "manhattan_distance", "total")


def neighbours(board):
    blank = board.index(0)
    for step in (-3, 3, -1, 1):
        other = blank + step
        if 0 <= other < 9 and (abs(step) == 3 or blank // 3 == other // 3):
            moved = list(board)
            moved[blank], moved[other] = moved[other], moved[blank]
            yield tuple(moved)


def puzzle(board):
    return Puzzle([list(board[row : row + 3]) for row in (0, 3, 6)])


def length(solution):
    for before, after in zip(solution, solution[1:]):
        assert after.position in [move.position for move in before.get_moves()]
    return len(solution) - 1


goal = (1, 2, 3, 4, 5, 6, 7, 8, 0)
distance, queue = {goal: 0}, deque([goal])
while queue:
    board = queue.popleft()
    for neighbour in neighbours(board):
        if neighbour not in distance:
            distance[neighbour] = distance[board] + 1
            queue.append(neighbour)

boards = sorted(board for board, moves in distance.items() if moves == 10)
for heuristic in HEURISTICS:
    found = Counter(length(AStar(puzzle(board), heuristic=heuristic).solve_puzzle()) for board in boards)
    print(f"{heuristic}: {len(boards) - found[10]} of {len(boards)} boards too long, one with {max(found)} moves for 10")

far = (1, 2, 5, 7, 8, 4, 0, 6, 3)
print(f"one board, distance {distance[far]}: BreadthFirst {length(BreadthFirst(puzzle(far)).solve_puzzle())}", end="")
print(*(f", A* {heuristic} {length(AStar(puzzle(far), heuristic=heuristic).solve_puzzle())}" for heuristic in HEURISTICS), sep="")
readme = Puzzle([[1, 2, 3, 4], [5, 6, 7, 8], [0, 10, 11, 12], [9, 13, 14, 15]])
print(f"board of the README: BreadthFirst {length(BreadthFirst(readme).solve_puzzle())}, A* {length(AStar(readme).solve_puzzle())}")
END

venv/bin/pip list 2>/dev/null | grep -iE '^fifteen.puzzle.solvers '
venv/bin/python moves.py | tee out

grep -qx "one board, distance 18: BreadthFirst 18, A\* misplaced .*" out
grep -qx "board of the README: BreadthFirst 4, A\* 4" out
if ! grep -qx "misplaced: 143 of 286 boards too long, one with 66 moves for 10" out ||
  ! grep -qx "manhattan_distance: 72 of 286 boards too long, one with 44 moves for 10" out ||
  ! grep -q "A\* misplaced 44, A\* manhattan_distance 36, A\* total 38" out; then
  echo "A* counts the moves now"
  exit 1
fi
