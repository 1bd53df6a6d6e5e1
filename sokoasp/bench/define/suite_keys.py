"""The keys a suite file may have: type, default and meaning of each. docs/bench.md is checked against these tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any, NoReturn

from sokoasp.bench.define.systems import KINDS
from sokoasp.bench.define.toml_lines import Path, line_at
from sokoasp.core.errors import NotationError, WrongOption
from sokoasp.core.nearest import nearest_or_all


class _Required:
    """Marks a key without default."""


REQUIRED: Any = _Required()
COMMAND_LINE = "command line"
"""Where a wrong value comes from that an option or ``--set`` has put in place of the suite's."""


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
    given: Collection[str] = ()
    """Keys whose values are not the file's but the command line's."""

    def fail(self, path: Path, message: str) -> NoReturn:
        """Raise a NotationError at the line of a key or table, or a WrongOption of what the command line gave."""
        if any(key in self.given for key in path):
            raise WrongOption(message, source=COMMAND_LINE)
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


def whole(least: int, most: int = 100_000) -> Callable[[Any], str | None]:
    """Return a check for an integer of at least and at most that much."""

    def check(value: Any) -> str | None:
        good = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return None if good else f"must be a whole number from {least} to {most}"

    return check


def one_of(*words: str) -> Callable[[Any], str | None]:
    """Return a check for one of these words."""
    return lambda value: None if value in words else f"must be one of {', '.join(words)}"


def named_in(module: str, table: str) -> Callable[[Any], str | None]:
    """Return a check for a name of a module's table; the module is imported when a name is checked."""
    return lambda value: one_of(*getattr(import_module(module), table))(value)


def several(check: Callable[[Any], str | None], least: int = 0) -> Callable[[Any], str | None]:
    """Return a check for a list of at least ``least`` such values."""

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
        WrongOption: The command line gave a value of the wrong kind.
    """
    name = "".join(f"[{part + 1}]" if isinstance(part, int) else f" {part}" for part in path).strip() or "the suite"
    if not isinstance(value, dict):
        source.fail(path, f"{name} must be a table")
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


OUTPUTS = ("push", "lurd", "clingo", "pddl")
PLACEHOLDERS: Mapping[str, str] = {
    "folder": "folder of the suite file",
    "encodings": "folder of the catalogue's programs",
    "facts": "file with the instance as competition (or Klotski) facts",
    "xsb": "file with the level in XSB",
    "board": "file with the level or board as its first notation",
    "pddl_domain": "PDDL domain file (Sokoban; a push costs 1, a step 0)",
    "pddl_problem": "PDDL problem file",
    "plan": "file the command writes its plan to; without it the plan is read from its standard output",
    "seconds": "the wall limit",
    "memory_mb": "the memory limit",
    "seed": "the seed",
    "objective": "the objective",
    "steps": "the competition's number of steps",
    "bound": "steps - 1, the number of actions",
    "python": "the Python that runs the campaign",
    "fast_downward": "the driver of Fast Downward from the extra [planners]",
}

SUITE: Mapping[str, Key] = {
    "title": Key(text, REQUIRED, "Heading of the report."),
    "objectives": Key(
        several(text, 1), None, "What is minimised, A+B: then B (native only); default: the game's first."
    ),
    "repetitions": Key(whole(1), 1, "How often each run is repeated with the same seed."),
    "seeds": Key(several(whole(0, 2**32 - 1), 1), [0], "One run per seed."),
    "view": Key(
        text, None, "View that bench view prints of such a campaign, by name or as a file from the suite's folder."
    ),
    "limits": Key(table, {}, "Table of limits of each run."),
    "instances": Key(several(table, 1), REQUIRED, "Tables of instance sets."),
    "systems": Key(several(table, 1), REQUIRED, "Tables of systems."),
}
LIMITS: Mapping[str, Key] = {
    "seconds": Key(number, 60, "Seconds of the clock."),
    "clock": Key(one_of("wall", "cpu"), "wall", "Whose seconds: by the wall, or CPU seconds of the run's own process."),
    "cores": Key(whole(1), None, "Processors of a run, its own while it lasts; default: all there are, with others."),
    "cpu_seconds": Key(number, None, "CPU seconds of each process of the run; default: no limit of its own."),
    "memory_mb": Key(number, 2048, "Resident memory of all processes of the run together, in MB."),
}
INSTANCES: Mapping[str, Key] = {
    "name": Key(text, None, "Name of the set in the report; default: the folder."),
    "files": Key(several(text, 1), REQUIRED, "Globs of level, fact or board files, "
                 "from the suite file's folder; {instances} stands for --instances, {files} for the FILES of the command."),
    "levels": Key(several(whole(1), 1), None, "Numbers of the levels to take of each file; default: all."),
    "optional": Key(flag, False, "Whether the globs may match nothing."),
    "claims": Key(text, None, "CSV file of numbers by column, in the row of a level's or board's title (column name)."),
}  # fmt: skip
SYSTEMS: Mapping[str, Key] = {
    "name": Key(text, REQUIRED, "Name in the report; unique."),
    "kind": Key(one_of(*KINDS), REQUIRED, "encoding (clingo by our driver), native, sat, deadlock, "
                "or external (any command)."),
    "objectives": Key(several(text, 1), None, "Only these of the suite's objectives."),
    "encoding": Key(text, None, "encoding: catalogue name, or a file from the suite file's "
                "folder; A,B: in turns; default: the game's."),
    "without": Key(either(several(text, 1), one_of("each")), [],
                   "encoding, native: ideas left out; each, also among others: as many systems more, one without each idea."),
    "engine": Key(text, "native", "native: name of the engine."),
    "known": Key(either(flag, one_of("table")), False,
                 "native, sat: start from the plan that came with the level (true), from the table of optima's or, "
                 "where it has none, that one."),
    "shorten": Key(number, None, "native, sat: seconds for which that plan is shortened before, not counted."),
    "improve": Key(number, None, "native: seconds for which the plan found is shortened after."),
    "detectors": Key(several(named_in("sokoasp.sokoban.units", "DETECTORS")), None,
                     "deadlock: detectors asked, in this order; default: all."),
    "options": Key(several(text), [], "encoding: more clasp options."),
    "configuration": Key(text, "auto", "encoding: clasp configuration."),
    "threads": Key(whole(1), 1, "encoding: threads of clasp."),
    "constraints": Key(several(text), [], "encoding: files with constraints of your own."),
    "steps": Key(
        either(whole(1), one_of("own")),
        None,
        "The competition's number of steps, or own: ask for exactly what the instance's facts say.",
    ),
    "command": Key(either(text, several(text, 1)), None,
                   "external: a list of words, or one text for /bin/sh; with {placeholders}."),
    "output": Key(one_of(*OUTPUTS), "push", "external: notation of the plan it gives."),
    "plan": Key(text, None, "external: regular expression whose first group is the plan; default: the whole output."),
    "optimal": Key(either(flag, text), False,
                   "external: whether every plan is claimed optimal, or a regular expression that says so in the output."),
    "value": Key(text, None, "external: regular expression whose first group is the claimed cost."),
    "unsolvable": Key(text, None, "external: regular expression that claims there is no plan at all."),
    "no_plan": Key(text, None, "external: regular expression that claims there is no plan within the steps."),
    "version": Key(text, None, "external: a command that prints its version."),
    "requires": Key(several(text), [], "external: programs that must be on the PATH "
                    "(or fast_downward); without them the system is left out with a warning."),
    "base": Key(text, None, "Name of the system this one is an ablation of."),
}  # fmt: skip
ONLY_FOR: Mapping[str, tuple[str, ...]] = {
    key: tuple(kind for kind, how in KINDS.items() if key in {one.name for one in fields(how)})
    for key in SYSTEMS
    if key not in ("name", "kind", "objectives", "base")
}
"""Key → the kinds of system it is for."""
