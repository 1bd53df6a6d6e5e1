"""Closed lists for Klotski in plain Python: the same argument as ``closed``, with no bound but "not solved needs one more"."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Iterator
from pathlib import Path

from sokoasp.klotski.board import Board
from sokoasp.proof.refusals import Cheaper, Refused
from sokoasp.proof.slides_formula import Layout, layout

State = tuple[tuple[int, ...], ...]
"""Places of the pieces of each kind, ascending."""
TURN = 2000


class SlidesList:
    """The states of a board with what they cost at most; ``value`` None: the board is unsolvable."""

    def __init__(self, board: Board, value: int | None, *, units: bool) -> None:
        self.lay: Layout = layout(board)
        self.value, self.units = value, units
        kinds = range(len(self.lay.kinds))
        self.mask = [[_bits(self.lay.covers(k, i)) for i in range(len(self.lay.kinds[k].places))] for k in kinds]
        self.onward = [[[j for _, j in self.lay.onward(k, i)] for i in range(len(self.mask[k]))] for k in kinds]
        self.cost: dict[State, int] = {}
        of = {name: k for k, kind in enumerate(self.lay.kinds) for name in kind.names}
        self.places = [(of[name], self.lay.kinds[of[name]].places.index(corner)) for name, corner in board.goal.places]
        self.covers = [(of[name], 1 << self.lay.cells[cell]) for name, cell in board.goal.covers]
        self.blanks = _bits([self.lay.cells[cell] for cell in board.goal.blanks])
        self.start: State = tuple(
            tuple(sorted(kind.places.index(board.piece(name).corner) for name in kind.names)) for kind in self.lay.kinds
        )

    def solved(self, state: State) -> bool:
        """Tell whether the goal holds."""
        return (
            all(i in state[k] for k, i in self.places)
            and all(any(self.mask[k][i] & bit for i in state[k]) for k, bit in self.covers)
            and not self._taken(state) & self.blanks
        )

    def _taken(self, state: State) -> int:
        return sum(self.mask[k][i] for k, places in enumerate(state) for i in places)

    def successors(self, state: State) -> Iterator[State]:
        """Yield the states one unit (one slide) later."""
        taken = self._taken(state)
        for k, places in enumerate(state):
            masks = self.mask[k]
            for at, place in enumerate(places):
                others = taken ^ masks[place]
                seen, todo = {place}, [place]
                while todo:
                    for j in self.onward[k][todo.pop()]:
                        if j not in seen and not masks[j] & others:
                            seen.add(j)
                            if not self.units:
                                todo.append(j)
                            rest = (*places[:at], *places[at + 1 :], j)
                            yield (*state[:k], tuple(sorted(rest)), *state[k + 1 :])

    def _closed(self, state: State, cost: int) -> State | None:
        """Return a successor that is missing in the list or too dear there, None if there is none.

        Raises:
            Cheaper: The state is solved with fewer actions than claimed.
        """
        if self.value is not None and cost >= self.value:
            return None
        if self.solved(state):
            raise Cheaper(cost)
        for after in self.successors(state):
            known = self.cost.get(after)
            if known is not None and known <= cost + 1:
                continue
            if self.value is not None and cost + 1 >= self.value - (not self.solved(after)):
                continue
            return after
        return None

    def make(self, going: Callable[[int, int], str | None]) -> str | None:
        """Find the list; return the word of ``going(states, left)`` if that ends it.

        Raises:
            Cheaper: A state is solved with fewer actions than claimed.
        """
        self.cost = {self.start: 0}
        queue, at = [self.start], 0
        while at < len(queue):
            if at % TURN == 0 and (stopped := going(len(queue), len(queue) - at)):
                return stopped
            state, at = queue[at], at + 1
            cost = self.cost[state]
            while (missing := self._closed(state, cost)) is not None:
                for after in self.successors(state):
                    if after not in self.cost:
                        self.cost[after] = cost + 1
                        queue.append(after)
                if self.cost[missing] > cost + 1:
                    raise Refused("the states are not found in the order of their cost")
        return None

    def verify(self) -> None:
        """Check the list.

        Raises:
            Refused: It does not show what is claimed.
        """
        if self.cost.get(self.start) != 0:
            raise Refused("the start is not in the list")
        for number, (state, cost) in enumerate(self.cost.items(), 1):
            try:
                if self._closed(state, cost) is not None:
                    raise Refused(
                        f"state {number} of the list has a successor that is not in it, or with too many actions"
                    )
            except Cheaper:
                raise Refused(f"state {number} of the list is solved, with {cost} actions") from None

    def write(self, path: Path) -> None:
        """Write the list, compressed: a byte for the place of each piece, kind by kind, and the cost in 16 bits."""
        with lzma.open(path, "wb", preset=2) as out:
            for state, cost in self.cost.items():
                out.write(bytes(i for places in state for i in places) + cost.to_bytes(2, "little"))

    def read(self, path: Path) -> None:
        """Read such a file.

        Raises:
            Refused: It is none.
        """
        sizes = [len(places) for places in self.start]
        width = sum(sizes) + 2
        try:
            data = lzma.decompress(path.read_bytes())
        except (OSError, lzma.LZMAError, EOFError) as error:
            raise Refused(f"the list of states cannot be read: {error}") from None
        if len(data) % width:
            raise Refused("the list of states ends in the middle of one")
        for begin in range(0, len(data), width):
            record, at, state = data[begin : begin + width], 0, []
            for k, size in enumerate(sizes):
                places = tuple(record[at : at + size])
                if any(i >= len(self.mask[k]) for i in places):
                    raise Refused("a piece of a listed state stands on no place")
                state.append(places)
                at += size
            if tuple(state) in self.cost:
                raise Refused("a state is in the list twice")
            self.cost[tuple(state)] = int.from_bytes(record[-2:], "little")


def _bits(cells: list[int]) -> int:
    return sum(1 << x for x in cells)
