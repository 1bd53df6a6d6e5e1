"""What can be wrong with a certificate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sokoasp.core.errors import SokoaspError, counted


class Refused(SokoaspError):
    """A certificate does not hold; the message says what and where."""

    exit_code = 30


@contextmanager
def named(what: str, kind: type[SokoaspError] = Refused) -> Iterator[None]:
    """Begin the sentence of what is refused with the part of the certificate that it is about."""
    try:
        yield
    except kind as error:
        raise Refused(f"{what}: {error}") from None


class Cheaper(SokoaspError):
    """There is a plan of fewer actions than was claimed; ``value`` is how many, of a tie-break its pushes, then ``moves``."""

    def __init__(self, value: int, moves: int | None = None) -> None:
        super().__init__(f"there is a plan of {counted(value, 'actions')}")
        self.value, self.moves = value, moves
