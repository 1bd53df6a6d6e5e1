"""The one deadlock of reverse search: the player has pulled boxes so that they shut the player in."""

from __future__ import annotations

from sokoasp.sokoban.deadlock.bitboard import Bitboard, beside, bits, board_of, flood, grow, shift, spread_alone
from sokoasp.sokoban.deadlock.local import PRUNING, Budget
from sokoasp.sokoban.deadlock.verdict import Verdict
from sokoasp.sokoban.level import Level
from sokoasp.sokoban.rules import State

SOURCE = "thesis §2.2 and §2.3, figure 2-7 (拉目標)"
REACH = (1, 3)


def pulled_region(level: Level, state: State, *, budget: Budget = PRUNING) -> Verdict | None:
    """Find a state of the pull game in which the player is shut in by boxes that can never be pulled so that the player gets out.

    ``state`` is a position of reverse search (boxes on their way back to ``level.boxes``), so this is no detector for states
    of play. The player only ever touches the boxes around it; alone on the board, they must all get onto start cells of boxes
    with the player's start cell in reach, or the player must get out of the cells around them (thesis §2.2, §2.3).
    """
    board = board_of(level)
    boxes = board.mask(state.boxes)
    player = board.bit(state.player)
    starts, home = board.mask(level.boxes), board.bit(level.player)
    area = flood(player, board.floor & ~boxes, board.stride)
    ring = beside(area, board.shifts) & boxes
    if not ring or area | boxes == board.floor:
        return None
    # cells from which a lone box can be pulled back: pushed onto a cell by a player who stood two cells behind it
    live = spread_alone(starts, [(by, board.floor & shift(board.floor, 2 * by)) for by in board.shifts])
    for times in REACH:
        zone = grow(area | ring, board.floor, board.stride, times)
        if _shut_in(board, ring, area, zone, starts, home, live, budget.states):
            cells = board.cells(ring)
            who = "1 box shuts" if len(cells) == 1 else f"{len(cells)} boxes shut"
            them = "it" if len(cells) == 1 else "them"
            reason = f"{who} the player in: alone on the board, pulling {them} never leads back to the start"
            return Verdict("pulled_region", board.cells(area | ring), cells, reason, SOURCE)
    return None


def _shut_in(board: Bitboard, boxes: int, area: int, zone: int, starts: int, home: int, live: int, states: int) -> bool:
    """Return whether all positions of these boxes alone were searched and neither the start nor a way out was met."""
    area = flood(area & -area, board.floor & ~boxes, board.stride)
    seen = {(boxes, area & -area)}
    stack = [(boxes, area)]
    while stack:
        boxes, area = stack.pop()
        if area & ~zone or (not boxes & ~starts and area & home):
            return False
        free = board.floor & ~boxes
        for by in board.shifts:
            # the player steps from `to` by one in direction `by`, and the box behind the player follows onto `to`
            able = boxes & shift(area, -by) & shift(free, -2 * by) & shift(live, -by)
            for box in bits(able):
                new = boxes ^ box | shift(box, by)
                area_after = flood(shift(box, 2 * by), board.floor & ~new, board.stride)
                key = (new, area_after & -area_after)
                if key not in seen:
                    if len(seen) >= states:
                        return False
                    seen.add(key)
                    stack.append((new, area_after))
    return True
