"""The oracle: breadth-first search in a few plain lines over named cells, sharing no code with the packed search or the referee.

Tests take its answers as the truth. It knows the board's rows, directions, groups and goal, and nothing else.
"""

from collections import deque
from collections.abc import Iterator

from sokoasp.klotski.board import Board

_WAYS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
Placed = frozenset[tuple[str, frozenset[tuple[int, int]]]]
"""A position: for each piece its kind and the cells it covers."""


def distances(board: Board, objective: str, most: int = 200_000) -> tuple[int | None, int, int]:
    """Return the least number of slides or units to a goal (None if there is none), positions seen, and the greatest distance.

    Without a goal the positions seen are all that can be reached. OverflowError if there are more than ``most``.
    """
    kinds = _kinds(board)
    first: Placed = frozenset((kinds[p.name], frozenset((c.row, c.col) for c in p.cells)) for p in board.pieces)
    far = {first: 0}
    queue = deque([first])
    last = 0
    while queue:
        state = queue.popleft()
        last = far[state]
        if _solved(board, kinds, state):
            return last, len(far), last
        if len(far) > most:
            raise OverflowError(f"more than {most} positions")
        for after in _after(board, state, objective == "slides"):
            if after not in far:
                far[after] = last + 1
                queue.append(after)
    return None, len(far), last


def _kinds(board: Board) -> dict[str, str]:
    """Return a label for each piece; equal labels may stand for each other."""
    goal_letters = {name for name, _ in board.goal.places} | {name for name, _ in board.goal.covers}
    out = {}
    for piece in board.pieces:
        group = next(("".join(sorted(g)) for g in board.same if piece.name in g), piece.name)
        wanted = group if goal_letters & set(group) else "any"
        shape = sorted((c.row - piece.corner.row, c.col - piece.corner.col) for c in piece.cells)
        out[piece.name] = f"{wanted}:{shape}:{''.join(sorted(piece.directions))}"
    return out


def _after(board: Board, state: Placed, sliding: bool) -> Iterator[Placed]:
    floor = {(c.row, c.col) for c in board.cells}
    for kind, cells in state:
        others = {cell for _, covered in state if covered != cells for cell in covered}
        ways = [_WAYS[way] for way in kind.split(":")[2]]
        found = {cells}
        todo = [cells]
        while todo:
            here = todo.pop()
            if here != cells and not sliding:
                continue
            for drow, dcol in ways:
                there = frozenset((row + drow, col + dcol) for row, col in here)
                if there <= floor and not there & others and there not in found:
                    found.add(there)
                    todo.append(there)
        for there in found - {cells}:
            yield state - {(kind, cells)} | {(kind, there)}


def _solved(board: Board, kinds: dict[str, str], state: Placed) -> bool:
    taken = {cell: kind for kind, cells in state for cell in cells}
    corners = {(kind, (min(r for r, _ in cells), min(c for _, c in cells))) for kind, cells in state}
    return (
        all((kinds[name], (corner.row, corner.col)) in corners for name, corner in board.goal.places)
        and all(taken.get((cell.row, cell.col)) == kinds[name] for name, cell in board.goal.covers)
        and all((cell.row, cell.col) not in taken for cell in board.goal.blanks)
    )
