"""The keys a suite file may have: type, default and meaning of each. docs/bench.md is checked against these tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NoReturn

from sokoasp.bench.define.places import Path, line_at
from sokoasp.core.errors import NotationError


class _Required:
    """Marks a key without default."""


REQUIRED: Any = _Required()


@dataclass(frozen=True, slots=True)
class Key:
    """One key: what its value must be, the default, and one sentence for the documentation."""

    check: Callable[[Any], str | None]
    """Value → what is wrong with it ("must be …"), None if nothing is."""
    default: Any
    text: str


@dataclass(frozen=True, slots=True)
class TableSource:
    """The file a table comes from."""

    name: str
    places: dict[Path, int]

    def fail(self, path: Path, message: str) -> NoReturn:
        """Raise a NotationError at the line of a key or table."""
        raise NotationError(message, source=self.name, line=line_at(self.places, path), code="E-SUITE")


def text(value: Any) -> str | None:
    """Check for a non-empty string."""
    return None if isinstance(value, str) and value.strip() else "must be a text that is not empty"


def flag(value: Any) -> str | None:
    """Check for true or false."""
    return None if isinstance(value, bool) else "must be true or false"


def number(value: Any) -> str | None:
    """Check for a positive number."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")
    return None if good else "must be a number above 0"


def whole(least: int) -> Callable[[Any], str | None]:
    """Return a check for an integer of at least that much."""

    def check(value: Any) -> str | None:
        good = isinstance(value, int) and not isinstance(value, bool) and value >= least
        return None if good else f"must be a whole number of at least {least}"

    return check


def one_of(*words: str) -> Callable[[Any], str | None]:
    """Return a check for one of these words."""
    return lambda value: None if value in words else f"must be one of {', '.join(words)}"


def several(check: Callable[[Any], str | None], least: int = 0) -> Callable[[Any], str | None]:
    """Return a check for a list of such values, at least so many."""

    def check_list(value: Any) -> str | None:
        if not isinstance(value, list):
            return "must be a list"
        if len(value) < least:
            return f"must have at least {least} entry"
        return next((f"has an entry that {problem}" for entry in value if (problem := check(entry))), None)

    return check_list


def either(*checks: Callable[[Any], str | None]) -> Callable[[Any], str | None]:
    """Return a check that passes what any of these passes."""

    def check(value: Any) -> str | None:
        problems = [problem(value) for problem in checks]
        return None if None in problems else " or ".join(str(p) for p in problems)

    return check


def table(value: Any) -> str | None:
    """Check for a table."""
    return None if isinstance(value, dict) else "must be a table"


def checked(source: TableSource, path: Path, value: Any, keys: Mapping[str, Key]) -> dict[str, Any]:
    """Return a table with defaults filled in.

    Raises:
        NotationError: A key is unknown, missing or of the wrong kind; the message has its line.
    """
    name = "".join(f"[{part + 1}]" if isinstance(part, int) else f" {part}" for part in path).strip() or "the suite"
    if not isinstance(value, dict):
        source.fail(path, f"{name} must be a table")
    for key, entry in value.items():
        if key not in keys:
            close = get_close_matches(key, keys, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(keys)}"
            source.fail((*path, key), f"{name} has no key {key!r}; {hint}")
        problem = keys[key].check(entry)
        if problem:
            source.fail((*path, key), f"{key} {problem}, not {entry!r}")
    missing = [key for key, rule in keys.items() if rule.default is REQUIRED and key not in value]
    if missing:
        source.fail(path, f"{name} lacks the key {missing[0]!r}")
    return {key: value.get(key, rule.default) for key, rule in keys.items()}
