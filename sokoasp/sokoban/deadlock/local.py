"""The bounded local search that types 4 to 6 share: can these boxes, alone on the board, still do their part?

Why its "dead" is a proof. Take any solution of the whole level and forget all boxes but the set S. Every push of S is still
possible, the player goes the same way, and in the end at least |S| - spare boxes of S stand on goals. So if the search over S
alone is exhausted and met no such position, the level is dead. Three things make the search small, and each only ever adds
possibilities or drops positions that no solution passes:

* a box pushed out of the *zone* is taken off the board (fewer boxes: more freedom);
* without spare boxes, positions with a box on a dead square, a frozen box off goal, an overfull wall run, or two boxes in one
  tunnel that the player has just entered behind one of them, are dropped;
* without spare boxes, a box in a *tunnel* (straight, one wide, no goal, two cells or more) goes on to the far end in one go: a
  tunnel holds at most one box in any solution, or two with the player between them from the start, and where in the tunnel
  that box stands makes no difference. So the length of a corridor does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sokoasp.sokoban.deadlock.bitboard import Bitboard, BitState, bits, flood, ray, shift
from sokoasp.sokoban.deadlock.simple import frozen


@dataclass(frozen=True, slots=True)
class Budget:
    """How far the detectors go; each search stops undecided (never "dead") when its share is used up."""

    states: int = 150
    """Positions one local search may visit."""
    searches: int = 20
    """Local searches one detector may start; units per cut."""
    cuts: int = 2
    """Cuts into units that are tried."""

    def on(self, board: Bitboard) -> Budget:
        """Return the budget for a board of this size: the larger the floor, the more a position costs, so the fewer of them."""
        cells = board.floor.bit_count()
        return Budget(
            min(self.states, max(10, 600_000 // cells)), min(self.searches, max(4, 40_000 // cells)), self.cuts
        )


PRUNING = Budget()
"""For use inside another search: a few milliseconds a state."""
THOROUGH = Budget(states=3_000, searches=200, cuts=4)
"""For a person who asks once: seconds at most on a usual level."""


def dead_alone(at: BitState, boxes: int, *, zone: int, states: int) -> bool | None:
    """Decide whether ``boxes``, alone on the board, can no longer do their part.

    ``zone`` is where they are followed; leaving it counts as doing their part.

    Returns True for a proof, False when they can (or get away), None when ``states`` positions were not enough.
    """
    area = flood(at.player, at.board.floor & ~boxes, at.board.stride)
    return _dead_alone(at.board, boxes, area & -area, zone, at.spare, states)


@lru_cache(maxsize=8192)
def _dead_alone(board: Bitboard, boxes: int, player: int, zone: int, spare: int, states: int) -> bool | None:
    if hopeless(board, boxes, spare):
        return True
    if (boxes & ~board.goals).bit_count() <= spare:
        return False
    seen = {(boxes, player)}
    stack = [(boxes, flood(player, board.floor & ~boxes, board.stride))]
    while stack:
        for new, player in pushes(board, *stack.pop(), zone=zone, spare=spare):
            if (new & ~board.goals).bit_count() <= spare:
                return False
            area = flood(player, board.floor & ~new, board.stride)
            key = (new, area & -area)
            if key not in seen:
                if len(seen) >= states:
                    return None
                seen.add(key)
                stack.append((new, area))
    return True


def pushes(board: Bitboard, boxes: int, area: int, *, zone: int, spare: int) -> list[tuple[int, int]]:
    """Return (boxes, player) after every push that some solution might make; those out of the zone come last.

    The player is put on the cell the box came from: wherever the player follows it to, the player can walk back there.
    """
    found: list[tuple[int, int]] = []
    away: list[tuple[int, int]] = []
    free = board.floor & ~boxes
    for by in board.shifts:
        for box in bits(boxes & shift(area, by) & shift(free, -by)):
            to = shift(box, by)
            rest = boxes ^ box
            if not spare:
                to = _through(board, box, to, by, rest)
                if to & (rest | board.dead) or _tunnel(board, to) & rest:
                    continue
            if not to & zone:
                away.append((rest, box))
            elif spare or not _spoilt(board, rest | to, to):
                found.append((rest | to, box))
    return found + away


def _through(board: Bitboard, box: int, to: int, by: int, rest: int) -> int:
    """Return where a push ends: a box inside a tunnel goes on until it is out of it or meets another box."""
    free = _tunnel(board, box) & ~rest
    if not to & free:
        return to
    line = ray(to, free, by)
    return shift(line & -line if by < 0 else 1 << line.bit_length() - 1, by)


def _tunnel(board: Bitboard, cell: int) -> int:
    return board.tunnel_of.get(cell.bit_length() - 1, 0)


def _spoilt(board: Bitboard, boxes: int, box: int) -> bool:
    """Return whether the push that brought ``box`` here froze a box off goal or overfilled a run."""
    for run, most in board.tight:
        if run & box and (boxes & run).bit_count() > most:
            return True
    full, dead = board.walls | boxes, board.dead
    for by in (1, board.stride):
        near, far = box << by, box >> by
        if not ((near | far) & full or (near & dead and far & dead)):
            return False
    return frozen(board, boxes) & ~board.goals != 0


def hopeless(board: Bitboard, boxes: int, spare: int) -> bool:
    """Return whether dead squares, freeze or wall counting already prove these boxes dead."""
    lost = boxes & board.dead | frozen(board, boxes, spare=spare) & ~board.goals
    if lost.bit_count() > spare:
        return True
    return any((boxes & run).bit_count() - most > spare for run, most in board.tight)
