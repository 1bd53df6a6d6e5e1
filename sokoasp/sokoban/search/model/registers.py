"""Where the compiled search keeps its numbers: entries of the register array, rows of the scratch array, answers of ``run``."""

from __future__ import annotations

from enum import IntEnum, unique

LARGEST_SET = 12
"""Boxes of the largest set that is searched for a learned pattern."""

SWEEPS_A_STEP = 4
"""Sweeps of a beam search over all depths after which its horizon is one higher."""


@unique
class R(IntEnum):
    """Entries of the register array ``r``; ``workspace.registers`` fills them, and nobody else sets one of the lower half."""

    # what changes while a search runs
    COUNT = 0
    """States stored."""
    BUCKET = 1
    """The first bucket that may hold an open state: the proved bound of A*."""
    QUOTA = 2
    """States that may still be expanded in this call."""
    EXPANDED = 3
    GENERATED = 4
    BEST = 5
    """Number of the solved state, -1 without one."""
    CUTOFF = 6
    """Only plans cheaper than this are looked for."""
    STAMP = 7
    """The mark of the last flood."""
    REOPENED = 8
    CLIPPED = 9
    """1 when a state was dropped only for costing the cutoff or more."""
    PAUSE_AT = 10
    """Generated states after which ``run`` pauses, so that larger tables can be filled or learned patterns learned."""
    PATTERNS = 11
    """Boxes of the largest patterns, 0 without patterns."""
    PAID = 12
    """Sum of the targets' potentials."""
    MOVED = 13
    """The box that has moved since the patterns of the state were listed, -1 for none."""
    PARENTS = 14
    """Patterns listed."""
    # of a beam search; all 0 in A*
    STRIDE = 15
    """Buckets of each depth: one for each bound, the last also for higher ones, and again for familiar states."""
    HORIZON = 16
    """States whose f is above this wait ..."""
    SWEEPS = 17
    """... until this many sweeps over all depths have raised it (``SWEEPS_A_STEP``)."""
    TAKEN = 18
    """Whether this sweep has expanded a state."""
    # what stays as it is
    ROOM = 19
    """Most children of one state."""
    REVERSE = 20
    LINES = 21
    BY_CELL = 22
    """The player's very cell counts (moves)."""
    MATCHING = 23
    FREEZE = 24
    CORRAL = 25
    PARITY = 26
    """Costs from a state have one parity, that of its matching."""
    BOXES = 27
    GOALS = 28
    LIVE = 29
    CELLS = 30
    WORDS = 31
    """64-bit words of a key."""
    WANTED = 32
    """Smallest cell of the region the player must end in, -1 for any."""
    WALLS = 33
    """Boxes that never move again are walls for the others."""
    UNIT = 34
    """What a box costs beyond its single cost is a multiple of this; 0: penalties of patterns that share boxes are not joined."""
    APART = 35
    """In a vicinity search: boxes of a state that stand elsewhere than in the nearest state of the plan, at most."""
    NEAREST = 36
    """The state of the plan that was near last."""
    PER_MOVE = 37
    """Units of a move in bounds by a potential of the player's cell; 0 without."""
    OWED = 38
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


@unique
class B(IntEnum):
    """Entries of the register array of one side of a breadth-first search."""

    COUNT = 0
    """States stored."""
    NEXT = 1
    """The next state to be expanded ..."""
    END = 2
    """... and the first one of the layer behind."""
    GENERATED = 3
    STAMP = 4
    MEET = 5
    """A state that the other side knows too, -1 while there is none."""
    SPAN = 6
    """Bits from a cell to the one in the next row (``records.Bitboard``), 0 for boards of more than 128 bits."""
    LOW = 7
    """The smallest cell of the player's region in the state in hand ..."""
    SECOND = 8
    """... and the next smallest, -1 if there is only one."""
    REGION = 9
    """The stamp on that region."""
    # what stays as it is
    REVERSE = 10
    LINES = 11
    BOXES = 12
    LIVE = 13
    WORDS = 14
    ROOM = 15
    """Most children of the states that are expanded together."""
    FETCHED = 16
    """What was read ahead, so that reading it is not left out."""
    MOST = 17
    """States of this side for which the table has room."""
    FREEZE = 18
    """Whether states after pushes are left out in which a box off goal is frozen."""
    CUTOFF = 19
    """States in the making whose boxes' cells have prices of this sum or more are left out; 0: none is."""


@unique
class M(IntEnum):
    """Entries of the register array of a search in layers of moves."""

    SETS = 0
    """Box sets stored."""
    SIDE = 1
    """Whose layer is in the making: 0 from the start, 1 from the goals."""
    NEXT = 2
    """The next entry of that side's front to be expanded ..."""
    END = 3
    """... and how many entries it has."""
    MADE = 4
    """Entries of the layer in the making ..."""
    DEPTH = 5
    """... and its depth."""
    ARRIVED = 6
    """Pushes (pulls) that this side has noted."""
    MEET = 7
    """A box set with a player's cell that both sides know, -1 while there is none ..."""
    MEET_AT = 8
    """... and the bit of that cell."""
    GENERATED = 9
    FETCHED = 10
    """What was read ahead, so that reading it is not left out."""
    # what stays as it is
    SPAN = 11
    """Bits from a cell to the one in the next row."""
    ROOM = 12
    """Most children of the entries that are expanded together."""
    FREEZE = 13
    """Whether states after pushes are left out in which a box off goal is frozen."""


class RunStatus(IntEnum):
    """What ``run`` returns."""

    PAUSED = 0
    DONE = 1
    GROW = 2
    """The state arrays are full."""
    WIDEN = 3
    """The buckets do not suffice."""
