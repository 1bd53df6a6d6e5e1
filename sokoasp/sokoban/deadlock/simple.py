"""The simple rules every solver has: dead squares, freeze and matching; not from the thesis, and the base line for its types."""

from __future__ import annotations

from functools import lru_cache

from sokoasp.core.errors import counted
from sokoasp.sokoban import grid
from sokoasp.sokoban.deadlock.bitboard import Bitboard, BitState, flood
from sokoasp.sokoban.deadlock.verdict import Verdict
from sokoasp.sokoban.level import Cell, Level

MOST_CELLS = 1_000
"""Matching needs tables of this many cells squared; larger levels go without it."""
MOST_BOXES = 300


def dead_square(at: BitState) -> Verdict | None:
    """Find boxes on cells from which a lone box reaches no goal."""
    lost = at.boxes & at.board.dead
    if lost.bit_count() <= at.spare:
        return None
    cells = at.board.cells(lost)
    reason = "from there no box can be pushed to any goal, wherever the player stands"
    return Verdict("dead_square", cells, cells, reason, "dead squares")


def frozen(board: Bitboard, boxes: int, *, spare: int = 0) -> int:
    """Return the boxes that block each other (and the walls them) on both axes, so that none of them can be the first to move.

    Without spare boxes a push that leads onto a dead square on either side does not count as one.
    """
    stay = boxes
    dead = board.dead if not spare else 0
    while stay:
        full = board.walls | stay
        held = stay
        for by in (1, board.stride):
            held &= full << by | full >> by | dead << by & dead >> by
        if held == stay:
            break
        stay = held
    return stay


def freeze(at: BitState) -> Verdict | None:
    """Find boxes that hold each other fast, with one off goal among them."""
    stay = frozen(at.board, at.boxes, spare=at.spare)
    off = stay & ~at.board.goals
    if off.bit_count() <= at.spare:
        return None
    if not at.spare:
        stay = flood(off & -off, stay, at.board.stride)  # one group: it holds itself without the rest
    cells = at.board.cells(stay)
    return Verdict("freeze", cells, cells, _held(at, stay), "freeze rule")


def _held(at: BitState, stay: int) -> str:
    """Say how boxes are frozen: by walls and each other alone, or also by dead squares around them."""
    fast = frozen(at.board, stay, spare=1) == stay
    if stay & stay - 1:
        how = " fast" if fast else ": whichever is pushed first goes to a cell from where no goal can be reached"
        return f"these boxes hold each other{how}, and not all stand on goals"
    how = "never move" if fast else "only go to cells from where no goal can be reached"
    return f"this box can {how}, and it stands on no goal"


def matching(at: BitState) -> Verdict | None:
    """Find boxes that compete for too few goals: no assignment of boxes to goals they can reach alone fills every goal."""
    board = at.board
    if board.floor.bit_count() > MOST_CELLS or at.boxes.bit_count() > MOST_BOXES:
        return None
    floor = frozenset(board.cells(board.floor))
    side, reached = _tables(floor, frozenset(board.cells(board.goals)))
    index = {cell: number for number, cell in enumerate(sorted(floor))}
    player = index[board.cell(at.player)]
    boxes = board.cells(at.boxes)
    wanted = [[goal for goal, table in enumerate(reached) if side[index[box]][player] in table] for box in boxes]
    holder: dict[int, int] = {}
    lonely = [box for box in range(len(boxes)) if not _assign(box, wanted, holder, set())]
    if len(lonely) <= at.spare:
        return None
    crowd, goals = _crowd(lonely, wanted, holder)
    cells = tuple(boxes[box] for box in sorted(crowd))
    if not goals:
        who = "this box, pushed" if len(cells) == 1 else f"each of these {len(cells)} boxes, pushed"
        reason = f"{who} from a side the player can get to, reaches no goal"
    else:
        reason = f"{counted(len(cells), 'boxes')} and only {counted(len(goals), 'goals')} that any of them can reach"
    return Verdict("matching", cells, cells, reason, "matching rule")


def _assign(box: int, wanted: list[list[int]], holder: dict[int, int], seen: set[int]) -> bool:
    for goal in wanted[box]:
        if goal not in seen:
            seen.add(goal)
            if goal not in holder or _assign(holder[goal], wanted, holder, seen):
                holder[goal] = box
                return True
    return False


def _crowd(lonely: list[int], wanted: list[list[int]], holder: dict[int, int]) -> tuple[set[int], set[int]]:
    """Return the boxes that compete with the unassigned ones, and the goals they compete for."""
    crowd, goals = set(lonely), set[int]()
    queue = list(lonely)
    while queue:
        for goal in wanted[queue.pop()]:
            if goal not in goals:
                goals.add(goal)
                if holder[goal] not in crowd:
                    crowd.add(holder[goal])
                    queue.append(holder[goal])
    return crowd, goals


@lru_cache(maxsize=32)
def _tables(floor: frozenset[Cell], goals: frozenset[Cell]) -> tuple[list[grid.Side], list[dict[int, int]]]:
    some = next(iter(floor))
    view = grid.build(Level(floor, goals, goals, next((c for c in floor if c not in goals), some)))
    return grid.push_states(view)[1], list(grid.goal_distances(view, lines=False).values())
