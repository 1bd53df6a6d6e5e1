"""What can be wrong with a certificate."""

from __future__ import annotations

from sokoasp.core.errors import SokoaspError
from sokoasp.core.plurals import counted


class Refused(SokoaspError):
    """A certificate does not hold; the message says what and where."""

    exit_code = 30


class Cheaper(SokoaspError):
    """There is a plan of fewer actions than was claimed; ``value`` is how many, of a tie-break its pushes, then ``moves``."""

    def __init__(self, value: int, moves: int | None = None) -> None:
        super().__init__(f"there is a plan of {counted(value, 'actions')}")
        self.value, self.moves = value, moves
