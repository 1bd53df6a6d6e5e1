"""The errors a user may see, each with the place it comes from.

SokoaspError                 exit code 1 unless a subclass says otherwise
├── LevelError (ValueError)      a level or board file           30
│   └── NoSolution               it came without a solution      30
├── NotationError (ValueError)   a plan, facts or other notation 30
├── IllegalPlan                  a plan that breaks the rules    30
├── EncodingError                a logic program                 30
├── CampaignError                a campaign's folder             30
├── WrongOption (ValueError)     an option that fits nothing      2
├── WrongPlan                    an engine's own false answer     1
│   └── WrongEncoding (EncodingError)  that of a logic program    1
│       └── OtherObjective       it counts something else         1
└── MissingExtra (ImportError)   an extra that is not installed   2
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar


class SokoaspError(Exception):
    """Say in one sentence what is wrong, and where.

    Args:
        message: The sentence, without the place.
        source: File name (or ``<stdin>``) the text came from.
        line: 1-based line.
        column: 1-based column.
        code: Stable short name of the kind of fault, such as ``E-OPEN``.
    """

    exit_code: ClassVar[int] = 1

    def __init__(
        self, message: str, *, source: str = "", line: int | None = None, column: int | None = None, code: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        self.code = code

    @property
    def place(self) -> str:
        """Return ``file:line:column`` as far as it is known."""
        return ":".join(str(part) for part in (self.source or None, self.line, self.column) if part is not None)

    def located(self, source: str) -> SokoaspError:
        """Fill in the file name if no deeper reader has done so, and return the same error."""
        self.source = self.source or source
        return self

    def __str__(self) -> str:
        place = self.place
        code = f"{self.code} " if self.code else ""
        return f"{place}: {code}{self.message}" if place else f"{code}{self.message}"


def place_in(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, from 1, of an offset in a text."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def place_of(error: UnicodeDecodeError) -> tuple[int, int]:
    """Return line and column, from 1, of the first byte that is not of the encoding."""
    before = error.object[: error.start].decode(error.encoding, "replace").removeprefix("\ufeff")
    return place_in(before, len(before))


def not_toml(error: ValueError, source: str, code: str) -> NotationError:
    """Return what ``tomllib`` says of a file as an error of ours, its place out of the sentence."""
    place = re.search(r" \(at line (\d+), column (\d+)\)", str(error))
    line, column = map(int, place.groups()) if place else (None, None)
    message = re.sub(r" \(at .*\)$", "", str(error))
    return NotationError(f"not valid TOML: {message}", source=source, line=line, column=column, code=code)


class LevelError(SokoaspError, ValueError):
    """A level or board is not one."""

    exit_code = 30


class NoSolution(LevelError):
    """No solution came with a level."""

    status = "no_solution"


class NotationError(SokoaspError, ValueError):
    """A text is not in the notation it claims."""

    exit_code = 30


class IllegalPlan(SokoaspError):
    """A plan breaks the rules; ``at`` is the 1-based number of the move or action that does."""

    exit_code = 30

    def __init__(self, message: str, *, at: int | None = None, source: str = "", line: int | None = None) -> None:
        super().__init__(message, source=source, line=line)
        self.at = at


class EncodingError(SokoaspError):
    """A logic program cannot be read, grounded or used."""

    exit_code = 30


class CampaignError(SokoaspError):
    """A folder holds no campaign, another one, or one that cannot be read."""

    exit_code = 30


class WrongOption(SokoaspError, ValueError):
    """The value of an option fits nothing of what it is about, such as a suite."""

    exit_code = 2


class WrongPlan(SokoaspError):
    """An engine's own plan is none, breaks the rules or costs something else than was claimed.

    ``legal`` says whether the plan itself passed the referee, so that only its claimed cost is false.
    """

    def __init__(self, message: str, *, legal: bool = False) -> None:
        super().__init__(message)
        self.legal = legal

    @property
    def status(self) -> str:
        """The word for it in rows of JSON and of campaigns."""
        return "wrong_claim" if self.legal else "wrong_plan"


class WrongEncoding(WrongPlan, EncodingError):
    """The same from a logic program, which may be the user's own."""

    exit_code = 1


class OtherObjective(WrongEncoding):
    """A logic program counts something else than the objective."""


class MissingExtra(SokoaspError, ImportError):
    """An optional part is not installed; the message names the command that installs it."""

    exit_code = 2

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra [{extra}]; install it with: pip install 'sokoasp[{extra}]'")
        self.what = what
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        """Let the error cross a process boundary: an exception is rebuilt from its message alone otherwise."""
        return type(self), (self.what, self.extra)


def counted(number: int, noun: str) -> str:
    """Return ``1 box``, ``2 boxes`` or ``65,880 positions`` from the number and the plural."""
    return f"{number:,} {singular(noun) if number == 1 else noun}"


PARTED = {"lines": "one box pushed on in one direction is one line", "slides": "one piece that goes on is one slide"}
"""Why a plan has fewer lines or slides than actions."""


def some(names: Sequence[object], most: int) -> str:
    """Return so many of these names, and how many more there are: ``a, b and 3 more``."""
    return ", ".join(map(str, names[:most])) + f" and {len(names) - most:,} more" * (len(names) > most)


def singular(noun: str) -> str:
    """Return the singular of a regular plural, such as an objective's name."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    return noun[:-2] if noun.endswith(("shes", "ches", "xes")) else noun[:-1]
