"""Where the search of a set of boxes keeps its numbers: registers, columns of a node, rows of scratch."""

from __future__ import annotations

from enum import IntEnum, unique

from sokoasp.sokoban.search.model.registers import LARGEST_SET


@unique
class N(IntEnum):
    """Columns of a node after its boxes, which come first in ascending order."""

    PLAYER = LARGEST_SET
    COST = LARGEST_SET + 1
    AHEAD = LARGEST_SET + 2
    CAME = LARGEST_SET + 3


@unique
class Q(IntEnum):
    """Entries of the register array ``q``; ``pattern_learning.PatternLearner`` fills them."""

    # what is asked
    SIZE = 0
    LIMIT = 1
    """Most expansions."""
    ENOUGH = 2
    """By how much a cost exceeds this is all the same."""
    LIVE = 3
    LINES = 4
    REVERSE = 5
    FREEZE = 6
    CORRAL = 7
    PATTERNS = 8
    WANTED = 9
    STAMP = 10
    # what was found
    COST = 11
    BEST = 12
    """The node of that cost, -1 without one."""
    NODES = 13
    EXPANDED = 14
    ROOT = 15
    """``estimate`` of the set."""


@unique
class V(IntEnum):
    """Rows of the scratch array ``v``."""

    BOXES = 0
    QUEUE = 1
    STEPS = 2
    MARK = 3
    MARK2 = 4
    AREA = 5
    CHOSEN = 6
    MEMBER = 7
    MASKS = 8
    ALLOWED = 9
    ONE = 10
    TWO = 11
    THREE = 12
    SORTED = 13
