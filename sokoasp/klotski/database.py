"""Every position of a piece set with its distance to the goal: the data base that the Hua Rong Dao paper names as future work.

The piece set is what the pieces of a board are apart from where they stand; its positions are all ways to lay them on the
board, whether one can be reached from another or not. Those that can are a *component*. Moves must be reversible, so no piece
may be limited to one way along a line.
"""

from __future__ import annotations

import json
import lzma
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

from sokoasp.core.errors import LevelError, counted
from sokoasp.core.limits import Clock, Limits
from sokoasp.core.result import Result, Status
from sokoasp.klotski import notation
from sokoasp.klotski.board import OBJECTIVES, Board, BoardCell
from sokoasp.klotski.search import plan_through
from sokoasp.klotski.slide_plan import Plan
from sokoasp.klotski.space import Space

MAGIC = b"sokoasp klotski positions 2\n"
_LISTS = (("H", "slides"), ("H", "units"), ("l", "component"))
"""Type code and name of the lists beside the keys."""
NEVER = 0xFFFF
"""Distance of a position from which no goal can be reached."""


@dataclass(frozen=True, slots=True)
class Positions:
    """All positions of a piece set, sorted by their packed number, with distances to the nearest goal and components."""

    board: Board
    """A board of the piece set: it gives size, walls, pieces and goal."""
    keys: list[int]
    slides: array[int]
    units: array[int]
    component: array[int]
    """Number of the component each position lies in, the largest component 0, the next 1 and so on."""
    source: str = ""
    """The file that they were read from, whose distances nobody has measured again; empty if they were measured now."""

    def at(self, key: int) -> int | None:
        """Return the place of a position in the lists, None if it is none of them."""
        place = bisect_left(self.keys, key)
        return place if self.keys[place : place + 1] == [key] else None

    def distances(self, objective: str) -> array[int]:
        """Return the distances in slides or in units."""
        return self.slides if objective == "slides" else self.units

    def distance(self, board: Board, objective: str = "slides") -> int | None:
        """Return the least number of slides or units from a board's position to the goal, None if it cannot be reached.

        Raises LevelError: the board is of another piece set, or has another goal, or the distances are not right.
        """
        far = self.distances(objective)[self._place(board)]
        return None if far == NEVER else far

    def plan(self, board: Board, objective: str = "slides") -> Plan | None:
        """Return a cheapest plan, None if there is none. Raises LevelError: another piece set or another goal."""
        far = self.distances(objective)
        place: int | None = self._place(board)
        assert place is not None
        if far[place] == NEVER:
            return None
        space = Space(board, sliding=objective == "slides")
        keys = [self.keys[place]]
        while far[place]:
            near = (p for key in neighbours(space, keys[-1]) if (p := self.at(key)) is not None)
            place = next((p for p in near if far[p] < far[place]), None)
            if place is None:
                raise LevelError("these positions contradict each other: from one of them no slide leads nearer")
            keys.append(self.keys[place])
        return plan_through(space, keys)

    def farthest(self, objective: str = "slides") -> tuple[int, list[Board]]:
        """Return the greatest distance to a goal and the hardest starts, all positions at that distance."""
        far = self.distances(objective)
        most = max((d for d in far if d != NEVER), default=0)
        return most, [self.board_at(at) for at, d in enumerate(far) if d == most]

    def board_at(self, at: int) -> Board:
        """Return the board with its pieces where a position has them (equal pieces lettered in reading order)."""
        space = Space(self.board, sliding=False)
        corners: dict[str, BoardCell] = {}
        for index, kind in enumerate(space.kinds):
            bits = self.keys[at] >> (index + 1) * space.cells & space.all_blank
            places = [cell for cell in range(space.cells) if bits >> cell & 1]
            corners |= {piece.name: self.board.cell(cell) for piece, cell in zip(kind.members, places, strict=True)}
        return self.board.with_pieces(corners)

    def _place(self, board: Board) -> int:
        space, own = Space(board, sliding=False), Space(self.board, sliding=False)
        at = self.at(space.start)
        if at is None or signature(space) != signature(own):
            raise LevelError(
                "this board has other pieces, another size or another goal than the positions at hand, or is not among them"
            )
        return at


def signature(space: Space) -> Hashable:
    """Return what two boards must share for their positions to have the same numbers: size, walls, classes and goal."""
    board = space.board
    kinds = tuple((kind.shape, kind.directions, len(kind.members)) for kind in space.kinds)
    return board.width, board.height, board.walls, kinds, space.need, space.any_of


def neighbours(space: Space, key: int) -> Iterator[int]:
    """Yield the positions one slide or unit away."""
    for bit, change in space.moves(key & space.all_blank):
        if key & bit:
            yield key ^ change


def build(board: Board, limits: Limits | None = None, *, reachable: bool = False) -> Positions | str:
    """Lay the pieces in every way and measure all distances, or return the limit that came first.

    ``reachable`` keeps only the positions that can be reached from the board: far fewer where pieces stay in their lanes.
    LevelError if a piece may go one way along a line but not back.
    """
    clock = (limits or Limits()).start()
    space = Space(board, sliding=False)
    for kind in space.kinds:
        if any((a in kind.directions) != (b in kind.directions) for a, b in ("ud", "lr")):
            raise LevelError(
                f"piece {kind.name!r} may not go back the way it came: distances to a goal are not made for that"
            )
    keys: list[int] = []
    for key in _reached(space) if reachable else every_position(space):
        keys.append(key)
        if len(keys) % 1024 == 0 and (stopped := clock.over(len(keys))):
            return stopped
    if stopped := clock.over(len(keys)):
        return stopped
    keys.sort()
    place = {key: at for at, key in enumerate(keys)}
    component = _components(space, keys, place, clock)
    far = {}
    for objective in OBJECTIVES:
        found = _distances(Space(board, sliding=objective == "slides"), keys, place, clock)
        if component is None or found is None:
            return clock.over() or "time"
        far[objective] = found
    assert component is not None
    return Positions(board, keys, far["slides"], far["units"], component)


def every_position(space: Space) -> Iterator[int]:
    """Yield the packed number of every way to lay the pieces on the board, equal pieces being interchangeable."""
    free = sum(1 << space.board.number(cell) for cell in space.board.cells)
    pieces = [kind for kind, its in enumerate(space.kinds) for _ in its.members]

    def lay(at: int, free: int, key: int, least: int) -> Iterator[int]:
        if at == len(pieces):
            yield key | free
            return
        kind = pieces[at]
        for corner, mask in space.covers[kind].items():
            if corner >= least and not mask & ~free:
                same = at + 1 < len(pieces) and pieces[at + 1] == kind
                yield from lay(at + 1, free & ~mask, key | space.bit(kind, corner), corner + 1 if same else 0)

    yield from lay(0, free, 0, 0)


def _reached(space: Space) -> Iterator[int]:
    """Yield the packed number of every position that can be reached from the start."""
    seen = {space.start}
    queue = [space.start]
    for key in queue:
        yield key
        for after in neighbours(space, key):
            if after not in seen:
                seen.add(after)
                queue.append(after)


def _components(space: Space, keys: list[int], place: dict[int, int], clock: Clock) -> array[int] | None:
    number = array("l", [-1]) * len(keys)
    sizes: list[int] = []
    for first in range(len(keys)):
        if number[first] >= 0:
            continue
        number[first] = len(sizes)
        queue = [first]
        for count, at in enumerate(queue):
            if count % 4096 == 4095 and clock.over():
                return None
            for key in neighbours(space, keys[at]):
                if number[place[key]] < 0:
                    number[place[key]] = len(sizes)
                    queue.append(place[key])
        sizes.append(len(queue))
    order = sorted(range(len(sizes)), key=lambda one: (-sizes[one], one))
    rank = {old: new for new, old in enumerate(order)}
    return array("l", (rank[old] for old in number))


def _distances(space: Space, keys: list[int], place: dict[int, int], clock: Clock) -> array[int] | None:
    """Search backwards from all goal positions at once; every move can be taken back."""
    far = array("H", [NEVER]) * len(keys)
    queue = [at for at, key in enumerate(keys) if space.solved(key)]
    for at in queue:
        far[at] = 0
    for count, at in enumerate(queue):
        if count % 4096 == 4095 and clock.over():
            return None
        for key in neighbours(space, keys[at]):
            other = place[key]
            if far[other] == NEVER:
                far[other] = far[at] + 1
                queue.append(other)
    return far


def write(positions: Positions, path: Path) -> None:
    """Write the positions to a file, as JSON that is compressed (LZMA)."""
    keys = [after - before for before, after in pairwise([0, *positions.keys])]  # differences are the shorter ones
    body = {"board": notation.write(positions.board), "keys": keys}
    body |= {name: list(getattr(positions, name)) for _, name in _LISTS}
    path.write_bytes(MAGIC + lzma.compress(json.dumps(body).encode(), preset=1))


def load(path: Path) -> Positions:
    """Read what ``write`` wrote; LevelError if the file is something else, or damaged."""
    data = path.read_bytes()
    try:
        if not data.startswith(MAGIC):
            raise ValueError("its header is another")
        body = json.loads(lzma.decompress(data[len(MAGIC) :]))
        (board,) = notation.read(body["board"], str(path))
        slides, units, component = (array(code, body[name]) for code, name in _LISTS)
        found = Positions(board, list(accumulate(body["keys"])), slides, units, component, board.source)
    except (ValueError, KeyError, TypeError, OverflowError, EOFError, lzma.LZMAError) as error:
        raise LevelError(f"no file of Klotski positions ({error})", source=str(path)) from None
    if not len(found.keys) == len(slides) == len(units) == len(component):
        raise LevelError("no file of Klotski positions (its lists differ in length)", source=str(path))
    return found


def answer(known: Positions, board: Board, objective: str) -> Result:
    """Answer a board from positions at once; LevelError if they are of another game."""
    value, plan = known.distance(board, objective), known.plan(board, objective)
    far = "no goal can be reached from here"
    if value is not None:
        far = f"{counted(value, objective)} from here to the nearest goal"
    return Result(
        status=Status.UNSOLVABLE if value is None else Status.OPTIMAL,
        objective=objective,
        engine="database",
        value=value,
        lower_bound=value or 0,
        plan=plan,
        proof=f"{counted(len(known.keys), 'positions')}, as {known.source} says: {far}",
        counters={"states": len(known.keys)},
    )


def summary(positions: Positions) -> dict[str, object]:
    """Return the summary of all positions: counts, sizes of the largest components, greatest distances, hardest starts."""
    sizes = sorted(Counter(positions.component).values(), reverse=True)
    row: dict[str, object] = {
        "positions": len(positions.keys),
        "components": len(sizes),
        "largest_components": sizes[:5],
        "goal_in_reach": sum(far != NEVER for far in positions.slides),
    }
    for objective in OBJECTIVES:
        most, hardest = positions.farthest(objective)
        row[f"greatest_{objective}"] = most
        row[f"hardest_by_{objective}"] = ["/".join(board.rows()) for board in hardest]
    return row
