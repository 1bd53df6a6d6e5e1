"""The whole state space of a small level, boxes and player's region as bits of an integer: what the graded sets measure.

Bit ``row * width + col`` of a number stands for a cell of the board (walls all around, so a shift never wraps onto the floor).
Positions that are seen to be dead at once (a box on a dead square, four cells full of walls and boxes) are in the space but are
not gone on from: all that follows a dead position is dead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sokoasp.sokoban.deadlock.bitboard import bits as each
from sokoasp.sokoban.deadlock.bitboard import flood, shift
from sokoasp.sokoban.level import DIRECTIONS, Cell, Level, spread
from sokoasp.sokoban.plan import Push

State = tuple[int, int]
"""Boxes, and the least cell of the player's region, as bits."""
Edge = tuple[int, int, State]
"""A push by one cell: the box's bit before it, the number of the direction, the state after it."""


@dataclass(frozen=True, slots=True)
class Bits:
    """A board's cells as bits of integers."""

    width: int
    floor: int
    goals: int
    steps: tuple[int, ...]
    """By how many bits a step in each of ``DIRECTIONS`` shifts."""

    def region(self, player: int, boxes: int) -> int:
        """Return all cells that the player on some of them can walk to."""
        return flood(player, self.floor & ~boxes, self.width)

    def cell(self, bit: int) -> Cell:
        """Return the cell of a number with one bit."""
        return Cell(*divmod(bit.bit_length() - 1, self.width))


def bits(level: Level) -> tuple[Bits, State, int]:
    """Return a level's board, its start, and the player's own cell."""
    width = 2 + max(cell.col for cell in level.floor)

    def number(cells: frozenset[Cell]) -> int:
        return sum(1 << cell.row * width + cell.col for cell in cells)

    board = Bits(
        width, number(level.floor), number(level.goals), tuple(d.value[0] * width + d.value[1] for d in DIRECTIONS)
    )
    boxes, player = number(level.boxes), number(frozenset((level.player,)))
    return board, (boxes, _least(board.region(player, boxes))), player


def _least(region: int) -> int:
    return region & -region


def pulls(board: Bits, state: State) -> Iterator[State]:
    """Yield every state from which one line push leads to this one."""
    boxes, player = state
    region = board.region(player, boxes)
    for by in board.steps:
        for box in each(boxes & shift(region, by)):
            others, to = boxes ^ box, shift(box, -by)
            while (stand := shift(to, -by)) & board.floor & ~others:
                yield others | to, _least(board.region(stand, others | to))
                to = stand


@dataclass(frozen=True, slots=True)
class Space:
    """All states that can be reached, with the pushes that lead on from each; those seen to be dead have none."""

    board: Bits
    start: State
    player: int
    """The player's own cell at the start."""
    edges: dict[State, list[Edge]]
    far: dict[State, int] = field(repr=False)
    """The fewest pushes to a solved state, of the states from which the level can be solved."""

    def solved(self, state: State) -> bool:
        """Say whether every goal holds a box."""
        return not self.board.goals & ~state[0]

    def lines(self, state: State) -> Iterator[tuple[list[Edge], State]]:
        """Yield each line push: its pushes by one cell, and the state after it."""
        for edge in self.edges[state]:
            line, (box, way, after) = [edge], edge
            yield line, after
            while True:
                box = shift(box, self.board.steps[way])
                on = next((one for one in self.edges[after] if one[0] == box and one[1] == way), None)
                if on is None:
                    break
                line, after = [*line, on], on[2]
                yield line, after


def explore(level: Level, most: int) -> Space | None:
    """Return the space of a level with as many goals as boxes, None if it has more than ``most`` states."""
    board, start, player = bits(level)
    dead = board.floor & ~sum(lone_pushes(board))
    blocks = _blocks(board)
    edges: dict[State, list[Edge]] = {start: []}
    queue = [start]
    for boxes, stand in queue:
        if boxes & dead or any(not block & ~boxes & board.floor and block & boxes & ~board.goals for block in blocks):
            continue
        region, free, found = board.region(stand, boxes), board.floor & ~boxes, edges[boxes, stand]
        for way, by in enumerate(board.steps):
            for box in each(boxes & shift(region, by) & shift(free, -by)):
                after = boxes ^ box | shift(box, by)
                state = after, _least(board.region(box, after))
                found.append((box, way, state))
                if state not in edges:
                    edges[state] = []
                    queue.append(state)
        if len(edges) > most:
            return None
    return Space(board, start, player, edges, _to_go(board, edges))


def lone_pushes(board: Bits) -> dict[int, int]:
    """Return the fewest pushes that bring a lone box from a cell to some goal, by pulls from the goals."""

    def before(cell: int) -> list[int]:
        places = ((shift(cell, -by), shift(cell, -2 * by)) for by in board.steps)
        return [place for place, stand in places if place & board.floor and stand & board.floor]

    return spread(each(board.goals), before)


def _blocks(board: Bits) -> list[int]:
    """Return the squares of two by two cells that have floor."""
    width, corners = board.width, board.floor | board.floor >> 1 | board.floor >> board.width
    corners |= board.floor >> board.width + 1
    return [corner | corner << 1 | corner << width | corner << width + 1 for corner in each(corners)]


def _to_go(board: Bits, edges: dict[State, list[Edge]]) -> dict[State, int]:
    before: dict[State, list[State]] = {}
    for state, following in edges.items():
        for _, _, after in following:
            before.setdefault(after, []).append(state)
    return spread((state for state in edges if not board.goals & ~state[0]), lambda state: before.get(state, ()))


def fewest_lines(space: Space) -> list[Edge] | None:
    """Return the pushes (by one cell) of the first plan with the fewest lines, None if there is no plan."""
    came: dict[State, tuple[State, list[Edge]] | None] = {space.start: None}
    queue = [space.start]
    for state in queue:
        if space.solved(state):
            plan: list[Edge] = []
            link = came[state]
            while link is not None:
                plan[:0] = link[1]
                link = came[link[0]]
            return plan
        for line, after in space.lines(state):
            if after not in came and after in space.far:
                came[after] = state, line
                queue.append(after)
    return None


def fewest_moves(space: Space) -> int | None:
    """Return the fewest moves of a plan: breadth first over boxes and the player's own cell."""
    board, queue, depth = space.board, [(space.start[0], space.player)], 0
    seen = set(queue)
    while queue:
        following = []
        for boxes, player in queue:
            if not board.goals & ~boxes:
                return depth
            for by in board.steps:
                to, after = shift(player, by), boxes
                if to & boxes:
                    after = boxes ^ to | shift(to, by)
                    if (
                        not shift(to, by) & board.floor & ~boxes
                        or (after, _least(board.region(to, after))) not in space.far
                    ):
                        continue
                elif not to & board.floor:
                    continue
                if (after, to) not in seen:
                    seen.add((after, to))
                    following.append((after, to))
        queue, depth = following, depth + 1
    return None


def as_push(board: Bits, edge: Edge) -> Push:
    """Return an edge as a push of the rules."""
    box, way, _ = edge
    return Push(board.cell(box), DIRECTIONS[way], board.cell(box).step(DIRECTIONS[way]))
