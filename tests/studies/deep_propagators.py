"""Propagators of the deeper ideas: clauses about boxes that are dead, or to be pushed first; see ``deep_ideas``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import clingo

from sokoasp.sokoban import facts
from sokoasp.sokoban.deadlock import DETECTORS, PRUNING
from sokoasp.sokoban.deadlock.bitboard import BitState, bits, board_of, flood, shift
from sokoasp.sokoban.deadlock.region import closed_regions
from sokoasp.sokoban.deadlock.simple import freeze
from sokoasp.sokoban.level import Cell, Direction, Level

WITHOUT_PLAYER = ("corner", "wall", "block", "dead_square", "freeze", "matching")
"""Detectors whose proof holds wherever the player stands."""


def of(level: Level, idea: str) -> Lazy:
    """Return the propagator of an idea."""
    return {"frozen": Frozen, "dead": Dead, "corral": Corral}[idea](level)


class Lazy(clingo.Propagator):
    """What the propagators share: literals of ``box_at`` and ``reach`` by state, and which state a change is about."""

    def __init__(self, level: Level) -> None:
        self.level, self.board = level, board_of(level)
        self.named = facts.cell_of(level)
        self.clauses = 0
        self.box: dict[int, dict[Cell, int]] = {}
        self.reach: dict[int, dict[Cell, int]] = {}
        self.near: dict[int, dict[tuple[Cell, str], int]] = {}
        self.about: dict[int, set[int]] = {}

    def init(self, init: clingo.PropagateInit) -> None:
        """Watch boxes, the player's cells and the beginnings of actions; action t is about state t-1."""
        for name, arity, kept in (("box_at", 2, self.box), ("reach", 2, self.reach), ("near_end", 3, self.near)):
            for atom in init.symbolic_atoms.by_signature(name, arity):
                cell, *way, number = atom.symbol.arguments
                time = number.number - (name == "near_end")
                literal = init.solver_literal(atom.literal)
                key = (self.named[str(cell)], str(way[0])) if way else self.named[str(cell)]
                kept.setdefault(time, {})[key] = literal  # type: ignore[index]
                self.about.setdefault(literal, set()).add(time)
                init.add_watch(literal)

    def propagate(self, control: clingo.PropagateControl, changes: Sequence[int]) -> None:
        """Look at each state that a change is about."""
        true = control.assignment.is_true
        for time in {time for change in changes for time in self.about[change]}:
            boxes = self.board.mask(cell for cell, literal in self.box[time].items() if true(literal))
            at = next((cell for cell, literal in self.reach.get(time, {}).items() if true(literal)), None)
            for clause in self.forbidden(control, time, boxes, at):
                self.clauses += 1
                if not control.add_clause(clause) or not control.propagate():
                    return

    def forbidden(
        self, control: clingo.PropagateControl, time: int, boxes: int, at: Cell | None
    ) -> Iterator[list[int]]:
        """Yield the clauses that a state brings; ``boxes`` are those known to be there, ``at`` a cell the player reaches."""
        raise NotImplementedError

    def whole(self, boxes: int) -> bool:
        """Return whether all boxes are known."""
        return boxes.bit_count() == len(self.level.boxes)

    def everywhere(self, dead: Sequence[Cell], player: Cell | None) -> Iterator[list[int]]:
        """Yield for each state the clause that these boxes, with the player there, are not in it."""
        for time, there in self.box.items():
            if time and all(cell in there for cell in dead) and (player is None or player in self.reach.get(time, {})):
                yield [-there[cell] for cell in dead] + ([] if player is None else [-self.reach[time][player]])


class Frozen(Lazy):
    """Boxes that block each other for good, one of them not on a goal: looked for among those known to be there."""

    def __init__(self, level: Level) -> None:
        super().__init__(level)
        self.known: dict[int, tuple[Cell, ...]] = {}

    def forbidden(
        self, control: clingo.PropagateControl, time: int, boxes: int, at: Cell | None
    ) -> Iterator[list[int]]:
        """Yield the clauses of a set of boxes seen for the first time."""
        if boxes not in self.known:
            verdict = freeze(BitState(self.board, boxes, 0, 0, 0))
            self.known[boxes] = verdict.boxes if verdict else ()
            if verdict:
                yield from self.everywhere(verdict.boxes, None)


class Dead(Lazy):
    """What any deadlock detector proves of a whole state: no spare boxes."""

    def __init__(self, level: Level) -> None:
        super().__init__(level)
        self.known: set[tuple[int, int]] = set()

    def forbidden(
        self, control: clingo.PropagateControl, time: int, boxes: int, at: Cell | None
    ) -> Iterator[list[int]]:
        """Yield the clauses of a whole state seen for the first time."""
        if at is None or not self.whole(boxes) or not self.board.goals & ~boxes:
            return
        player = self.board.bit(at)
        region = flood(player, self.board.floor & ~boxes, self.board.stride)
        if (boxes, region & -region) in self.known:
            return
        self.known.add((boxes, region & -region))
        state = BitState(self.board, boxes, player, region, 0)
        for name, detector in DETECTORS.items():
            verdict = detector(state, PRUNING)
            if verdict:
                yield from self.everywhere(verdict.boxes, None if name in WITHOUT_PLAYER else at)
                return


class Corral(Lazy):
    """Where every first push of the boxes around a closed area goes into it and is at hand: no other push in that state."""

    def forbidden(
        self, control: clingo.PropagateControl, time: int, boxes: int, at: Cell | None
    ) -> Iterator[list[int]]:
        """Yield a clause for each action that begins elsewhere, as far as it is true now."""
        if at is None or not self.whole(boxes):
            return
        true = control.assignment.is_true
        chosen = [(key, literal) for key, literal in self.near.get(time, {}).items() if true(literal)]
        if not chosen:
            return
        board, player = self.board, self.board.bit(at)
        state = BitState(board, boxes, player, flood(player, board.floor & ~boxes, board.stride), 0)
        for area in closed_regions(state):
            found = self._first_pushes(state, area)
            if found is None:
                continue
            members, pushes = found
            why = [-self.box[time][cell] for cell in board.cells(members)]
            why += [self.box[time][cell] for cell in board.cells(area) if cell in self.box[time]]
            inside = [literal for cell, literal in self.reach[time].items() if board.bit(cell) & area]
            stands = [-self.reach[time][cell] for cell in board.cells(sum({stand for _, _, stand in pushes}))]
            allowed = {(board.cell(box), way) for box, way, _ in pushes}
            for key, literal in chosen:
                if key not in allowed:
                    yield [*dict.fromkeys([*why, *inside, *stands]), -literal]

    def _first_pushes(self, state: BitState, area: int) -> tuple[int, list[tuple[int, str, int]]] | None:
        """Return the boxes beside an area and their first pushes (box, way, standing cell); None if it is no such corral."""
        board = state.board
        members = sum(bit for bit in bits(state.boxes) if any(shift(bit, by) & area for by in board.shifts))
        if not (members & ~board.goals or board.goals & area):
            return None
        pushes = []
        for box in bits(members):
            for by, way in zip(board.shifts, Direction, strict=True):
                stand, to = shift(box, -by), shift(box, by)
                if (
                    not stand & board.floor
                    or not to & board.floor & ~board.dead
                    or (stand | to) & members
                    or stand & area
                ):
                    continue
                if not to & area or not stand & state.region:
                    return None
                pushes.append((box, way.name, stand))
        return members, pushes
