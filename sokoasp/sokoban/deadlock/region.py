"""Type 5, boxes that close a region the player cannot break open."""

from __future__ import annotations

from collections.abc import Iterator

from sokoasp.core.errors import counted
from sokoasp.sokoban.deadlock.bitboard import BitState, beside, flood, grow, pieces
from sokoasp.sokoban.deadlock.local import Budget, dead_alone
from sokoasp.sokoban.deadlock.verdict import Verdict, never_done

SOURCE = "thesis §2.2, type 5 (區域牽制)"
REACH = (1, 3)
"""How far around a region its boxes are followed, in cells: first near, then wider."""


def examine(at: BitState, budget: Budget) -> Verdict | None:
    """Find boxes around a region out of the player's reach which, alone on the board, can neither fill goals nor get away.

    Tried for every closed region, then for regions joined by a box they share, then for groups of boxes close together; each
    is followed within ``REACH`` cells (thesis §2.2).
    """
    tried: set[tuple[int, int]] = set()
    candidates = list(_groups(at))
    for times in REACH:
        for closed, boxes in candidates:
            zone = grow(closed | boxes, at.board.floor, at.board.stride, times)
            if (boxes, zone) in tried:
                continue
            if len(tried) >= budget.searches:
                return None
            tried.add((boxes, zone))
            if dead_alone(at, boxes, zone=zone, states=budget.states):
                return _verdict(at, boxes)
    return None


def closed_regions(at: BitState) -> Iterator[int]:
    """Return the connected parts of the free floor that the player does not reach."""
    return pieces(at.board.floor & ~at.boxes & ~at.region, at.board.stride)


def _groups(at: BitState) -> Iterator[tuple[int, int]]:
    """Yield (closed region, boxes to try): single regions, regions that share boxes, then boxes close to one another."""
    board = at.board
    single = [(part, beside(part, board.shifts) & at.boxes) for part in closed_regions(at)]
    single = [(part, boxes) for part, boxes in single if boxes & (boxes - 1)]
    yield from single
    joined = []
    for part, boxes in single:
        changed = True
        while changed:
            changed = False
            for other, its in single:
                if its & boxes and other & ~part:
                    part, boxes, changed = part | other, boxes | its, True
        joined.append((part, boxes))
    yield from dict.fromkeys(joined)
    for part, boxes in dict.fromkeys(joined):
        yield part, boxes | beside(boxes, board.shifts) & at.boxes
    yield from ((0, boxes) for boxes in _clusters(at) if boxes & (boxes - 1))


def _clusters(at: BitState) -> Iterator[int]:
    """Yield the groups of boxes that touch one another (diagonals included)."""
    left = at.boxes
    while left:
        group = left & -left
        while (wider := grow(group, at.board.floor, at.board.stride, 1) & at.boxes) != group:
            group = wider
        left &= ~group
        yield group


def _verdict(at: BitState, boxes: int) -> Verdict:
    """Report on these boxes alone: the cells they shut off from the player, if any, and that they are never all done."""
    board = at.board
    free = board.floor & ~boxes
    closed = free & ~flood(at.player, free, board.stride)
    many = boxes.bit_count()
    if closed:
        parts = len(list(closed_regions(BitState(board, boxes, at.player, free & ~closed, at.spare))))
        where = "a region" if parts == 1 else f"{parts} regions"
        size = closed.bit_count()
        cells = f"{counted(size, 'cells')}{' in all' * (parts > 1)}"
        what = f"shut the player out of {where} of {cells}, and alone on the board they"
    else:
        what = "close together"
    reason = f"{counted(many, 'boxes')} {what} {never_done(many, at.spare)}"
    return Verdict("region", board.cells(closed | boxes), board.cells(boxes), reason, SOURCE)
