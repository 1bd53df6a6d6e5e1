"""Where the search of a set of boxes keeps its numbers: registers, columns of a node, rows of scratch."""

from __future__ import annotations

from enum import IntEnum, unique

from sokoasp.core.kernels import numbers
from sokoasp.sokoban.search.model.registers import LARGEST_SET


@unique
class N(IntEnum):
    """Columns of a node after its boxes, which come first in ascending order."""

    PLAYER = LARGEST_SET
    COST = LARGEST_SET + 1
    AHEAD = LARGEST_SET + 2
    CAME = LARGEST_SET + 3


@numbers
class SetRegisters:
    """The numbers of a search of a set of boxes; ``pattern_learning.PatternLearner`` sets what is asked."""

    # what is asked
    size: int = 0
    limit: int = 0
    """Most expansions."""
    enough: int = 0
    """By how much a cost exceeds this is all the same."""
    live: int = 0
    lines: int = 0
    reverse: int = 0
    freeze: int = 0
    corral: int = 0
    patterns: int = 0
    wanted: int = 0
    stamp: int = 0
    # what was found
    cost: int = 0
    best: int = 0
    """The node of that cost, -1 without one."""
    nodes: int = 0
    expanded: int = 0
    root: int = 0
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
    SORTED = 12
