"""The keys a suite file may have: what each value must be, and the default. docs/bench.md says what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, NoReturn

from sokoasp.bench.define.systems import KINDS
from sokoasp.bench.define.toml_lines import Path, line_at
from sokoasp.core.errors import NotationError, WrongOption
from sokoasp.core.nearest import nearest_or_all

REQUIRED: Any = object()
"""Marks a key without default."""
LISTS = '; a list is written KEY=["A", "B"]'
COMMAND_LINE = "command line"
"""Where a wrong value comes from that an option or ``--set`` has put in place of the suite's."""
Check = Callable[[Any], str | None]
"""Says what is wrong with a value, None if nothing is."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key: what its value must be, and the default."""

    check: Check
    """Value → what is wrong with it ("must be …"), None if nothing is."""
    default: Any


@dataclass(frozen=True, slots=True)
class TableSource:
    """The file a table comes from."""

    name: str
    places: dict[Path, int]
    given: Collection[str]
    """Keys whose values are not the file's but the command line's."""

    def fail(self, path: Path, message: str) -> NoReturn:
        """Raise a NotationError at the line of a key or table, or a WrongOption of what the command line gave."""
        if any(key in self.given for key in path):
            raise WrongOption(message, source=COMMAND_LINE)
        raise NotationError(message, source=self.name, line=line_at(self.places, path), code="E-SUITE")


def of_type(kind: type, what: str) -> Check:
    """Return a check for a value of a type, called ``what``."""
    return lambda value: None if isinstance(value, kind) else f"must be {what}"


flag, table = of_type(bool, "true or false"), of_type(dict, "a table")


def text(value: Any) -> str | None:
    """Check for a non-empty string."""
    return None if isinstance(value, str) and value.strip() else "must be a text that is not empty"


def number(value: Any) -> str | None:
    """Check for a positive number that the kernel's limits can hold."""
    good = type(value) in (int, float) and 0 < value <= 1e9
    return None if good else "must be a number above 0, at most 1e9"


def whole(least: int, most: int = 100_000) -> Check:
    """Return a check for an integer of at least and at most that much."""

    def check(value: Any) -> str | None:
        good = type(value) is int and least <= value <= most
        return None if good else f"must be a whole number from {least} to {most}"

    return check


def one_of(*words: str) -> Check:
    """Return a check for one of these words."""
    return lambda value: None if value in words else f"must be one of {', '.join(map(repr, words))}"


def detector(value: Any) -> str | None:
    """Check the name of a deadlock detector."""
    from sokoasp.sokoban.units import DETECTORS

    return one_of(*DETECTORS)(value)


def pattern(groups: int = 0) -> Check:
    """Return a check for a regular expression with at least so many groups."""

    def check(value: Any) -> str | None:
        if value in ("true", "false"):
            return f"must be a regular expression (leave out the quotes of {value})"
        try:
            found = re.compile(value).groups if text(value) is None else -1
        except re.error:
            found = -1
        if found >= groups:
            return None
        return "must be a regular expression" + (" with ( ) around the part that is meant" if groups else "")

    return check


def several(check: Check, least: int = 0) -> Check:
    """Return a check for a list of at least ``least`` such values."""

    def check_list(value: Any) -> str | None:
        if not isinstance(value, list):
            return "must be a list"
        if len(value) < least:
            return f"must have at least {least} entry"
        return next((f"has an entry that {problem}" for entry in value if (problem := check(entry))), None)

    return check_list


def either(*checks: Check) -> Check:
    """Return a check that passes what any of these passes."""

    def check(value: Any) -> str | None:
        problems = [problem(value) for problem in checks]
        return None if None in problems else " or ".join(str(p) for p in problems)

    return check


def options(value: Any) -> str | None:
    """Check for a list of options that clingo takes."""
    from sokoasp.asp.constants import objection

    wrong = several(text)(value) or (value and objection(value))
    return f"must be a list of options of clingo ({wrong})" if wrong else None


def checked(source: TableSource, path: Path, value: Mapping[str, Any], keys: Mapping[str, Key]) -> dict[str, Any]:
    """Return a table with defaults filled in.

    Raises:
        NotationError: A key is unknown, missing or of the wrong kind; the message has its line.
        WrongOption: The command line gave a value of the wrong kind.
    """
    name = "".join(f"[{part + 1}]" if isinstance(part, int) else f" {part}" for part in path).strip() or "the suite"
    for key, entry in value.items():
        if key not in keys:
            source.fail((*path, key), f"{name} has no key {key!r}{nearest_or_all(key, keys)}")
        problem = keys[key].check(entry)
        if problem:
            source.fail((*path, key), f"{key} {problem}, not {entry!r}")
    missing = [key for key, rule in keys.items() if rule.default is REQUIRED and key not in value]
    if missing:
        source.fail(path, f"{name} lacks the key {missing[0]!r}")
    return {key: value.get(key, rule.default) for key, rule in keys.items()}


CONFIGURATIONS = ("auto", "frumpy", "jumpy", "tweety", "handy", "crafty", "trendy", "many")
"""clasp's own; any other is a file."""
OUTPUTS = ("push", "lurd", "clingo", "pddl")
PLACEHOLDERS = (
    *("folder", "encodings", "facts", "xsb", "board", "pddl_domain", "pddl_problem", "plan", "seconds", "memory_mb"),
    *("seed", "objective", "steps", "bound", "python", "fast_downward"),
)
"""What may stand in braces in a command."""

_TEXT, _TEXTS = Key(text, None), several(text, 1)
_PATTERN, _PATTERN_WITH_GROUP = Key(pattern(), None), Key(pattern(groups=1), None)
SUITE: Mapping[str, Key] = {
    "title": Key(text, REQUIRED),
    "objectives": Key(_TEXTS, None),
    "repetitions": Key(whole(1), 1),
    "seeds": Key(several(whole(0, 2**32 - 1), 1), [0]),
    "view": _TEXT,
    "limits": Key(table, {}),
    "instances": Key(several(table, 1), REQUIRED),
    "systems": Key(several(table, 1), REQUIRED),
}
LIMITS: Mapping[str, Key] = {
    "seconds": Key(number, 60),
    "clock": Key(one_of("wall", "cpu"), "wall"),
    "cores": Key(whole(1), None),
    "cpu_seconds": Key(number, None),
    "memory_mb": Key(number, 2048),
    "by": Key(one_of("sokoasp", "runexec"), "sokoasp"),
}
INSTANCES: Mapping[str, Key] = {
    "name": _TEXT,
    "files": Key(_TEXTS, REQUIRED),
    "levels": Key(several(whole(1), 1), []),
    "optional": Key(flag, False),
    "claims": _TEXT,
}
SYSTEMS: Mapping[str, Key] = {
    "name": Key(text, REQUIRED),
    "kind": Key(one_of(*KINDS), REQUIRED),
    "objectives": Key(_TEXTS, None),
    "base": _TEXT,
    "encoding": _TEXT,
    "without": Key(either(_TEXTS, one_of("each")), []),
    "engine": Key(text, "native"),
    "known": Key(either(flag, one_of("table")), False),
    "shorten": Key(number, None),
    "improve": Key(number, None),
    "detectors": Key(several(detector, 1), None),
    "options": Key(options, []),
    "configuration": Key(text, "auto"),
    "threads": Key(whole(1, 64), 1),
    "constraints": Key(several(text), []),
    "steps": Key(either(whole(1), one_of("own")), None),
    "fewest": Key(flag, False),
    "command": Key(either(text, _TEXTS), None),
    "output": Key(one_of(*OUTPUTS), "push"),
    "plan": _PATTERN_WITH_GROUP,
    "optimal": Key(either(flag, pattern()), False),
    "value": _PATTERN_WITH_GROUP,
    "unsolvable": _PATTERN,
    "no_plan": _PATTERN,
    "version": _TEXT,
    "requires": Key(several(text), []),
}
ONLY_FOR: Mapping[str, tuple[str, ...]] = {
    key: tuple(kind for kind, how in KINDS.items() if key in {one.name for one in fields(how)})
    for key in SYSTEMS
    if key not in ("name", "kind", "objectives", "base")
}
"""Key → the kinds of system it is for."""
