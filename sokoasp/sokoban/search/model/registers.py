"""Where the compiled search keeps its numbers: registers, rows of the scratch array, answers of ``run``."""

from __future__ import annotations

from enum import IntEnum, unique

from sokoasp.core.kernels import numbers

LARGEST_SET = 12
"""Boxes of the largest set that is searched for a learned pattern."""

SWEEPS_A_STEP = 4
"""Sweeps of a beam search over all depths after which its horizon is one higher."""


@numbers
class Registers:
    """The numbers of one best-first search; ``workspace.registers`` sets those of the lower half, which nobody else does."""

    # what changes while a search runs
    count: int = 0
    """States stored."""
    bucket: int = 0
    """The first bucket that may hold an open state: the proved bound of A*."""
    quota: int = 0
    """States that may still be expanded in this call."""
    expanded: int = 0
    generated: int = 0
    best: int = 0
    """Number of the solved state, -1 without one."""
    cutoff: int = 0
    """Only plans cheaper than this are looked for."""
    stamp: int = 0
    """The mark of the last flood."""
    reopened: int = 0
    clipped: int = 0
    """1 when a state was dropped only for costing the cutoff or more."""
    pause_at: int = 0
    """Generated states after which ``run`` pauses, so that larger tables can be filled or learned patterns learned."""
    patterns: int = 0
    """Boxes of the largest patterns, 0 without patterns."""
    paid: int = 0
    """Sum of the targets' potentials."""
    moved: int = 0
    """The box that has moved since the patterns of the state were listed, -1 for none."""
    parents: int = 0
    """Patterns listed."""
    came: int = 0
    """The cell on which that box stood."""
    matched: int = 0
    """1 when the expanded state's matching and patterns are at hand: its first child that is bounded asks for them."""
    low: int = 0
    """The smallest cell of the player's region in the expanded state; none where its very cell counts."""
    # of a beam search; all 0 in A*
    stride: int = 0
    """Buckets of each depth: one for each bound, the last also for higher ones, and again for familiar states."""
    horizon: int = 0
    """States whose f is above this wait ..."""
    sweeps: int = 0
    """... until this many sweeps over all depths have raised it (``SWEEPS_A_STEP``)."""
    taken: int = 0
    """Whether this sweep has expanded a state."""
    # what stays as it is
    room: int = 0
    """Most children of one state."""
    reverse: int = 0
    lines: int = 0
    by_cell: int = 0
    """The player's very cell counts (moves)."""
    matching: int = 0
    freeze: int = 0
    corral: int = 0
    parity: int = 0
    """Costs from a state have one parity, that of its matching."""
    boxes: int = 0
    goals: int = 0
    live: int = 0
    cells: int = 0
    words: int = 0
    """64-bit words of a key."""
    wanted: int = 0
    """Smallest cell of the region the player must end in, -1 for any."""
    walls: int = 0
    """Boxes that never move again are walls for the others."""
    unit: int = 0
    """What a box costs beyond its single cost is a multiple of this; 0: penalties of patterns that share boxes are not joined."""
    apart: int = 0
    """In a vicinity search: boxes of a state that stand elsewhere than in the nearest state of the plan, at most."""
    nearest: int = 0
    """The state of the plan that was near last."""
    per_move: int = 0
    """Units of a move in bounds by a potential of the player's cell; 0 without."""
    owed: int = 0
    """What is taken off such a bound: potentials of the targets and of the player in the end."""


@unique
class W(IntEnum):
    """Rows of the scratch array ``w``; those that end in 2 belong to the child of a state."""

    BOXES = 0
    QUEUE = 1
    STEPS = 2
    MARK = 3
    MARK2 = 4
    STATE = 5
    STATE2 = 6
    U = 7
    V = 8
    ROW = 9
    U2 = 10
    V2 = 11
    ROW2 = 12
    LEAST = 13
    WAY = 14
    USED = 15
    AREA = 16
    CHOSEN = 17
    MEMBER = 18
    MASKS = 19
    ALLOWED = 20


@numbers
class SideRegisters:
    """The numbers of one side of a breadth-first search."""

    count: int = 0
    """States stored."""
    next: int = 0
    """The next state to be expanded ..."""
    end: int = 0
    """... and the first one of the layer behind."""
    generated: int = 0
    meet: int = 0
    """A state that the other side knows too, -1 while there is none."""
    # what stays as it is
    span: int = 0
    """Bits from a cell to the one in the next row (``records.Bitboard``)."""
    reverse: int = 0
    lines: int = 0
    words: int = 0
    room: int = 0
    """Most children of the states that are expanded together."""
    fetched: int = 0
    """What was read ahead, so that reading it is not left out."""
    most: int = 0
    """States of this side for which the table has room."""
    freeze: int = 0
    """Whether states after pushes are left out in which a box off goal is frozen."""
    cutoff: int = 0
    """States in the making whose boxes' cells have prices of this sum or more are left out; 0: none is."""


@numbers
class LayerRegisters:
    """The numbers of a search in layers of moves."""

    sets: int = 0
    """Box sets stored."""
    side: int = 0
    """Whose layer is in the making: 0 from the start, 1 from the goals."""
    next: int = 0
    """The next entry of that side's front to be expanded ..."""
    end: int = 0
    """... and how many entries it has."""
    made: int = 0
    """Entries of the layer in the making ..."""
    depth: int = 0
    """... and its depth."""
    arrived: int = 0
    """Pushes (pulls) that this side has noted."""
    meet: int = 0
    """A box set with a player's cell that both sides know, -1 while there is none ..."""
    meet_at: int = 0
    """... and the bit of that cell."""
    generated: int = 0
    fetched: int = 0
    """What was read ahead, so that reading it is not left out."""
    # what stays as it is
    span: int = 0
    """Bits from a cell to the one in the next row."""
    room: int = 0
    """Most children of the entries that are expanded together."""
    freeze: int = 0
    """Whether states after pushes are left out in which a box off goal is frozen."""


class RunStatus(IntEnum):
    """What ``run`` returns."""

    PAUSED = 0
    DONE = 1
    GROW = 2
    """The state arrays are full."""
    WIDEN = 3
    """The buckets do not suffice."""
