"""Closed lists for Klotski in plain Python: the same argument as ``closed``, with no bound but "not solved needs one more".

A state is held twice: as the places of its pieces, kind by kind, and as one integer, its *key*. The key's low bits are the cells
that are covered, its high bits the places taken by pieces of each kind, so a piece that goes changes it by one exclusive or.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from pathlib import Path

from sokoasp.klotski.board import Board
from sokoasp.proof.board_layout import Layout, layout
from sokoasp.proof.refusals import Cheaper, Refused
from sokoasp.proof.unpack import Unpacked

CHUNK = 4096
MOST_KEPT = 100_000
"""Answers about slides that are kept at most."""


class SlidesList:
    """The states of a board with what they cost at most; ``value`` None: the board is unsolvable."""

    def __init__(self, board: Board, value: int | None, *, units: bool) -> None:
        self.lay: Layout = layout(board)
        self.value, self.units = value, units
        self.cost: dict[int, int] = {}
        """Key → cost, in the order of ``records``."""
        self.records: list[bytes] = []
        self.kind = [k for k, kind in enumerate(self.lay.kinds) for _ in kind.names]
        kinds = range(len(self.lay.kinds))
        self.sign: list[list[int]] = []
        """What a piece of a kind on a place adds to a key."""
        bit = len(self.lay.cells)
        for k in kinds:
            self.sign.append([_bits(self.lay.covers(k, i)) | 1 << bit + i for i in range(self._places(k))])
            bit += self._places(k)
        self.low = (1 << len(self.lay.cells)) - 1
        self.covered = sum(len(self.lay.kinds[k].shape) for k in self.kind)
        """Cells that the pieces cover."""
        self.steps = [[self._first_steps(k, i) for i in range(self._places(k))] for k in self.kind]
        """For each piece and place: the cells that must be free for one unit, how it changes a key, where it leads."""
        self.slides: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
        """(kind, place, covered cells) → how a slide changes a key, and where it leads."""
        self.goals, self.blanks = self._goals(board)
        of = dict(zip("".join(kind.names for kind in self.lay.kinds), self.kind, strict=True))
        stand = sorted((k, self.lay.kinds[k].places.index(board.piece(name).corner)) for name, k in of.items())
        self.start = bytes(i for _, i in stand)

    def _places(self, k: int) -> int:
        return len(self.lay.kinds[k].places)

    def _goals(self, board: Board) -> tuple[list[int], int]:
        """Return masks of a key: of each something must be there, and of the last nothing."""
        of = {name: k for k, kind in enumerate(self.lay.kinds) for name in kind.names}
        goals = []
        for name, corner in board.goal.places:
            k = of[name]
            goals.append(self.sign[k][self.lay.kinds[k].places.index(corner)] & ~self.low)
        for name, cell in board.goal.covers:
            k, one = of[name], 1 << self.lay.cells[cell]
            goals.append(sum(sign & ~self.low for sign in self.sign[k] if sign & one))
        return goals, _bits([self.lay.cells[cell] for cell in board.goal.blanks])

    def key(self, record: bytes) -> int:
        """Return the key of a state."""
        key = 0
        for k, i in zip(self.kind, record, strict=True):
            key |= self.sign[k][i]
        return key

    def solved(self, key: int) -> bool:
        """Return whether the goal holds."""
        return not key & self.blanks and all(key & goal for goal in self.goals)

    def _first_steps(self, k: int, i: int) -> list[tuple[int, int, int]]:
        sign = self.sign[k]
        return [(sign[j] & ~sign[i] & self.low, sign[i] ^ sign[j], j) for _, j in self.lay.onward(k, i)]

    def successors(self, record: bytes, key: int) -> Iterator[tuple[int, int, int]]:
        """Yield (key, piece, its place) of the states one unit (one slide) later."""
        for piece, steps in enumerate(map(list.__getitem__, self.steps, record)):
            for needed, change, place in steps:
                if not needed & key:
                    if self.units:
                        yield key ^ change, piece, place
                        continue
                    for further, end in self._slides(self.kind[piece], record[piece], key & self.low):
                        yield key ^ further, piece, end
                    break

    def _slides(self, k: int, place: int, covered: int) -> list[tuple[int, int]]:
        """List how a key changes when a piece slides off its place, and where it may end."""
        known = self.slides.get((k, place, covered))
        if known is not None:
            return known
        sign, found = self.sign[k], list[tuple[int, int]]()
        others, seen, todo = covered & ~sign[place], {place}, [place]
        while todo:
            for _, j in self.lay.onward(k, todo.pop()):
                if j not in seen and not sign[j] & others:
                    seen.add(j)
                    todo.append(j)
                    found.append((sign[place] ^ sign[j], j))
        if len(self.slides) >= MOST_KEPT:
            self.slides.clear()
        self.slides[k, place, covered] = found
        return found

    def missing(self, record: bytes, key: int, cost: int) -> int | None:
        """Return a successor that is missing in the list or too dear there, None if there is none.

        The loop is that of ``successors``; through the generator a check of slides took 1.2 times as long.

        Raises:
            Cheaper: The state is solved with fewer actions than claimed.
        """
        if self.value is not None and cost >= self.value:
            return None
        if self.solved(key):
            raise Cheaper(cost)
        known, most = self.cost, cost + 1
        for piece, steps in enumerate(map(list.__getitem__, self.steps, record)):
            for needed, change, _ in steps:
                if needed & key:
                    continue
                slides = [(change, 0)]
                if not self.units:
                    slides = self._slides(self.kind[piece], record[piece], key & self.low)
                for further, _ in slides:
                    if known.get(key ^ further, most + 1) > most and not self._too_late(key ^ further, most):
                        return key ^ further
                if not self.units:
                    break
        return None

    def _too_late(self, key: int, cost: int) -> bool:
        """Return whether a state that costs so much needs no place in the list: it may only be solved with the value or more."""
        return self.value is not None and cost >= self.value - (not self.solved(key))

    def after(self, record: bytes, piece: int, place: int) -> bytes:
        """Return a state after a piece has gone, the pieces of each kind in the order of their places."""
        k, parts = self.kind[piece], bytearray(record)
        parts[piece] = place
        first, last = self.kind.index(k), len(self.kind) - self.kind[::-1].index(k)
        parts[first:last] = bytes(sorted(parts[first:last]))
        return bytes(parts)

    def verify(self) -> None:
        """Check the list.

        Raises:
            Refused: It does not show what is claimed.
        """
        if self.cost.get(self.key(self.start)) != 0:
            raise Refused("the start is not in the list")
        for number, (record, (key, cost)) in enumerate(zip(self.records, self.cost.items(), strict=True), 1):
            try:
                if self.missing(record, key, cost) is not None:
                    raise Refused(
                        f"state {number} of the list has a successor that is not in it, or with too many actions"
                    )
            except Cheaper:
                raise Refused(f"state {number} of the list is solved, with {cost} actions") from None

    def write(self, path: Path) -> None:
        """Write the list, compressed: a byte for the place of each piece, kind by kind, and the cost in 16 bits."""
        with lzma.open(path, "wb", preset=2) as out:
            for record, cost in zip(self.records, self.cost.values(), strict=True):
                out.write(record + min(cost, 65_535).to_bytes(2, "little"))

    def read(self, path: Path) -> None:
        """Read such a file.

        Raises:
            Refused: It is none.
        """
        pieces = len(self.kind)
        cells, file = len(self.lay.cells), Unpacked(path)
        while data := file.take(CHUNK * (pieces + 2)):
            if len(data) % (pieces + 2):
                raise Refused("the list of states ends in the middle of one")
            for begin in range(0, len(data), pieces + 2):
                record = data[begin : begin + pieces]
                try:
                    key = self.key(record)
                except IndexError:
                    raise Refused("a piece of a listed state stands on no place") from None
                if (key >> cells).bit_count() < pieces:
                    raise Refused("two pieces of a listed state stand on one place")
                if (key & self.low).bit_count() < self.covered:
                    raise Refused("two pieces of a listed state overlap")
                if key in self.cost:
                    raise Refused("a state is in the list twice")
                self.cost[key] = int.from_bytes(data[begin + pieces : begin + pieces + 2], "little")
                self.records.append(record)


def _bits(cells: list[int]) -> int:
    return sum(1 << x for x in cells)
